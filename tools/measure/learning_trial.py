"""What three short runs teach: python3 learning_trial.py STINT FOLDER OUTPUT.csv [seconds [unseen]]

For each of a few models on this machine's GPU: `stint plan`, then three runs of a Hugging Face training of 60 steps under
`stint run --plan`, `stint calibrate`, and a fourth run that is compared with the estimate before and after. The step
times and the memory compared are the training's own (steps after the fifth, the device synchronized at both ends; what
the driver says the process uses)."""
import csv
import json
import os
import subprocess
import sys
import time

# model, sequence, batch, method, rank
RUNS = [("smollm2-1.7b", 1024, 4, "full", 0), ("qwen3-1.7b", 1024, 4, "lora", 16), ("pythia-410m", 1024, 8, "full", 0),
        ("yi-6b", 1024, 2, "lora", 16)]
UNSEEN = [("granite-3-8b", 2048, 2, "lora", 16), ("pythia-2.8b", 1024, 4, "full", 0), ("starcoder2-7b", 1024, 4, "lora", 16),
          ("phi-1.5", 1024, 8, "full", 0), ("qwen1.5-1.8b", 512, 2, "full", 0)]
STEPS = 60


def train(model, seq, batch, method, rank, output):
    """The training, as its own process."""
    import torch
    import transformers as t

    import transformers_common as h
    net = h.build_model(model, "bf16", longest=seq)
    if method == "lora":
        net = h.add_lora(net, rank, "all-linear")
    net.config.use_cache = False
    times = []

    class Clock(t.TrainerCallback):
        def on_step_end(self, args, state, control, **_):
            if state.global_step in (5, STEPS):
                torch.cuda.synchronize()
                times.append(time.perf_counter())

    args = h.training_arguments(output_dir=output + ".out", per_device_train_batch_size=batch, max_steps=STEPS, bf16=True,
                                save_strategy="no", report_to="none", logging_steps=20, learning_rate=1e-5,
                                remove_unused_columns=False)
    t.Trainer(model=net, args=args, train_dataset=h.Tokens(h.SHAPES[model].vocab, seq), callbacks=[Clock()]).train()
    free, total = torch.cuda.mem_get_info()
    with open(output, "w", encoding="utf-8") as file:
        json.dump({"step_s": (times[1] - times[0]) / (STEPS - 5), "device_gb": (total - free) / 1e9,
                   "reserved_gb": torch.cuda.max_memory_reserved() / 1e9}, file)


def call(stint, folder, *words):
    done = subprocess.run([stint, *words], capture_output=True, text=True, check=False, env=environment(folder))
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def environment(folder):
    return {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder + "/config", "XDG_DATA_HOME": folder + "/data",
            "XDG_STATE_HOME": folder + "/state", "XDG_CACHE_HOME": folder + "/cache"}


def plan(stint, folder, model, seq, batch, method, rank):
    words = ["plan", model, "--gpu", "H200", "--max-gpus", "1", "--tokens", str(STEPS * seq * batch), "--set",
             f"sequence={seq}", "--set", f"global_batch={batch}", "--set", f"micro_batch={batch}", "--set",
             "recompute=none", "--set", "zero=0", "--set", "framework=hf", "--set", "precision=bf16-true", "--market",
             "on-demand", "--save", folder + "/plan.json"]
    words += ["--set", "method=lora", "--set", f"rank={rank}", "--set", "targets=all-linear"] if method == "lora" else ["--set", "method=full"]
    call(stint, folder, *words)
    with open(folder + "/plan.json", encoding="utf-8") as file:
        return json.load(file)["plans"][0]


def trial(stint, folder, run):
    os.makedirs(folder)
    before = plan(stint, folder, *run)
    seen = []
    for number in range(4):
        if number == 3:
            learned = json.loads(call(stint, folder, "calibrate", "--json"))
            after = plan(stint, folder, *run)
        output = f"{folder}/run{number}.json"
        done = subprocess.run([stint, "run", "--quiet", "--plan", folder + "/plan.json", "--", sys.executable,
                               os.path.abspath(__file__), "--train", *map(str, run), output], env=environment(folder),
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"run {number}: {done.returncode}: {done.stderr[-2500:]}")
        with open(output, encoding="utf-8") as file:
            seen.append(json.load(file))
    print(call(stint, folder, "accuracy"), flush=True)
    return before, after, seen, learned


def main():
    if sys.argv[1] == "--train":
        model, seq, batch, method, rank, output = sys.argv[2:]
        train(model, int(seq), int(batch), method, int(rank), output)
        return
    stint, base, path = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
    end = time.time() + (float(sys.argv[4]) if len(sys.argv) > 4 else 280)
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["model", "sequence", "batch", "method", "rank", "step_before_s", "step_after_s", "step_measured_s",
                       "memory_before_gb", "memory_after_gb", "memory_measured_gb", "runs_step_s", "corrections"])
        longest = 60
        for number, run in enumerate(UNSEEN if "unseen" in sys.argv[5:] else RUNS):
            t0 = time.time()
            if end - t0 < longest:
                print("stopped before", run, flush=True)
                break
            try:
                before, after, seen, learned = trial(stint, f"{base}/{number}", run)
            except Exception as error:  # pylint: disable=broad-except
                print("FAILED", run, error, flush=True)
                continue
            last = seen[3]
            rows.writerow([*run, before["step_s"], after["step_s"], last["step_s"], before["memory_gb"], after["memory_gb"],
                           last["device_gb"], " ".join(f"{s['step_s']:.5f}" for s in seen), json.dumps(learned["corrections"])])
            file.flush()
            print(f"{run}: step {before['step_s'] * 1e3:.1f} -> {after['step_s'] * 1e3:.1f} ms, measured {last['step_s'] * 1e3:.1f}"
                  f" ({100 * (after['step_s'] / last['step_s'] - 1):+.1f} %); memory {before['memory_gb']:.2f} -> "
                  f"{after['memory_gb']:.2f} GB, measured {last['device_gb']:.2f} "
                  f"({100 * (after['memory_gb'] / last['device_gb'] - 1):+.1f} %); runs "
                  + " ".join(f"{s['step_s'] * 1e3:.1f}" for s in seen) + f"; took {time.time() - t0:.0f} s", flush=True)
            longest = max(longest, time.time() - t0)


if __name__ == "__main__":
    main()
