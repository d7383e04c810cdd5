"""Trials of `stint run` with a real torch job on one GPU: python3 run_trials.py STINT FOLDER [trial ...].

  best     epochs print val_acc and then save; --keep 1 --best val_acc:max must leave the best
  keep     three large saves beside another run's file; --keep 2 must leave the newest two and that file
  budget   the budget ends a run that has not saved before: a complete checkpoint, and not a cent over
  earlier  the same with an earlier save, which shows how long one takes

FOLDER receives the checkpoints (up to 16 GB at a time, removed after each trial). Prints a line for each trial,
what Stint printed behind it, and exits with 1 when one failed. About four minutes on an H200.
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time

GB = 10**9


def job(args):
    """The job: a model and its two Adam states on the GPU, products as work, torch.save as the save."""
    import torch

    weights = torch.randn(args.gigabytes * GB // 4, device="cuda")
    states = [torch.zeros_like(weights) for _ in range(2)]
    left = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    asked = []
    if args.save_on_signal:
        signal.signal(signal.SIGUSR1, lambda *_: asked.append("USR1"))
        signal.signal(signal.SIGTERM, lambda *_: asked.append("TERM"))

    def save(name):
        start = time.time()
        path = os.path.join(args.output, name)
        torch.save({"weights": weights}, path + ".tmp")
        with open(path + ".tmp", "rb") as file:
            os.fsync(file.fileno())
        os.replace(path + ".tmp", path)
        print(f"saved {name} in {time.time() - start:.2f} s", flush=True)

    def work(seconds):
        end = time.time() + seconds
        while time.time() < end and not asked:
            for _ in range(20):
                left @ left
            torch.cuda.synchronize()

    accuracies = [float(a) for a in args.accuracies.split(",")] if args.accuracies else []
    for epoch in range(1, args.epochs + 1):
        work(args.epoch_seconds)
        if asked:
            save("asked.pt")
            if asked[0] == "USR1":  # a program that saves and waits to be ended
                while "TERM" not in asked:
                    time.sleep(0.05)
            return 0
        line = f"epoch {epoch}/{args.epochs} step {epoch * 100}"
        if epoch <= len(accuracies):
            line += f" val_acc={accuracies[epoch - 1]}"
        print(line, flush=True)
        if args.save_each or epoch == args.save_once:
            save(f"ckpt_{epoch}.pt")
    del states
    return 0


def run_stint(args, name, options, job_options):
    folder = os.path.join(args.folder, name)
    shutil.rmtree(folder, ignore_errors=True)
    output = os.path.join(folder, "out")
    os.makedirs(output)
    if name == "keep":
        with open(os.path.join(output, "ckpt_0.pt"), "wb") as file:
            file.write(os.urandom(1 << 20))
        time.sleep(2.5)
    summary = os.path.join(folder, "summary.json")
    command = [args.stint, "run", "--ledger", os.path.join(folder, "ledger.db"), "--summary", summary, "--progress",
               "--checkpoints", output, *options, "--", sys.executable, os.path.abspath(__file__), "--job",
               "--output", output, *job_options]
    done = subprocess.run(command, capture_output=True, text=True)
    with open(summary) as file:
        result = json.load(file)
    return folder, output, done, result


def verdict(name, right, text, done):
    print(f"{'ok    ' if right else 'FAILED'} {name}: {text}", flush=True)
    for line in (done.stdout + done.stderr).splitlines():
        print("         " + line, flush=True)
    return right


def dollars(amount):
    return float(amount["amount"]) if isinstance(amount, dict) else float(amount)


def trial_best(args):
    folder, output, done, _ = run_stint(
        args, "best", ["--price", "$3.60/hr", "--keep", "1", "--best", "val_acc:max"],
        ["--gigabytes", "1", "--epochs", "3", "--epoch-seconds", "4", "--accuracies", "0.6,0.9,0.7", "--save-each"])
    left = sorted(os.listdir(output))
    right = "ckpt_2.pt" in left and "ckpt_1.pt" not in left
    shutil.rmtree(folder)
    return verdict("best", right, f"left {left}", done)


def trial_keep(args):
    folder, output, done, _ = run_stint(
        args, "keep", ["--price", "$3.60/hr", "--keep", "2"],
        ["--gigabytes", "4", "--epochs", "3", "--epoch-seconds", "6", "--save-each"])
    left = sorted(os.listdir(output))
    shutil.rmtree(folder)
    return verdict("keep", left == ["ckpt_0.pt", "ckpt_2.pt", "ckpt_3.pt"], f"left {left}", done)


def trial_budget(args, name="budget", more=()):
    budget = 0.06  # 60 s at $3.60 an hour
    folder, output, done, result = run_stint(
        args, name, ["--price", "$3.60/hr", "--budget", f"{budget}usd"],
        ["--gigabytes", "4", "--epochs", "1000", "--epoch-seconds", "5", "--save-on-signal", *more])
    left = {entry: os.path.getsize(os.path.join(output, entry)) for entry in sorted(os.listdir(output))}
    cost = dollars(result["cost"])
    right = left.get("asked.pt", 0) >= 4 * GB and cost <= budget and not any(e.endswith(".tmp") for e in left)
    shutil.rmtree(folder)
    return verdict(name, right, f"{100 * cost / budget:.2f} % of the budget spent, left {left}", done)


def trial_earlier(args):
    return trial_budget(args, "earlier", ("--save-once", "3"))


TRIALS = {"best": trial_best, "keep": trial_keep, "budget": trial_budget, "earlier": trial_earlier}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--job", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--output")
    parser.add_argument("--gigabytes", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--epoch-seconds", type=float, default=4)
    parser.add_argument("--accuracies")
    parser.add_argument("--save-each", action="store_true")
    parser.add_argument("--save-once", type=int, default=0)
    parser.add_argument("--save-on-signal", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if args.job:
        return job(args)
    if len(args.names) < 2:
        parser.error("the program and a folder are needed")
    args.stint, args.folder = os.path.abspath(args.names[0]), os.path.abspath(args.names[1])
    results = [TRIALS[name](args) for name in args.names[2:] or TRIALS]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
