#!/usr/bin/env python3
"""How fast real settings are, compared with the one that Stint would choose for the same work.

    practice.py STINT [tests/truth/training.csv]

Rows of dense training in 16 bits on 8 GPUs or more whose model is in the catalog: `stint estimate` gets the model, GPUs, sequence
and global batch and chooses the rest. Of rows with the same work the fastest counts. Prints measured over predicted
rate by source, the median of the sources, and the spread; `spread_untuned` is read off it."""
import collections
import csv
import json
import math
import statistics
import subprocess
import sys

LEAST_GPUS = 8
SIXTEEN_BITS = ("bf16", "amp_bf16", "fp16", "fp16-amp", "amp_fp16", "")  # what our own setting uses


def own_rate(stint, work):
    """Tokens a second of one GPU in our own setting; None when there is none."""
    model, gpu, gpus, sequence, batch = work
    command = [stint, "estimate", model, "--on", f"{gpu}x{gpus}", "--sequence", sequence, "--method", "full",
               "--tokens", "1000B", "--json"]
    if batch:
        command += ["--set", f"global_batch={batch}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    found = json.loads(done.stdout)
    return found["rate"]["value"] / found["gpus"]


def main():
    stint = sys.argv[1]
    path = sys.argv[2] if len(sys.argv) > 2 else "tests/truth/training.csv"
    fastest = collections.defaultdict(float)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            rate = float(row["tokens_per_s_per_gpu"] or row["derived_tokens_per_s_per_gpu"] or 0)
            gpus = int(float(row["gpu_count"] or 0))
            if row["set"] != "dense" or gpus < LEAST_GPUS or not rate or not row["seq_len"]:
                continue
            if row["precision"] not in SIXTEEN_BITS or row["gpu"].startswith("Trainium"):
                continue
            work = (row["model"], row["gpu"], gpus, row["seq_len"], row["global_batch"])
            key = (row["source"].split("@")[0], work)
            fastest[key] = max(fastest[key], rate)
    by_source, own = collections.defaultdict(list), {}
    for (source, work), rate in fastest.items():
        if work not in own:
            own[work] = own_rate(stint, work)
        if own[work]:
            by_source[source].append(rate / own[work])
    for source, ratios in sorted(by_source.items()):
        print(f"{source:40} {len(ratios):4} {statistics.median(ratios):.3f}")
    ratios = [r for some in by_source.values() for r in some]
    print(f"median of sources {statistics.median(statistics.median(v) for v in by_source.values()):.3f}, "
          f"spread {statistics.pstdev([math.log(r) for r in ratios]):.3f} (log), {len(ratios)} settings")


if __name__ == "__main__":
    main()
