/* Formulas of a step's time. layer.c, comm.c and step.c have the arithmetic; here each part is
 * shown as its work over the rate it reached, and the rates beside what the card could do. */
#include <math.h>
#include <stdio.h>

#include "estimate/comm.h"
#include "estimate/energy.h"
#include "estimate/layer.h"
#include "op/estimate/explain_list.h"

static double all_layers(const struct arch *a)
{
    return (double)(a->layers + a->decoder_layers);
}

/* Products forward; gradients of inputs; gradients of weights, where they are trained. */
static double rounds(const struct setup *s)
{
    return s->method == METHOD_FULL ? 3 : 2;
}

static void model_work(struct explain *e, const struct setup *s, const struct step *t)
{
    const struct arch *a = s->arch;
    double tokens = t->tokens / (double)s->gpus;

    if (arch_is_other(a)) {
        explain_add(e, "model FLOP", "samples x FLOP of one, forward and backward",
                    t->model_flop / 1e12, "TFLOP", "%.6g x %.6g",
                    (double)(s->micro_batch * s->accumulation),
                    t->model_flop / (double)(s->micro_batch * s->accumulation));
        return;
    }
    explain_add(
        e, "FLOP per token",
        s->method == METHOD_FULL
            ? "6 x parameters in products + 12 x layers x heads x head width x sequence "
              "x share seen"
            : "4 x parameters in products (frozen: no gradients of their own) + 12 x "
              "layers x heads x head width x sequence x share seen",
        t->model_flop / tokens / 1e9, "GFLOP",
        "%.0f x %.6g + 12 x %.0f x %lld x %lld x %lld x %.5g", 2 * rounds(s),
        arch_count(a).matmul, all_layers(a), (long long)a->heads, (long long)a->head_dim,
        (long long)s->sequence, visible_share(a, (double)s->sequence));
    explain_add(e, "model FLOP", "FLOP per token x tokens of a step / GPUs",
                t->model_flop / 1e12, "TFLOP", "%.6g x %.6g / %lld", t->model_flop / tokens,
                t->tokens, (long long)s->gpus);
}

static void rates(struct explain *e, const struct setup *s, const struct constants *c)
{
    struct rates r = rates_with(s->gpu, s->precision, s->attention, c);
    double peak = peak_flops(s->gpu, s->precision), half = peak_flops(s->gpu, PRECISION_BF16);

    explain_add(e, "rate of products", "share that large ones reach x peak", r.products / 1e12,
                "TFLOP/s", "%.5g x %.6g", r.products / peak, peak);
    if (!arch_is_other(s->arch) && s->attention != ATTENTION_PLAIN)
        explain_add(e, "rate of attention", "share that it reaches forward x bf16 peak",
                    r.attention / 1e12, "TFLOP/s", "%.5g x %.6g", r.attention / half, half);
    explain_add(e, "rate of memory", "share x bandwidth", r.memory / 1e9, "GB/s", "%.5g x %.6g",
                c->at[C_memory_rate], r.memory / c->at[C_memory_rate]);
}

/* FLOP over the share of the peak that came out. */
static void work_part(struct explain *e, const char *name, const char *formula, double seconds,
                      double flop, double peak)
{
    explain_add(e, name, formula, seconds, "s", "%.6g / (%.5g x %.6g)", flop,
                flop / (seconds * peak), peak);
}

static void memory_part(struct explain *e, const char *name, const char *formula,
                        double seconds, double rate)
{
    explain_add(e, name, formula, seconds, "s", "%.6g / %.6g", seconds * rate, rate);
}

static void compute(struct explain *e, const struct setup *s, const struct step *t,
                    const struct constants *c)
{
    const struct arch *a = s->arch;
    struct arch_params p = arch_count(a);
    double peak = peak_flops(s->gpu, s->precision),
           memory = rates_of(s->gpu, s->precision, c).memory;
    double micro = (double)s->accumulation, tokens = micro_tokens(s) * micro;
    double split = (double)(s->tensor * s->pipeline), sequence = (double)s->sequence;
    double head = a->kind == ARCH_VIT ? p.embedding : (double)(a->vocab * a->hidden);
    double score = tokens * sequence * (double)(a->heads * a->head_dim) / split * all_layers(a);
    bool flash = s->attention != ATTENTION_PLAIN;

    if (flash)
        score *= visible_share(a, sequence);
    work_part(
        e, "products",
        "FLOP of the layers' matrices (forward, and each gradient) / (share reached x peak)",
        t->products, 2 * rounds(s) * tokens * (p.matmul - head) / split, peak);
    work_part(e, "attention", "FLOP of scores and values / (share reached x peak)",
              t->attention, (flash ? 14 : 12) * score, peak);
    memory_part(e, "elementwise", "bytes of norms, activations, residuals / rate of memory",
                t->elementwise, memory);
    work_part(e, "head and loss",
              "FLOP of the head / (share reached x peak), passes over the logits counted",
              t->loss, 2 * rounds(s) * tokens * s->head_share * head / (double)s->tensor, peak);
    explain_add(e, "recompute", "micro-batches x seconds of what is done again", t->recompute,
                "s", "%.0f x %.6g", micro, t->recompute / micro);
    memory_part(e, "dequantise", "bytes read and written / rate of memory", t->dequantise,
                memory);
}

