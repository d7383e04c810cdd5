#!/usr/bin/python3
"""Whose processes `stint run` counts, waits for and ends; what happens when it is killed itself."""
import os
import signal
import subprocess
import time

from harness import alive, main, read, script, test, wait_for

DAEMON = """
import os, sys, time
def daemonise(work):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in (0, 1, 2):
                os.dup2(os.open(os.devnull, os.O_RDWR), fd)
            open("daemon", "w").write(str(os.getpid()))
            work()
            os._exit(0)
        os._exit(0)
    os.wait()
    while not os.path.exists("daemon") or not open("daemon").read(): time.sleep(0.01)
def burn(seconds):
    while time.process_time() < seconds: pass
"""


def pid_in(w, name):
    return int(wait_for(name, lambda: read(w.path(name))))


@test
def daemon(w):
    """a daemon of the command is counted, and the run waits for it"""
    ended = w.run("--", *script(DAEMON + "daemonise(lambda: (burn(1), open('done', 'w').write('x')))\nsys.exit(4)"))
    assert ended.status == 4 and read(w.path("done")) == b"x" and b"waiting for them" in ended.err, ended
    assert w.attempt()["cpu_s"] >= 1, w.attempt()["cpu_s"]


@test
def daemon_stopped(w):
    """--leftovers stop ends a daemon, and the status is the command's"""
    ended = w.run("--leftovers", "stop", "--", *script(DAEMON + "daemonise(lambda: time.sleep(100))\nsys.exit(4)"))
    assert ended.status == 4 and not alive(pid_in(w, "daemon")), ended
    assert w.attempt()["state"] == "failed"


@test
def daemon_left(w):
    """--leftovers leave leaves it"""
    ended = w.run("--leftovers", "leave", "--", *script(DAEMON + "daemonise(lambda: time.sleep(100))"))
    pid = pid_in(w, "daemon")
    assert ended.status == 0 and alive(pid), ended
    os.kill(pid, signal.SIGKILL)


@test
def daemon_interrupted(w):
    """SIGTERM while it waits for a daemon ends the daemon"""
    process = w.stint("--", *script(DAEMON + "daemonise(lambda: time.sleep(100))"))
    pid = pid_in(w, "daemon")
    wait_for("the command's end", lambda: "waiting" in os.read(process.stderr.fileno(), 4096).decode())
    process.terminate()
    ended = w.end(process)
    assert not alive(pid) and ended.status == 0, ended


@test
def shell_terminated(w):
    """SIGTERM to a shell's job ends the shell's child too"""
    process = w.stint("--", "sh", "-c", "sleep 100 & echo $! >child; wait; true")
    pid = pid_in(w, "child")
    process.terminate()
    ended = w.end(process)
    assert ended.status == -signal.SIGTERM and not alive(pid), ended


@test
def orphans(w):
    """orphans are counted"""
    ended = w.run("--", *script(DAEMON + """
for i in range(4):
    if os.fork() == 0:
        if os.fork() == 0:
            burn(0.4)
            os._exit(0)
        os._exit(0)
"""))
    assert ended.status == 0 and w.attempt()["cpu_s"] >= 1.6, (ended, w.attempt()["cpu_s"])


@test
def short_children(w):
    """two thousand short children are counted within 5 % of what wait() reports"""
    ended = w.run("--", *script("""
import os, resource, time
for i in range(2000):
    if os.fork() == 0:
        until = time.process_time() + 0.0005
        while time.process_time() < until: pass
        os._exit(0)
    os.wait()
use = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
print(sum(u.ru_utime + u.ru_stime for u in use))
"""))
    printed, counted = float(ended.out), w.attempt()["cpu_s"]
    assert abs(counted - printed) <= 0.05 * printed + 0.02, (printed, counted)


@test
def short_children_apart(w):
    """so are those of children that have ended themselves"""
    ended = w.run("--", *script("""
import os, resource, time
def burn(s):
    until = time.process_time() + s
    while time.process_time() < until: pass
for i in range(20):
    if os.fork() == 0:
        for k in range(10):
            if os.fork() == 0:
                burn(0.01)
                os._exit(0)
            os.wait()
        os._exit(0)
    os.wait()
use = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
print(sum(u.ru_utime + u.ru_stime for u in use))
"""))
    printed, counted = float(ended.out), w.attempt()["cpu_s"]
    assert abs(counted - printed) <= 0.05 * printed + 0.02, (printed, counted)


