"""run_python.py COMMAND...: the same job as `stint run`, as small as it can be in Python: run a command, look
at it each second, print at the end how long it took and what it used. No ledger, no guards, no tree."""
import resource
import subprocess
import sys
import time


def main():
    began = time.monotonic()
    child = subprocess.Popen(sys.argv[1:])
    peak = 0
    while True:
        try:
            status = child.wait(timeout=1)
            break
        except subprocess.TimeoutExpired:
            with open(f"/proc/{child.pid}/stat", encoding="ascii") as stat:
                peak = max(peak, int(stat.read().rsplit(")", 1)[1].split()[21]))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = time.monotonic() - began
    print(f"{took:.3f} s, {used.ru_utime + used.ru_stime:.3f} s of processor, {peak} pages", file=sys.stderr)
    sys.exit(status)


main()
