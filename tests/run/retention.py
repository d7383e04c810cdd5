#!/usr/bin/python3
"""Which checkpoints `stint run --keep` removes. Random jobs: the best one always stays, results that are no checkpoints stay, and
where lines and names have steps only the best and the newest are left.

STINT_TEST_SEED chooses other jobs.
"""
import os
import random
import signal

from harness import main, script, test

SEED = int(os.environ.get("STINT_TEST_SEED", "1"))

TRAIN = """
import os, signal, sys, time
def put(name, size=2000):
    with open('out/' + name, 'wb') as f: f.write(b'x' * size)
for name, lines_before, lines_after, pause in JOBS:
    for line in lines_before: print(line)
    put(name); time.sleep(pause)
    for line in lines_after: print(line)
if KILLED: sys.stdout.flush(); os.kill(os.getpid(), signal.SIGKILL)
"""

NAMES = {"step": ["step_{n}.pt", "ckpt_{n}.pt", "model_step{n:06d}.safetensors.bin", "run7_iter_{n}.pth", "checkpoint-{n}.ckpt"],
         "epoch": ["epoch_{n}.pt", "model_epoch{n:02d}.pth", "ckpt_{n}.pt", "net-epoch={n}.ckpt"]}


def draw_job(dice):
    """A job: what it prints and saves, what is asked for, and which checkpoint is its best."""
    unit = dice.choice(["step", "epoch"])
    every = 1 if unit == "epoch" else dice.choice([1, 10, 100])
    count, first = dice.randint(4, 9), dice.choice([0, 1])
    metric = dice.choice(["val_loss:min", "val_acc:max", "loss:min"])
    name, greater = metric.split(":")[0], metric.endswith("max")
    form = dice.choice(["both", "both", "both", "alone", "apart"])
    values = [round(dice.uniform(0.1, 0.9), 4) for _ in range(count)]
    shift = dice.choice([0, 0, 0, 1, -1])  # the name counts from another number than the line
    pattern = dice.choice(NAMES[unit])
    steps = [(first + i) * every for i in range(count)]
    after, noise = dice.random() < 0.4, dice.choice([0, 0, 3, 80])
    jobs, files = [], []
    for step, value in zip(steps, values):
        others = dice.choice(["", " lr 1e-4", " grad_norm: 0.7"])
        lines = [f"batch {k} of {step}" for k in range(noise)]
        if form == "both":
            lines.append(f"{unit} {step} {name}: {value}{others}")
        elif form == "alone":
            lines.append(f"{name}: {value}")
        else:
            parts = [f"{unit} {step} lr 1e-4", f"{name}={value}"]
            lines += parts if dice.random() < 0.5 else parts[::-1]
        files.append(pattern.format(n=step + shift * (1 if every == 1 else dice.choice([1, every]))))
        jobs.append((files[-1], [] if after else lines, lines if after else [], dice.choice([0.005, 0.005, 0.05, 0.3])))
    if len(set(files)) < count or any("-" in f.split("_")[-1] and shift < 0 for f in files):
        return draw_job(dice)
    best = files[values.index((max if greater else min)(values))]
    return {"jobs": jobs, "files": files, "values": values, "metric": metric, "best": best, "exact": form == "both" and shift == 0,
            "form": form, "keep": dice.choice([1, 1, 2]), "buffered": dice.random() < 0.6, "killed": dice.random() < 0.15}


def play(w, number):
    dice = random.Random(SEED * 1000 + number)
    for turn in range(4):
        job, folder = draw_job(dice), f"job{turn}"
        os.makedirs(w.path(folder, "out"))
        env = {"PYTHONUNBUFFERED": "" if job["buffered"] else "1"}
        ended = w.run("--name", folder, "--checkpoints", "out", "--keep", str(job["keep"]), "--best", job["metric"], "--",
                      *script(f"JOBS = {job['jobs']!r}\nKILLED = {job['killed']}\n" + TRAIN), env=env, cwd=w.path(folder))
        left = sorted(os.listdir(w.path(folder, "out")))
        assert ended.status == (-signal.SIGKILL if job["killed"] else 0), (number, turn, job, ended)
        assert job["best"] in left and job["files"][-1] in left, (number, turn, job, left, ended)
        if job["exact"] and not job["killed"]:
            ranked = sorted(zip(job["values"], job["files"]), reverse=job["metric"].endswith("max"))
            wanted = {file for _, file in ranked[:job["keep"]]} | {job["files"][-1]}
            assert set(left) == wanted, (number, turn, job, left, sorted(wanted), ended)
        if job["form"] != "both" and not job["killed"]:
            assert len(left) == len(job["files"]) and b"cannot be ranked and are kept" in ended.err, (number, turn, job, left, ended)


