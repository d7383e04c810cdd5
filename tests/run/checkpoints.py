#!/usr/bin/python3
"""Checkpoints of `stint run`: what each holds, which are kept, whose are removed. Small programs imitate training; epochs are short."""
import json
import os
import signal
import time

from harness import STINT, Skip, main, script, test, wait_for

HEAD = """
import os, signal, struct, sys, time
def say(text): print(text, flush=True)
def put(path, size=1000, mode='wb'):
    with open('out/' + path, mode) as f: f.write(b'x' * size)
def tensors(path):
    head = b'{"x":{"dtype":"U8","shape":[999],"data_offsets":[0,999]}}'
    os.makedirs(os.path.dirname('out/' + path), exist_ok=True)
    with open('out/' + path, 'wb') as f: f.write(struct.pack('<Q', len(head)) + head + b'x' * 999)
"""
EPOCH = 0.4  # longer than the 50 ms in which a busy reader may not know which came first


def job(w, text, *options, folder="out", **how):
    os.makedirs(w.path("out"), exist_ok=True)
    return w.run("--price", "$3600/hr", "--checkpoints", folder, *options, "--", *script(HEAD + text), **how)


def files(w):
    return sorted(name for name in os.listdir(w.path("out")) if not name.startswith("."))


def rows(w):
    return {row["path"].rsplit("/", 1)[1]: dict(row) for row in w.ask("SELECT * FROM checkpoints ORDER BY at, path")}


def metrics(w):
    return {name: row["metric"] for name, row in rows(w).items()}


@test
def best_of_three(w):
    """each checkpoint has the metric that was printed before its save, and the best one stays"""
    ended = job(w, f"for n, acc in enumerate((0.6, 0.9, 0.7), 1):\n"
                   f"  time.sleep({EPOCH}); say(f'epoch {{n}} val_acc={{acc}}'); put(f'ckpt_{{n}}.pt')\n",
                "--progress", "--keep", "1", "--best", "val_acc:max")
    assert ended.status == 0 and metrics(w) == {"ckpt_1.pt": 0.6, "ckpt_2.pt": 0.9, "ckpt_3.pt": 0.7}, (ended, rows(w))
    assert files(w) == ["ckpt_2.pt", "ckpt_3.pt"], files(w)
    known = rows(w)
    assert [name for name in known if known[name]["gone"]] == ["ckpt_1.pt"], known
    assert [name for name in known if known[name]["best"]] == ["ckpt_2.pt"], known
    assert b"removed    1 checkpoint, 1 kB: ckpt_1.pt\n" in ended.err and b"kept       2 kB of checkpoints\n" in ended.err, ended
    shown = w.end(w.start(STINT, "show", "last")).out.decode()
    assert [line.split()[-1] for line in shown.splitlines() if line.startswith("out/")] == ["removed", "best", "kept"], shown
    assert [line.split()[1:4] for line in shown.splitlines() if line.startswith("val_acc ")] == [["3", "0.6", "0.7"]], shown
    costs = [row["cost_nano"] / 1e9 for row in known.values()]
    assert all(later - earlier >= EPOCH * 0.9 for earlier, later in zip(costs, costs[1:])), costs


@test
def best_without_a_step(w):
    """lines that contain only the metric do not say which checkpoint they are of: all are kept"""
    ended = job(w, f"for n, acc in enumerate((0.6, 0.9, 0.7), 1):\n"
                   f"  time.sleep({EPOCH}); say(f'val_acc={{acc}}'); put(f'ckpt_{{n}}.pt')\n",
                "--keep", "1", "--best", "val_acc:max")
    assert ended.status == 0 and set(metrics(w).values()) == {None} and len(files(w)) == 3, (ended, rows(w))
    assert b"3 of 3 checkpoints cannot be ranked and are kept: no line has 'val_acc' beside the step" in ended.err, ended


