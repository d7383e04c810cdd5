"""Counts of detectors, segmenters, encoders of sound and others: python3 network_counts.py OUTPUT.csv [MODEL...]

Per picture. Columns as image_counts.py, with group_width and group_kernel: of the grouped convolutions, weighted by
their work.
Models are built from configurations, without weights: of torchvision, of transformers, and two written below. Sound
is counted as a picture of as many values: 10 seconds at 16 kHz are 400 x 400."""
import inspect
import math
import multiprocessing
import sys

import torch
import torchvision
import transformers as hf
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from common import Table
from image_counts import Counter, saved


class Grouped(Counter):
    """Also how wide the groups are, and their kernels."""

    def __init__(self):
        super().__init__()
        self.width = self.kernel = self.work = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        before = self.grouped
        out = super().__torch_dispatch__(func, types, args, kwargs)
        if self.grouped > before:
            weight, work = args[1], self.grouped - before
            spatial = math.prod(weight.shape[2:])
            self.work += work
            self.width += work * weight.shape[1]
            self.kernel += work * math.sqrt(spatial)
        return out


def block(inside, outside, kernel=1, stride=1, pad=None):
    return nn.Sequential(nn.Conv2d(inside, outside, kernel, stride, kernel // 2 if pad is None else pad, bias=False),
                         nn.BatchNorm2d(outside), nn.SiLU(inplace=True))


class CrossStage(nn.Module):
    """Half of the channels pass residual blocks, the other half do not."""

    def __init__(self, inside, outside, depth, residual=True):
        super().__init__()
        half = outside // 2
        self.left, self.right, self.join = block(inside, half), block(inside, half), block(2 * half, outside)
        self.inner = nn.ModuleList(nn.Sequential(block(half, half), block(half, half, 3)) for _ in range(depth))
        self.residual = residual

    def forward(self, x):
        left = self.left(x)
        for inner in self.inner:
            left = left + inner(left) if self.residual else inner(left)
        return self.join(torch.cat((left, self.right(x)), 1))


class Pyramid(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.last = block(width, width // 2), block(2 * width, width)
        self.pool = nn.MaxPool2d(5, 1, 2)

    def forward(self, x):
        parts = [self.first(x)]
        for _ in range(3):
            parts.append(self.pool(parts[-1]))
        return self.last(torch.cat(parts, 1))


class Yolo5(nn.Module):
    """YOLOv5 of release 6 for 80 classes: the backbone, the two paths between three scales, the detecting layers."""

    def __init__(self, deep, wide):
        super().__init__()
        w = [int(c * wide) for c in (64, 128, 256, 512, 1024)]
        d = [max(round(n * deep), 1) for n in (3, 6, 9, 3)]
        self.low = nn.Sequential(block(3, w[0], 6, 2, 2), block(w[0], w[1], 3, 2), CrossStage(w[1], w[1], d[0]),
                                 block(w[1], w[2], 3, 2), CrossStage(w[2], w[2], d[1]))
        self.middle = nn.Sequential(block(w[2], w[3], 3, 2), CrossStage(w[3], w[3], d[2]))
        self.high = nn.Sequential(block(w[3], w[4], 3, 2), CrossStage(w[4], w[4], d[3]), Pyramid(w[4]))
        self.narrow4, self.narrow3 = block(w[4], w[3]), block(w[3], w[2])
        self.up4, self.up3 = CrossStage(2 * w[3], w[3], d[0], False), CrossStage(2 * w[2], w[2], d[0], False)
        self.down3, self.down4 = block(w[2], w[2], 3, 2), block(w[3], w[3], 3, 2)
        self.out4, self.out5 = CrossStage(2 * w[2], w[3], d[0], False), CrossStage(2 * w[3], w[4], d[0], False)
        self.detect = nn.ModuleList(nn.Conv2d(c, 3 * 85, 1) for c in w[2:])
        self.grow = nn.Upsample(scale_factor=2)

    def forward(self, x):
        p3 = self.low(x)
        p4 = self.middle(p3)
        n5 = self.narrow4(self.high(p4))
        n4 = self.narrow3(self.up4(torch.cat((self.grow(n5), p4), 1)))
        o3 = self.up3(torch.cat((self.grow(n4), p3), 1))
        o4 = self.out4(torch.cat((self.down3(o3), n4), 1))
        o5 = self.out5(torch.cat((self.down4(o4), n5), 1))
        return [layer(o) for layer, o in zip(self.detect, (o3, o4, o5))]


class UNet(nn.Module):
    """The U-Net of arXiv 1505.04597 with padded convolutions and batch norms: 64 to 1024 channels, 2 classes."""

    def __init__(self):
        super().__init__()

        def twice(inside, outside):
            return nn.Sequential(*(layer for c in (inside, outside) for layer in
                                   (nn.Conv2d(c, outside, 3, padding=1), nn.BatchNorm2d(outside), nn.ReLU(True))))

        widths = (64, 128, 256, 512, 1024)
        self.down = nn.ModuleList(twice(i, o) for i, o in zip((3,) + widths, widths))
        self.up = nn.ModuleList(nn.ConvTranspose2d(2 * w, w, 2, 2) for w in widths[-2::-1])
        self.join = nn.ModuleList(twice(2 * w, w) for w in widths[-2::-1])
        self.head, self.pool = nn.Conv2d(64, 2, 1), nn.MaxPool2d(2)

    def forward(self, x):
        kept = []
        for i, layer in enumerate(self.down):
            x = layer(self.pool(x) if i else x)
            kept.append(x)
        for up, join, skip in zip(self.up, self.join, kept[-2::-1]):
            x = join(torch.cat((skip, up(x)), 1))
        return self.head(x)


def detector(name, side, batch, **options):
    """As it is trained: with the losses of two boxes in each picture."""
    model = getattr(torchvision.models.detection, name)(weights=None, weights_backbone=None, **options)
    box = torch.tensor([[20.0, 20.0, 180.0, 180.0], [90.0, 60.0, 250.0, 250.0]], device="cuda")
    target = {"boxes": box, "labels": torch.tensor([1, 2], device="cuda"),
              "masks": torch.zeros(2, side, side, dtype=torch.uint8, device="cuda")}
    pictures = [torch.rand(3, side, side, device="cuda") for _ in range(batch)]
    return model, lambda m: m(pictures, [dict(target) for _ in range(batch)])


def pictures(model, side, batch):
    x = torch.randn(batch, 3, side, side, device="cuda")
    return model, lambda m: m(x)


def of_hf(model, side, batch, **more):
    x = torch.randn(batch, 3, side, side, device="cuda")
    return model, lambda m: m(pixel_values=x, **more)


def sound(model, batch):
    x = torch.randn(batch, 160000, device="cuda")
    return model, lambda m: m(x)


def speech(kind, **shape):
    return getattr(hf, kind + "Model")(getattr(hf, kind + "Config")(apply_spec_augment=False, layerdrop=0.0, **shape))


LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}
NORMED = {"feat_extract_norm": "layer", "conv_bias": True, "do_stable_layer_norm": True}


def swin(batch, side, embed, depths, heads):
    return pictures(torchvision.models.swin_transformer.SwinTransformer([4, 4], embed, depths, heads, [7, 7]), side,
                    batch)


def sam(batch, **shape):
    config = hf.SamConfig(vision_config=hf.SamVisionConfig(**shape).to_dict())
    points = torch.full((batch, 1, 1, 2), 512.0, device="cuda")
    return of_hf(hf.SamModel(config), 1024, batch, input_points=points)


def sam2(batch):
    widths = [144, 288, 576, 1152]
    trunk = hf.Sam2HieraDetConfig(
        hidden_size=144, num_attention_heads=2, blocks_per_stage=[2, 6, 36, 4], embed_dim_per_stage=widths,
        num_attention_heads_per_stage=[2, 4, 8, 16], window_size_per_stage=[8, 4, 16, 8],
        global_attention_blocks=[23, 33, 43], window_positional_embedding_background_size=[7, 7])
    config = hf.Sam2Config(vision_config=hf.Sam2VisionConfig(backbone_config=trunk, backbone_channel_list=widths[::-1]))
    points = torch.full((batch, 1, 1, 2), 512.0, device="cuda")
    labels = torch.ones(batch, 1, 1, dtype=torch.int, device="cuda")
    return of_hf(hf.Sam2Model(config), 1024, batch, input_points=points, input_labels=labels)


def segformer(side, depths, widths, decoder):
    config = hf.SegformerConfig(depths=depths, hidden_sizes=widths, decoder_hidden_size=decoder, num_labels=150)
    return of_hf(hf.SegformerForSemanticSegmentation(config), side, 4)


def detr():
    config = hf.DetrConfig(use_timm_backbone=False, use_pretrained_backbone=False, backbone=None, num_labels=91,
                           backbone_config=hf.ResNetConfig(out_features=["stage4"]))
    return of_hf(hf.DetrForObjectDetection(config), 800, 2)


def rtdetr(backbone, widths):
    config = hf.RTDetrConfig(backbone_config=backbone, encoder_in_channels=widths, num_labels=80)
    return of_hf(hf.RTDetrForObjectDetection(config), 640, 4)


def rtdetr_l():
    from transformers.models.hgnet_v2 import HGNetV2Config
    return rtdetr(HGNetV2Config(out_features=["stage2", "stage3", "stage4"]), [512, 1024, 2048])


def mask2former():
    trunk = hf.SwinConfig(embed_dim=128, depths=[2, 2, 18, 2], num_heads=[4, 8, 16, 32], window_size=12, image_size=384,
                          out_features=["stage1", "stage2", "stage3", "stage4"])
    return of_hf(hf.Mask2FormerForUniversalSegmentation(hf.Mask2FormerConfig(backbone_config=trunk, num_labels=150)),
                 640, 2)


def depth_anything():
    trunk = hf.Dinov2Config(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, image_size=518,
                            patch_size=14, out_indices=[5, 12, 18, 24], reshape_hidden_states=False)
    config = hf.DepthAnythingConfig(backbone_config=trunk, reassemble_hidden_size=1024, patch_size=14,
                                    neck_hidden_sizes=[256, 512, 1024, 1024], fusion_hidden_size=256)
    return of_hf(hf.DepthAnythingForDepthEstimation(config), 518, 2)


def parakeet():
    from transformers.models.parakeet import ParakeetEncoder, ParakeetEncoderConfig
    shape = LARGE | {"num_attention_heads": 8}
    model = ParakeetEncoder(ParakeetEncoderConfig(**shape, num_mel_bins=128, layerdrop=0.0))
    x = torch.randn(4, 1000, 128, device="cuda")
    return model, lambda m: m(input_features=x)


# name, resolution, pictures in a batch, what builds it
MODELS = [
    ("faster-rcnn", 800, 2, lambda: detector("fasterrcnn_resnet50_fpn", 800, 2)),
    ("mask-rcnn", 800, 2, lambda: detector("maskrcnn_resnet50_fpn", 800, 2)),
    ("retinanet", 800, 2, lambda: detector("retinanet_resnet50_fpn", 800, 2)),
    ("ssd", 300, 4, lambda: detector("ssd300_vgg16", 300, 4)),
    ("deeplabv3-resnet50", 520, 4, lambda: pictures(torchvision.models.segmentation.deeplabv3_resnet50(
        weights=None, weights_backbone=None, aux_loss=True), 520, 4)),
    ("unet", 512, 4, lambda: pictures(UNet(), 512, 4)),
    ("yolov5s", 640, 4, lambda: pictures(Yolo5(0.33, 0.50), 640, 4)),
    ("yolov5m", 640, 4, lambda: pictures(Yolo5(0.67, 0.75), 640, 4)),
    ("yolov5l", 640, 4, lambda: pictures(Yolo5(1.0, 1.0), 640, 4)),
    ("swin-l", 224, 4, lambda: swin(4, 224, 192, [2, 2, 18, 2], [6, 12, 24, 48])),
    ("convnextv2-base", 224, 4, lambda: of_hf(hf.ConvNextV2ForImageClassification(hf.ConvNextV2Config(
        depths=[3, 3, 27, 3], hidden_sizes=[128, 256, 512, 1024], num_labels=1000)), 224, 4)),
    ("detr-resnet50", 800, 2, detr),
    ("rtdetr-l", 640, 4, rtdetr_l),
    ("rtdetr-r50", 640, 4, lambda: rtdetr(hf.RTDetrResNetConfig(out_features=["stage2", "stage3", "stage4"]),
                                          [512, 1024, 2048])),
    ("sam-vit-base", 1024, 2, lambda: sam(2)),
    ("sam-vit-huge", 1024, 1, lambda: sam(1, hidden_size=1280, num_hidden_layers=32, num_attention_heads=16,
                                          global_attn_indexes=[7, 15, 23, 31])),
    ("sam2-large", 1024, 1, lambda: sam2(1)),
    ("segformer-b0", 512, 4, lambda: segformer(512, [2, 2, 2, 2], [32, 64, 160, 256], 256)),
    ("segformer-b5", 640, 4, lambda: segformer(640, [3, 6, 40, 3], [64, 128, 320, 512], 768)),
    ("mask2former-swin-base", 640, 2, mask2former),
    ("depth-anything-v2-large", 518, 2, depth_anything),
    ("wav2vec2-base", 400, 4, lambda: sound(speech("Wav2Vec2"), 4)),
    ("wav2vec2-large", 400, 4, lambda: sound(speech("Wav2Vec2", **LARGE), 4)),
    ("wav2vec2-xls-r-300m", 400, 4, lambda: sound(speech("Wav2Vec2", **LARGE, **NORMED), 4)),
    ("hubert-base", 400, 4, lambda: sound(speech("Hubert"), 4)),
    ("hubert-large", 400, 4, lambda: sound(speech("Hubert", **LARGE, **NORMED), 4)),
    ("parakeet-tdt-0.6b", 400, 4, parakeet),
]


def count(table, name, side, batch, build):
    model, run = build()
    model = model.cuda().train().requires_grad_(True)
    elements, _ = saved(model, run, False)
    _, size_amp = saved(model, run, True)
    counter = Grouped()
    with FlopCounterMode(display=False) as flops, counter:
        run(model)
    total = flops.get_total_flops()
    by = "transformers " + hf.__version__ if "transformers" in inspect.getmodule(type(model)).__name__ \
        else "torchvision " + torchvision.__version__.split("+")[0]
    if type(model) in (Yolo5, UNet):
        by = "torch " + torch.__version__.split("+")[0] + " (tools/measure/network_counts.py)"
    kinds = [type(m).__name__ for m in model.modules()]
    layered = sum("LayerNorm" in k or "GroupNorm" in k for k in kinds) > sum("BatchNorm" in k for k in kinds)
    table.add(name=name, params_m=f"{sum(p.numel() for p in model.parameters()) / 1e6:.3f}", resolution=side,
              forward_gflop=f"{total / batch / 1e9:.3f}", saved_melem=f"{elements / batch / 1e6:.3f}",
              output_melem=f"{counter.elements / batch / 1e6:.3f}", ops=counter.ops,
              depthwise_share=f"{counter.grouped / max(total, 1):.4f}",
              group_width=f"{counter.width / counter.work:.1f}" if counter.work else "",
              group_kernel=f"{counter.kernel / counter.work:.1f}" if counter.work else "",
              layered="yes" if layered else "no", source="counted with " + by,
              saved_mb_amp=f"{size_amp / batch / 1e6:.2f}")


def main():
    table = Table(sys.argv[1], "name,params_m,resolution,forward_gflop,saved_melem,output_melem,ops,depthwise_share,"
                               "group_width,group_kernel,layered,source,saved_mb_amp".split(","))
    table.file.flush()
    for name, side, batch, build in MODELS:
        if len(sys.argv) > 2 and name not in sys.argv[2:]:
            continue
        # each in a process of its own: what one keeps is no memory for the next
        child = multiprocessing.get_context("fork").Process(target=count, args=(table, name, side, batch, build))
        child.start()
        child.join()
        print(name, "failed" if child.exitcode else "counted", flush=True)


if __name__ == "__main__":
    main()
