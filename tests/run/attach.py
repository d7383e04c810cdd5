#!/usr/bin/python3
"""`stint attach`: a process that is already running, and no child of Stint."""
import json
import os
import signal
import socket
import subprocess
import time

from harness import LONG, STINT, alive, main, read, script, test, wait_for

RATE = "$3600/hr"  # a dollar a second
WORK = "import time\nwhile True: time.sleep(0.01)"


def attach(w, pid, *words, **how):
    return w.start(STINT, "attach", "--no-gpu", *words, pid, **how)


def begun(process):
    """Metering has begun: what it printed until then."""
    text = b""
    while b"\n" not in text:
        more = os.read(process.stderr.fileno(), 4096)
        assert more, text
        text += more
    return text


def result(w):
    with open(w.path("result"), encoding="utf-8") as file:
        return json.load(file)


@test
def exits(w):
    """the end of the process is seen, with its status where the system reports it"""
    job = w.start(*script("import os, sys, time\nwhile not os.path.exists('begun'): time.sleep(0.01)\nsys.exit(7)"))
    process = attach(w, job.pid, "--price", RATE, "--summary", w.path("result"), "--on-event", "touch begun")
    assert job.wait(LONG) == 7
    ended = w.end(process)
    row, found = w.attempt(), result(w)
    assert found["attached_pid"] == job.pid and found["ran_before"] is not None, found
    assert "attached" in w.events()
    if row["status"] is None:  # an older kernel, and the parent was faster
        assert ended.status == 0 and (row["state"], row["reason"]) == ("stopped", "exit-unknown"), dict(row)
        assert found["exit_status"] is None and found["state"] == "stopped", found
    else:
        assert ended.status == 7 and (row["state"], row["status"]) == ("failed", 7), dict(row)


@test
def zombie(w):
    """one that its parent does not wait for has ended all the same, and its status is known"""
    job = w.start(*script("import os, time\nwhile not os.path.exists('begun'): time.sleep(0.01)"))
    process = attach(w, job.pid, "--on-event", "touch begun")
    ended = w.end(process)  # job.wait() was not called
    assert ended.status == 0 and w.attempt()["state"] == "done", ended
    assert b"waiting for them" not in ended.err, ended


@test
def signalled_end(w):
    """a process that a signal ends"""
    job = w.start(*script(WORK))
    process = attach(w, job.pid)
    begun(process)
    job.kill()
    ended = w.end(process)
    assert ended.status == 128 + signal.SIGKILL and b"(signal 9)" in ended.err, ended
    assert w.attempt()["status"] == 128 + signal.SIGKILL


@test
def only_since(w):
    """only what is used from then on counts, with the children it has and gets"""
    burn = "t = time.process_time()\nwhile time.process_time() - t < %s: pass\n"
    job = w.start(*script("import os, time\n" + burn % 1.5 + "open('ready', 'w').write('x')\n"
                          "while not os.path.exists('go'): time.sleep(0.01)\n" + burn % 0.5 +
                          "if os.fork() == 0:\n    " + (burn % 0.5).replace("\n", "\n    ") + "os._exit(0)\nos.wait()\n"))
    wait_for("its first work", lambda: read(w.path("ready")))
    process = attach(w, job.pid)
    begun(process)
    w.sampled()
    w.write("go", "")
    ended = w.end(process)
    assert 0.9 <= w.attempt()["cpu_s"] <= 1.4, (w.attempt()["cpu_s"], ended)


@test
def detached(w):
    """Ctrl-C detaches: the process goes on, and the record says so"""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        job = w.start(*script(WORK))
        process = attach(w, job.pid, "--name", number.name, "--summary", w.path("result"))
        begun(process)
        process.send_signal(number)
        ended = w.end(process)
        assert ended.status == 0 and b"detached (process %d continues, unmetered)" % job.pid in ended.err, ended
        assert alive(job.pid)
        row = w.ask("SELECT state, reason, status FROM attempts JOIN runs USING (run) WHERE name = ?", number.name)[0]
        assert (row["state"], row["reason"], row["status"]) == ("stopped", "detached", None), tuple(row)
        assert result(w)["reason"] == "detached" and result(w)["exit_status"] is None
        job.kill()
    assert "detached" in w.events()


@test
def ignored_signals(w):
    """under nohup it stays attached when the terminal goes away"""
    job = w.start(*script(WORK))
    process = w.start("nohup", STINT, "attach", "--no-gpu", job.pid)
    w.sampled()
    process.send_signal(signal.SIGHUP)
    job.kill()
    assert w.end(process).status == 128 + signal.SIGKILL and w.attempt()["reason"] == ""


