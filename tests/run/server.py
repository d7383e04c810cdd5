#!/usr/bin/env python3
"""stint run with a ledger on a PostgreSQL server that goes away, comes back, or stops answering.

server.py STINT [FILTER]. Each test has its own server, reached only through a socket in its folder. Prints TAP.
"""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

from harness import LONG, STINT, Skip, main, read, script, test, wait_for

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ledger", "postgres.sh")
made = threading.Lock()
template = []  # the folder of a new database, made once


def postgres(*words):
    done = subprocess.run(["sh", SCRIPT, *words], capture_output=True, text=True, check=False, timeout=4 * LONG)
    if done.returncode == 77:
        raise Skip(done.stderr.strip())
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout.strip()


def new_database():
    with made:
        if not template:
            folder = tempfile.mkdtemp(prefix="srt", dir="/tmp")
            try:
                postgres("start", folder)
                postgres("halt", folder)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
            template.append(folder)
    return template[0]


def folder_of(pid):
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:  # it has ended since
        return None


class Server:
    """A server that is not running yet."""

    def __init__(self, w):
        self.w, self.dir = w, w.path("pg")
        subprocess.run(["cp", "-a", new_database(), self.dir], check=True)
        self.address = "postgres://test@" + self.dir.replace("/", "%2F") + "/postgres"
        w.env["STINT_LEDGER"] = self.address

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.wake()
        self.crash()

    def start(self):
        postgres("again", self.dir)

    def crash(self):
        postgres("crash", self.dir)

    def processes(self):
        return [int(pid) for pid in filter(str.isdigit, os.listdir("/proc"))
                if read(f"/proc/{pid}/comm") == b"postgres\n" and folder_of(pid) == os.path.join(self.dir, "db")]

    def send(self, number):
        for pid in self.processes():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def freeze(self):
        """It keeps its connections but does not answer."""
        self.send(signal.SIGSTOP)

    def wake(self):
        self.send(signal.SIGCONT)

    def ask(self, sql):
        """Rows as lists of texts; none while there are no tables."""
        done = subprocess.run(["psql", "-qAtX", "-d", self.address, "-c", sql], capture_output=True, text=True, check=False)
        return [line.split("|") for line in done.stdout.splitlines()]

    def attempts(self):
        return self.ask("SELECT number, state, status FROM stint.attempts ORDER BY attempt")


class Silence:
    """Listens in place of the server and never answers; given_up() counts abandoned connections."""

    def __init__(self, server):
        self.path = os.path.join(server.dir, ".s.PGSQL.5432")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        os.chmod(self.path, 0o777)
        self.listener.listen(20)
        self.accepted = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        try:
            while True:
                self.accepted.append(self.listener.accept()[0])
        except OSError:
            pass

    def given_up(self):
        """Connections whose other end is closed."""
        count = 0
        for connection in list(self.accepted):
            connection.setblocking(False)
            try:
                while connection.recv(4096):
                    pass
                count += 1
            except BlockingIOError:
                pass
            except OSError:
                count += 1
        return count

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        for connection in self.accepted:
            connection.close()
        os.unlink(self.path)


def journals(w):
    return [os.path.join(folder, name) for folder, _, names in os.walk(w.path("state")) for name in names
            if name.endswith(".journal")]


# Counts until it is asked to exit; a process that is delayed stops counting.
COUNTS = """
import os, sys, time
count = 0
while not os.path.exists('go'):
    count += 1
    with open('count.new', 'w') as file: file.write(str(count))
    os.rename('count.new', 'count')
    time.sleep(0.05)
sys.exit(6)
"""


class Job:
    """A run that counts."""

    def __init__(self, w, *words):
        self.w = w
        self.process = w.stint("--price", "$3600/hr", *words, "--", *script(COUNTS))
        wait_for("the command", lambda: os.path.exists(w.path("count")))

    def goes_on(self):
        """It is not delayed now."""
        seen = int(read(self.w.path("count")))
        wait_for("the command to go on", lambda: int(read(self.w.path("count"))) > seen + 5)

    def end(self):
        self.w.write("go", "")
        return self.w.end(self.process)