def add_games():
    for number in range(8):
        def game(w, number=number):
            play(w, number)
        game.__doc__ = f"random jobs, part {number + 1}: the best checkpoint stays, and only what is worse goes"
        game.__name__ = f"game{number}"
        test(game)


add_games()


def left_after(w, text, *options):
    os.makedirs(w.path("out"), exist_ok=True)
    ended = w.run("--checkpoints", "out", "--keep", "1", *options, "--", *script(
        "import os, time\ndef put(name, size=2000):\n  os.makedirs(os.path.dirname('out/' + name), exist_ok=True)\n"
        "  open('out/' + name, 'wb').write(b'x' * size); time.sleep(0.02)\n" + text))
    assert ended.status == 0, ended
    return sorted(os.listdir(w.path("out"))), ended


RESULTS = ["expert_{}.pt", "agent_{}/model.zip", "client_{}.pth", "ensemble_{}.pt", "member_{}.safetensors", "trial_{}/model.pt",
           "task_{}.pt", "fold_{}.ckpt", "seed_{}.pt", "embeddings_{}.pt", "features_{}.pt", "features_epoch_{}.pt", "speaker_{}.pt",
           "best_model_{}.pth", "fold_{}_checkpoint.pt", "checkpoint_task_{}.pt", "resnet{}.pt", "vit_b_{}.pth", "{}/model.pt",
           "shard-{}.safetensors", "user-00000{}.safetensors", "model-0000{}-of-00004.safetensors", "horizon_{}.pt", "zone_{}.pt",
           "cc3m-00000{}.tar", "latents-00000{}.npz", "img_00000000{}.npz", "expert_ckpt_{}.pt", "agent_checkpoint_{}/model.zip",
           "iter{}_dpo/model.safetensors", "step{}_x.pt", "iter_{}_reward_model.bin", "epoch{}-merged.safetensors", "checkpoint-{}-gguf-q4.gguf",
           "step_{}_hf/model.safetensors", "stage2_iter{}_sft.ckpt", "step{}_7b.pth", "iteration_{}_policy/_CHECKPOINT_METADATA"]


@test
def results(w):
    """results with a number in their names are not checkpoints, also when the program prints steps"""
    for prints in (False, True):
        say = "print(f'epoch {epoch} loss 0.5', flush=True)" if prints else "pass"
        left, ended = left_after(w, f"for n in range(1, 5):\n  for epoch in range(1, 7): {say}\n"
                                    f"  for name in {RESULTS!r}: put(name.format(n))\n", "--progress")
        assert len(left) == 4 * len(RESULTS), (prints, left, ended)
        assert b"may not be a step" in ended.err and b"removed " not in ended.err, ended


@test
def several_trainings(w):
    """models that are numbered are no steps of a training that counts from the beginning each time"""
    for folds, epochs, pause in ((5, 3, 0.1), (3, 1, 0.15), (4, 2, 0.1), (6, 3, 0.005)):
        left, ended = left_after(w, f"for n in range({folds}):\n"
                                    f"  for epoch in range(1, {epochs} + 1):\n    time.sleep({pause})\n"
                                    f"    print(f'Epoch {{epoch}}/{epochs} loss: {{1 / epoch}}', flush={pause > 0.01})\n"
                                    "  put(f'model_{n}.pt')\n", "--progress")
        assert left == [f"model_{n}.pt" for n in range(folds)], (folds, epochs, left, ended)
        for name in left:
            os.remove(w.path("out", name))


@test
def printed_with_text(w):
    """a word with a number and other text is a step when the program prints it as one"""
    for name in ("iter{n}_dpo/model.pt", "step{n}_x.pt", "step{n}_x.bin"):
        left, ended = left_after(w, f"for n in range(1, 6): print(f'step {{n}} loss 0.5', flush=True); time.sleep(0.2); put(f'{name}')\n", "--progress")
        kept = name.format(n=5).split("/")[0]
        assert left == [kept], (left, ended)
        w.end(w.start("rm", "-r", w.path("out", kept)))


@test
def nothing_seen(w):
    """a run without checkpoints says that nothing was removed"""
    _, ended = left_after(w, "put('agent_1/x.bin'); put('agent_2/x.bin')\n")
    assert b"--keep removed nothing: no checkpoint with a step was seen in 'out'" in ended.err, ended


