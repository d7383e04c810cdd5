"""Training steps under Hugging Face's Trainer, Lightning and a plain loop, torchvision and generate, on one device.

    python3 transformers_steps.py OUTPUT.csv SET[,SET...] [seconds]

Sets: core, plain, generate, lightning, fewer, more, vision, again, aside, mixtures, blind, unseen, generate-more, layouts,
compiled; all; tiny (a dry run). Beside OUTPUT.csv there are OUTPUT_vision.csv, OUTPUT_generate.csv and
OUTPUT_failed.csv. Rows are written one at a time, the most telling first, and no configuration is begun after the
given seconds. FROM=n in the environment leaves out the first n configurations; SECONDS_PER is the time measured for
each (1.2 s)."""
import contextlib
import dataclasses
import gc
import os
import statistics
import sys
import time
import traceback

import torch

import transformers_common as h
from transformers_common import CUDA, DEVICE, GPU, SHAPES, SOURCE, Cache, Meter, Table, Tokens, free_memory, is_oom, sync

TRAINING = ("id,source,model,params_b,layers,hidden,heads,kv_heads,ffn,vocab,seq_len,gpu,gpu_count,gpus_per_node,"
            "micro_batch,global_batch,tensor_parallel,pipeline_parallel,data_parallel,zero_stage,precision,"
            "activation_checkpointing,flash_attention,tokens_per_s_per_gpu,tflops_per_gpu,mfu,step_time_s,"
            "mem_gb_per_gpu,notes,samples_per_s,active_params_b,context_parallel,virtual_pipeline,expert_parallel,"
            "method,optimizer,framework,interconnect,quality,derived_tokens_per_s_per_gpu,derived_from,set,mem_kind,"
            "gated_ffn,tied_embeddings,lora_rank,lora_targets").split(",")  # as tools/measure/training.py
INFERENCE = ("id,source,model,params_b,active_params_b,gpu,gpu_count,precision,batch,concurrency,input_len,output_len,"
             "tokens_per_s,throughput_kind,latency_ms,ttft_ms,itl_ms,mem_gb,avg_power_w,energy_j_per_token,"
             "tensor_parallel,pipeline_parallel,framework,quality,notes").split(",")  # as inference.py
VISION = ("id,source,model,params_m,resolution_or_steps,gpu,gpu_count,micro_batch,precision,optimizer,framework,"
          "step_time_s,samples_per_s,mem_gb_per_gpu,mem_kind,mean_board_w,quality,notes").split(",")  # as vision.py
FAILED = "framework,model,configuration,oom,error,allocated_gb,reserved_gb".split(",")


@dataclasses.dataclass
class C:  # one training configuration
    model: str
    seq: int
    batch: int
    dtype: str = "bf16"
    lora: int = 0
    targets: str = ""
    recompute: int = 0
    accum: int = 1
    attn: str = "sdpa"
    optim: str = ""
    head: str = "lm"
    padded: int = 0
    dropout: float = 0.0
    framework: str = "hf"
    dora: int = 0
    trained: int = 0  # the last so many layers; 0: all

    def text(self):
        lora = f" {'dora' if self.dora else 'lora'} r{self.lora} {self.targets}" if self.lora else ""
        extra = "".join((" recompute" if self.recompute else "", f" accum {self.accum}" if self.accum > 1 else "",
                         f" {self.attn}" if self.attn != "sdpa" else "", f" {self.optim}" if self.optim else "",
                         f" {self.head}" if self.head != "lm" else "", " padded" if self.padded else "",
                         f" dropout {self.dropout}" if self.dropout else "",
                         f" last {self.trained} layers" if self.trained else ""))
        return f"{self.framework} {self.model} s{self.seq} b{self.batch} {self.dtype}{lora}{extra}"


def lora(model, seq, batch, rank, targets, recompute=0, accum=1, **more):
    return C(model, seq, batch, "bf16", rank, targets, recompute, accum, **more)


