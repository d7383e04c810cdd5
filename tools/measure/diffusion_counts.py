"""Counts of diffusion models, one picture forward, computed from their architecture: python3 diffusion_counts.py

Prints rows of data/image_models.csv. Nothing is measured: layers are walked as diffusers builds them.
norm counts elements that pass group or layer normalization; saved what PyTorch keeps for the backward pass with
attention that does not keep its scores; ops the operations that are no views."""


class Count:
    def __init__(self):
        self.params = self.flop = self.saved = self.output = self.ops = self.norm = self.tensors = 0

    def op(self, out, saved=0, times=1):
        self.ops += times
        self.output += out * times
        self.saved += saved * times

    def normalize(self, elements, channels):
        self.params += 2 * channels
        self.tensors += 2
        self.norm += elements
        self.op(elements, elements)

    def linear(self, rows, inside, outside, bias=True, keep=True):
        self.params += inside * outside + (outside if bias else 0)
        self.tensors += 2 if bias else 1
        self.flop += 2 * rows * inside * outside
        self.op(rows * outside, rows * inside if keep else 0)

    def conv(self, side, inside, outside, kernel):
        self.params += inside * outside * kernel * kernel + outside
        self.tensors += 2
        self.flop += 2 * side * side * inside * outside * kernel * kernel
        self.op(side * side * outside, side * side * inside)

    def attention(self, rows, columns, width):
        self.flop += 4 * rows * columns * width
        self.op(rows * width, 2 * rows * width + 2 * columns * width)


def resnet(c, side, inside, outside, time):
    c.normalize(side * side * inside, inside)
    c.op(side * side * inside, side * side * inside)  # SiLU
    c.conv(side, inside, outside, 3)
    c.op(time, 0)
    c.linear(1, time, outside)
    c.op(side * side * outside)  # the time is added
    c.normalize(side * side * outside, outside)
    c.op(side * side * outside, side * side * outside)
    c.conv(side, outside, outside, 3)
    if inside != outside:
        c.conv(side, inside, outside, 1)
    c.op(side * side * outside)


def transformer(c, side, width, depth, context, text):
    rows = side * side
    c.normalize(rows * width, width)
    c.linear(rows, width, width)
    for _ in range(depth):
        for columns, inside in ((rows, width), (text, context)):
            c.normalize(rows * width, width)
            c.linear(rows, width, width, bias=False)
            c.linear(columns, inside, width, bias=False, keep=False)
            c.linear(columns, inside, width, bias=False, keep=False)
            c.attention(rows, columns, width)
            c.linear(rows, width, width)
            c.op(rows * width)
        c.normalize(rows * width, width)
        c.linear(rows, width, 8 * width)
        c.op(rows * 4 * width, rows * 8 * width)  # GELU of one half
        c.op(rows * 4 * width, rows * 4 * width)  # times the other
        c.linear(rows, 4 * width, width)
        c.op(rows * width)
    c.linear(rows, width, width)
    c.op(rows * width)


def unet(side, widths, depths, middle, context, added=0, text=77):
    """widths of the levels, layers of transformer in each (0: none)."""
    c, time = Count(), 4 * widths[0]
    c.linear(1, widths[0], time)
    c.linear(1, time, time)
    if added:
        c.linear(1, added, time)
        c.linear(1, time, time)
    c.conv(side, 4, widths[0], 3)
    skips, inside = [widths[0]], widths[0]
    for i, (width, depth) in enumerate(zip(widths, depths)):
        for _ in range(2):
            resnet(c, side, inside, width, time)
            if depth:
                transformer(c, side, width, depth, context, text)
            inside = width
            skips.append(width)
        if i + 1 < len(widths):
            side //= 2
            c.conv(side, width, width, 3)
            skips.append(width)
    resnet(c, side, inside, inside, time)
    transformer(c, side, inside, middle, context, text)
    resnet(c, side, inside, inside, time)
    for i, (width, depth) in reversed(list(enumerate(zip(widths, depths)))):
        for _ in range(3):
            skip = skips.pop()
            c.op(side * side * (inside + skip))  # joined
            resnet(c, side, inside + skip, width, time)
            if depth:
                transformer(c, side, width, depth, context, text)
            inside = width
        if i > 0:
            side *= 2
            c.op(side * side * width)
            c.conv(side, width, width, 3)
    c.normalize(side * side * inside, inside)
    c.op(side * side * inside, side * side * inside)
    c.conv(side, inside, 4, 3)
    return c


