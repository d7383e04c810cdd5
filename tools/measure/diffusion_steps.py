"""Training steps and passes of diffusion models and of what stands around them, on one device.

    python3 diffusion_steps.py OUTPUT.csv [seconds] [tiny]

The models are built from their published shapes with random weights, operation for operation as diffusers builds
them: the UNets of SD 1.5 and SDXL, the transformer of FLUX.1, the encoder and decoder of the pictures' latents; text
encoders are transformers' own. Rows are written one at a time, and no configuration is begun after the given seconds.
"tiny" is a dry run that needs no GPU."""
import contextlib
import io
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

from common import POWER, Table, free_memory, measure_steps

CUDA = torch.cuda.is_available()
DEVICE = "cuda" if CUDA else "cpu"
COLUMNS = ("id,source,model,part,params_m,resolution,gpu,gpu_count,micro_batch,precision,method,lora_rank,"
           "activation_checkpointing,layout,optimizer,framework,step_time_s,mem_gb_per_gpu,mem_kind,mean_board_w,"
           "quality,notes").split(",")
SOURCE = "measured on one H200, torch 2.11, diffusion series"


# ----------------------------------------------------------------------------------------------------------- parts
def attend(q, k, v, heads):
    """Scaled dot products over heads; (batch, rows, width) in and out."""
    b, rows, width = q.shape
    q, k, v = (x.view(b, -1, heads, width // heads).transpose(1, 2) for x in (q, k, v))
    if hasattr(F, "scaled_dot_product_attention"):
        out = F.scaled_dot_product_attention(q, k, v)
    else:
        out = (q @ k.transpose(-1, -2) / (width // heads) ** 0.5).softmax(-1) @ v
    return out.transpose(1, 2).reshape(b, rows, width)


class Attention(nn.Module):
    def __init__(self, width, context, heads):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(width, width, bias=False)
        self.to_k = nn.Linear(context, width, bias=False)
        self.to_v = nn.Linear(context, width, bias=False)
        self.to_out = nn.Linear(width, width)

    def forward(self, x, context):
        return self.to_out(attend(self.to_q(x), self.to_k(context), self.to_v(context), self.heads))


class Block(nn.Module):
    """Attention over the picture, over the text, and a gated feed-forward layer."""

    def __init__(self, width, context, heads):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(width) for _ in range(3))
        self.attn1, self.attn2 = Attention(width, width, heads), Attention(width, context, heads)
        self.inner, self.outer = nn.Linear(width, 8 * width), nn.Linear(4 * width, width)

    def forward(self, x, text):
        n = self.norm1(x)
        x = self.attn1(n, n) + x
        x = self.attn2(self.norm2(x), text) + x
        h, gate = self.inner(self.norm3(x)).chunk(2, dim=-1)
        return self.outer(h * F.gelu(gate)) + x


class Picture(nn.Module):
    """A transformer over the pixels of one level."""

    def __init__(self, width, depth, context, heads):
        super().__init__()
        self.norm = nn.GroupNorm(32, width, eps=1e-6)
        self.inside, self.outside = nn.Linear(width, width), nn.Linear(width, width)
        self.blocks = nn.ModuleList(Block(width, context, heads) for _ in range(depth))
        self.recompute = False

    def forward(self, x, text):
        b, c, h, w = x.shape
        y = self.inside(self.norm(x).permute(0, 2, 3, 1).reshape(b, h * w, c))
        for block in self.blocks:
            y = checkpoint(block, y, text, use_reentrant=False) if self.recompute else block(y, text)
        return self.outside(y).reshape(b, h, w, c).permute(0, 3, 1, 2).contiguous() + x


class Residual(nn.Module):
    def __init__(self, inside, outside, time_width, eps=1e-5):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(32, inside, eps=eps), nn.GroupNorm(32, outside, eps=eps)
        self.conv1, self.conv2 = nn.Conv2d(inside, outside, 3, padding=1), nn.Conv2d(outside, outside, 3, padding=1)
        self.time = nn.Linear(time_width, outside) if time_width else None
        self.shortcut = nn.Conv2d(inside, outside, 1) if inside != outside else None
        self.recompute = False

    def body(self, x, t):
        h = self.conv1(F.silu(self.norm1(x)))
        if self.time is not None:
            h = h + self.time(F.silu(t))[:, :, None, None]
        h = self.conv2(F.silu(self.norm2(h)))
        return (self.shortcut(x) if self.shortcut is not None else x) + h

    def forward(self, x, t=None):
        return checkpoint(self.body, x, t, use_reentrant=False) if self.recompute else self.body(x, t)


def apply_part(part, x, t, text):
    if isinstance(part, nn.Conv2d):
        return part(x)
    return part(x, t if isinstance(part, Residual) else text)


class UNet(nn.Module):
    def __init__(self, widths, depths, middle, context, heads_of, added=0):
        super().__init__()
        time_width = 4 * widths[0]
        self.first = widths[0]
        self.time, self.added = (
            nn.Sequential(nn.Linear(n, time_width), nn.SiLU(), nn.Linear(time_width, time_width)) if n else None
            for n in (widths[0], added))
        self.enter = nn.Conv2d(4, widths[0], 3, padding=1)
        self.down, skips, inside = nn.ModuleList(), [widths[0]], widths[0]
        for i, (width, depth) in enumerate(zip(widths, depths)):
            for _ in range(2):
                self.down.append(nn.ModuleList([Residual(inside, width, time_width)] + (
                    [Picture(width, depth, context, heads_of(width))] if depth else [])))
                inside = width
                skips.append(width)
            if i + 1 < len(widths):
                self.down.append(nn.ModuleList([nn.Conv2d(width, width, 3, stride=2, padding=1)]))
                skips.append(width)
        self.middle = nn.ModuleList([Residual(inside, inside, time_width),
                                     Picture(inside, middle, context, heads_of(inside)),
                                     Residual(inside, inside, time_width)])
        self.up = nn.ModuleList()
        for i, (width, depth) in reversed(list(enumerate(zip(widths, depths)))):
            for j in range(3):
                parts = [Residual(inside + skips.pop(), width, time_width)]
                if depth:
                    parts.append(Picture(width, depth, context, heads_of(width)))
                if j == 2 and i > 0:
                    parts.append(nn.Conv2d(width, width, 3, padding=1))
                self.up.append(nn.ModuleList(parts))
                inside = width
        self.norm, self.leave = nn.GroupNorm(32, inside), nn.Conv2d(inside, 4, 3, padding=1)

    def forward(self, x, time_, text, added=None):
        half = self.first // 2
        rates = torch.exp(-torch.arange(half, device=x.device) * (9.21 / half))
        angles = time_[:, None].float() * rates[None]
        t = self.time(torch.cat([angles.cos(), angles.sin()], -1).to(x.dtype))
        if self.added is not None:
            t = t + self.added(added)
        x = self.enter(x)
        skips = [x]
        for parts in self.down:
            for part in parts:
                x = apply_part(part, x, t, text)
            skips.append(x)
        x = self.middle[2](self.middle[1](self.middle[0](x, t), text), t)
        for parts in self.up:
            x = torch.cat([x, skips.pop()], 1)
            for part in parts:
                if isinstance(part, nn.Conv2d):
                    x = F.interpolate(x, scale_factor=2.0, mode="nearest")
                x = apply_part(part, x, t, text)
        return self.leave(F.silu(self.norm(x)))


class RMS(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
        return wide.to(self.weight.dtype) * self.weight


def rotate(x, cos, sin):
    """Rotation as diffusers does it: in fp32, pairs next to each other."""
    real, imaginary = x.reshape(*x.shape[:-1], -1, 2).unbind(-1)
    turned = torch.stack([-imaginary, real], dim=-1).flatten(3)
    return (x.float() * cos + turned.float() * sin).to(x.dtype)


class Stream(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.change = nn.Linear(width, 6 * width)
        self.to_q, self.to_k, self.to_v, self.to_out = (nn.Linear(width, width) for _ in range(4))
        self.norm_q, self.norm_k = RMS(width // heads), RMS(width // heads)
        self.inner, self.outer = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def qkv(self, x, t):
        self.values = self.change(F.silu(t)).chunk(6, dim=-1)
        shift, scale = self.values[0], self.values[1]
        n = F.layer_norm(x, x.shape[-1:], eps=1e-6) * (1 + scale[:, None]) + shift[:, None]
        b, rows, width = n.shape
        q, k, v = (p(n).view(b, rows, self.heads, width // self.heads).transpose(1, 2)
                   for p in (self.to_q, self.to_k, self.to_v))
        return self.norm_q(q), self.norm_k(k), v

    def finish(self, x, attended):
        gate, shift, scale, gate2 = self.values[2:]
        x = x + gate[:, None] * self.to_out(attended)
        n = F.layer_norm(x, x.shape[-1:], eps=1e-6) * (1 + scale[:, None]) + shift[:, None]
        return x + gate2[:, None] * self.outer(F.gelu(self.inner(n), approximate="tanh"))


def attend_heads(q, k, v, cos, sin):
    q, k = rotate(q, cos, sin), rotate(k, cos, sin)
    if hasattr(F, "scaled_dot_product_attention"):
        out = F.scaled_dot_product_attention(q, k, v)
    else:
        out = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1) @ v
    return out.transpose(1, 2).flatten(2).to(q.dtype)


class Double(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.picture, self.text = Stream(width, heads), Stream(width, heads)

    def forward(self, x, text, t, cos, sin):
        q, k, v = self.picture.qkv(x, t)
        tq, tk, tv = self.text.qkv(text, t)
        out = attend_heads(torch.cat([tq, q], 2), torch.cat([tk, k], 2), torch.cat([tv, v], 2), cos, sin)
        n = text.shape[1]
        return self.picture.finish(x, out[:, n:]), self.text.finish(text, out[:, :n])


class Single(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.change = nn.Linear(width, 3 * width)
        self.to_q, self.to_k, self.to_v = (nn.Linear(width, width) for _ in range(3))
        self.norm_q, self.norm_k = RMS(width // heads), RMS(width // heads)
        self.inner, self.outer = nn.Linear(width, 4 * width), nn.Linear(5 * width, width)

    def forward(self, x, t, cos, sin):
        shift, scale, gate = self.change(F.silu(t)).chunk(3, dim=-1)
        n = F.layer_norm(x, x.shape[-1:], eps=1e-6) * (1 + scale[:, None]) + shift[:, None]
        b, rows, width = n.shape
        q, k, v = (p(n).view(b, rows, self.heads, width // self.heads).transpose(1, 2)
                   for p in (self.to_q, self.to_k, self.to_v))
        out = attend_heads(self.norm_q(q), self.norm_k(k), v, cos, sin)
        wide = F.gelu(self.inner(n), approximate="tanh")
        return x + gate[:, None] * self.outer(torch.cat([out, wide], 2))


class Flux(nn.Module):
    def __init__(self, width=3072, heads=24, double=19, single=38, text=4096, pooled=768):
        super().__init__()
        self.enter, self.text = nn.Linear(64, width), nn.Linear(text, width)
        self.time = nn.ModuleList(nn.Sequential(nn.Linear(n, width), nn.SiLU(), nn.Linear(width, width))
                                  for n in (256, 256, pooled))
        self.doubles = nn.ModuleList(Double(width, heads) for _ in range(double))
        self.singles = nn.ModuleList(Single(width, heads) for _ in range(single))
        self.change, self.leave = nn.Linear(width, 2 * width), nn.Linear(width, 64)
        self.head = width // heads
        self.recompute = False

    def forward(self, x, time_, text, pooled):
        rows = x.shape[1] + text.shape[1]
        angles = torch.arange(rows, device=x.device).float()[:, None] * torch.ones(self.head, device=x.device) / 1000
        cos, sin = angles.cos(), angles.sin()
        waves = time_[:, None].to(x.dtype) * torch.ones(256, device=x.device, dtype=x.dtype)
        t = self.time[0](waves) + self.time[1](waves) + self.time[2](pooled)
        x, text = self.enter(x), self.text(text)
        for block in self.doubles:
            x, text = (checkpoint(block, x, text, t, cos, sin, use_reentrant=False) if self.recompute
                       else block(x, text, t, cos, sin))
        n = text.shape[1]
        x = torch.cat([text, x], 1)
        for block in self.singles:
            x = checkpoint(block, x, t, cos, sin, use_reentrant=False) if self.recompute else block(x, t, cos, sin)
        shift, scale = self.change(F.silu(t)).chunk(2, dim=-1)
        return self.leave(F.layer_norm(x[:, n:], x.shape[-1:]) * (1 + scale[:, None]) + shift[:, None])


class Latents(nn.Module):
    """The encoder (down) or decoder of the pictures' latents."""

    def __init__(self, down, widths=(128, 256, 512, 512), channels=4):
        super().__init__()
        parts = []
        if down:
            parts.append(nn.Conv2d(3, widths[0], 3, padding=1))
            inside = widths[0]
            for i, width in enumerate(widths):
                for _ in range(2):
                    parts.append(Residual(inside, width, 0, 1e-6))
                    inside = width
                if i + 1 < len(widths):
                    parts.append(nn.Conv2d(width, width, 3, stride=2, padding=1))
            self.body, self.tail = nn.ModuleList(parts), nn.ModuleList()
        else:
            inside = widths[-1]
            self.body = nn.ModuleList([nn.Conv2d(channels, inside, 3, padding=1)])
            for i, width in reversed(list(enumerate(widths))):
                for _ in range(3):
                    parts.append(Residual(inside, width, 0, 1e-6))
                    inside = width
                if i > 0:
                    parts.append(nn.Upsample(scale_factor=2.0))
                    parts.append(nn.Conv2d(width, width, 3, padding=1))
            self.tail = nn.ModuleList(parts)
        self.inside = widths[-1]
        self.before, self.after = (Residual(self.inside, self.inside, 0, 1e-6) for _ in range(2))
        self.group, self.attention = nn.GroupNorm(32, self.inside, eps=1e-6), Attention(self.inside, self.inside, 1)
        last = self.inside if down else widths[0]
        self.norm, self.leave = nn.GroupNorm(32, last), nn.Conv2d(last, 2 * channels if down else 3, 3, padding=1)

    def forward(self, x):
        for part in self.body:
            x = part(x)
        x = self.before(x)
        b, c, h, w = x.shape
        y = self.group(x).flatten(2).transpose(1, 2)
        x = self.attention(y, y).transpose(1, 2).reshape(b, c, h, w) + x
        x = self.after(x)
        for part in self.tail:
            x = part(x)
        return self.leave(F.silu(self.norm(x)))


def add_adapters(model, rank):
    """PEFT's, as diffusers' scripts have them: in fp32 beside a frozen model."""
    import peft
    model.requires_grad_(False)
    peft.inject_adapter_in_model(peft.LoraConfig(r=rank, lora_alpha=rank,
                                                 target_modules=["to_q", "to_k", "to_v", "to_out"]), model)
    trained = [p for p in model.parameters() if p.requires_grad]
    for parameter in trained:
        parameter.data = parameter.data.float()
    return trained


# -------------------------------------------------------------------------------------------------------- the runs
TINY = len(sys.argv) > 3


def build(name, dtype):
    previous = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        with torch.device(DEVICE) if hasattr(torch.device, "__enter__") else contextlib.nullcontext():
            if TINY:
                tiny = Flux(64, 4, 1, 2, 64, 64) if name == "flux.1-dev" else UNet((32, 64), (1, 1), 1, 64, lambda w: 4)
                return tiny.to(DEVICE)
            if name == "sd-1.5":
                return UNet((320, 640, 1280, 1280), (1, 1, 1, 0), 1, 768, lambda w: 8).to(DEVICE)
            if name == "sdxl":
                return UNet((320, 640, 1280), (0, 2, 10), 10, 2048, lambda w: w // 64, 2816).to(DEVICE)
            return Flux().to(DEVICE)
    finally:
        torch.set_default_dtype(previous)


def inputs(name, size, batch, dtype, layout):
    width = 64 if TINY else {"sd-1.5": 768, "sdxl": 2048, "flux.1-dev": 4096}[name]
    make = lambda *shape: torch.randn(*shape, device=DEVICE, dtype=dtype)  # noqa: E731
    when = torch.randint(0, 1000, (batch,), device=DEVICE)
    if name == "flux.1-dev":
        return make(batch, (size // 16) ** 2, 64), when, make(batch, 512, width), make(batch, 64 if TINY else 768)
    x = make(batch, 4, size // 8, size // 8).to(memory_format=layout)
    return (x, when, make(batch, 77, width)) + ((make(batch, 2816),) if name == "sdxl" and not TINY else ())


def unet_step(name, size, batch, method, rank, recompute, last):
    """full: fp32 weights under autocast, AdamW; bf16: weights and states in bf16; lora: a frozen bf16 base; forward: no
    gradients."""
    dtype = torch.float32 if method == "full" else torch.bfloat16 if CUDA else torch.float32
    layout = torch.channels_last if last else torch.contiguous_format
    model = build(name, dtype).to(memory_format=layout)
    params = sum(p.numel() for p in model.parameters())
    for module in model.modules():
        if hasattr(module, "recompute"):
            module.recompute = bool(recompute)
    data = inputs(name, size, batch, dtype, layout)
    if method == "forward":
        model.eval()

        def step():
            with torch.no_grad():
                model(*data)
        return params, step
    trained = add_adapters(model, rank) if method == "lora" else list(model.parameters())
    opt = torch.optim.AdamW(trained, lr=1e-5)
    if recompute:
        data[0].requires_grad_(True)

    def train():
        with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=CUDA and method != "bf16"):
            out = model(*data)
            loss = F.mse_loss(out.float(), data[0].detach().float())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
    return params, train


def latents_step(down, size, batch, dtype, last):
    kind = {"fp32": torch.float32, "bf16": torch.bfloat16 if CUDA else torch.float32}[dtype]
    layout = torch.channels_last if last else torch.contiguous_format
    model = Latents(down, (32, 64) if TINY else (128, 256, 512, 512)).to(DEVICE, kind).to(memory_format=layout)
    shape = (batch, 3, size, size) if down else (batch, 4, size // 8, size // 8)
    x = torch.randn(*shape, device=DEVICE, dtype=kind).to(memory_format=layout)

    def step():
        with torch.no_grad():
            model(x)
    return sum(p.numel() for p in model.parameters()), step


def text_step(name, batch):
    import transformers as t
    kind = torch.bfloat16 if CUDA else torch.float32
    if name == "t5-xxl-encoder":
        config = t.T5Config(vocab_size=32128, d_model=4096, d_kv=64, d_ff=10240, num_layers=24, num_heads=64,
                            feed_forward_proj="gated-gelu")
        build_it, length = lambda: t.T5EncoderModel(config), 512
    else:
        layers, hidden, heads = {"clip-l-text": (12, 768, 12), "clip-bigg-text": (32, 1280, 20)}[name]
        config = t.CLIPTextConfig(hidden_size=hidden, intermediate_size=4 * hidden, num_hidden_layers=layers,
                                  num_attention_heads=heads, projection_dim=hidden)
        build_it, length = lambda: t.CLIPTextModel(config), 77
    with torch.device(DEVICE):
        model = build_it().to(kind).eval()
    ids = torch.randint(10, 30000, (batch, length), device=DEVICE)

    def step():
        with torch.no_grad():
            model(ids)
    return sum(p.numel() for p in model.parameters()), step


def loading_step(size, wanted):
    """One picture on one core: JPEG decoded, resized, cropped, normalized."""
    from PIL import Image
    from torchvision import transforms
    noise = (torch.rand(size // 8, size // 8, 3) * 255).byte().numpy()
    file = io.BytesIO()
    Image.fromarray(noise).resize((size, size), Image.BICUBIC).save(file, "JPEG", quality=90)
    change = transforms.Compose([transforms.Resize(wanted), transforms.CenterCrop(wanted), transforms.ToTensor(),
                                 transforms.Normalize([0.5], [0.5])])

    def step():
        file.seek(0)
        change(Image.open(file).convert("RGB"))
    return 0, step


# part, model, resolution, batch, method, rank, recompute, channels last
RUNS = [
    ("network", "sd-1.5", 512, 1, "lora", 4, 0, 0), ("network", "sd-1.5", 512, 4, "lora", 4, 0, 0),
    ("network", "sdxl", 1024, 1, "lora", 16, 0, 0), ("network", "sdxl", 1024, 4, "lora", 16, 1, 0),
    ("network", "flux.1-dev", 1024, 1, "lora", 16, 1, 0), ("network", "flux.1-dev", 1024, 1, "lora", 16, 0, 0),
    ("network", "sd-1.5", 512, 2, "forward", 0, 0, 0), ("network", "sd-1.5", 512, 16, "forward", 0, 0, 0),
    ("network", "sdxl", 1024, 2, "forward", 0, 0, 0), ("network", "flux.1-dev", 1024, 1, "forward", 0, 0, 0),
    ("network", "sd-1.5", 512, 4, "full", 0, 0, 0), ("network", "sd-1.5", 512, 4, "full", 0, 0, 1),
    ("encode", "sd-vae", 512, 4, "bf16", 0, 0, 0), ("encode", "sd-vae", 1024, 1, "fp32", 0, 0, 0),
    ("encode", "sd-vae", 1024, 4, "bf16", 0, 0, 0), ("encode", "sd-vae", 512, 1, "bf16", 0, 0, 0),
    ("decode", "sd-vae", 512, 1, "bf16", 0, 0, 0), ("decode", "sd-vae", 1024, 1, "bf16", 0, 0, 0),
    ("decode", "sd-vae", 1024, 4, "bf16", 0, 0, 0), ("decode", "sd-vae", 1024, 1, "fp32", 0, 0, 0),
    ("text", "clip-l-text", 77, 1, "", 0, 0, 0), ("text", "clip-l-text", 77, 16, "", 0, 0, 0),
    ("text", "clip-bigg-text", 77, 1, "", 0, 0, 0), ("text", "clip-bigg-text", 77, 16, "", 0, 0, 0),
    ("text", "t5-xxl-encoder", 512, 1, "", 0, 0, 0), ("text", "t5-xxl-encoder", 512, 4, "", 0, 0, 0),
    ("network", "sd-1.5", 512, 16, "lora", 4, 0, 0), ("network", "sd-1.5", 512, 4, "lora", 4, 1, 0),
    ("network", "sd-1.5", 512, 1, "full", 0, 0, 0), ("network", "sd-1.5", 512, 16, "full", 0, 0, 0),
    ("network", "sd-1.5", 512, 16, "full", 0, 1, 0), ("network", "sd-1.5", 512, 16, "lora", 4, 0, 1),
    ("network", "sdxl", 1024, 2, "lora", 16, 0, 0), ("network", "sdxl", 512, 4, "lora", 16, 0, 0),
    ("network", "sdxl", 1024, 1, "full", 0, 1, 0), ("network", "sdxl", 1024, 4, "bf16", 0, 1, 0),
    ("network", "sdxl", 1024, 8, "forward", 0, 0, 0), ("network", "sdxl", 1024, 1, "forward", 0, 0, 0),
    ("network", "flux.1-dev", 512, 4, "lora", 16, 1, 0), ("network", "flux.1-dev", 512, 1, "forward", 0, 0, 0),
    ("network", "flux.1-dev", 1024, 4, "forward", 0, 0, 0), ("network", "sd-1.5", 512, 1, "forward", 0, 0, 0),
    ("network", "sd-1.5", 512, 16, "forward", 0, 0, 1), ("network", "sd-1.5", 256, 16, "lora", 4, 0, 0),
    ("load", "jpeg", 512, 1, "", 1024, 0, 0), ("load", "jpeg", 1024, 1, "", 1536, 0, 0),
]
TINY_RUNS = [
    ("network", "sd-1.5", 64, 1, "lora", 4, 0, 0), ("network", "sdxl", 64, 1, "full", 0, 0, 1),
    ("network", "flux.1-dev", 64, 1, "lora", 4, 0, 0), ("network", "flux.1-dev", 64, 1, "forward", 0, 0, 0),
    ("encode", "sd-vae", 64, 1, "bf16", 0, 0, 0), ("decode", "sd-vae", 64, 1, "fp32", 0, 0, 0),
]


def make_step(part, model, size, batch, method, rank, recompute, last):
    if part == "network":
        return unet_step(model, size, batch, method, rank, recompute, last)
    if part in ("encode", "decode"):
        return latents_step(part == "encode", size, batch, method, last)
    if part == "text":
        return text_step(model, batch)
    return loading_step(rank, size)


def measure(step):
    if CUDA:
        return measure_steps(step, 1.0)
    step()
    t0 = time.perf_counter()
    step()
    return {"step_s": time.perf_counter() - t0, "allocated": 0.0, "reserved": 0.0, "device": 0.0, "watts": 0.0}


def main():
    begin, limit = time.time(), float(sys.argv[2]) if len(sys.argv) > 2 else 300.0
    table = Table(sys.argv[1], COLUMNS)
    for run in TINY_RUNS if TINY else RUNS:
        part, model, size, batch, method, rank, recompute, last = run
        if time.time() - begin > limit - 12:
            print("stopped before", run, flush=True)
            break
        step, t0 = None, time.time()
        try:
            params, step = make_step(*run)
            m = measure(step)
        except Exception as error:  # pylint: disable=broad-except
            print("failed", run, repr(error)[:300], flush=True)
            del error
            if CUDA:
                step = None
                free_memory()
            continue
        precision = {"full": "amp_bf16", "fp32": "fp32"}.get(method, "bf16")
        table.add(id=f"d{table.rows:03d}", source=SOURCE, model=model, part=part, params_m=f"{params / 1e6:.3f}",
                  resolution=size, gpu="H200-SXM-141GB", gpu_count=1, micro_batch=batch, precision=precision,
                  method=method if part == "network" else "forward", lora_rank=rank if method == "lora" else "",
                  activation_checkpointing="full" if recompute else "none",
                  layout="channels last" if last else "NCHW",
                  optimizer="adamw" if method != "forward" and part == "network" else "",
                  framework="pytorch-eager", step_time_s=f"{m['step_s']:.6f}", mem_gb_per_gpu=f"{m['allocated']:.3f}",
                  mem_kind="allocated", mean_board_w=f"{m['watts']:.0f}", quality="A",
                  notes=f"reserved {m['reserved']:.2f} GB, device total {m['device']:.2f} GB"
                        + (f"; from {rank} pixels on one core" if part == "load" else ""))
        print(f"{part} {model} {size} b{batch} {method} r{rank}{' recompute' if recompute else ''}"
              f"{' channels last' if last else ''}: {params / 1e6:.1f} M, {m['step_s'] * 1e3:.3f} ms, "
              f"{m['allocated']:.3f} GB, {m['watts']:.0f} W, took {time.time() - t0:.1f} s", flush=True)
        step = None
        if CUDA:
            free_memory()
    print(f"done: {table.rows} rows in {time.time() - begin:.0f} s, power meter {'yes' if POWER.nvml else 'no'}", flush=True)


if __name__ == "__main__":
    main()