ALL = "all-linear"
CORE = [
    C("qwen2.5-0.5b", 2048, 4, "fp32"),
    C("qwen2.5-0.5b", 512, 8, "fp32"),
    C("qwen2.5-0.5b", 1024, 4, "fp32", accum=4),
    lora("llama-3-8b", 2048, 4, 16, ALL),
    lora("llama-3-8b", 2048, 4, 16, ALL, 1),
    lora("llama-3-8b", 1024, 4, 8, "q,v"),
    lora("llama-3-8b", 4096, 2, 64, ALL, 1),
    lora("llama-3-8b", 512, 4, 16, "q,v", 0, 4),
    lora("llama-3-8b", 8192, 1, 16, ALL, 1),
    C("llama-3-8b", 2048, 2, "bf16", recompute=1),
    C("llama-3.2-1b", 2048, 4),
    C("llama-3.2-1b", 4096, 2, recompute=1),
    C("llama-3.2-1b", 512, 16),
    lora("llama-3.2-1b", 2048, 4, 16, ALL),
    lora("llama-3.2-1b", 512, 16, 8, "q,v"),
    C("gpt2", 1024, 8, "fp32"),
    C("gpt2", 1024, 32, "fp32"),
    C("gpt2", 256, 8, "fp32"),
    C("gpt2", 512, 4, "fp32", accum=8),
    C("bert-base", 256, 32, "fp32", head="cls"),
    C("bert-base", 512, 16, "fp32", head="mlm"),
    lora("qwen2.5-7b", 2048, 2, 16, ALL),
    lora("qwen2.5-7b", 4096, 2, 8, "q,v", 1),
    C("qwen2.5-7b", 1024, 4, recompute=1),
    lora("llama-2-7b", 1024, 4, 16, ALL),
    lora("llama-2-7b", 4096, 1, 64, "q,v"),
    lora("llama-2-7b", 256, 1, 8, ALL),
    C("llama-2-7b", 2048, 1),
    C("tinyllama-1.1b", 2048, 2, "fp32"),
    C("tinyllama-1.1b", 2048, 8, "fp32", recompute=1),
    C("qwen2.5-0.5b", 1024, 8, "bf16"),
    lora("qwen2.5-0.5b", 1024, 8, 16, ALL),
]
PLAIN = [
    C("qwen2.5-0.5b", 2048, 4, "fp32", framework="plain"),
    C("llama-3.2-1b", 2048, 4, framework="plain"),
    C("gpt2", 1024, 8, "fp32", framework="plain"),
    lora("llama-3-8b", 2048, 4, 16, ALL, framework="plain"),
]
LIGHTNING = [
    C("gpt2", 1024, 8, "fp32", framework="lightning"),
    C("qwen2.5-0.5b", 2048, 4, "fp32", framework="lightning"),
    C("llama-3.2-1b", 2048, 4, "bf16", framework="lightning"),
    C("bert-base", 256, 32, "fp32", head="cls", framework="lightning"),
]
FEWER = [  # DoRA beside LoRA, frozen layers beside full training
    lora("llama-3.2-1b", 2048, 4, 16, ALL),
    lora("llama-3.2-1b", 2048, 4, 16, ALL, dora=1),
    lora("llama-3.2-1b", 512, 16, 8, "q,v"),
    lora("llama-3.2-1b", 512, 16, 8, "q,v", dora=1),
    C("llama-3.2-1b", 2048, 4),
    C("llama-3.2-1b", 2048, 4, trained=4),
    C("llama-3.2-1b", 2048, 4, trained=8),
    C("llama-3.2-1b", 2048, 4, recompute=1, trained=4),
    lora("qwen2.5-7b", 2048, 2, 16, ALL),
    lora("qwen2.5-7b", 2048, 2, 16, ALL, dora=1),
    lora("qwen2.5-7b", 4096, 2, 8, "q,v", 1),
    lora("qwen2.5-7b", 4096, 2, 8, "q,v", 1, dora=1),
    C("qwen2.5-7b", 1024, 4, trained=2),
    C("qwen2.5-7b", 1024, 4, trained=8),
    lora("llama-3-8b", 2048, 4, 16, ALL, 1),
    lora("llama-3-8b", 2048, 4, 16, ALL, 1, dora=1),
    lora("llama-3-8b", 1024, 4, 64, ALL, dora=1),
    C("qwen2.5-1.5b", 2048, 4, "fp32", trained=4),
]
MORE = [
    lora("mistral-7b-v0.3", 2048, 2, 16, ALL),
    lora("mistral-7b-v0.3", 8192, 1, 16, "q,v", 1),
    lora("mistral-7b-v0.3", 512, 8, 64, ALL, 0, 4),
    lora("llama-2-13b", 2048, 2, 16, ALL, 1),
    lora("llama-2-13b", 512, 4, 8, "q,v"),
    C("llama-3.2-3b", 2048, 2, recompute=1),
    lora("llama-3.2-3b", 4096, 2, 16, ALL),
    C("qwen2.5-1.5b", 1024, 4, "fp32"),
    C("qwen2.5-1.5b", 2048, 4),
    lora("qwen2.5-1.5b", 1024, 4, 64, ALL, 0, 4),
    C("qwen3-0.6b", 1024, 8),
    C("qwen3-0.6b", 2048, 2, "fp32"),
    lora("qwen3-4b", 2048, 2, 16, ALL),
    C("qwen3-4b", 1024, 2, recompute=1),
    C("gpt2-medium", 1024, 8, "fp32"),
    C("gpt2-large", 1024, 4, "fp32"),
    C("gpt2-large", 1024, 4, "fp32", optim="adafactor"),
    C("gpt2-xl", 1024, 4, "bf16"),
    C("bert-large", 512, 16, "fp32", head="mlm"),
    C("bert-large", 256, 16, "fp32", head="cls", accum=4),
    C("gemma-2b", 1024, 4, "bf16"),
    lora("gemma-2b", 2048, 2, 8, "q,v"),
    lora("qwen1.5-moe-a2.7b", 1024, 4, 16, "q,v"),
    lora("qwen1.5-moe-a2.7b", 2048, 2, 16, "q,v", 1),
    C("llama-3.2-1b", 1024, 8, padded=1),
    C("llama-3.2-1b", 2048, 4, optim="adafactor"),
    C("llama-3.2-1b", 8192, 1),
    C("llama-3.2-1b", 1024, 2, "bf16", accum=8),
    C("llama-3.2-1b", 2048, 2, attn="eager"),
    lora("llama-3-8b", 2048, 2, 16, ALL, dropout=0.05),
    lora("llama-3-8b", 1024, 8, 16, "q,v", padded=1),
    lora("llama-3-8b", 256, 1, 16, ALL),
    C("gpt2", 1024, 8, "fp32", attn="eager"),
    C("gpt2", 1024, 1, "bf16"),
    C("bert-base", 128, 32, "fp32", head="cls", padded=1),
    C("tinyllama-1.1b", 4096, 2, "bf16"),
    lora("llama-2-13b", 4096, 1, 16, ALL, 1),
    C("qwen2.5-0.5b", 4096, 2, "bf16", recompute=1),
    C("gpt2-xl", 1024, 2, "fp32", recompute=1),
    C("qwen2.5-7b", 512, 2),
]
AGAIN = [  # LoRA of models that fit many times, each on a model built anew
    lora("llama-3.2-1b", 2048, 4, 16, ALL),
    lora("llama-3.2-1b", 512, 16, 8, "q,v"),
    lora("qwen2.5-0.5b", 1024, 8, 16, ALL),
    lora("llama-3.2-3b", 4096, 2, 16, ALL),
    lora("qwen2.5-1.5b", 1024, 4, 64, ALL, 0, 4),
    lora("gemma-2b", 2048, 2, 8, "q,v"),
]
ASIDE = [  # models that no constant was fitted on
    lora("qwen3-8b", 2048, 2, 16, ALL),
    lora("qwen2.5-14b", 1024, 2, 16, ALL, 1),
    C("smollm2-1.7b", 2048, 4),
    C("smollm2-360m", 2048, 4, "fp32"),
    lora("yi-6b", 2048, 2, 32, ALL),
    lora("phi-3-mini", 2048, 2, 16, ALL),
    C("qwen3-1.7b", 2048, 2),
    lora("qwen3-1.7b", 1024, 8, 16, "q,v"),
    C("pythia-1.4b", 2048, 4),
    C("pythia-410m", 1024, 8, "fp32"),
    C("opt-1.3b", 1024, 4),
    C("roberta-base", 256, 32, "fp32", head="cls"),
    C("roberta-large", 128, 32, "fp32", head="cls"),
    C("distilbert", 256, 64, "fp32", head="cls"),
    lora("open-llama-3b", 1024, 4, 8, "q,v"),
    lora("qwen2.5-3b", 4096, 1, 16, ALL, 1),
    C("qwen2.5-3b", 1024, 2, recompute=1),
    lora("smollm2-1.7b", 1024, 8, 64, ALL),
    lora("qwen3-8b", 512, 1, 16, "q,v"),
    C("yi-6b", 1024, 2, recompute=1),
    lora("yi-6b", 8192, 1, 16, ALL, 1),
    C("smollm2-1.7b", 512, 2, accum=4),
    lora("phi-3-mini", 512, 8, 8, ALL, 1, 2),
    C("smollm2-360m", 1024, 8),
    C("opt-1.3b", 2048, 2, "fp32"),
]
BLIND = [  # measured after the last change of a constant or an operation
    lora("deepseek-llm-7b", 2048, 2, 16, ALL),
    lora("olmo-2-7b", 1024, 4, 16, "q,v"),
    lora("mistral-nemo-12b", 2048, 1, 32, ALL, 1),
    C("smollm3-3b", 2048, 2, recompute=1),
    lora("smollm3-3b", 1024, 4, 16, ALL),
    C("granite-3-2b", 1024, 4),
    lora("stablelm-3b-4e1t", 2048, 2, 16, ALL),
    lora("phi-2", 1024, 4, 16, "q,v"),
    C("bloom-1b1", 1024, 2),
    C("gemma-2-2b", 1024, 2, attn="eager"),
    C("deberta-v3-base", 256, 16, "fp32", head="cls", attn="eager"),
    C("bert-large", 512, 8, "fp32", head="cls"),
    C("roberta-base", 128, 128, "fp32", head="cls"),
    lora("tinyllama-1.1b", 2048, 4, 64, ALL),
    C("gpt2-medium", 512, 4, "fp32", accum=2),
    lora("llama-3-8b", 1024, 1, 32, ALL, 1, 8),
    C("qwen2.5-1.5b", 512, 16),
    lora("llama-2-13b", 1024, 2, 64, ALL),
    C("llama-3.2-3b", 4096, 1),
    lora("qwen2.5-3b", 512, 16, 8, "q,v"),
    C("granite-3-1b-a400m", 2048, 2),
    lora("granite-3-1b-a400m", 512, 8, 16, "q,v"),
]
UNSEEN = [  # models that no row had, measured when the repairs of the blind set were done
    lora("qwen3-14b", 2048, 1, 16, ALL, 1),
    lora("phi-4-mini", 2048, 2, 16, ALL),
    lora("granite-3-8b", 2048, 2, 16, ALL),
    C("gemma-3-1b", 1024, 4),
    lora("gemma-7b", 1024, 2, 8, "q,v"),
    C("pythia-2.8b", 1024, 2),
    C("smollm2-135m", 2048, 8, "fp32"),
    lora("starcoder2-3b", 2048, 2, 16, ALL),
    lora("qwen3-30b-a3b", 1024, 2, 16, "q,v"),
    C("qwen1.5-1.8b", 1024, 4),
    lora("phi-4", 1024, 2, 16, ALL, 1),
    lora("mistral-small-24b", 1024, 1, 16, "q,v", 1),
    C("pythia-160m", 1024, 16, "fp32"),
    C("opt-125m", 512, 16, "fp32"),
    lora("opt-6.7b", 1024, 4, 16, "q,v"),
    lora("glm-4-9b", 1024, 2, 8, "q,v"),
    C("phi-1.5", 1024, 4),
    C("granite-3-3b-a800m", 1024, 4),
    lora("starcoder2-7b", 1024, 2, 16, "q,v"),
    lora("falcon-7b", 1024, 2, 16, "q,v"),
    lora("olmo-2-13b", 1024, 1, 16, ALL, 1),
    lora("qwen1.5-4b", 2048, 2, 16, ALL, 1),
    lora("gemma-2-9b", 1024, 1, 16, ALL, attn="eager"),
    lora("bloom-3b", 512, 4, 16, ALL, attn="eager"),
    C("bert-base", 128, 64, "fp32", head="cls", recompute=1),
    C("roberta-large", 512, 8, "fp32", head="mlm"),
]
MIXTURES = [
    C("olmoe-1b-7b", 1024, 4),
    lora("olmoe-1b-7b", 2048, 2, 16, "q,v"),
    C("granite-3-1b-a400m", 1024, 8),
    C("granite-3-1b-a400m", 2048, 4, "fp32"),
    lora("qwen1.5-moe-a2.7b", 512, 2, 16, "q,v"),
]
TINY = [
    C("tiny-llama", 32, 2, "fp32"),
    C("tiny-llama", 32, 2, "bf16", recompute=1),
    lora("tiny-llama", 32, 2, 8, ALL),
    lora("tiny-llama", 32, 2, 16, "q,v", 1, 2),
    C("tiny-gpt2", 32, 2, "fp32", accum=2),
    C("tiny-gpt2", 32, 2, "fp32", attn="eager", optim="adafactor"),
    C("tiny-bert", 32, 2, "fp32", head="mlm"),
    C("tiny-bert", 32, 2, "fp32", head="cls", padded=1),
    C("tiny-llama", 32, 2, "fp32", framework="plain"),
    lora("tiny-llama", 32, 2, 8, ALL, framework="plain"),
    C("tiny-llama", 32, 2, "fp32", framework="lightning"),
    C("tiny-llama", 32, 2, "bf16", framework="lightning"),
]

