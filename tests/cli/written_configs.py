"""Every configuration that a plan writes, read back: its estimate must be the plan's.

For a table of models, methods and GPUs: plan with --write-config, estimate the file on the plan's machine with what the file of that tool cannot
say (data; accelerate's micro-batch and checkpointing), and compare memory, step and hours. Prints what differs.
"""
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TEXT = ["hf-trainer", "deepspeed", "accelerate"]
TABLE = [(kind, [model, *method.split(), "--tokens", tokens], gpu, most)
         for kind in TEXT
         for model, tokens in (("qwen2.5-0.5b", "20M"), ("llama-3.1-8b", "40M"))
         for method in ("--lora", "--qlora", "--method full")
         for gpu, most in (("L4", 1), ("RTX4090", 4), ("H100-SXM-80GB", 1), ("H100-SXM-80GB", 8))]
# Without bf16: DeepSpeed, which ZeRO and offload take, has no autocast.
TABLE += [(kind, [model, "--method", "full", "--tokens", "10M"], gpu, most)
          for kind in TEXT for model in ("mistral-7b", "tinyllama-1.1b", "bert-base") for gpu, most in (("T4", 1), ("V100-SXM2-16GB", 8))]
TABLE += [(kind, ["llama-3.3-70b", "--qlora", "--tokens", "5M", "--sequence", "4096"], gpu, most)
          for kind in TEXT for gpu, most in (("H100-SXM-80GB", 1), ("L40S", 8))]
TABLE += [(kind, ["llama-2-7b", "--method", "full", "--tokens", "5M", "--epochs", "2", "--set", "optimizer=adamw-8bit"], "A100-SXM-80GB", 2)
          for kind in ("hf-trainer", "accelerate")]
TABLE += [("hf-trainer", ["llama-3.1-8b", "--method", "full", "--tokens", "5M", "--precision", "bf16-pure"], "H100-SXM-80GB", 1)]
# What no key of the file says is said again: SAY_OBJECTIVE.
SAY_OBJECTIVE = ("orpo", "reward")
TABLE += [("hf-trainer", ["llama-3.1-8b", *method.split(), "--objective", objective, "--examples", "5k"], "H100-SXM-80GB", most)
          for objective in ("dpo", "orpo", "kto", "reward", "ppo", "grpo", "rloo") for method, most in (("--lora", 1), ("--method full", 4))]
TABLE += [("hf-trainer", ["qwen2.5-7b", "--lora", "--objective", "grpo", "--examples", "2k", *more], "H100-SXM-80GB", 2)
          for more in (["--set", "rollout.engine=hf"], ["--set", "rollout.engine_memory=0.3"], ["--set", "rollout.generations=16"],
                       ["--set", "rollout.passes=2"], ["--set", "rollout.batch=64"], ["--set", "reference=no"], ["--set", "rollout.engine_gpus=1"])]
TABLE += [("kohya", [model, *method.split(), "--images", "200"], gpu, 1)
          for model in ("sdxl", "sd-1.5", "sd-2.1", "sd3-medium", "flux.1-dev") for method in ("--lora", "--method full") for gpu in ("RTX4090", "H100-SXM-80GB")]


def ask(*words):
    done = subprocess.run(["stint", *words, "--json"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return json.loads(done.stdout) if done.stdout.startswith("{") else done.stderr.strip()


def compare(number, row):
    kind, words, gpu, most = row
    file = f"written-{number}." + {"kohya": "toml", "deepspeed": "json"}.get(kind, "yaml")
    name = " ".join([kind, *words, gpu, f"x{most}"])
    plan = ask("plan", *words, "--gpu", gpu, "--max-gpus", str(most), "--min-gpus", str(most), "--write-config", kind, "-o", file)
    if isinstance(plan, str):
        return None if "no plan meets" in plan else f"{name}: {plan}"
    best = plan["plans"][0]
    given = [word for word in words[1:] if word not in ("--lora", "--qlora")] if kind != "deepspeed" else words[1:]
    if "--method" in given and kind != "deepspeed":
        del given[given.index("--method"):][:2]
    if "--epochs" in given and kind != "accelerate":
        at = given.index("--epochs")
        given = given[:at] + given[at + 2:]
    if "--objective" in given:
        at = given.index("--objective")
        given = given[:at] + (given[at:] if given[at + 1] in SAY_OBJECTIVE else given[at + 2:])
    if "--set" in given and given[given.index("--set") + 1].startswith(("rollout.", "reference")):
        given = given[:given.index("--set")]
    job = [words[0], "--deepspeed", file] if kind == "deepspeed" else [file]
    if kind == "accelerate":
        given += ["--set", f"model={words[0]}", "--method", best["method"], "--batch", str(best["micro_batch"]),
                  "--set", f"recompute={best['recompute']}"]
        if best["zero"] == 0 and best["offload"] == "none":
            given += ["--set", f"accumulation={best['accumulation']}"]
    back = ask("estimate", *job, *given, "--offer", best["offer"], "--on", f"{gpu}x{best['gpus']}")
    if isinstance(back, str):
        return f"{name}: {back}"
    differs = [f"{what} {a} is not {b}" for what, a, b in (("memory", back["memory_gb"], best["memory_gb"]),
                                                          ("step", back["step_s"]["value"], best["step_s"]))
               if abs(a - b) > 1e-3 * b]
    if back["wall_hours"] is None or abs(back["wall_hours"] - best["hours"]["value"]) > 0.15 + 0.02 * best["hours"]["value"]:  # set-up differs
        differs.append(f"hours {back['wall_hours']} are not {best['hours']['value']}")
    return f"{name}: {'; '.join(differs)} ({best['setting']})" if differs else True


with ThreadPoolExecutor(2) as pool:
    results = list(pool.map(compare, range(len(TABLE)), TABLE))
for result in results:
    if isinstance(result, str):
        print(result)
print(f"{sum(1 for r in results if r is True)} files are what was planned, {sum(1 for r in results if r is None)} have no plan", file=sys.stderr)
