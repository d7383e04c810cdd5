"""Cost, energy and carbon of a run in MLflow, TensorBoard and Weights & Biases.

    tracking = stint.trackers.start(to=["mlflow", "tensorboard:logs"])   # in a program that runs under `stint run`
    for step, batch in enumerate(loader):
        ...
        tracking.step(step)
    tracking.close()

    stint.trackers.send("last", to="mlflow")    # after the run, from the ledger; python -m stint track last --to mlflow

Metrics are sent at the program's own step, so that dollars can be a chart's axis:

    stint/cost_usd      US dollars so far
    stint/energy_kwh    kilowatt-hours so far
    stint/co2_kg        kilograms of CO2e so far
    stint/gpu_busy      of the time, 0 to 1, of the GPUs so far

What is not known is not sent. While a program trains, nothing here raises or waits: values are read from the ledger by a
thread, each tracker has its own thread and a short queue, and what a tracker that does not answer has no room for is
dropped and counted.
"""
from __future__ import annotations

import atexit
import collections
import json
import os
import socket
import struct
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING, Any, Sequence

from ._errors import FailedError, GuardError, InputError, NotFoundError, UsageError
from ._meter import find_rank, tell as warn

if TYPE_CHECKING:
    from typing import Protocol, Union

    class Tracker(Protocol):
        """What takes values: MLflow, TensorBoard, Wandb, or a class of your own."""

        def write(self, points: list[Point], summary: dict[str, str]) -> Any: ...
        def finish(self, point: Point, summary: dict[str, str]) -> Any: ...
        def close(self) -> Any: ...

    Where = Union[str, Tracker, Sequence[Union[str, Tracker]]]

NAMES = {"cost_usd": "stint/cost_usd", "energy_kwh": "stint/energy_kwh", "co2_kg": "stint/co2_kg",
         "gpu_busy": "stint/gpu_busy"}
EVERY_S = 10.0  # how often values are read
QUEUE = 256  # points that wait for one tracker; older ones are dropped
RETRY_S = (1, 2, 5, 10, 30, 60)  # after a failure; the last again and again
TIMEOUT_S = 10.0  # of one request
CLOSE_S = 5.0  # that close() waits at most
BATCH = 100  # points of one request: 4 metrics each, of 1000 that MLflow takes

Point = collections.namedtuple("Point", "values step at")  # {"cost_usd": 1.2, ...}, int, seconds since 1970


# ---- values ----

def _number(value):
    """A float of a JSON value (money as {"amount": ...}); None: not known."""
    if isinstance(value, dict):
        value = value.get("amount")
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        return None


