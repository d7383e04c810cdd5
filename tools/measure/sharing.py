#!/usr/bin/env python3
"""Two processes on one GPU, one of them under `stint run`: its part of the energy and its own memory.

    python3 tools/measure/sharing.py STINT [SECONDS]

Needs stint, python3 and PyTorch with one CUDA device; takes about 2.5 minutes with the 35 s a trial that it takes by itself. Each trial starts a
process that has the device to itself for a while, then the same work under `stint run`; both count what they do. Checked: the run's part of
the device's energy while both were there against the part of the work it did (within the error that docs/reference/metering.md states, and 3 points), and
the memory that the run reports as its own with what PyTorch reports (within 1.5 GB: the context of CUDA counts). Ends with 1 when a check fails.
"""
import ctypes
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time

WORK = r"""
import sys, time, torch
duty, seconds, gigabytes, out = float(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
held = torch.empty(int(gigabytes * 1e9), device="cuda", dtype=torch.uint8)
torch.cuda.synchronize()
log, done = open(out, "w"), 0
end = time.time() + seconds
while time.time() < end:
    begun = time.time()
    while time.time() - begun < 0.2 * duty:
        for _ in range(4):
            a @ a
        torch.cuda.synchronize()
        done += 4
    if duty < 1:
        time.sleep(0.2 * (1 - duty))
    print(time.time(), done, torch.cuda.memory_reserved(), file=log, flush=True)
"""


def progress(path):
    """(time, products) over time, and bytes that PyTorch holds."""
    with open(path, encoding="utf-8") as file:
        rows = [line.split() for line in file.read().splitlines()]
    return [(float(t), int(n)) for t, n, _ in rows], int(rows[-1][2])


def done_between(rows, start, end):
    inside = [n for t, n in rows if start <= t <= end]
    return inside[-1] - inside[0] if len(inside) > 1 else 0


class Counter(threading.Thread):
    """The device's energy counter, each 0.2 s."""

    def __init__(self):
        super().__init__(daemon=True)
        self.nvml, self.handle, self.rows = ctypes.CDLL("libnvidia-ml.so.1"), ctypes.c_void_p(), []
        if self.nvml.nvmlInit_v2() != 0 or self.nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.handle)) != 0:
            sys.exit("NVML does not answer")
        self.start()

    def run(self):
        millijoules = ctypes.c_ulonglong()
        while True:
            if self.nvml.nvmlDeviceGetTotalEnergyConsumption(self.handle, ctypes.byref(millijoules)) == 0:
                self.rows.append((time.time(), millijoules.value / 1000))
            time.sleep(0.2)

    def between(self, start, end):
        inside = [joules for t, joules in self.rows if start <= t <= end]
        return inside[-1] - inside[0]


def trial(stint, counter, folder, name, duty, seconds):
    """The other one works all the time; the run by `duty`."""
    work = os.path.join(folder, "work.py")
    with open(work, "w", encoding="utf-8") as file:
        file.write(WORK)
    ledger = os.path.join(folder, name + ".db")
    logs = [os.path.join(folder, f"{name}.{who}") for who in ("other", "run")]
    other = subprocess.Popen([sys.executable, work, "1", str(seconds + 60), "30", logs[0]])
    while not os.path.exists(logs[0]):
        time.sleep(0.1)
    time.sleep(3)  # alone: what the driver knows of that time is not the run's
    run = subprocess.run([stint, "run", "--json", "--ledger", ledger, "--price", "$3.60/hr", "--", sys.executable, work, str(duty),
                          str(seconds), "10", logs[1]], stdout=subprocess.PIPE, check=True, text=True)
    other.terminate()
    other.wait()
    shown = json.loads(subprocess.run([stint, "show", "last", "--json", "--ledger", ledger], stdout=subprocess.PIPE, check=True,
                                      text=True).stdout)
    theirs, _ = progress(logs[0])
    ours, held = progress(logs[1])
    begun, ended = ours[0][0], ours[-1][0]
    mine = done_between(ours, begun, ended)
    return {"result": json.loads(run.stdout.splitlines()[-1]), "held": held, "seconds": ended - begun,
            "work": mine / (mine + done_between(theirs, begun, ended)),
            "energy": shown["gpu_kwh"] * 3.6e6 / counter.between(begun, ended)}


def check(name, result, held, seconds, work, energy):
    allowed = 2 * math.sqrt(work * (1 - work) / (5 * seconds)) + 0.03
    own, device, total = (result[key] or math.nan for key in ("gpu_memory_run", "gpu_memory_peak", "gpu_memory_total"))
    energy_ok, memory_ok = abs(energy - work) <= allowed, abs(own - held) <= 1.5e9
    print(f"{name}: {seconds:.0f} s together; work {work:.1%} by the run; energy {energy:.1%} (allowed +-{allowed:.1%}):"
          f" {'ok' if energy_ok else 'WRONG'}; memory of the run {own / 1e9:.1f} GB, PyTorch holds {held / 1e9:.1f} GB, device"
          f" {device / 1e9:.1f} of {total / 1e9:.1f} GB: {'ok' if memory_ok else 'WRONG'}; method {result['energy_method']}", flush=True)
    return energy_ok and memory_ok


def main():
    stint = os.path.abspath(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 35
    good, counter = True, Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, duty in (("alike", 1.0), ("a third of the time", 0.33)):
            good &= check(name, **trial(stint, counter, folder, name.split()[0], duty, seconds))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
