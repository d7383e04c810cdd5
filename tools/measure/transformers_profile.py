"""Where a Trainer step's time goes, by class of kernel: python3 transformers_profile.py OUTPUT.json [seconds] [mixtures|tiny]

For each configuration: wall time of unprofiled steps; two steps traced on the device alone (busy time, time and count
by class, the kernels that take longest); one step traced with the host and shapes (operators by input shape, launches).
The file is written anew after every configuration. equivalent_bytes_per_token is the class's time at 4.2 TB/s, the rate
a plain copy reaches; bytes_per_token_layer_hidden divides it by layers and hidden size."""
import collections
import contextlib
import json
import os
import re
import sys
import tempfile
import time

import torch

import transformers_common as h
from transformers_steps import ALL, C, lora
from transformers_common import CUDA, SHAPES, Cache, Meter, Tokens, free_memory, sync

RUNS = [
    C("qwen2.5-0.5b", 2048, 4, "fp32"),
    lora("llama-3-8b", 2048, 2, 16, ALL),
    lora("llama-3-8b", 2048, 2, 16, ALL, 1),
    C("llama-3.2-1b", 2048, 4),
    C("gpt2", 1024, 8, "fp32"),
    C("bert-base", 256, 32, "fp32", head="cls"),
    C("qwen3-0.6b", 1024, 8),
    lora("llama-3.2-1b", 2048, 4, 16, ALL),
]
MIXTURES = [C("olmoe-1b-7b", 1024, 4), lora("qwen1.5-moe-a2.7b", 1024, 4, 16, "q,v"), C("granite-3-1b-a400m", 1024, 8)]
TINY = [C("tiny-llama", 32, 2, "fp32"), lora("tiny-llama", 32, 2, 8, ALL)]
RATE = 4.2e12

CLASSES = [  # the first that matches
    ("memcpy/memset", r"^memcpy|^memset|memcpy |memset "),
    ("clip (norms of gradients)", r"lpnorm|foreach.*norm|norm.*foreach|binaryopscalartensor"),
    ("optimizer", r"adam|multi_tensor_apply|adafactor"),
    ("attention", r"flash|fmha|sdpa|attention|softmax_warp.*attn"),
    ("gemm", r"gemm|cutlass|nvjet|cublas|xmma|splitk|gemv|wgmma|_s16816|tensorop|conv"),
    ("loss and softmax", r"softmax|nll_loss|cross_entropy|logsumexp"),
    ("embedding and indexing", r"embedding|index|gather|scatter|radixsort|devicescan|thrust|cub::|unique"),
    ("dropout and random", r"dropout|distribution|philox|random|bernoulli"),
    ("norm kernels", r"layer_?norm|rms_?norm|gammabeta|layernorm"),
    ("concatenation", r"catarray|cat_array"),
    ("copy and cast", r"copy_kernel|direct_copy|bfloat16_copy|float16_copy|loadwithoutcast.*copy|copy"),
    ("reduction", r"reduce"),
    ("elementwise", r"elementwise|fill|functor|triu|tril|arange|where|clamp"),
]


def classify(name):
    low = name.lower()
    for label, pattern in CLASSES:
        if re.search(pattern, low):
            return label
    return "other"


def functor(name):
    """The operation inside an elementwise or reduction kernel's long name."""
    found = re.findall(r"([A-Za-z_0-9]*(?:CUDAFunctor_[a-z]+|Functor|_kernel_cuda|_kernel_impl|_kernel|Ops))\b", name)
    plain = [f for f in found if not re.match(r"(A|B)?UnaryFunctor|BinaryFunctor|.*elementwise_kernel|reduce_kernel", f)]
    found = plain[-1:] or found[-1:]
    kinds = re.findall(r"BFloat16|float|double|Half|long|bool", name)
    return (found[0] if found else name[:60]) + "<" + ",".join(sorted(set(kinds))) + ">"


