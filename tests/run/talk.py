#!/usr/bin/python3
"""What a program reports to `stint run` through its output, the socket or a file, and floods of it."""
import json
import os

from harness import STINT, main, read, script, test, wait_for

CLIENT = """
import json, os, socket, sys, time
def connect():
    s = socket.socket(socket.AF_UNIX)
    s.connect(os.environ["STINT_SOCKET"])
    return s
def report(s, **facts): s.sendall((json.dumps(facts) + "\\n").encode())
"""


def recorded(w):
    row = w.attempt()
    return row["step"], row["steps"], row["loss"]


@test
def by_socket(w):
    """the socket takes lines of JSON"""
    ended = w.run("--", *script(CLIENT + """
s = connect()
for i in range(10): report(s, step=i, steps=100, loss=5 - i / 10, phase="train")
time.sleep(0.2)"""))
    assert ended.status == 0 and recorded(w) == (9, 100, 4.1), (ended, recorded(w))


@test
def by_socket_at_end(w):
    """what is reported just before the end is recorded"""
    ended = w.run("--", *script(CLIENT + "s = connect(); report(s, step=77, steps=80, loss=0.25); s.close()"))
    assert ended.status == 0 and recorded(w) == (77, 80, 0.25), (ended, recorded(w))


LISTENER = CLIENT + """
s = connect()
s.sendall(b'{"stint": "listen"}\\n')
heard = s.makefile("rb")
def requests():
    for line in heard:
        message = json.loads(line)
        open("heard", "a").write(line.decode())
        if message["stint"] == "save": return message
"""


@test
def asked_by_socket(w):
    """a program that listens is sent the warnings and the request to save, without a signal; it ends within its budget"""
    ended = w.run("--price", "$3600/hr", "--share", "all", "--budget", "$8", "--grace", "3s", "--every", "100ms", "--",
                  *script(LISTENER + """
m = requests()
open("saved", "w").write("x"); report(s, step=3, checkpoint="saved")
sys.exit(0 if m["stop"] and m["reason"] == "budget" and 0 < m["left_s"] <= 3 and "of $8.00" in m["text"] else 9)"""))
    row = w.attempt()
    kinds = [json.loads(line).get("kind") for line in read(w.path("heard")).splitlines()]
    assert ended.status == 5 and read(w.path("saved")) == b"x", (ended, kinds)
    assert "budget-50" in kinds and kinds[-1] is None, kinds
    assert row["reason"] == "budget" and row["cost_nano"] <= 8_000_000_000, tuple(row)


@test
def asked_by_stop(w):
    """stint stop reaches a program that listens, which is not killed for having saved before it has ended"""
    process = w.stint("--name", "job", "--checkpoints", "ckpt", "--", *script(LISTENER + """
report(s, step=1)
open("ready", "w").close()
m = requests()
os.makedirs("ckpt/step-1"); open("ckpt/step-1/model.pt", "wb").write(b"x" * 3000000)
report(s, checkpoint="ckpt/step-1")
time.sleep(1.5)
open("ended", "w").write(json.dumps(m))"""))
    wait_for("the program", lambda: os.path.exists(w.path("ready")) and w.ask("SELECT 1 FROM attempts"))
    stopped = w.end(w.start(STINT, "stop", "job"))
    ended = w.end(process)
    message = json.loads(read(w.path("ended")) or "{}")
    assert stopped.status == 0 and ended.status == 0, (stopped, ended)
    assert message.get("stop") is True and message["reason"] == "user", message


@test
def asked_late(w):
    """one that begins to listen when the run is being ended is asked at once"""
    ended = w.run("--price", "$3600/hr", "--share", "all", "--budget", "$6", "--grace", "3s", "--every", "100ms", "--",
                  *script(LISTENER + """
requests()
late = connect()
late.sendall(b'{"stint": "listen"}\\n')
message = json.loads(late.makefile("rb").readline())
open("late", "w").write(message["reason"])"""))
    assert ended.status == 5 and read(w.path("late")) == b"budget", ended


@test
def many_metrics(w):
    """64 names are recorded, and what was left out is said and recorded"""
    ended = w.run("--", *script(CLIENT + """
s = connect()
for i in range(70): report(s, **{"step": 1, f"name_{i:02}": i})"""))
    names = [row["name"] for row in w.ask("SELECT name FROM metrics ORDER BY name")]
    assert names == [f"name_{i:02}" for i in range(64)], names
    text = b"warning: 6 values of metrics not recorded: 64 names are kept, and 'name_64' was one more"
    assert text in ended.err and "metrics-left-out" in w.events(), ended


@test
def garbage(w):
    """garbage on the socket does no harm, and what follows it is read"""
    ended = w.run("--", *script(CLIENT + """
import random
for i in range(20):
    s = connect()
    try: s.sendall(random.Random(i).randbytes(100000))
    except OSError: pass
    s.close()
s = connect()
s.sendall(b"{" * 50000 + b"\\n[]\\nnull\\n{\\"step\\": \\"x\\"}\\n{\\"step\\": 1e999}\\n{\\"loss\\": [1]}\\n\\n\\0\\n")
s.sendall(b'{"step": 5, "st')
time.sleep(0.1)
s.sendall(b'eps": 6, "loss": 1.5}\\n')
time.sleep(0.3)"""))
    assert ended.status == 0 and recorded(w) == (5, 6, 1.5) and b"ERROR" not in ended.err, (ended, recorded(w))


