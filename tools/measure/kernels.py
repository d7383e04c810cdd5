"""Times of the single operations a training or inference step is made of, on one device.

    python3 kernels.py OUTPUT.csv [part,part...]

Parts: gemm, sustained, attention, elementwise, optimizer, launch, blocks, conv, lstm (all by default).
GPU times are device times inside a replayed CUDA graph (launch cost left out) unless the note has "eager".
Columns for the kinds that are no matrix products: conv has m = output pixels, n = output channels,
k = products per output; lstm has m = batch, n = hidden, k = layers; optimizer has m = tensors."""
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from common import POWER, Table, free_memory, gpu_time_us, section, set_fp32
from launches import blocks_launch, launch

COLUMNS = "kind,dtype,m,n,k,batch,heads,seq,head_dim,causal,elements,direction,time_us,note".split(",")
DTYPES = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32, "tf32": torch.float32}


def timed(table, calls, eager=False, minus=0.0, **fields):
    """Adds one row; returns the time of the call. minus is what to subtract (the forward part)."""
    try:
        total = gpu_time_us(calls, eager=eager)
    except Exception as error:  # pylint: disable=broad-except
        print("failed", fields, repr(error)[:200], flush=True)
        free_memory()
        return None
    table.add(time_us=f"{total - minus:.3f}", **fields)
    return total


# ---- matrix products

