"""What a Hugging Face Trainer trains, as a job that Stint can estimate: the model's configuration, batch, length of
sequences, adapters, precision, optimizer.

    connection.job(describe(args, state, model, loader))

`describe` returns None where Stint would estimate something else than what runs: prefix tuning, frozen layers, sequences
whose length is not known. It reads a few rows of the data set, and puts back what random numbers that took.
"""
import contextlib
import json
import random
import sys
import time

SCHEMA = "stint.job/1"  # of the text that the ledger keeps
LINE_BYTES = 4096  # of a report
ROWS = 64  # of the data set, that are looked at
ROWS_S = 0.3
ALL_TRAINED = 0.98  # share of the parameters: below it layers are frozen
OPTIMIZERS = (("paged_adamw_8bit", "paged-adamw-8bit"), ("paged_adamw", "paged-adamw"), ("adamw_bnb_8bit", "adamw-8bit"),
              ("adamw_8bit", "adamw-8bit"), ("adamw", "adamw"), ("adafactor", "adafactor"), ("sgd", "sgd"))
ATTENTION = {"eager": "plain", "sdpa": "flash", "flash_attention_2": "flash", "flash_attention_3": "fused",
             "flex_attention": "flash"}
NO_SHAPES = ("id2label", "label2id", "task_specific_params", "quantization_config", "transformers_version",
             "generation_config")


def describe(args, state, model, loader):
    """The job that is about to train, with its GPUs if it has any; None: not known well enough."""
    torch = sys.modules.get("torch")
    device = getattr(args, "device", None)
    if torch is None or model is None or getattr(device, "type", None) not in ("cuda", "cpu"):
        return None
    train = _method(model)
    sequence = _sequence(args, loader)
    if train is None or sequence is None:
        return None
    train.update(_model(model), sequence=sequence, micro_batch=args.per_device_train_batch_size,
                 accumulation=args.gradient_accumulation_steps, framework="hf",
                 recompute="full" if getattr(args, "gradient_checkpointing", False) else "none")
    steps = (getattr(state, "max_steps", 0) or 0) - (getattr(state, "global_step", 0) or 0)
    if steps > 0:
        train["steps"] = steps
    for name, value in (("precision", _precision(args, model, train)), ("optimizer", _optimizer(args)),
                        ("attention", ATTENTION.get(getattr(model.config, "_attn_implementation", None))),
                        ("compile", "yes" if getattr(args, "torch_compile", False) else None),
                        ("parallel", _parallel(args))):
        if value is not None:
            train[name] = value
    job = {"schema": SCHEMA, "kind": "train", "job": {"train": train}, **_config(model)}
    ranks = max(1, getattr(args, "world_size", 1) or 1)
    if device.type == "cuda":
        return {"gpu": torch.cuda.get_device_name(device), "gpus": ranks * max(1, getattr(args, "n_gpu", 1) or 1), **job}
    return job if ranks == 1 else None  # processors of several ranks are not distinguished


def line_of(job):
    """As the run reads it; None: too long for a line."""
    for left_out in ((), (list, dict)):
        config = job.get("config")
        if config is not None:
            shapes = {k: v for k, v in config.items() if not isinstance(v, left_out)}
            line = json.dumps({"stint": "job", **job, "config": json.dumps(shapes)})
        else:
            line = json.dumps({"stint": "job", **job})
        if len(line) <= LINE_BYTES:
            return line
    return None


# ---- the model ----

def _model(model):
    """The last part of a folder is what people call the model; a name of the Hub stays as it is."""
    name = str(getattr(model.config, "_name_or_path", "") or "").rstrip("/")
    if name.startswith(("/", ".", "~")) or name.count("/") > 1:
        name = name.rsplit("/", 1)[-1]
    return {"model": name or type(_inner(model)).__name__}


def _inner(model):
    """Without PEFT around it."""
    return model.get_base_model() if hasattr(model, "get_base_model") else model


def _config(model):
    shapes = model.config.to_dict()
    return {"config": {k: v for k, v in shapes.items() if v is not None and not k.startswith("_") and k not in NO_SHAPES}}


def _bits(model):
    """The frozen weights of 4 or 8 bits that the job file calls so; None: they are not."""
    given = getattr(model.config, "quantization_config", None)
    if given is None:
        return None
    read = given.get if isinstance(given, dict) else lambda name, other=None: getattr(given, name, other)
    if read("load_in_4bit"):
        if read("bnb_4bit_quant_type") == "nf4":
            return "nf4-dq" if read("bnb_4bit_use_double_quant") else "nf4"
        return "fp4"
    return "int8" if read("load_in_8bit") else "int4"


