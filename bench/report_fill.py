"""report_fill.py LEDGER RUNS: add that many runs of October 2026, and a tenth as many before, to a ledger that is there; and one
with everything that meters record, "measured"."""
import random
import sqlite3
import sys

DAY = 86400
OCTOBER = 1790812800  # 2026-10-01 UTC
GPUS = (("NVIDIA H100 80GB HBM3", "aws/us-east-1/p5.48xlarge", 12.29), ("NVIDIA A100-SXM4-80GB", "gcp/us-central1/a2-ultragpu-1g", 5.07),
        ("NVIDIA A10G", "aws/us-east-1/g5.xlarge", 1.006), ("NVIDIA L4", "gcp/us-central1/g2-standard-4", 0.71),
        ("NVIDIA GeForce RTX 4090", "runpod/-/rtx4090", 0.69))
TEAMS = ("vision", "search", "nlp", "ads", "robotics", "platform")


def rows(count, first, days, number):
    """The rows of runs, attempts and tags."""
    for i in range(number, number + count):
        gpu, offer, rate = GPUS[min(int(random.expovariate(0.7)), 4)]
        team = TEAMS[min(int(random.expovariate(0.6)), 5)]
        started = first + int(random.random() * days * DAY)
        elapsed = int(random.lognormvariate(6.5, 1))
        cost = int(rate * elapsed / 3600 * 1e9)
        run = (i, f"019d{i >> 16:04x}-{i & 0xffff:04x}-7000-8000-{random.getrandbits(48):012x}", f"{team}-{i % 97}", "/w",
               f"python train.py --seed {i % 1000}", "ann", "", started, 1)
        attempt = (i, i, 1, "done" if i % 11 else "failed", 0, started, started + elapsed, "h", "", offer, "spot" if i % 3 else "on-demand", "", int(rate * 1e9),
                   started + elapsed, elapsed * 10**9, cost, cost, random.random(), 1, gpu)
        tags = ((i, "team", team), (i, "project", f"{team}-{i % 7}"))
        yield run, attempt, tags


def add_measured(ledger, number):
    """A run whose report has all panels."""
    ledger.execute("INSERT INTO runs(run, id, name, folder, command, owner, commit_id, started, attempts) VALUES (?,?,?,?,?,?,?,?,?)",
                   (number, "019d9999-0000-7000-8000-000000000001", "measured", "/w", "python train.py", "ann", "", OCTOBER, 1))
    ledger.execute("INSERT INTO attempts(attempt, run, number, state, status, started, ended, host, boot, offer, market, price_source, rate_nano, at,"
                   " elapsed_ns, cost_nano, compute_nano, joules, energy_method, energy_error, grams, cpu_s, memory_peak, gpu_busy,"
                   " gpu_memory_peak, gpu_memory_total, gpus, gpu, score, seed_score)"
                   " VALUES (?,?,1,'done',0,?,?,'h','','aws/us-east-1/g5.xlarge','on-demand','list',?,?,?,?,?,?,'counter',0.05,?,?,?,0.8,?,?,1,"
                   "'NVIDIA A10G',61,70)",
                   (number, number, OCTOBER, OCTOBER + 36000, 1006000000, OCTOBER + 36000, 36000 * 10**9, 10060000000, 10060000000, 5.4e6, 570.0,
                    72000.0, 6.5e9, 9.5e9, 24e9))


def main():
    random.seed(7)
    count = int(sys.argv[2])
    ledger = sqlite3.connect(sys.argv[1])
    number = ledger.execute("SELECT max(coalesce((SELECT max(run) FROM runs), 0), coalesce((SELECT max(attempt) FROM attempts), 0))").fetchone()[0] + 1
    for many, first, days in ((count, OCTOBER, 31), (count // 10, OCTOBER - 120 * DAY, 120)):
        for run, attempt, tags in rows(many, first, days, number):
            ledger.execute("INSERT INTO runs(run, id, name, folder, command, owner, commit_id, started, attempts) VALUES (?,?,?,?,?,?,?,?,?)", run)
            ledger.execute("INSERT INTO attempts(attempt, run, number, state, status, started, ended, host, boot, offer, market, price_source, rate_nano, at,"
                           " elapsed_ns, cost_nano, compute_nano, gpu_busy, gpus, gpu) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", attempt)
            ledger.executemany("INSERT INTO tags VALUES (?,?,?)", tags)
        number += many
    add_measured(ledger, number)
    ledger.commit()


main()
