"""The peer of `stint price import`: the same CSV files, read and kept in dictionaries."""
import csv
import lzma
import sys


def open_text(path):
    return lzma.open(path, "rt") if path.endswith(".xz") else open(path, newline="")


def main():
    series = {}
    rows = 0
    for path in sys.argv[1:]:
        with open_text(path) as file:
            for row in csv.DictReader(file):
                rows += 1
                if row.get("AcceleratorName") or row.get("accelerator"):
                    key = (path, row.get("InstanceType") or row.get("instance_type"),
                           row.get("AvailabilityZone") or row.get("Region") or row.get("zone_or_region"))
                    price = row.get("SpotPrice") or row.get("spot_usd_h")
                    series.setdefault(key, []).append((row.get("date"), price))
    print(rows, "rows,", len(series), "series")


main()
