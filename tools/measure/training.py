"""Training steps of transformers on one device: python3 training.py OUTPUT.csv [set] [seconds per row] [first id].

Sets: check (rows of an earlier series, to compare with), small, large, all."""
import sys
import time

import torch

from common import Table, free_memory, measure_steps
from models import MODELS, add_lora, build

COLUMNS = ("id,source,model,params_b,layers,hidden,heads,kv_heads,ffn,vocab,seq_len,gpu,gpu_count,gpus_per_node,"
           "micro_batch,global_batch,tensor_parallel,pipeline_parallel,data_parallel,zero_stage,precision,"
           "activation_checkpointing,flash_attention,tokens_per_s_per_gpu,tflops_per_gpu,mfu,step_time_s,"
           "mem_gb_per_gpu,notes,samples_per_s,active_params_b,context_parallel,virtual_pipeline,expert_parallel,"
           "method,optimizer,framework,interconnect,quality,derived_tokens_per_s_per_gpu,derived_from,set,mem_kind,"
           "gated_ffn,tied_embeddings,lora_rank,lora_targets").split(",")

PRECISION_NOTE = {
    "amp_bf16": "fp32 weights, gradients and AdamW states, bf16 autocast",
    "amp_fp16": "fp32 weights, gradients and AdamW states, fp16 autocast with loss scaling",
    "bf16-true": "weights, gradients and AdamW states all bf16",
    "tf32": "fp32 with tf32 matmul",
    "fp32": "fp32 without tf32",
}

