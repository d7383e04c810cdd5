"""Metering code from inside: `with stint.run(budget="$5") as r:` and `@stint.metered`.

The meter is `stint attach` on this process, a program of its own: the record survives an exception, a kill and an
interpreter that dies. It talks to this process by the run's socket (_socket.py).
"""
import difflib
import functools
import inspect
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings

from . import _operations, _socket
from ._errors import BY_STATUS, FailedError, GuardError, UsageError
from ._program import forward, has_shell, program
from ._result import Money, Result, argument, typed

BEGIN_S = 60  # for metering to begin: a ledger or a cloud may take its time
END_S = 30  # for the record to be complete
ANSWER_S = 2  # for an answer at the socket
RETRY_S = 1  # when the socket is gone
INTERRUPT = getattr(signal, "SIGURG", None)  # ignored by default: who does not expect it is not harmed

_lock = threading.Lock()
_active = None  # the run that this process began


def interactive():
    """Is a person at work in this interpreter, who would lose more than a job if it was killed?"""
    return hasattr(sys, "ps1") or bool(sys.flags.interactive) or has_shell()


def _ask(path, line):
    """One line to the socket, and the answer as an object; None: there is none."""
    if not path:
        return None
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
            peer.settimeout(ANSWER_S)
            peer.connect(path)
            peer.sendall(json.dumps(line).encode() + b"\n")
            text = b""
            while not text.endswith(b"\n"):
                more = peer.recv(4096)
                if not more:
                    return None
                text += more
            answer = json.loads(text)
            return answer if isinstance(answer, dict) and answer.get("stint") == line["stint"] else None
    except (OSError, ValueError):
        return None


