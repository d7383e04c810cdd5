#!/usr/bin/python3
"""stint data weights on files that PyTorch wrote itself: what torch.load() reads from the new ones.

data_weights.py STINT: prints TAP; skips without torch."""
import argparse
import collections
import os
import subprocess
import sys
import tempfile
import zipfile

try:
    import numpy
    import torch
except ImportError:
    print("1..0 # SKIP python3-torch is not installed")
    sys.exit(0)

STINT = os.path.abspath(sys.argv[1])
tests = []


def test(function):
    tests.append(function)
    return function


class Evil:
    def __reduce__(self):
        return os.mkdir, ("executed",)


def network():
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(300, 100), torch.nn.BatchNorm1d(100), torch.nn.Linear(100, 10))
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.randn(4, 300)).sum().backward()
    optimizer.step()
    return model, optimizer


def checkpoint():
    model, optimizer = network()
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 3)
    return {"epoch": 3, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict(),
            "lr_scheduler": schedule.state_dict(), "rng_state": torch.get_rng_state(), "best": 1.5,
            "numpy": numpy.random.RandomState(1).get_state(), "scalar": numpy.float64(2.5),
            "args": argparse.Namespace(a=1, b="x", large=2**70, negative=-5, bytes=b"abc", set={1, 2})}


def views():
    large = torch.randn(1000, 1000)
    return {"slice": large[100:110], "later": large[500, 10:20], "own": large[5].clone(),
            "turned": large[:20, :30].clone().t(), "expanded": torch.ones(1).expand(5, 5),
            "number": torch.tensor(3.5), "empty": torch.empty(0, 4), "double": torch.randn(3, dtype=torch.float64),
            "half": torch.randn(3).half(), "complex": torch.randn(3, dtype=torch.complex64),
            "bool": torch.tensor([True, False]), "list": [torch.arange(5), (torch.randn(2), None)],
            "special": torch.tensor([float("nan"), float("inf"), -0.0, 1e-45, 3.4e38, 65520.0]),
            "parameter": torch.nn.Parameter(torch.randn(5)), "no": torch.nn.Parameter(torch.randn(5), False)}


def optimize(name, *options):
    done = subprocess.run([STINT, "data", "weights", ".", "-o", name, *options], cwd="in", text=True,
                          capture_output=True, env=dict(os.environ, HOME=os.getcwd()))
    assert done.returncode == 0, done.stderr
    return done.stdout


def same_tensor(path, a, b, cast):
    """The same values, or their cast; the same way to lie in memory."""
    wanted = a
    if cast and a.dtype in (torch.float32, torch.float64):
        wanted = a.to(cast)
    assert b.dtype == wanted.dtype, (path, b.dtype, wanted.dtype)
    assert type(a) is type(b) and a.requires_grad == b.requires_grad, path
    assert a.shape == b.shape and a.stride() == b.stride(), path
    assert torch.equal(torch.nan_to_num(wanted.float()) if wanted.is_floating_point() else wanted,
                       torch.nan_to_num(b.float()) if b.is_floating_point() else b), path
    if a.is_floating_point():
        assert torch.equal(torch.isnan(a), torch.isnan(b)), path


def same(path, a, b, cast=None):
    assert type(a) is type(b), (path, type(a), type(b))
    if isinstance(a, torch.Tensor):
        same_tensor(path, a, b, cast)
    elif isinstance(a, dict):
        assert list(a) == list(b), path
        for key in a:
            same(f"{path}.{key}", a[key], b[key], cast)
        assert getattr(a, "_metadata", None) == getattr(b, "_metadata", None), path
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b), path
        for number, pair in enumerate(zip(a, b)):
            same(f"{path}.{number}", *pair, cast)
    elif isinstance(a, numpy.ndarray):
        assert numpy.array_equal(a, b), path
    else:
        assert a == b, (path, a, b)