static void small_compute(struct explain *e, const struct setup *s, const struct step *t,
                          const struct constants *c)
{
    double peak = peak_flops(s->gpu, s->precision),
           memory = rates_of(s->gpu, s->precision, c).memory;

    work_part(e, "products", "model FLOP / (share reached x peak)", t->products, t->model_flop,
              peak);
    memory_part(e, "elementwise", "bytes of all that is no product / rate of memory",
                t->elementwise, memory);
    explain_add(e, "recompute", "micro-batches x seconds of what is done again", t->recompute,
                "s", "%lld x %.6g", (long long)s->accumulation,
                t->recompute / (double)s->accumulation);
}

static void update(struct explain *e, const struct setup *s, const struct step *t,
                   const struct constants *c)
{
    double memory = rates_of(s->gpu, PRECISION_FP32, c).memory, bus = c->at[C_offload_rate];
    double params = setup_local_trained(s);

    if (s->zero >= 1)
        params /= fmax(1, fmin((double)s->shard, (double)(s->data * s->context)));
    explain_add(e, "optimizer",
                "parameters updated here x bytes read and written for one / rate of memory",
                t->optimizer, "s", "%.6g x %.5g / %.6g", params, t->optimizer * memory / params,
                memory);
    explain_add(e, "offload",
                "parameters updated here x bytes sent and waited for / rate of the bus",
                t->offload, "s", "%.6g x %.5g / %.6g", params, t->offload * bus / params, bus);
}

/* One collective, and the share of all of them that sticks out. */
static void tensor_parallel(struct explain *e, const struct setup *s, const struct wires *w,
                            const struct step *t)
{
    double again = s->recompute == RECOMPUTE_FULL ? 1.5 : 1, one;
    double size =
        micro_tokens(s) * (double)s->arch->hidden * precision_activation_bytes(s->precision);
    double count =
        4 * again * all_layers(s->arch) / (double)s->pipeline * (double)s->accumulation;

    if (s->tensor == 1 || arch_is_other(s->arch))
        return;
    one = all_reduce(w, size, (double)s->tensor, 1);
    explain_add(e, "one all-reduce",
                "2 x bytes x (tensor - 1) / tensor / rate of the link, with latency", one, "s",
                "2 x %.6g x (%lld - 1) / %lld / %.6g", size, (long long)s->tensor,
                (long long)s->tensor,
                2 * size * (double)(s->tensor - 1) / (double)s->tensor / one);
    explain_add(e, "tensor parallel", "all-reduces of a step x one x share that sticks out",
                t->tensor, "s", "%.6g x %.6g x %.5g", count, one, t->tensor / (count * one));
}

/* What data parallel moves in a step, and how long that takes when nothing is hidden. */
static double exchange(struct explain *e, const struct setup *s, const struct wires *w,
                       double gradient)
{
    double ranks = (double)(s->data * s->context), stride = (double)s->tensor;
    double micro = (double)s->accumulation, shard = (double)s->shard, time, weights;

    if (s->zero < 3) {
        time = all_reduce(w, gradient, ranks, stride);
        explain_add(e, "exchange", "2 x gradient bytes x (ranks - 1) / ranks / rate reached",
                    time, "s", "2 x %.6g x (%.0f - 1) / %.0f / %.6g", gradient, ranks, ranks,
                    2 * gradient * (ranks - 1) / ranks / time);
        return time;
    }
    weights = setup_local_params(s) * (s->method == METHOD_QLORA
                                           ? weights_bytes(s->base)
                                           : fmin(2, precision_weight_bytes(s->precision)));
    time = micro *
           (2 * all_gather(w, weights, shard, stride) + all_gather(w, gradient, shard, stride));
    explain_add(e, "exchange",
                "micro-batches x (2 x weight bytes + gradient bytes) x (shards - 1) / shards / "
                "rate reached",
                time, "s", "%.0f x (2 x %.6g + %.6g) x (%.0f - 1) / %.0f / %.6g", micro,
                weights, gradient, shard, shard,
                micro * (2 * weights + gradient) * (shard - 1) / shard / time);
    return time;
}

static void data_parallel(struct explain *e, const struct setup *s, const struct wires *w,
                          const struct step *t)
{
    double params = setup_local_trained(s), all;
    double each =
        s->method == METHOD_FULL ? precision_gradient_bytes(s->precision, s->stack) : 4;

    if (s->data * s->context == 1)
        return;
    if (s->stack == STACK_FSDP)
        each = fmin(each, 2);
    explain_add(e, "gradient bytes", "trained parameters here x bytes", params * each / 1e9,
                "GB", "%.6g x %.5g", params, each);
    all = exchange(e, s, w, params * each);
    explain_add(e, "data parallel",
                "exchange x share that sticks out, and waiting for the slowest node", t->data,
                "s", "%.6g x %.5g", all, t->data / all);
}

