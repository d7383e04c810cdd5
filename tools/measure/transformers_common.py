"""Models of Hugging Face transformers built from their published shapes with random weights, the real Trainer around
them, and the clock that times its steps. DEVICE=cpu in the environment makes a dry run possible without a GPU."""
import contextlib
import dataclasses
import gc
import importlib
import importlib.metadata
import os
import statistics
import tempfile
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("WANDB_DISABLED", "true")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0")

import torch  # noqa: E402
from torch.utils.data import Dataset  # noqa: E402

from common import POWER, Table  # noqa: E402,F401

DEVICE = os.environ.get("DEVICE", "cuda")
CUDA = DEVICE.startswith("cuda")
GPU = "H200-SXM-141GB"
SOURCE = "measured on one H200, torch 2.11, Hugging Face series"
CAP = None  # bytes the allocator may take; only the dry run reads it


def sync():
    if CUDA:
        torch.cuda.synchronize()


def reset_peak():
    if CUDA:
        torch.cuda.reset_peak_memory_stats()


def free_memory():
    gc.collect()
    if CUDA:
        torch.cuda.synchronize()
        torch.cuda.empty_cache()


def peaks():
    """Peak allocated and reserved and what the device has in use, in GB (1e9 bytes)."""
    if not CUDA:
        return {"allocated": 0.0, "reserved": 0.0, "device": 0.0}
    free, total = torch.cuda.mem_get_info()
    return {"allocated": torch.cuda.max_memory_allocated() / 1e9, "reserved": torch.cuda.max_memory_reserved() / 1e9,
            "device": (total - free) / 1e9}


def total_bytes():
    return torch.cuda.get_device_properties(0).total_memory if CUDA else 141 * 2**30


def context_bytes():
    """What the device has in use beside the allocator's memory: context, kernels, libraries' workspaces."""
    if not CUDA:
        return 600_000_000
    free, total = torch.cuda.mem_get_info()
    return total - free - torch.cuda.memory_reserved()


def set_cap(size):
    """Lets the allocator take this many bytes; None: all."""
    global CAP  # pylint: disable=global-statement
    CAP = size
    if CUDA:
        torch.cuda.set_per_process_memory_fraction(1.0 if size is None else min(size / total_bytes(), 1.0), 0)


def is_oom(error):
    kinds = tuple(k for k in (getattr(torch, "OutOfMemoryError", None),
                              getattr(torch.cuda, "OutOfMemoryError", None)) if k)
    return isinstance(error, kinds) or "out of memory" in str(error).lower()


def version(name):
    try:
        return importlib.metadata.version(name)
    except Exception:  # pylint: disable=broad-except
        try:
            return getattr(importlib.import_module(name), "__version__", "?")
        except Exception:  # pylint: disable=broad-except
            return "none"


def versions():
    return ", ".join(f"{n} {version(n)}" for n in ("torch", "transformers", "peft", "accelerate"))


# ---------------------------------------------------------------------------------------------------------- shapes
@dataclasses.dataclass
class Shape:
    family: str  # transformers' model type
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    ffn: int
    vocab: int
    tied: bool = False
    head_dim: int = 0
    experts: int = 0
    active: int = 0
    shared: int = 0

    @property
    def gated(self):
        return self.family not in ("gpt2", "bert", "roberta", "distilbert", "deberta-v2", "gpt_neox", "opt", "phi",
                                   "bloom", "falcon", "starcoder2")

    @property
    def causal(self):
        return self.family not in ("bert", "roberta", "distilbert", "deberta-v2")


def _g(layers, hidden, heads):
    return Shape("gpt2", layers, hidden, heads, heads, 4 * hidden, 50257, True)


