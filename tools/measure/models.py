"""A plain transformer in two styles: LayerNorm, biases, learned positions and a GELU FFN (as GPT-2 and BERT),
or RMSNorm, rotary positions and a gated FFN (as Llama)."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


@dataclass
class Shape:
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    ffn: int
    vocab: int
    gated: bool = True
    tied: bool = False
    causal: bool = True

    @property
    def head_dim(self):
        return self.hidden // self.heads


def _gelu(layers, hidden, heads, vocab, tied=True, causal=True, ffn=None):
    return Shape(layers, hidden, heads, heads, ffn or 4 * hidden, vocab, False, tied, causal)


MODELS = {
    "nanogpt-char": _gelu(6, 384, 6, 65),
    "gelu-4x256": _gelu(4, 256, 4, 10000),
    "gelu-6x512": _gelu(6, 512, 8, 32000),
    "gpt2-124m": _gelu(12, 768, 12, 50304),
    "gpt2-350m": _gelu(24, 1024, 16, 50304),
    "gpt2-760m": _gelu(24, 1536, 16, 50304),
    "gpt2-1.5b": _gelu(48, 1600, 25, 50304),
    "bert-base": _gelu(12, 768, 12, 30522, causal=False),
    "bert-large": _gelu(24, 1024, 16, 30522, causal=False),
    "pythia-410m": _gelu(24, 1024, 16, 50304, tied=False),
    "pythia-1b": _gelu(16, 2048, 8, 50304, tied=False),
    "pythia-2.8b": _gelu(32, 2560, 32, 50304, tied=False),
    "opt-1.3b": _gelu(24, 2048, 32, 50272),
    "phi-2": _gelu(32, 2560, 32, 51200, tied=False),
    "smollm-135m": Shape(30, 576, 9, 3, 1536, 49152, tied=True),
    "tinyllama-1.1b": Shape(22, 2048, 32, 4, 5632, 32000),
    "qwen2.5-0.5b": Shape(24, 896, 14, 2, 4864, 151936, tied=True),
    "qwen2.5-1.5b": Shape(28, 1536, 12, 2, 8960, 151936, tied=True),
    "qwen2.5-3b": Shape(36, 2048, 16, 2, 11008, 151936, tied=True),
    "gemma-2b": Shape(18, 2048, 8, 1, 16384, 256000, tied=True),
    "llama3.2-1b": Shape(16, 2048, 32, 8, 8192, 128256, tied=True),
    "llama3.2-3b": Shape(28, 3072, 24, 8, 8192, 128256, tied=True),
    "llama2-7b": Shape(32, 4096, 32, 32, 11008, 32000),
    "mistral-7b": Shape(32, 4096, 32, 8, 14336, 32000),
    "llama3-8b": Shape(32, 4096, 32, 8, 14336, 128256),
    "llama2-13b": Shape(40, 5120, 40, 40, 13824, 32000),
    "qwen2.5-14b": Shape(48, 5120, 40, 8, 13824, 152064),
}


def rotate(x, table):
    """Rotary positions: x is [batch, heads, length, head_dim], the table cosines and sines [length, head_dim / 2]."""
    cos, sin = table
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((x1 * cos - x2 * sin, x1 * sin + x2 * cos), dim=-1)


def rope_table(length, head_dim, device="cuda"):
    inv = 10000.0 ** (-torch.arange(0, head_dim, 2, device=device, dtype=torch.float32) / head_dim)
    angle = torch.arange(length, device=device, dtype=torch.float32)[:, None] * inv[None, :]
    return torch.stack((angle.cos(), angle.sin()))


class Lora(nn.Module):
    """A frozen linear layer with a trainable fp32 pair of rank r beside it."""

    def __init__(self, base, rank, device="cuda"):
        super().__init__()
        self.base = base
        self.a = nn.Linear(base.in_features, rank, bias=False, device=device, dtype=torch.float32)
        self.b = nn.Linear(rank, base.out_features, bias=False, device=device, dtype=torch.float32)

    def forward(self, x):
        return self.base(x) + self.b(self.a(x)) * 2.0


class LoraPart(nn.Module):
    """The same, on some parts of a fused projection whose parts have the given sizes."""

    def __init__(self, base, rank, sizes, on, device="cuda"):
        super().__init__()
        self.base, self.sizes = base, sizes
        self.a = nn.ModuleDict({str(i): nn.Linear(base.in_features, rank, bias=False, device=device,
                                                  dtype=torch.float32) for i in on})
        self.b = nn.ModuleDict({str(i): nn.Linear(rank, sizes[i], bias=False, device=device,
                                                  dtype=torch.float32) for i in on})

    def forward(self, x):
        parts = list(self.base(x).split(self.sizes, dim=-1))
        for i in self.a:
            parts[int(i)] = parts[int(i)] + self.b[i](self.a[i](x)) * 2.0
        return torch.cat(parts, dim=-1)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        bias = not c.gated
        norm = nn.RMSNorm if c.gated else nn.LayerNorm
        d = c.head_dim
        self.norm1 = norm(c.hidden)
        self.q = nn.Linear(c.hidden, c.heads * d, bias=bias)
        self.kv = nn.Linear(c.hidden, 2 * c.kv_heads * d, bias=bias)
        self.proj = nn.Linear(c.heads * d, c.hidden, bias=bias)
        self.norm2 = norm(c.hidden)
        if c.gated:
            self.gate = nn.Linear(c.hidden, c.ffn, bias=False)
        self.up = nn.Linear(c.hidden, c.ffn, bias=bias)
        self.down = nn.Linear(c.ffn, c.hidden, bias=bias)

    def heads(self, x, table):
        """Queries, keys and values as [batch, heads, length, head_dim], rotated where the style is so."""
        c = self.c
        b, s, _ = x.shape
        h = self.norm1(x)
        q = self.q(h).view(b, s, c.heads, c.head_dim).transpose(1, 2)
        k, v = self.kv(h).view(b, s, 2 * c.kv_heads, c.head_dim).transpose(1, 2).chunk(2, dim=1)
        if table is not None:
            q, k = rotate(q, table), rotate(k, table)
        return q, k, v

    def rest(self, x, y):
        """What follows the attention y."""
        x = x + self.proj(y.transpose(1, 2).reshape(x.shape[0], x.shape[1], -1))
        h = self.norm2(x)
        h = F.silu(self.gate(h)) * self.up(h) if self.c.gated else F.gelu(self.up(h))
        return x + self.down(h)

    def forward(self, x, table):
        c = self.c
        q, k, v = self.heads(x, table)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=c.causal, enable_gqa=c.heads != c.kv_heads)
        return self.rest(x, y)


class Transformer(nn.Module):
    """forward gives the loss; the logits are upcast to fp32 for it."""

    def __init__(self, c, length, recompute=False):
        super().__init__()
        self.c, self.recompute = c, recompute
        self.embed = nn.Embedding(c.vocab, c.hidden)
        self.position = None if c.gated else nn.Embedding(length, c.hidden)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.norm = (nn.RMSNorm if c.gated else nn.LayerNorm)(c.hidden)
        self.head = nn.Linear(c.hidden, c.vocab, bias=False)
        if c.tied:
            self.head.weight = self.embed.weight
        for p in self.parameters():
            if p.ndim == 2:
                nn.init.normal_(p, 0.0, 0.02)
        self.register_buffer("table", rope_table(length, c.head_dim) if c.gated else None, persistent=False)

    def forward(self, tokens, targets):
        x = self.embed(tokens)
        if self.position is not None:
            x = x + self.position.weight[: tokens.shape[1]]
        amp = torch.is_autocast_enabled("cuda")
        table = None if self.table is None else self.table.to(torch.get_autocast_dtype("cuda") if amp else x.dtype)
        for block in self.blocks:
            x = checkpoint(block, x, table, use_reentrant=False) if self.recompute else block(x, table)
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits.float().view(-1, self.c.vocab), targets.view(-1))


def build(c, length, dtype, recompute=False):
    default = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        with torch.device("cuda"):
            return Transformer(c, length, recompute)
    finally:
        torch.set_default_dtype(default)


def add_lora(model, rank, targets):
    """Freezes the model and adds trainable pairs to all linear layers of the blocks, or to queries and values."""
    for p in model.parameters():
        p.requires_grad_(False)
    for block in model.blocks:
        if targets == "q,v":
            width = block.c.kv_heads * block.c.head_dim
            block.q = Lora(block.q, rank)
            block.kv = LoraPart(block.kv, rank, [width, width], (1,))
        else:
            for name in ("q", "kv", "proj", "gate", "up", "down"):
                if hasattr(block, name):
                    setattr(block, name, Lora(getattr(block, name), rank))