class Run:
    """A run that this code belongs to. Made by stint.run().

    id, name: of the run; `joined`: another one began it. `stop_requested`: a guard, the cloud or `stint stop` asks it to
    end. `result`: after the end, what `stint attach --json` reports; None while it runs, and of a joined run."""

    def __init__(self, options, caller=None):
        self.name = options.get("name")
        self.id = self.result = None
        self.joined = False
        self._options = options
        self._caller = caller
        self._kill = options.pop("kill", None)
        self._process = self._socket = self._watcher = None
        self._reports = _socket.Connection(None)
        self._owner = 0
        self._stop = None  # the request to end
        self._raised = False
        self._closing = False
        self._handler = self._frame = self._task = None
        self._cancelled = False
        self._set = {}
        self._before = None  # cost of the run when this block began
        self._cost = None

    # ---- what the code inside uses ----

    @property
    def cost(self):
        """What this block has cost so far, as of the last second; None: not known."""
        if self.result is None:
            status = _ask(self._socket, {"stint": "status"})
            amount = status.get("cost") if status is not None else None
            if amount is not None:
                self._cost = Money(amount, "USD")
        if self._cost is None or self._before is None:
            return self._cost
        return Money(self._cost.amount - self._before.amount, "USD")

    @property
    def stop_requested(self):
        """Is the run being ended? With `stop_reason` and `stop_text`, why."""
        if self._stop is None and os.getpid() != self._owner and self._reports:
            self._stop = self._reports.look()
        return self._stop is not None

    @property
    def stop_reason(self):
        """"budget", "deadline", "idle", "notice", "user", ...; None."""
        return self._stop.reason if self.stop_requested else None

    @property
    def stop_text(self):
        """In a sentence; None."""
        return self._stop.text if self.stop_requested else None

    def log(self, metrics=None, step=None, **more):
        """Report numbers by name: r.log(step=10, loss=2.3). Raises GuardError when a guard stops the run and that could
        not be raised before, as in a thread. False: not reported."""
        sent = self._reports.log(metrics, step=step, **more)
        self.check()
        return sent

    def checkpoint(self, path):
        """A checkpoint has been written completely."""
        return self._reports.checkpoint(path)

    def check(self):
        """Raise GuardError if the run is being ended and that was not raised yet."""
        if self._stop is not None and not self._raised and self._handles():
            self._raised = True
            raise self._error()

    def __repr__(self):
        return f"<stint.Run {self.id or 'not begun'}>"

    # ---- begin and end ----

    def __enter__(self):
        self._frame = self._caller or sys._getframe(1)  # pylint: disable=protected-access
        self._begin_process()
        self._begun()
        self._task = _current_task()
        return self

    def __exit__(self, kind, error, trace):
        if os.getpid() != self._owner:  # a child of fork() that runs on to the end of the block
            return False
        self._close()
        self._finish(_ending(kind, error))
        self._uncancel(kind)
        return False

    async def __aenter__(self):
        import asyncio
        self._frame = sys._getframe(1)  # pylint: disable=protected-access
        await asyncio.get_running_loop().run_in_executor(None, self._begin_process)
        self._begun()
        self._task = _current_task()
        return self

    async def __aexit__(self, kind, error, trace):
        import asyncio
        if os.getpid() != self._owner:
            return False
        self._close()
        await asyncio.get_running_loop().run_in_executor(None, self._finish, _ending(kind, error))
        self._uncancel(kind)
        return False

    def _uncancel(self, kind):
        """A coroutine that was waiting when the run was stopped has been cancelled for that."""
        if not self._cancelled or kind is None or kind.__name__ != "CancelledError":
            return
        uncancel = getattr(self._task, "uncancel", None)  # Python 3.11
        if uncancel is not None:
            uncancel()
        raise self._error() from None

    def _begin_process(self):
        global _active
        if self._owner:
            raise UsageError("a block of stint.run() is used once", "call stint.run() again")
        with _lock:
            outer = _active if _active is not None and _active._owner == os.getpid() else None
            path = outer._socket if outer is not None else os.environ.get("STINT_SOCKET")
            status = _ask(path, {"stint": "status"})
            self._owner = os.getpid()
            if outer is not None or status is not None:
                self._join(outer, path, status)
                return
            self._start()
            _active = self

    def _level(self, level):
        """Of a warning: the line of the user's block, or of the call of a metered function."""
        return level + (self._frame is not None and self._frame.f_code.co_filename == __file__)

    def _join(self, outer, path, status):
        """This process is metered already."""
        self.joined = True
        self.id = outer.id if outer is not None else os.environ.get("STINT_RUN_ID")
        name = outer.name if outer is not None else os.environ.get("STINT_RUN_NAME")
        ignored = [k for k, v in self._options.items() if v is not None and k not in ("name", "quiet", "tag")]
        if ignored:
            warnings.warn(f"this process is already metered by the run '{name}', whose limits and price apply: "
                          f"{', '.join(ignored)} of the inner block {'is' if len(ignored) == 1 else 'are'} not used",
                          RuntimeWarning, stacklevel=self._level(4))
        self.name = name
        self._socket = path
        self._reports = _socket.Connection(path)
        amount = status.get("cost") if status is not None else None
        self._before = Money(amount, "USD") if amount is not None else None

    def _words(self):
        known = [name for name in inspect.signature(_operations.attach).parameters
                 if name not in ("pid", "ancestor", "ready_fd", "no_kill")]
        for name in self._options:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                raise UsageError(f"stint.run() has no option '{name}'", f"did you mean '{near[0]}'?" if near else
                                 "help(stint.attach) lists the options")
        words = [program(), "attach", str(os.getpid()), "--ancestor", "--json"]
        options = {"quiet": True, **self._options}
        if self._kill is None:
            self._kill = not interactive()
        if not self._kill:
            words.append("--no-kill")
        for name, value in options.items():
            option = "--" + name.rstrip("_").replace("_", "-")
            if value is None or value is False:
                continue
            if value is True:
                words.append(option)
                continue
            value = argument(name, value)
            for one in value if isinstance(value, (list, tuple)) else [value]:
                words.append(f"{option}={typed(one)}")
        return words

    def _start(self):
        words = self._words()
        ready, given = os.pipe()
        environment = {k: v for k, v in os.environ.items() if k not in ("STINT_SOCKET", "STINT_RUN_ID", "STINT_RUN_NAME")}
        shown = interactive()  # what is written to the descriptor does not reach a notebook
        try:
            self._process = subprocess.Popen(
                words + [f"--ready-fd={given}"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if shown else None, pass_fds=(given,), env=environment, start_new_session=True)
        except OSError as error:
            os.close(ready)
            raise FailedError(f"'{words[0]}' cannot be run: {error.strerror}", "set STINT_PROGRAM to the program") from None
        finally:
            os.close(given)
        if shown:
            forward(self._process.stderr, "stderr")
        try:
            begun = _read_line(ready, time.monotonic() + BEGIN_S)
        finally:
            os.close(ready)
        if begun is None or "id" not in begun:
            self._refuse(begun)
        self.id, self._socket = begun["id"], begun.get("socket")
        self.name = begun.get("name") or self.name

    def _refuse(self, reply):
        """Metering did not begin."""
        process, self._process = self._process, None
        try:
            status = process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        with process.stdout:
            text = process.stdout.read()
        reply = reply or _explain(text, self._words())
        text = reply.get("text") or (f"'stint attach' ended with status {status} before metering began" if status >= 0 else
                                     f"'stint attach' was ended by signal {-status}")
        raise BY_STATUS.get(status, FailedError)(text, reply.get("hint"), reply.get("kind", "failed"), status)

    def _begun(self):
        if self.joined:
            return
        self._reports = _socket.Connection(self._socket)
        names = {"STINT_RUN_ID": self.id, "STINT_RUN_NAME": self.name, "STINT_SOCKET": self._socket}
        for name, value in names.items():
            self._set[name] = os.environ.get(name)
            if value is not None:
                os.environ[name] = value
        if INTERRUPT is not None and threading.current_thread() is threading.main_thread():
            self._handler = (signal.signal(INTERRUPT, self._interrupted),)
        if self._socket:
            peer = _socket.Connection(self._socket)
            peer.listen()  # before the block begins: a request to end that comes at once finds who listens
            self._watcher = threading.Thread(target=self._watch, args=(peer,), daemon=True, name="stint run")
            self._watcher.start()

    def _close(self):
        """The block has ended: nothing is raised from here on."""
        global _active
        self._closing = True
        self._reports.close()
        if self.joined:
            return
        if self._handler is not None and signal.getsignal(INTERRUPT) == self._interrupted:
            before = self._handler[0]
            signal.signal(INTERRUPT, before if before is not None else signal.SIG_DFL)
        for name, value in self._set.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        with _lock:
            if _active is self:
                _active = None

    def _finish(self, ending):
        process = self._process
        if process is None:
            return
        answer = _ask(self._socket, {"stint": "end", **ending})
        if answer is None and process.poll() is None:
            process.terminate()  # the socket is gone: it detaches, and the record says so
        try:
            text = process.communicate(timeout=END_S)[0] if process.stderr is None else _wait(process)
        except subprocess.TimeoutExpired:
            warnings.warn(f"the supervisor of the run {self.id} has not ended after {END_S} s: its record may be incomplete",
                          RuntimeWarning, stacklevel=self._level(3))
            return
        try:
            self.result = Result(json.loads(text), operation="attach", request={})
            self._cost = self.result.cost
        except ValueError:
            warnings.warn(f"the supervisor of the run {self.id} was killed: its record is incomplete", RuntimeWarning,
                          stacklevel=self._level(3))

    # ---- a guard stops the run ----

    def _error(self):
        return GuardError(f"the run is stopped: {self._stop.text or self._stop.reason}",
                          "save and end; stint.run(kill=False) never stops the process", "guard", 5)

    def _handles(self):
        """Is it this block that must end? A callback that listens ends training in its own way."""
        return self._owner == os.getpid() and not self._closing and not _listens(_socket, self._socket)

    def _watch(self, peer):
        """Wait for the request to end, in a thread."""
        while not self._closing and self._stop is None:
            waiting = peer._socket  # pylint: disable=protected-access
            if waiting is None:
                time.sleep(RETRY_S)
                if self._process.poll() is not None:
                    break
            else:
                try:
                    select.select([waiting], [], [], RETRY_S)
                except (OSError, ValueError):
                    pass
            self._stop = peer.look(at_once=True)
        if self._stop is not None and self._handler is not None and self._handles():
            try:
                signal.pthread_kill(threading.main_thread().ident, INTERRUPT)
            except (OSError, AttributeError):
                pass
        while not self._closing:  # it stays one that listens: it was asked, and is given its time
            time.sleep(0.1)
        peer.close()

    def _interrupted(self, number, frame):
        """In the main thread, between two of its steps."""
        before = self._handler[0] if self._handler else None
        if self._stop is None or self._raised or not self._handles():
            if callable(before):
                before(number, frame)
            return
        self._raised = True
        inside = self._frame
        if self._task is not None and inside.f_code.co_flags & inspect.CO_COROUTINE and not _is_running(inside, frame):
            self._cancelled = True  # the coroutine waits: an exception here would be the event loop's
            self._task.get_loop().call_soon_threadsafe(self._task.cancel)
            return
        raise self._error()


def _is_running(wanted, frame):
    while frame is not None:
        if frame is wanted:
            return True
        frame = frame.f_back
    return False


def _current_task():
    asyncio = sys.modules.get("asyncio")
    try:
        return asyncio.current_task() if asyncio is not None else None
    except RuntimeError:
        return None


def _listens(module, path):
    """Does a callback of this process listen to this run? One of a cell before may still listen to its own, which is over."""
    shared = module._shared
    return shared is not None and shared._listens and shared._pid == os.getpid() and shared.path == path


def _ending(kind, error):
    if kind is None or kind is GeneratorExit or kind is SystemExit and error.code in (None, 0):
        return {"state": "done"}
    if kind is KeyboardInterrupt:
        return {"state": "interrupted", "why": "KeyboardInterrupt"}
    return {"state": "failed", "why": kind.__name__[:200]}


def _read_line(ready, until):
    """The first line as an object; None: it was closed before, or says nothing in time."""
    text = b""
    while b"\n" not in text:
        left = until - time.monotonic()
        if left <= 0 or not select.select([ready], [], [], left)[0]:
            return None
        more = os.read(ready, 4096)
        if not more:
            return None
        text += more
    try:
        return json.loads(text)
    except ValueError:
        return None


def _explain(text, words):
    """Why metering did not begin: a limit that is reached already, or an option that is wrong."""
    try:
        return {"text": json.loads(text)["detail"], "kind": "guard"}
    except (ValueError, KeyError, TypeError):
        pass
    words[words.index("attach") + 1] = str(2 ** 31 - 1)  # no process: nothing but the options is looked at
    said = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    lines = said.stderr.decode("utf-8", "replace").splitlines() if said.returncode == 2 else []
    found = {}
    for line in lines:
        if line.startswith("stint: ") and "text" not in found:
            found["text"] = line[len("stint: "):]
        elif line.startswith("  hint: ") and "hint" not in found:
            found["hint"] = line[len("  hint: "):]
    return {"kind": "usage", **found}


def _wait(process):
    """Its output, while another thread reads its messages."""
    with process.stdout:
        text = process.stdout.read()
    process.wait(END_S)
    return text


def run(command=None, *, kill=None, **options):
    if command is not None:
        return _operations.run(command, **options)
    return Run({"kill": kill, **options})


run.__doc__ = """Meter this process from here on, until the block ends; or run a command (see below).

    with stint.run(budget="$5", price="$2.49/hr") as r:
        for step in range(1000):
            r.log(step=step, loss=train(step))

The same meters, guards and ledger as `stint run`, by a separate process (`stint attach`): the record survives an exception
or a kill. When a guard stops the run, GuardError is raised in the block. kill: stop the process if the block goes on for
longer than the grace; default: not where a person works in this interpreter (a notebook, a prompt). The other options are
those of `stint attach`. Inside a run that is metered already, the block joins it.

With a command, the operation:

""" + (_operations.run.__doc__ or "")


def metered(function=None, **options):
    """Meter each call of a function as a run named after it: @stint.metered, or @stint.metered(budget="$5"). Each call is
    a run of its own; with a name of yours (name="train"), a call resumes a run of that name that did not end well.

    Coroutine functions (async def) are metered until they return. Generators are refused: they run in pieces between which
    other code runs."""
    if function is None:
        return functools.partial(metered, **options)
    if not callable(function) or isinstance(function, type):
        raise UsageError("stint.metered is for functions", "put 'with stint.run():' around the code")
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise UsageError(f"stint.metered does not take the generator '{function.__qualname__}': other code runs between its "
                         "values", "put 'with stint.run():' around the loop that uses it")
    if options.get("name") is None:  # a name that nobody chose says nothing about what belongs together
        options["name"] = function.__name__
        options.setdefault("new_run", True)
    if inspect.iscoroutinefunction(function):
        @functools.wraps(function)
        async def wrapper(*arguments, **named):
            async with Run(dict(options)):
                return await function(*arguments, **named)
    else:
        @functools.wraps(function)
        def wrapper(*arguments, **named):
            with Run(dict(options)):
                return function(*arguments, **named)
    return wrapper