SHAPES = {
    "gpt2": _g(12, 768, 12), "gpt2-medium": _g(24, 1024, 16), "gpt2-large": _g(36, 1280, 20),
    "gpt2-xl": _g(48, 1600, 25),
    "bert-base": Shape("bert", 12, 768, 12, 12, 3072, 30522, True),
    "bert-large": Shape("bert", 24, 1024, 16, 16, 4096, 30522, True),
    "tinyllama-1.1b": Shape("llama", 22, 2048, 32, 4, 5632, 32000),
    "llama-3.2-1b": Shape("llama", 16, 2048, 32, 8, 8192, 128256, True),
    "llama-3.2-3b": Shape("llama", 28, 3072, 24, 8, 8192, 128256, True),
    "llama-3-8b": Shape("llama", 32, 4096, 32, 8, 14336, 128256),
    "llama-2-7b": Shape("llama", 32, 4096, 32, 32, 11008, 32000),
    "llama-2-13b": Shape("llama", 40, 5120, 40, 40, 13824, 32000),
    "qwen2.5-0.5b": Shape("qwen2", 24, 896, 14, 2, 4864, 151936, True),
    "qwen2.5-1.5b": Shape("qwen2", 28, 1536, 12, 2, 8960, 151936, True),
    "qwen2.5-7b": Shape("qwen2", 28, 3584, 28, 4, 18944, 152064),
    "qwen3-0.6b": Shape("qwen3", 28, 1024, 16, 8, 3072, 151936, True, 128),
    "qwen3-4b": Shape("qwen3", 36, 2560, 32, 8, 9728, 151936, True, 128),
    "mistral-7b-v0.3": Shape("mistral", 32, 4096, 32, 8, 14336, 32768),
    "gemma-2b": Shape("gemma", 18, 2048, 8, 1, 16384, 256000, True, 256),
    "smollm2-360m": Shape("llama", 32, 960, 15, 5, 2560, 49152, True),
    "smollm2-1.7b": Shape("llama", 24, 2048, 32, 32, 8192, 49152, True),
    "open-llama-3b": Shape("llama", 26, 3200, 32, 32, 8640, 32000),
    "yi-6b": Shape("llama", 32, 4096, 32, 4, 11008, 64000),
    "qwen2.5-3b": Shape("qwen2", 36, 2048, 16, 2, 11008, 151936, True),
    "qwen2.5-14b": Shape("qwen2", 48, 5120, 40, 8, 13824, 152064),
    "qwen3-1.7b": Shape("qwen3", 28, 2048, 16, 8, 6144, 151936, True, 128),
    "qwen3-8b": Shape("qwen3", 36, 4096, 32, 8, 12288, 151936, False, 128),
    "pythia-410m": Shape("gpt_neox", 24, 1024, 16, 16, 4096, 50304),
    "pythia-1.4b": Shape("gpt_neox", 24, 2048, 16, 16, 8192, 50304),
    "opt-1.3b": Shape("opt", 24, 2048, 32, 32, 8192, 50272, True),
    "phi-3-mini": Shape("phi3", 32, 3072, 32, 32, 8192, 32064),
    "roberta-base": Shape("roberta", 12, 768, 12, 12, 3072, 50265, True),
    "roberta-large": Shape("roberta", 24, 1024, 16, 16, 4096, 50265, True),
    "distilbert": Shape("distilbert", 6, 768, 12, 12, 3072, 30522, True),
    "deepseek-llm-7b": Shape("llama", 30, 4096, 32, 32, 11008, 102400),
    "olmo-2-7b": Shape("olmo2", 32, 4096, 32, 32, 11008, 100352),
    "mistral-nemo-12b": Shape("mistral", 40, 5120, 32, 8, 14336, 131072, False, 128),
    "smollm3-3b": Shape("smollm3", 36, 2048, 16, 4, 11008, 128256, True),
    "granite-3-2b": Shape("granite", 40, 2048, 32, 8, 8192, 49155, True),
    "stablelm-3b-4e1t": Shape("stablelm", 32, 2560, 32, 32, 6912, 50304),
    "phi-2": Shape("phi", 32, 2560, 32, 32, 10240, 51200),
    "bloom-1b1": Shape("bloom", 24, 1536, 16, 16, 6144, 250880, True),
    "gemma-2-2b": Shape("gemma2", 26, 2304, 8, 4, 9216, 256000, True, 256),
    "deberta-v3-base": Shape("deberta-v2", 12, 768, 12, 12, 3072, 128100, True),
    "olmoe-1b-7b": Shape("olmoe", 16, 2048, 16, 16, 1024, 50304, False, 0, 64, 8),
    "granite-3-1b-a400m": Shape("granitemoe", 24, 1024, 16, 8, 512, 49155, True, 0, 32, 8),
    "qwen1.5-moe-a2.7b": Shape("qwen2_moe", 24, 2048, 16, 16, 1408, 151936, False, 0, 60, 4, 5632),
    "phi-4": Shape("phi3", 40, 5120, 40, 10, 17920, 100352),
    "phi-4-mini": Shape("phi3", 32, 3072, 24, 8, 8192, 200064, True),
    "phi-1.5": Shape("phi", 24, 2048, 32, 32, 8192, 51200),
    "gemma-7b": Shape("gemma", 28, 3072, 16, 16, 24576, 256000, True, 256),
    "gemma-2-9b": Shape("gemma2", 42, 3584, 16, 8, 14336, 256000, True, 256),
    "gemma-3-1b": Shape("gemma3_text", 26, 1152, 4, 1, 6912, 262144, True, 256),
    "qwen1.5-1.8b": Shape("qwen2", 24, 2048, 16, 16, 5504, 151936),
    "qwen1.5-4b": Shape("qwen2", 40, 2560, 20, 20, 6912, 151936),
    "qwen3-14b": Shape("qwen3", 40, 5120, 40, 8, 17408, 151936, False, 128),
    "granite-3-8b": Shape("granite", 40, 4096, 32, 8, 12800, 49155, True),
    "pythia-160m": Shape("gpt_neox", 12, 768, 12, 12, 3072, 50304),
    "pythia-2.8b": Shape("gpt_neox", 32, 2560, 32, 32, 10240, 50304),
    "opt-125m": Shape("opt", 12, 768, 12, 12, 3072, 50272, True),
    "opt-6.7b": Shape("opt", 32, 4096, 32, 32, 16384, 50272, True),
    "bloom-3b": Shape("bloom", 30, 2560, 32, 32, 10240, 250880, True),
    "starcoder2-3b": Shape("starcoder2", 30, 3072, 24, 2, 12288, 49152, True),
    "starcoder2-7b": Shape("starcoder2", 32, 4608, 36, 4, 18432, 49152),
    "smollm2-135m": Shape("llama", 30, 576, 9, 3, 1536, 49152, True),
    "falcon-7b": Shape("falcon", 32, 4544, 71, 1, 18176, 65024, True),
    "glm-4-9b": Shape("glm", 40, 4096, 32, 2, 13696, 151552, False, 128),
    "olmo-2-13b": Shape("olmo2", 40, 5120, 40, 40, 13824, 100352),
    "mistral-small-24b": Shape("mistral", 40, 5120, 32, 8, 32768, 131072, False, 128),
    "granite-3-3b-a800m": Shape("granitemoe", 32, 1536, 24, 8, 512, 49155, True, 0, 40, 8),
    "qwen3-30b-a3b": Shape("qwen3_moe", 48, 2048, 32, 4, 768, 151936, False, 128, 128, 8),
    "tiny-llama": Shape("llama", 2, 64, 4, 2, 128, 512),
    "tiny-gpt2": Shape("gpt2", 2, 64, 4, 4, 256, 512, True),
    "tiny-bert": Shape("bert", 2, 64, 4, 4, 256, 512, True),
}


