"""serve_attack.py BUILD_FOLDER SCRATCH [AGENTS [SECONDS]]: a server that agents send runs to while others attack it with everything that a
token of scope read may ask: what computes for minutes, clients that leave, bodies of a megabyte, long work, idle and trickling
connections, sign-ins over and over. Agents are simulated (bench_serve_agents); they, the attack and the server share this machine."""
import http.client
import json
import multiprocessing
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time

BUILD, SCRATCH = os.path.abspath(sys.argv[1]), os.path.join(os.path.abspath(sys.argv[2]), "attack")
AGENTS = int(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[3] else 50
SECONDS = int(sys.argv[4]) if len(sys.argv) > 4 and sys.argv[4] else 30
STINT = os.path.join(BUILD, "stint")
RISK = {"mtbf": "4h", "work": "1000h", "deadline": "1200h", "spot": "1usd/hr", "on_demand": "3usd/hr", "runs": 55555}
LONG_JOB = "train:\n  model: llama-3.1-8b\n  method: lora\n  data: {tokens: 30B}\n"
SWEEP = {"job": LONG_JOB, "offer": "aws/p5.48xlarge", "synthetic": 100000, "deadline": ["2000h"], "policy": ["optimal"]}
MANY = {"jobs": [LONG_JOB.replace("30B", "%dM" % (i + 1)) for i in range(8000)], "queue": True}
ALIASES = {"job": "a: &a [x, x]\n" + "".join(f"{b}: &{b} [{', '.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefghij", "bcdefghijk")) + "train: *k\n",
           "on": "H100"}
LIMITS = {"/healthz": 250, "/runs": 250, "/sign-in": 250, "/api/v1/runs?limit=10": 250}  # ms, of which 99 of 100 are below
missed = False


def bar(what, value, limit):
    global missed
    missed = missed or not value < limit
    print(f"bar: {what}: {value:g} (< {limit:g}) {'met' if value < limit else 'MISSED'}", flush=True)


def request(port, method, path, body=None, token=None, timeout=30, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body, {**({"Authorization": "Bearer " + token} if token else {}), **(headers or {})})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def sign_in(port, token):
    return request(port, "POST", "/sign-in", "with=" + token,
                   headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{port}"})


# ---- those who attack, a process each ----

def over_and_over(ask, *values):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            ask(*values)
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)


def ask_long(port, token, operation, body):
    request(port, "POST", "/api/v1/" + operation, body, token)


def leave(port, token, operation, body):
    try:
        request(port, "POST", "/api/v1/" + operation, body, token, timeout=0.3)
    except socket.timeout:
        pass


def hold(port, count):
    """Connections that are idle or send a byte now and then."""
    held = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    for _ in range(20):
        time.sleep(0.5)
        for c in held[::3]:
            c.sendall(b"x")
    for c in held:
        c.close()


def attackers(port, reader):
    risk, sweep, many, aliases = (json.dumps(body) for body in (RISK, SWEEP, MANY, ALIASES))
    asks = [(ask_long, port, reader, "spot.risk", risk)] * 4 + [(ask_long, port, reader, "simulate", sweep)] * 2
    asks += [(ask_long, port, reader, "plan", many), (ask_long, port, reader, "estimate", aliases), (ask_long, port, reader, "advise", "{}")]
    asks += [(leave, port, reader, "spot.risk", risk)] * 2 + [(ask_long, port, reader, "work/spot.risk", risk)]
    asks += [(sign_in, port, reader), (hold, port, 300)]
    return [multiprocessing.Process(target=over_and_over, args=ask, daemon=True) for ask in asks]


# ---- what is measured ----

def probe(port, token, took):
    for path in LIMITS:
        begun = time.perf_counter()
        status, body = sign_in(port, token) if path == "/sign-in" else request(port, "GET", path, token=token)
        took[path].append((time.perf_counter() - begun) * 1000)
        assert status == (303 if path == "/sign-in" else 200), (path, status, body[:200])


def memory(pid, what):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(rf"{what}:\s+(\d+)", file.read())[1]) / 1000


def report(took, load, ledger, begun, server):
    base = sqlite3.connect(ledger)
    kept = base.execute("SELECT count(*) FROM samples JOIN attempts USING (attempt) JOIN runs USING (run) WHERE runs.started >= ?", (begun,)).fetchone()[0]
    runs = base.execute("SELECT count(*) FROM runs WHERE started >= ?", (begun,)).fetchone()[0]
    print(f"{AGENTS} simulated agents, {SECONDS} s under attack: {load.strip()}; {runs} runs, {kept} samples in the ledger;"
          f" at most {memory(server.pid, 'VmHWM'):.0f} MB")
    bar("samples lost", AGENTS * SECONDS - kept, 1)
    for path, limit in LIMITS.items():
        ordered = sorted(took[path])
        p99 = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
        print(f"{path}: {len(ordered)} asked, p50 {ordered[len(ordered) // 2]:.1f} ms, p99 {p99:.1f} ms, at most {ordered[-1]:.1f} ms")
        bar(f"{path}, p99 in ms", round(p99, 1), limit)


def start(env):
    server = subprocess.Popen([STINT, "serve", "--listen", "127.0.0.1:0"], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    for line in server.stderr:
        at = re.search(rb"listening at \S+:(\d+)$", line.strip())
        if at:
            return server, int(at[1])
    raise SystemExit("serve_attack.py: the server did not start")


def main():
    os.makedirs(SCRATCH, exist_ok=True)
    ledger = os.path.join(SCRATCH, "ledger.db")
    env = {**os.environ, "STINT_LEDGER": ledger, "STINT_PARTS": os.path.join(BUILD, "parts"), "HOME": SCRATCH}

    def make_token(name, scope):
        made = subprocess.run([STINT, "token", "add", name, "--scope", scope, "--json"], env=env, check=True, capture_output=True)
        return json.loads(made.stdout)["secret"]

    agent, reader, user = make_token("agent", "write"), make_token("reader", "read"), make_token("user", "read")
    server, port = start(env)
    begun, took = int(time.time()), {path: [] for path in LIMITS}
    crowd = attackers(port, reader)
    for process in crowd:
        process.start()
    agents = subprocess.Popen([os.path.join(BUILD, "bench", "bench_serve_agents"), str(port), agent, str(AGENTS), str(SECONDS)],
                              stdout=subprocess.PIPE, text=True)
    while agents.poll() is None:
        probe(port, user, took)
        time.sleep(0.05)
    report(took, agents.stdout.read(), ledger, begun, server)
    ends = time.monotonic()
    server.send_signal(signal.SIGTERM)
    server.wait(60)
    bar("seconds from SIGTERM to the end, under attack", round(time.monotonic() - ends, 2), 3)
    for process in crowd:
        process.terminate()
    sys.exit(missed or server.returncode != 0)


main()
