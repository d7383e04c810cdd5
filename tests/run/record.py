#!/usr/bin/env python3
"""stint run while its ledger cannot be written: nothing waits, nothing is lost, nothing is counted twice.

record.py STINT [FILTER]. The library that makes calls fail is named by STINT_TEST_FAULTS. Prints TAP.
"""
import os
import sqlite3
import subprocess
import time

from harness import LONG, STINT, Skip, main, read, script, test, wait_for


class Lock:
    """Another program that holds the ledger's write lock."""

    def __init__(self, w):
        self.base = sqlite3.connect(w.ledger, isolation_level=None, timeout=LONG)
        self.base.execute("BEGIN EXCLUSIVE")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.base.execute("ROLLBACK")
        self.base.close()


def journals(w):
    """Files that wait, wherever they are."""
    return [os.path.join(folder, name) for folder, _, names in os.walk(w.dir) for name in names
            if name.endswith(".journal")]


def reads(w, *words):
    ended = w.end(w.start(STINT, *words))
    assert ended.status == 0, ended
    return ended


def rows(w):
    return [dict(row) for row in w.ask("SELECT id, number, state, status, cost_nano, elapsed_ns FROM attempts JOIN runs"
                                       " USING (run) ORDER BY attempt")]


@test
def locked_from_start_to_end(w):
    """a ledger that is locked all the time: the command starts, its run waits in a journal and is added once"""
    assert w.run("--", "true").status == 0
    with Lock(w):
        ended = w.run("--price", "3600usd/hr", "--", "sh", "-c", "echo ran; exit 6")
        assert ended.status == 6 and ended.out == b"ran\n" and b"this run is kept in '" in ended.err, ended
        assert b"clock" not in ended.err and b"calendar" not in ended.err, ended
        assert len(journals(w)) == 1 and len(rows(w)) == 1, (journals(w), rows(w))
        listed = reads(w, "runs")
        assert b"1 run is not in the ledger yet ($" in listed.err and b"another program" in listed.err, listed
    listed = reads(w, "runs")
    assert b"not in the ledger" not in listed.err and b"failed" in listed.out, listed
    assert not journals(w) and [row["status"] for row in rows(w)] == [0, 6], (journals(w), rows(w))
    reads(w, "runs")
    assert len(rows(w)) == 2, rows(w)


@test
def locked_at_start(w):
    """a lock that goes away: the same run is recorded, charged from its own start"""
    assert w.run("--", "true").status == 0
    with Lock(w):
        before = time.monotonic()
        job = w.stint("--price", "3600usd/hr", "--", "sh", "-c", "touch begun; sleep 3")
        wait_for("the command", lambda: os.path.exists(w.path("begun")))
        waited = time.monotonic() - before
        wait_for("a journal", lambda: journals(w))
    ended = w.end(job)
    row = rows(w)[1]
    assert ended.status == 0 and b"stint show" in ended.err and not journals(w), (ended, journals(w))
    assert row["state"] == "done" and row["cost_nano"] == row["elapsed_ns"], row
    assert waited < LONG / 2, waited


@test
def locked_at_end(w):
    """a lock at the end: the run is in the ledger, its end in a journal"""
    job = w.stint("--", "sh", "-c", "sleep 1; touch ready; while [ ! -e go ]; do sleep 0.05; done; exit 7")
    w.sampled()
    wait_for("the command", lambda: os.path.exists(w.path("ready")))
    with Lock(w):
        w.write("go", "")
        ended = w.end(job)
        assert ended.status == 7 and b"this run is kept in" in ended.err, ended
        assert rows(w)[0]["state"] == "running" and len(journals(w)) == 1, rows(w)
    reads(w, "runs")
    assert [(row["state"], row["status"]) for row in rows(w)] == [("failed", 7)] and not journals(w), rows(w)


@test
def killed_while_locked(w):
    """a supervisor that is killed with its records in a journal: the run is there, and lost"""
    assert w.run("--", "true").status == 0
    with Lock(w):
        job = w.stint("--", *script("import time\ntime.sleep(60)"))
        wait_for("a journal", lambda: journals(w))
        time.sleep(1.2)
        job.kill()
        job.wait()
        wait_for("the keeper's note", lambda: len(journals(w)) == 2)
    listed = reads(w, "runs")
    assert b"lost" in listed.out and not journals(w), (listed, journals(w))
    assert w.events() == ["supervisor-killed"], w.events()
    reads(w, "runs")
    assert w.events() == ["supervisor-killed"] and len(rows(w)) == 2, (w.events(), rows(w))


