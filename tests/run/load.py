#!/usr/bin/env python3
"""`stint bench` against servers that are slow, hang, break off, answer something else or want a key.

load.py STINT, with STINT_TEST_MOCK: tests/load/mock.c, and STINT_FAKE_NVML: tests/meter/fake_nvml.c. Times are not asserted: what is counted is."""
import http.server
import itertools
import json
import os
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time

STINT = os.path.abspath(sys.argv[1])
MOCK = os.environ["STINT_TEST_MOCK"]
NVML = os.environ["STINT_FAKE_NVML"]
KEY = "sk-test-0123456789abcdef"
count = 0


def result(ok, name, why=""):
    global count
    count += 1
    print(f"{'ok' if ok else 'not ok'} {count} - {name}")
    if not ok:
        for line in str(why).splitlines():
            print("# " + line)
    return ok


class Mock:
    def __init__(self, *options):
        self.log = tempfile.NamedTemporaryFile()
        self.process = subprocess.Popen([MOCK, self.log.name, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = "http://127.0.0.1:" + self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def bench(url, *options, env=None, home=None):
    """The result as JSON, the process."""
    with tempfile.TemporaryDirectory() as own:
        place = {**os.environ, "HOME": home or own, **(env or {})}
        place.pop("XDG_DATA_HOME", None)
        done = subprocess.run([STINT, "bench", url, "--json", "--warmup", "0s", *options], env=place, capture_output=True, text=True,
                              timeout=120)
    return json.loads(done.stdout) if done.stdout else None, done


def errors(run):
    return {row["what"]: row["count"] for row in run["errors"]}


def faults():
    """Each fault is counted under its own name, and the rest is answered. The first request of a call is not counted."""
    cases = {
        "fail_each": ("too many requests", ()),
        "cut_each": ("cut off", ()),
        "half_each": ("cut off", ()),
        "foreign_each": ("not an LLM", ()),
        "hang_each": ("timed out", ("--timeout", "1s")),
    }
    for option, (what, more) in cases.items():
        with Mock("first=2", "gap=1", option + "=5") as mock:
            # The first is the request that is sent before all others: every fifth of the 41 that follow it is a fault.
            got, done = bench(mock.url, "--rate", "40/s", "--arrivals", "even", "--requests", "39", "--output", "4", "--no-record", *more)
        run = got["runs"][0] if got else None
        result(run is not None and errors(run) == {what: 8} and run["answered"] == 31, f"{option}: {what}", (run and run["errors"], done.stderr))
        if option == "hang_each" and run:
            result(run["total_s"]["beyond"] == 8 and run["total_s"]["p99"]["value"] is None and run["total_s"]["p50"]["value"] is not None,
                   "what hangs is later than all others", run["total_s"])
        if option == "cut_each" and run:
            result(run["total_s"]["beyond"] == 0 and run["total_s"]["count"] == 31, "what breaks off has no latency", run["total_s"])


def whole():
    with Mock("first=2", "whole=1") as mock:
        got, done = bench(mock.url, "--users", "2", "--requests", "20", "--no-record")
    run = got["runs"][0]
    result(run["answered"] == 20 and run["not_streamed"] == 20 and run["first_token_s"]["count"] == 0 and run["total_s"]["count"] == 20
           and run["mean_output"] == 128, "an answer in one piece has a total and no first token", done.stdout)


def keys():
    with Mock("first=2", "token=" + KEY) as mock, tempfile.TemporaryDirectory() as home:
        got, done = bench(mock.url, "--users", "1", "--requests", "5", home=home)
        result(got is None and done.returncode == 1 and "wrong key" in done.stderr and "OPENAI_API_KEY" in done.stderr,
               "without a key the server's refusal is shown, with where the key is looked for", done.stderr)
        env = {"MY_KEY": KEY, "STINT_LOG": "debug"}
        got, done = bench(mock.url, "--users", "1", "--requests", "5", "--key-env", "MY_KEY", "--svg", home + "/a.svg", "--csv",
                          home + "/a.csv", env=env, home=home)
        result(got is not None and got["runs"][0]["answered"] == 5 and got["run"], "with a key it is answered and recorded", done.stderr)
        found = [done.stdout + done.stderr] + [open(os.path.join(at, name), "rb").read().decode("latin-1")
                                               for at, _, names in os.walk(home) for name in names]
        result(len(found) > 3 and not any(KEY in text for text in found), "the key is in no file, picture or output", len(found))
    got, done = bench("http://192.0.2.1", "--model", "m", "--users", "1", env={"OPENAI_API_KEY": KEY})
    result(got is None and "plain http" in done.stderr and KEY not in done.stderr, "a key does not go to another machine over plain http",
           done.stderr)
    got, done = bench("http://me:" + KEY + "@127.0.0.1/", "--users", "1")
    result(got is None and done.returncode == 3 and KEY not in done.stderr, "a password in the address is not repeated", done.stderr)


class Secure(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = (b'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}\n\n'
                b"data: [DONE]\n\n")
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def tls():
    with tempfile.TemporaryDirectory() as place:
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", place + "/key", "-out", place + "/cert",
                               "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"], capture_output=True)
        if made.returncode != 0:
            result(True, "TLS # SKIP no openssl")
            return
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Secure)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(place + "/cert", place + "/key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"https://127.0.0.1:{server.server_address[1]}"
        got, done = bench(url, "--model", "m", "--users", "2", "--requests", "10", "--no-record", "--ca", place + "/cert",
                          env={"OPENAI_API_KEY": KEY})
        result(got is not None and got["runs"][0]["answered"] == 10, "TLS with a certificate that is trusted", done.stderr)
        got, done = bench(url, "--model", "m", "--users", "2", "--requests", "10", "--no-record")
        result(got is None and "TLS" in done.stderr, "and refused with one that is not", done.stderr)
        server.shutdown()


def stopped():
    with Mock("first=2", "gap=1") as mock, tempfile.TemporaryDirectory() as home:
        run = subprocess.Popen([STINT, "bench", mock.url, "--rate", "50/s", "--output", "4", "--precision", "0%", "--warmup", "0s", "--json", "--no-record"],
                               env={**os.environ, "HOME": home}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while os.stat(mock.log.name).st_size < 4000:  # dozens of answers
            time.sleep(0.2)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
        got = json.loads(out) if out else None
        result(got is not None and got["stopped"] and got["runs"][0]["ended"] == "stopped" and got["runs"][0]["answered"] > 0,
               "Ctrl-C gives the result so far", err)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def server_ends():
    """However stint ends while the server of --start runs, so does all that this started."""
    for name, signals in {"Ctrl-C": [signal.SIGINT], "a second Ctrl-C": [signal.SIGINT, signal.SIGINT],
                          "SIGTERM twice": [signal.SIGTERM, signal.SIGTERM], "kill -9": [signal.SIGKILL]}.items():
        with tempfile.TemporaryDirectory() as home:
            run = subprocess.Popen([STINT, "bench", "127.0.0.1:1", "--start", "sleep 1000 & echo $! $$ >pids; wait"], cwd=home,
                                   env={**os.environ, "HOME": home}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not os.path.exists(home + "/pids") or not os.stat(home + "/pids").st_size:
                time.sleep(0.05)
            with open(home + "/pids") as file:
                pids = file.read().split()
            for number in signals:
                run.send_signal(number)
                time.sleep(0.02)
            run.wait(timeout=60)
            until = time.monotonic() + 30
            while any(map(alive, pids)) and time.monotonic() < until:
                time.sleep(0.05)
            result(len(pids) == 2 and not any(map(alive, pids)), f"{name} leaves nothing of the server behind", pids)


def taught():
    """What was measured corrects what is predicted for that engine, GPU and model. A run that the client delayed teaches nothing."""
    with Mock("first=400", "gap=12") as mock, tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HOME": home}
        valid = 0
        for _ in range(40):
            done = subprocess.run([STINT, "bench", mock.url, "--users", "1", "--requests", "3", "--warmup", "0s", "--output", "16", "--on", "H100-SXM-80GB",
                                   "--weights", "fp16", "--known-as", "llama-3.1-8b"], env=env, capture_output=True, text=True)
            valid += done.returncode == 0
            if valid == 3:
                break
        else:
            result(True, "measurements teach infer # SKIP this machine is too busy for a client that is on time")
            return
        learned = json.loads(subprocess.run([STINT, "calibrate", "--json"], env=env, capture_output=True, text=True).stdout)
        rows = [(row["of"], row["gpu"], row["framework"], row["model"], row["runs"]) for row in learned["corrections"]]
        result(learned["servers"] == 3 and rows == [("token", "H100-SXM-80GB", "vllm", "llama-3.1-8b", 3)], "measurements teach infer", learned)
        ask = [STINT, "infer", "llama-3.1-8b", "--gpu", "H100", "--rate", "2/s", "--set", "framework=vllm", "--set", "weights=fp16", "--json"]
        notes = [" ".join(json.loads(subprocess.run(ask + raw, env=env, capture_output=True, text=True).stdout)["notes"]) for raw in ([], ["--raw"])]
        result("tokens take" in notes[0] and "learned from 3 runs" in notes[0] and "tokens take" not in notes[1],
               "infer says how it was corrected, and by what; --raw leaves it out", notes)


def metered():
    """Two GPUs of which one serves: 300 W, busy for 75 % of the time. Energy is that of the time that is measured."""
    with Mock("first=2", "gap=1") as mock, tempfile.TemporaryDirectory() as home:
        begin, end = time.monotonic(), threading.Event()

        def describe():
            while not end.is_set():
                joules = 5000 + 300 * (time.monotonic() - begin)
                with open(home + "/new", "w") as file:
                    file.write("all devices 2\n0 name NVIDIA H200\n0 power 300000\n0 util 75\n0 total 1000000000\n0 used 500000000\n"
                               f"0 energy {int(joules * 1000)}\n0 process {os.getpid()} 1000000\n"
                               f"1 name NVIDIA H200\n1 power 70000\n1 util 0\n1 total 1000000000\n1 used 0\n1 energy {int(joules * 250)}\n")
                os.rename(home + "/new", home + "/gpus")
                end.wait(0.02)

        describing = threading.Thread(target=describe)
        describing.start()
        while not os.path.exists(home + "/gpus"):
            time.sleep(0.01)
        env = {"STINT_NVML": NVML, "FAKE_NVML": home + "/gpus"}
        got, done = bench(mock.url, "--rate", "50/s", "--requests", "150", "--output", "8", "--no-record", env=env)
        both, more = bench(mock.url, mock.url, "--rate", "50/s", "--requests", "80", "--output", "8", "--no-record", env=env)
        end.set()
        describing.join()
        run = got["runs"][0]
        watts = run["joules"] / run["measured_s"]
        result(run["energy"] == "counter, 1 GPU of this machine" and 250 < watts < 350 and abs(run["gpu_idle"] - 0.25) < 1e-9,
               "energy and idle time of the GPU that serves", (run["energy"], watts, run["gpu_idle"], done.stderr))
        tokens = run["output_per_s"] * run["measured_s"]
        result(abs(run["joules_per_token"] * tokens / run["joules"] - 1) < 1e-6, "joules per token", run["joules_per_token"])
        watts = [r["joules"] / r["measured_s"] for r in both["runs"]]
        result(all(250 < w < 350 for w in watts), "by turns each endpoint has the energy of its own", (watts, more.stderr))
    with Mock("first=2", "gap=1") as mock:
        got, done = bench(mock.url, "--users", "1", "--requests", "5", "--no-record", env={"STINT_NVML": "/nonexistent"})
        run = got["runs"][0]
        result(run["joules"] is None and run["gpu_idle"] is None and run["energy"] == "no GPU of this machine was seen at work",
               "without a meter energy is unknown, with the reason", run["energy"])


def compared():
    with Mock("first=2", "gap=1") as a, Mock("first=30", "gap=1") as b:
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run([STINT, "bench", a.url, b.url, "--users", "4", "--requests", "60", "--output", "4", "--warmup", "0s", "--json",
                                   "--no-record", "--accuracy", "echo accuracy for $STINT_URL is 0.75"], env={**os.environ, "HOME": home},
                                  capture_output=True, text=True)
        got = json.loads(done.stdout)
        changes = {row["what"]: row for row in got["changes"]}
        result(len(got["runs"]) == 2 and changes["first token"]["sure"] and changes["first token"]["change_s"]["value"] > 0.01,
               "a slower endpoint is found so, request by request", got["changes"])
        result([row["quality"] for row in got["runs"]] == [0.75, 0.75], "quality is the last number of a command", got["runs"])
    arrived = []
    for name, mock in (("A", a), ("B", b)):
        with open(mock.log.name) as log:
            arrived += [(int(line.split()[1]), name) for line in log if line.split()[0] != "1"]  # without the first request of all
    turns = "".join(name for name, _ in itertools.groupby(name for _, name in sorted(arrived)))
    result(turns == "ABABA" and [run["requests"] for run in got["runs"]] == [60, 60] and got["runs"][0]["ended"] == "requests",
           "two endpoints are measured by turns: first, second, second, first, ...", turns)
    with Mock("first=2", "gap=1") as a, tempfile.TemporaryDirectory() as home:
        failed = subprocess.run([STINT, "bench", a.url, "--users", "1", "--requests", "5", "--warmup", "0s", "--json", "--no-record", "--accuracy",
                                 "exit 3"], env={**os.environ, "HOME": home}, capture_output=True, text=True)
    got = json.loads(failed.stdout)
    result(failed.returncode == 1 and got["runs"][0]["answered"] == 5 and got["runs"][0]["quality"] is None and "status 3" in failed.stderr,
           "what was measured stays when the quality cannot be", failed.stderr)


def searched():
    # Two at a time, 10 ms each at least: no more than 200 a second, and a few are no trouble. Of more, the queue takes longer than
    # the target within the time that a rate is tried.
    with Mock("first=7", "gap=1", "workers=2") as mock:
        got, done = bench(mock.url, "--find-rate", "--rate", "20/s", "--slo", "total=400ms", "--attain", "90%", "--output", "4", "--max-time", "6s",
                          "--no-record", "--input", "10")
        best, high = got["best_requests_per_s"], got["too_high_requests_per_s"]
        # On a machine that is too busy for the client, the search says so and ends.
        result("the search ends" in done.stderr or (best is not None and 20 <= best <= 260 and (high is None or high > best)),
               "the highest rate is below what the server can do", (best, high, done.stderr))


def replayed():
    with Mock("first=2", "gap=1") as mock, tempfile.TemporaryDirectory() as home:
        trace, out = home + "/t.jsonl", home + "/o.csv"
        with open(trace, "w") as file:
            for i in range(30):
                file.write(json.dumps({"timestamp": 20 * i, "input_length": 600 + i, "output_length": 2 + i % 5, "hash_ids": [1, 100 + i]}) + "\n")
        got, done = bench(mock.url, "--trace", trace, "--csv", out, "--no-record")
        rows = [line.split(",") for line in open(out).read().splitlines()[1:]]
        asked = sorted((int(row[0]), int(row[9]), int(row[10]), round(float(row[4]), 6)) for row in rows)
        result(got["runs"][0]["ended"] == "end of the trace" and asked == [(i, 600 + i, 2 + i % 5, round(0.02 * i, 6)) for i in range(30)],
               "a trace is replayed with its lengths and times", (asked[:3], done.stderr))
    with open(mock.log.name) as log:
        known = {"c" + line.split()[0] for line in log}
    result(len({row[14] for row in rows} & known) == 30, "each answer has the id that the server gave it", rows[:3])


for part in (faults, whole, keys, tls, stopped, server_ends, taught, metered, compared, searched, replayed):
    part()
print(f"1..{count}")
