#!/usr/bin/python3
"""What ends a run: budget, deadline, idleness, early stopping, divergence. The cost stays within the limit."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time

from harness import PYTHON, STINT, Skip, alive, main, read, script, test, wait_for

SAVES = """
import os, signal, sys, time
def save(n, f):
    time.sleep(0.5)
    open("saved-" + sys.argv[1], "w").write(str(n))
    if n == signal.SIGTERM: sys.exit(0)
if "usr1" in sys.argv[2]: signal.signal(signal.SIGUSR1, save)
if "term" in sys.argv[2]: signal.signal(signal.SIGTERM, save)
if "ignore" in sys.argv[2]: signal.signal(signal.SIGTERM, signal.SIG_IGN)
open("ready-" + sys.argv[1], "w").close()
while True: time.sleep(0.01)
"""


def within_budget(w, kinds, budget, nano):
    """Runs at once; each recorded cost is within the budget, and what can save has saved."""
    w.write("saves.py", SAVES)
    processes = [w.stint("--name", f"job{i}", "--price", "$3600/hr", "--share", "all", "--budget", budget, "--", "python3", "saves.py",
                         str(i), kind) for i, kind in enumerate(kinds)]
    for i, (kind, process) in enumerate(zip(kinds, processes)):
        ended = w.end(process)
        assert ended.status == 5, (kind, ended)
        if kind in ("usr1", "term", "usr1,ignore"):
            assert os.path.exists(w.path(f"saved-{i}")), (kind, ended)
    rows = w.ask("SELECT name, cost_nano, state, reason, status FROM attempts JOIN runs USING (run)")
    assert len(rows) == len(kinds), len(rows)
    for row in rows:
        assert 0 < row["cost_nano"] <= nano, (row["name"], row["cost_nano"])
        assert (row["state"], row["reason"], row["status"]) == ("stopped", "budget", 5), tuple(row)


@test
def budget(w):
    """ten budgeted runs at once: none costs more than its budget, and each that can has saved"""
    within_budget(w, ["usr1", "term", "nothing", "ignore", "usr1,ignore"] * 2, "$12", 12_000_000_000)


@test
def budget_stages(w):
    """warned at 50, 75 and 90 %, asked to save, then ended: all of it in the ledger and passed to --on-event"""
    w.write("saves.py", SAVES)
    ended = w.run("--price", "$3600/hr", "--budget", "$11", "--on-event",
                  'echo "$STINT_EVENT|$STINT_RUN_NAME|$STINT_RUN_BUDGET|$STINT_RUN_COST|$STINT_EVENT_TEXT" >>events', "--name", "staged",
                  "--grace", "2s", "--every", "100ms", "--", "python3", "saves.py", "0", "usr1,ignore")
    kinds = w.events()
    assert ended.status == 5, ended
    order = [kinds.index(kind) for kind in ("budget-50", "budget-75", "budget", "checkpoint-asked", "term", "kill")]
    assert order == sorted(order), kinds
    hooked = [line.split("|") for line in read(w.path("events")).decode().splitlines()]
    assert {"budget-50", "budget-75", "budget", "checkpoint-asked"} <= {line[0] for line in hooked}, hooked
    assert {line[1] for line in hooked} == {"staged"} and {line[2] for line in hooked} == {"11"}, hooked
    assert all(0 < float(line[3]) <= 11 for line in hooked), hooked
    assert b"50 % of the budget" in ended.err and b"asking for a checkpoint" in ended.err, ended


@test
def budget_tiny(w):
    """a budget of three seconds, less than the usual grace, still holds"""
    ended = w.run("--price", "$3600/hr", "--budget", "$3", "--", "sleep", "60")
    assert ended.status == 5 and w.attempt()["cost_nano"] <= 3_000_000_000, (ended, w.attempt()["cost_nano"])


@test
def budget_stopped(w):
    """a command that is stopped by SIGSTOP is ended too"""
    ended = w.run("--price", "$3600/hr", "--budget", "$4", "--", "sh", "-c", "echo $$ >child; kill -STOP $$; echo on")
    assert ended.status == 5 and not alive(int(read(w.path("child")))), ended
    assert w.attempt()["cost_nano"] <= 4_000_000_000 and {"stopped"} <= set(w.events()), w.events()


@test
def budget_extra(w):
    """costs other than the machine's count"""
    ended = w.run("--price", "$3600/hr", "--budget", "$14", "--extra", "labels=$10", "--", "sleep", "60")
    row = w.attempt()
    assert ended.status == 5 and row["cost_nano"] <= 14_000_000_000 and row["extra_nano"] == 10_000_000_000, ended
    assert row["compute_nano"] <= 4_000_000_000, row["compute_nano"]


@test
def budget_attempts(w):
    """attempts at one run share its budget, and its environment counts them"""
    words = ["--name", "shared", "--price", "$3600/hr", "--budget", "$9"]
    first = w.run(*words, "--", "sh", "-c", "echo $STINT_ATTEMPT $STINT_RUN_ID >>attempts; sleep 2; exit 3")
    second = w.run(*words, "--", "sh", "-c", "echo $STINT_ATTEMPT $STINT_RUN_ID >>attempts; sleep 60")
    assert (first.status, second.status) == (3, 5), (first, second)
    costs = [w.attempt(n)["cost_nano"] for n in (1, 2)]
    assert sum(costs) <= 9_000_000_000 and costs[0] >= 2_000_000_000, costs
    lines = [line.split() for line in read(w.path("attempts")).splitlines()]
    assert [line[0] for line in lines] == [b"1", b"2"] and lines[0][1] == lines[1][1], lines
    third = w.run(*words, "--", "touch", "third")
    assert third.status in (0, 5), third
    total = w.ask("SELECT sum(cost_nano) AS all_cost FROM attempts")[0]["all_cost"]
    assert total <= 9_000_000_000, total