def linear_calls(dtype, m, n, k):
    """x[m,k] times the transpose of w[n,k]; the weights take turns so that they come from memory, not cache."""
    size = 1 if dtype == "fp8" else DTYPES[dtype].itemsize
    copies = min(-(-192_000_000 // (n * k * size)), 128 if m <= 512 else 6)
    if dtype == "fp8":
        one = torch.ones((), device="cuda")
        x = torch.randn(m, k, device="cuda").to(torch.float8_e4m3fn)
        ws = [torch.randn(n, k, device="cuda").to(torch.float8_e4m3fn) for _ in range(copies)]
        return [lambda w=w: torch._scaled_mm(x, w.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16,
                                             use_fast_accum=True) for w in ws]
    x = torch.randn(m, k, device="cuda", dtype=DTYPES[dtype])
    ws = [torch.randn(n, k, device="cuda", dtype=DTYPES[dtype]) * 0.02 for _ in range(copies)]
    return [lambda w=w: F.linear(x, w) for w in ws]


def gemm(table):
    rows = [1, 8, 16, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]
    layers = [(768, 768), (3072, 768), (768, 3072), (1024, 4096), (4096, 1024), (2048, 2048), (8192, 2048),
              (2048, 8192), (4096, 4096), (11008, 4096), (4096, 11008), (28672, 8192), (8192, 28672), (50304, 768),
              (128256, 4096), (512, 512), (128, 512)]
    some = [(768, 768), (3072, 768), (768, 3072), (1024, 4096), (4096, 4096), (11008, 4096), (50304, 768),
            (512, 512)]
    plan = {"bf16": (rows, layers), "fp16": (rows[::3] + [16384], some), "tf32": (rows, some),
            "fp32": (rows[1::2], some[:6]), "fp8": (rows[2:], some + [(28672, 8192), (8192, 28672)])}
    most = {"bf16": 8e12, "fp16": 4e12, "tf32": 2e12, "fp32": 5e11, "fp8": 8e12}
    for dtype, (ms, shapes) in plan.items():
        set_fp32(dtype)
        for n, k in shapes:
            for m in ms:
                if 2.0 * m * n * k <= most[dtype]:
                    timed(table, linear_calls(dtype, m, n, k), kind="gemm", dtype=dtype, m=m, n=n, k=k,
                          direction="forward")
        free_memory()
    # the two products of the backward pass: weight gradient (k = tokens) and input gradient
    for dtype in ("bf16", "tf32"):
        set_fp32(dtype)
        for tokens in (1024, 4096, 8192, 16384):
            for n, k in ((768, 768), (3072, 768), (768, 3072), (1024, 4096), (4096, 4096), (11008, 4096),
                         (50304, 768)):
                x = torch.randn(tokens, k, device="cuda", dtype=DTYPES[dtype])
                dy = torch.randn(tokens, n, device="cuda", dtype=DTYPES[dtype])
                w = torch.randn(n, k, device="cuda", dtype=DTYPES[dtype])
                timed(table, lambda: dy.t() @ x, kind="gemm", dtype=dtype, m=n, n=k, k=tokens, direction="wgrad")
                timed(table, lambda: dy @ w, kind="gemm", dtype=dtype, m=tokens, n=k, k=n, direction="dgrad")


def sustained(table):
    """Products repeated for seconds, so that the power limit acts as in a long run."""
    for dtype in ("bf16", "tf32", "fp8"):
        set_fp32(dtype)
        for m, n, k in ((8192, 8192, 8192), (8192, 3072, 768), (16384, 14336, 4096)):
            calls = linear_calls(dtype, m, n, k)
            one = gpu_time_us(calls)
            count = max(int(1.5e6 / one), 10)
            POWER.start()
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            for i in range(count // 4):
                calls[i % len(calls)]()
            begin.record()
            for i in range(count):
                calls[i % len(calls)]()
            end.record()
            torch.cuda.synchronize()
            watts = POWER.stop()
            table.add(kind="gemm", dtype=dtype, m=m, n=n, k=k, direction="forward",
                      time_us=f"{begin.elapsed_time(end) * 1e3 / count:.3f}",
                      note=f"sustained 1.5 s eager; mean board power {watts:.0f} W")


# ---- attention

def attention(table):
    def pair(kind, dtype, b, heads, kv, s, d, causal, backend, note):
        q = torch.randn(b, heads, s, d, device="cuda", dtype=DTYPES[dtype], requires_grad=True)
        k = torch.randn(b, kv, s, d, device="cuda", dtype=DTYPES[dtype], requires_grad=True)
        v = torch.randn(b, kv, s, d, device="cuda", dtype=DTYPES[dtype], requires_grad=True)
        g = torch.randn(b, heads, s, d, device="cuda", dtype=DTYPES[dtype])

        def forward():
            if backend == "explicit":
                a = torch.softmax(q @ k.transpose(-2, -1) * d ** -0.5, dim=-1)
                return a @ v
            if backend is None:
                return F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=kv != heads)
            with sdpa_kernel(backend):
                return F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=kv != heads)

        fields = dict(kind=kind, dtype=dtype, batch=b, heads=heads, seq=s, head_dim=d,
                      causal="yes" if causal else "no", note=note)
        one = timed(table, forward, direction="forward", **fields)
        if one:
            timed(table, lambda: torch.autograd.grad(forward(), (q, k, v), g), minus=one, direction="backward",
                  **fields)

    set_fp32("tf32")
    for backend, word in ((SDPBackend.FLASH_ATTENTION, "flash"), (None, "the default choice")):
        for d in (64, 128):
            for s in (128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768):
                for causal in (False, True):
                    pair("attention", "bf16", max(1, 8192 // s), 2048 // d, 2048 // d, s, d, causal, backend, word)
            free_memory()
        pair("attention", "bf16", 4, 32, 8, 2048, 128, True, backend, word + "; 8 kv heads")
        pair("attention", "bf16", 4, 32, 4, 2048, 64, True, backend, word + "; 4 kv heads")
        pair("attention", "bf16", 4, 8, 8, 2048, 256, True, backend, word)
        pair("attention", "bf16", 4, 32, 32, 2048, 80, True, backend, word)
        pair("attention", "bf16", 1, 12, 12, 1024, 64, True, backend, word)
        pair("attention", "bf16", 8, 12, 12, 1024, 64, True, backend, word)
        pair("attention", "bf16", 64, 16, 16, 128, 64, False, backend, word)
    for d, s in ((64, 1024), (128, 2048), (128, 8192)):
        h, b = 2048 // d, 8192 // s
        pair("attention", "bf16", b, h, h, s, d, True, SDPBackend.CUDNN_ATTENTION, "cudnn")
        pair("attention", "bf16", b, h, h, s, d, True, SDPBackend.EFFICIENT_ATTENTION, "memory-efficient")
    for s in (512, 1024, 4096):
        pair("attention", "tf32", max(1, 8192 // s), 32, 32, s, 64, True, None, "the default choice in fp32")
    for dtype in ("bf16", "fp32", "tf32"):
        set_fp32(dtype)
        for s in (128, 384, 512):
            for b in (8, 32):
                pair("attention-math", dtype, b, 16, 16, s, 64, False, "explicit", "explicit softmax")
    # one new token against a filled cache
    for b, heads, kv, s, d in ((1, 32, 8, 2048, 128), (16, 32, 8, 2048, 128), (64, 32, 8, 2048, 128),
                               (1, 32, 32, 2048, 128), (16, 32, 32, 2048, 128), (1, 32, 8, 16384, 128),
                               (128, 32, 8, 512, 128), (32, 14, 2, 2048, 64)):
        q = torch.randn(b, heads, 1, d, device="cuda", dtype=torch.bfloat16)
        caches = [(torch.randn(b, kv, s, d, device="cuda", dtype=torch.bfloat16),
                   torch.randn(b, kv, s, d, device="cuda", dtype=torch.bfloat16)) for _ in range(4)]
        timed(table, [lambda c=c: F.scaled_dot_product_attention(q, c[0], c[1], enable_gqa=kv != heads)
                      for c in caches],
              kind="attention", dtype="bf16", batch=b, heads=heads, seq=s, head_dim=d, causal="no",
              direction="decode", note=f"one query; {kv} kv heads; the default choice")


# ---- bandwidth-bound operations

def elementwise(table):
    for dtype in ("bf16", "fp32"):
        t = DTYPES[dtype]
        for power in range(14, 29, 2):
            n = 1 << power
            x = torch.randn(n // 1024, 1024, device="cuda", dtype=t)
            y = torch.randn(n // 1024, 1024, device="cuda", dtype=t)
            xg = x.clone().requires_grad_()
            yg = y.clone().requires_grad_()
            w = torch.ones(1024, device="cuda", dtype=t, requires_grad=True)
            bias = torch.zeros(1024, device="cuda", dtype=t, requires_grad=True)
            simple = {
                "add constant": lambda: x + 1.0,
                "add two": lambda: x + y,
                "cast": (lambda: x.to(torch.bfloat16)) if dtype == "fp32" else (lambda: x.float()),
                "copy": x.clone,
            }
            for name, call in simple.items():
                timed(table, call, kind="elementwise", dtype=dtype, elements=n, direction="forward", note=name)
            both = {
                "gelu": (lambda: F.gelu(xg), (xg,)),
                "silu*mul": (lambda: F.silu(xg) * yg, (xg, yg)),
                "layer_norm 1024": (lambda: F.layer_norm(xg, (1024,), w, bias), (xg, w, bias)),
                "rms_norm 1024": (lambda: F.rms_norm(xg, (1024,), w), (xg, w)),
                "softmax 1024": (lambda: torch.softmax(xg, -1), (xg,)),
                "dropout 0.1": (lambda: F.dropout(xg, 0.1), (xg,)),
            }
            for name, (call, inputs) in both.items():
                fields = dict(kind="elementwise", dtype=dtype, elements=n, note=name)
                one = timed(table, call, direction="forward", **fields)
                if one:
                    timed(table, lambda: torch.autograd.grad(call(), inputs, y), minus=one, direction="backward",
                          **fields)
        free_memory()
    for vocab in (32000, 50304, 128256):
        for tokens in (2048, 8192):
            logits = torch.randn(tokens, vocab, device="cuda", requires_grad=True)
            target = torch.randint(0, vocab, (tokens,), device="cuda")
            fields = dict(kind="elementwise", dtype="fp32", m=tokens, n=vocab, elements=tokens * vocab,
                          note="cross_entropy")
            one = timed(table, lambda: F.cross_entropy(logits, target), direction="forward", **fields)
            timed(table, lambda: torch.autograd.grad(F.cross_entropy(logits, target), logits), minus=one or 0.0,
                  direction="backward", **fields)
            del logits
            free_memory()
    for vocab, hidden in ((50304, 768), (128256, 4096)):
        weight = torch.randn(vocab, hidden, device="cuda", dtype=torch.bfloat16, requires_grad=True)
        index = torch.randint(0, vocab, (8192,), device="cuda")
        g = torch.randn(8192, hidden, device="cuda", dtype=torch.bfloat16)
        fields = dict(kind="elementwise", dtype="bf16", m=8192, n=hidden, k=vocab, elements=8192 * hidden,
                      note="embedding look-up")
        one = timed(table, lambda: F.embedding(index, weight), direction="forward", **fields)
        timed(table, lambda: torch.autograd.grad(F.embedding(index, weight), weight, g), minus=one or 0.0,
              direction="backward", eager=True, **{**fields, "note": "embedding look-up; eager"})


# ---- optimizer

def layer_tensors(total, layers, dtype):
    """Parameters of a GPT-like model: 12 tensors a layer and an embedding of a tenth of all parameters."""
    hidden = max(64, int((total * 0.9 / layers / 12) ** 0.5) // 64 * 64)
    shapes = [(total // 10 // hidden, hidden)]
    for _ in range(layers):
        shapes += [(hidden,), (hidden,), (3 * hidden, hidden), (3 * hidden,), (hidden, hidden), (hidden,),
                   (hidden,), (hidden,), (4 * hidden, hidden), (4 * hidden,), (hidden, 4 * hidden), (hidden,)]
    params = [torch.randn(s, device="cuda", dtype=dtype).requires_grad_() for s in shapes]
    for p in params:
        p.grad = torch.randn_like(p) * 1e-3
    return params


def optimizer(table):
    kinds = {
        "AdamW foreach": lambda p: torch.optim.AdamW(p, lr=1e-5, foreach=True),
        "AdamW fused": lambda p: torch.optim.AdamW(p, lr=1e-5, fused=True),
        "AdamW one by one": lambda p: torch.optim.AdamW(p, lr=1e-5, foreach=False, fused=False),
        "SGD momentum": lambda p: torch.optim.SGD(p, lr=1e-5, momentum=0.9),
        "clip_grad_norm": None,
        "zero_grad to zero": None,
    }
    for dtype in ("fp32", "bf16"):
        for total, layers in ((100_000_000, 12), (1_000_000_000, 24)):
            params = layer_tensors(total, layers, DTYPES[dtype])
            count = sum(p.numel() for p in params)
            for name, make in kinds.items():
                if make:
                    opt = make(params)
                    call = opt.step
                elif name.startswith("clip"):
                    call = lambda: torch.nn.utils.clip_grad_norm_(params, 1.0)
                else:
                    call = lambda: torch._foreach_zero_([p.grad for p in params])
                for _ in range(3):
                    call()
                torch.cuda.synchronize()
                t0 = time.perf_counter()
                for _ in range(10):
                    call()
                host = (time.perf_counter() - t0) / 10
                torch.cuda.synchronize()
                whole = (time.perf_counter() - t0) / 10
                table.add(kind="optimizer", dtype=dtype, m=len(params), elements=count, direction="step",
                          time_us=f"{whole * 1e6:.1f}", note=f"{name}; host part {host * 1e6:.0f} us; eager")
                opt = None
                for p in params:
                    p.grad.normal_(0, 1e-3)
            del params
            free_memory()


# ---- convolutions, normalization, recurrent layers

CONVS = [  # input channels, output channels, kernel, stride, groups, input size
    (3, 64, 7, 2, 1, 224), (64, 64, 1, 1, 1, 56), (64, 64, 3, 1, 1, 56), (64, 256, 1, 1, 1, 56),
    (256, 64, 1, 1, 1, 56), (128, 128, 3, 1, 1, 28), (512, 128, 1, 1, 1, 28), (256, 256, 3, 1, 1, 14),
    (1024, 256, 1, 1, 1, 14), (256, 512, 1, 2, 1, 56), (512, 512, 3, 1, 1, 7), (2048, 512, 1, 1, 1, 7),
    (3, 64, 3, 1, 1, 224), (3, 768, 16, 16, 1, 224),
    (96, 96, 3, 1, 96, 112), (144, 144, 3, 1, 144, 56), (240, 240, 5, 1, 240, 28), (672, 672, 5, 1, 672, 14),
    (96, 96, 7, 1, 96, 56), (384, 384, 7, 1, 384, 14), (768, 768, 7, 1, 768, 7), (448, 448, 3, 1, 8, 28),
]


def conv(table):
    for dtype in ("bf16", "tf32"):
        set_fp32(dtype)
        t = DTYPES[dtype]
        for batch in (64, 256):
            for cin, cout, kernel, stride, groups, size in CONVS:
                x = torch.randn(batch, cin, size, size, device="cuda", dtype=t).to(
                    memory_format=torch.channels_last).requires_grad_(cin != 3)
                w = (torch.randn(cout, cin // groups, kernel, kernel, device="cuda", dtype=t) * 0.05).to(
                    memory_format=torch.channels_last).requires_grad_()
                pad = 0 if kernel == stride else kernel // 2
                call = lambda: F.conv2d(x, w, stride=stride, padding=pad, groups=groups)
                with torch.no_grad():
                    out = call()
                g = torch.randn_like(out)
                inputs = (x, w) if x.requires_grad else (w,)
                fields = dict(kind="conv", dtype=dtype, m=out.shape[0] * out.shape[2] * out.shape[3], n=cout,
                              k=cin // groups * kernel * kernel, batch=batch, elements=out.numel(),
                              note=f"channels last; in {cin} out {cout} kernel {kernel} stride {stride} "
                                   f"groups {groups} size {size}")
                one = timed(table, call, direction="forward", **fields)
                timed(table, lambda: torch.autograd.grad(call(), inputs, g), minus=one or 0.0,
                      direction="backward", **fields)
                del out
            free_memory()
        for batch, channels, size in ((64, 64, 56), (256, 64, 56), (256, 256, 56), (256, 512, 14), (64, 64, 112)):
            x = torch.randn(batch, channels, size, size, device="cuda", dtype=t).to(
                memory_format=torch.channels_last).requires_grad_()
            bn = nn.BatchNorm2d(channels).cuda()
            g = torch.randn_like(x)
            fields = dict(kind="conv", dtype=dtype, batch=batch, n=channels, elements=x.numel(),
                          note=f"batch_norm, channels last, size {size}")
            one = timed(table, lambda: bn(x), direction="forward", **fields)
            timed(table, lambda: torch.autograd.grad(bn(x), (x, bn.weight, bn.bias), g), minus=one or 0.0,
                  direction="backward", **fields)
        free_memory()


def lstm(table):
    grid = [(128, 2, 1, 32), (128, 2, 100, 32), (128, 2, 100, 512), (128, 1, 50, 64), (64, 1, 30, 32),
            (256, 2, 100, 64), (256, 2, 100, 512), (512, 1, 100, 64), (512, 2, 200, 32), (512, 2, 200, 128),
            (512, 2, 200, 512), (512, 4, 100, 128), (1024, 1, 100, 64), (1024, 3, 200, 64), (1024, 2, 50, 512),
            (2048, 2, 100, 64), (2048, 1, 100, 256), (256, 2, 1000, 32), (1024, 2, 500, 16)]
    for dtype in ("tf32", "bf16"):
        set_fp32(dtype)
        for hidden, layers, steps, batch in grid:
            net = nn.LSTM(hidden, hidden, layers, batch_first=True).cuda().to(DTYPES[dtype])
            x = torch.randn(batch, steps, hidden, device="cuda", dtype=DTYPES[dtype], requires_grad=True)
            params = [x] + list(net.parameters())
            fields = dict(kind="lstm", dtype=dtype, m=batch, n=hidden, k=layers, batch=batch, seq=steps,
                          elements=batch * steps * hidden, note="input size = hidden; eager")
            one = timed(table, lambda: net(x)[0], eager=True, direction="forward", **fields)
            timed(table, lambda: torch.autograd.grad(net(x)[0].sum(), params), eager=True, minus=one or 0.0,
                  direction="backward", **fields)


PARTS = {"gemm": gemm, "sustained": sustained, "attention": attention,
         "elementwise": elementwise, "optimizer": optimizer, "conv": conv,
         "lstm": lstm, "launch": launch, "blocks": blocks_launch}


def main():
    table = Table(sys.argv[1], COLUMNS)
    parts = sys.argv[2].split(",") if len(sys.argv) > 2 else list(PARTS)
    for part in parts:
        section(part, PARTS[part], table)
    print(f"{table.rows} rows", flush=True)


if __name__ == "__main__":
    main()