def make_config(name, longest, classes=0):
    """transformers' configuration of the shape; rotary base and the like stay at their defaults."""
    import transformers as t
    s = SHAPES[name]
    if s.family == "gpt2":
        return t.GPT2Config(n_layer=s.layers, n_embd=s.hidden, n_head=s.heads, vocab_size=s.vocab,
                            n_positions=max(1024, longest))
    extra = {"num_labels": classes} if classes else {}
    if s.family == "distilbert":
        return t.DistilBertConfig(n_layers=s.layers, dim=s.hidden, n_heads=s.heads, hidden_dim=s.ffn,
                                  vocab_size=s.vocab, max_position_embeddings=max(512, longest), **extra)
    if s.family in ("bert", "roberta"):
        kind = t.BertConfig if s.family == "bert" else t.RobertaConfig
        return kind(num_hidden_layers=s.layers, hidden_size=s.hidden, num_attention_heads=s.heads,
                    intermediate_size=s.ffn, vocab_size=s.vocab, max_position_embeddings=max(514, longest + 2),
                    **extra)
    if s.family == "deberta-v2":  # as microsoft/deberta-v3-base has it
        return t.DebertaV2Config(num_hidden_layers=s.layers, hidden_size=s.hidden, num_attention_heads=s.heads,
                                 intermediate_size=s.ffn, vocab_size=s.vocab, max_position_embeddings=512,
                                 relative_attention=True, position_buckets=256, norm_rel_ebd="layer_norm",
                                 share_att_key=True, pos_att_type="p2c|c2p", position_biased_input=False,
                                 type_vocab_size=0, max_relative_positions=-1, **extra)
    if s.family == "bloom":
        return t.BloomConfig(n_layer=s.layers, hidden_size=s.hidden, n_head=s.heads, vocab_size=s.vocab)
    if s.family == "opt":
        return t.OPTConfig(num_hidden_layers=s.layers, hidden_size=s.hidden, num_attention_heads=s.heads,
                           ffn_dim=s.ffn, word_embed_proj_dim=s.hidden, vocab_size=s.vocab,
                           max_position_embeddings=max(2048, longest))
    common = {"num_hidden_layers": s.layers, "hidden_size": s.hidden, "num_attention_heads": s.heads,
              "num_key_value_heads": s.kv_heads, "vocab_size": s.vocab, "tie_word_embeddings": s.tied,
              "max_position_embeddings": max(8192, longest)}
    if s.head_dim:
        common["head_dim"] = s.head_dim
    if s.family == "qwen2_moe":
        return t.Qwen2MoeConfig(**common, intermediate_size=s.shared, moe_intermediate_size=s.ffn,
                                shared_expert_intermediate_size=s.shared, num_experts=s.experts,
                                num_experts_per_tok=s.active)
    if s.family == "qwen3_moe":
        return t.Qwen3MoeConfig(**common, intermediate_size=6144, moe_intermediate_size=s.ffn, num_experts=s.experts,
                                num_experts_per_tok=s.active)
    if s.family == "falcon":  # one key and value head, attention and MLP side by side
        return t.FalconConfig(num_hidden_layers=s.layers, hidden_size=s.hidden, num_attention_heads=s.heads,
                              vocab_size=s.vocab, multi_query=True, parallel_attn=True, bias=False, alibi=False,
                              new_decoder_architecture=False, max_position_embeddings=max(2048, longest))
    common["intermediate_size"] = s.ffn
    if s.family in ("olmoe", "granitemoe"):
        kind = t.OlmoeConfig if s.family == "olmoe" else t.GraniteMoeConfig
        names = {"num_experts": s.experts} if s.family == "olmoe" else {"num_local_experts": s.experts}
        return kind(**common, num_experts_per_tok=s.active, **names)
    if s.family == "gpt_neox":
        common.pop("num_key_value_heads")
        return t.GPTNeoXConfig(**common)
    if s.family == "stablelm":
        return t.StableLmConfig(**common, partial_rotary_factor=0.25)
    if s.family == "phi":
        return t.PhiConfig(**common, partial_rotary_factor=32 * s.heads / s.hidden)
    if s.family in ("olmo2", "smollm3", "granite", "gemma2"):
        return {"olmo2": t.Olmo2Config, "smollm3": t.SmolLM3Config, "granite": t.GraniteConfig,
                "gemma2": t.Gemma2Config}[s.family](**common)
    if s.family == "phi3":
        return t.Phi3Config(**common, pad_token_id=0)
    if s.family == "mistral":
        return t.MistralConfig(**common, sliding_window=None)
    if s.family == "glm":
        return t.GlmConfig(**common, partial_rotary_factor=0.5, attention_bias=True, pad_token_id=0)
    if s.family in ("starcoder2", "gemma3_text"):
        return {"starcoder2": t.Starcoder2Config, "gemma3_text": t.Gemma3TextConfig}[s.family](**common)
    return {"llama": t.LlamaConfig, "qwen2": getattr(t, "Qwen2Config", None), "qwen3": getattr(t, "Qwen3Config", None),
            "gemma": getattr(t, "GemmaConfig", None)}[s.family](**common)