@test
def resume(w):
    """STINT_RESUME and --resume continue a run; the name of one that ended successfully does not"""
    w.run("--name", "again", "--", "false")
    run = w.attempt()["id"]
    ended = w.run("--", "sh", "-c", "echo $STINT_ATTEMPT $STINT_RUN_ID; exit 2", env={"STINT_RESUME": run})
    assert ended.out.split() == [b"2", run.encode()], ended
    ended = w.run("--resume", "last", "--", "sh", "-c", "echo $STINT_ATTEMPT $STINT_RUN_ID")
    assert ended.out.split() == [b"3", run.encode()], ended
    ended = w.run("--name", "again", "--", "sh", "-c", "echo $STINT_ATTEMPT $STINT_RUN_ID")
    assert ended.out.split()[0] == b"1" and ended.out.split()[1] != run.encode(), ended
    os.mkdir(w.path("elsewhere"))
    w.run("--name", "other", "--", "false")
    ended = w.run("--name", "other", "--", "sh", "-c", "echo $STINT_ATTEMPT", cwd=w.path("elsewhere"))
    assert ended.out == b"1\n", ended


@test
def month(w):
    """the month's budget counts what other runs cost"""
    w.run("--price", "$3600/hr", "--", "sleep", "1.5")
    ended = w.run("--name", "second", "--price", "$3600/hr", "--month-budget", "$6", "--", "sleep", "60")
    total = w.ask("SELECT sum(cost_nano) AS all_cost FROM attempts")[0]["all_cost"]
    reasons = [row["reason"] for row in w.ask("SELECT reason FROM attempts ORDER BY attempt")]
    assert ended.status == 5 and total <= 6_000_000_000 and reasons == ["", "month"], (ended, total, reasons)


@test
def shared_budget(w):
    """a budget of the ledger stops the runs that it covers, together, and refuses the next"""
    made = w.end(w.start(STINT, "budget", "set", "cap", "8usd", "--where", "team=nlp", "--stop"))
    assert made.status == 0, made
    runs = [w.stint("--name", f"r{i}", "--tag", "team=nlp", "--price", "$3600/hr", "--", "sleep", "60") for i in (1, 2)]
    other = w.run("--name", "other", "--tag", "team=vision", "--price", "$3600/hr", "--", "sleep", "4")
    ended = [w.end(run) for run in runs]
    spent = w.ask("SELECT sum(cost_nano) FROM attempts JOIN runs USING(run) WHERE name <> 'other'")[0][0]
    assert other.status == 0, other
    assert [e.status for e in ended] == [5, 5] and spent <= 8_000_000_000, (ended, spent)
    assert b"the budget 'cap'" in ended[0].err, ended[0]
    assert w.run("--tag", "team=nlp", "--price", "$72000/hr", "--", "true").status == 5


def set_budget(w, amount):
    made = w.end(w.start(STINT, "budget", "set", "cap", amount, "--where", "team=nlp", "--stop"))
    assert made.status == 0, made


@test
def budget_set_meanwhile(w):
    """a budget that is set while a run goes on holds for it; what it has spent already counts"""
    run = w.stint("--tag", "team=nlp", "--price", "$360/hr", "--", "sleep", "60")
    w.sampled()
    set_budget(w, "3usd")
    ended = w.end(run)
    spent = w.ask("SELECT cost_nano FROM attempts")[0][0]
    assert ended.status == 5 and 1e9 < spent <= 3e9, (ended, spent)
    assert b"a budget was set: the budget 'cap' has $" in ended.err and "budget-known" in w.events(), (ended, w.events())


@test
def budget_raised_meanwhile(w):
    """one that is raised lets the run go on; one that is removed does not stop it"""
    set_budget(w, "4usd")
    run = w.stint("--tag", "team=nlp", "--price", "$360/hr", "--", "sleep", "9")
    w.sampled()
    set_budget(w, "20usd")
    ended = w.end(run)
    assert ended.status == 0 and b"the budget 'cap' is $20.00 now, not $4.00" in ended.err, ended
    set_budget(w, "21usd")
    before = len(w.ask("SELECT 1 FROM samples"))
    run = w.stint("--name", "second", "--tag", "team=nlp", "--price", "$360/hr", "--", "sleep", "6")
    w.sampled(before + 1)
    assert w.end(w.start(STINT, "budget", "remove", "cap")).status == 0
    ended = w.end(run)
    assert ended.status == 0 and b"the budget 'cap' does not hold for this run any more" in ended.err, ended


@test
def budget_lowered_meanwhile(w):
    """one that is lowered to less than what is spent ends the run at once, with time to save"""
    set_budget(w, "500usd")
    run = w.stint("--tag", "team=nlp", "--price", "$360/hr", "--grace", "5s", "--",
                  "sh", "-c", f"trap 'sleep 1; touch {w.path('saved')}; exit 0' TERM; sleep 60 & wait")
    wait_for("a cost in the ledger", lambda: w.ask("SELECT coalesce(max(cost_nano), 0) FROM attempts")[0][0] > 2e8)
    set_budget(w, "0.10usd")
    ended = w.end(run)
    assert ended.status == 5 and os.path.exists(w.path("saved")), ended
    assert b"the budget 'cap' is spent (all of $0.1000), by a change of it" in ended.err, ended