@test
def added_but_not_removed(w):
    """a process killed between adding and removing a journal adds nothing twice"""
    faults = os.environ.get("STINT_TEST_FAULTS")
    if not faults or b"asan" in subprocess.run(["ldd", STINT], capture_output=True, check=False).stdout:
        raise Skip("no STINT_TEST_FAULTS, or a program that has its own malloc")
    assert w.run("--", "true").status == 0
    for at in range(1, 40):
        with Lock(w):
            assert w.run("--price", "3600usd/hr", "--progress", "--", "echo", "Saving model checkpoint").status == 0
        mark = w.path("mark")
        w.end(w.start(STINT, "runs", env={"LD_PRELOAD": faults, "FAULT_KIND": "boundary", "FAULT_AT": str(at),
                                          "FAULT_KILL": "1", "FAULT_MARK": mark}))
        reads(w, "runs")
        assert len(rows(w)) == at + 1 and not journals(w), (at, rows(w), journals(w))
        assert len(w.events()) == at, (at, w.events())
        if not os.path.exists(mark):
            break
        os.unlink(mark)
    assert at > 3, "no fault was reached"


@test
def copied_journal(w):
    """a journal that is there twice, or again after it was added, is added once"""
    assert w.run("--", "true").status == 0
    with Lock(w):
        assert w.run("--progress", "--", "echo", "Saving model checkpoint").status == 0
    name = journals(w)[0]
    text = read(name)
    for _ in range(2):
        os.makedirs(os.path.dirname(name), mode=0o700, exist_ok=True)
        for copy in (name, name[:-len(".journal")] + "-copy.journal"):
            with open(copy, "wb") as file:
                file.write(text)
        reads(w, "runs")
        assert len(rows(w)) == 2 and w.events() == ["checkpoint"] and not journals(w), (rows(w), w.events())


@test
def torn_journal(w):
    """a journal that is cut off anywhere: what is complete is added, and nothing else"""
    assert w.run("--", "true").status == 0
    with Lock(w):
        assert w.run("--", "sh", "-c", "sleep 1.5; exit 4").status == 4
    name = journals(w)[0]
    text = read(name)
    for cut in range(0, len(text), max(1, len(text) // 25)):
        os.makedirs(os.path.dirname(name), mode=0o700, exist_ok=True)
        with open(name, "wb") as file:
            file.write(text[:cut])
        w.end(w.start(STINT, "runs"))
        states = [row["state"] for row in rows(w)]
        assert states in (["done"], ["done", "running"], ["done", "failed"]), (cut, states)
    os.makedirs(os.path.dirname(name), mode=0o700, exist_ok=True)
    with open(name, "wb") as file:
        file.write(text)
    reads(w, "runs")
    assert [row["state"] for row in rows(w)] == ["done", "failed"], rows(w)


@test
def others_may_not(w):
    """a journal in a folder that others may write to is left alone"""
    assert w.run("--", "true").status == 0
    with Lock(w):
        assert w.run("--", "true").status == 0
    folder = os.path.dirname(journals(w)[0])
    os.chmod(folder, 0o777)
    reads(w, "runs")
    assert len(rows(w)) == 1 and journals(w), rows(w)
    os.chmod(folder, 0o700)
    reads(w, "runs")
    assert len(rows(w)) == 2 and not journals(w), rows(w)


@test
def no_ledger_can_be_made(w):
    """a ledger that cannot be made at first: the run waits in the state folder"""
    w.write("blocked", "")
    ledger = w.path("blocked/ledger.db")
    ended = w.run("--", "sh", "-c", "exit 3", env={"STINT_LEDGER": ledger})
    assert ended.status == 3 and b"this run is kept in '" in ended.err and w.path("state").encode() in ended.err, ended
    os.unlink(w.path("blocked"))
    w.ledger = ledger
    ended = w.end(w.start(STINT, "runs", env={"STINT_LEDGER": ledger}))
    assert ended.status == 0 and b"failed" in ended.out and not journals(w), ended


@test
def resumed_while_locked(w):
    """the next attempt at a run that failed keeps its run's id, though the ledger is locked"""
    assert w.run("--name", "job", "--", "false").status == 1
    first = rows(w)[0]["id"]
    with Lock(w):
        ended = w.run("--name", "job", "--", "sh", "-c", "echo $STINT_RUN_ID $STINT_ATTEMPT")
        assert ended.out.decode().split() == [first, "2"], ended
    reads(w, "runs")
    assert [(row["id"], row["number"], row["state"]) for row in rows(w)] == [(first, 1, "failed"), (first, 2, "done")]


@test
def month_counts_journals(w):
    """a month's budget counts what waits in journals"""
    assert w.run("--", "true").status == 0
    with Lock(w):
        spent = w.run("--price", "0usd/hr", "--extra", "data=9usd", "--", "true")
        assert spent.status == 0, spent
        ended = w.run("--price", "3600usd/hr", "--", "sleep", "30", env={"STINT_BUDGET": "9.5usd"})
        assert ended.status == 5, ended


class Disk:
    """A small file system that only root can mount, with the ledger on it."""

    def __init__(self, w, size="2m"):
        self.w, self.dir = w, w.path("disk")
        os.mkdir(self.dir)
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", self.dir],
                                               capture_output=True, check=False).returncode != 0:
            raise Skip("a small file system needs root, and the right to mount")
        w.ledger = w.env["STINT_LEDGER"] = self.path("ledger.db")

    def __enter__(self):
        try:
            assert self.w.run("--", "true").status == 0
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.dir], capture_output=True, check=True)

    def path(self, name):
        return os.path.join(self.dir, name)

    def fill(self):
        """To the last byte."""
        with open(self.path("filler"), "ab", 0) as file:
            for size in (65536, 4096, 512, 1):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    pass

    def free(self):
        os.unlink(self.path("filler"))

    def lock(self, how):
        subprocess.run(["mount", "-o", f"remount,{how}", self.dir], check=True)


