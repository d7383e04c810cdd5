"""run_budget.py STINT SAVER RUNS AT_ONCE LEAST_S MOST_S: budgeted runs of a program that saves in 2 s.

Each run's budget buys between LEAST_S and MOST_S seconds. Read from the ledger and from --json, which must agree:
does any cost exceed its budget, how much of the budgets stays unused, was each save done in time?"""
import concurrent.futures
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

KINDS = ("usr1", "exit", "term")
CENTS_A_SECOND = 1  # $36/hr


def one(stint, saver, folder, number, seconds):
    kind = KINDS[number % len(KINDS)]
    saved = os.path.join(folder, f"saved-{number}")
    budget = round(seconds * CENTS_A_SECOND / 100, 6)
    done = subprocess.run(
        [stint, "run", "--json", "--no-gpu", "--name", f"run-{number}", "--price", "$36/hr", "--share", "all", "--budget",
         f"${budget:.6f}", "--", saver, kind, saved],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    result = json.loads(done.stdout)
    return {"kind": kind, "budget": budget, "cost": float(result["cost"]["amount"]), "status": done.returncode,
            "id": result["id"], "saved": os.path.exists(saved)}


def ledger_costs(path):
    with sqlite3.connect(path) as ledger:
        return dict(ledger.execute("SELECT id, sum(cost_nano) FROM runs JOIN attempts USING (run) GROUP BY id"))


def main():
    stint, saver = sys.argv[1:3]
    runs, at_once, least, most = (int(word) for word in sys.argv[3:7])
    random.seed(7)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["STINT_LEDGER"] = os.path.join(folder, "ledger.db")
        lengths = [random.uniform(least, most) for _ in range(runs)]
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            jobs = [pool.submit(one, stint, saver, folder, i, lengths[i]) for i in range(runs)]
            rows = [job.result() for job in jobs]
        recorded = ledger_costs(os.environ["STINT_LEDGER"])
    for row in rows:
        if recorded[row["id"]] != round(row["cost"] * 1e9):
            sys.exit(f"the ledger has another cost than --json: {recorded[row['id']]} nano-dollars, {row}")
    report(rows)


def report(rows):
    for kind in (*KINDS, "all"):
        some = [row for row in rows if kind in (row["kind"], "all")]
        if not some:
            continue
        used = [100 * row["cost"] / row["budget"] for row in some]
        print(f"{kind:4} {len(some):3} runs: at most {max(used):.3f} % of the budget, unused "
              f"{100 - sum(used) / len(used):.3f} % on average ({100 - max(used):.2f} to {100 - min(used):.2f}); "
              f"{sum(row['saved'] for row in some)} saved in time, {sum(row['status'] == 5 for row in some)} ended with 5")


main()