def read_trace(prof):
    """Kernels of a trace: name, start and length in microseconds."""
    with tempfile.NamedTemporaryFile(suffix=".json", delete=False) as f:
        path = f.name
    try:
        prof.export_chrome_trace(path)
        with open(path, encoding="utf-8", errors="replace") as f:
            events = json.load(f)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(path)
    events = events["traceEvents"] if isinstance(events, dict) else events
    wanted = ("kernel", "gpu_memcpy", "gpu_memset") if CUDA else ("cpu_op", "Operator")
    kernels, launches, host = [], 0, 0
    for e in events:
        kind = str(e.get("cat", ""))
        if e.get("ph") == "X" and (kind in wanted or not CUDA):
            kernels.append((e.get("name", "?"), float(e["ts"]), float(e.get("dur", 0))))
        elif kind == "cuda_runtime":
            launches += "aunch" in e.get("name", "")
        elif kind == "cpu_op":
            host += 1
    return kernels, launches, host


def busy_us(kernels):
    """The length of the union of the kernels' times."""
    total, end = 0.0, -1.0
    for _, start, length in sorted(kernels, key=lambda k: k[1]):
        stop = start + length
        if start > end:
            total += length
            end = stop
        elif stop > end:
            total += stop - end
            end = stop
    return total


class Profiler(Meter):
    """The meter, which goes on after its last window: two steps traced on the device, one with the host."""

    def __init__(self, deadline, shapes=True):
        super().__init__(seconds=1.0, least=4, deadline=deadline)
        self.state, self.shapes = "time", shapes
        self.kernels, self.operators, self.host, self.prof, self.traced = [], [], {}, None, 0

    def begin(self, activities, **options):
        sync()
        self.prof = torch.profiler.profile(activities=activities, **options)
        self.prof.__enter__()
        self.t0 = time.perf_counter()

    def end(self):
        sync()
        wall = time.perf_counter() - self.t0
        prof, self.prof = self.prof, None
        prof.__exit__(None, None, None)
        return prof, wall

    def tick(self):
        both = [torch.profiler.ProfilerActivity.CPU] + ([torch.profiler.ProfilerActivity.CUDA] if CUDA else [])
        if self.state == "time":
            if super().tick():
                self.close()
                self.memory = h.peaks()
                self.begin(both[1:] if CUDA else both)
                self.state, self.traced = "device", 0
            return False
        if self.state == "device":
            self.traced += 1
            if self.traced < 2:
                return False
            prof, wall = self.end()
            self.traced_wall = wall / 2
            self.kernels, _, _ = read_trace(prof)
            if not self.shapes or time.time() > self.deadline:
                return True
            self.begin(both, record_shapes=True)
            self.state = "host"
            return False
        prof, wall = self.end()
        try:
            kernels, launches, host = read_trace(prof)
            if not self.kernels:
                self.kernels = kernels * 2
            self.host = {"wall_ms_traced": wall * 1e3, "launches": launches, "host_operators": host}
            rows = []
            for e in prof.key_averages(group_by_input_shape=True):
                us = getattr(e, "self_device_time_total", None)
                us = getattr(e, "self_cuda_time_total", 0) if us is None else us
                if not CUDA:
                    us = e.self_cpu_time_total
                rows.append((us, e.key, str(getattr(e, "input_shapes", ""))[:160], e.count))
            rows.sort(key=lambda r: -r[0])
            self.operators = [{"operator": r[1], "shapes": r[2], "calls": r[3], "ms": round(r[0] / 1e3, 4)}
                              for r in rows[:60] if r[0] > 0 and not r[1].startswith("ProfilerStep")]
        except Exception as error:  # pylint: disable=broad-except
            self.operators = [{"error": repr(error)[:300]}]
        return True