@test
def incomplete_seen(w):
    """checkpoints that are not complete are kept, and it says why"""
    job = "for n in (1, 2, 3): os.makedirs(f'out/checkpoint-{n}00'); put(f'checkpoint-{n}00/model.safetensors')\n"
    left, ended = left_after(w, job)
    assert left == ["checkpoint-100", "checkpoint-200", "checkpoint-300"], (left, ended)
    assert b"--keep removed nothing: 3 checkpoints such as 'checkpoint-100' are not complete (shorter than its header says)" in ended.err, ended


LAYOUTS = ["checkpoint-{}00/model.bin", "epoch={0}-step={0}00.ckpt", "global_step{}00/mp_rank_00_model_states.pt", "epoch_{}/model.pt",
           "lora-00000{}.safetensors", "lora-step0000{}000.safetensors", "iter_000{}000/model.bin", "weights.0{}-0.3{}.hdf5", "epoch{}.pt",
           "checkpoint_{0}_{0}000.pt", "ep{0}-ba{0}00-rank0.pt", "global_step_{}0/actor.pt", "checkpoint{}.pt", "step-0000{}000/lit_model.pth",
           "rl_model_{}000_steps.zip", "G_{}000.pth", "model_000{}999.pth", "{}epoch.pth", "name_e{0}_s{0}00.pth", "ckpt_epoch_{}.pth",
           "my_lora_00000{}000.safetensors", "fold_2_epoch_{}.pt", "{}0/_CHECKPOINT_METADATA", "{}_net_G.pth", "checkpoint-{}.pth.tar",
           "step_{}_model.pt", "epoch{}_optimizer.pt", "step{}00_model_states.pt", "epoch-{}-val_loss=0.2.ckpt", "epoch_{}_loss0.24.pth",
           "epoch={}-val_acc=0.91-f1=0.5.ckpt", "iter_{}_loss=1e-3.pth", "epoch_{}_val_loss_0.5.pt", "step_{}_ema.safetensors",
           "step{}000-unsharded/model.pt", "epoch_{}_generator.pth", "epoch={}-step={}00-v1.ckpt", "ckpt_{}_rank_0.pt", "epoch{}_state_dict.pth",
           "global_step{}_mp_rank_00_model_states.pt", "epoch_{}_miou_0.71.pth"]


@test
def layouts(w):
    """layouts of known tools are checkpoints without a printed step: the newest stays"""
    for number, layout in enumerate(LAYOUTS):
        os.makedirs(w.path(str(number), "out"))
        ended = w.run("--checkpoints", "out", "--keep", "1", "--", *script(
            "import os, struct, time\nhead = b'{\"x\":{\"dtype\":\"U8\",\"shape\":[9],\"data_offsets\":[0,9]}}'\n"
            "for n in range(1, 5):\n"
            f"  path = 'out/' + {layout!r}.format(n, n)\n  os.makedirs(os.path.dirname(path), exist_ok=True)\n"
            "  data = struct.pack('<Q', len(head)) + head + b'x' * 9 if path.endswith('.safetensors') else b'x' * 99\n"
            "  open(path, 'wb').write(data); time.sleep(0.02)\n"), cwd=w.path(str(number)))
        left = sorted(os.listdir(w.path(str(number), "out")))
        assert left == [layout.format(4, 4).split("/")[0]], (layout, left, ended)


@test
def printed(w):
    """a number is a step when the program prints it as its step or epoch"""
    for text in ("step {n} loss 0.5", "epoch {n}/9 loss 0.5"):
        left, ended = left_after(w, f"for n in range(1, 6): print(f'{text}', flush=True); time.sleep(0.2); put(f'net_{{n}}.pt')\n", "--progress")
        assert left == ["net_5.pt"], (left, ended)
        os.remove(w.path("out", "net_5.pt"))


def hugging_face(names, best=None, cut=None):
    """A program that saves like the Trainer, and is killed in the last save after `cut` writes."""
    return f"""
import io, json, os, signal, struct, sys, time, zipfile
writes = 0
def write(path, data):
    global writes
    with open(path, 'wb', 0) as f:
        for at in range(0, len(data), max(1, len(data) // 3)):
            f.write(data[at:at + max(1, len(data) // 3)]); writes += last
            if last and writes == {cut!r}: os.kill(os.getpid(), signal.SIGKILL)
head = b'{{"x":{{"dtype":"U8","shape":[4000],"data_offsets":[0,4000]}}}}'
def archive():
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as z: z.writestr('archive/data.pkl', b'x' * 3000)
    return out.getvalue()
for name in {names!r}:
    last = name == {names!r}[-1]
    os.mkdir('out/' + name)
    at = 'out/' + name + '/'
    write(at + 'config.json', json.dumps({{"a": [1, 2, {{"b": 3}}]}}).encode())
    for i in (1, 2): write(at + f'model-0000{{i}}-of-00002.safetensors', struct.pack('<Q', len(head)) + head + b'x' * 4000)
    write(at + 'model.safetensors.index.json', json.dumps({{"weight_map": {{"a": "model-00001-of-00002.safetensors",
        "b": "model-00002-of-00002.safetensors"}}}}).encode())
    write(at + 'tokenizer.model', b'y' * 900)
    write(at + 'training_args.bin', archive()); write(at + 'optimizer.pt', archive()); write(at + 'scheduler.pt', archive())
    write(at + 'rng_state.pth', archive())
    write(at + 'trainer_state.json', json.dumps({{"best_model_checkpoint": {best!r}, "global_step": 1, "log_history": [{{"loss": 1}}]}}).encode())
    time.sleep(0.05)
time.sleep(0.5)
if {cut!r} is not None: os.kill(os.getpid(), signal.SIGKILL)
"""