@test
def evaluated_after_the_save(w):
    """a metric that is printed after the save belongs to the step that is printed beside it"""
    ended = job(w, f"for n, loss in enumerate((0.6, 0.2, 0.7, 0.8), 1):\n"
                   f"  for i in range(3): time.sleep(0.1); say(f'step {{n * 10 + i - 2}} loss 1.0')\n"
                   f"  put(f'step_{{n * 10}}.pt'); time.sleep({EPOCH}); say(f'step {{n * 10}} val_loss={{loss}}')\n",
                "--keep", "2", "--best", "val_loss:min")
    assert ended.status == 0, ended
    assert metrics(w) == {"step_10.pt": 0.6, "step_20.pt": 0.2, "step_30.pt": 0.7, "step_40.pt": 0.8}, rows(w)
    assert files(w) == ["step_10.pt", "step_20.pt", "step_40.pt"], files(w)  # the best two, and the newest


@test
def now_and_then(w):
    """a metric that is printed now and then: what has none cannot be ranked, and stays"""
    ended = job(w, f"for n in range(10, 60, 10):\n"
                   f"  time.sleep({EPOCH}); say(f'step {{n}} loss 1.0')\n"
                   f"  if n in (20, 40): say(f'step {{n}} val_loss={{1 / n}}')\n"
                   f"  time.sleep(0.1); put(f'step_{{n}}.pt'); time.sleep(0.1)\n",
                "--keep", "1", "--best", "val_loss:min")
    assert ended.status == 0, ended
    assert metrics(w) == {"step_10.pt": None, "step_20.pt": 0.05, "step_30.pt": None, "step_40.pt": 0.025, "step_50.pt": None}, rows(w)
    assert files(w) == ["step_10.pt", "step_30.pt", "step_40.pt", "step_50.pt"], files(w)
    assert b"3 of 5 checkpoints cannot be ranked" in ended.err, ended


@test
def nothing_to_rank_by(w):
    """when nothing can be ranked all are kept, and one message says what to type"""
    ended = job(w, f"for n in range(1, 5): time.sleep(0.2); say(f'step {{n}} loss 1.0'); put(f'step_{{n}}.pt')\n",
                "--keep", "2", "--best", "val_loss:min")
    assert ended.status == 0 and len(files(w)) == 4, (ended, files(w))
    assert ended.err.count(b"4 of 4 checkpoints cannot be ranked") == 1 and b"'step 300 val_loss=0.123'" in ended.err, ended
    assert "checkpoints-unranked" in w.events(), w.events()


@test
def folders(w):
    """folders, several files in one save, files renamed into place and one that is overwritten"""
    ended = job(w, f"for n, loss in enumerate((0.6, 0.3, 0.7), 1):\n"
                   f"  time.sleep({EPOCH}); say(f'step {{n}} loss 1.0 val_loss={{loss}}')\n"
                   f"  for i in (1, 2): tensors(f'checkpoint-{{n}}/model-0000{{i}}-of-00002.safetensors')\n"
                   f"  open(f'out/checkpoint-{{n}}/trainer_state.json', 'w').write('{{}}')\n"
                   f"  put(f'optim_{{n}}.pt.tmp'); os.rename(f'out/optim_{{n}}.pt.tmp', f'out/optim_{{n}}.pt')\n"
                   f"  put(f'ema_{{n}}.pt'); put('last.ckpt')\n",
                "--keep", "1", "--best", "val_loss:min")
    assert ended.status == 0, ended
    assert files(w) == ["checkpoint-2", "checkpoint-3", "ema_2.pt", "ema_3.pt", "last.ckpt", "optim_2.pt", "optim_3.pt"], files(w)
    known = rows(w)
    assert {known[name + ending]["metric"] for name, ending in (("checkpoint-2", ""), ("ema_2", ".pt"), ("optim_2", ".pt"))} == {0.3}
    assert known["last.ckpt"]["metric"] is None and known["last.ckpt"]["step"] == 3, known["last.ckpt"]


