"""csv_python.py FILE: read it with Python's csv module, to compare with bench_csv."""

import csv
import os
import sys
import time


def main():
    path = sys.argv[1]
    rows = fields = 0
    start = time.perf_counter()
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            rows += 1
            fields += len(row)
    took = time.perf_counter() - start
    speed = os.path.getsize(path) / 1e9 / took
    print(f"csv  {'python3 csv':<14} {speed:6.2f} GB/s   {rows} rows, {fields} fields")


if __name__ == "__main__":
    main()