def build_model(name, dtype, attn="sdpa", head="lm", longest=0):
    """The model on the device with random weights (initialized there: seconds for 13B)."""
    import transformers as t
    config = make_config(name, longest, 2 if head == "cls" else 0)
    auto = {"lm": t.AutoModelForCausalLM, "mlm": t.AutoModelForMaskedLM,
            "cls": t.AutoModelForSequenceClassification}[head]
    kind = {"fp32": torch.float32, "bf16": torch.bfloat16}[dtype]
    model, last = None, None
    for how in ("dtype", "torch_dtype", "default"):
        previous = torch.get_default_dtype()
        try:
            place = torch.device(DEVICE) if CUDA else contextlib.nullcontext()
            with place:
                if how == "default":
                    config._attn_implementation = attn  # pylint: disable=protected-access
                    torch.set_default_dtype(kind)
                    model = auto.from_config(config)
                else:
                    model = auto.from_config(config, attn_implementation=attn, **{how: kind})
            break
        except TypeError as error:
            last = error
        finally:
            torch.set_default_dtype(previous)
    if model is None:
        raise last
    model.to(DEVICE)
    used = {p.dtype for p in model.parameters()}
    if used != {kind}:
        print(f"note: {name} was built as {used}, converted to {kind}", flush=True)
        for p in model.parameters():
            p.data = p.data.to(kind)
    got = getattr(model.config, "_attn_implementation", "?")
    if got != attn:
        print(f"note: {name} has {got} attention instead of {attn}", flush=True)
    return model