@test
def many_clients(w):
    """200 clients at once: those over the limit are refused, and later ones are read"""
    ended = w.run("--", *script(CLIENT + """
import threading
def one(i):
    try:
        s = connect()
        report(s, step=i)
        time.sleep(0.5)
        s.close()
    except OSError: pass
threads = [threading.Thread(target=one, args=(i,)) for i in range(200)]
for t in threads: t.start()
for t in threads: t.join()
time.sleep(0.5)
for i in range(200):
    s = connect(); report(s, step=1000 + i, loss=i / 100); s.close()
time.sleep(0.5)
s = connect(); report(s, step=5000, loss=0.5)
time.sleep(0.3)"""))
    assert ended.status == 0 and recorded(w)[0] == 5000 and recorded(w)[2] == 0.5, (ended, recorded(w))


@test
def by_file(w):
    """--metrics-file follows a file, including what it already holds, and starts over when the file is truncated"""
    w.write("old.jsonl", '{"step": 1, "loss": 9}\n')
    ended = w.run("--metrics-file", "old.jsonl", "--every", "100ms", "--", *script(
        "import json, time\nf = open('old.jsonl', 'a')\nfor i in range(50, 60):\n"
        "  f.write(json.dumps({'step': i, 'steps': 60, 'loss': 1.0 / i}) + '\\n'); f.flush(); time.sleep(0.05)"))
    assert ended.status == 0 and recorded(w) == (59, 60, 1 / 59), (ended, recorded(w))
    w.write("old.jsonl", '{"step": 1, "loss": 9}\n')
    w.run("--name", "none", "--metrics-file", "old.jsonl", "--", "true")
    row = w.ask("SELECT step FROM attempts JOIN runs USING (run) WHERE name = 'none'")[0]
    assert row["step"] is None, "another run's lines were read"


@test
def by_output(w):
    """--progress reads what is printed, --metrics the patterns that the user gives"""
    ended = w.run("--progress", "--", *script(
        "import time\nfor i in range(1, 31): print(f'step {i}/30 | loss {3 - i / 100:.3f}', flush=True); time.sleep(0.02)"))
    assert ended.status == 0 and recorded(w) == (30, 30, 2.7), (ended, recorded(w))
    ended = w.run("--name", "own", "--metrics", "loss=/L:([0-9.]+)/", "--", "sh", "-c", "echo L:0.125 x; sleep 0.2")
    row = w.ask("SELECT loss FROM attempts JOIN runs USING (run) WHERE name = 'own'")[0]
    assert ended.status == 0 and row["loss"] == 0.125, (ended, row["loss"])


@test
def not_read(w):
    """without --progress nothing is read"""
    w.run("--", "sh", "-c", "echo step 5/10 loss 2.5; sleep 0.1")
    assert recorded(w) == (None, None, None), recorded(w)


@test
def flood(w):
    """a flood of lines passes completely, and the record is near the last of them"""
    ended = w.run("--quiet", "--progress", "--", *script(
        "import sys\nfor i in range(200000): sys.stdout.write(f'step {i}/200000 loss {200 - i / 1000:.3f}\\n')\n"
        "sys.stdout.flush()\nimport time; time.sleep(1.5)\nprint('step 200000/200000 loss 0.5', flush=True); time.sleep(1.5)"))
    lines = ended.out.splitlines()
    assert ended.status == 0 and len(lines) == 200001 and lines[199999] == b"step 199999/200000 loss 0.001", len(lines)
    assert recorded(w) == (200000, 200000, 0.5), recorded(w)


@test
def no_newline(w):
    """50 MB without an end of line pass"""
    ended = w.run("--quiet", "--progress", "--", "sh", "-c", "head -c 50000000 /dev/zero | tr '\\0' x")
    assert ended.status == 0 and len(ended.out) == 50000000 and ended.out.count(b"x") == 50000000, len(ended.out)


@test
def slow_reader(w):
    """a slow reader of the output gets all of it, and the guards still act"""
    process = w.start("sh", "-c", f"'{STINT}' run --no-gpu --quiet --progress --deadline 3s --name slow -- yes loss | "
                      "(sleep 4.5; wc -c)")
    ended = w.end(process)
    assert int(ended.out) > 0 and w.attempt()["reason"] == "deadline", (ended, tuple(w.attempt()))
    assert w.attempt()["elapsed_ns"] <= 3e9 + 5e9, w.attempt()["elapsed_ns"]


@test
def heartbeat(w):
    """heartbeats come on stderr, on lines of their own"""
    ended = w.run("--heartbeat", "1s", "--progress", "--price", "$36/hr", "--", "sh", "-c",
                  "for i in 1 2 3 4 5 6; do echo step $i/6 loss 0.$i; sleep 0.5; done")
    beats = [line for line in ended.err.splitlines() if line.startswith(b"stint: ") and b"$" in line]
    assert beats and ended.out.count(b"\n") == 6, ended


