#!/usr/bin/python3
"""Runs on one machine pay for it once: together, inside each other, by the GPUs each can use, and when one is killed."""
import json
import os
import signal

from devices import Cards
from harness import STINT, Skip, main, script, test, wait_for

RATE = 3.6e9  # nano-dollars an hour: $3.60
A_SECOND = RATE / 3600

# Reports that it has started, and exits when asked.
WAITS = script("""
import os, sys, time
open(sys.argv[1], "w").close()
while not os.path.exists("leave"): time.sleep(0.02)
""")


def attempts(w):
    return w.ask("SELECT attempts.*, id, name FROM attempts JOIN runs USING (run) ORDER BY attempt")


def waiting(w, name, *words, **how):
    """A run that has started and waits."""
    run = w.start(STINT, "run", "--price", "$3.60/hr", "--name", name, *words, "--", *WAITS, name + ".begun", **how)
    wait_for(name, lambda: os.path.exists(w.path(name + ".begun")))
    return run


@test
def together(w):
    """twenty runs of a second cost what the machine costs while any of them runs"""
    runs = [w.stint("--price", "$3.60/hr", "--json", "--", "sleep", "1") for _ in range(20)]
    results = [json.loads(w.end(run).out) for run in runs]
    total = sum(float(result["cost"]["amount"]) for result in results) * 1e9
    spans = [result["elapsed"] for result in results]
    # Any of them ran for at least as long as the longest; the lists of who was there say the rest (test_machine_share).
    assert A_SECOND * max(spans) * 0.999 <= total < A_SECOND * sum(spans) * 0.7, (total, spans)
    assert abs(total - sum(result["share"] * result["elapsed"] for result in results) * A_SECOND) <= 1000, (total, results)
    assert max(result["sharers"] for result in results) > 5, [result["sharers"] for result in results]
    assert all(result["rate"]["amount"] == "3.6" and result["pays"] == "machine" for result in results), results


@test
def union(w):
    """two that overlap: the sum is the time from the first start to the last end, to a nanosecond"""
    first = waiting(w, "first", "--no-gpu")
    second = waiting(w, "second", "--no-gpu")
    w.write("leave", "")
    assert w.end(first).status == 0 and w.end(second).status == 0
    rows = attempts(w)
    paid, spans = [row["paid_ns"] for row in rows], [row["elapsed_ns"] for row in rows]
    # Both pay half while both are there, and all of it alone: neither more than its time nor less than half.
    assert all(span / 2 - 1 <= part <= span + 1 for part, span in zip(paid, spans)), (paid, spans)
    assert sum(paid) <= sum(spans) - min(spans) // 2, (paid, spans)
    assert all(row["pays"] == "machine" for row in rows) and max(row["sharers_most"] for row in rows) == 2, [dict(row) for row in rows]


@test
def covered(w):
    """all runs within the time of one: what they pay together is that time, to a nanosecond each"""
    longest = waiting(w, "longest", "--no-gpu")
    for _ in range(3):
        runs = [w.stint("--price", "$3.60/hr", "--", "sleep", "0.2") for _ in range(4)]
        assert [w.end(run).status for run in runs] == [0] * 4
    w.write("leave", "")
    assert w.end(longest).status == 0
    rows = attempts(w)
    longest = [row["elapsed_ns"] for row in rows if row["name"] == "longest"][0]
    assert len(rows) == 13 and abs(sum(row["paid_ns"] for row in rows) - longest) <= 13, (longest, [row["paid_ns"] for row in rows])
    assert abs(sum(row["cost_nano"] for row in rows) - longest * A_SECOND / 1e9) <= 14, longest


