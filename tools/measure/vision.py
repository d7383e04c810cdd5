"""Training steps of image models (torchvision, channels last) and LSTMs on one device.

    python3 vision.py OUTPUT.csv [check|more] [seconds per row]"""
import sys
import time

import torch
import torch.nn.functional as F
import torchvision
from torch import nn

from common import Table, free_memory, measure_steps

COLUMNS = ("id,source,model,params_m,resolution_or_steps,gpu,gpu_count,micro_batch,precision,optimizer,framework,"
           "step_time_s,samples_per_s,mem_gb_per_gpu,mem_kind,mean_board_w,quality,notes").split(",")

# model, resolution or steps, batch, precision, optimizer
CHECK = [  # rows of an earlier series, to compare with
    ("resnet50", 224, 128, "amp_bf16", "adamw"), ("resnet18", 224, 64, "amp_bf16", "adamw"),
    ("efficientnet_b0", 224, 512, "amp_bf16", "adamw"), ("convnext_tiny", 224, 128, "tf32", "adamw"),
    ("vit_b_16", 224, 128, "amp_bf16", "adamw"), ("lstm-h512-l2", 200, 128, "tf32", "adamw"),
]
MORE = [
    ("resnet18", 224, 16, "amp_bf16", "adamw"), ("resnet18", 32, 128, "amp_bf16", "sgd"),
    ("resnet34", 224, 256, "amp_bf16", "adamw"), ("resnet50", 224, 32, "amp_bf16", "sgd"),
    ("resnet50", 224, 256, "tf32", "adamw"), ("resnet50", 224, 64, "fp32", "adamw"),
    ("resnet101", 224, 128, "amp_bf16", "adamw"), ("wide_resnet50_2", 224, 128, "amp_bf16", "adamw"),
    ("vgg16", 224, 128, "amp_bf16", "adamw"), ("vgg16", 224, 64, "tf32", "sgd"),
    ("densenet121", 224, 128, "amp_bf16", "adamw"), ("mobilenet_v2", 224, 256, "amp_bf16", "adamw"),
    ("mobilenet_v3_large", 224, 128, "amp_bf16", "adamw"), ("mobilenet_v3_large", 224, 512, "tf32", "adamw"),
    ("efficientnet_b1", 240, 128, "amp_bf16", "adamw"), ("efficientnet_b4", 380, 64, "amp_bf16", "adamw"),
    ("convnext_small", 224, 128, "amp_bf16", "adamw"), ("convnext_base", 224, 64, "amp_bf16", "adamw"),
    ("swin_s", 224, 128, "amp_bf16", "adamw"), ("swin_b", 224, 64, "tf32", "adamw"),
    ("vit_b_32", 224, 256, "amp_bf16", "adamw"), ("vit_l_16", 224, 64, "amp_bf16", "adamw"),
    ("regnet_y_8gf", 224, 128, "amp_bf16", "adamw"),
    ("lstm-h64-l1", 30, 32, "tf32", "adamw"), ("lstm-h256-l2", 100, 64, "tf32", "adamw"),
    ("lstm-h256-l2", 100, 1024, "amp_bf16", "adamw"), ("lstm-h512-l2", 200, 128, "amp_bf16", "adamw"),
    ("lstm-h1024-l1", 500, 32, "fp32", "adamw"), ("lstm-h2048-l2", 100, 128, "tf32", "adamw"),
]


class Recurrent(nn.Module):
    """An LSTM over series of five values with a linear head on the last step."""

    def __init__(self, hidden, layers):
        super().__init__()
        self.lstm = nn.LSTM(5, hidden, layers, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.head(self.lstm(x)[0][:, -1])


def make_step(name, size, batch, precision, optimizer):
    torch.set_float32_matmul_precision("highest" if precision == "fp32" else "high")
    torch.backends.cudnn.allow_tf32 = precision != "fp32"
    if name.startswith("lstm"):
        _, hidden, layers = name.split("-")
        model = Recurrent(int(hidden[1:]), int(layers[1:])).cuda()
        x = torch.randn(batch, size, 5, device="cuda")
        y = torch.randn(batch, 1, device="cuda")
        loss_of = F.mse_loss
    else:
        model = getattr(torchvision.models, name)(weights=None).cuda().to(memory_format=torch.channels_last)
        x = torch.randn(batch, 3, size, size, device="cuda").to(memory_format=torch.channels_last)
        y = torch.randint(0, 1000, (batch,), device="cuda")
        loss_of = F.cross_entropy
    model.train()
    params = sum(p.numel() for p in model.parameters())
    if optimizer == "sgd":
        opt = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    else:
        opt = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

    def step():
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=precision == "amp_bf16"):
            out = model(x)
            loss = loss_of(out.float(), y)
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)

    return params, step


def main():
    table = Table(sys.argv[1], COLUMNS)
    configs = CHECK if len(sys.argv) > 2 and sys.argv[2] == "check" else MORE
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 1.5
    for name, size, batch, precision, optimizer in configs:
        step = None
        t0 = time.perf_counter()
        try:
            params, step = make_step(name, size, batch, precision, optimizer)
            m = measure_steps(step, seconds)
        except Exception as error:  # pylint: disable=broad-except
            print("failed", name, repr(error)[:300], flush=True)
            del error
            step = None
            free_memory()
            continue
        table.add(id=f"sv{table.rows:03d}", source="measured on one H200, torch 2.11, second series", model=name,
                  params_m=f"{params / 1e6:.3f}", resolution_or_steps=size, gpu="H200-SXM-141GB", gpu_count=1,
                  micro_batch=batch, precision=precision, optimizer=optimizer, framework="pytorch-eager",
                  step_time_s=f"{m['step_s']:.6f}", samples_per_s=f"{batch / m['step_s']:.1f}",
                  mem_gb_per_gpu=f"{m['allocated']:.3f}", mem_kind="allocated", mean_board_w=f"{m['watts']:.0f}",
                  quality="A",
                  notes=f"{'momentum SGD' if optimizer == 'sgd' else 'fused AdamW'}; cudnn.benchmark off; "
                        f"reserved {m['reserved']:.2f} GB, device total {m['device']:.2f} GB")
        print(f"{name} {size} b{batch} {precision} {optimizer}: {m['step_s'] * 1e3:.3f} ms {m['allocated']:.3f} GB "
              f"{m['watts']:.0f} W took {time.perf_counter() - t0:.1f} s", flush=True)
        step = None
        free_memory()


if __name__ == "__main__":
    main()
