#!/usr/bin/python3
"""Processor time of `stint attach` beside `stint run` on the same load: attach_load.py STINT [SECONDS [PROCESSES]].

The load is a process with children that work a little and sleep. Printed: milliseconds of processor a second, of Stint's
own processes, after the first two seconds.
"""
import os
import subprocess
import sys
import tempfile
import time

STINT = os.path.abspath(sys.argv[1])
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 20
PROCESSES = int(sys.argv[3]) if len(sys.argv) > 3 else 16
LOAD = f"""
import os, time
for _ in range({PROCESSES - 1}):
    if os.fork() == 0: break
while True: sum(range(2000)); time.sleep(0.05)
"""


def spent(pid):
    """Seconds of all its threads."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def own(pid):
    """Stint's process, and the keeper below it."""
    pids = [pid]
    with open(f"/proc/{pid}/task/{pid}/children", "rb") as file:
        for child in file.read().split():
            with open(f"/proc/{child.decode()}/comm", "rb") as name:
                if name.read().startswith(b"stint"):
                    pids.append(int(child))
    return pids


def measure(process):
    time.sleep(2)
    pids = own(process.pid)
    before, begin = sum(map(spent, pids)), time.monotonic()
    time.sleep(SECONDS)
    return 1000 * (sum(map(spent, pids)) - before) / (time.monotonic() - begin)


def main():
    with tempfile.TemporaryDirectory(prefix="stint-attach-") as home:
        environment = {**os.environ, "STINT_LEDGER": os.path.join(home, "ledger.db"), "STINT_MACHINE_DIR": home}
        for round_number in range(3):
            run = subprocess.Popen([STINT, "run", "--quiet", "--", sys.executable, "-c", LOAD], env=environment)
            by_run = measure(run)
            run.terminate()
            run.wait()
            load = subprocess.Popen([sys.executable, "-c", LOAD], start_new_session=True)
            attach = subprocess.Popen([STINT, "attach", "--quiet", str(load.pid)], env=environment)
            by_attach = measure(attach)
            attach.terminate()
            attach.wait()
            os.killpg(load.pid, 9)
            load.wait()
            print(f"round {round_number + 1}: run {by_run:.2f} ms/s, attach {by_attach:.2f} ms/s, {PROCESSES} processes", flush=True)


if __name__ == "__main__":
    main()