def added_once(w, server, expected):
    """The next command adds the waiting records; later ones do not add them again."""
    for _ in range(2):
        listed = w.end(w.start(STINT, "runs"))
        assert listed.status == 0 and b"not in the ledger" not in listed.err, listed
        assert server.attempts() == expected and not journals(w), (server.attempts(), journals(w))


def with_tables(server, w):
    server.start()
    made_tables = w.end(w.start(STINT, "ledger", "init"))
    assert made_tables.status == 0, made_tables


def recorded(server, samples=1):
    wait_for("samples", lambda: int((server.ask("SELECT count(*) FROM stint.samples") or [["0"]])[0][0]) >= samples)


@test
def crashed_and_started_again(w):
    """a server that goes down in the middle and comes back: the command goes on, its record is complete and there once"""
    with Server(w) as server:
        with_tables(server, w)
        job = Job(w)
        recorded(server)
        server.crash()
        job.goes_on()
        wait_for("a journal", lambda: journals(w))
        job.goes_on()
        server.start()
        wait_for("the record to go on", lambda: not journals(w))
        ended = job.end()
        assert ended.status == 6, ended
        added_once(w, server, [["1", "failed", "6"]])
        costs = server.ask("SELECT cost_nano = elapsed_ns, applied > 3 FROM stint.attempts")
        assert costs == [["t", "t"]], costs


@test
def crashed_until_after_the_end(w):
    """a server that is down when the run ends: its own status, a journal, and one record later"""
    with Server(w) as server:
        with_tables(server, w)
        job = Job(w)
        recorded(server)
        server.crash()
        job.goes_on()
        ended = job.end()
        assert ended.status == 6 and b"this run is kept in '" in ended.err and len(journals(w)) == 1, (ended, journals(w))
        listed = w.end(w.start(STINT, "runs"))
        assert listed.status != 0 and len(journals(w)) == 1, listed
        server.start()
        added_once(w, server, [["1", "failed", "6"]])


@test
def down_at_the_start(w):
    """a server that is down at the start and comes up: the run is in its ledger when it ends, from its own start"""
    with Server(w) as server:
        with_tables(server, w)
        server.crash()
        job = Job(w)
        job.goes_on()
        wait_for("a journal", lambda: journals(w))
        server.start()
        wait_for("the record", server.attempts)
        ended = job.end()
        assert ended.status == 6, ended
        added_once(w, server, [["1", "failed", "6"]])


@test
def silent_at_the_start(w):
    """a server that accepts connections and never answers: the command starts before the first is given up"""
    with Server(w) as server:
        with_tables(server, w)
        server.crash()
        with Silence(server) as silence:
            job = Job(w)
            assert len(silence.accepted) >= 1 and silence.given_up() == 0, (silence.accepted, silence.given_up())
            job.goes_on()
            wait_for("a journal", lambda: journals(w))
            ended = job.end()
        assert ended.status == 6 and b"the server does not answer" in ended.err, ended
        assert b"this run is kept in '" in ended.err and len(journals(w)) == 1, (ended, journals(w))
        server.start()
        added_once(w, server, [["1", "failed", "6"]])


@test
def silent_in_the_middle(w):
    """a server that stops answering in the middle: the command goes on and ends, and is recorded once"""
    with Server(w) as server:
        with_tables(server, w)
        job = Job(w)
        recorded(server)
        server.freeze()
        job.goes_on()
        ended = job.end()
        assert ended.status == 6 and b"this run is kept in '" in ended.err and len(journals(w)) == 1, (ended, journals(w))
        server.wake()
        added_once(w, server, [["1", "failed", "6"]])