# model, prompt, batch, new tokens, cache ("" is what generate takes by itself)
GENERATE = [
    ("llama-3-8b", 128, 1, 64, ""), ("llama-3-8b", 1024, 8, 64, ""),
    ("qwen2.5-0.5b", 128, 1, 64, ""), ("qwen2.5-0.5b", 1024, 32, 64, ""),
    ("qwen2.5-7b", 1024, 1, 64, ""), ("qwen2.5-7b", 128, 32, 64, ""),
    ("qwen2.5-7b", 128, 8, 64, "static"),
]
GENERATE_MORE = [
    ("llama-3-8b", 512, 1, 64, ""), ("llama-3-8b", 4096, 4, 48, ""), ("llama-3-8b", 128, 64, 48, ""),
    ("llama-3.2-1b", 512, 1, 64, ""), ("llama-3.2-1b", 512, 32, 48, ""), ("gpt2", 256, 1, 64, ""),
    ("llama-2-13b", 512, 1, 48, ""), ("qwen3-4b", 512, 8, 48, ""), ("qwen1.5-moe-a2.7b", 512, 1, 32, ""),
]
COMPILED = [("qwen2.5-0.5b", 128, 1, 128, "static-compiled")]
TINY_GENERATE = [("tiny-llama", 16, 2, 8, ""), ("tiny-llama", 16, 1, 8, "static")]