def load(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None, path
        for entry in archive.infolist():
            assert entry.compress_type == zipfile.ZIP_STORED
    try:
        return torch.load(path, map_location="cpu", weights_only=False)
    except TypeError:  # of before 1.13.1, which knows no other way
        return torch.load(path, map_location="cpu")


@test
def weights_stay():
    """without options values, shapes, strides, parameters and everything else stay"""
    for name, value in (("model.bin", network()[0].state_dict()), ("checkpoint.pth", checkpoint()),
                        ("views.pt", views()), ("p3.pt", checkpoint())):
        torch.save(value, "in/" + name, **({"pickle_protocol": 3} if name == "p3.pt" else {}))
    optimize("../out")
    for name in os.listdir("in"):
        same(name, load("in/" + name), load("out/" + name))
    assert os.path.getsize("out/views.pt") < os.path.getsize("in/views.pt") / 2
    with open("in/model.bin", "rb") as before, open("out/model.bin", "rb") as after:
        assert before.read() == after.read()


@test
def casts_are_those_of_torch():
    """casts are those of torch, and states of optimizers keep their types"""
    for name, value in (("model.bin", network()[0].state_dict()), ("views.pt", views())):
        torch.save(value, "in/" + name)
    torch.save(checkpoint(), "in/checkpoint.pth")
    torch.save(network()[1].state_dict(), "in/opt.pt")
    for option, cast in (("bf16", torch.bfloat16), ("fp16", torch.float16)):
        optimize("../" + option, "--cast", option)
        for name in ("model.bin", "views.pt"):
            same(name, load("in/" + name), load(f"{option}/{name}"), cast)
        before, after = load("in/checkpoint.pth"), load(option + "/checkpoint.pth")
        same("state_dict", before.pop("state_dict"), after.pop("state_dict"), cast)
        same("rest", before, after)
        same("opt", load("in/opt.pt"), load(option + "/opt.pt"))


@test
def optimizers_are_left_out():
    """--drop-optimizer leaves out keys, and nothing else"""
    torch.save(checkpoint(), "in/checkpoint.pth")
    torch.save(network()[1].state_dict(), "in/opt.pt")
    optimize("../out", "--drop-optimizer")
    before, after = load("in/checkpoint.pth"), load("out/checkpoint.pth")
    for key in ("optimizer", "lr_scheduler", "rng_state"):
        del before[key]
    same("checkpoint", before, after)
    assert os.listdir("out") == ["checkpoint.pth"]
    assert os.path.getsize("out/checkpoint.pth") < os.path.getsize("in/checkpoint.pth") / 2


@test
def tied_tensors_stay_tied():
    """tensors that share memory share it afterwards"""
    weight = torch.randn(64, 64)
    torch.save(collections.OrderedDict(embed=weight, head=weight, part=weight[2:4]), "in/tied.pt")
    optimize("../out", "--cast", "bf16")
    after = load("out/tied.pt")
    assert after["embed"].data_ptr() == after["head"].data_ptr()
    after["embed"][2, 0] = 77
    assert after["part"][0, 0] == 77
    assert os.path.getsize("out/tied.pt") < 10000


@test
def nothing_is_executed():
    """files with other objects are copied, and nothing of them is executed"""
    torch.save({"a": Evil(), "b": torch.ones(3)}, "in/evil.bin")
    torch.save(network()[0], "in/module.pt")
    torch.save(network()[0].state_dict(), "in/old.bin", _use_new_zipfile_serialization=False)
    torch.jit.script(network()[0]).save("in/script.pt")
    said = optimize("../out", "--cast", "bf16")
    assert "posix.mkdir" in said and "Sequential" in said, said
    for name in os.listdir("in"):
        with open("in/" + name, "rb") as before, open("out/" + name, "rb") as after:
            assert before.read() == after.read(), name
    assert not os.path.exists("in/executed") and not os.path.exists("executed")


def main():
    failed = False
    print(f"1..{len(tests)}")
    for number, function in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            os.mkdir("in")
            try:
                function()
                print(f"ok {number} - {function.__doc__}")
            except AssertionError as problem:
                failed = True
                print(f"not ok {number} - {function.__doc__}\n# {problem!r}")
            os.chdir("/")
    sys.exit(failed)


main()