def together(w, budget, price, *words):
    """What five runs that start at once spend of a budget, in dollars; how they ended."""
    made = w.end(w.start(STINT, "budget", "set", "cap", budget, "--where", "team=nlp", "--stop"))
    assert made.status == 0, made
    runs = [w.stint("--name", f"r{i}", "--tag", "team=nlp", "--price", price, *words, "--", "sleep", "60") for i in range(5)]
    ended = [w.end(run) for run in runs]
    assert [e.status for e in ended] == [5] * 5, ended
    return w.ask("SELECT sum(cost_nano) FROM attempts")[0][0] / 1e9, ended


@test
def five_at_once(w):
    """five runs that start at once never spend more than a budget together"""
    spent, _ = together(w, "5usd", "$720/hr", "--share", "all")  # as on five machines
    assert 1 < spent <= 5, spent


@test
def five_for_too_little(w):
    """nor more than one that is spent before they have checked twice; a refused run reports what is left"""
    spent, _ = together(w, "1.50usd", "$720/hr")
    assert spent <= 1.5, spent
    ended = w.run("--name", "late", "--tag", "team=nlp", "--price", "$72000/hr", "--", "touch", w.path("ran"))
    assert ended.status == 5 and not os.path.exists(w.path("ran")), ended
    assert b"the budget 'cap' has $" in ended.err and b"left, not enough to run for one second; not started" in ended.err, ended


@test
def five_with_costs_up_front(w):
    """what each pays at its start is seen by the others before they start"""
    spent, ended = together(w, "4.30usd", "$144/hr", "--extra", "labels=$2")  # too little for one of them alone
    assert spent <= 4.3, spent
    # One that checks while others have claimed what they will not get sees the budget as spent.
    refused = [e for e in ended if b"; not started" in e.err or b"the budget 'cap' is spent: " in e.err]
    assert len(refused) >= 3, ended  # for two there is enough


@test
def too_little_for_costs_up_front(w):
    """a run whose costs at its start are more than a budget has left does not start"""
    made = w.end(w.start(STINT, "budget", "set", "cap", "1usd", "--where", "team=nlp", "--stop"))
    assert made.status == 0, made
    ended = w.run("--tag", "team=nlp", "--price", "$1/hr", "--extra", "labels=$2", "--", "touch", w.path("ran"))
    assert ended.status == 5 and not os.path.exists(w.path("ran")), ended
    assert b"the budget 'cap' has $1.00 left, less than the costs paid up front; not started" in ended.err, ended


@test
def month_at_once(w):
    """so it is with the budget of the month"""
    runs = [w.stint("--month-budget", "$3", "--price", "$720/hr", "--", "sleep", "60") for _ in range(5)]
    ended = [w.end(run) for run in runs]
    spent = w.ask("SELECT sum(cost_nano) FROM attempts")[0][0]
    assert [e.status for e in ended] == [5] * 5 and spent <= 3_000_000_000, (ended, spent)
    ended = w.run("--month-budget", "$0.01", "--price", "$1/hr", "--", "true")
    assert ended.status == 5 and b"the budget of the month is spent; not started" in ended.err, ended


@test
def deadline(w):
    """a deadline: asked to save, ended, status 5"""
    w.write("saves.py", SAVES)
    ended = w.run("--deadline", "5s", "--", "python3", "saves.py", "0", "usr1")
    row = w.attempt()
    assert ended.status == 5 and (row["state"], row["reason"]) == ("stopped", "deadline"), (ended, tuple(row))
    assert row["elapsed_ns"] <= 5e9 and os.path.exists(w.path("saved-0")), row["elapsed_ns"]


# A save writes slowly to NAME.pt.tmp, which becomes NAME.pt when it is complete; one by itself at first if asked for.
SLOW_SAVES = """
import os, signal, sys, time
seconds, own = float(sys.argv[1]), sys.argv[2] == "own"
def save(*_):
    with open("model.pt.tmp", "wb", 0) as file:
        for _ in range(20):
            file.write(bytes(100_000))
            time.sleep(seconds / 20)
    os.rename("model.pt.tmp", "model.pt")
    open("saves", "a").write("saved\\n")
    if _ and "exit" in sys.argv[3:]: sys.exit(0)
signal.signal(signal.SIGUSR1, lambda *_: save(1))
if own: save()
open("ready", "w").close()
while True: time.sleep(0.05)
"""


@test
def reserve_seen(w):
    """an observed save shows how long the last one takes: 3 s of grace would cut it off"""
    w.write("saves.py", SLOW_SAVES)
    ended = w.run("--price", "$3600/hr", "--budget", "$32", "--summary", "result", "--", "python3", "saves.py", "6", "own")
    row = w.attempt()
    result = json.loads(read(w.path("result")))
    assert ended.status == 5 and row["cost_nano"] <= 32_000_000_000, (ended, row["cost_nano"])
    assert read(w.path("saves")) == b"saved\nsaved\n" and not os.path.exists(w.path("model.pt.tmp")), ended
    assert re.search(rb" are reserved for saving: a save took [56]\.", ended.err) and "reserve" in w.events(), ended
    assert row["save_s"] > 5.5 and row["reserve_s"] > 7, (row["save_s"], row["reserve_s"])
    assert result["reserve"] == row["reserve_s"] and result["reserve_why"].startswith("a save took "), result
    assert float(result["reserve_cost"]["amount"]) >= result["reserve"] - 0.001, result
    shown = w.end(w.start(STINT, "show", "last"))
    assert b"reserved for saving" in shown.out, shown


