#!/usr/bin/python3
"""Ctrl-C, SIGTERM and SIGHUP at any moment: every long command ends, leaves no file behind, and the ledger is as it was or as it was to be.

interrupt.py STINT [FILTER]. Prints TAP.
"""
import json
import os
import random
import shutil
import signal
import subprocess
import time

from harness import LONG, STINT, Skip, main, test, wait_for

SEED = int(os.environ.get("STINT_TEST_SEED", "1"))
RISK = ("spot", "risk", "--mtbf", "4h", "--work", "1000h", "--deadline", "1200h", "--spot", "1usd/hr", "--on-demand", "3usd/hr", "--runs", "55555")
SWEEP = ("simulate", "llama-3.1-8b", "--set", "method=lora", "--set", "data.tokens=30B", "--offer", "aws/p5.48xlarge", "--synthetic", "100000",
         "--deadline", "2000h")
# They take minutes.
LONGEST = [RISK, (*SWEEP, "--policy", "stint"), (*SWEEP, "--policy", "optimal")]
# They take moments with the ledger of the demo, and write where they say.
WRITERS = [("plan", "llama-3.1-8b", "gpt2", "bert-base", "--tokens", "10M", "--queue"),
           ("plan", "llama-3.1-8b", "--tokens", "10M", "--save", "plan.json", "--svg", "plan.svg"),
           ("commitments", "--since", "90d"), ("forecast",), ("advise",), ("anomalies", "--by", "team"), ("reconcile",),
           ("report", "--month", "last", "-o", "report"), ("report", "last", "-o", "report"), ("statement", "--csv", "statement.csv"),
           ("export", "focus.csv", "--focus"), ("export", "account.csv", "--csv"), ("ledger", "copy", "demo/ledger.db", "copy.db")]
COLUMNS = ("BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargeCategory,"
           "ChargePeriodStart,ChargePeriodEnd,ProviderName,ServiceName,ResourceId,Tags")


def make_demo(w):
    assert w.end(w.start(STINT, "demo", "demo")).status == 0
    w.ledger = w.env["STINT_LEDGER"] = w.path("demo", "ledger.db")


def files(w):
    """All files, but for those that belong to ledgers."""
    return {os.path.join(folder, name)[len(w.dir):] for folder, _, names in os.walk(w.dir) for name in names
            if not name.startswith("ledger.db")}


def interrupted(w, moment, *words, by=signal.SIGINT):
    """The command, interrupted after so many seconds."""
    process = w.start(STINT, *words)
    time.sleep(moment)
    process.send_signal(by)
    ended = w.end(process)
    assert ended.status in ((0, 130, -by) if by == signal.SIGINT else (0, -by)), (words, moment, ended)
    return ended


def is_well(w, ledger=None):
    seen = w.end(w.start(STINT, "ledger", "doctor", *(("--ledger", ledger) if ledger else ())))
    assert seen.status == 0, seen


@test
def what_takes_minutes(w):
    """What would take minutes ends when Ctrl-C is pressed, with the status of that"""
    draw = random.Random(SEED)
    for words in LONGEST:
        for least in (0, 0.3, 1):
            ended = interrupted(w, least + 0.4 * draw.random(), *words)
            assert ended.status != 0 and not ended.out, (words, ended)


@test
def nothing_is_left_behind(w):
    """Whatever a command is about to write is complete, or not there"""
    make_demo(w)
    draw = random.Random(SEED)
    stopped = 0
    for words in WRITERS:
        begun = time.monotonic()
        before = files(w)
        complete = w.end(w.start(STINT, *words))
        took = time.monotonic() - begun
        assert complete.status == 0, (words, complete)
        made = files(w) - before
        for _ in range(5):
            for name in made & files(w):
                os.unlink(w.dir + name)
            shutil.rmtree(w.path("report"), ignore_errors=True)
            ended = interrupted(w, took * draw.random(), *words, by=draw.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)))
            left = files(w) - before
            stopped += ended.status != 0
            assert left <= made and not [name for name in left if name.endswith(".tmp")], (words, ended, left, made)
            assert ended.status != 0 or left == made, (words, ended, left, made)
    assert stopped > 10, stopped
    is_well(w)


