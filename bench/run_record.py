#!/usr/bin/env python3
"""What the record of `stint run` costs: run_record.py STINT [RUNS].

Processor time of `stint run -- true` with and without a ledger, and how long 3,000 lines that report a checkpoint take
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


def cpu_ms(env, *words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(RUNS):
        subprocess.run([STINT, "run", "--no-gpu", "--quiet", *words, "--", "true"], env=env, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / RUNS * 1e3


def lines_s(env):
    began = time.monotonic()
    subprocess.run([STINT, "run", "--no-gpu", "--quiet", "--progress", "--", sys.executable, "-c", LINES], env=env,
                   stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - began


with tempfile.TemporaryDirectory(dir=".") as folder:
    folder = os.path.abspath(folder)
    env = {**os.environ, "HOME": folder, "XDG_RUNTIME_DIR": folder, "STINT_LEDGER": os.path.join(folder, "ledger.db")}
    print(f"stint run -- true, with a ledger  {cpu_ms(env):.1f} ms of CPU")
    print(f"stint run -- true, without        {cpu_ms(env, '--no-ledger'):.1f} ms of CPU")
    print(f"3,000 checkpoint lines, idle disk {lines_s(env):.2f} s")
    busy = subprocess.Popen(["timeout", "60", "sh", "-c", "while :; do dd if=/dev/zero of=\"$0\" bs=1M count=64 conv=fsync "
                             "2>/dev/null; done", os.path.join(folder, "busy")])
    time.sleep(1)
    print(f"3,000 checkpoint lines, busy disk {min(lines_s(env) for _ in range(3)):.2f} s")
    busy.terminate()
    busy.wait()
