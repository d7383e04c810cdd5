#!/usr/bin/env python3
"""What the record of `stint run` costs: run_record.py STINT [RUNS].

Processor time of `stint run -- true` with and without a ledger beside that of `env true`, and how long 3,000 lines that report a checkpoint take
to pass while the disk of the ledger is busy (64 MB written and synced, over and over).
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

STINT, RUNS = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200
LINES = "for i in range(3000): print(f'Saving model checkpoint to out/{i}.pt')"


def cpu_ms(env, command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=env, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3


def cpu_by_turns(env):
    """The machine's noise comes and goes: every case once a round. Means, since the log of the ledger is put into
    place every few runs."""
    run = [STINT, "run", "--no-gpu", "--quiet"]
    cases = {"env true": ["env", "true"], "stint run -- true, with a ledger": [*run, "--", "true"],
             "stint run -- true, without": [*run, "--no-ledger", "--", "true"]}
    spent = dict.fromkeys(cases, 0.0)
    for _ in range(RUNS):
        for name, command in cases.items():
            spent[name] += cpu_ms(env, command) / RUNS
    for name, ms in spent.items():
        print(f"{name:33} {ms:.2f} ms of CPU, {ms / spent['env true']:.1f} times env true")


def lines_s(env):
    began = time.monotonic()
    subprocess.run([STINT, "run", "--no-gpu", "--quiet", "--progress", "--", sys.executable, "-c", LINES], env=env,
                   stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - began


with tempfile.TemporaryDirectory(dir=".") as folder:
    folder = os.path.abspath(folder)
    env = {**os.environ, "HOME": folder, "XDG_RUNTIME_DIR": folder, "STINT_LEDGER": os.path.join(folder, "ledger.db")}
    cpu_by_turns(env)
    print(f"3,000 checkpoint lines, idle disk {lines_s(env):.2f} s")
    busy = subprocess.Popen(["timeout", "60", "sh", "-c", "while :; do dd if=/dev/zero of=\"$0\" bs=1M count=64 conv=fsync "
                             "2>/dev/null; done", os.path.join(folder, "busy")])
    time.sleep(1)
    print(f"3,000 checkpoint lines, busy disk {min(lines_s(env) for _ in range(3)):.2f} s")
    busy.terminate()
    busy.wait()