@test
def cut_short(w):
    """a save that was cut off at any point is not preferred to the complete one before it"""
    names = ["checkpoint-100", "checkpoint-200", "checkpoint-300", "checkpoint-400"]
    for cut in range(1, 46, 2):
        folder = w.path(str(cut))
        os.makedirs(folder + "/out")
        ended = w.run("--name", str(cut), "--checkpoints", "out", "--keep", "1", "--", *script(hugging_face(names, cut=cut)), cwd=folder)
        left = sorted(os.listdir(folder + "/out"))
        complete = all(os.path.exists(f"{folder}/out/checkpoint-400/{name}") for name in ("trainer_state.json", "rng_state.pth"))
        if complete:
            complete = open(f"{folder}/out/checkpoint-400/trainer_state.json").read().count("{") == 2 and \
                open(f"{folder}/out/checkpoint-400/trainer_state.json").read().count("}") == 2
        assert complete or "checkpoint-300" in left, (cut, left, ended)
        assert left[-1] == "checkpoint-400", (cut, left, ended)


@test
def trainers_best(w):
    """the Trainer's best_model_checkpoint stays, however its path is written"""
    names = [f"checkpoint-{n}00" for n in range(1, 6)]
    for number, best in enumerate(("out/checkpoint-200", "/elsewhere/out/checkpoint-200", "./out/checkpoint-200", "checkpoint-200")):
        folder = w.path(str(number))
        os.makedirs(folder + "/out")
        ended = w.run("--checkpoints", "out", "--keep", "1", "--", *script(hugging_face(names, best)), cwd=folder)
        assert sorted(os.listdir(folder + "/out")) == ["checkpoint-200", "checkpoint-500"], (best, os.listdir(folder + "/out"), ended)


@test
def lightning(w):
    """Lightning's best, and what last.ckpt links to, stay"""
    left, ended = left_after(w, "for n in range(1, 5):\n  put(f'epoch={n}-step={n}00.ckpt'); put(f'best-epoch={n}.ckpt')\n"
                                "os.symlink('epoch=2-step=200.ckpt', 'out/last.ckpt')\n")
    assert left == [f"best-epoch={n}.ckpt" for n in range(1, 5)] + ["epoch=2-step=200.ckpt", "epoch=4-step=400.ckpt", "last.ckpt"], (left, ended)


@test
def parts_of_a_step(w):
    """a step that lacks the file of a rank is not preferred to the one before it"""
    left, ended = left_after(w, "for n in (1, 2, 3):\n  for rank in (0, 1, 2): put(f'ep0-ba{n}00-rank{rank}.pt')\nput('ep0-ba400-rank0.pt')\n")
    assert left == ["ep0-ba300-rank0.pt", "ep0-ba300-rank1.pt", "ep0-ba300-rank2.pt", "ep0-ba400-rank0.pt"], (left, ended)
    left, ended = left_after(w, "for n in (5, 6):\n  for rank in (0, 1, 2): put(f'ep0-ba{n}00-rank{rank}.pt')\n")
    assert {name for name in left if "600" in name} == {f"ep0-ba600-rank{rank}.pt" for rank in (0, 1, 2)}, (left, ended)


@test
def deepspeed(w):
    """the one that 'latest' names stays, also when a newer one was begun"""
    left, ended = left_after(w, "for n in (1, 2, 3):\n  for rank in (0, 1): put(f'global_step{n}00/zero_pp_rank_{rank}_mp_rank_00_optim_states.pt')\n"
                                "  open('out/latest', 'w').write(f'global_step{n}00')\n"
                                "put('global_step400/zero_pp_rank_0_mp_rank_00_optim_states.pt')\n")
    assert left == ["global_step300", "global_step400", "latest"], (left, ended)


main(6)