@test
def resumed(w):
    """a second attempt keeps the first one's records, and prunes its checkpoints too"""
    text = (f"for n, loss in enumerate((0.2, 0.5) if os.environ['STINT_ATTEMPT'] == '1' else (0.4, 0.3), 1):\n"
            f"  n += 2 * int(os.environ['STINT_ATTEMPT']) - 2\n"
            f"  time.sleep({EPOCH}); say(f'step {{n}} loss 1.0 val_loss={{loss}}'); put(f'step_{{n}}.pt')\n"
            f"sys.exit(os.environ['STINT_ATTEMPT'] == '1')\n")
    first = job(w, text, "--name", "job", "--keep", "9", "--best", "val_loss:min")
    before = rows(w)
    assert first.status == 1 and {name: row["metric"] for name, row in before.items()} == {"step_1.pt": 0.2, "step_2.pt": 0.5}, before
    second = job(w, text, "--name", "job", "--keep", "1", "--best", "val_loss:min", folder="./out/")
    after = rows(w)
    assert second.status == 0 and metrics(w) == {"step_1.pt": 0.2, "step_2.pt": 0.5, "step_3.pt": 0.4, "step_4.pt": 0.3}, after
    assert len(w.ask("SELECT * FROM checkpoints")) == 4, after
    assert after["step_1.pt"]["cost_nano"] == before["step_1.pt"]["cost_nano"] and after["step_1.pt"]["number"] == 1, after
    assert files(w) == ["step_1.pt", "step_4.pt"], files(w)


@test
def resumed_in_a_long_path(w):
    """likewise in a folder whose path is long, and with long names of checkpoints"""
    at = w.path("a" * 90, "b" * 90)
    os.makedirs(at + "/out")
    name = "long-" + "x" * 90 + "-step_"
    text = (f"n = int(os.environ['STINT_ATTEMPT'])\nput('{name}' + str(n) + '.pt'); time.sleep({EPOCH})\nsys.exit(n == 1)\n")
    assert job(w, text, "--name", "job" + "y" * 90, cwd=at).status == 1
    ended = job(w, text + "", "--name", "job" + "y" * 90, "--keep", "1", "--summary", "end.json", cwd=at)
    assert ended.status == 0 and os.listdir(at + "/out") == [name + "2.pt"], (ended, os.listdir(at + "/out"), rows(w))
    known = rows(w)
    assert sorted(known) == [name + "1.pt", name + "2.pt"] and known[name + "1.pt"]["gone"], known
    with open(at + "/end.json") as f:
        assert json.load(f)["removed_names"] == [name + "1.pt"]


@test
def of_others(w):
    """what was there before, and what another run wrote, is not removed; --prune-all asks for it"""
    job(w, "put('step_1.pt'); put('step_2.pt')\n")
    w.write("out/step_3.pt", "mine" * 250)
    time.sleep(0.1)
    text = "for n in range(4, 8): put(f'step_{n}.pt'); time.sleep(0.1)\nos.utime('out/step_3.pt')\n"
    ended = job(w, text, "--keep", "2")
    assert files(w) == ["step_1.pt", "step_2.pt", "step_3.pt", "step_6.pt", "step_7.pt"], (ended, files(w))
    ended = job(w, "put('step_8.pt')\n", "--keep", "2", "--prune-all")
    assert files(w) == ["step_3.pt", "step_8.pt"], (ended, files(w))  # the newest by their dates


@test
def pruned_by_hand(w):
    """'stint checkpoints prune --run' removes only what the run wrote, and the ledger knows it"""
    w.write("out/step_0.pt", "mine")
    job(w, "for n in (1, 2, 3): put(f'step_{n}.pt'); time.sleep(0.05)\n", "--name", "job")
    ended = w.end(w.start(STINT, "checkpoints", "prune", "out", "--run", "job", "--keep", "1", "--settle", "0s", "--yes"))
    assert ended.status == 0 and files(w) == ["step_0.pt", "step_3.pt"], (ended, files(w))
    assert [name for name, row in rows(w).items() if row["gone"]] == ["step_1.pt", "step_2.pt"], rows(w)