class Cache:
    """The model built last: kept as long as the next configuration has the same one."""

    def __init__(self):
        self.key = self.model = None
        self.params = 0
        self.build_s = 0.0

    def get(self, name, dtype, attn, head, longest):
        key = (name, dtype, attn, head, max(longest, 8192) if SHAPES[name].gated else max(longest, 1024))
        if key != self.key or self.model is not None:  # a model that was prepared once gets no autocast again
            self.drop()
            t0 = time.perf_counter()
            self.model = build_model(name, dtype, attn, head, longest)
            sync()
            self.build_s = time.perf_counter() - t0
            self.params = sum(p.numel() for p in self.model.parameters())
            self.key = key
        for p in self.model.parameters():
            p.requires_grad_(True)
            p.grad = None
        clean(self.model)
        return self.model

    def drop(self):
        self.key = self.model = None
        free_memory()


def clean(model):
    """Takes off what the Trainer put on a model: its autocast wrapper, recomputation, gradients."""
    for m in (model, getattr(model, "base_model", None)):
        if m is not None:
            for attribute in ("forward", "_original_forward"):
                m.__dict__.pop(attribute, None)
    with contextlib.suppress(Exception):
        if getattr(model, "is_gradient_checkpointing", False):
            model.gradient_checkpointing_disable()
    with contextlib.suppress(Exception):
        model.disable_input_require_grads()
    for p in model.parameters():
        p.grad = None
    model.train()