# model, resolution, batch, precision, channels last
VISION_RUNS = [
    ("resnet50", 224, 128, "amp_bf16", 1), ("resnet50", 224, 128, "amp_bf16", 0),
    ("vit_b_16", 224, 64, "amp_bf16", 0), ("vit_b_16", 224, 64, "amp_bf16", 1),
    ("convnext_tiny", 224, 128, "amp_bf16", 0), ("convnext_tiny", 224, 128, "amp_bf16", 1),
    ("efficientnet_b0", 224, 128, "amp_bf16", 0), ("efficientnet_b0", 224, 128, "amp_bf16", 1),
]
LAYOUTS = [
    ("resnet18", 224, 128, "amp_bf16", 0), ("resnet101", 224, 64, "amp_bf16", 0), ("vgg16", 224, 64, "amp_bf16", 0),
    ("densenet121", 224, 64, "amp_bf16", 0), ("mobilenet_v2", 224, 128, "amp_bf16", 0),
    ("resnet50", 224, 128, "tf32", 0), ("resnet50", 224, 128, "tf32", 1), ("swin_t", 224, 64, "amp_bf16", 0),
]
TINY_VISION = [("resnet18", 32, 2, "amp_bf16", 0), ("resnet18", 32, 2, "amp_bf16", 1)]

