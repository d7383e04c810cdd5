#!/usr/bin/python3
"""From planned runs to better estimates: what `stint run` records is what `stint calibrate` learns from."""
import json

from devices import Cards
from harness import STINT, main, read, script, test, wait_for

JOB = ("llama-3.2-1b", "--gpu", "H200", "--max-gpus", "1", "--tokens", "500k", "--set", "sequence=1024", "--set", "global_batch=2",
       "--market", "on-demand")
STARTUP, STEPS, WATTS = 1.5, 70, 500

# Imports for a while, then draws a bar as Hugging Face's Trainer does, with a slow first step and an evaluation. Writes the mean
# of its steady steps.
TRAIN = """
import os, sys, time
folder, step_s = sys.argv[1], float(sys.argv[2])
open(folder + "/pid.new", "w").write(str(os.getpid())); os.rename(folder + "/pid.new", folder + "/pid")
time.sleep(%g)
took = []
print("  0%%|          | 0/%d [00:00<?, ?it/s]", end="\\r", file=sys.stderr, flush=True)
for step in range(1, %d + 1):
    began = time.monotonic()
    time.sleep(step_s * (10 if step == 1 else 1))
    if step > 3: took.append(time.monotonic() - began)
    print(f" 50%%|#####     | {step}/%d [00:01<00:01, 9.9it/s]", end="\\r", file=sys.stderr, flush=True)
    if step == 40:
        time.sleep(0.7)
        print("{'eval_loss': 1.5, 'eval_runtime': 0.7, 'epoch': 0.5}", flush=True)
open(folder + "/mean", "w").write(str(sum(took) / len(took)))
open(folder + "/done.new", "w").write("x"); os.rename(folder + "/done.new", folder + "/done")
while not os.path.exists(folder + "/leave"): time.sleep(0.02)
""" % (STARTUP, STEPS, STEPS, STEPS)


# Loads for a while, says what it trains, as the callback of Hugging Face does, and makes steps three times as long as those of an
# H200.
REPORTS = """
import json, os, socket, sys, time
step_s = float(sys.argv[1])
if len(sys.argv) > 2: time.sleep(float(sys.argv[2]))
run = socket.socket(socket.AF_UNIX)
run.connect(os.environ["STINT_SOCKET"])
def say(**line): run.sendall((json.dumps(line) + "\\n").encode())
shapes = {"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32,
          "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 128256, "tie_word_embeddings": True,
          "head_dim": 64, "max_position_embeddings": 4096}
train = {"model": "mine", "method": "lora", "rank": 16, "sequence": 1024, "micro_batch": 1, "accumulation": 1, "steps": 40,
         "framework": "hf", "precision": "bf16", "recompute": "none"}
say(stint="job", gpu="NVIDIA H200", gpus=1, schema="stint.job/1", kind="train", job={"train": train},
    config=json.dumps(shapes))
for step in range(1, 41):
    time.sleep(step_s)
    say(step=step, steps=40, loss=2.5)
"""


def call(w, *words):
    ended = w.end(w.start(STINT, *words))
    assert ended.status == 0, ended
    return ended.out


def best_plan(w):
    call(w, "plan", *JOB, "--save", "plan.json")
    return json.loads(read(w.path("plan.json")))["plans"][0]


def train(w, cards, number, step_s, memory):
    """A planned run whose steps take so long and whose process uses so much memory: the seconds of its steps."""
    folder = f"run{number}"
    w.write(f"{folder}/x", "")
    run = w.start(STINT, "run", "--quiet", "--every", "100ms", "--plan", "plan.json", "--", *script(TRAIN), folder, step_s)
    pid = int(wait_for("its number", lambda: read(w.path(folder, "pid"))))
    cards.say(0, process=[(pid, memory)], used=memory, power=WATTS * 1000, util=97)
    wait_for("its steps", lambda: read(w.path(folder, "done")))
    cards.say(0, power=60000, util=0)
    w.write(f"{folder}/leave", "")
    ended = w.end(run)
    assert ended.status == 0, ended
    cards.say(0, process=[], used=10**9)
    return float(read(w.path(folder, "mean")))


