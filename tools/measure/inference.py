"""Prefill and decode of transformers on one device, bf16: python3 inference.py OUTPUT.csv [check|more]

Prefill is one pass over the complete batch that fills the cache; decode is one step in a replayed CUDA graph with the
cache filled to the context. Layers are the plain ones of models.py without autograd and without rotary positions
(engines fuse them into other kernels)."""
import statistics
import sys
import time

import torch
import torch.nn.functional as F

from common import POWER, Table, free_memory
from models import MODELS, build

COLUMNS = ("id,source,model,params_b,active_params_b,gpu,gpu_count,precision,batch,concurrency,input_len,output_len,"
           "tokens_per_s,throughput_kind,latency_ms,ttft_ms,itl_ms,mem_gb,avg_power_w,energy_j_per_token,"
           "tensor_parallel,pipeline_parallel,framework,quality,notes").split(",")

# model: [(batch, context), ...]
CHECK = {"qwen2.5-0.5b": [(1, 512), (128, 512)], "llama3.2-1b": [(32, 1024)],
         "llama3-8b": [(1, 512), (64, 2048), (128, 512)]}
MORE = {
    "gpt2-124m": [(1, 128), (16, 512), (256, 512)],
    "gpt2-1.5b": [(1, 512), (32, 512)],
    "llama3.2-1b": [(1, 128), (8, 2048), (64, 512), (256, 512), (4, 16384)],
    "qwen2.5-3b": [(1, 1024), (16, 1024), (64, 1024), (4, 8192)],
    "llama2-7b": [(1, 128), (8, 1024), (64, 512), (4, 8192)],
    "mistral-7b": [(1, 2048), (16, 2048), (256, 512)],
    "llama3-8b": [(4, 2048), (32, 4096), (2, 16384), (1, 16384), (256, 128)],
}


class Runner:
    def __init__(self, name, longest):
        self.c = MODELS[name]
        self.model = build(self.c, longest, torch.bfloat16).eval()
        self.params = sum(p.numel() for p in self.model.parameters())

    def resize(self, batch, context):
        c = self.c
        self.batch, self.context = batch, context
        self.keys = self.values = None
        free_memory()
        shape = (c.layers, batch, c.kv_heads, context, c.head_dim)
        self.keys = torch.zeros(shape, device="cuda", dtype=torch.bfloat16)
        self.values = torch.zeros(shape, device="cuda", dtype=torch.bfloat16)

    def layer(self, i, block, x, first, causal):
        """One block over new tokens whose first position is given; the cache is read up to the context."""
        c = self.c
        s = x.shape[1]
        q, k, v = block.heads(x, None)
        self.keys[i, :, :, first:first + s] = k
        self.values[i, :, :, first:first + s] = v
        if not causal:
            k, v = self.keys[i], self.values[i]
        y = F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=c.heads != c.kv_heads)
        return block.rest(x, y)

    def forward(self, tokens, first, causal):
        x = self.model.embed(tokens)
        if self.model.position is not None:
            x = x + self.model.position.weight[first:first + tokens.shape[1]]
        for i, block in enumerate(self.model.blocks):
            x = self.layer(i, block, x, first, causal)
        return self.model.head(self.model.norm(x[:, -1:])).argmax(-1)


def measure(run, batch, context):
    run.resize(batch, context)
    prompt = torch.randint(0, run.c.vocab, (batch, context), device="cuda")
    torch.cuda.reset_peak_memory_stats()
    run.forward(prompt, 0, True)
    torch.cuda.synchronize()
    times = []
    for _ in range(5):
        t0 = time.perf_counter()
        run.forward(prompt, 0, True)
        torch.cuda.synchronize()
        times.append(time.perf_counter() - t0)
        if sum(times) > 4:
            break
    prefill = statistics.median(times)
    token = torch.randint(0, run.c.vocab, (batch, 1), device="cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            run.forward(token, context - 1, False)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        result = run.forward(token, context - 1, False)
    for _ in range(3):
        graph.replay()
    torch.cuda.synchronize()
    t0 = time.perf_counter()
    for _ in range(10):
        graph.replay()
    torch.cuda.synchronize()
    count = int(min(max(1.6 / ((time.perf_counter() - t0) / 10), 10), 2000))
    POWER.start()
    t0 = time.perf_counter()
    for _ in range(count):
        graph.replay()
    torch.cuda.synchronize()
    decode = (time.perf_counter() - t0) / count
    watts = POWER.stop()
    del result, graph
    return prefill, decode, watts, torch.cuda.max_memory_allocated() / 1e9


def main():
    table = Table(sys.argv[1], COLUMNS)
    plan = CHECK if len(sys.argv) > 2 and sys.argv[2] == "check" else MORE
    torch.set_grad_enabled(False)
    for name, cases in plan.items():
        c = MODELS[name]
        run = None
        try:
            run = Runner(name, max(s for _, s in cases))
        except Exception as error:  # pylint: disable=broad-except
            print("failed", name, repr(error)[:300], flush=True)
            continue
        for batch, context in cases:
            try:
                prefill, decode, watts, memory = measure(run, batch, context)
            except Exception as error:  # pylint: disable=broad-except
                print("failed", name, batch, context, repr(error)[:300], flush=True)
                del error
                free_memory()
                continue
            table.add(id=f"si{table.rows:03d}", source="measured on one H200, torch 2.11, second series", model=name,
                      params_b=f"{run.params / 1e9:.4f}", gpu="H200-SXM-141GB", gpu_count=1, precision="bf16",
                      batch=batch, input_len=context, output_len=1, tokens_per_s=f"{batch / decode:.1f}",
                      throughput_kind="output", ttft_ms=f"{prefill * 1e3:.3f}", itl_ms=f"{decode * 1e3:.4f}",
                      mem_gb=f"{memory:.3f}", avg_power_w=f"{watts:.0f}", tensor_parallel=1,
                      framework="pytorch, CUDA-graph decode", quality="A",
                      notes=f"layers {c.layers}, hidden {c.hidden}, heads {c.heads}, kv_heads {c.kv_heads}, "
                            f"ffn {c.ffn}, vocab {c.vocab}; ttft is the whole batch's prefill in one pass; itl is one "
                            "decode step at this context; power during decode; mem is peak allocated"
                            + ("; no rotary positions" if c.gated else "; GELU FFN, learned positions"))
            print(f"{name} b{batch} ctx{context}: prefill {prefill * 1e3:.3f} ms decode {decode * 1e3:.4f} ms "
                  f"{watts:.0f} W {memory:.2f} GB", flush=True)
        run = None
        free_memory()


if __name__ == "__main__":
    main()
