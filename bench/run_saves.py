"""run_saves.py STINT GROWER SLOW_DISK RUNS AT_ONCE LEAST_S MOST_S LONG_RUNS: the last save of budgeted runs.

Programs whose save takes 0.1 to 20 s, by the memory they hold, on a simulated slow disk (a library that delays write());
two thirds make saves of their own before, one third none. LONG_RUNS of them have budgets for five minutes. The budgets
of the others buy LEAST_S to MOST_S seconds, or four times what saving takes. Was a save completed within what was
reserved at the end (one that Stint asked for, or one of the program's own that was under way), was any cost above its budget, was more left unused than was reserved?"""
import concurrent.futures
import json
import math
import os
import random
import subprocess
import sys
import tempfile

KINDS = ("usr1", "exit", "term")
DOLLARS_A_SECOND = 0.01  # $36/hr


def draw(number, long_runs, least, most):
    """One run: what it is, drawn at random."""
    saves = 0 if number % 3 == 0 and number >= long_runs else random.choice((1, 2, 4))
    save_s = math.exp(random.uniform(math.log(0.1), math.log(20)))
    rate = random.uniform(1e6, 4e6)
    end = save_s * rate
    seconds = random.uniform(300, 330) if number < long_runs else max(random.uniform(least, most), 4 * save_s + 12)
    return {"number": number, "kind": KINDS[number % 3 if number % 2 else random.randrange(3)], "saves": saves,
            "save_s": save_s, "rate": rate, "start_kb": max(8, int(end * random.uniform(0.3, 1) / 1024)),
            "end_kb": max(8, int(end / 1024)), "seconds": seconds, "long": number < long_runs,
            "watched": random.random() < 0.5}


def complete(path, due):
    """How many saves were asked for; was the last of them completed, or any after `due`; is there a complete one?"""
    asked, done, last = 0, False, ""
    try:
        with open(path + ".log", encoding="ascii") as log:
            for line in log:
                word, at = line.split()[:2]
                asked += word == "asked"
                done = done or (word == "saved" and (last == "asked" or float(at) >= due))
                last = word
        with open(path, "rb") as file:
            intact = int.from_bytes(file.read(8), "little") == os.path.getsize(path)
    except FileNotFoundError:
        intact = False
    return asked, done and intact, intact


def one(stint, grower, shim, folder, run):
    place = os.path.join(folder, f"run-{run['number']}")
    os.mkdir(place)
    budget = round(run["seconds"] * DOLLARS_A_SECOND, 6)
    path = os.path.join(place, "model.pt")
    words = [stint, "run", "--json", "--no-gpu", "--name", f"run-{run['number']}", "--price", "$36/hr", "--share", "all",
             "--budget", f"${budget:.6f}"] + (["--checkpoints", place] if run["watched"] else [])
    done = subprocess.run(
        words + ["--", grower, run["kind"], path, str(run["start_kb"]), str(run["end_kb"]), f"{run['seconds']:.1f}",
                 str(run["saves"])],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, cwd=place,
        env={**os.environ, "LD_PRELOAD": shim, "BENCH_DISK": place, "BENCH_DISK_RATE": f"{run['rate']:.0f}"})
    result = json.loads(done.stdout)
    # The program's clock starts a moment after the run's.
    asked, last, intact = complete(path, run["seconds"] - float(result["reserve"] or 0) - 0.5)
    for name in (path, path + ".tmp"):
        if os.path.exists(name):
            os.remove(name)
    return {**run, "budget": budget, "cost": float(result["cost"]["amount"]), "status": done.returncode, "asked": asked,
            "last": last, "intact": intact, "reserve": float((result["reserve_cost"] or {"amount": 0})["amount"]),
            "why": result["reserve_why"], "announced": b"reserved for saving" in done.stderr,
            "elapsed": result["elapsed_s"] if "elapsed_s" in result else None, "err": done.stderr.decode()}


def report(name, rows):
    if not rows:
        return
    used = [100 * row["cost"] / row["budget"] for row in rows]
    over = sum(row["cost"] > row["budget"] for row in rows)
    beyond = sum(row["budget"] - row["cost"] > row["reserve"] + 1e-9 for row in rows)
    print(f"{name:28} {len(rows):3} runs: {over} over budget, {sum(row['last'] for row in rows)} saved at the end "
          f"({100 * sum(row['last'] for row in rows) / len(rows):.1f} %), {sum(row['intact'] for row in rows)} with a complete "
          f"checkpoint, unused {100 - sum(used) / len(used):.2f} % on average, {100 - min(used):.2f} % at most; {beyond} left more "
          f"unused than was reserved; {sum(row['announced'] for row in rows)} announced it, {sum(row['status'] == 5 for row in rows)} "
          "ended with 5")


def main():
    stint, grower, shim = (os.path.abspath(word) for word in sys.argv[1:4])
    runs, at_once, least, most, long_runs = (int(word) for word in sys.argv[4:9])
    random.seed(17)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["STINT_LEDGER"] = os.path.join(folder, "ledger.db")
        plans = [draw(i, long_runs, least, most) for i in range(runs)]
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            jobs = [pool.submit(one, stint, grower, shim, folder, plan) for plan in plans]
            rows = [job.result() for job in jobs]
    report("no earlier save", [row for row in rows if row["saves"] == 0])
    report("an earlier save", [row for row in rows if row["saves"] > 0 and not row["long"]])
    report("an earlier save, 5 minutes", [row for row in rows if row["long"]])
    report("all", rows)
    for row in rows:
        if not row["last"] or row["cost"] > row["budget"]:
            print("  missed:", {key: value for key, value in row.items() if key != "err"}, row["err"][-1200:], file=sys.stderr)


main()
