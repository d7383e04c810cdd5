#include "estimate/kernels/kernels.h"

#include <math.h>

#define TILE (128.0 * 128.0) /* elements of output that one core computes at a time */
#define CORES 128.0          /* of a data-center card: 80 to 150 */

enum device_class device_class_of(const struct accelerator *gpu)
{
    static const struct {
        const char *start;
        enum device_class class;
    } starts[] = {
        {"Volta", DEVICE_VOLTA},
        {"Pascal", DEVICE_VOLTA},
        {"Maxwell", DEVICE_VOLTA},
        {"Kepler", DEVICE_VOLTA},
        {"Turing", DEVICE_TURING},
        {"Ampere", DEVICE_AMPERE},
        {"Ada", DEVICE_ADA},
        {"Hopper", DEVICE_HOPPER},
        {"CDNA", DEVICE_AMD},
        {"Blackwell", DEVICE_BLACKWELL},
        {"RDNA", DEVICE_AMD},
        {"GCN", DEVICE_AMD},
        {"TPU", DEVICE_TPU},
        {"Gaudi", DEVICE_GAUDI},
        {"NeuronCore", DEVICE_TRAINIUM},
    };
    char first = gpu->architecture.len > 0 ? gpu->architecture.at[0] : '\0';

    /* It is asked several times for every step: most differ in their first letter. */
    for (size_t i = 0; i < ARRAY_LEN(starts); i++)
        if (starts[i].start[0] == first &&
            str_starts(gpu->architecture, str_from(starts[i].start)))
            return starts[i].class;
    return DEVICE_OTHER;
}

static double first_known_number(double a, double b)
{
    return a > 0 ? a : b; /* false for NaN too */
}

double peak_flops(const struct accelerator *gpu, enum precision precision)
{
    double narrow = first_known_number(gpu->fp8_tflops / 2,
                                       gpu->fp4_tflops / 4); /* all that some makers say */
    double tensor =
        first_known_number(gpu->bf16_tflops, first_known_number(gpu->fp16_tflops, narrow));
    double fp32 = first_known_number(gpu->fp32_tflops, tensor / 4);
    double half = first_known_number(tensor, fp32);
    double eight = first_known_number(gpu->fp8_tflops, half);

    switch (precision) {
    case PRECISION_FP32:
        return fp32 * 1e12;
    case PRECISION_TF32:
        return first_known_number(gpu->tf32_tflops, fp32) * 1e12;
    case PRECISION_AMP_FP16:
    case PRECISION_FP16:
        return first_known_number(gpu->fp16_tflops, half) * 1e12;
    case PRECISION_FP8:
    case PRECISION_MXFP8:
        return eight * 1e12;
    case PRECISION_FP4:
        return first_known_number(gpu->fp4_tflops, eight) * 1e12;
    case PRECISION_AMP_BF16:
    case PRECISION_BF16:
    case PRECISION_BF16_PURE:
    case PRECISION_COUNT:
        break;
    }
    return half * 1e12;
}

static double class_gemm(enum device_class class, const struct constants *c)
{
    static const enum constant_id ids[] = {
        [DEVICE_VOLTA] = C_gemm_volta,   [DEVICE_TURING] = C_gemm_turing,
        [DEVICE_AMPERE] = C_gemm_ampere, [DEVICE_ADA] = C_gemm_ada,
        [DEVICE_HOPPER] = C_gemm_hopper, [DEVICE_BLACKWELL] = C_gemm_blackwell,
        [DEVICE_AMD] = C_gemm_amd,       [DEVICE_TPU] = C_gemm_tpu,
        [DEVICE_GAUDI] = C_gemm_gaudi,   [DEVICE_TRAINIUM] = C_gemm_trainium,
        [DEVICE_OTHER] = C_gemm_other,
    };

    return c->at[ids[class]];
}

static double class_attention(enum device_class class, const struct constants *c)
{
    switch (class) {
    case DEVICE_VOLTA:
    case DEVICE_TURING:
        return c->at[C_attention_old];
    case DEVICE_AMPERE:
    case DEVICE_ADA:
        return c->at[C_attention_ampere];
    case DEVICE_HOPPER:
        return c->at[C_attention_hopper];
    case DEVICE_BLACKWELL:
        return c->at[C_attention_blackwell];
    case DEVICE_AMD:
    case DEVICE_TPU:
    case DEVICE_GAUDI:
    case DEVICE_TRAINIUM:
    case DEVICE_OTHER:
        break;
    }
    return c->at[C_attention_other];
}

