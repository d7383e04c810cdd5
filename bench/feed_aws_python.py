"""python3's json on the file of bench_feed_aws: the same machines and sum, and the rate."""

import json
import os
import resource
import sys
import time

WANTED = {"locationType": "AWS Region", "tenancy": "Shared", "operatingSystem": "Linux",
          "capacitystatus": "Used", "preInstalledSw": "NA"}


def main(path):
    start = time.process_time()
    with open(path, "rb") as file:
        root = json.load(file)
    machines = nano = 0
    for sku, product in root["products"].items():
        attributes = product["attributes"]
        if (product["productFamily"] != "Compute Instance" or "gpu" not in attributes
                or any(attributes.get(key) != value for key, value in WANTED.items())):
            continue
        term = next(iter(root["terms"]["OnDemand"][sku].values()))
        rate = next(iter(term["priceDimensions"].values()))
        whole, _, part = rate["pricePerUnit"]["USD"].partition(".")
        machines += 1
        nano += int(whole) * 10**9 + int(part[:9])
    rate = os.path.getsize(path) / (time.process_time() - start) / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"feed  {'python':8} {rate:7.1f} MB/s  peak memory {peak:.1f} MB")
    print(f"      {machines} machines, {nano // 10**9}.{nano % 10**9:09} USD in all")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: feed_aws_python.py FILE")
    main(sys.argv[1])
