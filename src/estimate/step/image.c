#include "estimate/step/image.h"
#include "estimate/kernels/kernels.h"
#include "estimate/step/latent.h"
#include "estimate/step/step.h"

#include <math.h>

#include "estimate/kernels/comm.h"
#include "estimate/step/transformers.h"

/* cuDNN keeps the weights of layers up to this wide on the chip, and walks through all steps in
 * one kernel; only in fp32. */
#define NARROW 128

/* Operations of PyTorch around the layers: head, loss, flattening of the weights, optimizer. */
#define AROUND 26.0

#define SHORTEST 2e-6 /* seconds of one step inside that kernel */

/* The narrow case: no launches, but few of the device's cores take part. */
static double narrow_time(const struct setup *s, double cells, const struct constants *c)
{
    double h = (double)s->arch->hidden, flop = 2 * (double)s->micro_batch * 4 * h * h;
    double rate = peak_flops(s->gpu, PRECISION_FP32) * c->at[C_lstm_narrow];

    return 2 * cells * (SHORTEST + flop / rate);
}

static void lstm_pass(struct step *t, const struct setup *s, const struct rates *r,
                      const struct constants *c)
{
    const struct arch *a = s->arch;
    double steps = (double)s->sequence, batch = (double)s->micro_batch, h = (double)a->hidden;
    double layers = (double)a->layers, cells = steps * layers;
    bool whole = s->precision == PRECISION_FP32 || s->precision == PRECISION_TF32;
    struct rates slow = *r;

    slow.products *= c->at[C_lstm_gemm];
    /* The inputs of all steps are known but for the part that comes from the step before: one
     * large product forward and three backward. */
    t->products = 4 * layers * product_time(&slow, batch * steps, 4 * h, h);
    t->elementwise = 3 * layers * memory_time(r, 8 * batch * steps * h * 4, 4);
    t->host = AROUND * c->at[C_image_step];
    if (whole && a->hidden <= NARROW) {
        t->products += narrow_time(s, cells, c);
    } else {
        /* Each step waits for the last: a small product each way, and their launches. */
        t->products += 2 * cells * product_time(&slow, batch, 4 * h, h);
        t->host += cells * c->at[C_lstm_step];
    }
    t->model_flop = 6 * arch_count(a).total * batch * steps;
}

/* ---- pictures ---- */

/* Not every byte that passes depends on the precision: batch norms read bf16 no faster than
 * fp32, and indices, masks and statistics are as wide in both. This many of an element's bytes
 * do not. */
#define FIXED_BYTES 4.0

/* Grouped convolutions whose groups are at least this wide run as products, badly filled. */
#define WIDE_GROUP 4.0

/* What PyTorch's default layout costs, against 16 bits on Hopper: in fp32, with depthwise
 * convolutions (both measured), and on older cards (assumed: none was measured). */
#define WIDE_LAYOUT 0.7
#define THIN_LAYOUT 1.7
#define OLD_LAYOUT 0.5

/* cuDNN has kernels of its own for depthwise convolutions up to this side. */
#define KNOWN_SIDE 5.0

/* Does autocast run it: fp32 weights that are cast for each product? */
static bool image_autocast(enum precision precision)
{
    return precision == PRECISION_AMP_BF16 || precision == PRECISION_AMP_FP16;
}

static bool full_width(enum precision precision)
{
    return precision == PRECISION_FP32 || precision == PRECISION_TF32;
}

double image_scale(const struct arch *arch, int64_t resolution)
{
    double side = resolution > 0 && arch->resolution > 0
                      ? (double)resolution / (double)arch->resolution
                      : 1;

    return side * side;
}

double picture_side(const struct arch *arch, int64_t resolution)
{
    return (double)(resolution > 0 ? resolution : arch->resolution);
}

double grouped_time(const struct arch *arch, const struct accelerator *gpu,
                    enum precision precision, double flop, const struct constants *c)
{
    struct rates r;
    double slow = 1;

    if (!(flop > 0))
        return 0;
    if (arch->group_width >= WIDE_GROUP) {
        r = rates_of(gpu, precision, c);
        return flop / (r.products * c->at[C_image_grouped]);
    }
    /* Without channels to sum over there is no matrix product: plain arithmetic on small
     * windows. Larger windows in fp32 fall back on kernels that were not made for them. */
    if (full_width(precision) && arch->group_kernel > KNOWN_SIDE)
        slow = c->at[C_image_window];
    return slow * flop / (peak_flops(gpu, PRECISION_FP32) * c->at[C_image_depthwise_rate]);
}

