"""What the tests of `stint run` share: a separate folder for each test, and results as TAP.

A test is a function with @test; its docstring is the name it prints. Tests of one program run at the same time, since
most of them wait. None asserts how long something took: LONG only ends what hangs.
"""
import concurrent.futures
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback

STINT = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else None
PYTHON = sys.executable
LONG = 180
STALL = 0.3  # seconds that a machine in use is late, at most
CROWDED = 0.5  # of the time, in which some process waits for a processor
tests = []


def default_signals():
    """Commands start with the default for each signal, whatever this program inherited.

    Under nohup and some CI systems SIGHUP, SIGINT or SIGQUIT are ignored, and programs started from here would
    ignore them, too. A handler is reset to the default in what is started, and this program stays as immune as it
    was meant to be; only SIGCHLD is needed here.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD, signal.SIGPIPE}:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda _number, _frame: None)


default_signals()


class Skip(Exception):
    """This machine cannot run the test; the message says why."""


def test(function):
    tests.append(function)
    return function


def wait_for(what, look):
    """The first true value that look() returns."""
    until = time.monotonic() + LONG
    while time.monotonic() < until:
        value = look()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError("timed out waiting for " + what)


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return b""


def alive(pid):
    """Whether the process exists and has not ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rsplit(b")", 1)[1].split()[0] not in (b"Z", b"X")
    except (FileNotFoundError, ProcessLookupError):
        return False