TARGETS = {"q,v": ["q_proj", "v_proj"], "all-linear": "all-linear"}


def add_lora(model, rank, targets, dropout=0.0, dora=False):
    import peft
    which = TARGETS[targets]
    if targets == "q,v" and getattr(model.config, "model_type", "") == "gpt2":
        which = ["c_attn"]
    if targets == "q,v" and getattr(model.config, "model_type", "") in ("bert", "roberta"):
        which = ["query", "value"]
    if targets == "q,v" and getattr(model.config, "model_type", "") in ("gpt_neox", "phi3", "bloom", "falcon"):
        which = ["query_key_value", "qkv_proj"]
    config = peft.LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=which, lora_dropout=dropout,
                             use_dora=dora, task_type="CAUSAL_LM")
    return peft.get_peft_model(model, config)


def freeze_all_but_last(model, count):
    """Trains the last so many layers, without the embedding and the head."""
    model.requires_grad_(False)
    for layer in model.model.layers[-count:]:
        layer.requires_grad_(True)


def remove_lora(wrapped, cache):
    """Gives the cache its plain model back; where that fails the model is built anew next time."""
    try:
        base = wrapped.unload()
        if any("lora_" in n for n, _ in base.named_parameters()):
            raise RuntimeError("adapters left")
        for attribute in ("peft_config", "_hf_peft_config_loaded"):
            base.__dict__.pop(attribute, None)
        cache.model = base
    except Exception as error:  # pylint: disable=broad-except
        print("note: adapters could not be taken off:", repr(error)[:200], flush=True)
        cache.drop()