def _seconds(text):
    """Since 1970, of "2026-11-15T10:00:00Z"; None: not known."""
    import calendar
    try:
        return float(calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ")))
    except (TypeError, ValueError):
        return None


def _totals(run):
    """What a run has come to so far, of its record."""
    grams = _number(run.get("carbon_g"))
    values = {"cost_usd": _number(run.get("cost")), "energy_kwh": _number(run.get("energy_kwh")),
              "co2_kg": None if grams is None else grams / 1000, "gpu_busy": _number(run.get("gpu_busy"))}
    return {name: value for name, value in values.items() if value is not None}


def _read(run):
    from ._library import call
    return call("show", {"run": run}).to_dict()


def _history(shown):
    """Points of a run that is over, from its samples. Cost is recorded at each; energy is the recorded power added up,
    corrected so that it ends at the metered total, and carbon in proportion to it."""
    run = shown["run"]
    totals = _totals(run)
    starts = {a["number"]: _seconds(a["started"]) for a in shown.get("attempts", [])}
    points, energy, step, attempt, paid, before = [], 0.0, 0, None, 0.0, 0.0
    for sample in shown.get("samples", []):
        if sample["attempt"] != attempt:  # a sample's cost is that of its own attempt
            attempt, before = sample["attempt"], 0.0
            paid = points[-1].values.get("cost_usd", paid) if points else 0.0
        energy += (sample.get("watts") or 0.0) * max(0.0, sample["at_s"] - before) / 3.6e6
        before = sample["at_s"]
        if sample.get("step") is not None:
            step = int(sample["step"])
        values = {}
        if sample.get("cost_usd") is not None and "cost_usd" in totals:
            values["cost_usd"] = paid + sample["cost_usd"]
        values["energy_kwh"] = energy
        points.append(Point(values, step, (starts.get(attempt) or 0.0) + sample["at_s"]))
    scale = totals.get("energy_kwh", 0.0) / energy if energy > 0 else None
    for point in points:
        used = point.values.pop("energy_kwh")
        if scale is not None and "energy_kwh" in totals:
            point.values["energy_kwh"] = used * scale
            if "co2_kg" in totals and totals["energy_kwh"] > 0:
                point.values["co2_kg"] = totals["co2_kg"] * used * scale / totals["energy_kwh"]
    if run.get("step") is not None:
        step = max(step, int(run["step"]))
    ended = _seconds(run.get("ended")) or (points[-1].at if points else time.time())
    points = [p for p in points if p.values and p.at <= ended]
    return points + [Point(totals, step, ended)]


def _summary(shown):
    run = shown["run"]
    parts = {"stint.run": run["id"], "stint.state": run.get("state"), "stint.price_source": run.get("price_source"),
             "stint.energy_method": run.get("energy_method"), "stint.gpu": run.get("gpu")}
    return {name: str(value) for name, value in parts.items() if value}


# ---- MLflow ----

class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key to another server."""

    def redirect_request(self, *arguments):
        return None


class MLflow:
    """A run on an MLflow tracking server, over its REST API. Without `run_id`: the run that is active in this program, the
    one that MLFLOW_RUN_ID names, or a new one in `experiment`."""

    def __init__(self, uri: str | None = None, run_id: str | None = None, experiment: str | None = None,
                 name: str | None = None) -> None:
        active = self._active() if run_id is None and uri is None else None
        self.uri = (uri or (active and active[0]) or os.environ.get("MLFLOW_TRACKING_URI") or "").rstrip("/")
        self.run_id = run_id or (active and active[1]) or os.environ.get("MLFLOW_RUN_ID") or None
        self.made = self.run_id is None  # the run is ours: we end it
        self.experiment = experiment or os.environ.get("MLFLOW_EXPERIMENT_NAME") or "Default"
        self.name = name
        place = urllib.parse.urlsplit(self.uri)
        if place.scheme not in ("http", "https") or not place.hostname:
            raise UsageError(f"MLflow: '{self.uri}' is not the address of a tracking server",
                             "set MLFLOW_TRACKING_URI, or write mlflow:http://localhost:5000")
        self.headers = {"Content-Type": "application/json", "User-Agent": "stint"}
        self._log_in(place)
        self.opener = urllib.request.build_opener(_NoRedirect)

    @staticmethod
    def _active():
        """(address, id) of the run that is active in this program, when it uses mlflow."""
        mlflow = sys.modules.get("mlflow")
        try:
            run = mlflow.active_run() if mlflow is not None else None
            return (mlflow.get_tracking_uri(), run.info.run_id) if run is not None else None
        except Exception:  # pylint: disable=broad-except
            return None

    def _log_in(self, place):
        import base64
        token, user = os.environ.get("MLFLOW_TRACKING_TOKEN"), os.environ.get("MLFLOW_TRACKING_USERNAME")
        if token:
            key = "Bearer " + token
        elif user:
            login = f"{user}:{os.environ.get('MLFLOW_TRACKING_PASSWORD', '')}"
            key = "Basic " + base64.b64encode(login.encode()).decode()
        else:
            return
        local = place.hostname in ("localhost", "::1") or place.hostname.startswith("127.")
        if place.scheme != "https" and not local:
            raise UsageError("MLflow: a key is not sent over plain http to another machine", "use https")
        self.headers["Authorization"] = key

    def _ask(self, call, body=None, query=None):
        url = f"{self.uri}/api/2.0/mlflow/{call}" + ("?" + urllib.parse.urlencode(query) if query else "")
        data = None if body is None else json.dumps(body, allow_nan=False).encode()
        request = urllib.request.Request(url, data=data, headers=self.headers)
        with self.opener.open(request, timeout=TIMEOUT_S) as answer:
            text = answer.read(1 << 20)
        return json.loads(text) if text.strip() else {}

    def _begin(self, summary, at):
        if self.run_id is not None:
            return
        try:
            found = self._ask("experiments/get-by-name", query={"experiment_name": self.experiment})
            experiment = found["experiment"]["experiment_id"]
        except urllib.error.HTTPError as error:
            if error.code != 404:
                raise
            experiment = self._ask("experiments/create", {"name": self.experiment})["experiment_id"]
        tags = [{"key": key, "value": value} for key, value in summary.items()]
        made = self._ask("runs/create", {"experiment_id": experiment, "start_time": int(at * 1000), "tags": tags,
                                         "run_name": self.name or summary.get("stint.run", "stint")})
        self.run_id = made["run"]["info"]["run_id"]

    def write(self, points, summary):
        self._begin(summary, points[0].at)
        metrics = [{"key": NAMES[name], "value": value, "timestamp": int(point.at * 1000), "step": point.step}
                   for point in points for name, value in point.values.items()]
        if metrics:
            self._ask("runs/log-batch", {"run_id": self.run_id, "metrics": metrics})

    def finish(self, point, summary):
        self.write([point], summary)
        tags = [{"key": key, "value": value[:5000]} for key, value in summary.items()]
        self._ask("runs/log-batch", {"run_id": self.run_id, "tags": tags})
        if self.made:
            failed = summary.get("stint.state") in ("failed", "lost")
            self._ask("runs/update", {"run_id": self.run_id, "status": "FAILED" if failed else "FINISHED",
                                      "end_time": int(point.at * 1000)})

    def close(self):
        self.opener.close()


# ---- TensorBoard ----

def _crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return tuple(table)


_CRC = _crc_table()


def crc32c(data):
    """CRC-32C (Castagnoli), as iSCSI, RFC 3720, has it."""
    value = 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ _CRC[(value ^ byte) & 0xFF]
    return value ^ 0xFFFFFFFF


def _masked(data):
    value = crc32c(data)
    return struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def _varint(value):
    value &= (1 << 64) - 1  # of negative numbers: two's complement, as protocol buffers have int64
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _bytes_field(number, data):
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _metadata(plugin):
    """SummaryMetadata {plugin_data {plugin_name}}"""
    return _bytes_field(9, _bytes_field(1, _bytes_field(1, plugin)))


def _scalar(tag, value):
    """Summary.Value {tag, simple_value, metadata}"""
    body = _bytes_field(1, tag.encode()) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _metadata(b"scalars")
    return _bytes_field(1, body)


def _text(tag, text):
    """Summary.Value {tag, tensor {dtype: DT_STRING, shape {dim {size: 1}}, string_val}, metadata}"""
    shape = _bytes_field(2, _bytes_field(2, _varint(1 << 3) + _varint(1)))
    tensor = _varint(1 << 3) + _varint(7) + shape + _bytes_field(8, text.encode())
    return _bytes_field(1, _bytes_field(1, tag.encode()) + _bytes_field(8, tensor) + _metadata(b"text"))


class TensorBoard:
    """An event file in `folder`, beside those of the program."""

    def __init__(self, folder: str | None = None) -> None:
        self.folder = folder or "runs"
        self.file = None

    def _record(self, data):
        length = struct.pack("<Q", len(data))
        return length + _masked(length) + data + _masked(data)

    def _event(self, at, step, body):
        return self._record(_varint(1 << 3 | 1) + struct.pack("<d", at) + _varint(2 << 3) + _varint(step) + body)

    def write(self, points, summary):
        if self.file is None:
            os.makedirs(self.folder, exist_ok=True)
            name = f"events.out.tfevents.{int(points[0].at):010d}.{socket.gethostname()}.{os.getpid()}.stint"
            self.file = open(os.path.join(self.folder, name), "ab")
            if self.file.tell() == 0:
                version = _varint(1 << 3 | 1) + struct.pack("<d", points[0].at) + _bytes_field(3, b"brain.Event:2")
                self.file.write(self._record(version))
        for point in points:
            values = b"".join(_scalar(NAMES[name], value) for name, value in point.values.items())
            if values:
                self.file.write(self._event(point.at, point.step, _bytes_field(5, values)))
        self.file.flush()

    def finish(self, point, summary):
        self.write([point], summary)
        lines = [f"{NAMES[name]}: {value:.6g}" for name, value in point.values.items()]
        lines += [f"{key}: {value}" for key, value in summary.items()]
        self.file.write(self._event(point.at, point.step, _bytes_field(5, _text("stint/summary", "  \n".join(lines)))))
        self.file.flush()

    def close(self):
        if self.file is not None:
            self.file.close()
            self.file = None


# ---- Weights & Biases ----

class Wandb:
    """The run that is active in this program, through wandb's own package."""

    def __init__(self):
        wandb = sys.modules.get("wandb")
        if wandb is None:
            try:
                import wandb
            except ImportError:
                raise NotFoundError("wandb is not installed", "pip install wandb") from None
        self.run = wandb.run
        if self.run is None:
            raise UsageError("wandb has no run in this program", "call wandb.init() first")
        self.run.define_metric("stint/*", step_metric="stint/step")

    def write(self, points, summary):
        for point in points:
            values = {NAMES[name]: value for name, value in point.values.items()}
            # Without commit: it joins the row that the program writes next, and the program's own steps stay as they are.
            self.run.log({**values, "stint/step": point.step}, commit=False)

    def finish(self, point, summary):
        self.write([point], summary)
        self.run.summary.update({NAMES[name]: value for name, value in point.values.items()})
        self.run.config.update({key.replace(".", "/"): value for key, value in summary.items()}, allow_val_change=True)

    def close(self):
        pass


def _open(to):
    """A tracker of "mlflow", "mlflow:http://host:5000", "tensorboard:FOLDER", "wandb", or one of the classes here."""
    if not isinstance(to, str):
        if all(callable(getattr(to, name, None)) for name in ("write", "finish", "close")):
            return to
        raise InputError(f"{to!r} is not a tracker", "use 'mlflow', 'tensorboard:FOLDER' or 'wandb'")
    kind, _, rest = to.partition(":")
    if kind == "mlflow":
        return MLflow(uri=rest or None)
    if kind == "tensorboard":
        return TensorBoard(rest or None)
    if kind == "wandb" and not rest:
        return Wandb()
    raise UsageError(f"there is no tracker '{to}'", "use 'mlflow', 'mlflow:http://HOST:5000', 'tensorboard:FOLDER' or 'wandb'")


def _opened(to):
    return [_open(one) for one in ([to] if isinstance(to, str) or not isinstance(to, (list, tuple)) else to)]


# ---- after a run ----

def send(run: str = "last", to: Where = "mlflow") -> int:
    """Send a run of the ledger: its cost, energy and carbon by step, and the totals. Returns the number of points."""
    shown = _read(run)
    if shown["run"].get("state") == "running":
        raise UsageError(f"the run '{run}' has not ended", "use stint.trackers.start() in the program itself")
    points, summary = _history(shown), _summary(shown)
    for tracker in _opened(to):
        try:
            for at in range(0, len(points) - 1, BATCH):
                tracker.write(points[at:min(at + BATCH, len(points) - 1)], summary)
            tracker.finish(points[-1], summary)
        except (OSError, ValueError, KeyError) as error:
            raise FailedError(f"{type(tracker).__name__}: {_why(error)}") from None
        finally:
            tracker.close()
    return len(points)


def _why(error):
    """In one line, without the key."""
    if isinstance(error, urllib.error.HTTPError):
        try:
            text = json.loads(error.read(4096)).get("message", "")
        except Exception:  # pylint: disable=broad-except
            text = ""
        return f"the server answered {error.code}" + (f": {str(text)[:200]}" if text else "")
    if isinstance(error, urllib.error.URLError):
        return str(error.reason)
    return f"{type(error).__name__}: {error}"


# ---- while a run is under way ----

class _Sender(threading.Thread):
    """One tracker: what waits for it, and the thread that sends it."""

    def __init__(self, tracker):
        super().__init__(name=f"stint {type(tracker).__name__}", daemon=True)
        self.tracker = tracker
        self.waiting = collections.deque(maxlen=QUEUE)
        self.sent = self.dropped = self.failures = 0
        self.wake = threading.Event()
        self.last = None  # (point, summary), to finish with
        self.ending = self.given_up = False
        self.start()

    def offer(self, point, summary):
        if len(self.waiting) == QUEUE:
            self.dropped += 1
        self.waiting.append((point, summary))
        self.wake.set()

    def finish(self, point, summary):
        self.last = (point, summary)
        self.ending = True
        self.wake.set()

    def give_up(self):
        """What was not taken until now counts as dropped."""
        self.given_up = True
        self.dropped += len(self.waiting) + (self.last is not None)

    def run(self):
        while True:
            self.wake.wait()
            self.wake.clear()
            try:
                self._send()
                self.failures = 0
            except Exception as error:  # pylint: disable=broad-except
                if self.failures == 0:
                    warn(f"{type(self.tracker).__name__} gets no values for now: {_why(error)}")
                wait = RETRY_S[min(self.failures, len(RETRY_S) - 1)]
                self.failures += 1
                if self.given_up:
                    return
                time.sleep(min(wait, 1) if self.ending else wait)
                self.wake.set()
                continue
            if self.ending and self.last is None and not self.waiting:
                return

    def _send(self):
        while self.waiting:
            batch = list(self.waiting)[:BATCH]
            self.tracker.write([point for point, _ in batch], batch[-1][1])
            self.sent += len(batch)
            for item in batch:  # the queue may have dropped some meanwhile
                if self.waiting and self.waiting[0] is item:
                    self.waiting.popleft()
        if self.last is not None:
            self.tracker.finish(*self.last)
            self.sent += 1
            self.last = None
            self.tracker.close()


class Tracking:
    """A run whose values are sent while it is under way: made by start()."""

    def __init__(self, run, trackers, every):
        self.run = run
        self.errors = 0
        self._step = None
        self._pid = os.getpid()
        self._closed = threading.Event()
        self._senders = [_Sender(tracker) for tracker in trackers]
        self._every = every
        self._lock = threading.Lock()
        self._thread = None
        if run is not None and self._senders:
            self._thread = threading.Thread(target=self._watch, name="stint tracking", daemon=True)
            self._thread.start()
            atexit.register(self._close_at_exit)

    @property
    def sent(self) -> int:
        """Points that trackers took."""
        return sum(sender.sent for sender in self._senders)

    @property
    def dropped(self) -> int:
        """Points that no tracker got: no room in the queue, or not taken until the end."""
        return sum(sender.dropped for sender in self._senders)

    def step(self, step: int) -> None:
        """The step that the program has reached: values are sent at it from now on."""
        self._step = step

    def _look(self):
        shown = _read(self.run)
        step = self._step if self._step is not None else shown["run"].get("step")
        return Point(_totals(shown["run"]), int(step or 0), time.time()), _summary(shown)

    def _report(self):
        try:
            point, summary = self._look()
            for sender in self._senders:
                if point.values:
                    sender.offer(point, summary)
        except Exception as error:  # pylint: disable=broad-except
            self.errors += 1
            if self.errors == 1:
                warn(f"the run's values cannot be read: {error}")

    def _watch(self):
        while not self._closed.wait(self._every):
            self._report()

    def _close_at_exit(self):
        self.close(state=_state_now(at_exit=True))

    def close(self, timeout: float = CLOSE_S, state: str | None = None) -> None:
        """Send the last values and the summary; waits for `timeout` seconds at most. `state`: how the program ended; without
        it "stopped" if a guard has stopped the run, else "done"."""
        with self._lock:
            if self._closed.is_set() or self._pid != os.getpid():
                return
            self._closed.set()
        atexit.unregister(self._close_at_exit)
        if self._thread is None:
            return
        until = time.monotonic() + timeout
        self._thread.join(timeout)
        try:
            point, summary = self._look()
            if summary.get("stint.state") == "running":  # the ledger learns of the end when the program is gone
                summary["stint.state"] = state or _state_now(at_exit=False)
            for sender in self._senders:
                sender.finish(point, summary)
        except Exception:  # pylint: disable=broad-except
            self.errors += 1
        for sender in self._senders:
            sender.join(max(0.0, until - time.monotonic()))
            if sender.is_alive():
                sender.give_up()
                warn(f"{type(sender.tracker).__name__} did not take the last values in time")

    def __enter__(self) -> Tracking:
        return self

    def __exit__(self, *problem: Any) -> None:
        stopped = isinstance(problem[1], (GuardError, KeyboardInterrupt))
        self.close(state="stopped" if stopped else "failed" if problem[1] is not None else None)


def _state_now(at_exit):
    """How this program ends, as far as it knows. At its end that is not much: the exit status is not known here."""
    from . import _run, _socket
    run, shared = _run._active, _socket._shared
    problem = getattr(sys, "last_value", None) if at_exit else None  # an exception that nothing caught
    if run is not None and run.stop_requested or shared is not None and shared.look() is not None or \
            isinstance(problem, (GuardError, KeyboardInterrupt)):
        return "stopped"
    return "failed" if problem is not None else "ended" if at_exit else "done"


def start(to: Where = "mlflow", run: str | None = None, every: float = EVERY_S) -> Tracking:
    """Send values of the run that this program belongs to (under `stint run`; or the ledger's run `run`), every so many
    seconds, until close() or the end of the program. Never raises: what is wrong is a warning, and nothing is sent."""
    trackers = []
    run = run or os.environ.get("STINT_RUN_ID") or None
    try:
        if run is None:
            warn("nothing is sent to trackers: this program does not run under 'stint run'")
        elif find_rank() == 0:
            for one in [to] if isinstance(to, str) or not isinstance(to, (list, tuple)) else to:
                try:
                    trackers.append(_open(one))
                except Exception as error:  # pylint: disable=broad-except
                    warn(f"nothing is sent to '{one}': {error}")
        return Tracking(run, trackers, max(0.1, float(every)))
    except Exception as error:  # pylint: disable=broad-except
        warn(f"nothing is sent to trackers: {error}")
        return Tracking(None, [], EVERY_S)