class Ended:
    """How a command ended: `status` is negative for a signal, as subprocess has it."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def __repr__(self):
        return f"status {self.status}, stdout {self.out[-500:]!r}, stderr {self.err[-1500:]!r}"


class World:
    """A folder that is home, cache and ledger of one test."""

    def __init__(self):
        self.dir = tempfile.mkdtemp(prefix="sr", dir="/tmp")  # short: it has sockets
        os.chmod(self.dir, 0o755)
        self.ledger = self.path("ledger.db")
        self.started = []
        keep = ("PATH", "STINT_PARTS", "STINT_TEST_SERVER", "UBSAN_OPTIONS", "TSAN_OPTIONS")
        self.env = {name: os.environ[name] for name in keep if name in os.environ}
        # This machine's devices would change what runs pay and when they are idle; a test that needs some uses devices.py.
        self.env.update(STINT_NVML="/nonexistent", STINT_ROCM="/nonexistent", STINT_HL_SMI="/nonexistent")
        self.env.update(HOME=self.dir, XDG_RUNTIME_DIR=self.dir, XDG_CONFIG_HOME=self.path("config"),
                        XDG_CACHE_HOME=self.path("cache"), XDG_DATA_HOME=self.path("data"),
                        XDG_STATE_HOME=self.path("state"), STINT_MACHINE_DIR=self.dir, STINT_LEDGER=self.ledger, LC_ALL="C.UTF-8",
                        TERM="xterm", USER="tester", PYTHONUNBUFFERED="1",
                        ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0:report_globals=0")

    def path(self, *names):
        return os.path.join(self.dir, *names)

    def write(self, name, text, mode=0o644):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def start(self, *words, env=None, **how):
        """Start a command in this world."""
        how.setdefault("stdin", subprocess.DEVNULL)
        how.setdefault("stdout", subprocess.PIPE)
        how.setdefault("stderr", subprocess.PIPE)
        how.setdefault("cwd", self.dir)
        process = subprocess.Popen([str(word) for word in words], env={**self.env, **(env or {})}, **how)
        self.started.append(process)
        return process

    def stint(self, *words, **how):
        return self.start(STINT, "run", "--no-gpu", *words, **how)

    def end(self, process, given=None):
        try:
            out, err = process.communicate(given, timeout=LONG)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            raise AssertionError(f"hangs: {Ended(None, out or b'', err or b'')}") from None
        return Ended(process.returncode, out or b"", err or b"")

    def run(self, *words, given=None, **how):
        """`stint run` with these arguments, until it ends."""
        if given is not None:
            how["stdin"] = subprocess.PIPE
        return self.end(self.stint(*words, **how), given)

    def ask(self, sql, *values):
        """Rows of the ledger."""
        base = sqlite3.connect(f"file:{self.ledger}?mode=ro", uri=True, timeout=LONG)
        base.row_factory = sqlite3.Row
        try:
            return base.execute(sql, values).fetchall()
        finally:
            base.close()

    def attempt(self, number=1):
        rows = self.ask("SELECT attempts.*, id, name, budget_nano, command FROM attempts JOIN runs USING (run)"
                        " WHERE number = ?", number)
        assert len(rows) == 1, f"{len(rows)} attempts with number {number}"
        return rows[0]

    def sampled(self, at_least=1):
        """Wait until the ledger has samples of a run."""
        def look():
            try:
                return len(self.ask("SELECT 1 FROM samples")) >= at_least
            except sqlite3.OperationalError:  # no file, or no tables yet
                return False

        wait_for("a sample in the ledger", look)

    def events(self):
        return [row["kind"] for row in self.ask("SELECT kind FROM events ORDER BY event")]

    def close(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.wait()
        shutil.rmtree(self.dir, ignore_errors=True)


def script(text):
    """A Python program as the words of a command."""
    return [PYTHON, "-c", text]


def signalled(process, number):
    os.kill(process.pid, getattr(signal, number))


def attempt(function):
    world = World()
    try:
        function(world)
        return None
    except Skip as skip:
        return skip
    except BaseException:  # of whatever kind: it is the result
        return traceback.format_exc(limit=-1)
    finally:
        world.close()


class Clock(threading.Thread):
    """Notices when the machine stands still: a moment of work that takes far longer than that."""

    def __init__(self):
        super().__init__(daemon=True)
        self.stalls = []  # (when it was over, seconds)

    def run(self):
        while True:
            begin, worked = time.monotonic(), time.thread_time()
            while time.thread_time() < worked + 0.002:
                pass
            time.sleep(0.05)
            late = time.monotonic() - begin - 0.052
            if late > STALL:
                self.stalls.append((time.monotonic(), late))

    def stalled_since(self, moment):
        return max((late for over, late in self.stalls if over > moment), default=0)


clock = Clock()


def processor_waits():
    """For how many seconds some process has waited for a processor since the start; 0 where the kernel does not say."""
    try:
        return int(read("/proc/pressure/cpu").split(b"total=")[1].split()[0]) / 1e6
    except (OSError, IndexError, ValueError):
        return 0


def trouble(begin, waits):
    """Why what should have happened within a second since then may not have; None if the machine kept time."""
    stall, waiting = clock.stalled_since(begin), processor_waits() - waits
    if stall > 0:
        return f"stood still for {stall:.1f} s"
    elapsed = time.monotonic() - begin
    if waiting > CROWDED * elapsed:
        return f"had too few processors for {waiting:.1f} of {elapsed:.1f} s"
    return None


def one(function):
    """The result of a test. What is to happen within a second cannot on a machine that stands still for that long, or
    that is crowded: a failure counts if the machine kept time during one of three attempts, or in the last."""
    for left in (2, 1, 0):
        begin, waits = time.monotonic(), processor_waits()
        found = attempt(function)
        why = trouble(begin, waits)
        if found is None or isinstance(found, Skip) or why is None or left == 0:
            return found
        print(f"# {function.__name__}: again, since the machine {why}\n# " +
              found.strip().rsplit("\n", 1)[-1][:1000], flush=True)


def main(at_once=6):
    chosen = [t for t in tests if len(sys.argv) < 3 or sys.argv[2] in t.__name__]
    failed = False
    print(f"1..{len(chosen)}", flush=True)
    clock.start()
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        results = [pool.submit(one, function) for function in chosen]
        for number, (function, result) in enumerate(zip(chosen, results), 1):
            found, name = result.result(), " ".join(function.__doc__.split())
            if found is None:
                print(f"ok {number} - {name}", flush=True)
            elif isinstance(found, Skip):
                print(f"ok {number} - {name} # SKIP {found}", flush=True)
            else:
                failed = True
                print(f"not ok {number} - {name}", flush=True)
                print("".join(f"# {line}\n" for line in found.splitlines()), end="", flush=True)
    sys.exit(failed)