@test
def users(w):
    """runs of different users, with ledgers of their own, divide one machine"""
    if os.getuid() != 0:
        raise Skip("only root can start a run as another user")
    os.mkdir(w.path("theirs"))
    os.chown(w.path("theirs"), 65534, 65534)
    first = waiting(w, "first", "--no-gpu")
    second = w.start(STINT, "run", "--no-gpu", "--price", "$3.60/hr", "--ledger", w.path("theirs", "ledger.db"), "--json", "--", "sleep", "0.5",
                     user=65534, group=65534, env={"HOME": w.path("theirs"), "XDG_RUNTIME_DIR": w.path("theirs")}, cwd=w.path("theirs"))
    ended = w.end(second)
    if ended.status in (126, 127) or b"Permission denied" in ended.err:
        raise Skip("another user cannot run this build")
    w.write("leave", "")
    assert w.end(first).status == 0
    theirs = json.loads(ended.out)
    assert theirs["sharers"] == 2 and 0.45 < theirs["share"] < 0.55, theirs
    ours = attempts(w)[0]
    assert abs(ours["paid_ns"] + theirs["share"] * theirs["elapsed"] * 1e9 - ours["elapsed_ns"]) < 100, (dict(ours), theirs)


@test
def nested(w):
    """a run inside a run pays nothing, and the outer one pays for all"""
    ended = w.run("--price", "$3.60/hr", "--name", "outer", "--", STINT, "run", "--no-gpu", "--price", "$3.60/hr", "--name", "inner",
                  "--", "sleep", "0.3")
    assert ended.status == 0, ended
    inner, outer = sorted(attempts(w), key=lambda row: row["name"])
    assert inner["cost_nano"] == 0 and inner["pays"] == "inside", dict(inner)
    assert abs(outer["cost_nano"] - outer["elapsed_ns"] / 1e9 * A_SECOND) <= 1 and outer["sharers_most"] == 1, dict(outer)
    assert b"paid by the run that it is inside of" in ended.err, ended
    # The environment of a run that is over is ignored.
    late = w.run("--price", "$3.60/hr", "--name", "late", "--", "sleep", "0.1", env={"STINT_RUN_ID": outer["id"]})
    assert late.status == 0
    late = [row for row in attempts(w) if row["name"] == "late"][0]
    assert late["cost_nano"] > 0 and late["pays"] == "machine", dict(late)


@test
def fixed(w):
    """--share: a part of the price, whatever others do; the others divide the rest"""
    free = waiting(w, "free", "--no-gpu")
    part = w.run("--price", "$3.60/hr", "--name", "part", "--share", "1/4", "--", "sleep", "0.4")
    assert b"25 % of it" in part.err, part
    w.write("leave", "")
    w.end(free)
    by_name = {row["name"]: row for row in attempts(w)}
    row = by_name["part"]
    assert row["pays"] == "fixed" and abs(row["paid_ns"] - row["elapsed_ns"] / 4) <= 1, dict(row)
    assert abs(by_name["free"]["paid_ns"] - (by_name["free"]["elapsed_ns"] - row["paid_ns"])) <= 2, dict(by_name["free"])


@test
def by_gpus(w):
    """eight one-GPU jobs on a machine with eight GPUs cost one machine, an eighth each"""
    cards = Cards(w, 8)
    for card in range(8):  # with several models CUDA's numbers would be ambiguous
        cards.say(card, name="NVIDIA Test")
    runs = [waiting(w, f"job{i}", "--every", "100ms", env={"CUDA_VISIBLE_DEVICES": str(i)}) for i in range(8)]
    wait_for("shares", lambda: [row["share"] for row in attempts(w)] == [0.125] * 8)
    top = json.loads(w.end(w.start(STINT, "top", "--once", "--json")).out)
    assert top["rate"]["amount"] == "3.6", top["rate"]
    assert {run["rate"]["amount"] for run in top["runs"]} == {"0.45"} and {run["sharers"] for run in top["runs"]} == {8}, top
    detail = w.end(w.start(STINT, "top", "--once", "--run", "job3")).out
    assert b"$0.45/hr of $3.60/hr, shared by 8 runs: 13 % of it" in detail, detail
    shown = w.end(w.start(STINT, "show", "job3")).out
    assert b"$3.60/hr, shared by 8 runs: 13 % of it" in shown, shown
    # One that can use all of them takes half of what they cost together.
    all_gpus = waiting(w, "all", "--every", "100ms")
    wait_for("its share", lambda: attempts(w)[-1]["share"] == 0.5)
    w.write("leave", "")
    for run in (*runs, all_gpus):
        assert w.end(run).status == 0


