#!/usr/bin/env python3
"""Fill the column "ours" of the table "Results and bars" in docs/accuracy.md with today's scores.

    accuracy_bars.py STINT docs/accuracy.md

A row is found by what its first column ends with. A row that is missing, is there twice, or is not filled
is an error, so that no figure is left from another day.
"""
import json
import subprocess
import sys

HEADING, COLUMN = "## Results and bars", 3


def validate(stint, kind, file, *options):
    """What `stint validate KIND FILE --json` prints; its errors go to the terminal."""
    command = [stint, "validate", kind, f"tests/truth/{file}", "--json", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    for line in done.stderr.splitlines():
        if done.returncode != 0 or not line.startswith("stint: note:"):
            print(line, file=sys.stderr)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}")
    return json.loads(done.stdout)


def named(scores, name):
    return next(s for s in scores if s["name"] == name)


def errors(score):
    return f"**{100 * score['median_ape']:.1f} % / {100 * score['p90_ape']:.1f} %**"


def figures(stint):
    """By the end of the row's first column."""
    training = validate(stint, "training", "training.csv")
    left_out = validate(stint, "training", "training.csv", "--leave-one-source-out")
    memory = validate(stint, "memory", "memory.csv")
    inference = validate(stint, "inference", "inference.csv")
    refused, ran = memory["ran_predicted_not_to_fit"], memory["ran_rows"]
    found = {
        "constants fitted without it": errors(named(left_out["by_set"], "dense")),
        "five sets that are scored": f"**{100 * training['scored'] / training['rows']:.0f} %** "
                                     f"({training['scored']} of {training['rows']})",
        "own transformers: step time": errors(validate(stint, "training", "h200_training.csv")),
        "the same: peak memory": errors(validate(stint, "memory", "h200_training.csv")),
        "model code: step time": errors(validate(stint, "training", "h200_transformers.csv")),
        "model code: peak memory": errors(validate(stint, "memory", "h200_transformers.csv")),
        "image models and LSTMs": errors(validate(stint, "training", "h200_vision.csv")),
        "memory, each source left out": errors(
            validate(stint, "memory", "memory.csv", "--leave-one-source-out")),
        "training memory": errors(named(memory["by_set"], "training")),
        "were predicted to fit": f"**{memory['oom_predicted_to_fit']}** of {memory['oom_rows']}",
        "were predicted not to fit": f"**{100 * refused / ran:.1f} %** ({refused} of {ran})",
        "H200: prefill": errors(named(inference["by_metric"], "prefill")),
        "the same: decode": errors(named(inference["by_metric"], "decode")),
        "GPU-hours of complete runs": errors(validate(stint, "gpu-hours", "gpu_hours.csv")),
        "power of metered nodes": errors(validate(stint, "energy", "energy_train.csv")),
    }
    for name in ("moe", "lora", "qlora", "dense-encoder"):
        found[f"set `{name}`"] = errors(named(training["by_set"], name))
    return found


def fill(lines, found):
    """The lines with the column filled."""
    left, inside, rows = dict(found), False, 0
    for i, line in enumerate(lines):
        if line.startswith("## "):
            inside = line.strip() == HEADING
        if not inside or not line.startswith("|"):
            continue
        rows += 1
        if rows <= 2:  # titles, and the line below them
            continue
        cells = line.split("|")
        matches = [end for end in left if cells[1].strip().endswith(end)]
        if len(matches) != 1:
            sys.exit(f"line {i + 1}: {len(matches)} figures for '{cells[1].strip()}'")
        cells[COLUMN] = f" {left.pop(matches[0])} "
        lines[i] = "|".join(cells)
    if left:
        sys.exit(f"no row for: {', '.join(left)}")
    return lines


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    stint, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    text = "\n".join(fill(lines, figures(stint)))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