@test
def output_after_end(w):
    """what a child prints after the command has ended is passed on"""
    for options in ([], ["--progress"]):
        ended = w.run("--quiet", *options, "--", "sh", "-c", "(sleep 0.5; echo late) & echo early")
        assert ended.out == b"early\nlate\n", (options, ended)


@test
def daemon_holds_pipe(w):
    """a daemon that keeps the output open does not make stint hang"""
    ended = w.run("--progress", "--leftovers", "leave", "--", "sh", "-c", "setsid sleep 8 2>/dev/null & echo $! >pid; echo out")
    assert ended.status == 0 and ended.out == b"out\n", ended


@test
def secrets(w):
    """secrets among the arguments are not in the ledger"""
    w.run("--", "echo", "--api-key", "sk-abcdefghijklmnopqrstuvwx12345678", "TOKEN=hunter2hunter2", "--password=swordfish")
    command = w.attempt()["command"]
    for secret in ("sk-abcdefghijklmnopqrstuvwx", "hunter2", "swordfish"):
        assert secret not in command, command
    base = read(w.ledger) + read(w.ledger + "-wal")
    assert b"swordfish" not in base and b"hunter2" not in base


@test
def json_result(w):
    """--json prints the result as JSON, in one line after the command's output"""
    ended = w.run("--json", "--price", "$36/hr", "--", "sh", "-c", "echo out; exit 3")
    own, last, after = ended.out.split(b"\n")
    result = json.loads(last)
    assert (ended.status, own, after, ended.err) == (3, b"out", b"", b""), ended
    assert result["schema"] == "stint.run/1" and result["exit_status"] == 3 and result["state"] == "failed", result
    assert result["id"] == w.attempt()["id"] and float(result["cost"]["amount"]) > 0, result


@test
def val_loss_in_training(w):
    """lines of training that repeat val_loss are training, not an evaluation"""
    ended = w.run("--price", "$1/hr", "--progress", "--every", "100ms", "--json", "--", *script(
        "import sys, time\nfor i in range(1, 31):\n"
        "  sys.stderr.write(f'\\rEpoch 1:  30%|###  | {i}/30 [00:01<00:02, 9it/s, v_num=0, train_loss=0.5, val_loss=0.7]')\n"
        "  sys.stderr.flush(); time.sleep(0.05)"))
    result = json.loads(ended.out)
    assert float(result["evaluate_phase"]["amount"]) == 0 and float(result["train_phase"]["amount"]) > 0, result


@test
def misspelled(w):
    """a metric that never appears is reported, with the names that did"""
    ended = w.run("--early-stop", "nosuch:min", "--metrics", "gone=/nomatch ([0-9]+)/", "--metrics-file", "/nope/foo",
                  "--every", "100ms", "--", *script(
        "import time\nfor i in range(40): print(f'step {i} train_loss 2.5 val_loss 2.5', flush=True)\ntime.sleep(0.5)"))
    for words in (b"early stopping: 'nosuch' has not been seen yet; seen: train_loss, val_loss\n",
                  b"early stopping: 'nosuch' was never seen; seen: train_loss, val_loss\n",
                  b"--metrics gone: the pattern never matched a line\n", b"--metrics-file /nope/foo: there was no such file"):
        assert ended.err.count(words) == 1, (words, ended)
    ended = w.run("--early-stop", "val_loss:min", "--", "sh", "-c", "echo step 1 val_loss 2.5; sleep 0.1")
    assert b"seen" not in ended.err, ended


@test
def not_understood(w):
    """lines that cannot be parsed are reported once, with the column, and counted"""
    ended = w.run("--", *script(CLIENT + """
s = connect()
s.sendall(b'{"step": 1}\\n{"step" 3}\\nhello\\n' + b"x" * 9000 + b"\\n")
time.sleep(0.3)"""))
    assert ended.err.count(b"a line on STINT_SOCKET was not understood: column 9:") == 1, ended
    assert ended.err.count(b"3 lines on STINT_SOCKET were not understood") == 1, ended


@test
def rows_of_our_own(w):
    """Stint's messages never end up on the line of a progress bar, in a pipe or in a file"""
    bar = script("import sys, time\nfor i in range(1, 11):\n"
                 "  sys.stderr.write(f'\\r{i}/10 bar'); sys.stderr.flush(); time.sleep(0.1)")
    for how in ((), ("--heartbeat", "300ms", "--every", "100ms"), ("--progress",)):
        with open(w.path("log"), "wb") as log:
            w.end(w.stint("--name", "bar", *how, "--", *bar, stdout=log, stderr=log))
        text = read(w.path("log"))
        assert b"barstint:" not in text and b"\nstint: bar done" in text, (how, text)
    ended = w.end(w.stint("--heartbeat", "300ms", "--every", "100ms", "--", *bar, stderr=-2))  # one pipe
    assert b"barstint:" not in ended.out and ended.out.count(b"\nstint: ") > 1, ended


main(5)
