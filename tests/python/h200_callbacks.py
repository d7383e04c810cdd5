#!/usr/bin/python3
"""The callbacks with the real packages, under a real `stint run`: h200_callbacks.py BUILD_DIR [NAME ...]. Prints TAP.

BUILD_DIR has the program, its parts and the Python package. Needs torch; transformers, lightning, pytorch_lightning and
accelerate are used where they are installed, and skipped visibly where not. With a GPU the models train there. Takes some
minutes, and is no part of the suite."""
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import traceback

BUILD = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else None
CASES = []
TRAINS_S = 30  # seconds of a budget beyond what start-up and the end took
GRACE_S = 15  # of these, for the save and for the interpreter to end by itself

DATA = """
import os, sys, time
import torch
torch.manual_seed(0)
GPU = torch.cuda.is_available() and not os.environ.get("USE_CPU")
"""

TRANSFORMERS = DATA + """
import transformers, stint

class Texts(torch.utils.data.Dataset):
    def __init__(self, count): self.ids = torch.randint(0, 500, (count, 64))
    def __len__(self): return len(self.ids)
    def __getitem__(self, i): return {"input_ids": self.ids[i], "labels": self.ids[i]}

model = transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=500, n_positions=64, n_embd=64, n_layer=2, n_head=2))
callback = stint.callbacks.HuggingFace()
arguments = transformers.TrainingArguments(
    output_dir="out", max_steps=STEPS, per_device_train_batch_size=8, logging_steps=10, eval_strategy="steps", eval_steps=50,
    per_device_eval_batch_size=8, save_strategy="no", report_to=[], disable_tqdm=True, use_cpu=not GPU,
    dataloader_num_workers=0)
trainer = transformers.Trainer(model=model, args=arguments, train_dataset=Texts(4000), eval_dataset=Texts(64),
                               callbacks=[callback])
trainer.train()
assert callback.meter.errors == 0, callback.meter.errors
if trainer.is_world_process_zero():
    open("steps", "w").write(str(trainer.state.global_step))
"""

LIGHTNING = DATA + """
import PACKAGE as pl
import stint

class Model(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(32, 1)
    def loss(self, batch): return torch.nn.functional.mse_loss(self.layer(batch[0]), batch[1])
    def training_step(self, batch, index):
        loss = self.loss(batch)
        self.log("train_loss", loss)
        return loss
    def validation_step(self, batch, index): self.log("val_loss", self.loss(batch))
    def configure_optimizers(self): return torch.optim.SGD(self.parameters(), lr=0.01)

def loader(count):
    data = torch.utils.data.TensorDataset(torch.randn(count, 32), torch.randn(count, 1))
    return torch.utils.data.DataLoader(data, batch_size=16)

callback = stint.callbacks.Lightning(save_dir="out")
trainer = pl.Trainer(max_steps=STEPS, callbacks=[callback], accelerator="gpu" if GPU else "cpu", devices=1, logger=False,
                     enable_progress_bar=False, enable_checkpointing=False, val_check_interval=100)
trainer.fit(Model(), loader(16 * 500), loader(64))
assert callback.meter.errors == 0, callback.meter.errors
open("steps", "w").write(str(trainer.global_step))
"""

ACCELERATE = DATA + """
import accelerate, stint
tracker = stint.callbacks.Accelerate(samples=16)
accelerator = accelerate.Accelerator(log_with=tracker, cpu=not GPU)
accelerator.init_trackers("demo", config={"lr": 0.01})
model = torch.nn.Linear(32, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(8000, 32), torch.randn(8000, 1)), batch_size=16)
model, optimizer, data = accelerator.prepare(model, optimizer, data)
step, stopped = 0, False
while step < STEPS and not stopped:
    for x, y in data:
        loss = torch.nn.functional.mse_loss(model(x), y)
        accelerator.backward(loss)
        optimizer.step(); optimizer.zero_grad()
        step += 1
        accelerator.log({"loss": loss.item(), "learning_rate": 0.01}, step=step)
        stopped = tracker.should_stop()
        if stopped:
            accelerator.save_state("out/state")
            tracker.saved("out/state")
        if stopped or step == STEPS:
            break
accelerator.end_training()
assert tracker.meter.errors == 0, tracker.meter.errors
open("steps", "w").write(str(step))
"""


def case(package):
    def add(function):
        CASES.append((function, package))
        return function
    return add