@test
def bomb(w):
    """300 processes at once are all ended at a deadline"""
    w.write("bomb.py", "import os, time\nfor i in range(300):\n    if os.fork() == 0:\n        open(f'pids/{os.getpid()}', 'w')\n"
            "        if i % 3 == 0: os.setsid()\n        time.sleep(100)\n        os._exit(0)\n"
            "time.sleep(100)")
    os.mkdir(w.path("pids"))
    for deadline in ("4s", "20s"): # a busy machine may need long to start Python
        ended = w.run("--deadline", deadline, "--grace", "1s", "--", "python3", "bomb.py")
        if os.listdir(w.path("pids")): break
    left = [pid for pid in os.listdir(w.path("pids")) if alive(pid)]
    assert ended.status == 5 and os.listdir(w.path("pids")) and not left, (ended, left)


IGNORES = """
import os, signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
open("child", "w").write(str(os.getpid()))
while True: time.sleep(1)
"""


@test
def killed(w):
    """when stint is killed the keeper ends the job, and the ledger has what was recorded"""
    process = w.stint("--price", "$36/hr", "--", *script(DAEMON + """
daemonise(lambda: time.sleep(100))
open("child", "w").write(str(os.getpid()))
time.sleep(100)"""))
    pids = [pid_in(w, "child"), pid_in(w, "daemon")]
    w.sampled(2)
    process.kill()
    assert w.end(process).status == -signal.SIGKILL
    wait_for("the end of the job", lambda: not any(alive(pid) for pid in pids))
    wait_for("the record", lambda: "supervisor-killed" in w.events())
    row = w.attempt()
    assert row["cost_nano"] > 0 and row["state"] in ("running", "lost", "stopped", "failed"), tuple(row)


@test
def killed_stubborn(w):
    """so it does with a job that ignores SIGTERM"""
    process = w.stint("--grace", "1s", "--", *script(IGNORES))
    pid = pid_in(w, "child")
    process.kill()
    wait_for("the end of the job", lambda: not alive(pid))
    process.wait()


@test
def killed_leave(w):
    """--if-killed leave leaves the job"""
    process = w.stint("--if-killed", "leave", "--", "sh", "-c", "echo $$ >child; sleep 100")
    pid = pid_in(w, "child")
    process.kill()
    process.wait()
    time.sleep(1)
    assert alive(pid)
    for child in read(f"/proc/{pid}/task/{pid}/children").split():
        os.kill(int(child), signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)


@test
def frozen(w):
    """stint stopped past its deadline: the keeper ends the job, the record is written when it goes on"""
    process = w.stint("--deadline", "3s", "--", *script(IGNORES))
    pid = pid_in(w, "child")
    process.send_signal(signal.SIGSTOP)
    wait_for("the end of the job", lambda: not alive(pid))
    ended = w.end(process)
    assert ended.status == 5, ended
    row = w.attempt()
    assert (row["state"], row["reason"]) == ("stopped", "deadline"), tuple(row)


@test
def keeper_killed(w):
    """a keeper that is killed does not end the run"""
    process = w.stint("--", "sh", "-c", "touch ready; while [ ! -e go ]; do sleep 0.1; done; exit 8")
    wait_for("the command", lambda: os.path.exists(w.path("ready")))
    children = read(f"/proc/{process.pid}/task/{process.pid}/children").split()
    keepers = [int(pid) for pid in children if read(f"/proc/{int(pid)}/comm") == b"stint-keeper\n"]
    assert len(keepers) == 1, children
    os.kill(keepers[0], signal.SIGKILL)
    time.sleep(0.3)
    w.write("go", "")
    ended = w.end(process)
    assert ended.status == 8, ended


@test
def keeper_gone(w):
    """no keeper and no control group is left when the run is over"""
    process = w.stint("--", "true")
    w.end(process)
    mine = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if read(f"/proc/{pid}/comm") == b"stint-keeper\n" and w.ledger.encode() in read(f"/proc/{pid}/environ"):
            mine.append(pid)
    assert not mine, mine
    run = w.attempt()["id"]
    found = subprocess.run(["find", "/sys/fs/cgroup", "-name", f"*{run}*"], capture_output=True, check=False)
    assert found.stdout == b"", found.stdout


@test
def watching_daemon_budget(w):
    """a budget holds for what the command left behind"""
    ended = w.run("--price", "$3600/hr", "--budget", "$4", "--grace", "1s", "--",
                  *script(DAEMON + "daemonise(lambda: time.sleep(100))\nsys.exit(0)"))
    assert ended.status == 5 and not alive(pid_in(w, "daemon")), ended
    assert w.attempt()["cost_nano"] <= 4e9 and w.attempt()["reason"] == "budget"


main(8)
