/* kernels.h - how fast a device does basic things: products, attention, passes over memory. */
#ifndef ESTIMATE_KERNELS_KERNELS_H
#define ESTIMATE_KERNELS_KERNELS_H

#include "estimate/constants.h"
#include "job/choices.h"

/* What the generations of devices differ in. */
enum device_class {
    DEVICE_VOLTA, /* and older */
    DEVICE_TURING,
    DEVICE_AMPERE,
    DEVICE_ADA,
    DEVICE_HOPPER,
    DEVICE_BLACKWELL,
    DEVICE_AMD,
    DEVICE_TPU,
    DEVICE_GAUDI,
    DEVICE_TRAINIUM,
    DEVICE_OTHER,
};

enum device_class device_class_of(const struct accelerator *gpu);

/* Dense peak, FLOP/s; precisions that the device lacks fall back on the next wider one that it
 * has (bf16 on a V100 is fp16, fp8 on an A100 is bf16). NaN when none is published. */
double peak_flops(const struct accelerator *gpu, enum precision precision);

/* Reachable rates at one precision. */
struct rates {
    double products;  /* FLOP/s of a large matrix product */
    double attention; /* FLOP/s of flash attention forward, wide heads, long sequences */
    double memory;    /* bytes/s */
    double floor;     /* s that the shortest kernel takes */
    double wave;      /* elements of output that keep the device busy once */
    double depth;     /* inner length at which a product reaches half its rate */
    double element;   /* bytes of an operand */
    bool wide;        /* fp32 tensors */
};

struct rates rates_of(const struct accelerator *gpu, enum precision precision,
                      const struct constants *c);

/* The same with these kernels for attention. */
struct rates rates_with(const struct accelerator *gpu, enum precision precision,
                        enum attention attention, const struct constants *c);

/* What training keeps of these rates. It goes on for longer than a card can draw more power
 * than it may: an RTX 6000 Ada (300 W) has twice the peak of an RTX 4090, but trains hardly
 * faster. And kernels that were not `tuned` for a card do not draw all of 8 TB/s. */
void rates_sustain(struct rates *r, const struct accelerator *gpu, bool tuned,
                   const struct constants *c);

/* Seconds of an m x k by k x n product. Not less than reading and writing it takes. */
double product_time(const struct rates *r, double m, double n, double k);

/* `count` such products in one launch: of the experts that a GPU holds. */
double grouped_product_time(const struct rates *r, double count, double m, double n, double k);

/* Of a token with each element of a mixer's state: decay, add, read. */
#define MIXER_SCAN_FLOP 6.0

/* Flash attention over `batch` sequences: queries of length `rows`, keys of `columns`, of which
 * `visible` is the mean share that a query sees (0.5 when causal). */
struct attention_shape {
    double batch, heads, head_dim, rows, columns, visible;
};

/* Seconds. */
double attention_time(const struct rates *r, const struct attention_shape *shape, bool backward,
                      const struct constants *c);

/* Seconds to move so many bytes in `kernels` kernels. */
double memory_time(const struct rates *r, double size, double kernels);

/* Of two things that go on at once, the longer, with some friction where they are alike. */
double longer(double a, double b);

#endif