def write_bill(w, lines):
    rows = [COLUMNS]
    for i in range(lines):
        day = "2026-09-%02dT00:00:00Z"
        rows.append(f"0.25,0.25,4444,USD,2026-09-01T00:00:00Z,2026-10-01T00:00:00Z,Usage,{day % (i % 29 + 1)},{day % (i % 29 + 2)},AWS,"
                    f"Amazon Elastic Compute Cloud,i-{i % 20000:08x},\"{{\"\"experiment\"\":\"\"e{i % 20000}\"\"}}\"")
    return w.write("bill.csv", "\n".join(rows) + "\n")


@test
def imports(w):
    """A bill is imported completely or not at all; a ledger that was made for it is removed again"""
    draw = random.Random(SEED)
    bill = write_bill(w, 60000)
    begun = time.monotonic()
    assert w.end(w.start(STINT, "import", bill)).status == 0
    took = time.monotonic() - begun

    def billed():
        bills = json.loads(w.end(w.start(STINT, "bills", "--json")).out)["bills"]
        return [(b["lines"], b["billed"]["amount"]) for b in bills]

    complete = billed()
    assert complete == [(60000, "15000.00")], complete
    for _ in range(6):
        for name in os.listdir(w.dir):
            if name.startswith("ledger.db"):
                os.unlink(w.path(name))
        ended = interrupted(w, took * draw.random(), "import", bill)
        if ended.status == 0:
            assert billed() == complete, billed()
        else:
            assert not os.path.exists(w.ledger), ended
    assert w.end(w.start(STINT, "import", bill)).status == 0 and billed() == complete, billed()
    for _ in range(6):  # once more, over the one that is there
        interrupted(w, took * draw.random(), "import", bill, "--replace")
        assert billed() == complete, billed()
    is_well(w)


@test
def a_server_that_does_not_answer(w):
    """A query that PostgreSQL takes long for ends on both sides: the command at once, the database when it sees that it has left"""
    command = ["sh", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ledger", "postgres.sh")]
    if not shutil.which("psql"):
        raise Skip("there is no psql")
    folder = w.path("pg")
    os.mkdir(folder)
    begun = subprocess.run([*command, "start", folder], capture_output=True, text=True, check=False, timeout=4 * LONG)
    if begun.returncode == 77:
        raise Skip(begun.stderr.strip())
    assert begun.returncode == 0, begun
    try:
        address = w.env["STINT_LEDGER"] = "postgres://test@" + folder.replace("/", "%2F") + "/postgres"
        assert w.end(w.start(STINT, "ledger", "init")).status == 0

        def ask(sql):
            return w.end(w.start("psql", "-XAtc", sql, address)).out.decode().strip()

        if int(ask("SHOW server_version_num")) < 140000:
            raise Skip("PostgreSQL before 14 does not see that a client has left")
        lock = w.start("psql", "-XAtq", address, stdin=subprocess.PIPE)
        lock.stdin.write(b"BEGIN; LOCK TABLE stint.runs, stint.attempts; SELECT 'locked';\n")
        lock.stdin.flush()
        assert lock.stdout.readline().strip() == b"locked"
        waits = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'stint' AND wait_event_type = 'Lock'"
        for words in (("runs",), ("costs", "--from", "runs")):
            process = w.start(STINT, *words)
            wait_for("the query to wait", lambda: ask(waits) == "1")
            process.send_signal(signal.SIGINT)
            ended = w.end(process)
            assert ended.status in (130, -signal.SIGINT), ended
            wait_for("the database to give up", lambda: ask(waits) == "0")
        w.end(lock, b"ROLLBACK;\n")
        assert w.end(w.start(STINT, "runs")).status == 0
    finally:
        subprocess.run([*command, "stop", folder], capture_output=True, check=False)


main(2)