def near(value, expected, part):
    return value is not None and abs(value / expected - 1) <= part


@test
def learns(w):
    """three short runs bring step time and memory within 3 %, whatever the start took"""
    with Cards(w) as cards:
        plan = best_plan(w)
        memory = int(plan["memory_gb"] * 1.08e9)
        means = [train(w, cards, number, 0.8 * plan["step_s"], memory) for number in range(3)]
    rows = w.ask("SELECT * FROM attempts")
    for row, mean in zip(rows, means):
        assert near(row["step_s"], mean, 0.05), (row["step_s"], mean)
        assert STARTUP <= row["startup_s"] < STARTUP + 1, row["startup_s"]
        assert row["elapsed_ns"] / 1e9 > 1.3 * STEPS * mean, "wall time has the start, the first step and the evaluation"
        assert row["gpu_memory_run"] == memory, tuple(row)
        assert near(row["gpu_watts"], WATTS, 0.1), row["gpu_watts"]
    accuracy = json.loads(call(w, "accuracy", "--json"))
    assert near(accuracy["runs"][0]["step_s"], means[2], 0.05) and near(1 + accuracy["all"]["memory_bias"], 1.08, 0.001), accuracy
    learned = json.loads(call(w, "calibrate", "--json"))
    found = {row["of"]: row for row in learned["corrections"]}
    assert found.keys() >= {"memory", "startup"} and learned["runs"] == 3, learned
    assert all(row["model"] == "llama-3.2-1b" for row in found.values()), learned
    assert STARTUP <= found["startup"]["factor"] < STARTUP + 1, learned
    after, mean = best_plan(w), sum(means) / len(means)
    assert near(after["step_s"], mean, 0.03), (plan["step_s"], after["step_s"], mean)
    assert near(after["memory_gb"] * 1e9, memory, 0.03), (plan["memory_gb"], after["memory_gb"], memory)


@test
def without_steps(w):
    """runs that print no steps teach nothing"""
    best_plan(w)
    for _ in range(3):
        ended = w.run("--quiet", "--plan", "plan.json", "--", "sleep", "0.3")
        assert ended.status == 0, ended
    assert [row["step_s"] for row in w.ask("SELECT step_s FROM attempts")] == [None] * 3
    learned = json.loads(call(w, "calibrate", "--json"))
    assert learned["corrections"] == [] and learned["without_steps"] == 3, learned


@test
def by_its_job(w):
    """a run with a job records its own estimate, without a plan, and three are learned from however far off"""
    job = w.write("job.yaml", "train: {model: llama-3.2-1b, method: lora, sequence: 1024, micro_batch: 1, steps: 40}\n")
    program = script("""
import sys, time
for step in range(1, 41):
    time.sleep(0.3)
    print(f"step {step}/40 loss 2.5", flush=True)
""")
    with Cards(w) as cards:
        cards.say(0, name="NVIDIA H200")
        runs = [w.start(STINT, "run", "--job", job, "--price", "$3.60/hr", "--", *program) for _ in range(3)]
        said = [w.end(run).err for run in runs]
    assert all(b"stint: estimated " in text and b"'stint why last' compares afterwards" in text for text in said), said
    rows = w.ask("SELECT * FROM runs")
    for row in rows:
        features = json.loads(row["features"])
        assert features["gpu"].startswith("H200") and features["model"] == "llama-3.2-1b" and features["gpus"] == 1, features
    learned = json.loads(call(w, "calibrate", "--json"))
    step = [row for row in learned["corrections"] if row["of"] == "step"]
    assert learned["outliers"] == 0 and learned["runs"] == 3 and len(step) == 1, learned
    assert near(step[0]["factor"] * json.loads(rows[0]["features"])["step_s"], 0.3, 0.15) and step[0]["factor"] > 2, learned


