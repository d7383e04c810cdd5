"""A run's socket: what a training program reports to `stint run`, and what it is asked in return.

    connection = connect()              # the run that this process belongs to, or a connection that does nothing
    connection.log({"loss": 2.3, "eval/accuracy": 0.7}, step=10, steps=100)
    connection.checkpoint("out/checkpoint-10")
    connection.listen()                 # from now on: this program saves and ends when the run asks for it
    if connection.look() is not None: ...

Nothing here waits, and nothing raises: a line that the supervisor has no room for is dropped and counted (`dropped`); a
supervisor that is gone is tried again now and then. Threads may share a connection. After a fork the child has a
connection of its own, made at its first report.

The protocol is JSON, one object a line (docs/reference/run-metrics.md). To the run: {"step": 10, "loss": 2.3}, and once
{"stint": "listen"}, after which lines come back: {"stint": "event", "kind": "budget-50", "text": ...} and
{"stint": "save", "stop": true, "reason": "budget", "text": ..., "left_s": 26.0}.
"""
import json
import os
import socket
import threading
import time

LINE_BYTES = 4096  # of a line, without its end: a longer one is refused
LINE_NAMES = 32  # that are read from a line
LOOK_EVERY_S = 0.1  # for lines that come back
RETRY_S = (1, 2, 5, 10, 30, 60)  # after a connection that failed; the last again and again
EVENTS_KEPT = 64
LISTEN = b'{"stint":"listen"}\n'
_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


class Request:
    """The run asks to save, and to end after it if `stop`."""

    __slots__ = ("stop", "reason", "text", "until")

    def __init__(self, message):
        self.stop = bool(message.get("stop"))
        self.reason = str(message.get("reason") or "")  # "budget", "month", "deadline", "notice", "idle", "user", ...
        self.text = str(message.get("text") or "")
        left = message.get("left_s")
        self.until = time.monotonic() + left if isinstance(left, (int, float)) else None

    @property
    def left_s(self):
        """Seconds until the run is ended; None: not known."""
        return None if self.until is None else max(0.0, self.until - time.monotonic())

    def __repr__(self):
        return f"<Request {'stop' if self.stop else 'save'}: {self.text or self.reason}>"


def number(value):
    """A float of anything that has one value (int, bool, Decimal, NumPy, a tensor), which may be NaN; None for all else."""
    if isinstance(value, float):
        return value
    if value is None or isinstance(value, (str, bytes)):
        return None
    try:
        return float(value.item() if hasattr(value, "item") else value)
    except Exception:  # pylint: disable=broad-except
        return None