@test
def silent_for_a_while(w):
    """one that answers again after a while has the complete record when the run ends"""
    with Server(w) as server:
        with_tables(server, w)
        job = Job(w)
        recorded(server)
        server.freeze()
        wait_for("a journal", lambda: journals(w))
        job.goes_on()
        server.wake()
        wait_for("the record to go on", lambda: not journals(w))
        ended = job.end()
        assert ended.status == 6, ended
        added_once(w, server, [["1", "failed", "6"]])


@test
def killed_while_it_is_down(w):
    """stint killed while the server is down: what it had seen is added, and the run is lost"""
    with Server(w) as server:
        with_tables(server, w)
        job = Job(w, "--grace", "1s")
        recorded(server)
        server.crash()
        wait_for("a journal", lambda: journals(w))
        job.process.kill()
        job.process.wait()
        wait_for("the keeper's note", lambda: len(journals(w)) == 2)
        server.start()
        listed = w.end(w.start(STINT, "runs"))
        assert listed.status == 0 and b"lost" in listed.out and not journals(w), (listed, journals(w))
        assert len(server.attempts()) == 1, server.attempts()
        assert server.ask("SELECT kind FROM stint.events") == [["supervisor-killed"]], server.ask("SELECT * FROM stint.events")


# Saves when asked to, and reports it.
SAVES = """
import os, signal, sys, time
def save(*_):
    time.sleep(1)
    open('saved', 'w').close()
    sys.exit(0)
signal.signal(signal.SIGTERM, save)
open('count', 'w').write('1')
while True: time.sleep(0.05)
"""


def cap(w, amount):
    done = w.end(w.start(STINT, "budget", "set", "cap", amount, "--stop"))
    assert done.status == 0, done


@test
def spent_budget_learned_late(w):
    """the server is back and its budget is spent: the run saves and is stopped"""
    with Server(w) as server:
        with_tables(server, w)
        assert w.run("--price", "$0/hr", "--extra", "data=30usd", "--", "true").status == 0
        cap(w, "20usd")
        server.crash()
        job = w.stint("--price", "$3600/hr", "--", *script(SAVES))
        wait_for("the command", lambda: os.path.exists(w.path("count")))
        wait_for("a journal", lambda: journals(w))
        server.start()
        ended = w.end(job)
        assert b"the remaining budgets are unknown" in ended.err and b"--budget AMOUNT" in ended.err, ended
        assert ended.status == 5 and os.path.exists(w.path("saved")), ended
        assert b"the budget 'cap' is spent" in ended.err, ended
        rows = server.ask("SELECT state, reason FROM stint.attempts ORDER BY attempt")
        assert rows == [["done", ""], ["stopped", "month"]], rows


@test
def budget_learned_late(w):
    """the server is back and its budget has money left: enforced from then on, with what others spend"""
    with Server(w) as server:
        with_tables(server, w)
        cap(w, "1000usd")
        server.crash()
        job = Job(w)
        job.goes_on()
        server.start()
        wait_for("the budget", lambda: ["budget-known"] in server.ask("SELECT kind FROM stint.events"))
        job.goes_on()
        other = w.run("--price", "$0/hr", "--extra", "data=970usd", "--", "true")
        assert other.status == 0, other
        ended = w.end(job.process)
        assert ended.status == 5 and b"the budget 'cap' has $" in ended.err, ended


@test
def no_budget_learned_late(w):
    """without a budget that stops runs, the run goes on and reports it"""
    with Server(w) as server:
        with_tables(server, w)
        server.crash()
        job = Job(w)
        server.start()
        wait_for("the record", server.attempts)
        wait_for("its answer", lambda: not journals(w))
        job.goes_on()
        ended = job.end()
        assert ended.status == 6 and b"no budget stops this run" in ended.err, ended


try:
    main(3)
finally:
    for made_folder in template:
        shutil.rmtree(made_folder, ignore_errors=True)