# ------------------------------------------------------------------------------------------------------------ data
class Tokens(Dataset):
    """Random token ids as a tokenized dataset gives them: input_ids, attention_mask, labels. padded: half of the
    samples are padded on the right to between a quarter and the whole of the length."""

    def __init__(self, vocab, seq, head="lm", padded=False, count=65536):
        g = torch.Generator().manual_seed(1)
        pool = 64
        self.count, self.pool = count, pool
        self.ids = torch.randint(10 if vocab > 100 else 0, vocab, (pool, seq), generator=g)
        self.mask = torch.ones(pool, seq, dtype=torch.long)
        if head == "cls":
            self.labels = torch.randint(0, 2, (pool,), generator=g)
        else:
            self.labels = self.ids.clone()
            if head == "mlm":
                self.labels[torch.rand(pool, seq, generator=g) > 0.15] = -100
        if padded:
            for i in range(0, pool, 2):
                length = int(torch.randint(max(seq // 4, 1), seq, (1,), generator=g))
                self.mask[i, length:] = 0
                if head != "cls":
                    self.labels[i, length:] = -100

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        i = int(i) % self.pool
        return {"input_ids": self.ids[i], "attention_mask": self.mask[i], "labels": self.labels[i]}


# ----------------------------------------------------------------------------------------------------------- clock
class Meter:
    """Times steps: tick() after each complete step, True when enough were seen. Two or three steps of warm-up, then
    windows of steps with the device synchronized at their edges only; the median window counts."""

    def __init__(self, seconds=1.5, least=4, most=200, deadline=None, fixed=None):
        self.seconds, self.least, self.most = seconds, least, most
        self.deadline, self.fixed = deadline or float("inf"), fixed
        self.n, self.windows, self.timed, self.watts = 0, [], 0, 0.0
        self.last = time.perf_counter()
        self.warm, self.started = 3, False
        self.warm_times = []

    def tick(self):
        self.n += 1
        if self.fixed is not None:
            if self.n >= self.fixed:
                sync()
                self.windows.append(time.perf_counter() - self.last)
                return True
            sync()
            self.last = time.perf_counter()
            return False
        if not self.started:
            sync()
            now = time.perf_counter()
            step, self.last = now - self.last, now
            self.warm_times.append(step)
            if self.n >= 2 and step > 0.7:
                self.warm = self.n
            if self.n >= self.warm:
                self.started = True
                self.part = max(1, min(10, int(0.25 / max(step, 1e-4))))
                if step > 1.0:
                    self.least = 3
                reset_peak()
                POWER.start()
                self.first = self.last = time.perf_counter()
                self.inside = 0
            return time.time() > self.deadline and self.n > 2
        self.inside += 1
        self.timed += 1
        if self.inside >= self.part:
            sync()
            now = time.perf_counter()
            self.windows.append((now - self.last) / self.inside)
            self.last, self.inside = now, 0
            if self.timed >= self.least and (now - self.first >= self.seconds or self.timed >= self.most):
                return True
        return time.time() > self.deadline and len(self.windows) >= 2

    def close(self):
        if self.started:
            self.watts = POWER.stop()
            self.started = False

    def result(self):
        self.close()
        if not self.windows:
            raise RuntimeError(f"no steady step was seen in {self.n} steps")
        return {"step_s": statistics.median(self.windows), "low": min(self.windows), "high": max(self.windows),
                "steps": self.timed or self.n, "watts": self.watts, "warm": list(self.warm_times), **peaks()}


OUTPUT_DIR = tempfile.mkdtemp(prefix="hf-out-")


def training_arguments(**wanted):
    """TrainingArguments with those of the wanted settings that this version knows."""
    import transformers as t
    known = {f.name for f in dataclasses.fields(t.TrainingArguments)}
    dropped = [k for k in wanted if k not in known]
    if dropped:
        print("note: TrainingArguments does not know", dropped, flush=True)
    return t.TrainingArguments(**{k: v for k, v in wanted.items() if k in known})


def run_trainer(model, data, batch, accum=1, recompute=False, optim="", meter=None, callbacks=()):
    """Trains with transformers.Trainer until the meter has enough; its result and the optimizer's name."""
    import transformers as t

    class Ticker(t.TrainerCallback):
        def on_train_begin(self, args, state, control, **_):
            meter.last = time.perf_counter()

        def on_step_end(self, args, state, control, **_):
            if meter.tick():
                control.should_training_stop = True
            return control

    wanted = {"output_dir": OUTPUT_DIR, "per_device_train_batch_size": batch, "gradient_accumulation_steps": accum,
              "bf16": True, "max_steps": 5000, "logging_strategy": "no", "save_strategy": "no", "report_to": "none",
              "disable_tqdm": True, "learning_rate": 1e-5, "remove_unused_columns": False, "log_level": "error"}
    if recompute:
        wanted.update(gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": False})
    if optim:
        wanted["optim"] = optim
    if not CUDA:
        wanted["use_cpu"] = True
    args = training_arguments(**wanted)
    if not CUDA and CAP is not None:  # the dry run's stand-in for memory
        need = (batch * data.ids.shape[1] * 40_000_000 + 2_000_000_000) * (0.5 if recompute else 1.0)
        if need > CAP:
            raise RuntimeError("CUDA out of memory (dry run)")
    trainer = None
    try:
        trainer = t.Trainer(model=model, args=args, train_dataset=data, callbacks=[Ticker(), *callbacks])
        with contextlib.suppress(Exception):
            trainer.remove_callback(t.PrinterCallback)
        trainer.train()
        result = meter.result()
        result["optim"] = str(getattr(args.optim, "value", args.optim))
        return result
    finally:
        meter.close()
        if trainer is not None:
            with contextlib.suppress(Exception):
                trainer.accelerator.free_memory()
            for attribute in ("optimizer", "lr_scheduler", "model", "model_wrapped", "callback_handler", "accelerator",
                              "train_dataset"):
                with contextlib.suppress(Exception):
                    setattr(trainer, attribute, None)
        del trainer
        for p in model.parameters():
            p.grad = None
        gc.collect()
