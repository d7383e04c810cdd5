"""Files of tensors for conversations, without the libraries that they are usually written with.

tensors.py model DIR: the folder of a model in two shards. tensors.py torch DIR: files as torch.save() writes them.
tensors.py show FILE: what is in a .safetensors file; tensors.py list FILE: what is in one of torch.save()."""
import collections
import io
import json
import os
import pickle
import struct
import sys
import types
import zipfile


def write_safetensors(path, tensors, notes=None):
    header, at = {}, 0
    if notes is not None:
        header["__metadata__"] = notes
    for name, dtype, shape, data in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(t[3] for t in tensors))


def floats(*values):
    return struct.pack("<%df" % len(values), *values)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(value, indent=2) + "\n")


def model(folder):
    os.makedirs(folder)
    shards = ["model-0000%d-of-00002.safetensors" % n for n in (1, 2)]
    values = floats(*(i / 1024 for i in range(16384)))
    write_safetensors(os.path.join(folder, shards[0]), [
        ("embed.weight", "F32", [64, 256], values),
        ("ids", "I64", [2], struct.pack("<2q", 7, -1)),
        ("half", "F16", [3], bytes(range(6)))], {"format": "pt"})
    write_safetensors(os.path.join(folder, shards[1]), [
        ("head.weight", "F32", [64, 256], values),
        ("large", "F32", [4], floats(1, 65520, -1e38, 1e-9)),
        ("special", "F32", [3], floats(float("nan"), float("inf"), -0.0)),
        ("double", "F64", [], struct.pack("<d", 1.00390625000001)),
        ("none", "F32", [0, 4], b"")])
    write_json(os.path.join(folder, "model.safetensors.index.json"), {
        "metadata": {"total_size": 131150},
        "weight_map": {"embed.weight": shards[0], "head.weight": shards[1], "large": shards[1]}})
    write_json(os.path.join(folder, "config.json"), {
        "architectures": ["Tiny"], "hidden_size": 256, "eps": 1e-05, "torch_dtype": "float32"})
    write_json(os.path.join(folder, "tokenizer.json"), {})


def show(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    print(json.dumps(header.pop("__metadata__", None)), len(header), (8 + length) % 8)
    for name, t in sorted(header.items()):
        start, end = t["data_offsets"]
        print(name, t["dtype"], t["shape"], data[start:end][:16].hex())


# ---- PyTorch: its names, without it ----

def stub(module, name, value):
    if module not in sys.modules:
        sys.modules[module] = types.ModuleType(module)
    setattr(sys.modules[module], name, value)
    value.__module__, value.__qualname__ = module, name
    return value


STORAGES = {name: stub("torch", name, type(name, (), {"width": width})) for name, width in
            (("FloatStorage", 4), ("DoubleStorage", 8), ("BFloat16Storage", 2), ("HalfStorage", 2), ("LongStorage", 8))}


class Storage:
    def __init__(self, kind, data):
        self.kind, self.data = kind, data


class Tensor:
    def __init__(self, storage, shape, strides, offset=0):
        self.given = (storage, offset, shape, strides, False, collections.OrderedDict())

    def __reduce__(self):
        return REBUILD, self.given


REBUILD = stub("torch._utils", "_rebuild_tensor_v2", lambda *given: ("tensor",) + given[:4])


def vector(kind, data, start=0, count=None):
    storage = data if isinstance(data, Storage) else Storage(kind, data)
    width = STORAGES[storage.kind].width
    return Tensor(storage, (len(storage.data) // width if count is None else count,), (1,), start)


def save(path, value, compress=zipfile.ZIP_STORED):
    storages, text = [], io.BytesIO()

    class Pickler(pickle.Pickler):
        def persistent_id(self, obj):
            if not isinstance(obj, Storage):
                return None
            if obj not in storages:
                storages.append(obj)
            return ("storage", STORAGES[obj.kind], str(storages.index(obj)), "cpu",
                    len(obj.data) // STORAGES[obj.kind].width)

    Pickler(text, 2).dump(value)
    with zipfile.ZipFile(path, "w", compress) as archive:
        archive.writestr("archive/data.pkl", text.getvalue())
        archive.writestr("archive/byteorder", "little")
        for number, storage in enumerate(storages):
            archive.writestr("archive/data/%d" % number, storage.data)
        archive.writestr("archive/version", "3\n")


def torch(folder):
    os.makedirs(folder)
    values = floats(*(i / 1024 for i in range(16384)))
    shared = Storage("FloatStorage", values)
    weights = collections.OrderedDict([("embed.weight", vector(None, shared)), ("head.weight", vector(None, shared)),
                                       ("ids", vector("LongStorage", struct.pack("<2q", 7, -1)))])
    state = {"state": {0: {"step": vector("FloatStorage", floats(1000)),
                           "exp_avg": vector("FloatStorage", values[:1024])}}, "param_groups": [{"lr": 1e-3}]}
    path = lambda name: os.path.join(folder, name)
    save(path("pytorch_model.bin"), weights)
    save(path("checkpoint.pt"), {"model": weights, "optimizer": state, "scheduler": {"last": 3}, "epoch": 7})
    save(path("optimizer.pt"), state)
    save(path("slice.pt"), {"part": vector(None, Storage("FloatStorage", values), 1024, 16)})
    save(path("packed.bin"), weights, zipfile.ZIP_DEFLATED)
    save(path("evil.bin"), {"a": stub("webbrowser", "open", lambda: None)})
    with open(path("old.bin"), "wb") as file:
        pickle.dump({"a": 1}, file, 2)
    with open(path("pytorch_model.bin"), "rb") as file:
        whole = file.read()
    for name, data in (("cut.bin", whole[:-100]), ("bomb.bin", whole.replace(b"M\x00@tq", b"M\x01@tq")),
                       ("outside.bin", whole.replace(b"K\x00M\x00@\x85", b"K\x01M\x00@\x85")),
                       ("tokenizer.bin", b"no tensors")):
        with open(path(name), "wb") as file:
            file.write(data)


def twice(folder):
    """The same model in both formats; safetensors has the head that is tied to the embedding once."""
    torch(folder)
    for name in os.listdir(folder):
        if name != "pytorch_model.bin":
            os.remove(os.path.join(folder, name))
    values = floats(*(i / 1024 for i in range(16384)))
    write_safetensors(os.path.join(folder, "model.safetensors"), [
        ("embed.weight", "F32", [16384], values), ("ids", "I64", [2], struct.pack("<2q", 7, -1))])
    save(os.path.join(folder, "pytorch_model-00001-of-00002.bin"), {"ids": vector("LongStorage", struct.pack("<2q", 7, -1))})
    save(os.path.join(folder, "pytorch_model-00002-of-00002.bin"), {"embed.weight": vector("FloatStorage", values)})
    write_json(os.path.join(folder, "pytorch_model.bin.index.json"), {"metadata": {"total_size": 65552}, "weight_map": {}})
    save(os.path.join(folder, "other.bin"), {"ids": vector("LongStorage", struct.pack("<2q", 7, -2))})


def listing(path):
    class Unpickler(pickle.Unpickler):
        def persistent_load(self, pid):
            return pid[1].__name__, pid[2], pid[4]

    with zipfile.ZipFile(path) as archive:
        print(archive.testzip(), [(e.filename, e.file_size) for e in archive.infolist()])
        print(Unpickler(io.BytesIO(archive.read("archive/data.pkl"))).load())


if __name__ == "__main__":
    {"model": model, "show": show, "torch": torch, "twice": twice, "list": listing}[sys.argv[1]](*sys.argv[2:])