def summary(c, meter, result):
    s = SHAPES[c.model]
    tokens = c.batch * c.seq * c.accum
    table = collections.defaultdict(lambda: [0.0, 0])
    names = collections.defaultdict(lambda: [0.0, 0])
    parts = collections.defaultdict(lambda: [0.0, 0])
    for name, _, us in meter.kernels:
        kind = classify(name)
        for t, key in ((table, kind), (names, name)):
            t[key][0] += us / 2
            t[key][1] += 1
        if kind in ("elementwise", "copy and cast", "reduction", "norm kernels", "loss and softmax"):
            parts[f"{kind}: {functor(name)}"][0] += us / 2
            parts[f"{kind}: {functor(name)}"][1] += 1
    busy = busy_us(meter.kernels) / 2
    classes = {}
    for kind, (us, count) in sorted(table.items(), key=lambda kv: -kv[1][0]):
        bytes_ = us * 1e-6 * RATE / tokens
        classes[kind] = {"ms": round(us / 1e3, 4), "share_of_busy": round(us / busy, 4) if busy else 0,
                         "kernels_per_step": count / 2, "equivalent_bytes_per_token": round(bytes_, 1),
                         "bytes_per_token_layer_hidden": round(bytes_ / (s.layers * s.hidden), 3)}
    wall = result["step_s"]
    matmul = 2 * (s.layers * (2 * s.hidden * (s.head_dim or s.hidden // s.heads) * (s.heads + s.kv_heads)
                              + (3 if s.gated else 2) * s.hidden * s.ffn)
                  + (s.vocab * s.hidden if c.head != "cls" else 0)) * tokens
    forward_backward = matmul * ((2 if c.lora else 3) + (1 if c.recompute else 0))
    gemm_ms = classes.get("gemm", {}).get("ms", 0)
    return {
        "configuration": c.text(), "tokens_per_step": tokens, "wall_ms": round(wall * 1e3, 3),
        "wall_ms_while_traced": round(getattr(meter, "traced_wall", 0) * 1e3, 3), "busy_ms": round(busy / 1e3, 3),
        "idle_ms": round(wall * 1e3 - busy / 1e3, 3), "kernels_per_step": len(meter.kernels) / 2,
        "gemm_tflop_expected": round(forward_backward / 1e12, 3),
        "gemm_tflops_reached": round(forward_backward / 1e12 / (gemm_ms / 1e3), 1) if gemm_ms else 0,
        "optimizer": result["optim"], "allocated_gb": round(meter.memory["allocated"], 3),
        "reserved_gb": round(meter.memory["reserved"], 3), "classes": classes,
        "parts": [{"part": k, "ms": round(v[0] / 1e3, 4), "per_step": v[1] / 2} for k, v in
                  sorted(parts.items(), key=lambda kv: -kv[1][0])[:40]],
        "top_kernels": [{"kernel": k[:260], "class": classify(k), "ms": round(v[0] / 1e3, 4), "per_step": v[1] / 2,
                         "us_each": round(2 * v[0] / v[1], 2) if v[1] else 0}
                        for k, v in sorted(names.items(), key=lambda kv: -kv[1][0])[:25]],
        "host": meter.host, "operators_by_shape": meter.operators,
    }


def main():
    begin = time.time()
    path = sys.argv[1]
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 120.0
    runs = {"mixtures": MIXTURES, "tiny": TINY}[sys.argv[3]] if len(sys.argv) > 3 else RUNS
    cache, report = Cache(), {"versions": h.versions(), "device_rate_bytes_per_s": RATE, "runs": []}
    longest = 12.0
    for c in runs:
        if time.time() - begin > limit - longest:
            print("stopped before", c.text(), flush=True)
            break
        t0 = time.time()
        wrapped = model = meter = None
        try:
            model = wrapped = cache.get(c.model, c.dtype, c.attn, c.head, c.seq)
            if c.lora:
                wrapped = h.add_lora(model, c.lora, c.targets)
            meter = Profiler(begin + limit - 8)
            data = Tokens(SHAPES[c.model].vocab, c.seq, c.head)
            result = h.run_trainer(wrapped, data, c.batch, c.accum, bool(c.recompute), c.optim, meter)
            run = summary(c, meter, result)
            report["runs"].append(run)
            with open(path + ".part", "w", encoding="utf-8") as f:
                json.dump(report, f, indent=1)
            os.replace(path + ".part", path)
            print(f"{run['configuration']}: wall {run['wall_ms']} ms busy {run['busy_ms']} ms, "
                  f"{run['kernels_per_step']} kernels, gemm {run['gemm_tflops_reached']} TFLOP/s; "
                  + ", ".join(f"{k} {v['ms']:.2f}" for k, v in run["classes"].items())
                  + f" ({time.time() - t0:.1f} s)", flush=True)
            if c.lora:
                h.clean(wrapped)
                h.remove_lora(wrapped, cache)
        except Exception as error:  # pylint: disable=broad-except
            print("FAILED", c.text(), repr(error)[:600], flush=True)
            if meter is not None and meter.prof is not None:
                with contextlib.suppress(Exception):
                    meter.prof.__exit__(None, None, None)
            error = None
            cache.drop()
        wrapped = model = meter = None
        free_memory()
        longest = max(longest, time.time() - t0)
    print(f"done in {time.time() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