/* One micro-batch on one GPU: its products and its passes over memory, forward only. */
struct picture {
    double products, passes, flop;
};

/* Of an element, where PyTorch's default layout is not the one that kernels want. Kernels for
 * cards before Hopper know it. */
static double layout_bytes(const struct setup *s, const struct constants *c)
{
    const struct arch *a = s->arch;
    enum device_class device = device_class_of(s->gpu);
    double each = c->at[C_image_layout];

    if (device != DEVICE_HOPPER && device != DEVICE_BLACKWELL)
        each *= OLD_LAYOUT;
    if (full_width(s->precision))
        each *= WIDE_LAYOUT;
    if (a->depthwise_share > 0 && a->group_width < WIDE_GROUP)
        each *= THIN_LAYOUT;
    return each;
}

static struct picture forward_of(const struct setup *s, const struct rates *r,
                                 const struct constants *c)
{
    const struct arch *a = s->arch;
    double pictures = (double)s->micro_batch * image_scale(a, s->resolution);
    double flop = a->forward_flop * pictures, grouped = flop * a->depthwise_share;
    double rate = r->products * c->at[C_image_gemm] * (a->shape_rate > 0 ? a->shape_rate : 1);
    double moved = c->at[C_image_bytes] *
                   (FIXED_BYTES + precision_activation_bytes(s->precision)) *
                   a->output_elements;
    double pixels = (double)a->resolution * (double)a->resolution;

    /* Where TF32 is the way to go, kernels of plain fp32 want another layout and tile badly. */
    if (s->precision == PRECISION_FP32 && s->gpu->tf32_tflops > 0)
        rate *= c->at[C_image_fp32];
    /* Layer norms are done in fp32 whatever the precision, as are the casts around them, the
     * sums for the biases, and windows that are cut and rolled. */
    if (a->layered)
        moved += c->at[C_image_layered] * a->output_elements;
    else if (!s->channels_last) /* turned round before each convolution, and back */
        moved += layout_bytes(s, c) * a->output_elements;
    if (s->stack == STACK_COMPILED || s->compiled)
        moved *= c->at[C_passes_compiled] / c->at[C_passes_eager];
    /* The first layer sees three channels, which no kernel is made for. */
    moved += c->at[C_image_stem] * pixels;
    return (struct picture){
        .flop = flop,
        .products = (flop - grouped) / rate + grouped_time(a, s->gpu, s->precision, grouped, c),
        .passes = memory_time(r, moved * pictures / 3, a->operations),
    };
}

/* Frozen weights that are stored narrower are unpacked for each use. */
static double unpack_time(const struct setup *s, const struct rates *r,
                          const struct constants *c)
{
    double each = weights_are_nf4(s->base) ? c->at[C_dequantise_nf4] : c->at[C_dequantise_int4];

    if (s->method != METHOD_QLORA)
        return 0;
    return memory_time(r, s->arch->image_params * 2 * each, 0);
}

/* Where it is not known how many adapters there are, they sit beside about half of the
 * operations, and are four small ones each, whose results are scaled and added. */
#define ADAPTER_OPERATIONS 2.5
#define ADAPTER_PASSES 1.55

/* PEFT's adapters in diffusers' code: kernels and host seconds of one, forward and backward; an
 * operation's host time against that of torchvision's models, and under autocast; and what
 * recomputation does to it. */
#define ADAPTER_KERNELS 22
#define ADAPTER_HOST 6e-4
#define DIFFUSERS_HOST 1.5
#define DIFFUSERS_AUTOCAST 1.7
#define DIFFUSERS_AGAIN 1.9

static double diffusers_host(const struct setup *s, const struct constants *c)
{
    bool full = s->method == METHOD_FULL, again = s->recompute == RECOMPUTE_FULL;
    double each = c->at[C_image_step] * DIFFUSERS_HOST;

    if (full && image_autocast(s->precision))
        each *= DIFFUSERS_AUTOCAST;
    return (s->arch->operations * each +
            (full ? 0 : (double)s->arch->adapters * ADAPTER_HOST)) *
           (again ? DIFFUSERS_AGAIN : 1);
}

/* Forward and backward of a batch of pictures on one GPU: convolutions by their work, all else
 * by the elements that pass through memory. */
