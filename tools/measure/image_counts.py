"""Counts of torchvision models, per image: python3 image_counts.py OUTPUT.csv

saved_melem: elements of the storages kept for the backward pass (fp32, parameters and buffers left out);
output_melem: elements written by all operations that are no views; ops: number of those operations;
forward_gflop: 2 x multiply-adds; depthwise_share: part of it in grouped convolutions;
saved_mb_amp: megabytes (1e6) kept for the backward pass under bf16 autocast, cast weights left out."""
import sys

import torch
import torchvision
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten
from torch.utils.flop_counter import FlopCounterMode

from common import Table, free_memory

NAMES = {"resnet18": 224, "resnet34": 224, "resnet50": 224, "resnet101": 224, "resnet152": 224,
         "wide_resnet50_2": 224, "resnext50_32x4d": 224, "vgg16": 224, "vgg16_bn": 224, "vgg19": 224,
         "alexnet": 224, "densenet121": 224, "inception_v3": 299, "googlenet": 224, "squeezenet1_1": 224,
         "shufflenet_v2_x1_0": 224, "mobilenet_v2": 224, "mobilenet_v3_small": 224, "mobilenet_v3_large": 224,
         "mnasnet1_0": 224, "efficientnet_b0": 224, "efficientnet_b1": 240, "efficientnet_b2": 288,
         "efficientnet_b3": 300, "efficientnet_b4": 380, "efficientnet_v2_s": 384, "efficientnet_v2_m": 480,
         "convnext_tiny": 224, "convnext_small": 224, "convnext_base": 224, "convnext_large": 224,
         "swin_t": 224, "swin_s": 224, "swin_b": 224, "swin_v2_t": 256, "vit_b_16": 224, "vit_b_32": 224,
         "vit_l_16": 224, "vit_l_32": 224, "regnet_y_400mf": 224, "regnet_y_8gf": 224, "maxvit_t": 224}
ALSO_224 = ("efficientnet_b1", "efficientnet_b2", "efficientnet_b3", "efficientnet_b4", "efficientnet_v2_s",
            "efficientnet_v2_m")


class Counter(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.ops = self.elements = self.grouped = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        inputs = {t.untyped_storage().data_ptr() for t in tree_flatten((args, kwargs))[0]
                  if isinstance(t, torch.Tensor)}
        in_place = func._schema.is_mutable
        new = [t for t in tree_flatten(out)[0] if isinstance(t, torch.Tensor)
               and (in_place or t.untyped_storage().data_ptr() not in inputs)]
        if new and func is not torch.ops.aten.detach.default:
            self.ops += 1
            self.elements += max(t.numel() for t in new)
        if func is torch.ops.aten.convolution.default and args[8] > 1:
            weight = args[1]
            self.grouped += 2 * out.numel() * weight[0].numel()
        return out


def saved(model, run, amp):
    """Elements and bytes of the storages that run(model) keeps for the backward pass."""
    own = {t.untyped_storage().data_ptr() for t in list(model.parameters()) + list(model.buffers())}
    params = {tuple(p.shape) for p in model.parameters()}
    kept, keep = {}, []

    def pack(t):
        key = t.untyped_storage().data_ptr()
        # under autocast the cast copies of the weights are kept too: they have a parameter's shape
        cast = amp and t.dtype == torch.bfloat16 and (tuple(t.shape) in params or tuple(t.shape[::-1]) in params)
        if key and key not in own and key not in kept and not cast:
            kept[key] = (t.untyped_storage().nbytes() // t.element_size(), t.untyped_storage().nbytes())
        keep.append(t)
        return t.detach()  # an output that is kept with its history would never be freed

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t), \
            torch.autocast("cuda", dtype=torch.bfloat16, enabled=amp):
        out = run(model)
    del out
    return sum(v[0] for v in kept.values()), sum(v[1] for v in kept.values())


def main():
    table = Table(sys.argv[1], "name,params_m,resolution,forward_gflop,saved_melem,output_melem,ops,depthwise_share,"
                               "source,saved_mb_amp".split(","))
    batch = 4
    for name, size in list(NAMES.items()) + [(n, 224) for n in ALSO_224]:
        try:
            options = {"init_weights": False} if name in ("inception_v3", "googlenet") else {}
            model = getattr(torchvision.models, name)(weights=None, **options).cuda().train()
            model = model.to(memory_format=torch.channels_last)
            x = torch.randn(batch, 3, size, size, device="cuda").to(memory_format=torch.channels_last)
            elements, _ = saved(model, lambda m, x=x: m(x), False)
            _, size_amp = saved(model, lambda m, x=x: m(x), True)
            counter = Counter()
            with FlopCounterMode(display=False) as flops, counter:
                model(x)
            total = flops.get_total_flops()
            table.add(name=name, params_m=f"{sum(p.numel() for p in model.parameters()) / 1e6:.3f}", resolution=size,
                      forward_gflop=f"{total / batch / 1e9:.3f}", saved_melem=f"{elements / batch / 1e6:.3f}",
                      output_melem=f"{counter.elements / batch / 1e6:.3f}", ops=counter.ops,
                      depthwise_share=f"{counter.grouped / max(total, 1):.4f}",
                      source=f"counted with torchvision {torchvision.__version__.split('+')[0]}",
                      saved_mb_amp=f"{size_amp / batch / 1e6:.2f}")
        except Exception as error:  # pylint: disable=broad-except
            print("failed", name, size, repr(error)[:300], flush=True)
        model = x = None
        free_memory()
    print(f"{table.rows} rows", flush=True)


if __name__ == "__main__":
    main()