@test
def another_metric(w):
    """'stint checkpoints best' by a metric that the run did not rank by: from the history of all metrics"""
    job(w, f"for n, loss, acc in ((1, 0.6, 0.5), (2, 0.2, 0.4), (3, 0.7, 0.3)):\n"
           f"  time.sleep({EPOCH}); say(f'step {{n}} loss 1.0 val_loss={{loss}} val_acc={{acc}}'); put(f'step_{{n}}.pt')\n",
        "--keep", "9", "--best", "val_loss:min")
    for metric, best in (("val_loss:min", b"step_2.pt: val_loss 0.2"), ("val_acc:max", b"step_1.pt: val_acc 0.5")):
        ended = w.end(w.start(STINT, "checkpoints", "best", "out", "--run", "last", "--settle", "0s", "--best", metric))
        assert ended.status == 0 and best in ended.out, (metric, ended)
    ended = w.end(w.start(STINT, "checkpoints", "best", "out", "--run", "last", "--settle", "0s", "--best", "f1:max"))
    assert ended.status == 4, ended


@test
def time_of_saving(w):
    """two saves of 1 kB take no time worth booking; one of a second takes a second, unless training goes on meanwhile"""
    save = ("f = open('out/step_9.pt', 'wb', 0)\nfor i in range(15):\n"
            "  f.write(b'x'); time.sleep(0.1)\n  if {busy}: say(f'step {{i}} loss 1.0')\nf.close()\ntime.sleep(1.5)\n")
    small = "for n in (1, 2): say(f'step {n} loss 1.0'); time.sleep(1.2); put(f'step_{n}.pt')\ntime.sleep(1.2)\n"
    for text, least, most in ((small, 0, 0.1), (save.format(busy=0), 1.2, 2.2), (save.format(busy=1), 0, 0.3)):
        ended = job(w, text, "--progress")
        took = w.ask("SELECT phase_checkpoint_nano FROM attempts ORDER BY attempt")[-1][0] / 1e9  # a dollar is a second
        assert ended.status == 0 and least <= took <= most, (took, ended)


# A slow disk: a seccomp filter delays fsync() until the time has passed.
SLOW_DISK = """
import ctypes, fcntl, platform, threading
def hold_fsync(seconds):
    calls = {'x86_64': (317, 74), 'aarch64': (277, 82)}.get(platform.machine())
    if calls is None: return False
    program = b''.join(struct.pack('HBBI', *line) for line in (
        (0x20, 0, 0, 0), (0x15, 0, 1, calls[1]), (0x06, 0, 0, 0x7fc00000), (0x06, 0, 0, 0x7fff0000)))
    lines = ctypes.create_string_buffer(program)
    class Program(ctypes.Structure): _fields_ = [('len', ctypes.c_ushort), ('lines', ctypes.c_void_p)]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0: return False
    listener = libc.syscall(calls[0], 1, 8, ctypes.byref(Program(4, ctypes.addressof(lines))))
    if listener < 0: return False
    def answer():
        while True:
            asked = bytearray(80)
            fcntl.ioctl(listener, 0xc0502100, asked)
            time.sleep(seconds)
            fcntl.ioctl(listener, 0xc0182101, bytearray(asked[:8] + struct.pack('qiI', 0, 0, 1)))
    threading.Thread(target=answer, daemon=True).start()
    return True
"""


def synced(w, text, *options):
    """A save of a program on a slow disk: seconds that it waited for the disk, and the run's own."""
    ended = job(w, SLOW_DISK + text, "--progress", *options)
    if ended.status == 77:
        raise Skip("the kernel does not let a program hold up its own calls")
    assert ended.status == 0, ended
    with open(w.path("held"), encoding="ascii") as file:
        return float(file.read()), w.attempt()


SYNCED = """
if not hold_fsync(6): sys.exit(77)
for step in range(1, 4): time.sleep(0.3); say(f'step {step}/4 loss 2.0')
with open('out/NAME', 'wb') as f:
    f.write(b'x' * 3000000); f.flush()
    began = time.monotonic(); os.fsync(f.fileno()); held = time.monotonic() - began
AFTER
open('held', 'w').write(str(held))
say('step 4/4 loss 2.0'); time.sleep(0.3)
"""