CACHE = Cache()
SECONDS_PER = float(os.environ.get("SECONDS_PER", "1.2"))


def run_hf(model, c, deadline):
    data = Tokens(SHAPES[c.model].vocab, c.seq, c.head, c.padded)
    return h.run_trainer(model, data, c.batch, c.accum, bool(c.recompute), c.optim,
                         Meter(SECONDS_PER, deadline=deadline))


def fused_adamw(model):
    trained = [p for p in model.parameters() if p.requires_grad]
    return torch.optim.AdamW(trained, lr=1e-5, **({"fused": True} if CUDA else {}))


def run_plain(model, c, deadline):
    """The loop a user writes around the same model: autocast, fused AdamW, no clipping."""
    data = Tokens(SHAPES[c.model].vocab, c.seq, c.head, c.padded)
    loader = torch.utils.data.DataLoader(data, batch_size=c.batch, shuffle=True, pin_memory=CUDA)
    opt = fused_adamw(model)
    if c.recompute:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    model.train()
    meter = Meter(SECONDS_PER, deadline=deadline)
    try:
        for batch in loader:
            batch = {k: v.to(DEVICE, non_blocking=True) for k, v in batch.items()}
            with torch.autocast(DEVICE.split(":")[0], dtype=torch.bfloat16):
                loss = model(**batch, use_cache=False).loss if SHAPES[c.model].causal else model(**batch).loss
            loss.backward()
            opt.step()
            opt.zero_grad(set_to_none=True)
            if meter.tick():
                break
        result = meter.result()
    finally:
        meter.close()
        del opt
    return {**result, "optim": "adamw_torch_fused"}


