"""Trackers: what is sent, checked by readers that share nothing with the writers."""
import base64
import contextlib
import http.server
import io
import json
import os
import struct
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import warnings

import stint
from stint import trackers


# ---- a reader of event files, from the formats' descriptions ----

def slow_crc32c(data):
    """Bit by bit, without a table: the reflected polynomial 0x1EDC6F41."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 * (crc & 1))
    return ~crc & 0xFFFFFFFF


def unmask(value):
    rotated = (value - 0xA282EAD8) & 0xFFFFFFFF
    return (rotated << 15 | rotated >> 17) & 0xFFFFFFFF


def records(data):
    stream = io.BytesIO(data)
    while True:
        head = stream.read(8)
        if not head:
            return
        (length,) = struct.unpack("<Q", head)
        assert unmask(struct.unpack("<I", stream.read(4))[0]) == slow_crc32c(head)
        body = stream.read(length)
        assert len(body) == length
        assert unmask(struct.unpack("<I", stream.read(4))[0]) == slow_crc32c(body)
        yield body


def message(data):
    """Fields of a protocol buffer: {number: [values]}; texts and messages as bytes."""
    at, fields = 0, {}

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
    while at < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            value = varint()
        elif kind == 1:
            (value,) = struct.unpack_from("<d", data, at)
            at += 8
        elif kind == 5:
            (value,) = struct.unpack_from("<f", data, at)
            at += 4
        else:
            length = varint()
            value = data[at:at + length]
            at += length
        fields.setdefault(key >> 3, []).append(value)
    return fields


def scalars(folder):
    """[(step, seconds, {tag: value})] of all event files, and the texts."""
    found, texts, version = [], {}, None
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            for body in records(file.read()):
                event = message(body)
                if 3 in event:
                    version = event[3][0]
                    continue
                values = {}
                for raw in message(event[5][0])[1]:
                    value = message(raw)
                    plugin = message(message(value[9][0])[1][0])[1][0]  # metadata, plugin_data, plugin_name
                    if plugin == b"scalars":
                        values[value[1][0].decode()] = value[2][0]
                    else:
                        tensor = message(value[8][0])
                        assert plugin == b"text" and tensor[1] == [7]
                        texts[value[1][0].decode()] = tensor[8][0].decode()
                if values:
                    found.append((event.get(2, [0])[0], event[1][0], values))
    return version, found, texts


# ---- a tracking server ----

class Server(http.server.ThreadingHTTPServer):
    """It remembers what it was asked. `mood`: "well", "failing" (500), "silent" (never answers), "away" (a redirect)."""
    daemon_threads = True

    def __init__(self):
        self.asked, self.mood, self.wake = [], "well", threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def calls(self, name):
        return [body for path, body, _ in list(self.asked) if path.endswith(name)]

    def metrics(self):
        return [m for body in self.calls("runs/log-batch") for m in body.get("metrics", [])]


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        self.server.asked.append((self.path.split("?")[0], self.path, self.headers.get("Authorization")))
        self.answer(404, {"error_code": "RESOURCE_DOES_NOT_EXIST", "message": "none"})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, body, self.headers.get("Authorization")))
        if self.server.mood == "silent":
            self.server.wake.wait(20)
        if self.server.mood == "failing":
            self.answer(500, {"message": "broken"})
        elif self.server.mood == "away":
            self.answer(302, {})
        elif self.path.endswith("experiments/create"):
            self.answer(200, {"experiment_id": "9"})
        elif self.path.endswith("runs/create"):
            self.answer(200, {"run": {"info": {"run_id": "m1"}}})
        else:
            self.answer(200, {})


SHOWN = {  # two attempts: 10 s at 360 W, then 10 s at 720 W, which is 0.001 + 0.002 kWh by its samples
    "run": {"id": "0193-x", "state": "done", "cost": {"amount": "3.5", "currency": "USD"}, "energy_kwh": 0.006,
            "carbon_g": 3.0, "gpu_busy": 0.5, "step": 40, "ended": "2026-11-01T10:01:00Z", "price_source": "from --price",
            "energy_method": "counter", "gpu": None},
    "attempts": [{"number": 1, "started": "2026-11-01T10:00:00Z"}, {"number": 2, "started": "2026-11-01T10:00:30Z"}],
    "samples": [{"attempt": 1, "at_s": 10, "cost_usd": 1.0, "watts": 360, "step": 10},
                {"attempt": 2, "at_s": 0, "cost_usd": 0.0, "watts": None, "step": None},
                {"attempt": 2, "at_s": 10, "cost_usd": 2.0, "watts": 720, "step": 30}],
}


@contextlib.contextmanager
def environment(**values):
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


class History(unittest.TestCase):
    def test_points_add_up_over_attempts(self):
        points = trackers._history(SHOWN)
        start = 1793527200.0
        # Energy by samples is 0.001, 0.001, 0.003 kWh; metered 0.006, so twice as much. 0.5 kg a kWh.
        expected = [({"cost_usd": 1.0, "energy_kwh": 0.002, "co2_kg": 0.001}, 10, start + 10),
                    ({"cost_usd": 1.0, "energy_kwh": 0.002, "co2_kg": 0.001}, 10, start + 30),
                    ({"cost_usd": 3.0, "energy_kwh": 0.006, "co2_kg": 0.003}, 30, start + 40),
                    ({"cost_usd": 3.5, "energy_kwh": 0.006, "co2_kg": 0.003, "gpu_busy": 0.5}, 40, start + 60)]
        self.assertEqual(len(points), len(expected))
        for point, (values, step, at) in zip(points, expected):
            self.assertEqual((point.step, point.at), (step, at))
            self.assertEqual(set(point.values), set(values))
            for name, value in values.items():
                self.assertAlmostEqual(point.values[name], value, 9)

    def test_what_is_not_known_is_not_sent(self):
        run = {**SHOWN["run"], "cost": None, "energy_kwh": None, "carbon_g": None, "gpu_busy": None}
        points = trackers._history({**SHOWN, "run": run})
        self.assertEqual([p.values for p in points], [{}])

    def test_checksums(self):
        self.assertEqual(trackers.crc32c(b"123456789"), 0xE3069283)
        self.assertEqual(trackers.crc32c(bytes(32)), 0x8A9136AA)  # RFC 3720, B.4


class Ledger(unittest.TestCase):
    """A run of the ledger: 2 h at $1.50."""

    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory(prefix="stint-trackers-")
        cls.env = environment(STINT_LEDGER=os.path.join(cls.home.name, "ledger.db"))
        cls.env.__enter__()
        cls.run_id = stint.runs_add(name="past", price="1.50usd/hr", start="2026-11-01T10:00:00Z",
                                    end="2026-11-01T12:00:00Z").run.id

    @classmethod
    def tearDownClass(cls):
        cls.env.__exit__(None, None, None)
        cls.home.cleanup()

    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.addCleanup(self.server.wake.set)

    def test_tensorboard(self):
        folder = os.path.join(self.home.name, "logs")
        self.assertEqual(trackers.send("past", to="tensorboard:" + folder), 1)
        version, found, texts = scalars(folder)
        self.assertEqual(version, b"brain.Event:2")
        self.assertEqual(found, [(0, 1793534400.0, {"stint/cost_usd": 3.0})])
        self.assertIn("stint.run: " + self.run_id, texts["stint/summary"])

    def test_mlflow_makes_a_run_and_ends_it(self):
        with environment(MLFLOW_TRACKING_USERNAME="ada", MLFLOW_TRACKING_PASSWORD="secret"):
            trackers.send("past", to="mlflow:" + self.server.url)
        self.assertEqual(self.server.calls("experiments/create"), [{"name": "Default"}])
        made = self.server.calls("runs/create")[0]
        self.assertIn({"key": "stint.run", "value": self.run_id}, made["tags"])
        self.assertEqual(self.server.metrics(),
                         [{"key": "stint/cost_usd", "value": 3.0, "timestamp": 1793534400000, "step": 0}])
        self.assertEqual(self.server.calls("runs/update"),
                         [{"run_id": "m1", "status": "FINISHED", "end_time": 1793534400000}])
        login = "Basic " + base64.b64encode(b"ada:secret").decode()
        self.assertEqual({key for _, _, key in self.server.asked}, {login})

    def test_mlflow_uses_the_run_that_is_there(self):
        trackers.send("past", to=trackers.MLflow(self.server.url, run_id="theirs"))
        self.assertEqual({body["run_id"] for body in self.server.calls("runs/log-batch")}, {"theirs"})
        self.assertEqual(self.server.calls("runs/update"), [])

    def test_mlflow_of_the_program(self):
        active = types.SimpleNamespace(info=types.SimpleNamespace(run_id="live"))
        sys.modules["mlflow"] = types.SimpleNamespace(active_run=lambda: active, get_tracking_uri=lambda: self.server.url)
        try:
            trackers.send("past", to="mlflow")
        finally:
            del sys.modules["mlflow"]
        self.assertEqual({body["run_id"] for body in self.server.calls("runs/log-batch")}, {"live"})

    def test_a_key_goes_to_no_other_machine(self):
        with environment(MLFLOW_TRACKING_TOKEN="key"):
            with self.assertRaisesRegex(stint.UsageError, "plain http"):
                trackers.MLflow("http://mlflow.example.com")
            self.server.mood = "away"
            with self.assertRaisesRegex(stint.FailedError, "302"):
                trackers.send("past", to=trackers.MLflow(self.server.url, run_id="x"))

    def test_wandb_through_its_own_package(self):
        logged, summary, config = [], {}, {}
        run = types.SimpleNamespace(
            log=lambda values, commit: logged.append((values, commit)), summary=summary, define_metric=lambda *a, **n: None,
            config=types.SimpleNamespace(update=lambda values, allow_val_change: config.update(values)))
        sys.modules["wandb"] = types.SimpleNamespace(run=run)
        try:
            trackers.send("past", to="wandb")
        finally:
            del sys.modules["wandb"]
        self.assertEqual(logged, [({"stint/cost_usd": 3.0, "stint/step": 0}, False)])
        self.assertEqual(summary, {"stint/cost_usd": 3.0})
        self.assertEqual(config["stint/run"], self.run_id)

    def test_mistakes(self):
        for to, kind in (("mlfow", stint.UsageError), ("mlflow:mlruns", stint.UsageError), (7, stint.InputError)):
            with self.assertRaises(kind):
                trackers.send("past", to=to)
        with self.assertRaises(stint.NotFoundError):
            trackers.send("nothing", to="tensorboard:" + self.home.name)
        self.server.mood = "failing"
        with self.assertRaisesRegex(stint.FailedError, "500: broken"):
            trackers.send("past", to="mlflow:" + self.server.url)

    def test_the_command(self):
        command = [sys.executable, "-m", "stint", "track", "past", "--to", "tensorboard:" + self.home.name + "/by-command"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (0, f"sent 1 point to tensorboard:{self.home.name}/by-command\n", ""))
        done = subprocess.run(command[:4] + ["nothing"] + command[5:], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 4)
        self.assertIn("stint: ", done.stderr)

    def test_steps_of_a_program(self):
        folder = os.path.join(self.home.name, "live")
        with trackers.start(to=["tensorboard:" + folder, trackers.MLflow(self.server.url, run_id="r")], run="past",
                            every=0.1) as tracking:
            for step in (5, 6):
                tracking.step(step)
                until = time.monotonic() + 20
                while not any(m["step"] == step for m in self.server.metrics()) and time.monotonic() < until:
                    time.sleep(0.02)
        _, found, texts = scalars(folder)
        self.assertEqual({step for step, _, _ in found}, {5, 6})
        self.assertEqual(found[-1][2], {"stint/cost_usd": 3.0})
        self.assertIn("stint/summary", texts)
        self.assertEqual(tracking.dropped, 0)
        self.assertEqual(tracking.errors, 0)

    @unittest.skipUnless(os.environ.get("STINT_PROGRAM"), "there is no STINT_PROGRAM")
    def test_a_program_under_stint_run(self):
        folder = os.path.join(self.home.name, "under-run")
        code = ("import time\nfrom stint import trackers\n"
                f"tracking = trackers.start(to='tensorboard:{folder}', every=0.2)\n"
                "for step in range(1, 4):\n    print(f'step {step}/3 loss=0.5', flush=True)\n"
                "    tracking.step(step)\n    time.sleep(0.7)\n")  # closed at its end
        done = subprocess.run([os.environ["STINT_PROGRAM"], "run", "--price", "3600usd/hr", "--name", "metered", "--",
                               sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        _, found, texts = scalars(folder)
        costs = [values["stint/cost_usd"] for _, _, values in found]
        self.assertEqual(costs, sorted(costs))
        self.assertGreater(costs[-1], 0)
        self.assertEqual(found[-1][0], 3)
        shown = stint.show("metered").run
        self.assertLessEqual(costs[-1], float(shown.cost) * 1.000001)
        self.assertIn(shown.id, texts["stint/summary"])
        self.assertIn("stint.state: ended", texts["stint/summary"])
        again = os.path.join(self.home.name, "again")  # from the ledger: the end is exact
        self.assertGreater(trackers.send("metered", to="tensorboard:" + again), 1)
        self.assertAlmostEqual(scalars(again)[1][-1][2]["stint/cost_usd"], float(shown.cost), 4)

    @unittest.skipUnless(os.environ.get("STINT_PROGRAM"), "there is no STINT_PROGRAM")
    def test_the_state_at_the_end_is_not_running(self):
        for name, end, state in (("closed", "tracking.close()", "done"),
                                 ("raises", "1 / 0", "failed"),
                                 ("in-block", "tracking.__exit__(ValueError, ValueError(), None); raise ValueError", "failed"),
                                 ("guard", "import stint; raise stint.GuardError('budget')", "stopped")):
            self.server.asked.clear()
            code = (f"from stint import trackers\ntracking = trackers.start(to='mlflow:{self.server.url}', every=30)\n{end}\n")
            subprocess.run([os.environ["STINT_PROGRAM"], "run", "--price", "1usd/hr", "--name", "ends-" + name, "--",
                            sys.executable, "-c", code], capture_output=True, check=False, timeout=120)
            tags = {tag["key"]: tag["value"] for body in self.server.calls("runs/log-batch") for tag in body.get("tags", [])}
            self.assertEqual(tags["stint.state"], state, name)

    def test_what_is_not_delivered_is_dropped(self):
        self.server.mood = "failing"
        with contextlib.redirect_stderr(io.StringIO()):
            tracking = trackers.start(to=trackers.MLflow(self.server.url, run_id="r"), run="past", every=30)
            for _ in range(3):
                tracking._senders[0].offer(trackers.Point({"cost_usd": 1.0}, 1, 1.0), {})
            tracking.close(timeout=0.5)
        self.assertEqual((tracking.sent, tracking.dropped), (0, 4))  # with the last one

    def test_a_dead_server_holds_nobody_up(self):
        self.server.mood = "silent"
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            tracking = trackers.start(to=trackers.MLflow(self.server.url, run_id="r"), run="past", every=0.1)
            sender = tracking._senders[0]
            for _ in range(trackers.QUEUE + 50):  # none of these waits: the server answers none
                sender.offer(trackers.Point({"cost_usd": 1.0}, 1, 1.0), {})
            self.assertLessEqual(len(sender.waiting), trackers.QUEUE)
            self.assertGreaterEqual(tracking.dropped, 49)
            tracking.close(timeout=0.3)
            self.server.mood = "failing"
            self.server.wake.set()
            sender.join(20)  # it has given up
            self.assertFalse(sender.is_alive())
        self.assertTrue(any("last values" in str(w.message) for w in told))

    def test_nothing_is_raised_into_training(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with contextlib.redirect_stderr(io.StringIO()) as told:
                trackers.start(to="nonsense", run="past").close()
                with environment():
                    os.environ.pop("STINT_RUN_ID", None)
                    trackers.start().close()
                tracking = trackers.start(to="tensorboard:/proc/nowhere", run="past", every=0.1)
                tracking.step("x")
                tracking.close(timeout=0.5)
                trackers.start(to="tensorboard:" + self.home.name, run="no such run").close()
        self.assertIn("no tracker 'nonsense'", told.getvalue())

    def test_other_ranks_send_nothing(self):
        with environment(RANK="1"):
            tracking = trackers.start(to="tensorboard:" + self.home.name + "/rank1", run="past", every=0.1)
            tracking.close()
        self.assertFalse(os.path.exists(self.home.name + "/rank1"))

    def test_a_fork_leaves_the_parent_alone(self):
        tracking = trackers.start(to="tensorboard:" + self.home.name + "/fork", run="past", every=30)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            child = os.fork()
        if child == 0:
            tracking.step(1)
            tracking.close()
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        tracking.close()
        self.assertEqual(len(scalars(self.home.name + "/fork")[1]), 1)