/* How much worse than bf16 the other kinds of products use their own peak. */
static double precision_factor(const struct accelerator *gpu, enum precision p,
                               const struct constants *c)
{
    switch (p) {
    case PRECISION_FP32:
        return c->at[C_gemm_fp32];
    case PRECISION_TF32:
        return gpu->tf32_tflops > 0 ? c->at[C_gemm_tf32] : c->at[C_gemm_fp32];
    case PRECISION_FP8:
        return gpu->fp8_tflops > 0 ? c->at[C_gemm_fp8] : 1;
    case PRECISION_MXFP8:
        return gpu->fp8_tflops > 0 ? c->at[C_gemm_mxfp8] : 1;
    case PRECISION_FP4:
        return gpu->fp4_tflops > 0 ? c->at[C_gemm_fp4] : c->at[C_gemm_mxfp8];
    case PRECISION_AMP_FP16:
    case PRECISION_AMP_BF16:
    case PRECISION_FP16:
    case PRECISION_BF16:
    case PRECISION_BF16_PURE:
    case PRECISION_COUNT:
        break;
    }
    return 1;
}

static double operand_bytes(enum precision p)
{
    if (p == PRECISION_FP32 || p == PRECISION_TF32)
        return 4;
    if (p == PRECISION_FP8 || p == PRECISION_MXFP8)
        return 1;
    return p == PRECISION_FP4 ? 0.5 : 2;
}

/* Cards of a generation differ in how much power they have for the same peak: a long run
 * settles where the power allows. */
static double power_share(const struct accelerator *gpu, enum device_class class,
                          const struct constants *c)
{
    double usual = class == DEVICE_AMPERE      ? 400 / 312.0
                   : class == DEVICE_HOPPER    ? 700 / 989.0
                   : class == DEVICE_BLACKWELL ? 1200 / 2500.0
                                               : 0;
    double half = first_known_number(gpu->bf16_tflops, gpu->fp16_tflops), share;

    if (usual == 0 || !(gpu->tdp_w > 0) || !(half > 0))
        return 1;
    share = fmin(1.3, fmax(0.4, gpu->tdp_w / half / usual));
    return pow(share, c->at[C_gemm_power]);
}

/* GeForce cards sum 16-bit products in fp32 at half the rate of their tensor cores, a
 * quarter of that of 8-bit integers: power is no limit to those, and they run above the
 * clock of their data sheet. */
static bool is_geforce_blackwell(const struct accelerator *gpu, enum device_class class)
{
    return class == DEVICE_BLACKWELL &&
           gpu->int8_tops > 3 * first_known_number(gpu->bf16_tflops, gpu->fp16_tflops);
}

struct rates rates_of(const struct accelerator *gpu, enum precision precision,
                      const struct constants *c)
{
    enum device_class class = device_class_of(gpu);
    double usual = is_geforce_blackwell(gpu, class) && precision != PRECISION_FP32
                       ? c->at[C_gemm_geforce_blackwell]
                       : class_gemm(class, c) * power_share(gpu, class, c);
    double share = fmin(0.98, usual * precision_factor(gpu, precision, c));
    bool is_wide = precision == PRECISION_FP32 || precision == PRECISION_TF32;
    double bandwidth = first_known_number(gpu->bandwidth_gb_s, 500);

    return (struct rates){
        .products = peak_flops(gpu, precision) * share,
        .attention = peak_flops(gpu, PRECISION_BF16) *
                     (is_wide ? c->at[C_attention_wide] : class_attention(class, c)),
        .wide = is_wide,
        .memory = bandwidth * 1e9 * c->at[C_memory_rate],
        .floor = c->at[C_kernel_floor],
        .wave = c->at[C_gemm_wave] * TILE * CORES,
        .depth = c->at[C_gemm_depth],
        .element = operand_bytes(precision),
    };
}

struct rates rates_with(const struct accelerator *gpu, enum precision precision,
                        enum attention attention, const struct constants *c)
{
    struct rates r = rates_of(gpu, precision, c);
    enum device_class class = device_class_of(gpu);