# model, sequence, batch, precision, recompute, compiled, optimizer, LoRA targets
CHECK = [
    ("gpt2-124m", 1024, 8, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("gpt2-124m", 1024, 8, "amp_bf16", 0, 0, "adamw-foreach", ""),
    ("bert-large", 128, 64, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("tinyllama-1.1b", 2048, 4, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("llama3.2-1b", 2048, 4, "bf16-true", 0, 0, "adamw-fused", ""),
    ("llama2-7b", 4096, 1, "lora", 0, 0, "adamw-fused", "all-linear"),
    ("llama2-7b", 2048, 2, "bf16-true", 0, 0, "adamw-fused", ""),
    ("llama3-8b", 2048, 4, "bf16-true", 1, 0, "adamw-fused", ""),
]
SMALL = [
    ("nanogpt-char", 256, 64, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("nanogpt-char", 256, 64, "amp_bf16", 0, 1, "adamw-fused", ""),
    ("gelu-4x256", 128, 32, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("gelu-4x256", 128, 32, "fp32", 0, 0, "adamw-foreach", ""),
    ("gelu-6x512", 512, 16, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("gelu-6x512", 512, 64, "tf32", 0, 0, "adamw-fused", ""),
    ("gpt2-124m", 1024, 1, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("gpt2-124m", 1024, 2, "amp_bf16", 0, 0, "adamw-foreach", ""),
    ("gpt2-124m", 1024, 4, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("gpt2-124m", 1024, 4, "amp_bf16", 0, 1, "adamw-fused", ""),
    ("gpt2-124m", 1024, 16, "amp_fp16", 0, 0, "adamw-fused", ""),
    ("gpt2-124m", 1024, 16, "bf16-true", 0, 0, "sgd", ""),
    ("gpt2-124m", 1024, 8, "fp32", 0, 0, "adamw-fused", ""),
    ("bert-base", 512, 16, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("bert-base", 128, 256, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("bert-base", 384, 32, "tf32", 0, 0, "adamw-fused", ""),
    ("bert-large", 384, 8, "fp32", 0, 0, "adamw-fused", ""),
    ("smollm-135m", 2048, 4, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("pythia-410m", 2048, 4, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("qwen2.5-0.5b", 2048, 4, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("qwen2.5-0.5b", 512, 1, "bf16-true", 0, 0, "adamw-fused", ""),
    ("qwen2.5-0.5b", 4096, 2, "lora", 0, 0, "adamw-fused", "all-linear"),
]
LARGE = [
    ("gpt2-350m", 1024, 16, "amp_bf16", 0, 1, "adamw-fused", ""),
    ("pythia-1b", 2048, 4, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("pythia-1b", 2048, 8, "bf16-true", 1, 0, "adamw-foreach", ""),
    ("pythia-2.8b", 2048, 2, "bf16-true", 0, 0, "adamw-fused", ""),
    ("opt-1.3b", 2048, 4, "amp_bf16", 1, 0, "adamw-fused", ""),
    ("phi-2", 2048, 4, "bf16-true", 0, 0, "adamw-fused", ""),
    ("gpt2-1.5b", 1024, 8, "amp_bf16", 0, 0, "adamw-foreach", ""),
    ("qwen2.5-1.5b", 2048, 4, "amp_bf16", 0, 0, "adamw-fused", ""),
    ("qwen2.5-1.5b", 2048, 4, "bf16-true", 0, 1, "adamw-fused", ""),
    ("qwen2.5-3b", 2048, 2, "bf16-true", 0, 0, "adamw-fused", ""),
    ("qwen2.5-3b", 4096, 1, "amp_bf16", 1, 0, "adamw-fused", ""),
    ("gemma-2b", 2048, 2, "bf16-true", 0, 0, "adamw-fused", ""),
    ("gemma-2b", 1024, 4, "lora", 0, 0, "adamw-fused", "q,v"),
    ("llama3.2-1b", 16384, 1, "bf16-true", 0, 0, "adamw-fused", ""),
    ("llama3.2-1b", 32768, 1, "bf16-true", 1, 0, "adamw-fused", ""),
    ("tinyllama-1.1b", 16384, 1, "amp_bf16", 1, 0, "adamw-fused", ""),
    ("tinyllama-1.1b", 2048, 16, "bf16-true", 0, 0, "sgd", ""),
    ("tinyllama-1.1b", 2048, 2, "tf32", 0, 0, "adamw-fused", ""),
    ("llama3.2-3b", 2048, 8, "lora", 0, 0, "adamw-fused", "q,v"),
    ("mistral-7b", 2048, 1, "lora", 0, 0, "adamw-fused", "all-linear"),
    ("mistral-7b", 4096, 4, "lora", 1, 0, "adamw-fused", "q,v"),
    ("llama2-7b", 512, 1, "lora", 0, 0, "adamw-fused", "all-linear"),
    ("llama2-7b", 4096, 1, "bf16-true", 1, 0, "adamw-foreach", ""),
    ("qwen2.5-14b", 1024, 2, "lora", 1, 0, "adamw-fused", "all-linear"),
]


def make_step(config):
    """The model's parameter count and a function that does one complete training step."""
    name, seq, batch, precision, recompute, compiled, optimizer, targets = config
    shape = MODELS[name]
    torch.set_float32_matmul_precision("highest" if precision == "fp32" else "high")
    low = precision in ("bf16-true", "lora")
    model = build(shape, seq, torch.bfloat16 if low else torch.float32, bool(recompute))
    params = sum(p.numel() for p in model.parameters())
    if precision == "lora":
        add_lora(model, 16, targets)
    trained = [p for p in model.parameters() if p.requires_grad]
    if optimizer == "sgd":
        opt = torch.optim.SGD(trained, lr=1e-4, momentum=0.9)
    else:
        opt = torch.optim.AdamW(trained, lr=1e-4, fused=True if optimizer.endswith("fused") else None)
    run = torch.compile(model, dynamic=False) if compiled else model
    tokens = torch.randint(0, shape.vocab, (batch, seq), device="cuda")
    targets_ = torch.randint(0, shape.vocab, (batch, seq), device="cuda")
    amp = {"amp_bf16": torch.bfloat16, "amp_fp16": torch.float16, "lora": torch.bfloat16}.get(precision)
    scaler = torch.amp.GradScaler("cuda") if precision == "amp_fp16" else None

    def step():
        with torch.autocast("cuda", dtype=amp or torch.bfloat16, enabled=amp is not None):
            loss = run(tokens, targets_)
        if scaler:
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
        else:
            loss.backward()
            opt.step()
        opt.zero_grad(set_to_none=True)

    return params, step


def describe(config, m):
    name, _, _, precision, _, _, optimizer, targets = config
    c = MODELS[name]
    if precision == "lora":
        kind = f"frozen bf16 base, fp32 LoRA r16 on {'all linear layers' if targets == 'all-linear' else targets}, " \
               "bf16 autocast"
    else:
        kind = PRECISION_NOTE[precision]
    if optimizer == "sgd":
        kind = kind.replace("AdamW states", "momentum")
        extra = "SGD with momentum"
    else:
        extra = "fused AdamW" if optimizer.endswith("fused") else "AdamW default (foreach)"
    return (f"{'gated' if c.gated else 'GELU'} FFN, {'tied' if c.tied else 'untied'} embeddings, {kind}; {extra}; "
            f"logits upcast to fp32 for the loss; mem is peak allocated by the framework "
            f"(reserved {m['reserved']:.2f} GB, device total {m['device']:.2f} GB); "
            f"mean board power {m['watts']:.0f} W")


def main():
    path = sys.argv[1]
    which = sys.argv[2] if len(sys.argv) > 2 else "all"
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 1.5
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    configs = {"check": CHECK, "small": SMALL, "large": LARGE}.get(which, SMALL + LARGE)
    configs = sorted(configs, key=lambda c: c[5])  # compiled ones last: they take long to start
    table = Table(path, COLUMNS)
    for config in configs:
        name, seq, batch, precision, recompute, compiled, optimizer, targets = config
        c = MODELS[name]
        t0 = time.perf_counter()
        step = None
        try:
            params, step = make_step(config)
            m = measure_steps(step, seconds)
        except Exception as error:  # pylint: disable=broad-except
            print("failed", config, repr(error)[:600], flush=True)
            step = None
            del error
            free_memory()
            continue
        lora = precision == "lora"
        table.add(
            id=f"s{first + table.rows:03d}", source="measured on one H200, torch 2.11, second series", model=name,
            params_b=f"{params / 1e9:.4f}", layers=c.layers, hidden=c.hidden, heads=c.heads, kv_heads=c.kv_heads,
            ffn=c.ffn, vocab=c.vocab, seq_len=seq, gpu="H200-SXM-141GB", gpu_count=1, gpus_per_node=1,
            micro_batch=batch, global_batch=batch, tensor_parallel=1, pipeline_parallel=1, data_parallel=1,
            zero_stage=0, precision="bf16-true" if lora else precision,
            activation_checkpointing="full" if recompute else "none", flash_attention="yes",
            tokens_per_s_per_gpu=f"{batch * seq / m['step_s']:.1f}", step_time_s=f"{m['step_s']:.5f}",
            mem_gb_per_gpu=f"{m['allocated']:.3f}", notes=describe(config, m),
            method="lora" if lora else "pretrain", optimizer="sgd" if optimizer == "sgd" else "adamw",
            framework="pytorch-compile" if compiled else "pytorch-eager", quality="A",
            set="lora" if lora else ("dense" if c.causal else "dense-encoder"), mem_kind="allocated",
            gated_ffn="yes" if c.gated else "no", tied_embeddings="yes" if c.tied else "no",
            lora_rank=16 if lora else "", lora_targets=targets)
        print(f"{name} s{seq} b{batch} {precision} ckpt{recompute} comp{compiled} {optimizer} {targets}: "
              f"{m['step_s'] * 1e3:.2f} ms {m['allocated']:.3f} GB res {m['reserved']:.2f} dev {m['device']:.2f} "
              f"{m['watts']:.0f} W took {time.perf_counter() - t0:.1f} s", flush=True)
        step = None
        if compiled:
            torch._dynamo.reset()  # pylint: disable=protected-access
        free_memory()


if __name__ == "__main__":
    main()