def stream(c, rows, width, parts, mlp):
    """What one stream of a two-stream block does beside the shared attention."""
    c.linear(1, width, parts * width)
    c.normalize(rows * width, 0)
    c.op(rows * width, rows * width, 2)  # scale, shift
    c.linear(rows, width, 3 * width)
    c.normalize(2 * rows * width, 64)
    c.op(rows * width, 0, 4)  # rotation
    c.linear(rows, width, width)
    c.op(rows * width, rows * width, 2)  # gate, residual
    if mlp:
        c.normalize(rows * width, 0)
        c.op(rows * width, rows * width, 2)
        c.linear(rows, width, 4 * width)
        c.op(rows * 4 * width, rows * 4 * width)
        c.linear(rows, 4 * width, width)
        c.op(rows * width, rows * width, 2)


def double_block(c, image, text, width):
    for rows in (image, text):
        stream(c, rows, width, 6, True)
    c.op((image + text) * width, 0, 3)  # joined
    c.attention(image + text, image + text, width)


def single_block(c, rows, width):
    c.linear(1, width, 3 * width)
    c.normalize(rows * width, 0)
    c.op(rows * width, rows * width, 2)
    c.linear(rows, width, 3 * width)
    c.normalize(2 * rows * width, 64)
    c.op(rows * width, 0, 4)
    c.attention(rows, rows, width)
    c.linear(rows, width, 4 * width, keep=False)
    c.op(rows * 4 * width, rows * 4 * width)
    c.op(rows * 5 * width)
    c.linear(rows, 5 * width, width)
    c.op(rows * width, rows * width, 2)


def flux(image=4096, text=512, width=3072):
    c = Count()
    c.linear(image, 64, width)
    c.linear(text, 4096, width)
    for inside in (256, 256, 768):
        c.linear(1, inside, width)
        c.linear(1, width, width)
    for _ in range(19):
        double_block(c, image, text, width)
    for _ in range(38):
        single_block(c, image + text, width)
    c.linear(1, width, 2 * width)
    c.linear(image, width, 64)
    return c


def sd3(image=4096, text=333, width=1536, layers=24, dual=0):
    """dual: of the first layers, that have a second attention over the picture alone."""
    c = Count()
    c.linear(image, 64, width)
    c.linear(text, 4096, width)
    for inside in (256, 2048):
        c.linear(1, inside, width)
        c.linear(1, width, width)
    for i in range(layers):
        double_block(c, image, text, width)
        if i < dual:
            stream(c, image, width, 3, False)
            c.attention(image, image, width)
    c.linear(1, width, 2 * width)
    c.linear(image, width, 64)
    return c