@test
def time_of_syncing(w):
    """waiting until a checkpoint is on the disk is saving, not waiting for data"""
    held, row = synced(w, SYNCED.replace("NAME", "ckpt_1.pt").replace("AFTER", ""))
    saving = row["phase_checkpoint_nano"] / 1e9
    assert held * 0.7 < saving <= row["elapsed_ns"] / 1e9 - 0.6, (held, saving, row["elapsed_ns"])


@test
def time_of_syncing_under_another_name(w):
    """the same with a file that gets its name when it is complete"""
    held, row = synced(w, SYNCED.replace("NAME", "half-done").replace("AFTER", "os.rename('out/half-done', 'out/ckpt_1.pt')"))
    saving = row["phase_checkpoint_nano"] / 1e9
    assert held * 0.7 < saving <= row["elapsed_ns"] / 1e9 - 0.6, (held, saving, row["elapsed_ns"])


@test
def time_of_syncing_elsewhere(w):
    """time spent on a file that is not a checkpoint is not counted as saving"""
    _, row = synced(w, SYNCED.replace("out/NAME", "log.txt").replace("AFTER", ""))
    assert not row["phase_checkpoint_nano"], row["phase_checkpoint_nano"]


@test
def saves_in_a_relative_folder(w):
    """a file that is written slowly in the folder is a save, whatever it is called, if the folder is given as 'out'"""
    ended = job(w, "with open('out/half-done', 'wb', 0) as f:\n"
                   "  for _ in range(20): f.write(bytes(100000)); time.sleep(0.1)\n"
                   "time.sleep(4)\n", "--budget", "$1000")
    assert ended.status == 0 and w.attempt()["save_s"], (ended, w.attempt()["save_s"])


@test
def killed_after_the_save(w):
    """a run ended by a signal right after a save: the checkpoint is recorded, and older ones are removed"""
    ended = job(w, "signal.signal(signal.SIGUSR1, lambda *a: put('step_4.bin'))\n"
                   "for n in range(1, 4): put(f'step_{n}.bin'); time.sleep(0.2)\n"
                   "while True: time.sleep(0.05)\n", "--keep", "2", "--deadline", "9s", "--grace", "3s")
    assert ended.status == 5 and sorted(rows(w)) == [f"step_{n}.bin" for n in range(1, 5)], (ended, rows(w))
    assert files(w) == ["step_3.bin", "step_4.bin"], files(w)


@test
def killed_in_the_save(w):
    """a run ended in the middle of a save: the incomplete checkpoint is not recorded and not counted"""
    ended = job(w, "put('step_1.bin'); time.sleep(0.3); put('step_2.bin'); time.sleep(0.3)\n"
                   "f = open('out/step_3.bin', 'ab', 0)\nwhile True: f.write(b'x'); time.sleep(0.05)\n",
                "--keep", "1", "--deadline", "8s", "--grace", "1s")
    assert ended.status == 5 and sorted(rows(w)) == ["step_1.bin", "step_2.bin"], (ended, rows(w))
    assert files(w) == ["step_2.bin", "step_3.bin"], files(w)


@test
def stopped_by_the_user(w):
    """the same after Ctrl-C"""
    os.mkdir(w.path("out"))
    process = w.stint("--checkpoints", "out", "--keep", "2", "--", *script(
        HEAD + "for n in range(1, 5): put(f'step_{n}.bin'); time.sleep(0.2)\nput('ready')\nwhile True: time.sleep(0.05)\n"))
    wait_for("its saves", lambda: os.path.exists(w.path("out", "ready")))
    time.sleep(1.5)  # it is seen that they are closed
    process.send_signal(signal.SIGINT)
    ended = w.end(process)
    assert ended.status != 0 and [name for name in files(w) if name != "ready"] == ["step_3.bin", "step_4.bin"], (ended, files(w))


main(8)