static void picture_pass(struct step *t, const struct setup *s, const struct rates *r,
                         const struct constants *c)
{
    struct picture p = forward_of(s, r, c);
    bool full = s->method == METHOD_FULL, again = s->recompute == RECOMPUTE_FULL;
    /* Frozen weights need no gradient: half of the products of the backward pass. */
    double backward = full ? 2 : 1.1;
    double launch =
        c->at[C_image_step] * (image_autocast(s->precision) ? c->at[C_host_autocast] : 1);

    t->products = p.products * (1 + backward);
    t->elementwise = p.passes * 3 * (full ? 1 : ADAPTER_PASSES);
    if (full && image_autocast(s->precision)) /* weights to bf16, their gradients back */
        t->elementwise += memory_time(r, s->arch->image_params * 12, 0);
    t->recompute = again ? p.products + p.passes : 0;
    t->dequantise = unpack_time(s, r, c) * (again ? 3 : 2);
    if (s->stack == STACK_COMPILED || s->compiled)
        launch *= c->at[C_host_compiled] / c->at[C_host_eager];
    t->host = s->arch->adapters > 0 ? diffusers_host(s, c)
                                    : s->arch->operations * launch * (again ? 1.33 : 1) *
                                          (full ? 1 : ADAPTER_OPERATIONS);
    if (!full)
        t->products += (double)s->arch->adapters * ADAPTER_KERNELS * r->floor;
    if (s->encoders)
        t->encoders = latent_encode_time(s->arch, r, (double)s->micro_batch,
                                         picture_side(s->arch, s->resolution));
    t->model_flop = p.flop * (1 + backward);
}

/* What the optimizer reads and writes for one parameter. */
static double optimizer_bytes(const struct setup *s, const struct constants *c)
{
    double state = optimizer_state_bytes(s->optimizer, s->precision);
    double moved = 2 * 4 + 2 * state + precision_gradient_bytes(s->precision, s->stack);
    bool adam = s->optimizer == OPTIMIZER_ADAMW || s->optimizer == OPTIMIZER_ADAMW_BF16;

    if (adam && !s->fused_optimizer)
        moved *= c->at[C_passes_foreach]; /* one pass for each arithmetic step */
    return moved * c->at[C_passes_optimizer];
}

/* Diffusers and kohya's scripts take Transformers' Adafactor. Each adapter is two tensors; a
 * network has about as many as operations. */
static double optimizer_host(const struct setup *s)
{
    bool adapted = s->method != METHOD_FULL && s->arch->adapters > 0;

    if (s->optimizer != OPTIMIZER_ADAFACTOR || s->arch->kind != ARCH_IMAGE)
        return 0;
    return transformers_adafactor_host(adapted ? 2 * (double)s->arch->adapters
                                               : s->arch->operations);
}

struct step estimate_image_step(const struct setup *s, const struct constants *c)
{
    struct step t = {0};
    struct rates r = rates_of(s->gpu, s->precision, c);
    struct wires w = wires_of(s, c);
    double micro = (double)s->accumulation, params = setup_trained(s), busy, cover, sent;

    rates_sustain(&r, s->gpu, setup_is_tuned(s), c);
    if (s->arch->kind == ARCH_LSTM)
        lstm_pass(&t, s, &r, c);
    else
        picture_pass(&t, s, &r, c);
    busy = t.products + t.elementwise + t.recompute + t.dequantise + t.encoders;
    t.optimizer = memory_time(&r, params * optimizer_bytes(s, c), 20);
    /* The host runs ahead of the device, or the device waits for it, over the complete step. */
    t.host = fmax(0, longer(t.host * micro + c->at[C_host_step] + optimizer_host(s),
                            busy * micro + t.optimizer) -
                         busy * micro - t.optimizer);
    sent = all_reduce(&w, params * precision_gradient_bytes(s->precision, s->stack),
                      (double)s->data, 1);
    cover = (busy + t.host / micro) * 0.66 * c->at[C_overlap_data];
    t.data = s->data > 1
                 ? longer(sent, cover) - cover + c->at[C_comm_friction] * fmin(sent, cover)
                 : 0;
    t.products *= micro;
    t.elementwise *= micro;
    t.recompute *= micro;
    t.dequantise *= micro;
    t.encoders *= micro;
    t.total = t.products + t.elementwise + t.recompute + t.dequantise + t.encoders + t.host +
              t.data + t.optimizer;
    t.tokens = setup_tokens_per_step(s);
    t.model_flop *= micro;
    t.effort =
        s->arch->kind == ARCH_LSTM ? fmin(1, t.model_flop / (t.products * r.products)) : 1;
    t.busy = fmin(1, (busy * micro + t.optimizer) / t.total);
    return t;
}