def wan(frames, high, wide, width, ffn, layers, channels=16, text=512):
    """frames, high, wide: of the latent clip, two by two of which are a token."""
    c, rows = Count(), frames * (high // 2) * (wide // 2)
    c.linear(rows, 4 * channels, width)
    c.linear(text, 4096, width)
    c.linear(text, width, width)
    for inside, outside in ((256, width), (width, width), (width, 6 * width)):
        c.linear(1, inside, outside)
    for _ in range(layers):
        c.params += 6 * width  # scales, shifts and gates, added to those of the time
        for columns in (rows, text):
            c.normalize(rows * width, 0 if columns == rows else width)
            c.op(rows * width, rows * width, 2 if columns == rows else 0)  # scale, shift
            c.linear(rows, width, width)
            c.linear(columns, width, width, keep=False)
            c.linear(columns, width, width, keep=False)
            c.normalize((rows + columns) * width, width)
            c.op(rows * width, 0, 4 if columns == rows else 0)  # rotation
            c.attention(rows, columns, width)
            c.linear(rows, width, width)
            c.op(rows * width, rows * width, 2)  # gate, residual
        c.normalize(rows * width, 0)
        c.op(rows * width, rows * width, 2)
        c.linear(rows, width, ffn)
        c.op(rows * ffn, rows * ffn)
        c.linear(rows, ffn, width)
        c.op(rows * width, rows * width, 2)
    c.linear(rows, width, 4 * channels)
    return c


def modulate(c, rows, width, gated=True):
    """Around one part of a block: a norm without parameters, scale and shift; behind it a gate and the residual."""
    c.normalize(rows * width, 0)
    c.op(rows * width, rows * width, 2)
    c.op(rows * width, rows * width, 2 if gated else 1)


def project(c, streams, width, bias=True, normed=True, keys=None):
    """Queries, keys and values of streams (rows, their width) and what attention gives back to them."""
    for rows, inside in streams:
        c.linear(rows, inside, width, bias)
        c.linear(rows, inside, keys or width, bias, keep=False)
        c.linear(rows, inside, keys or width, bias, keep=False)
        if normed:
            c.normalize(2 * rows * width, 64)
            c.op(rows * width, 0, 4)  # rotation
        c.linear(rows, width, inside, bias)
    rows = sum(r for r, _ in streams)
    c.attention(rows, rows, width)


def look_at(c, rows, width, text):
    """Attention to a text that has been brought to the width."""
    c.linear(rows, width, width)
    c.linear(text, width, width, keep=False)
    c.linear(text, width, width, keep=False)
    c.attention(rows, text, width)
    c.linear(rows, width, width)
    c.op(rows * width, rows * width)


def feed(c, rows, width, inner, gated=False, bias=True):
    c.linear(rows, width, inner, bias)
    if gated:
        c.linear(rows, width, inner, bias, keep=False)
    c.op(rows * inner, rows * inner, 2 if gated else 1)
    c.linear(rows, inner, width, bias)


def embed(c, rows, inside, width, text=0, context=0, deep=True):
    """Patches, the time, and a text of `context` columns."""
    c.linear(rows, inside, width)
    c.linear(1, 256, width)
    c.linear(1, width, width)
    if text:
        c.linear(text, context, width)
        if deep:
            c.linear(text, width, width)


def crossed(rows, inside, outside, width, layers, text, context, normed=False):
    """PixArt, LTX: one time for all blocks, attention to the text behind that to the picture."""
    c = Count()
    embed(c, rows, inside, width, text, context)
    c.linear(1, width, 6 * width)
    for _ in range(layers):
        c.params += 6 * width
        modulate(c, rows, width)
        project(c, [(rows, width)], width, normed=normed)
        look_at(c, rows, width, text)
        modulate(c, rows, width)
        feed(c, rows, width, 4 * width)
    c.linear(rows, width, outside)
    return c


def dit(rows, width, layers):
    c = Count()
    embed(c, rows, 16, width)
    c.params += 1001 * width
    for _ in range(layers):
        c.linear(1, width, 6 * width)
        modulate(c, rows, width)
        project(c, [(rows, width)], width, normed=False)
        modulate(c, rows, width)
        feed(c, rows, width, 4 * width)
    c.linear(1, width, 2 * width)
    c.linear(rows, width, 32)
    return c


def cogvideo(rows, width, layers, text=226):
    """Text and clip pass the same weights; the time has 512 columns."""
    c = Count()
    c.linear(rows, 64, width)
    c.linear(text, 4096, width)
    c.linear(1, width, 512)
    c.linear(1, 512, 512)
    for _ in range(layers):
        for part in range(2):
            c.linear(1, 512, 6 * width)
            c.params += 2 * width
            modulate(c, rows + text, width)
            if part:
                feed(c, rows + text, width, 4 * width)
            else:
                project(c, [(rows + text, width)], width)
    c.linear(1, 512, 2 * width)
    c.linear(rows, width, 64)
    return c


def mochi(rows, width, layers, text=256, narrow=1536):
    c = Count()
    embed(c, rows, 48, width)
    c.linear(text, 4096, narrow)
    c.linear(text, 4096, 8192, keep=False)  # pooled by attention
    c.linear(1, 4096, width)
    for i in range(layers):
        c.linear(1, width, 4 * width)
        c.linear(1, width, 4 * narrow if i + 1 < layers else narrow)
        project(c, [(rows, width), (text, narrow)], width, bias=False)
        for n, inside in ((rows, width), (text, narrow)):
            modulate(c, n, inside)
            modulate(c, n, inside)
            feed(c, n, inside, inside * 8 // 3, True, False)
    c.linear(1, width, 2 * width)
    c.linear(rows, width, 48)
    return c


def hunyuan(rows, width=3072, text=256):
    c = Count()
    embed(c, rows, 64, width, text, 4096, deep=False)
    for inside in (256, 768, 256):  # guidance, the pooled text, the time of the refiner
        c.linear(1, inside, width)
        c.linear(1, width, width)
    c.linear(1, 4096, width)
    c.linear(1, width, width)
    for _ in range(2):
        c.linear(1, width, 2 * width)
        project(c, [(text, width)], width, normed=False)
        feed(c, text, width, 4 * width)
    for _ in range(20):
        double_block(c, rows, text, width)
    for _ in range(40):
        single_block(c, rows + text, width)
    c.linear(1, width, 2 * width)
    c.linear(rows, width, 64)
    return c


def qwen(rows, width=3072, layers=60, text=256):
    c = Count()
    embed(c, rows, 64, width, text, 3584, deep=False)
    for _ in range(layers):
        double_block(c, rows, text, width)
    c.linear(1, width, 2 * width)
    c.linear(rows, width, 64)
    return c


def aura(rows, width=3072, text=256):
    c = Count()
    embed(c, rows, 16, width, text, 2048, deep=False)
    c.params += rows * width  # positions
    for streams, layers in (([rows, text + 8], 4), ([rows + text + 8], 32)):
        for _ in range(layers):
            project(c, [(n, width) for n in streams], width, bias=False)
            for n in streams:
                c.linear(1, width, 6 * width, bias=False)
                modulate(c, n, width)
                modulate(c, n, width)
                feed(c, n, width, 8192, True, False)
    c.linear(1, width, 2 * width, bias=False)
    c.linear(rows, width, 16, bias=False)
    return c


def flux2(rows, width=6144, text=512):
    """Scales and shifts are made once for all blocks; the feed-forward is gated and three times as wide."""
    c = Count()
    embed(c, rows, 128, width, text, 15360, deep=False)
    c.linear(1, 256, width)
    c.linear(1, width, width)
    c.linear(1, width, 15 * width, bias=False)
    for _ in range(8):
        project(c, [(rows, width), (text, width)], width, bias=False)
        for n in (rows, text):
            modulate(c, n, width)
            modulate(c, n, width)
            feed(c, n, width, 3 * width, True, False)
    n = rows + text
    for _ in range(48):
        modulate(c, n, width)
        project(c, [(n, width)], width, bias=False)
        feed(c, n, width, 3 * width, True, False)
    c.linear(1, width, 2 * width, bias=False)
    c.linear(rows, width, 128, bias=False)
    return c


def hidream(rows, width=2560, text=256, more=128):
    """Of four experts of the picture's feed-forward two are visited, and a shared one; each block has its own text."""
    c = Count()
    embed(c, rows, 64, width)
    c.linear(1, 2048, width)
    c.linear(1, width, width)
    for _ in range(49):
        c.linear(more, 4096, width, bias=False, keep=False)
    for streams, layers in (([rows, text + more], 16), ([rows + text + more], 32)):
        for _ in range(layers):
            project(c, [(n, width) for n in streams], width)
            for i, n in enumerate(streams):
                c.linear(1, width, 6 * width)
                modulate(c, n, width)
                modulate(c, n, width)
                feed(c, n, width, 6912, True, False)
                if i == 0:
                    feed(c, n, width, 6912, True, False)
                    feed(c, n, width, 3584, True, False)
                    c.params += 2 * 3 * width * 6912
    c.linear(1, width, 2 * width)
    c.linear(rows, width, 64)
    return c


def lumina(rows, width=2304, text=256):
    c = Count()
    c.linear(rows, 64, width)
    c.linear(text, 2304, width)
    c.linear(1, 256, 1024)
    c.linear(1, 1024, 1024)
    for n, layers in ((rows, 2), (text, 2), (rows + text, 26)):
        for _ in range(layers):
            if n != text:
                c.linear(1, 1024, 4 * width)
            modulate(c, n, width)
            project(c, [(n, width)], width, bias=False, keys=width // 3)
            modulate(c, n, width)
            feed(c, n, width, 4 * width, True, False)
    c.linear(1, 1024, width)
    c.linear(rows, width, 64)
    return c


MODELS = [
    ("sd-1.5", 512, unet(64, (320, 640, 1280, 1280), (1, 1, 1, 0), 1, 768)),
    ("sd-2.1", 768, unet(96, (320, 640, 1280, 1280), (1, 1, 1, 0), 1, 1024)),
    ("sdxl", 1024, unet(128, (320, 640, 1280), (0, 2, 10), 10, 2048, added=2816)),
    ("sd3-medium", 1024, sd3()),
    ("flux.1-dev", 1024, flux()),
    ("sd3.5-medium", 1024, sd3(dual=13)),
    ("sd3.5-large", 1024, sd3(width=2432, layers=38)),
    ("wan2.1-1.3b", 632, wan(21, 60, 104, 1536, 8960, 30)),
    ("wan2.1-14b", 632, wan(21, 60, 104, 5120, 13824, 40)),
    ("pixart-sigma", 1024, crossed(4096, 16, 32, 1152, 28, 300, 4096)),
    ("dit-xl-2", 256, dit(256, 1152, 28)),
    ("auraflow", 1024, aura(4096)),
    ("qwen-image", 1024, qwen(4096)),
    ("lumina-2", 1024, lumina(4096)),
    ("hidream-i1", 1024, hidream(4096)),
    ("flux.2-dev", 1024, flux2(4096)),
    ("cogvideox-2b", 588, cogvideo(13 * 30 * 45, 1920, 30)),
    ("cogvideox-5b", 588, cogvideo(13 * 30 * 45, 3072, 42)),
    ("ltx-video", 600, crossed(16 * 16 * 22, 128, 128, 2048, 28, 128, 4096, normed=True)),
    ("mochi-1", 638, mochi(28 * 30 * 53, 3072, 48)),
    ("hunyuan-video", 960, hunyuan(33 * 45 * 80)),
    ("wan2.2-5b", 949, wan(31, 44, 80, 3072, 14336, 30, channels=48)),
]

if __name__ == "__main__":
    for name, side, c in MODELS:
        print(f"{name},{c.params / 1e6:.1f},{side},{c.flop / 1e9:.1f},{c.saved / 1e6:.1f},{c.output / 1e6:.1f},"
              f"{c.ops},{c.norm / 1e6:.1f},{c.tensors}")