def run_lightning(model, c, deadline):
    try:
        import lightning.pytorch as pl
    except ImportError:
        import pytorch_lightning as pl
    meter = Meter(SECONDS_PER, deadline=deadline)

    class Module(pl.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = model

        def training_step(self, batch, _):
            return self.net(**batch).loss

        def configure_optimizers(self):
            return torch.optim.AdamW(self.net.parameters(), lr=1e-5)

    class Ticker(pl.Callback):
        def on_train_start(self, trainer, module):
            meter.last = time.perf_counter()

        def on_train_batch_end(self, trainer, module, outputs, batch, batch_idx):
            if meter.tick():
                trainer.should_stop = True

    data = Tokens(SHAPES[c.model].vocab, c.seq, c.head, c.padded, count=c.batch * 200)
    loader = torch.utils.data.DataLoader(data, batch_size=c.batch, shuffle=True, pin_memory=CUDA)
    with contextlib.suppress(Exception):
        model.config.use_cache = False
    precision = "bf16-mixed" if c.dtype == "fp32" else "bf16-true"
    import logging
    import warnings
    warnings.filterwarnings("ignore")
    for name in ("lightning.pytorch", "pytorch_lightning"):
        logging.getLogger(name).setLevel(logging.ERROR)
    trainer = pl.Trainer(accelerator="gpu" if CUDA else "cpu", devices=1, precision=precision, max_steps=200,
                         max_epochs=1, logger=False, enable_checkpointing=False, enable_progress_bar=False,
                         enable_model_summary=False, callbacks=[Ticker()])
    result = None
    try:
        trainer.fit(Module(), loader)
        result = meter.result()
    finally:
        meter.close()
        del trainer
    return {**result, "optim": "adamw_torch (foreach)", "precision": precision}


def describe(c, m, trainable):
    s = SHAPES[c.model]
    if c.lora:
        kind = f"frozen bf16 base, peft {'DoRA' if c.dora else 'LoRA'} r{c.lora} on {c.targets} (adapters in fp32 as peft casts them, alpha " \
               f"{2 * c.lora}, dropout {c.dropout:g}), bf16 autocast"
    elif c.dtype == "fp32":
        kind = "fp32 weights, gradients and optimizer states, bf16 autocast"
    else:
        kind = "weights, gradients and optimizer states all bf16, bf16 autocast"
    stack = {"hf": "transformers.Trainer with its defaults (gradient clipping, no logging)",
             "plain": "plain loop around the transformers model, no clipping",
             "lightning": f"Lightning {h.version('lightning') if h.version('lightning') != 'none' else h.version('pytorch-lightning')} "
                          f"around the transformers model, precision {m.get('precision', '')}"}[c.framework]
    extra = ""
    if s.experts:
        extra = f"{s.experts} experts, {s.active} active of width {s.ffn}, shared {s.shared}; "
    task = {"lm": "causal LM", "mlm": "masked LM", "cls": "sequence classification"}[c.head]
    mask = "half of the samples padded" if c.padded else "no padding (mask of ones given)"
    return (f"{stack}; {task}; {'gated' if s.gated else 'GELU'} FFN, {'tied' if s.tied else 'untied'} embeddings, "
            f"{kind}; {m['optim']}; {c.attn} attention; {mask}; accumulation {c.accum}; {extra}"
            f"trainable {trainable / 1e6:.3f} M; {h.versions()}; mem is peak allocated by the framework "
            f"(reserved {m['reserved']:.2f} GB, device total {m['device']:.2f} GB); "
            f"mean board power {m['watts']:.0f} W; {m['steps']} steps, windows {m['low'] * 1e3:.1f} to "
            f"{m['high'] * 1e3:.1f} ms, first steps {' '.join(f'{w:.2f}' for w in m['warm'])} s")


def training_row(tables, c, deadline):
    t0 = time.perf_counter()
    model = CACHE.get(c.model, c.dtype, c.attn, c.head, c.seq)
    wrapped = model
    try:
        if c.lora:
            wrapped = h.add_lora(model, c.lora, c.targets, c.dropout, bool(c.dora))
        elif c.trained:
            h.freeze_all_but_last(model, c.trained)
        trainable = sum(p.numel() for p in wrapped.parameters() if p.requires_grad)
        model = None
        free_memory()
        m = {"hf": run_hf, "plain": run_plain, "lightning": run_lightning}[c.framework](wrapped, c, deadline)
    finally:
        if c.framework == "lightning":
            CACHE.drop()  # fit() leaves the model on the CPU
        elif c.lora and wrapped is not None and wrapped is not CACHE.model:
            h.clean(wrapped)
            h.remove_lora(wrapped, CACHE)
        wrapped = model = None
    s = SHAPES[c.model]
    params = CACHE.params
    active = ""
    if s.experts:
        active = f"{(params - s.layers * 3 * s.hidden * s.ffn * (s.experts - s.active)) / 1e9:.4f}"
    tokens = c.batch * c.accum * c.seq
    table = tables["training"]
    table.add(
        id=f"f{table.rows:03d}", source=SOURCE, model=c.model, params_b=f"{params / 1e9:.4f}", layers=s.layers,
        hidden=s.hidden, heads=s.heads, kv_heads=s.kv_heads, ffn=s.ffn, vocab=s.vocab, seq_len=c.seq, gpu=GPU,
        gpu_count=1, gpus_per_node=1, micro_batch=c.batch, global_batch=c.batch * c.accum, tensor_parallel=1,
        pipeline_parallel=1, data_parallel=1, zero_stage=0, precision="amp_bf16" if c.dtype == "fp32" else "bf16-true",
        activation_checkpointing="full" if c.recompute else "none",
        flash_attention="no" if c.attn == "eager" else "yes", tokens_per_s_per_gpu=f"{tokens / m['step_s']:.1f}",
        step_time_s=f"{m['step_s']:.5f}", mem_gb_per_gpu=f"{m['allocated']:.3f}", notes=describe(c, m, trainable),
        samples_per_s=f"{c.batch * c.accum / m['step_s']:.2f}", active_params_b=active,
        method="lora" if c.lora else "full-ft", optimizer="adafactor" if c.optim == "adafactor" else "adamw",
        framework=c.framework, quality="A",
        set="lora" if c.lora else "moe" if s.experts else "dense" if s.causal else "dense-encoder",
        mem_kind="allocated", gated_ffn="yes" if s.gated else "no", tied_embeddings="yes" if s.tied else "no",
        lora_rank=c.lora or "", lora_targets=c.targets)
    print(f"{c.text()}: {m['step_s'] * 1e3:.2f} ms ({m['low'] * 1e3:.1f}..{m['high'] * 1e3:.1f}, {m['steps']}) "
          f"{m['allocated']:.3f} GB res {m['reserved']:.2f} dev {m['device']:.2f} {m['watts']:.0f} W {m['optim']} "
          f"build {CACHE.build_s:.1f} took {time.perf_counter() - t0:.1f} s", flush=True)


def timed(function, repeats):
    times, value = [], None
    for _ in range(repeats):
        sync()
        t0 = time.perf_counter()
        value = function()
        sync()
        times.append(time.perf_counter() - t0)
    return statistics.median(times), value


def generate_row(tables, case, deadline):
    name, prompt, batch, new, cache = case
    s = SHAPES[name]
    model = CACHE.get(name, "bf16", "sdpa", "lm", prompt + new).eval()
    h.reset_peak()
    for holder in (model.config, getattr(model, "generation_config", None)):
        with contextlib.suppress(Exception):
            holder.use_cache = True
    ids = torch.randint(10, s.vocab, (batch, prompt), device=DEVICE)
    mask = torch.ones_like(ids)
    kwargs = {"attention_mask": mask, "do_sample": False, "pad_token_id": 0}
    if cache.startswith("static"):
        kwargs["cache_implementation"] = "static"
        if cache == "static":
            kwargs["disable_compile"] = True

    def run(tokens):
        with torch.no_grad():
            return model.generate(ids, max_new_tokens=tokens, **kwargs)

    try:
        run(4)  # warm-up
        if cache == "static-compiled":
            run(new)
        first, _ = timed(lambda: run(1), 3)
        whole, out = timed(lambda: run(new), 3)
        h.POWER.start()
        run(new)
        watts = h.POWER.stop()
    finally:
        model.train()
    made = out.shape[1] - prompt
    if made < 2:
        raise RuntimeError(f"only {made} tokens were generated")
    step = (whole - first) / (made - 1)
    p = h.peaks()
    table = tables["generate"]
    table.add(id=f"fg{table.rows:03d}", source=SOURCE, model=name, params_b=f"{CACHE.params / 1e9:.4f}", gpu=GPU,
              gpu_count=1, precision="bf16", batch=batch, input_len=prompt, output_len=made,
              tokens_per_s=f"{batch * made / whole:.1f}", throughput_kind="output", latency_ms=f"{whole * 1e3:.2f}",
              ttft_ms=f"{first * 1e3:.3f}", itl_ms=f"{step * 1e3:.4f}", mem_gb=f"{p['allocated']:.3f}",
              avg_power_w=f"{watts:.0f}", tensor_parallel=1, framework="hf generate", quality="A",
              notes=f"layers {s.layers}, hidden {s.hidden}, heads {s.heads}, kv_heads {s.kv_heads}, ffn {s.ffn}, vocab "
                    f"{s.vocab}; transformers generate, greedy, {cache or 'default'} cache, sdpa attention; ttft is "
                    "generate with one new token, itl the mean over the others; "
                    f"{h.versions()}; mem is peak allocated (reserved {p['reserved']:.2f} GB)")
    print(f"generate {name} prompt {prompt} b{batch} {cache or 'default'}: first {first * 1e3:.2f} ms, then "
          f"{step * 1e3:.3f} ms a token, {made} tokens, {p['allocated']:.2f} GB", flush=True)
    del deadline


def vision_row(tables, case, deadline):
    import torchvision
    CACHE.drop()
    name, size, batch, precision, last = case
    layout = torch.channels_last if last else torch.contiguous_format
    torch.backends.cudnn.allow_tf32 = True
    model = getattr(torchvision.models, name)(weights=None).to(DEVICE).to(memory_format=layout).train()
    params = sum(p.numel() for p in model.parameters())
    x = torch.randn(batch, 3, size, size, device=DEVICE).to(memory_format=layout)
    y = torch.randint(0, 1000, (batch,), device=DEVICE)
    opt = fused_adamw(model)
    meter = Meter(SECONDS_PER, deadline=deadline)
    try:
        while True:
            with torch.autocast(DEVICE.split(":")[0], dtype=torch.bfloat16, enabled=precision == "amp_bf16"):
                loss = torch.nn.functional.cross_entropy(model(x).float(), y)
            loss.backward()
            opt.step()
            opt.zero_grad(set_to_none=True)
            if meter.tick():
                break
        m = meter.result()
    finally:
        meter.close()
    table = tables["vision"]
    table.add(id=f"fv{table.rows:03d}", source=SOURCE, model=name, params_m=f"{params / 1e6:.3f}",
              resolution_or_steps=size, gpu=GPU, gpu_count=1, micro_batch=batch, precision=precision,
              optimizer="adamw", framework="pytorch-eager", step_time_s=f"{m['step_s']:.6f}",
              samples_per_s=f"{batch / m['step_s']:.1f}", mem_gb_per_gpu=f"{m['allocated']:.3f}", mem_kind="allocated",
              mean_board_w=f"{m['watts']:.0f}", quality="A",
              notes=f"{'channels last' if last else 'default memory format (NCHW)'}; fused AdamW; cudnn.benchmark off; "
                    f"torchvision {h.version('torchvision')}; reserved {m['reserved']:.2f} GB, device total "
                    f"{m['device']:.2f} GB")
    print(f"vision {name} {size} b{batch} {'channels last' if last else 'NCHW'}: {m['step_s'] * 1e3:.3f} ms "
          f"{m['allocated']:.3f} GB {m['watts']:.0f} W", flush=True)


SETS = {"core": [(training_row, c) for c in CORE], "plain": [(training_row, c) for c in PLAIN],
        "lightning": [(training_row, c) for c in LIGHTNING], "more": [(training_row, c) for c in MORE],
        "fewer": [(training_row, c) for c in FEWER],
        "again": [(training_row, c) for c in AGAIN], "aside": [(training_row, c) for c in ASIDE],
        "blind": [(training_row, c) for c in BLIND], "unseen": [(training_row, c) for c in UNSEEN],
        "mixtures": [(training_row, c) for c in MIXTURES],
        "generate-more": [(generate_row, g) for g in GENERATE_MORE],
        "generate": [(generate_row, g) for g in GENERATE], "compiled": [(generate_row, g) for g in COMPILED],
        "vision": [(vision_row, v) for v in VISION_RUNS], "layouts": [(vision_row, v) for v in LAYOUTS],
        "tiny": [(training_row, c) for c in TINY] + [(generate_row, g) for g in TINY_GENERATE]
                + [(vision_row, v) for v in TINY_VISION] + [(training_row, C("no-such-model", 8, 1))]}
ORDER = ["core", "plain", "generate", "more", "lightning", "vision", "again", "aside", "mixtures", "blind",
         "unseen", "generate-more", "layouts", "compiled"]


def main():
    begin = time.time()
    path = sys.argv[1]
    which = sys.argv[2] if len(sys.argv) > 2 else "all"
    limit = float(sys.argv[3]) if len(sys.argv) > 3 else 540.0
    deadline = begin + limit
    names = ORDER if which == "all" else which.split(",")
    plan = [job for name in names for job in SETS[name]]
    if os.environ.get("ONLY") == "full":
        plan = [(f, c) for f, c in plan if not (isinstance(c, C) and (c.lora or c.framework == "lightning"))]
    start = int(os.environ.get("FROM", "0"))
    stem = path[:-4] if path.endswith(".csv") else path
    tables = {"training": Table(path, TRAINING)}
    if any(f is generate_row for f, _ in plan):
        tables["generate"] = Table(stem + "_generate.csv", INFERENCE)
    if any(f is vision_row for f, _ in plan):
        tables["vision"] = Table(stem + "_vision.csv", VISION)
    tables["failed"] = Table(stem + "_failed.csv", FAILED)
    print(f"{len(plan)} configurations, {h.versions()}, tf32 {torch.get_float32_matmul_precision()}", flush=True)
    slowest = 6.0
    for number, (function, case) in enumerate(plan):
        if number < start:
            continue
        left = deadline - time.time()
        need = 100 if function is generate_row and case[4] == "static-compiled" else 2 * slowest
        if left < need:
            print(f"stopped before {number} of {len(plan)}: {left:.0f} s left", flush=True)
            if left < 2 * slowest:
                break
            continue
        t0 = time.time()
        text = case.text() if isinstance(case, C) else " ".join(str(x) for x in case)
        print(f"[{number} at {t0 - begin:.0f} s] ", end="", flush=True)
        try:
            function(tables, case, deadline)
        except Exception as error:  # pylint: disable=broad-except
            oom = is_oom(error)
            p = h.peaks()
            print("FAILED", text, "out of memory" if oom else repr(error)[:400], flush=True)
            if not oom:
                frames = traceback.extract_tb(error.__traceback__)[-6:]
                print("   " + " < ".join(f"{os.path.basename(f.filename)}:{f.lineno} {f.name}" for f in
                                         reversed(frames)), flush=True)
            tables["failed"].add(framework=case.framework if isinstance(case, C) else function.__name__,
                                 model=case.model if isinstance(case, C) else case[0], configuration=text,
                                 oom="yes" if oom else "no", error=repr(error)[:500].replace("\n", " "),
                                 allocated_gb=f"{p['allocated']:.3f}", reserved_gb=f"{p['reserved']:.3f}")
            traceback.clear_frames(error.__traceback__)
            error = None
            CACHE.drop()
        gc.collect()
        free_memory()
        slowest = min(max(slowest, time.time() - t0), 20.0) if start < number else slowest
    print(f"done: {tables['training'].rows} training rows in {time.time() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
