"""The connection to a run's socket, against a supervisor made up here. run.py runs it."""
import json
import math
import os
import socket
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest

from stint import _socket


class Supervisor:
    """Accepts connections and reads lines only when it is asked to."""

    def __init__(self, buffer=None):
        self.folder = tempfile.TemporaryDirectory(prefix="stint-", dir="/tmp")
        self.path = os.path.join(self.folder.name, "s")
        self.listener = socket.socket(socket.AF_UNIX)
        if buffer:
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.listener.bind(self.path)
        self.listener.listen(16)
        self.clients = []

    def accept(self):
        self.clients.append(self.listener.accept()[0])
        return self.clients[-1]

    def lines(self, count, client=None):
        """The next lines of a client; they must be there already."""
        client = client or self.clients[0]
        text = b""
        client.settimeout(30)
        while text.count(b"\n") < count:
            text += client.recv(1)
        return [json.loads(line) for line in text.splitlines()]

    def tell(self, **message):
        self.clients[0].sendall((json.dumps(message) + "\n").encode())

    def end(self):
        for client in self.clients:
            client.close()
        self.listener.close()
        self.folder.cleanup()


class Connections(unittest.TestCase):
    def setUp(self):
        self.run_ = Supervisor()
        self.addCleanup(self.run_.end)
        self.connection = _socket.Connection(self.run_.path)
        self.addCleanup(self.connection.close)

    def test_numbers_of_every_kind_are_sent_and_all_else_is_left_out(self):
        import decimal
        self.assertTrue(self.connection.log({"loss": decimal.Decimal("2.5"), "name": "x", "none": None, "list": [1, 2]},
                                            step=3, steps=10, ok=True))
        self.run_.accept()
        self.assertEqual(self.run_.lines(1), [{"step": 3, "steps": 10, "loss": 2.5, "ok": 1}])

    def test_odd_numbers_pass(self):
        self.connection.log({"loss": math.nan, "up": math.inf})
        self.run_.accept()
        line = self.run_.lines(1)[0]
        self.assertTrue(math.isnan(line["loss"]) and line["up"] == math.inf)

    def test_many_metrics_take_several_lines_with_the_same_step(self):
        self.connection.log({f"m{i:02}": i for i in range(80)}, step=7)
        self.run_.accept()
        lines = self.run_.lines(3)
        self.assertEqual([line.pop("step") for line in lines], [7, 7, 7])
        self.assertEqual([len(line) for line in lines], [32, 32, 16])
        self.assertEqual({k: v for line in lines for k, v in line.items()}, {f"m{i:02}": i for i in range(80)})

    def test_no_line_is_longer_than_the_run_reads(self):
        self.connection.log({"x" * 255 + str(i): i for i in range(10)} | {"y" * 5000: 1}, step=1)
        self.connection.log({f"{'z' * 250}{i:02}": i for i in range(16)} | {"é" * 200: 2}, step=1)
        self.run_.accept()
        client = self.run_.clients[0]
        self.connection.close()
        lines = b"".join(iter(lambda: client.recv(65536), b"")).splitlines()
        self.assertLessEqual(max(map(len, lines)), 4096)
        names = {name for line in lines for name in json.loads(line)} - {"step"}
        self.assertEqual(len(names), 10 + 16 + 1)  # one name was too long

    def test_a_supervisor_that_does_not_read_makes_it_drop_and_count(self):
        self.connection.log(step=0)
        self.run_.accept()
        calls = 0
        while self.connection.dropped < 10 and calls < 100000:
            calls += 1
            self.connection.log({"loss": calls, "text": 1}, step=calls)
        self.assertGreaterEqual(self.connection.dropped, 10)
        sent = self.connection.sent
        client = self.run_.clients[0]
        self.connection.close()
        client.settimeout(30)
        text = b"".join(iter(lambda: client.recv(1 << 20), b""))
        steps = [json.loads(line)["step"] for line in text[:text.rindex(b"\n")].splitlines()]
        self.assertEqual(steps, list(range(len(steps))))  # no line was mixed with another
        self.assertIn(len(steps), (sent, sent - 1))  # the end of the last one may be missing

    def test_what_is_sent_after_a_full_socket_is_read_is_complete(self):
        self.connection.log(step=0)
        client = self.run_.accept()
        calls = 0
        while not self.connection.dropped:
            calls += 1
            self.connection.log(step=calls)
        client.setblocking(False)
        text = b""
        try:
            while True:
                text += client.recv(1 << 20)
        except BlockingIOError:
            pass
        self.connection.log(step=-5)
        client.setblocking(True)
        while b"-5" not in text or not text.endswith(b"\n"):
            text += client.recv(1 << 20)
        for line in text.splitlines():
            json.loads(line)

    def test_a_request_to_stop_is_heard_once_it_listens(self):
        self.connection.listen()
        self.connection.listen()
        self.run_.accept()
        self.assertEqual(self.run_.lines(1), [{"stint": "listen"}])
        self.assertIsNone(self.connection.look(at_once=True))
        self.run_.tell(stint="event", kind="budget-50", text="50 % of the budget is spent")
        self.run_.tell(stint="save", stop=False, reason="idle", text="idle")
        self.assertIsNone(self.connection.look(at_once=True))
        self.assertEqual(self.connection.events, [("budget-50", "50 % of the budget is spent")])
        self.assertEqual(self.connection.take_save().reason, "idle")
        self.assertIsNone(self.connection.take_save())
        self.run_.tell(stint="save", stop=True, reason="budget", text="budget reached", left_s=1000)
        stop = self.connection.look(at_once=True)
        self.assertEqual((stop.reason, stop.text), ("budget", "budget reached"))
        self.assertTrue(900 < stop.left_s <= 1000)
        self.assertIs(self.connection.take_save(), stop)
        self.assertIs(self.connection.stop, stop)

    def test_listening_begins_on_a_connection_that_is_in_use(self):
        self.connection.log(step=1)
        self.connection.listen()
        self.run_.accept()
        self.assertEqual(self.run_.lines(2), [{"step": 1}, {"stint": "listen"}])

    def test_nonsense_from_the_run_does_no_harm(self):
        self.connection.listen()
        client = self.run_.accept()
        client.sendall(b'\xff\n[]\n{"stint": 5}\nnull\n{"stint":"save"}\n' + b"x" * 3000 + b"\n")
        self.assertIsNone(self.connection.look(at_once=True))
        self.assertFalse(self.connection.take_save().stop)

    def test_a_supervisor_that_died_costs_lines_and_nothing_else(self):
        self.connection.log(step=1)
        self.run_.accept()
        self.run_.end()
        for step in range(5):
            self.assertFalse(self.connection.log(step=step) and step > 0)
        self.assertGreaterEqual(self.connection.dropped, 4)
        self.assertIsNone(self.connection.look(at_once=True))

    def test_without_a_run_nothing_happens(self):
        nothing = _socket.Connection(None)
        self.assertFalse(nothing)
        self.assertFalse(nothing.log({"loss": 1}, step=1))
        self.assertFalse(nothing.checkpoint("x"))
        nothing.listen()
        self.assertIsNone(nothing.look(at_once=True))
        nothing.close()
        self.assertEqual(nothing.dropped, 0)

    def test_a_socket_that_is_not_there_is_no_error(self):
        missing = _socket.Connection("/nonexistent/" + "x" * 200)
        self.assertFalse(missing.log(step=1))
        self.assertEqual(missing.dropped, 1)

    def test_objects_that_raise_are_left_out(self):
        class Bad:
            def __float__(self):
                raise RuntimeError("no")

            def __str__(self):
                raise RuntimeError("no")

        self.connection.log({"bad": Bad(), "loss": 1})
        self.run_.accept()
        self.assertEqual(self.run_.lines(1), [{"loss": 1}])
        self.assertFalse(self.connection.log({Bad(): 1}))
        self.assertFalse(self.connection.checkpoint(Bad()))

    def test_threads_do_not_mix_lines(self):
        self.connection.log(step=-1)
        client = self.run_.accept()
        text = []
        reader = threading.Thread(target=lambda: text.extend(iter(lambda: client.recv(1 << 16), b"")))
        reader.start()

        def work(number):
            for step in range(300):
                self.connection.log({f"name{number}": step}, step=step)

        workers = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.connection.close()
        reader.join()
        lines = [json.loads(line) for line in b"".join(text).splitlines()]
        self.assertEqual(len(lines) + self.connection.dropped, 8 * 300 + 1)

    def test_a_child_has_its_own_connection(self):
        self.connection.log(step=1)
        self.run_.accept()
        # Held by a thread that the child does not have.
        with self.connection._lock:
            child = os.fork()
            if child == 0:
                os._exit(0 if self.connection.log(step=2) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        second = self.run_.accept()
        self.assertEqual(self.run_.lines(1, second), [{"step": 2}])
        self.connection.log(step=3)
        self.assertEqual(self.run_.lines(2), [{"step": 1}, {"step": 3}])


class UnderARun(unittest.TestCase):
    def test_what_is_logged_is_recorded(self):
        program = textwrap.dedent("""
            from stint import _socket
            run = _socket.connect()
            for step in range(1, 101):
                run.log({"loss": 5 - step / 100, "eval/accuracy": step / 200, "grad_norm": 1.5}, step=step, steps=100)
            run.log({f"extra{i}": i for i in range(10)}, step=100)
            """)
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "STINT_LEDGER": os.path.join(folder, "l.db"), "XDG_RUNTIME_DIR": folder,
                           "STINT_NVML": "/nonexistent"}
            ended = subprocess.run([os.environ["STINT_PROGRAM"], "run", "--json", "--", sys.executable, "-c", program],
                                   env=environment, capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            shown = subprocess.run([os.environ["STINT_PROGRAM"], "show", "last", "--json"], env=environment,
                                   capture_output=True, text=True, timeout=60, check=True)
        metrics = {metric["name"]: metric for metric in json.loads(shown.stdout)["metrics"]}
        self.assertEqual(set(metrics), {"loss", "eval_accuracy", "grad_norm"} | {f"extra{i}" for i in range(10)})
        self.assertEqual((metrics["loss"]["first"], metrics["loss"]["last"]), (4.99, 4.0))
        self.assertEqual(metrics["eval_accuracy"]["high"], 0.5)


if __name__ == "__main__":
    unittest.main()