# As a callback does: it reports each save once it is complete, and listens for the request to save.
QUICK_SAVES = """
import json, os, socket, sys, time
memory = bytearray(400_000_000)
run = socket.socket(socket.AF_UNIX)
run.connect(os.environ["STINT_SOCKET"])
def say(**line): run.sendall((json.dumps(line) + "\\n").encode())
def save(step):
    folder = f"checkpoint-{step}"
    os.mkdir(folder)
    for name in ("adapter_model.safetensors", "optimizer.pt"):
        with open(f"{folder}/{name}", "wb") as file: file.write(bytes(2_000_000))
        time.sleep(0.1)
    say(checkpoint=folder)
say(stint="listen")
save(1)
for line in run.makefile("rb"):
    if json.loads(line)["stint"] == "save": break
save(2)
"""


@test
def reserve_reported(w):
    """saves that are too quick to be seen are measured by their files when the program reports them"""
    w.write("saves.py", QUICK_SAVES)
    for number, words in enumerate(([], ["--checkpoints", "."])): # files of the folder count later, when they have settled
        for old in ("checkpoint-1", "checkpoint-2"):
            shutil.rmtree(w.path(old), ignore_errors=True)
        ended = w.run("--price", "$3600/hr", "--budget", "$12", "--summary", f"result{number}", *words, "--", "python3", "saves.py")
        result = json.loads(read(w.path(f"result{number}")))
        assert ended.status == 5 and os.path.exists(w.path("checkpoint-2")), ended
        assert re.search(rb" are reserved for saving: a save took 0\.[12] s", ended.err), ended
        assert result["reserve_why"].startswith("a save took 0.") and result["reserve"] < 3, result


@test
def reserve_of_an_earlier_attempt(w):
    """the next attempt knows how long a save took, before it makes one"""
    w.write("saves.py", SLOW_SAVES)
    words = ["--name", "again", "--price", "$3600/hr", "--budget", "$60"]
    first = w.stint(*words, "--", "python3", "saves.py", "4", "own")
    wait_for("the first save", lambda: os.path.exists(w.path("ready")))
    wait_for("it in the ledger", lambda: (w.attempt()["save_s"] or 0) > 3)
    os.kill(first.pid, signal.SIGINT)
    w.end(first)
    second = w.run(*words[:4], "--budget", "$42", "--", "python3", "saves.py", "4", "none", "exit")
    assert second.status == 5 and read(w.path("saves")) == b"saved\nsaved\n", second
    assert b"a save of an earlier attempt took " in second.err, second


@test
def reserve_needs_a_catcher(w):
    """a program that catches no signal works until the limit: nothing is reserved, nothing is printed"""
    ended = w.run("--price", "$3600/hr", "--budget", "$8", "--summary", "result", "--", "sleep", "60")
    result = json.loads(read(w.path("result")))
    assert ended.status == 5 and result["reserve"] == 0 and b"reserved" not in ended.err, (ended, result)
    assert result["reserve_why"] == "nothing in it catches the save signal or SIGTERM", result


@test
def warned_with_amounts(w):
    """a warning says how much money and time are left"""
    ended = w.run("--price", "$3600/hr", "--budget", "$8", "--", "sleep", "60")
    assert re.search(rb"stint: 50 % of the budget is spent \(\$[45]\.\d\d of \$8\.00\): \$[34]\.\d\d and [34]s left\n", ended.err), ended


# Passes SIGUSR1 on to what it started, as mpirun does.
MPIRUN = """#!/usr/bin/python3
import signal, subprocess, sys
ranks = [subprocess.Popen(sys.argv[1:]) for _ in range(2)]
def forward(number, _):
    open("forwarded", "w").close()
    for rank in ranks: rank.send_signal(number)
signal.signal(signal.SIGUSR1, forward)
for rank in ranks: rank.wait()
"""


@test
def launcher(w):
    """mpirun passes SIGUSR1 on: it is not sent it when its ranks would die from it"""
    w.write("mpirun", MPIRUN, 0o755)
    ended = w.run("--deadline", "6s", "--", w.path("mpirun"), "sh", "-c", "sleep 60; touch survived-by-mistake")
    assert ended.status == 5 and not os.path.exists(w.path("forwarded")), ended
    assert "checkpoint-asked" not in w.events(), w.events()


@test
def launcher_of_catchers(w):
    """when its ranks catch SIGUSR1 it is sent: the launcher reaches them all"""
    w.write("mpirun", MPIRUN, 0o755)
    w.write("rank.py", "import os, signal, time\n"
            "signal.signal(signal.SIGUSR1, lambda *_: open(f'saved-{os.getpid()}', 'w').close())\nwhile True: time.sleep(0.05)")
    ended = w.run("--deadline", "9s", "--", w.path("mpirun"), "python3", "rank.py")
    saved = [name for name in os.listdir(w.dir) if name.startswith("saved-")]
    assert ended.status == 5 and os.path.exists(w.path("forwarded")) and len(saved) == 2, (ended, saved)


