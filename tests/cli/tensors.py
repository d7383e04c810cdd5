"""Files of tensors for conversations, without the libraries that they are usually written with.

tensors.py model DIR: the folder of a model in two shards. tensors.py show FILE: what is in a .safetensors file."""
import json
import os
import struct
import sys


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


if __name__ == "__main__":
    {"model": model, "show": show}[sys.argv[1]](*sys.argv[2:])
