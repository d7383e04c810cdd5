"""Times that the host needs to launch work: the parts launch and blocks of kernels.py."""
import copy
import functools
import time

import torch
from torch import nn

from common import host_time_us, set_fp32
from models import Block, Shape, rope_table


def launch_row(table, note, value, **fields):
    table.add(kind="launch", time_us=f"{value:.2f}", note=note, **fields)


def launch(table):
    """Single operations and optimizer steps on tiny tensors: the time is the host's."""
    row = functools.partial(launch_row, table)
    set_fp32("tf32")
    x = torch.randn(8, 64, device="cuda")
    xb = x.bfloat16()
    linears = nn.ModuleList(nn.Linear(64, 64) for _ in range(200)).cuda()
    half = nn.ModuleList(nn.Linear(64, 64) for _ in range(200)).cuda().bfloat16()
    norm = nn.LayerNorm(64).cuda()

    def chain(function, count):
        def run():
            for _ in range(count):
                function()
        return run

    def through(modules, value, amp=False):
        def run():
            with torch.autocast("cuda", dtype=torch.bfloat16, enabled=amp):
                h = value
                for m in modules:
                    h = m(h)
                return h
        return run

    def norms(amp):
        def run():
            with torch.autocast("cuda", dtype=torch.bfloat16, enabled=amp):
                for _ in range(500):
                    norm(xb)
        return run

    with torch.no_grad():
        row("add, no grad; host us per call", host_time_us(chain(lambda: x + 1.0, 800), 800))
        row("linear bf16, no grad; host us per call", host_time_us(through(half, xb), 200))
        row("layer_norm, no grad; host us per call", host_time_us(chain(lambda: norm(x), 800), 800))
    row("linear bf16, with grad; host us per call", host_time_us(through(half, xb), 200))
    row("linear fp32, with grad; host us per call", host_time_us(through(linears, x), 200))
    row("linear under bf16 autocast, fp32 weights cast each time; host us per call",
        host_time_us(through(linears, x, True), 200))
    row("layer_norm with grad; host us per call", host_time_us(chain(lambda: norm(x), 500), 500))
    row("layer_norm under autocast, bf16 input; host us per call", host_time_us(norms(True), 500))
    xg = x.clone().requires_grad_()
    row("add with grad; host us per call", host_time_us(chain(lambda: xg + 1.0, 500), 500))
    row("cudaDeviceSynchronize when idle", host_time_us(chain(torch.cuda.synchronize, 100), 100))

    for count in (10, 50, 150, 300, 600):
        params = [torch.randn(64, 64, device="cuda").requires_grad_() for _ in range(count)]
        for p in params:
            p.grad = torch.randn_like(p)
        for name, options in (("foreach", {"foreach": True}), ("fused", {"fused": True})):
            opt = torch.optim.AdamW(params, lr=1e-5, **options)
            row(f"AdamW {name} step, small tensors; host us per step", host_time_us(opt.step, 1), m=count,
                elements=count * 4096)


def blocks_launch(table):
    """Twelve tiny transformer blocks, forward and backward, per block."""
    row = functools.partial(launch_row, table)
    set_fp32("tf32")
    for gated in (False, True):
        shape = Shape(12, 64, 4, 4, 256, 100, gated=gated)
        style = "gated, rotary" if gated else "GELU"
        for precision in ("bf16", "amp_bf16", "tf32"):
            blocks = nn.ModuleList(Block(shape) for _ in range(12)).cuda()
            if precision == "bf16":
                blocks.bfloat16()
            dtype = torch.bfloat16 if precision == "bf16" else torch.float32
            positions = rope_table(16, 16).to(torch.float32 if precision == "tf32" else torch.bfloat16)
            positions = positions if gated else None
            inp = torch.randn(2, 16, 64, device="cuda", dtype=dtype, requires_grad=True)
            params = list(blocks.parameters())

            def forward(net=blocks, start=inp):
                with torch.autocast("cuda", dtype=torch.bfloat16, enabled=precision == "amp_bf16"):
                    h = start
                    for b in net:
                        h = b(h, positions)
                return h.float().sum()

            forwards, backwards, wholes = [], [], []
            for _ in range(12):
                for p in params:
                    p.grad = None
                torch.cuda.synchronize()
                t0 = time.perf_counter()
                loss = forward()
                t1 = time.perf_counter()
                loss.backward()
                t2 = time.perf_counter()
                torch.cuda.synchronize()
                t3 = time.perf_counter()
                forwards.append(t1 - t0)
                backwards.append(t2 - t1)
                wholes.append(t3 - t0)
            mid = lambda v: sorted(v[3:])[len(v[3:]) // 2] * 1e6 / 12
            for direction, values in (("forward", forwards), ("backward", backwards), ("both", wholes)):
                row(f"tiny transformer block ({style}), eager; host us per block", mid(values), dtype=precision,
                    direction=direction)
            if precision != "tf32":
                try:
                    copied = copy.deepcopy(blocks)  # never used on another stream before the capture
                    wanted = list(copied.parameters())
                    still = inp.detach()
                    stream = torch.cuda.Stream()
                    with torch.cuda.stream(stream):
                        for _ in range(3):
                            torch.autograd.grad(forward(copied, still), wanted)
                    torch.cuda.synchronize()
                    graph = torch.cuda.CUDAGraph()
                    with torch.cuda.graph(graph, stream=stream):
                        grads = torch.autograd.grad(forward(copied, still), wanted)
                    wholes = []
                    for _ in range(12):
                        torch.cuda.synchronize()
                        t0 = time.perf_counter()
                        graph.replay()
                        torch.cuda.synchronize()
                        wholes.append(time.perf_counter() - t0)
                    row(f"tiny transformer block ({style}), CUDA graph; us per block", mid(wholes), dtype=precision,
                        direction="both")
                    del grads, graph
                except Exception as error:  # pylint: disable=broad-except
                    print("graph failed", repr(error)[:300], flush=True)
            if precision == "amp_bf16":
                try:
                    class Net(nn.Module):
                        def __init__(self):
                            super().__init__()
                            self.blocks = blocks

                        def forward(self, h):
                            for b in self.blocks:
                                h = b(h, positions)
                            return h

                    net = torch.compile(Net(), dynamic=False)
                    forwards, backwards = [], []
                    for _ in range(12):
                        for p in params:
                            p.grad = None
                        torch.cuda.synchronize()
                        t0 = time.perf_counter()
                        with torch.autocast("cuda", dtype=torch.bfloat16):
                            h = net(inp)
                        loss = h.float().sum()
                        t1 = time.perf_counter()
                        loss.backward()
                        t2 = time.perf_counter()
                        forwards.append(t1 - t0)
                        backwards.append(t2 - t1)
                    for direction, values in (("forward", forwards), ("backward", backwards)):
                        row(f"tiny transformer block ({style}), torch.compile; host us per block", mid(values),
                            dtype=precision, direction=direction)
                except Exception as error:  # pylint: disable=broad-except
                    print("compile failed", repr(error)[:300], flush=True)