    if (precision == PRECISION_FP32 || precision == PRECISION_TF32)
        return r;
    if (attention == ATTENTION_FIRST)
        r.attention *= c->at[C_attention_first];
    else if (attention == ATTENTION_FUSED &&
             (class == DEVICE_HOPPER || class == DEVICE_BLACKWELL))
        r.attention *= c->at[C_attention_fused];
    return r;
}

/* Watts for each TFLOP/s of the card that the rate of its generation holds for. GeForce cards
 * of Ada sum in fp32 at half the rate of their tensor cores, so that power is no limit to them;
 * workstation and server cards sum at the full rate, with less power. Blackwell: of the cards
 * with GDDR memory, the one with the most. 0: power_share() has it. */
static double ample_power(const struct accelerator *gpu)
{
    enum device_class class = device_class_of(gpu);

    if (class == DEVICE_ADA)
        return 450 / 165.2; /* RTX 4090 */
    return class == DEVICE_BLACKWELL && str_eq(gpu->form, STR("PCIe")) ? 600 / 467.8 : 0;
}

void rates_sustain(struct rates *r, const struct accelerator *gpu, bool tuned,
                   const struct constants *c)
{
    double half = first_known_number(gpu->bf16_tflops, gpu->fp16_tflops),
           ample = ample_power(gpu);
    double share;

    if (!tuned)
        r->memory = fmin(r->memory, c->at[C_memory_eager]);
    if (ample == 0 || !(gpu->tdp_w > 0) || !(half > 0))
        return;
    /* The power of a clock grows with its cube, since it needs more voltage. Measured products
     * agree: L40S 0.74 of its peak for a moment, L4 0.47, RTX 4090 all of it. */
    share = cbrt(fmin(1, gpu->tdp_w / half / ample));
    r->products *= share;
    r->attention *= share;
}

/* Work comes in tiles: a last wave that is not full costs as much as a full one (on average
 * half of one is lost), and a short inner loop never gets up to speed. Products in one launch
 * lose one wave together; each reads and writes its own matrices. */
double grouped_product_time(const struct rates *r, double count, double m, double n, double k)
{
    double work = 2 * (count * m * n + r->wave) * (k + r->depth) / r->products;
    double moved =
        count * (r->element * (m * k + k * n) + fmax(r->element, 2) * m * n) / r->memory;

    return fmax(work, moved) + r->floor;
}

double product_time(const struct rates *r, double m, double n, double k)
{
    return grouped_product_time(r, 1, m, n, k);
}

double attention_time(const struct rates *r, const struct attention_shape *a, bool backward,
                      const struct constants *c)
{
    double pairs = a->batch * a->heads * a->rows * a->columns * a->visible;
    /* Two products forward; five backward, since the scores are computed again. */
    double flop = (backward ? 10 : 4) * pairs * a->head_dim;
    double rate = r->attention * (backward ? c->at[C_attention_backward] : 1);
    double moved = (backward ? 8 : 4) * a->batch * a->heads * a->rows * a->head_dim * 2, tile;

    if (r->wide) { /* one slow kernel, whatever the heads */
        rate = r->attention * a->columns / (a->columns + 100);
        return fmax(flop / rate, 2 * moved / r->memory) + r->floor;
    }
    if (a->head_dim < 96)
        rate *= c->at[C_attention_narrow];
    /* Short sequences do not fill the blocks, less so along the edge of the causal triangle. */
    tile = c->at[C_attention_tile] * (backward ? 1.8 : 1) * (a->visible < 1 ? 1 : 0.35);
    rate *= a->columns / (a->columns + tile);
    return fmax(flop / rate, moved / r->memory) + r->floor * (backward ? 2 : 1);
}

double memory_time(const struct rates *r, double size, double kernels)
{
    return size / r->memory + kernels * r->floor;
}

double longer(double a, double b)
{
    double high = fmax(a, b), low = fmin(a, b), x;

    if (!(high > 0))
        return 0;
    x = low / high;
    /* (a^8 + b^8)^(1/8) without pow() */
    x *= x;
    x *= x;
    return high * sqrt(sqrt(sqrt(1 + x * x)));
}
