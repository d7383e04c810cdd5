#!/usr/bin/env python3
"""Load on a server: load.py BUILD_FOLDER SCRATCH.

A server whose delays are known, and that stalls, logs each token that it sends (tests/load/mock.c); the client's times are compared with
its log at growing rates, request by request. Then what a response costs the client, beside wrk. Client and server share two processors.
What the machine itself takes away from a busy program is measured between the rates, so that a reader can judge."""
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
        """Ends it. Of each request, by its id: when it arrived, when its first token was about to be written and was, likewise its last (ns)."""
        try:
            urllib.request.urlopen(self.url + "/quit", timeout=5)
        except OSError:
            pass
        with open(self.log) as file:
            return {"c" + c[0]: [int(n) for n in c[1:6]] for c in (line.split() for line in file) if len(c) == 8}


def timed(command):
    """The processor time of a program, s, and what it printed."""
    with open(SCRATCH + "/out", "w+") as out, open(SCRATCH + "/err", "w+") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, env=ENVIRONMENT)
        _, _, used = os.wait4(process.pid, 0)
        out.seek(0)
        return used.ru_utime + used.ru_stime, out.read()


def at(values, share):
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def noise():
    """What busy programs lose here to others, above and below: the share of two threads' time, and the longest gap."""
    lost, longest = subprocess.run([MOCK, "-n", "2"], capture_output=True, text=True, check=True).stdout.split()
    return f"{float(lost):.1%} of the time of two busy threads lost in gaps above 0.5 ms, the longest {longest} ms"


def differences(server):
    """By how much times to the first and the last token differ, and how much of the limit (1 % or 0.5 ms, whichever is larger) that is,
    at p99. A token arrives between the moments before and after it was written: the log knows no more, so the difference is the distance to
    these. Requests are paired by the id that the server gives."""
    with open(SCRATCH + "/csv") as file:
        client = {r["id"]: [float(r[name]) for name in ("sent_s", "first_s", "last_s")] for r in csv.DictReader(file) if r["outcome"] == "answered"}
    log = server.rows()
    if not client or not client.keys() <= log.keys():
        sys.exit(f"load.py: {len(client)} answers, {len(log)} in the log")
    shown, worst = [], 0
    for which in (1, 2):
        off, share = [], []
        for id, mine in client.items():
            took = (mine[which] - mine[0]) * 1e3
            low, high = ((log[id][2 * which - 1 + side] - log[id][0]) / 1e6 for side in (0, 1))
            off.append(max(low - took, took - high, 0))
            share.append(off[-1] / max(0.5, 0.01 * low))
        shown.append((at(off, 0.5), at(off, 0.9), at(off, 0.99)))
        worst = max(worst, at(share, 0.99))
    return shown, worst


def try_rate(rate):
    server = Server("first=20", "gap=2", "jitter=0.5", "stall_each=4000", "stall=200")
    cpu, out = timed([STINT, "bench", server.url, "--rate", f"{rate}/s", "--requests", str(rate * SECONDS), "--warmup", "0s", "--precision", "0%",
                      "--input", "100", "--output", str(TOKENS), "--no-record", "--csv", SCRATCH + "/csv", "--json"])
    run = json.loads(out)["runs"][0]
    shown, worst = differences(server)
    each = cpu * 1e6 / run["requests"]
    first, last = (" / ".join(f"{value:.3f}" for value in row) for row in shown)
    print(f"{rate:5} requests/s: difference p50 / p90 / p99 {first} ms (first token), {last} ms (last); {each:.0f} us of CPU each; "
          f"{run['arrivals_by_kernel']:.1%} of arrivals timed by the kernel"
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
print(f"machine: {noise()}")
highest, ours = 0, None
for rate in RATES:
    fine, cost = try_rate(rate)
    highest = rate if fine else highest
    ours = cost if rate == 2000 else ours
    print(f"machine: {noise()}")
bar("highest rate within 1 % or 0.5 ms of the server's log, requests/s", highest, ">", 1999)
if shutil.which("wrk"):
    theirs = wrk_cost()
    print(f"CPU of a response of {TOKENS} tokens: {ours:.0f} us, of wrk {theirs:.0f} us")
    bar("CPU of a response, times wrk's", ours / theirs, "<", 3)
shutil.rmtree(SCRATCH)
sys.exit(failed)