@test
def killed(w):
    """a supervisor that is killed pays no longer; the others pay for its part"""
    stays = waiting(w, "stays", "--no-gpu", "--every", "100ms")
    goes = waiting(w, "goes", "--no-gpu", "--every", "100ms", "--if-killed", "leave")
    wait_for("halves", lambda: [row["share"] for row in attempts(w)] == [0.5, 0.5])
    os.kill(goes.pid, signal.SIGKILL)
    wait_for("all of it", lambda: attempts(w)[0]["share"] == 1)
    w.write("leave", "")
    assert w.end(stays).status == 0
    first, second = attempts(w)
    # Together they have paid for the time of the one that was there all along, except for the last moments of the other.
    assert abs(first["paid_ns"] + second["paid_ns"] - first["elapsed_ns"]) < 3e8, (dict(first), dict(second))


@test
def budget(w):
    """a budget holds when another run ends and the share rises"""
    other = waiting(w, "other", "--no-gpu")
    run = w.start(STINT, "run", "--no-gpu", "--every", "100ms", "--price", "$3600/hr", "--budget", "$4", "--name", "limited", "--", *WAITS,
                  "limited.begun")
    wait_for("its share", lambda: [row["share"] for row in attempts(w) if row["name"] == "limited"] == [0.5])
    os.kill(other.pid, signal.SIGKILL)
    ended = w.end(run)
    row = [row for row in attempts(w) if row["name"] == "limited"][0]
    assert ended.status == 5 and row["reason"] == "budget", (ended, dict(row))
    assert 1.5e9 < row["cost_nano"] <= 4e9 and row["elapsed_ns"] < 8e9, dict(row)


@test
def month(w):
    """with a budget of the month, too, a run is one run on its machine"""
    ended = w.run("--price", "$3.60/hr", "--month-budget", "$5", "--", "sleep", "0.3")
    row = attempts(w)[0]
    assert ended.status == 0 and row["sharers_most"] == 1 and abs(row["paid_ns"] - row["elapsed_ns"]) <= 1, (ended, dict(row))


@test
def no_list(w):
    """without a list of runs it pays in full, with one warning"""
    ended = w.run("--price", "$3.60/hr", "--", "sleep", "0.2", env={"STINT_MACHINE_DIR": "/proc/nowhere"})
    row = attempts(w)[0]
    assert ended.status == 0 and ended.err.count(b"pays for the machine in full") == 1, ended
    assert abs(row["cost_nano"] - row["elapsed_ns"] / 1e9 * A_SECOND) <= 1, dict(row)


@test
def broken_list(w):
    """a damaged list of runs is started again or left alone; nothing is lost"""
    w.run("--price", "$3.60/hr", "--", "true")
    name = [entry for entry in os.listdir(w.dir) if entry.startswith("stint-runs-")][0]
    size = os.path.getsize(w.path(name))
    for nonsense in (b"", b"x" * 10, b"\xff" * size, os.urandom(size), b"\0" * 10**6):
        with open(w.path(name), "wb") as file:
            file.write(nonsense)
        ended = w.run("--price", "$3.60/hr", "--name", "again", "--", "sleep", "0.05")
        row = attempts(w)[-1]
        assert ended.status == 0 and abs(row["cost_nano"] - row["elapsed_ns"] / 1e9 * A_SECOND) <= 1, (ended, dict(row))


@test
def clocks(w):
    """changes of the calendar clock change nothing"""
    first = waiting(w, "first", "--no-gpu", env={"STINT_NOW": "2026-01-01"})
    second = waiting(w, "second", "--no-gpu", env={"STINT_NOW": "2031-01-01"})
    w.write("leave", "")
    assert w.end(first).status == 0 and w.end(second).status == 0
    rows = attempts(w)
    assert all(row["elapsed_ns"] * 0.49 < row["paid_ns"] < row["elapsed_ns"] for row in rows), [dict(row) for row in rows]


if __name__ == "__main__":
    main()
