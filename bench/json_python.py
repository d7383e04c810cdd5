"""python3's json on the file of bench_json: the same tokens, prices and sum, and the rate."""

import json
import os
import resource
import sys
import time


def walk(value, tally):
    if isinstance(value, dict):
        tally["tokens"] += 2 + len(value)
        for key, child in value.items():
            if key == "USD" and isinstance(child, str):
                whole, _, part = child.partition(".")
                tally["prices"] += 1
                tally["nano"] += int(whole) * 10**9 + int(part.rstrip("0").ljust(9, "0"))
            walk(child, tally)
    elif isinstance(value, list):
        tally["tokens"] += 2
        for child in value:
            walk(child, tally)
    else:
        tally["tokens"] += 1


def main(path):
    empty = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tally = {"tokens": 0, "prices": 0, "nano": 0}
    start = time.monotonic()
    with open(path, "rb") as file:
        walk(json.load(file), tally)
    rate = os.path.getsize(path) / (time.monotonic() - start) / 1e9
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - empty
    print(f"json  {'python':8} {rate:6.3f} GB/s  peak memory {peak / 1024:.1f} MB")
    print(f"      {tally['tokens']} tokens, {tally['prices']} prices,"
          f" {tally['nano'] // 10**9}.{tally['nano'] % 10**9:09} USD in all")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: json_python.py FILE")
    main(sys.argv[1])
