#!/usr/bin/env python3
"""Load on a server: load.py BUILD_FOLDER SCRATCH.

A server whose delays are known, and that stalls, logs each token that it sends (tests/load/mock.c); the client's times are compared with
its log at growing rates. Then what a response costs the client, beside wrk. Client and server share two processors. On a machine that
does other work the client is late, and says so."""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request

BUILD = os.path.abspath(sys.argv[1])
SCRATCH = tempfile.mkdtemp(dir=sys.argv[2])
STINT, MOCK = BUILD + "/stint", BUILD + "/bench/bench_mock"
TOKENS = 16
RATES = (500, 1000, 1500, 2000, 3000)
SECONDS = 10
ENVIRONMENT = {**os.environ, "STINT_PARTS": BUILD + "/parts", "STINT_LEDGER": SCRATCH + "/ledger.db"}
failed = False


def bar(what, value, sign, limit):
    global failed
    met = value < limit if sign == "<" else value > limit
    failed |= not met
    print(f"bar: {what}: {value:.4g} ({sign} {limit}) {'met' if met else 'MISSED'}")


class Server:
    def __init__(self, *options):
        self.log = SCRATCH + "/log"
        port = subprocess.run([MOCK, "-b", self.log, *options], capture_output=True, text=True, check=True).stdout
        self.url = "http://127.0.0.1:" + port.strip()

    def rows(self):
        """Ends it. For each request: when it arrived, its first token, its last (ns), in the order of arrival."""
        try:
            urllib.request.urlopen(self.url + "/quit", timeout=5)
        except OSError:
            pass
        with open(self.log) as file:
            return sorted((int(c[1]), int(c[2]), int(c[3])) for c in (line.split() for line in file) if len(c) == 6)


def timed(command):
    """The processor time of a program, s, and what it printed."""
    with open(SCRATCH + "/out", "w+") as out, open(SCRATCH + "/err", "w+") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, env=ENVIRONMENT)
        _, _, used = os.wait4(process.pid, 0)
        out.seek(0)
        return used.ru_utime + used.ru_stime, out.read()


def at(values, share):
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def differences(server):
    """By how much times to the first and the last token differ, and how much of the limit (1 % or 0.5 ms, whichever is larger) that is,
    at p99. Neither side knows the other's numbers, so both are in order of time; the first is the one that the client tries with."""
    with open(SCRATCH + "/csv") as file:
        client = sorted((float(r["sent_s"]), float(r["first_s"]), float(r["last_s"])) for r in csv.DictReader(file) if r["outcome"] == "answered")
    log = server.rows()[1:]
    if len(client) != len(log):
        sys.exit(f"load.py: {len(client)} answers, {len(log)} in the log")
    shown, worst = [], 0
    for which in (1, 2):
        true = [(row[which] - row[0]) / 1e6 for row in log]
        off = [abs((mine[which] - mine[0]) * 1e3 - t) for mine, t in zip(client, true)]
        shown.append((at(off, 0.5), at(off, 0.9), at(off, 0.99)))
        worst = max(worst, at([o / max(0.5, 0.01 * t) for o, t in zip(off, true)], 0.99))
    return shown, worst


def try_rate(rate):
    server = Server("first=20", "gap=2", "jitter=0.5", "stall_each=4000", "stall=200")
    cpu, out = timed([STINT, "bench", server.url, "--rate", f"{rate}/s", "--requests", str(rate * SECONDS), "--warmup", "0s", "--precision", "0%",
                      "--input", "100", "--output", str(TOKENS), "--no-record", "--csv", SCRATCH + "/csv", "--json"])
    run = json.loads(out)["runs"][0]
    shown, worst = differences(server)
    each = cpu * 1e6 / run["requests"]
    first, last = (" / ".join(f"{value:.3f}" for value in row) for row in shown)
    print(f"{rate:5} requests/s: difference p50 / p90 / p99 {first} ms (first token), {last} ms (last); {each:.0f} us of CPU each"
          + ("" if run["valid"] else f"; invalid: {run['invalid']}"))
    return run["valid"] and worst <= 1, each


def wrk_cost():
    """Of as many connections as 2,000 requests a second have open."""
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "the of " * 50}], "max_tokens": TOKENS, "stream": True})
    with open(SCRATCH + "/post.lua", "w") as file:
        file.write(f'wrk.method = "POST"\nwrk.body = [[{body}]]\nwrk.headers["Content-Type"] = "application/json"\n')
    server = Server("first=20", "gap=2", "jitter=0.5")
    cpu, _ = timed(["wrk", "-t", "1", "-c", "104", "-d", str(SECONDS), "-s", SCRATCH + "/post.lua", server.url + "/v1/chat/completions"])
    return cpu * 1e6 / len(server.rows())


os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
print("# load on a server")
highest, ours = 0, None
for rate in RATES:
    fine, cost = try_rate(rate)
    highest = rate if fine else highest
    ours = cost if rate == 2000 else ours
bar("highest rate within 1 % or 0.5 ms of the server's log, requests/s", highest, ">", 1999)
if shutil.which("wrk"):
    theirs = wrk_cost()
    print(f"CPU of a response of {TOKENS} tokens: {ours:.0f} us, of wrk {theirs:.0f} us")
    bar("CPU of a response, times wrk's", ours / theirs, "<", 3)
shutil.rmtree(SCRATCH)
sys.exit(failed)