@test
def budget(w):
    """a budget stops the process and its children, with status 5"""
    job = w.start("sh", "-c", "sleep 100 & echo $! >child; wait")
    child = int(wait_for("the child", lambda: read(w.path("child"))))
    ended = w.end(attach(w, job.pid, "--price", RATE, "--budget", "$2"))
    assert ended.status == 5 and b"budget reached" in ended.err and b"stopping the process" in ended.err, ended
    job.wait(LONG)
    assert not alive(child)
    row = w.attempt()
    assert (row["state"], row["reason"], row["status"]) == ("stopped", "budget", 5), dict(row)
    assert 1e9 < row["cost_nano"] <= 2e9, row["cost_nano"]


@test
def saves(w):
    """a process that catches SIGUSR1 is asked to save before the limit"""
    job = w.start(*script("import os, signal, time\n"
                          "def save(*_): open('saved', 'w').write('x'); os._exit(0)\n"
                          "signal.signal(signal.SIGUSR1, save)\nopen('ready', 'w').write('x')\n" + WORK))
    wait_for("its handler", lambda: read(w.path("ready")))
    ended = w.end(attach(w, job.pid, "--deadline", "4s", "--grace", "2s"))
    assert ended.status == 5 and read(w.path("saved")) == b"x", ended
    assert "checkpoint-asked" in w.events() and "kill" not in w.events(), w.events()


@test
def stubborn(w):
    """one that ignores SIGTERM is killed"""
    job = w.start(*script("import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nopen('ready', 'w').write('x')\n" + WORK))
    wait_for("its handler", lambda: read(w.path("ready")))
    ended = w.end(attach(w, job.pid, "--deadline", "2s"))
    assert ended.status == 5 and job.wait(LONG) == -signal.SIGKILL, ended


@test
def never_killed(w):
    """--no-kill warns, and leaves the process alone"""
    job = w.start(*script(WORK))
    process = attach(w, job.pid, "--deadline", "2s", "--no-kill")
    wait_for("the warning", lambda: w.path("ledger.db") and os.path.exists(w.ledger) and w.ask(
        "SELECT 1 FROM sqlite_master WHERE name = 'events'") and "not-stopped" in w.events())
    time.sleep(1)
    assert alive(job.pid) and process.poll() is None
    assert w.events().count("not-stopped") == 1 and "term" not in w.events() and "kill" not in w.events(), w.events()
    job.kill()
    ended = w.end(process)
    assert ended.status == 5 and w.attempt()["reason"] == "deadline-passed", (ended, w.attempt()["reason"])
    assert b"went on past its limit (deadline, --no-kill)" in ended.err, ended
    shown = w.end(w.start(STINT, "show", "last")).out
    assert b"past its limit: deadline, not stopped" in shown and b"state            stopped" not in shown, shown


@test
def killed(w):
    """if attach itself is killed, the process goes on by default"""
    job = w.start(*script(WORK))
    process = attach(w, job.pid)
    begun(process)
    process.kill()
    process.wait()
    time.sleep(0.5)
    assert alive(job.pid)
    shown = subprocess.run([STINT, "runs", "--json"], env=w.env, capture_output=True, check=True)
    assert json.loads(shown.stdout)["runs"][0]["state"] == "lost", shown.stdout
    process = attach(w, job.pid, "--if-killed", "stop")  # the claim died with it
    begun(process)
    w.sampled()
    process.kill()
    process.wait()
    assert job.wait(LONG) == -signal.SIGTERM


@test
def once(w):
    """a process is metered once: by attach, by run, and below both"""
    job = w.start("sh", "-c", "sleep 100 & echo $! >child; wait")
    child = int(wait_for("the child", lambda: read(w.path("child"))))
    first = attach(w, job.pid, "--name", "first")
    begun(first)
    for pid in (job.pid, child):
        ended = w.end(attach(w, pid))
        assert ended.status == 1 and b"process %d is already metered by the run 'first'" % pid in ended.err, ended
    first.terminate()
    w.end(first)
    os.kill(child, signal.SIGKILL)
    job.wait(LONG)
    run = w.stint("--name", "second", "--", "sh", "-c", "echo $$ >command; exec sleep 100")
    command = int(wait_for("the command", lambda: read(w.path("command"))))
    for pid in (command, run.pid):
        ended = w.end(attach(w, pid))
        assert ended.status == 1 and b"is already metered by the run 'second'" in ended.err, ended
    run.terminate()
    w.end(run)