static void pipeline(struct explain *e, const struct setup *s, const struct step *t,
                     const struct constants *c)
{
    double micro = (double)s->accumulation, bubble;
    double once =
        (t->products + t->attention + t->elementwise + t->loss + t->recompute + t->dequantise +
         t->tensor + t->context + t->expert + t->host - c->at[C_host_step]) /
        micro;

    if (s->pipeline == 1)
        return;
    bubble = (double)(s->pipeline - 1) / (double)s->virtual_pipeline * once;
    explain_add(e, "pipeline",
                "(stages - 1) / virtual stages x seconds of a micro-batch, and the sends",
                t->pipeline, "s", "(%lld - 1) / %lld x %.6g%s", (long long)s->pipeline,
                (long long)s->virtual_pipeline, once, explain_rest(t->pipeline, bubble).text);
}

static void communication(struct explain *e, const struct setup *s, const struct step *t,
                          const struct constants *c)
{
    struct wires w = wires_of(s, c);
    double micro = (double)s->accumulation;

    if (s->gpus > 1)
        explain_add(e, "rate of the link", "bytes each way between GPUs of a machine",
                    w.link / 1e9, "GB/s", "%.6g", w.link);
    if (s->gpus > s->per_node)
        explain_add(e, "rate of the network", "bytes each way for one GPU, between machines",
                    w.network / 1e9, "GB/s", "%.6g", w.network);
    tensor_parallel(e, s, &w, t);
    explain_add(e, "context parallel", "micro-batches x what sticks out of passing keys on",
                t->context, "s", "%.0f x %.6g", micro, t->context / micro);
    explain_add(e, "experts", "micro-batches x what sticks out of sending tokens to experts",
                t->expert, "s", "%.0f x %.6g", micro, t->expert / micro);
    data_parallel(e, s, &w, t);
    pipeline(e, s, t, c);
    if (t->host >= c->at[C_host_step])
        explain_add(e, "host", "micro-batches x launches the GPU waits for + those of the step",
                    t->host, "s", "%.0f x %.6g + %.6g", micro,
                    (t->host - c->at[C_host_step]) / micro, c->at[C_host_step]);
    else
        explain_add(e, "host", "micro-batches x launches the GPU waits for", t->host, "s",
                    "%.0f x %.6g", micro, t->host / micro);
}

static void power(struct explain *e, const struct setup *s, const struct step *t,
                  const struct constants *c)
{
    int64_t boards = s->gpus < s->per_node ? s->gpus : s->per_node;
    double board = step_watts(t, s->gpu, c), n = (double)boards;
    double inside = node_watts(s->gpu, boards, board, true, c);
    double wall = node_watts(s->gpu, boards, board, false, c);

    explain_add(e, "board", "its limit x mean activity of the step", board, "W", "%.6g x %.5g",
                s->gpu->tdp_w, board / s->gpu->tdp_w);
    explain_add(e, "node", "(host + boards x board) / efficiency of the power supply", wall,
                "W", "(%.6g + %lld x %.6g) / %.5g", inside - n * board, (long long)boards,
                board, inside / wall);
}

void explain_step(struct explain *e, const struct setup *s, const struct step *t,
                  const struct constants *c)
{
    double gpu =
        t->products + t->attention + t->elementwise + t->loss + t->recompute + t->dequantise;
    double sent = t->tensor + t->context + t->expert + t->pipeline + t->data;
    double peak = peak_flops(s->gpu, PRECISION_BF16), rate = step_rate(t, s);
    bool samples = arch_is_other(s->arch) || s->arch->kind == ARCH_VIT;

    model_work(e, s, t);
    rates(e, s, c);
    if (arch_is_other(s->arch))
        small_compute(e, s, t, c);
    else
        compute(e, s, t, c);
    update(e, s, t, c);
    communication(e, s, t, c);
    explain_add(e, "step", "compute + optimizer + offload + communication + host", t->total,
                "s", "%.6g + %.6g + %.6g + %.6g + %.6g", gpu, t->optimizer, t->offload, sent,
                t->host);
    explain_add(e, "rate", samples ? "samples of a step / step" : "tokens of a step / step",
                rate * (double)s->gpus, samples ? "samples/s" : "tokens/s", "%.6g / %.6g",
                samples ? step_samples(s) : t->tokens, t->total);
    explain_add(e, "MFU", "model FLOP / (step x bf16 peak)", t->model_flop / t->total / peak,
                "", "%.6g / (%.6g x %.6g)", t->model_flop, t->total, peak);
    power(e, s, t, c);
}
