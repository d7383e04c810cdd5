#!/usr/bin/python3
"""What callbacks and `import stint` cost: callbacks.py BUILD_FOLDER. Exit status 1: a bar is missed.

Steps with and without a callback run by turns, in one process under a real `stint run`; so do interpreters with and
without the import. Medians of processor time are printed, which other programs on the machine change least; nothing here
waits for anything."""
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import types

BLOCKS, STEPS = 60, 500


def work():
    """About a tenth of a millisecond: small, so that what is added shows."""
    total = 0
    for i in range(1500):
        total += i
    return total


def trainer_callback():
    """The callback of Hugging Face; of a stand-in where transformers is not installed."""
    if not os.environ.get("BENCH_REAL"):
        sys.modules["transformers"] = types.SimpleNamespace(TrainerCallback=object)
    import stint
    callback = stint.callbacks.HuggingFace()
    args = types.SimpleNamespace(train_batch_size=8, gradient_accumulation_steps=1, world_size=1, output_dir="out", process_index=0)
    state = types.SimpleNamespace(max_steps=10**6, global_step=0, num_input_tokens_seen=0)
    control = types.SimpleNamespace(should_save=False, should_training_stop=False, should_evaluate=False)
    callback.on_train_begin(args, state, control)

    def step():
        state.global_step += 1
        callback.on_step_end(args, state, control)
        if state.global_step % 10 == 0:
            callback.on_log(args, state, control, logs={"loss": 2.5, "grad_norm": 1.25, "learning_rate": 1e-4, "epoch": 0.5})
    return step, callback.meter


def loops():
    """name: (what is done after each step, its meter)"""
    import stint
    meter = stint.Meter(samples=8, tokens=4096)
    metrics = {"loss": 2.5, "accuracy": 0.5, "learning_rate": 1e-4}
    many = {f"metric_{i}": i / 3 for i in range(20)}
    return {"Hugging Face, logs every 10 steps": trainer_callback(),
            "stint.steps, nothing logged": (meter.step, meter),
            "3 metrics each step": (lambda: meter.step(metrics), meter),
            "20 metrics each step": (lambda: meter.step(many), meter)}


def measure_steps():
    """Inside a run: microseconds that each loop adds to a step."""
    out = {}
    for name, (after, meter) in loops().items():
        with_, without = [], []
        for block in range(2 * BLOCKS):
            times = with_ if block % 2 else without
            began = time.thread_time()
            for _ in range(STEPS):
                work()
                if block % 2:
                    after()
            times.append((time.thread_time() - began) / STEPS)
        out[name] = [1e6 * (statistics.median(with_) - statistics.median(without)), meter._connection.dropped, meter.errors]
    print(json.dumps(out))


def measure_import(build):
    """Milliseconds that the import adds to an interpreter."""
    environment = {**os.environ, "PYTHONPATH": os.path.join(build, "python")}
    programs = {"bare": "pass", "import": "import stint"}
    times = {name: [] for name in programs}
    for _ in range(60):
        for name, program in programs.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", program], env=environment, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times[name].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return 1000 * (statistics.median(times["import"]) - statistics.median(times["bare"])), 1000 * statistics.median(times["bare"])


def bar(name, value, most):
    print(f"{'ok' if value <= most else 'MISSED'}: {name}: {value:.3g} (bar: at most {most})")
    return value <= most


def main():
    if sys.argv[1] == "--inside":
        measure_steps()
        return 0
    build = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="sb", dir="/tmp") as folder:
        environment = {**os.environ, "PYTHONPATH": os.path.join(build, "python"), "STINT_LEDGER": os.path.join(folder, "l.db"),
                       "XDG_RUNTIME_DIR": folder, "STINT_PARTS": os.path.join(build, "parts")}
        text = subprocess.run([os.path.join(build, "stint"), "run", "--quiet", "--", sys.executable, os.path.abspath(__file__),
                               "--inside"], env=environment, check=True, capture_output=True, text=True).stdout
    good = True
    for name, (added, dropped, errors) in json.loads(text).items():
        print(f"{name}: adds {added:.1f} us to a step; {dropped} lines dropped, {errors} errors")
        good &= bar(f"a callback adds, ms ({name})", added / 1000, 0.1) and errors == 0
    added, bare = measure_import(build)
    print(f"import stint: adds {added:.2f} ms to the {bare:.1f} ms of an interpreter")
    good &= bar("import stint, ms", added, 15)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