def _method(model):
    adapters = getattr(model, "peft_config", None)
    if not adapters:
        sizes = [(p.numel(), p.requires_grad) for p in model.parameters()]
        trained = sum(n for n, wanted in sizes if wanted)
        return {"method": "full"} if trained >= ALL_TRAINED * sum(n for n, _ in sizes) and trained > 0 else None
    adapter = adapters.get(getattr(model, "active_adapter", None)) if isinstance(adapters, dict) else None
    adapter = adapter or next(iter(adapters.values()))
    if str(getattr(adapter, "peft_type", "")).rsplit(".", 1)[-1].upper() != "LORA":
        return None
    bits = _bits(model)
    train = {"method": "qlora" if bits else "lora", "rank": adapter.r}
    if bits:
        train["base"] = bits
    targets = getattr(adapter, "target_modules", None)
    if targets:
        train["targets"] = targets if isinstance(targets, str) else ",".join(sorted(targets))
    if getattr(adapter, "modules_to_save", None):
        train["modules_to_save"] = ",".join(sorted(adapter.modules_to_save))
    if getattr(adapter, "use_dora", False):
        train["dora"] = "yes"
    return train


# ---- the settings ----

def _precision(args, model, train):
    """By the weights as they are, and what Trainer casts to."""
    torch = sys.modules["torch"]
    weights = next((p.dtype for p in model.parameters() if p.is_floating_point()), None)
    bf16, fp16 = getattr(args, "bf16", False), getattr(args, "fp16", False)
    if _zero(args) and bf16:
        return "bf16"  # DeepSpeed keeps its own copy of 32 bits
    if weights == torch.bfloat16:
        return "bf16-pure" if train["method"] == "full" else "bf16"
    if weights == torch.float16 and train["method"] == "full":
        return None
    return "amp-bf16" if bf16 else "amp-fp16" if fp16 else "tf32" if getattr(args, "tf32", False) else "fp32"


def _optimizer(args):
    name = str(getattr(getattr(args, "optim", ""), "value", getattr(args, "optim", "")))
    return next((ours for theirs, ours in OPTIMIZERS if name.startswith(theirs)),
                "lion" if name.startswith("lion") else None)


def _zero(args):
    """DeepSpeed's stage; None without it."""
    config = getattr(getattr(args, "hf_deepspeed_config", None), "config", None)
    return (config.get("zero_optimization") or {}).get("stage", 0) if isinstance(config, dict) else None


def _parallel(args):
    zero, fsdp = _zero(args), [str(getattr(o, "value", o)) for o in getattr(args, "fsdp", None) or []]
    if zero is not None:
        return {"zero": zero}
    if "full_shard" in fsdp:
        return {"zero": 3}
    if "shard_grad_op" in fsdp:
        return {"zero": 2}
    return {"zero": 0} if getattr(args, "world_size", 1) > 1 else None


# ---- the length of sequences ----

@contextlib.contextmanager
def _same_random_numbers():
    """A data set that draws some is to draw the same ones for training."""
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    state = random.getstate()
    numbers = numpy.random.get_state() if numpy is not None else None
    tensor = torch.get_rng_state() if torch is not None else None
    try:
        yield
    finally:
        random.setstate(state)
        if numbers is not None:
            numpy.random.set_state(numbers)
        if tensor is not None:
            torch.set_rng_state(tensor)


def _lengths(dataset):
    """Tokens of some rows, spread over the data set."""
    count, lengths, until = len(dataset), [], time.monotonic() + ROWS_S
    with _same_random_numbers():
        for i in range(min(ROWS, count)):
            row = dataset[i * count // min(ROWS, count)]
            lengths.append(len(row["input_ids"]))
            if time.monotonic() > until:
                break
    return lengths


def _sequence(args, loader):
    """Trainer fills a batch up to its longest sequence: the mean of that."""
    batch = max(1, args.per_device_train_batch_size)
    try:
        lengths = _lengths(loader.dataset)
    except Exception:  # pylint: disable=broad-except
        lengths = []
    if not lengths:
        given = getattr(args, "max_length", None) or getattr(args, "max_seq_length", None)
        return int(given) if given else None
    batches = [max(lengths[i:i + batch]) for i in range(0, len(lengths), batch)]
    return max(1, round(sum(batches) / len(batches)))