@test
def inside(w):
    """a script meters itself with --ancestor; the supervisor is no part of it"""
    job = w.start("sh", "-c", f'{STINT} attach --no-gpu --ancestor $$ --price 3600usd/hr --budget 2usd --name script & sleep 100; echo went on >after')
    assert job.wait(LONG) == -signal.SIGTERM
    wait_for("the record", lambda: w.attempt()["state"] != "running")
    row = w.attempt()
    assert (row["state"], row["reason"]) == ("stopped", "budget") and not read(w.path("after")), dict(row)


@test
def left_behind(w):
    """processes that outlive it are waited for, or stopped"""
    text = "sleep 3 & echo $! >child; while ! [ -e begun ]; do sleep 0.02; done"
    job = w.start("sh", "-c", text)
    ended = w.end(attach(w, job.pid, "--on-event", "touch begun"))
    assert b"waiting for them" in ended.err and w.attempt()["state"] == "done", ended
    os.unlink(w.path("child"))
    os.unlink(w.path("begun"))
    job = w.start("sh", "-c", text.replace("3", "100"))
    child = int(wait_for("the child", lambda: read(w.path("child"))))
    w.end(attach(w, job.pid, "--leftovers", "stop", "--on-event", "touch begun"))
    assert not alive(child)


@test
def ready(w):
    """--ready-fd reports the id and the socket, which takes metrics and 'stint stop'"""
    job, process, line = metered(w)
    with socket.socket(socket.AF_UNIX) as report:
        report.connect(line["socket"])
        report.sendall(b'{"step": 5, "loss": 2.5}\n')
    w.sampled(2)
    subprocess.run([STINT, "stop", line["id"]], env=w.env, capture_output=True, check=True)
    ended = w.end(process)
    row = w.attempt()
    assert row["id"] == line["id"] and (row["state"], row["reason"]) == ("stopped", "user"), (dict(row), ended)
    assert row["step"] == 5 and row["loss"] == 2.5 and job.wait(LONG) == -signal.SIGTERM, dict(row)


def ask(path, **line):
    """A request at the run's socket, and its answer."""
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(LONG)
        peer.connect(path)
        peer.sendall(json.dumps(line).encode() + b"\n")
        return json.loads(peer.makefile().readline() or "null")


def metered(w, *words):
    job = w.start(*script(WORK))
    end, given = os.pipe()
    process = attach(w, job.pid, "--ready-fd", given, *words, pass_fds=(given,))
    os.close(given)
    with os.fdopen(end, encoding="utf-8") as file:
        return job, process, json.loads(file.readline())


@test
def block(w):
    """the program asks for the cost, and ends the run while it goes on itself"""
    for state, why, found in (("done", None, ("done", "", 0)), ("failed", "ValueError", ("failed", "ValueError", 1)),
                              ("interrupted", "KeyboardInterrupt", ("stopped", "user", 130))):
        job, process, line = metered(w, "--price", RATE, "--budget", "$900", "--name", state)
        status = ask(line["socket"], stint="status")
        assert status["id"] == line["id"] and line["name"] == state and status["stopping"] is False, (status, line)
        assert float(status["cost"]) >= 0 and status["budget"] == "900", status
        assert ask(line["socket"], stint="end", state="weird") == {"stint": "refused"}
        assert ask(line["socket"], stint="end", state=state, why=why) == {"stint": "end"}
        ended = w.end(process)
        row = w.ask("SELECT state, reason, status FROM attempts JOIN runs USING (run) WHERE name = ?", state)[0]
        assert tuple(row) == found and alive(job.pid), (tuple(row), ended)
        job.kill()
    assert "exception" in w.events() and "not-understood" in w.events(), w.events()


@test
def refused(w):
    """whoever waits at --ready-fd is told why metering does not begin"""
    end, given = os.pipe()
    process = attach(w, 2 ** 31 - 1, "--ready-fd", given, pass_fds=(given,))
    os.close(given)
    with os.fdopen(end, encoding="utf-8") as file:
        line = json.loads(file.readline())
    assert line["kind"] == "absent" and "no process" in line["text"] and "pgrep" in line["hint"], line
    assert w.end(process).status == 4


@test
def again(w):
    """with the same name it goes on with a run that was detached: one budget for both"""
    job = w.start(*script(WORK))
    first = attach(w, job.pid, "--name", "long", "--price", RATE, "--budget", "$4")
    begun(first)
    w.sampled(2)
    first.terminate()
    w.end(first)
    ended = w.end(attach(w, job.pid, "--name", "long", "--price", RATE))
    assert ended.status == 5 and w.attempt(2)["reason"] == "budget", ended
    assert w.attempt(1)["cost_nano"] + w.attempt(2)["cost_nano"] <= 4e9
    assert w.attempt(2)["lost_s"] is None, "the process went on: nothing says that its work was lost"


main()