class Connection:
    """To the socket at `path`; None: a connection that does nothing."""

    def __init__(self, path):
        self.path = path
        self.sent = 0  # lines
        self.dropped = 0  # lines that were not sent
        self.events = []  # (kind, text), the newest EVENTS_KEPT
        self.stop = None  # the request to end
        self._save = None
        self._listens = False
        self._forget()

    def _forget(self):
        """A new process, or a new object: no connection yet."""
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._socket = None
        self._rest = b""  # of a line that was sent in part
        self._heard = b""
        self._failures = 0
        self._retry_at = 0.0
        self._look_at = 0.0

    def __getstate__(self):
        return {"path": self.path}

    def __setstate__(self, state):
        self.__init__(state["path"])

    def _own(self):
        """After a fork the socket is the parent's: closing it here leaves theirs open. The lock may be held by a thread
        that does not exist here."""
        if self._pid == os.getpid():
            return
        inherited = self._socket
        self._forget()
        self.stop = self._save = None
        if inherited is not None:
            inherited.close()

    def __bool__(self):
        """Is there a run to report to?"""
        return self.path is not None

    # ---- to the run ----

    def log(self, metrics=None, step=None, steps=None, **more):
        """Numbers by name, and the step that they belong to. Names as in output: loss, eval_loss, epoch, epochs, samples
        and tokens (so far), mfu, and any others. Values that are no numbers are left out. False: (partly) dropped."""
        if self.path is None:
            return False
        try:
            head = {}
            if step is not None:
                head["step"] = number(step)
            if steps is not None:
                head["steps"] = number(steps)
            values = {}
            for source in (metrics, more):
                for name, value in (source or {}).items():
                    value = number(value)
                    if value is not None:
                        values[str(name)] = value
            return self._send(_lines(head, values))
        except Exception:  # pylint: disable=broad-except
            self.dropped += 1
            return False

    def checkpoint(self, path):
        """A checkpoint has been written completely."""
        return self._report("checkpoint", path)

    def phase(self, name):
        """What the program does from now on: "set-up", "data", "train", "evaluate", "checkpoint" or "idle"."""
        return self._report("phase", name)

    def job(self, line):
        """What this program is about to train, as _job.line_of() writes it: the run is estimated by it."""
        if self.path is None or line is None:
            return False
        try:
            return self._send([line])
        except Exception:  # pylint: disable=broad-except
            self.dropped += 1
            return False

    def _report(self, name, text):
        if self.path is None:
            return False
        try:
            return self._send([_encode({name: str(text)})])
        except Exception:  # pylint: disable=broad-except
            self.dropped += 1
            return False

    # ---- from the run ----

    def listen(self):
        """A promise: this program saves and ends when it is asked to. The run keeps time for that before a limit."""
        try:
            if self._listens or self.path is None:
                return
            self._listens = True
            self._own()
            with self._lock:
                if self._socket is not None:
                    self._socket.send(LISTEN, socket.MSG_NOSIGNAL)
                else:
                    self._connected(time.monotonic())
        except Exception:  # pylint: disable=broad-except
            pass

    def unlisten(self):
        """Training has ended: there is nothing to save any more. The next report makes a new connection."""
        try:
            self._own()
            with self._lock:
                if self._listens and self._socket is not None:
                    self._disconnect()
                    self._retry_at = 0.0
                self._listens = False
        except Exception:  # pylint: disable=broad-except
            pass

    def look(self, at_once=False):
        """Read what has come; the request to end, or None. Cheap: the socket is read ten times a second at most."""
        try:
            self._own()
            now = time.monotonic()
            if self.path is not None and (at_once or now >= self._look_at):
                with self._lock:
                    self._look_at = now + LOOK_EVERY_S
                    if self._connected(now):
                        self._read()
        except Exception:  # pylint: disable=broad-except
            pass
        return self.stop

    def take_save(self):
        """A request to save that was not taken yet; None: none. One that asks to end as well stays in `stop`."""
        self.look()
        request, self._save = self._save, None
        return request

    def close(self):
        try:
            self._own()
            with self._lock:
                self._disconnect()
        except Exception:  # pylint: disable=broad-except
            pass

    # ---- the socket; the lock is held ----

    def _connected(self, now):
        if self._socket is not None:
            return True
        if now < self._retry_at:
            return False
        fresh = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            fresh.setblocking(False)
            fresh.connect(self.path)
            if self._listens:
                fresh.send(LISTEN, socket.MSG_NOSIGNAL)
        except OSError:
            fresh.close()
            self._retry_at = now + RETRY_S[min(self._failures, len(RETRY_S) - 1)]
            self._failures += 1
            return False
        self._socket = fresh
        self._failures = 0
        return True

    def _disconnect(self):
        """It may be full, dead, or a supervisor that refused us: a new one is tried later."""
        if self._socket is not None:
            self._socket.close()
        self._socket = None
        self._rest = self._heard = b""
        self._retry_at = time.monotonic() + RETRY_S[0]

    def _send(self, lines):
        self._own()
        with self._lock:
            now = time.monotonic()
            if not self._connected(now):
                self.dropped += len(lines)
                return False
            sent = self._send_all(lines)
            if self._socket is not None and now >= self._look_at:
                self._look_at = now + LOOK_EVERY_S
                self._read()
        return sent

    def _send_all(self, lines):
        for at, line in enumerate(lines):
            data = self._rest + line.encode("ascii") + b"\n"
            try:
                done = self._socket.send(data, socket.MSG_NOSIGNAL)
            except (BlockingIOError, InterruptedError):
                done = 0
            except OSError:
                self._disconnect()
                self.dropped += len(lines) - at
                return False
            if done < len(self._rest):  # no room even for the end of the line before
                self._rest = self._rest[done:]
            elif done == len(self._rest):  # none for this line
                self._rest = b""
            else:
                self._rest = data[done:]
                self.sent += 1
                continue
            self.dropped += len(lines) - at
            return False
        return True

    def _read(self):
        try:
            while True:
                text = self._socket.recv(65536)
                if not text:
                    self._disconnect()
                    return
                *lines, self._heard = (self._heard + text).split(b"\n")
                for line in lines:
                    self._hear(line)
                if len(self._heard) > 1 << 20:
                    self._heard = b""
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self._disconnect()

    def _hear(self, line):
        try:
            message = json.loads(line)
            kind = message.get("stint")
        except (ValueError, AttributeError):
            return
        if kind == "event":
            self.events.append((str(message.get("kind")), str(message.get("text"))))
            del self.events[:-EVENTS_KEPT]
        elif kind == "save":
            request = Request(message)
            self._save = request
            if request.stop:
                self.stop = self.stop or request


def _lines(head, values):
    """As many lines as it takes: a line has at most LINE_NAMES names and LINE_BYTES bytes."""
    if len(values) <= LINE_NAMES:
        line = _encode({**head, **values})
        if len(line) <= LINE_BYTES:
            return [line] if head or values else []
    lines, part = [], dict(head)
    for name, value in values.items():
        if len(name) > 256:
            continue
        if len(part) - len(head) == LINE_NAMES or len(_encode({**part, name: value})) > LINE_BYTES:
            lines.append(_encode(part))
            part = dict(head)
        part[name] = value
    return lines + [_encode(part)]


_shared = None


def connect():
    """The connection of this process to the run that it belongs to (STINT_SOCKET); the same one each time. No lock: a
    fork would copy it, and a second connection does no harm."""
    global _shared
    path = os.environ.get("STINT_SOCKET") or None
    shared = _shared
    if shared is None or shared.path != path:
        if shared is not None:
            shared.close()
        shared = _shared = Connection(path)
    return shared