@test
def on_a_processor(w):
    """without a GPU, a run is estimated by the processor, and learned from"""
    job = w.write("job.yaml", "train: {layers: 2, hidden: 64, heads: 4, kv_heads: 4, ffn: 256, vocab: 500, sequence: 32, "
                  "micro_batch: 4, steps: 40}\n")
    program = script("""
import sys, time
for step in range(1, 41):
    time.sleep(0.1)
    print(f"step {step}/40 loss 2.5", flush=True)
""")
    words = (STINT, "run", "--job", job, "--price", "$3.60/hr", "--", *program)
    runs = [w.start(*words, env={"CUDA_VISIBLE_DEVICES": ""}) for _ in range(3)]
    said = [w.end(run).err for run in runs]
    assert all(b"stint: estimated " in text and b", without a GPU (within a factor of 2); 'stint why" in text for text in said), said
    for row in w.ask("SELECT * FROM runs"):
        features = json.loads(row["features"])
        assert features["gpu"] and features["memory_gb"] is None and features["step_s"] < 0.05, features
        assert near(row["estimated_ns"] / 1e9, 40 * features["step_s"], 0.01), (row["estimated_ns"], features)
    learned = json.loads(call(w, "calibrate", "--json"))
    step = [row for row in learned["corrections"] if row["of"] == "step"]
    assert learned["runs"] == 3 and len(step) == 1 and step[0]["factor"] > 2, learned
    ended = w.end(w.start(*words, env={"CUDA_VISIBLE_DEVICES": ""}))
    features = json.loads(w.ask("SELECT * FROM runs")[-1]["features"])
    assert near(features["step_s"], 0.1, 0.2) and near(features["correction"], step[0]["factor"], 0.001), (features, ended)


@test
def by_its_program(w):
    """what the program says of its job is estimated once, before it trains, with the start-up that it has taken by then"""
    with Cards(w):
        ended = w.end(w.start(STINT, "run", "--price", "$3.60/hr", "--", *script(REPORTS), 0.1, 2))
    assert ended.status == 0 and ended.err.count(b"stint: estimated ") == 1 and b" of start-up; " in ended.err, ended
    row, = w.ask("SELECT * FROM runs")
    features = json.loads(row["features"])
    assert (features["model"], features["setting"]) == ("mine", "lora bf16, sequence 1024"), features
    startup = features["lines"]["start-up"]["hours"] * 3600
    assert 2 <= startup < row["estimated_ns"] / 1e9, features
    assert near(row["estimated_ns"] / 1e9 - startup, 40 * features["step_s"], 0.01), (row["estimated_ns"], features)
    assert near(row["estimated_cost_nano"] / 1e9, row["estimated_ns"] / 1e9 / 1000, 0.01), tuple(row)
    assert json.loads(row["job"])["job"]["train"]["rank"] == 16, row["job"]
    accuracy = json.loads(call(w, "accuracy", "--json"))
    assert accuracy["count"] == 1 and near(accuracy["runs"][0]["step_s"], 0.1, 0.2), accuracy
    why = json.loads(call(w, "why", "last", "--json"))
    assert why["kind"] == "estimate" or "estimate" in json.dumps(why), why
    late = sum(float(part["amount"]["amount"]) for part in why["parts"] if part["cause"] == "startup")
    assert abs(late) < 0.001, why  # no more than a second of it


@test
def without_an_estimate(w):
    """a job that cannot be estimated is no reason not to run"""
    job = w.write("job.yaml", "train: {model: llama-3.2-1b, method: lora, sequence: 1024, steps: 40}\n")
    ended = w.end(w.start(STINT, "run", "--job", job, "--no-gpu", "--", "sleep", "1.5"))
    assert ended.status == 0 and b"no estimate: no GPU was found on this machine" in ended.err, ended
    assert [row["features"] for row in w.ask("SELECT features FROM runs")] == [None]


main()