@test
def sigterm_ends_the_command(w):
    """SIGTERM to Stint ends the command and what it left behind, and nothing is charged after that"""
    process = w.stint("--price", "$3600/hr", "--grace", "3s", "--", *script(
        "import os, signal, subprocess, sys, time\n"
        "subprocess.Popen(['sh', '-c', 'trap \"\" TERM; echo $$ >orphan; while :; do sleep 0.1; done'], start_new_session=True)\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))\nopen('ready', 'w').close()\nwhile True: time.sleep(0.05)"))
    wait_for("the orphan", lambda: os.path.exists(w.path("ready")) and read(w.path("orphan")))
    process.terminate()
    ended = w.end(process)
    assert ended.status == 3 and not alive(int(read(w.path("orphan")))), ended
    assert b"stopping the processes it left behind" in ended.err and w.attempt()["state"] == "stopped", (ended, dict(w.attempt()))


@test
def sigterm_is_ignored(w):
    """a command that ignores SIGTERM is ended after the grace period"""
    process = w.stint("--grace", "2s", "--", *script(
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nopen('ready', 'w').close()\nwhile True: time.sleep(0.05)"))
    wait_for("the command", lambda: os.path.exists(w.path("ready")))
    process.terminate()
    ended = w.end(process)
    assert ended.status == -signal.SIGKILL and w.attempt()["reason"] == "user", (ended, dict(w.attempt()))


@test
def logged(w):
    """STINT_LOG=debug has each decision, once"""
    w.write("saves.py", SAVES)
    ended = w.run("--price", "$3600/hr", "--budget", "$10", "--", "python3", "saves.py", "0", "usr1", env={"STINT_LOG": "debug"})
    lines = [line.split(b" debug: ", 1)[1] for line in ended.err.splitlines() if b" debug: " in line]
    for start in (b"guard: budget ends the run in ", b"price: $3600.00/hr", b"program: can be asked to save", b"reserve: ",
                  b"disk: ", b"checkpoint-asked: SIGUSR1 was sent to 1 process", b"term: SIGTERM"):
        found = sum(line.startswith(start) for line in lines)
        assert found == 1 or (found > 0 and start in (b"reserve: ", b"disk: ")), (start, lines)
    assert len(lines) < 40, lines


@test
def begun_together(w):
    """two runs that start together do not warn of each other's cost"""
    runs = [w.stint("--name", f"r{i}", "--month-budget", "$1000", "--price", "$1/hr", "--", "sleep", "2") for i in range(4)]
    for ended in [w.end(run) for run in runs]:
        assert ended.status == 0 and b"is not known" not in ended.err, ended


@test
def socket_folder(w):
    """a folder that no socket can be made in is reported, with what to type"""
    if os.getuid() != 0:
        raise Skip("only root can run it as another user")
    in_the_way = f"/tmp/stint-{54321 + os.getpid() % 1000}"
    with open(in_the_way, "x", encoding="ascii"):
        pass
    try:
        user = in_the_way.rsplit("-", 1)[1]
        ended = w.end(w.start("setpriv", f"--reuid={user}", "--clear-groups", STINT, "run", "--no-gpu", "--no-ledger", "--",
                              "true", env={"XDG_RUNTIME_DIR": "/nowhere"}))
    finally:
        os.remove(in_the_way)
    assert ended.status == 0 and ended.err.count(b"warning: no socket") == 1, ended
    assert f"'{in_the_way}' is not a folder".encode() in ended.err and b"hint: set XDG_RUNTIME_DIR" in ended.err, ended


@test
def stale_sockets(w):
    """sockets of dead runs are removed, those in use are not"""
    stale = w.path("stint-01a1e4ae-65c8-7000-b439-6d6112487038.sock")
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(stale)
    ended = w.run("--", "true")
    assert ended.status == 0 and os.path.exists(stale), "it may be of one that is just starting"
    alive_one = socket.socket(socket.AF_UNIX)
    kept = w.path("stint-01a1e4ae-65c8-7000-b439-6d6112487039.sock")
    alive_one.bind(kept)
    alive_one.listen(1)
    time.sleep(11.5)
    ended = w.run("--", "true")
    alive_one.close()
    assert ended.status == 0 and not os.path.exists(stale) and os.path.exists(kept), os.listdir(w.dir)


@test
def deadline_command(w):
    """a checkpoint command is run instead of the signal"""
    w.write("saves.py", SAVES)
    ended = w.run("--deadline", "5s", "--checkpoint-command", "echo $STINT_EVENT $STINT_RUN_NAME >asked", "--name", "by-command",
                  "--", "python3", "saves.py", "0", "usr1")
    assert ended.status == 5 and read(w.path("asked")) == b"save by-command\n", ended
    assert not os.path.exists(w.path("saved-0")), "the signal was sent too"


@test
def other_signal(w):
    """--checkpoint-signal USR2 asks by that one; a shell above that does not catch it is not ended by it"""
    w.write("saves.py", SAVES.replace("signal.SIGUSR1", "signal.SIGUSR2"))
    ended = w.run("--deadline", "5s", "--checkpoint-signal", "USR2", "--", "sh", "-c", "python3 saves.py 0 usr1; true")
    assert ended.status == 5 and os.path.exists(w.path("saved-0")), ended


@test
def not_asked(w):
    """a program that ends by itself in time is not disturbed"""
    ended = w.run("--price", "$3600/hr", "--budget", "$50", "--deadline", "50s", "--idle", "50s", "--", "sh", "-c",
                  "sleep 2; exit 9")
    assert ended.status == 9 and not {"term", "kill", "checkpoint-asked"} & set(w.events()), (ended, w.events())


@test
def idle(w):
    """an idle run is ended"""
    ended = w.run("--idle", "2s", "--every", "200ms", "--", "sleep", "60")
    row = w.attempt()
    assert ended.status == 5 and (row["state"], row["reason"]) == ("stopped", "idle"), (ended, tuple(row))
    assert "idle-warning" in w.events(), w.events()


@test
def idle_warn(w):
    """or warned of, or another command is run"""
    threads = []

    def check(name, action, words):
        ended = w.run("--name", name, "--idle", "1s", "--every", "200ms", "--idle-do", action, "--", "sleep", "4")
        assert ended.status == 0 and words in ended.err, ended

    for name, action, words in (("warn", "warn", b"idle: "), ("command", "echo $STINT_EVENT >ran", b"running the command")):
        threads.append(threading.Thread(target=check, args=(name, action, words)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    assert {row["state"] for row in w.ask("SELECT state FROM attempts")} == {"done"}
    assert read(w.path("ran")) == b"idle\n"


@test
def busy(w):
    """a busy run is not idle"""
    ended = w.run("--idle", "1s", "--every", "200ms", "--idle-below", "1%", "--", *script(
        "import time\nwhile time.process_time() < 2: pass"))
    assert ended.status == 0, ended


@test
def busy_in_part(w):
    """one core of many is at work"""
    ended = w.run("--idle", "1s", "--every", "200ms", "--idle-below", "60%", "--", *script(
        "import time\nwhile time.process_time() < 2.5: pass"))
    assert ended.status == 0, ended
    # Behind other processes it hardly gets a processor, and waits for one.
    crowd = [subprocess.Popen([PYTHON, "-c", "import time\nend = time.time() + 9\nwhile time.time() < end: pass"])
             for _ in range(2 * os.cpu_count())]
    ended = w.run("--idle", "3s", "--every", "200ms", "--idle-below", "60%", "--deadline", "7s", "--",
                  "nice", "-n", "19", *script("while True: pass"))
    for other in crowd:
        other.wait()
    assert b"deadline" in ended.err, ended
    ended = w.run("--idle", "1s", "--every", "200ms", "--", *script("import time; time.sleep(60)"))
    assert ended.status == 5 and b"nothing was busy for as long as --idle allows" in ended.err, ended


@test
def rest_for_the_save(w):
    """a budget whose rest is reserved for the save says so; one that is spent, too"""
    w.write("saves.py", SAVES)
    ended = w.run("--price", "$3600/hr", "--budget", "$12", "--grace", "8s", "--", "python3", "saves.py", "0", "usr1,term")
    assert ended.status == 5 and re.search(rb"stopping to save: \$\d\.\d+ of \$12.00 spent, the rest is reserved for the save", ended.err), ended
    ended = w.run("--price", "$3600/hr", "--budget", "$3", "--", "sleep", "60")
    assert ended.status == 5 and b"budget reached ($" in ended.err and b"stopping to save" not in ended.err, ended


@test
def says_that_it_resumes(w):
    """the same name in the same folder says that it resumes that run"""
    first = w.run("--name", "again", "--price", "$3600/hr", "--", "sh", "-c", "sleep 1; exit 3")
    run = w.attempt()["id"]
    second = w.run("--name", "again", "--price", "$3600/hr", "--", "true")
    assert b"resuming" not in first.err and b"resuming run again (" + run[-8:].encode() + b"): attempt 2, after $" in second.err, (run, first, second)
    quiet = w.run("--name", "other", "--", "false"), w.run("--name", "other", "--quiet", "--", "true")
    assert b"resuming" not in quiet[1].err, quiet


@test
def needs_a_price(w):
    """a budget needs a price: a country is none, one's own machine has its electricity"""
    w.write("config/stint/config.yaml", "country: US\nbudget: 100USD\n")
    for option in ("--budget", "--month-budget"):
        ended = w.run(option, "$5", "--", "touch", "begun")
        assert ended.status == 2 and b"a budget needs a price" in ended.err and b"own_machine" in ended.err, ended
        assert not os.path.exists(w.path("begun")), option
    ended = w.run("--", "true")
    warnings = [line for line in ended.err.splitlines() if b"warning:" in line]
    assert ended.status == 0 and len(warnings) == 1 and b"the month's budget cannot stop this run" in warnings[0], ended
    assert b"--price" in warnings[0] and warnings[0].endswith(b"--electricity '0.30usd/kWh'"), ended  # it is not cut off
    w.write("config/stint/config.yaml", "country: US\nown_machine: true\n")
    ended = w.run("--budget", "$5", "--", "true")
    assert ended.status == 0 and b"electricity" in ended.err, ended


@test
def time_left_of_a_shared_budget(w):
    """the time that a shared budget lasts is that of all runs that spend from it"""
    processes = [w.stint("--name", f"job{i}", "--price", "$360/hr", "--month-budget", "$1.6", "--", "sleep", "60") for i in range(6)]
    ended = [w.end(process) for process in processes]
    left = [float(found) for one in ended for found in re.findall(rb"50 % of .*? and (\d+)(?:\.\d+)?s left", one.err)]
    minutes = [one.err for one in ended if re.search(rb"50 % of .* \d+min", one.err)]
    assert all(one.status == 5 for one in ended) and left and max(left) <= 10 and not minutes, (left, minutes, ended)


@test
def early(w):
    """early stopping by the metric that it prints"""
    ended = w.run("--early-stop", "val_loss:min,patience=3", "--", *script(
        "import time\nfor i in range(600):\n  print(f'epoch {i} val_loss: {max(1.0, 5 - i):.4f}', flush=True)\n"
        "  time.sleep(0.1)"))
    row = w.attempt()
    assert ended.status == 5 and (row["state"], row["reason"]) == ("stopped", "early-stop"), (ended, tuple(row))
    assert row["best"] == 1.0, row["best"]


@test
def diverged(w):
    """a loss that is not a number ends the run, unless that is allowed"""
    program = "import time\nfor i in range(40):\n  print(f'step {i} loss {2.0 - i / 10 if i < 5 else float(\"nan\")}'," \
              " flush=True)\n  time.sleep(0.05)"
    ended = w.run("--progress", "--", *script(program))
    row = w.attempt()
    assert ended.status == 5 and (row["state"], row["reason"]) == ("stopped", "divergence"), (ended, tuple(row))
    ended = w.run("--progress", "--keep-diverging", "--", *script(program))
    assert ended.status == 0, ended
    ended = w.run("--early-stop", "loss:min,patience=100", "--keep-diverging", "--", *script(program))
    assert ended.status == 0, ended
    both = w.run("--keep-diverging", "--stop-diverging", "--", "touch", "begun")
    assert both.status == 2 and not os.path.exists(w.path("begun")), both


LOSSES = ["loss_total:", "loss_D=", "Loss_G:", "losses.total:", "losses/total", "mean loss (train):", "loss (training) =", "loss_bbox:", "loss/dice",
          "loss_D 0.5 loss_G", "mse:", "Train MSE"]
NO_LOSSES = ["loss_scale:", "loss_weight:", "loss_val:", "loss_aux:", "loss_kl", "loss_grad", "loss (val):", "losses_test:", "loss_best", "val_mse:",
             "packet_loss_total", "loss 0.4 mse", "loss 0.4 loss_D", "kl_loss:", "train/aux_loss:", "router_z_loss=", "best loss:"]


@test
def other_names(w):
    """losses have many names; what is set, evaluated or only added on does not stop a run"""
    program = "import sys, time\nfor i in range(8):\n  print(f'step {i} {sys.argv[1]} {0.5 if i < 3 else float(\"nan\")}', flush=True)\n" \
              "  time.sleep(0.03)"
    for names, status in ((LOSSES, 5), (NO_LOSSES, 0)):
        runs = [(name, w.stint("--no-ledger", "--progress", "--", *script(program), name)) for name in names]
        for name, process in runs:
            ended = w.end(process)
            assert ended.status == status, (name, ended)


@test
def terms(w):
    """a term of the loss that is not finite is reported once; where lines of their own have the loss, parts of it are such terms"""
    program = "import sys, time\nfor i in range(12):\n  print(f'step {i} {sys.argv[1]} {0.5 if i < 3 else float(\"nan\")}', flush=True)\n" \
              "  if i % 5 == 0 and len(sys.argv) > 2: print(f'step {i} {sys.argv[2]} {sys.argv[3]}', flush=True)\n  time.sleep(0.03)"
    for name, other, status in (("kl_loss:", ["loss:", "0.4"], 0), ("vq_loss:", ["total loss:", "0.4"], 0), ("vq_loss:", [], 5),
                                ("kl_loss:", ["loss:", "1.#QNAN"], 5)):
        ended = w.run("--progress", "--", *script(program), name, *other)
        assert ended.status == status, (name, other, ended)
        assert ended.err.count(b"warning: " + name[:-1].encode() + b" is not a number; the run continues") == (status == 0 or name == "kl_loss:"), \
            (name, other, ended)


REPORTS = '''
import json, os, random, socket, sys, time
s = socket.socket(socket.AF_UNIX); s.connect(os.environ["STINT_SOCKET"])
def say(step, loss):
    if sys.argv[1] == "socket": s.sendall((json.dumps({"step": step, "loss": loss}) + "\\n").encode())
    elif sys.argv[1] == "file": print(json.dumps({"step": step, "loss": loss}), file=log, flush=True)
    else: print(f"step {step} loss {loss}", flush=True)
log = open(os.environ["STINT_RUN_NAME"] + ".jsonl", "a")
random.seed(int(sys.argv[2]))
for i in range(300):
    loss = 0.003 * (0.4 / 0.003) ** random.random() if sys.argv[3] == "noisy" else 400.0 if sys.argv[3] == "grows" and i >= 40 else 2.0
    say(i, float("nan") if sys.argv[3] == "nan" and i > 100 else loss); time.sleep(0.005)
time.sleep(1.5)
'''


@test
def growth(w):
    """a loss that grows is only reported, however it is read; --stop-diverging stops it"""
    w.write("reports.py", REPORTS)
    runs = [(way, kind, stops, w.stint("--name", f"{way}{kind}{stops}", *(["--progress"] if way == "output" else []),
                                       *(["--metrics-file", f"{way}{kind}{stops}.jsonl"] if way == "file" else []),
                                       *(["--stop-diverging"] if stops else []), "--", "python3", "reports.py", way, "7", kind))
            for way in ("output", "socket", "file") for kind, stops in (("noisy", False), ("grows", False), ("grows", True), ("nan", False))]
    for way, kind, stops, process in runs:
        ended = w.end(process)
        assert ended.status == (5 if stops or kind == "nan" else 0), (way, kind, stops, ended)
        assert (b"warning: the loss has grown from 2 to " in ended.err) == \
            (kind == "grows" and not stops), (way, kind, stops, ended)
        assert ended.err.count(b"the run continues") <= 1, ended


@test
def at_exit(w):
    """--on-exit runs when the record is closed; its failure is reported, the status stays the command's"""
    ended = w.run("--price", "$1/hr", "--name", "exits", "--on-exit",
                  "echo $STINT_EVENT $STINT_RUN_NAME $STINT_EVENT_TEXT; exit 9", "--", "sh", "-c", "exit 3")
    assert ended.status == 3 and b"exit exits failed" in ended.out + ended.err, ended
    assert b"--on-exit ended with status 9" in ended.err, ended
    ended = w.run("--deadline", "2s", "--on-exit", "echo $STINT_EVENT_TEXT >state", "--", "sleep", "60")
    assert ended.status == 5 and read(w.path("state")) == b"stopped\n", ended


@test
def hook_slow(w):
    """a hook that hangs does not keep the guards from acting"""
    ended = w.run("--price", "$3600/hr", "--budget", "$5", "--on-event", "sleep 2", "--", "sleep", "60")
    assert ended.status == 5 and w.attempt()["cost_nano"] <= 5_000_000_000, ended


@test
def checkpoints(w):
    """checkpoints are seen, recorded and pruned"""
    os.mkdir(w.path("out"))
    ended = w.run("--price", "$3600/hr", "--checkpoints", "out", "--keep", "2", "--", *script(
        "import os, struct, time\nhead = b'{\"x\":{\"dtype\":\"U8\",\"shape\":[9999],\"data_offsets\":[0,9999]}}'\n"
        "for i in range(1, 5):\n  os.mkdir(f'out/checkpoint-{i}00')\n"
        "  open(f'out/checkpoint-{i}00/model.safetensors', 'wb').write(struct.pack('<Q', len(head)) + head + b'x' * 9999)\n"
        "  time.sleep(0.8)\n"))
    assert ended.status == 0, ended
    rows = w.ask("SELECT * FROM checkpoints ORDER BY path")
    assert len(rows) == 4 and all(row["cost_nano"] > 0 for row in rows), [tuple(row) for row in rows]
    assert "checkpoint-400" in os.listdir(w.path("out")), os.listdir(w.path("out"))


@test
def killed_while_saving(w):
    """one that is ended in the middle of a save keeps the checkpoint before, whatever --keep says"""
    os.mkdir(w.path("out"))
    ended = w.run("--deadline", "4s", "--grace", "1s", "--checkpoints", "out", "--keep", "1", "--", *script(
        "import os, time\n"
        "def save(i): os.mkdir(f'out/checkpoint-{i}'); return open(f'out/checkpoint-{i}/pytorch_model.bin', 'ab', 0)\n"
        "save(1).write(b'x' * 9999)\ntime.sleep(1.5)\nf = save(2)\nwhile True: f.write(b'x'); time.sleep(0.1)\n"))
    assert ended.status == 5, ended
    assert sorted(os.listdir(w.path("out"))) == ["checkpoint-1", "checkpoint-2"], os.listdir(w.path("out"))


@test
def asked_to_stop(w):
    """stint stop: a checkpoint first, then SIGTERM; the status is the command's own"""
    job = w.stint("--name", "job", "--grace", "20s", "--progress", "--", *script(
        "import signal, sys, time\n"
        "signal.signal(signal.SIGUSR1, lambda *a: print('Saving checkpoint to out/c.pt', flush=True))\n"
        "signal.signal(signal.SIGTERM, lambda *a: sys.exit(0))\n"
        "print('step 1 loss 2', flush=True)\nwhile True: time.sleep(0.1)"))
    w.sampled()
    wait_for("its first step", lambda: w.attempt()["step"] == 1)
    asked = w.end(w.start(STINT, "stop", "job"))
    assert asked.status == 0 and asked.out.startswith(b"asked job to save and end"), asked
    ended = w.end(job)
    row = w.attempt()
    kinds = [kind for kind in w.events() if kind in ("user", "checkpoint-asked", "checkpoint", "term")]
    assert ended.status == 0 and (row["state"], row["reason"]) == ("stopped", "user"), (ended, dict(row))
    assert kinds == ["user", "checkpoint-asked", "checkpoint", "term"], kinds
    again = w.end(w.start(STINT, "stop", "job"))
    assert again.status != 0 and b"'job' is not running: it is stopped" in again.err, again


@test
def ledger_removed(w):
    """when the ledger is removed during a run, the run is recorded in a new one, with a warning"""
    ended = w.run("--", "sh", "-c", "sleep 0.5; rm -f \"$0\"*; exit 3", w.ledger)
    assert ended.status == 3 and b"was removed or replaced" in ended.err and b"stint show" in ended.err, ended
    assert w.attempt()["state"] == "failed", dict(w.attempt())


@test
def ledger_replaced(w):
    """the same when another file replaces it"""
    ended = w.run("--", "sh", "-c", "sleep 0.5; mv \"$0\" away; touch \"$0\"; exit 3", w.ledger)
    assert ended.status == 3 and b"was removed or replaced" in ended.err and b"stint show" in ended.err, ended
    assert w.attempt()["state"] == "failed", dict(w.attempt())


main(8)