class Run:
    """A program under `stint run` in a folder of its own, and what was recorded."""

    def __init__(self, program, steps, *options, command=(), **environment):
        self.folder = tempfile.mkdtemp(prefix="sc", dir="/tmp")
        self.environment = {**os.environ, "PYTHONPATH": os.path.join(BUILD, "python"), "STINT_PARTS": os.path.join(BUILD, "parts"),
                            "STINT_LIBRARY": os.path.join(BUILD, "libstint.so.0"), "HOME": self.folder,
                            "XDG_RUNTIME_DIR": self.folder, "STINT_LEDGER": self.path("ledger.db"),
                            "STINT_MACHINE_DIR": self.folder, "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false",
                            **environment}
        with open(self.path("train.py"), "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(program).replace("STEPS", str(steps)))
        began = time.monotonic()
        self.ended = subprocess.run([os.path.join(BUILD, "stint"), "run", "--price", "$3600/hr", "--share", "all", *options, "--",
                                     sys.executable, *command, "train.py"], cwd=self.folder, env=self.environment,
                                    capture_output=True, text=True, timeout=400, check=False)
        self.seconds = time.monotonic() - began
        self.record = json.loads(self.stint("show", "last", "--json"))
        self.metrics = {metric["name"]: metric for metric in self.record["metrics"]}
        self.run = self.record["run"]

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def stint(self, *words):
        return subprocess.run([os.path.join(BUILD, "stint"), *words], cwd=self.folder, env=self.environment, check=True,
                              capture_output=True, text=True, timeout=120).stdout

    def steps(self):
        with open(self.path("steps"), encoding="utf-8") as file:
            return int(file.read())

    def check(self, what, *also):
        if not what:
            raise AssertionError(f"{also} status {self.ended.returncode}, run {self.run}, metrics {sorted(self.metrics)}, events "
                                 f"{[e['kind'] for e in self.record['events']]}\n{self.ended.stderr[-3000:]}")

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def complete(program, steps, names, **how):
    """A run to its end: everything that was logged is recorded. How long it took."""
    run = Run(program, steps, **how)
    run.check(run.ended.returncode == 0 and run.run["state"] == "done", "did not end well")
    run.check(run.steps() == steps == run.run["step"], "steps", run.run["step"])
    for name in names:
        run.check(name in run.metrics and run.metrics[name]["values"] > 1, "metric", name)
    run.check(run.metrics["model_parameters"]["last"] > 0 if "model_parameters" in run.metrics else True, "parameters")
    run.stint("report", "last", "-o", "report")
    run.check(os.path.getsize(run.path("report", "metrics.svg")) > 1000, "the figure of the metrics")
    print(f"#   {len(run.metrics)} metrics: {', '.join(sorted(run.metrics))}")
    run.close()
    return run.seconds


def stopped(program, took, saved, **how):
    """A budget that is spent while it trains: saved and ended by the framework, within the budget."""
    budget = int(took + TRAINS_S)
    run = Run(program, 10**7, "--budget", f"${budget}", "--grace", f"{GRACE_S}s", **how)
    run.check(run.ended.returncode == 5 and run.run["state"] == "stopped" and run.run["reason"] == "budget", "not stopped")
    run.check(float(run.run["cost"]["amount"]) <= budget, "cost", run.run["cost"])
    kinds = [event["kind"] for event in run.record["events"]]
    run.check("term" not in kinds and "kill" not in kinds, "a signal ended it")
    run.check("checkpoint" in kinds and "checkpoint-asked" in kinds, "no checkpoint")
    run.check(os.path.exists(run.path("steps")), "the program was killed")
    saved(run, run.steps())
    print(f"#   stopped after step {run.steps()}, ${float(run.run['cost']['amount']):.2f} of ${budget} spent")
    run.close()


def trainer_saved(run, steps):
    with open(run.path("out", f"checkpoint-{steps}", "trainer_state.json"), encoding="utf-8") as file:
        run.check(json.load(file)["global_step"] == steps, "state")
    run.check(os.path.getsize(run.path("out", f"checkpoint-{steps}", "model.safetensors")) > 1000, "model")


@case("transformers")
def transformers_trainer():
    """Hugging Face Trainer: recorded; stopped and saved within its budget"""
    took = complete(TRANSFORMERS, 200, ("loss", "grad_norm", "learning_rate", "eval_loss"))
    stopped(TRANSFORMERS, took, trainer_saved)


@case("transformers")
def transformers_ranks():
    """Hugging Face Trainer on two ranks (gloo, on the processor): both stop after the same step"""
    how = {"command": ("-m", "torch.distributed.run", "--nproc_per_node", "2", "--master_port", "29577"), "USE_CPU": "1",
           "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}
    took = complete(TRANSFORMERS, 100, ("loss", "eval_loss"), **how)
    stopped(TRANSFORMERS, took, trainer_saved, **how)


def lightning_saved(run, steps):
    code = f"import torch; assert torch.load('out/stint-step={steps}.ckpt', weights_only=False)['global_step'] == {steps}"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=run.folder, capture_output=True, text=True, check=False)
    run.check(loaded.returncode == 0, loaded.stderr)


@case("lightning")
def lightning_trainer():
    """Lightning: recorded; stopped and saved within its budget"""
    program = LIGHTNING.replace("PACKAGE", "lightning.pytorch")
    took = complete(program, 2000, ("train_loss", "val_loss"))
    stopped(program, took, lightning_saved)


@case("pytorch_lightning")
def pytorch_lightning_trainer():
    """The same under its old name, pytorch_lightning"""
    complete(LIGHTNING.replace("PACKAGE", "pytorch_lightning"), 2000, ("train_loss", "val_loss"))


def state_saved(run, _steps):
    run.check(os.path.exists(run.path("out", "state", "model.safetensors")), os.listdir(run.path("out", "state")))


@case("accelerate")
def accelerate_loop():
    """Accelerate: recorded through its tracker; stopped and saved within its budget"""
    took = complete(ACCELERATE, 2000, ("loss", "learning_rate"))
    stopped(ACCELERATE, took, state_saved)


def main():
    if BUILD is None:
        print(__doc__, file=sys.stderr)
        return 2
    wanted = sys.argv[2:]
    cases = [(function, package) for function, package in CASES if not wanted or function.__name__ in wanted]
    failures = 0
    print(f"1..{len(cases)}", flush=True)
    for number, (function, package) in enumerate(cases, 1):
        missing = [name for name in ("torch", package) if importlib.util.find_spec(name) is None]
        if missing:
            print(f"ok {number} - {function.__doc__} # SKIP {', '.join(missing)} not installed", flush=True)
            continue
        try:
            function()
            print(f"ok {number} - {function.__doc__}", flush=True)
        except Exception:  # pylint: disable=broad-except
            failures += 1
            print(f"not ok {number} - {function.__doc__}")
            print(textwrap.indent(traceback.format_exc(), "# "), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