COUNTS = ("sh", "-c", "while [ ! -e go ]; do echo >>counted; sleep 0.05; done; exit 6")


def counts_on(w):
    """The command is not delayed."""
    before = len(read(w.path("counted")))
    wait_for("the command to go on", lambda: len(read(w.path("counted"))) > before + 5)


def warned_once(ended, *words):
    """Where the record is, and what to type."""
    assert ended.err.count(b"warning:") == 1, ended
    for word in (b"this run is kept in '", b"'stint runs'", *words):
        assert word in ended.err, (word, ended)


def added_once(w, states):
    for _ in range(2):
        reads(w, "runs")
        assert [row["state"] for row in rows(w)] == states and not journals(w), (rows(w), journals(w))


@test
def full_from_start_to_end(w):
    """a disk that is full all the time: the command runs, its record is kept elsewhere and added once"""
    with Disk(w) as disk:
        disk.fill()
        ended = w.run("--price", "3600usd/hr", "--", "sh", "-c", "sleep 1.5; exit 6")
        assert ended.status == 6, ended
        warned_once(ended, w.path("state").encode())
        assert len(journals(w)) == 1, journals(w)
        disk.free()
        added_once(w, ["done", "failed"])


@test
def full_in_the_middle(w):
    """a disk that gets full and has room again: the command goes on, and the record is complete when it ends"""
    with Disk(w) as disk:
        job = w.stint("--price", "3600usd/hr", "--", *COUNTS)
        w.sampled()
        disk.fill()
        wait_for("a journal", lambda: journals(w))
        counts_on(w)
        disk.free()
        wait_for("the record to go on", lambda: not journals(w))
        counts_on(w)
        w.write("go", "")
        ended = w.end(job)
        assert ended.status == 6, ended
        added_once(w, ["done", "failed"])
        row = rows(w)[1]
        assert row["cost_nano"] == row["elapsed_ns"], row


@test
def full_everywhere(w):
    """all disks are full: the record is in memory, the warning says that a restart loses it, and it is added once"""
    with Disk(w) as disk:
        disk.fill()
        full = {"XDG_STATE_HOME": disk.path("state"), "TMPDIR": disk.dir}
        ended = w.run("--price", "3600usd/hr", "--", "sh", "-c", "sleep 1.5; exit 6", env=full)
        assert ended.status == 6, ended
        warned_once(ended, b"/dev/shm/", b"which a restart of the machine removes")
        disk.free()
        for _ in range(2):
            listed = w.end(w.start(STINT, "runs", env=full))
            assert listed.status == 0 and [row["state"] for row in rows(w)] == ["done", "failed"], (listed, rows(w))


@test
def budgets_of_a_full_disk(w):
    """all disks are full: budgets of the command line and of the ledger stop the run all the same, and its record is added once"""
    with Disk(w) as disk:
        reads(w, "budget", "set", "cap", "20usd", "--stop")
        for own in (("--budget", "6usd"), ()):
            disk.fill()
            full = {"XDG_STATE_HOME": disk.path("state"), "TMPDIR": disk.dir}
            ended = w.run("--price", "$7200/hr", "--grace", "1s", *own, "--", "sleep", "100", env=full)
            assert ended.status == 5 and ended.err.count(b"this run is kept in '/dev/shm/") == 1 and b"'df -h " in ended.err, ended
            assert ended.err.count(b"warning: what 1 run of this month cost is not known") == 1, ended  # the first, once
            disk.free()
            listed = w.end(w.start(STINT, "runs", env=full))
            assert listed.status == 0, listed
        states = [(row["state"], bool(row["cost_nano"])) for row in rows(w)]
        assert states == [("done", False), ("stopped", True), ("stopped", True)], states


