"""Where the time of complete training steps of torchvision models goes: python3 image_profile.py OUTPUT.json

For each setting: seconds of a step, microseconds in which the device works, and the kernels that take them."""
import json
import sys
import time

import torch
import torch.nn.functional as F
import torchvision

SETTINGS = [("resnet50", 128, "amp_bf16"), ("resnet50", 128, "tf32"), ("efficientnet_b0", 512, "amp_bf16"),
            ("convnext_tiny", 128, "tf32"), ("convnext_tiny", 128, "amp_bf16"), ("swin_t", 128, "tf32"),
            ("swin_t", 128, "amp_bf16"), ("vit_b_16", 128, "amp_bf16"), ("mobilenet_v3_large", 256, "amp_bf16"),
            ("resnet18", 512, "amp_bf16"), ("resnet152", 128, "tf32"), ("regnet_y_8gf", 64, "amp_bf16"),
            ("densenet121", 128, "amp_bf16"), ("vgg16", 128, "amp_bf16"), ("resnet50", 64, "fp32"),
            ("resnext50_32x4d", 128, "amp_bf16"), ("resnext50_32x4d", 64, "tf32"), ("convnext_tiny", 64, "fp32"),
            ("efficientnet_b0", 128, "tf32"), ("vit_b_16", 64, "tf32"), ("maxvit_t", 64, "amp_bf16"),
            ("shufflenet_v2_x1_0", 512, "amp_bf16")]


def stepper(name, batch, precision):
    torch.set_float32_matmul_precision("highest" if precision == "fp32" else "high")
    torch.backends.cudnn.allow_tf32 = precision != "fp32"
    with torch.device("cuda"):
        model = getattr(torchvision.models, name)(weights=None).train().to(memory_format=torch.channels_last)
    x = torch.randn(batch, 3, 224, 224, device="cuda").to(memory_format=torch.channels_last)
    y = torch.randint(0, 1000, (batch,), device="cuda")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def step():
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=precision == "amp_bf16"):
            loss = F.cross_entropy(model(x).float(), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return step


def wall(step, most=0.6):
    for _ in range(3):
        step()
    torch.cuda.synchronize()
    t0 = time.perf_counter()
    step()
    torch.cuda.synchronize()
    steps = int(min(20, max(3, most / (time.perf_counter() - t0))))
    t0 = time.perf_counter()
    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - t0) / steps


def profile(name, batch, precision):
    step = stepper(name, batch, precision)
    seconds = wall(step)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as p:
        step()
        step()
        torch.cuda.synchronize()
    kernels = sorted(((e.key[:110], e.count / 2, e.self_device_time_total / 2) for e in p.key_averages()),
                     key=lambda k: -k[2])
    return dict(name=name, batch=batch, precision=precision, step_s=seconds,
                busy_us=sum(k[2] for k in kernels), kernels=kernels[:60])


def main():
    done = []
    for setting in SETTINGS:
        try:
            done.append(profile(*setting))
        except Exception as error:  # pylint: disable=broad-except
            print("failed", setting, repr(error)[:300], flush=True)
        torch.cuda.empty_cache()
        json.dump(done, open(sys.argv[1], "w"))


if __name__ == "__main__":
    main()