@test
def full_everywhere_in_the_middle(w):
    """all disks get full while the command runs: it goes on to its own end, and what could be kept is there"""
    with Disk(w) as disk:
        full = {"XDG_STATE_HOME": disk.path("state"), "TMPDIR": disk.dir}
        job = w.stint("--price", "3600usd/hr", "--progress", "--", *COUNTS, env=full)
        w.sampled()
        disk.fill()
        for _ in range(3):
            counts_on(w)
            time.sleep(1)
        w.write("go", "")
        ended = w.end(job)
        assert ended.status == 6 and ended.err.count(b"warning:") == 1, ended
        disk.free()
        for _ in range(2):
            listed = w.end(w.start(STINT, "runs", env=full))
            assert listed.status == 0 and [row["state"] for row in rows(w)] == ["done", "failed"], (listed, rows(w))
        row = rows(w)[1]
        assert row["cost_nano"] == row["elapsed_ns"] > 3e9, row


@test
def read_only_folder(w):
    """a ledger in a folder that cannot be written: the record is kept elsewhere and added once"""
    with Disk(w) as disk:
        disk.lock("ro")
        ended = w.run("--price", "3600usd/hr", "--", "sh", "-c", "sleep 1.5; exit 6")
        assert ended.status == 6, ended
        warned_once(ended, w.path("state").encode())
        assert len(journals(w)) == 1, journals(w)
        disk.lock("rw")
        added_once(w, ["done", "failed"])


@test
def budget_of_an_unreadable_ledger(w):
    """a ledger that cannot be read at the start: its budgets stop the run as soon as it can be"""
    assert w.run("--price", "$0/hr", "--extra", "data=30usd", "--", "true").status == 0
    reads(w, "budget", "set", "cap", "20usd", "--stop")
    for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
        if os.path.exists(w.path(name)):
            os.makedirs(w.path("away"), exist_ok=True)
            os.rename(w.path(name), w.path("away", name))
    w.write("ledger.db", "this is not a ledger but a text file in its place\n" * 100)
    job = w.stint("--price", "$3600/hr", "--grace", "1s", "--", "sh", "-c", "touch begun; sleep 100")
    wait_for("the command", lambda: os.path.exists(w.path("begun")))
    wait_for("a journal", lambda: journals(w))
    for name in os.listdir(w.path("away")):
        os.rename(w.path("away", name), w.path(name))
    ended = w.end(job)
    assert b"the remaining budgets are unknown" in ended.err and b"the budget 'cap' is spent" in ended.err, ended
    assert ended.status == 5 and not journals(w), (ended, journals(w))
    assert [row["state"] for row in rows(w)] == ["done", "stopped"], rows(w)


@test
def many_events(w):
    """thousands of equal lines: the first and the last are kept, with a count; show is short"""
    ended = w.run("--progress", "--", *script(
        "import sys\nfor i in range(3000): print(f'Saving model checkpoint to out/{i}.pt')"))
    assert ended.status == 0 and ended.out.count(b"\n") == 3000, ended
    events = w.ask("SELECT words, left_out FROM events ORDER BY event")
    assert 3 < len(events) < 50, len(events)
    assert "out/0.pt" in events[0]["words"] and events[0]["left_out"] is None, dict(events[0])
    assert events[-1]["left_out"] > 0, dict(events[-1])  # not every line of a flood is looked at
    shown = reads(w, "show", "last")
    assert shown.out.count(b"Saving") + shown.out.count(b"checkpoint") < 60, shown
    assert b"left out" in shown.out, shown


@test
def nothing_started(w):
    """a command that cannot be started leaves no new ledger behind; an existing one records it"""
    for name in ("notes.txt", "bin/task"):
        os.makedirs(os.path.dirname(w.path(name)), exist_ok=True)
        w.write(name, "echo hi\n", 0o644)
    env = {"PATH": w.path("bin") + ":/usr/bin:/bin"}
    for words, status in ((["no-such-command"], 127), (["./no/such"], 127), (["./notes.txt"], 126), (["./bin"], 126), (["task"], 126)):
        ended = w.run("--quiet", "--", *words, env=env)
        assert ended.status == status and b"hint: " in ended.err and not os.path.exists(w.ledger), (words, ended)
    w.write("bin/task", "echo hi\n", 0o755)
    ended = w.run("--quiet", "--", "task", env=env)
    assert ended.status == 0 and ended.out == b"hi\n" and w.attempt()["state"] == "done", ended
    assert w.run("--quiet", "--", "no-such-command", env=env).status == 127 and w.ask("SELECT count(*) FROM runs")[0][0] == 2


main(4)
