/* Formulas of the model itself, of serving, and of what hours come to. */
#include "estimate/explain.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "estimate/kernels/comm.h"
#include "estimate/kernels/kernels.h"
#include "estimate/memory/memory.h"
#include "estimate/money/energy.h"
#include "estimate/step/rollout.h"

/* Formulas of what a GPU holds in training. memory.c has the arithmetic: the parts are those of
 * the fullest moment of a step, so some are not there. */

#define TEXT_MAX 512
#define EXPLAIN_MAX 64 /* formulas that one function adds; a test shows that it is enough */

/* A list of formulas that is being written. */
struct explain {
    struct arena *arena;
    struct estimate_formula *at;
    size_t len, max;
    bool failed; /* the error is set; nothing more is added */
    struct error *err;
};

/* What differs between two numbers, as " + 1.2e9" or " - 1.2e9"; empty when it is
 * negligible. */
struct explain_rest {
    char text[32];
};

static struct str keep_explain_text(struct explain *e, const char *text)
{
    const char *copy = e->failed ? NULL : str_dup(str_from(text), e->arena, e->err);

    e->failed |= copy == NULL;
    return str_from(copy);
}

/* "NAME = FORMULA", the numbers, and their value. Nothing is added when the value is 0 or
 * unknown: such a part does not exist. */
PRINTF_LIKE(6, 7)
static void explain_add(struct explain *e, const char *name, const char *formula, double value,
                        const char *unit, const char *numbers, ...)
{
    char text[TEXT_MAX], whole[TEXT_MAX];
    struct estimate_formula f = {.value = value, .unit = str_from(unit)};
    va_list args;

    if (e->failed || !isfinite(value) || value == 0 || e->len == e->max)
        return;
    va_start(args, numbers);
    (void)vsnprintf(text, sizeof text, numbers, args);
    va_end(args);
    (void)snprintf(whole, sizeof whole, "%s = %s", name, formula);
    f.name = keep_explain_text(e, name);
    f.formula = keep_explain_text(e, whole);
    f.numbers = keep_explain_text(e, text);
    if (!e->failed)
        e->at[e->len++] = f;
}

/* Parameters that one GPU has before ZeRO. */
static void local_params(struct explain *e, const struct setup *s)
{
    struct arch_params p = arch_count(s->arch);
    double layers = p.attention + p.ffn + p.other, ends = p.embedding + p.head;

    if (s->pipeline > 1)
        ends = fmax(p.embedding, p.head);
    explain_add(e, "local parameters",
                s->expert > 1 ? "(layers / pipeline + embedding or head) / tensor + experts / "
                                "(pipeline x expert parallel)"
                              : "(layers / pipeline + embedding or head) / tensor + experts / "
                                "(pipeline x tensor)",
                setup_local_params(s), "parameters",
                "(%.6g / %lld + %.6g) / %lld + %.6g / (%lld x %.0f)", layers,
                (long long)s->pipeline, ends, (long long)s->tensor, p.experts,
                (long long)s->pipeline, setup_expert_split(s) / (double)s->pipeline);
}

/* What passes through, and what libraries and the driver hold. */
static void explain_remaining_memory(struct explain *e, const struct setup *s,
                                     const struct memory *m)
{
    double logits = arch_is_other(s->arch) ? 1 : micro_tokens(s) * (double)s->arch->vocab;
    double each = s->method == METHOD_QLORA ? weights_bytes(s->base)
                                            : precision_activation_bytes(s->precision);
    double moving = m->activations + m->working + m->logits + m->gathered;

    explain_add(e, "logits", "tokens x vocabulary / tensor x bytes of a logit at the loss",
                m->logits / 1e9, "GB", "%.6g x %lld / %lld x %.5g",
                logits / (double)s->arch->vocab, (long long)s->arch->vocab,
                (long long)s->tensor, m->logits * (double)s->tensor / logits);
    explain_add(e, "gathered", "parameters put together at a time x bytes", m->gathered / 1e9,
                "GB", "%.6g x %.5g", m->gathered / each, each);
    explain_add(e, "workspace", "of libraries and the trainer", m->workspace / 1e9, "GB",
                "%.5g", m->workspace);
    explain_add(e, "fragmentation",
                "share x (activations + working set + logits + gathered), while there is room",
                m->fragmentation / 1e9, "GB", "%.5g x (%.5g + %.5g + %.5g + %.5g)",
                m->fragmentation / moving, m->activations, m->working, m->logits, m->gathered);
    explain_add(e, "buffers", "groups of GPUs x bytes that the library of collectives holds",
                m->buffers / 1e9, "GB", "%d x %.5g",
                (s->data > 1) + (s->tensor > 1) + (s->pipeline > 1) + (s->context > 1) +
                    (s->expert > 1),
                m->buffers / ((s->data > 1) + (s->tensor > 1) + (s->pipeline > 1) +
                              (s->context > 1) + (s->expert > 1)));
    explain_add(e, "context", "the driver and its kernels", m->context / 1e9, "GB", "%.5g",
                m->context);
}

static struct explain_rest explain_rest(double value, double counted)
{
    struct explain_rest r = {.text = ""};
    double rest = value - counted;

    if (isfinite(rest) && fabs(rest) > 1e-3 * fabs(value))
        (void)snprintf(r.text, sizeof r.text, " %c %.5g", rest < 0 ? '-' : '+', fabs(rest));
    return r;
}

static void weights(struct explain *e, const struct setup *s, const struct memory *m)
{
    double local = setup_local_params(s), shards = s->zero == 3 ? (double)s->shard : 1;
    double each = precision_weight_bytes(s->precision), counted;
    struct explain_rest more;

    if (s->method == METHOD_QLORA) {
        explain_add(e, "weights",
                    "local parameters x mean bytes of one (frozen ones packed, ends wide) / "
                    "ZeRO-3 shards",
                    m->weights / 1e9, "GB", "%.6g x %.5g / %.0f", local,
                    m->weights * shards / local, shards);
        return;
    }
    counted = local * each / shards;
    more = explain_rest(m->weights, counted);
    explain_add(e, "weights",
                more.text[0] == '\0' ? "local parameters x bytes / ZeRO-3 shards"
                : shards > 1 ? "local parameters x bytes / ZeRO-3 shards, experts over fewer"
                             : "local parameters x bytes, and autocast's copies",
                m->weights / 1e9, "GB", "%.6g x %.0f / %.0f%s", local, each, shards, more.text);
}

/* A state that ZeRO shards from `stage` on; experts over the ranks that hold the same ones. */
static void state(struct explain *e, const struct setup *s, const char *name,
                  const char *formula, double value, double each, int stage)
{
    double local = setup_local_params(s), shards = s->zero >= stage ? (double)s->shard : 1;
    struct explain_rest more = explain_rest(value, local * each / shards);
    bool fewer = more.text[0] != '\0' && s->arch->experts > 0 && shards > 1;
    char text[160];

    (void)snprintf(text, sizeof text, "%s%s", formula, fewer ? ", experts over fewer" : "");
    explain_add(e, name, text, value / 1e9, "GB", "%.6g x %.5g / %.0f%s", local, each, shards,
                more.text);
}

static void states(struct explain *e, const struct setup *s, const struct memory *m)
{
    double trained = setup_local_trained(s), local = setup_local_params(s);
    double each = precision_gradient_bytes(s->precision, s->stack);
    double counted = local * each / (s->zero >= 2 ? (double)s->shard : 1);

    if (s->method != METHOD_FULL) {
        explain_add(e, "adapters",
                    "trained parameters x bytes of weight, copy, gradient, states",
                    m->lora / 1e9, "GB", "%.6g x %.5g", trained, m->lora / trained);
        return;
    }
    state(e, s, "master weights", "local parameters x 4 B / ZeRO-1 shards", m->master,
          precision_master_bytes(s->precision), 1);
    state(e, s, "gradients",
          m->gradients < 0.999 * counted
              ? "local parameters x bytes / ZeRO-2 shards, less those not yet computed"
          : m->gradients > 1.001 * counted && s->zero == 0
              ? "local parameters x bytes / ZeRO-2 shards, and buckets to send from"
              : "local parameters x bytes / ZeRO-2 shards",
          m->gradients, each, 2);
    state(e, s, "optimizer states", "local parameters x bytes of states / ZeRO-1 shards",
          m->optimizer, optimizer_state_bytes(s->optimizer, s->precision), 1);
}

static void activations(struct explain *e, const struct setup *s, const struct memory *m)
{
    const struct arch *a = s->arch;
    double tokens, layers, stage, ends, kept;

    if (arch_is_other(a)) {
        explain_add(e, "activations", "samples x bytes kept of one", m->activations / 1e9, "GB",
                    "%lld x %.6g", (long long)s->micro_batch,
                    m->activations / (double)s->micro_batch);
        return;
    }
    tokens = micro_tokens(s);
    layers = ceil((double)(a->layers + a->decoder_layers) / (double)s->pipeline);
    stage = stage_activations(s);
    ends = head_activations(s);
    kept = stage / layers;
    if (m->activations > 0)
        explain_add(e, "kept of a layer", "tokens of a micro-batch x hidden x bytes for each",
                    kept / 1e9, "GB", "%.6g x %lld x %.5g", tokens, (long long)a->hidden,
                    kept / tokens / (double)a->hidden);
    if (m->moment != MOMENT_PIPELINE)
        explain_add(e, "activations", "layers of a stage x kept of a layer + input of the head",
                    m->activations / 1e9, "GB", "%.0f x %.6g + %.6g", layers, kept, ends);
    else
        explain_add(e, "activations",
                    "micro-batches under way x layers of a stage x kept of a layer",
                    m->activations / 1e9, "GB", "%.5g x %.0f x %.6g", m->activations / stage,
                    layers, kept);
}

static void working(struct explain *e, const struct setup *s, const struct memory *m)
{
    double layer = arch_is_other(s->arch) ? m->working : layer_working(s);
    double trained = setup_local_trained(s);

    if (s->zero >= 1)
        trained /= (double)s->shard;
    if (m->moment == MOMENT_STEP)
        explain_add(e, "working set", "parameters that are updated x temporary bytes",
                    m->working / 1e9, "GB", "%.6g x %.5g", trained, m->working / trained);
    else
        explain_add(
            e, "working set", "tensors of the layer being computed, and their gradients",
            m->working / 1e9, "GB", "%.6g%s", layer, explain_rest(m->working, layer).text);
}

/* Of a model on GPUs of its own: what is there at its fullest moment. */
static void explain_role_memory(struct explain *e, const struct setup *s,
                                const struct memory *m)
{
    explain_add(e, "other models", "weights and states of those on this GPU", m->models / 1e9,
                "GB", "%.6g", m->models);
    explain_add(e, "engine", "2 x parameters / GPUs of a copy, and its graphs", m->engine / 1e9,
                "GB", "%.6g", m->engine);
    explain_add(e, "working set", "tensors of the layer being computed", m->working / 1e9, "GB",
                "%.6g", m->working);
    explain_remaining_memory(e, s, m);
}

static void explain_training_memory(struct explain *e, const struct setup *s,
                                    const struct memory *m)
{
    double usable = usable_memory(s->gpu);
    bool trained = m->at == ROLE_POLICY || m->at == ROLE_CRITIC;
    struct setup g = trained && m->at != ROLE_POLICY ? alignment_longest(s, m->at) : *s;
    char text[160];

    if (trained) {
        local_params(e, &g);
        weights(e, &g, m);
        states(e, &g, m);
        activations(e, &g, m);
        working(e, &g, m);
        explain_remaining_memory(e, &g, m);
    } else {
        explain_role_memory(e, s, m);
    }
    (void)snprintf(text, sizeof text,
                   "the sum at the fullest moment (%s%s%s), with fragmentation, "
                   "buffers and context",
                   memory_moment_names[m->moment], m->at != ROLE_POLICY ? ", GPUs of the " : "",
                   m->at != ROLE_POLICY ? role_names[m->at] : "");
    explain_add(e, "memory", text, m->device / 1e9, "GB", "%.6g + %.5g + %.5g + %.5g",
                m->allocated, m->fragmentation, m->buffers, m->context);
    explain_add(e, "usable memory",
                "GB of the data sheet x 2^30 x what firmware and checks leave", usable / 1e9,
                "GB", "%.6g x 2^30 x %.5g", s->gpu->memory_gb,
                usable / (s->gpu->memory_gb * BYTES_PER_GIB));
    explain_add(e, m->paged > 0 ? "paged" : "offloaded",
                "states kept in the machine's memory, for each GPU", m->host / 1e9, "GB",
                "%.6g", m->host);
}

/* Formulas of a step's time. layer.c, comm.c and step.c have the arithmetic; here each part is
 * shown as its work over the rate it reached, and the rates beside what the card could do. */

static double all_explained_layers(const struct arch *a)
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
        arch_count(a).matmul, all_explained_layers(a), (long long)a->heads,
        (long long)a->head_dim, (long long)s->sequence, visible_share(a, (double)s->sequence));
    explain_add(e, "model FLOP", "FLOP per token x tokens of a step / GPUs",
                t->model_flop / 1e12, "TFLOP", "%.6g x %.6g / %lld", t->model_flop / tokens,
                t->tokens, (long long)s->gpus);
}

static void rates(struct explain *e, const struct setup *s, const struct constants *c)
{
    struct rates r = rates_with(s->gpu, s->precision, s->attention, c);
    double peak = peak_flops(s->gpu, s->precision), half = peak_flops(s->gpu, PRECISION_BF16);
    double bandwidth = r.memory / c->at[C_memory_rate];

    rates_sustain(&r, s->gpu, setup_is_tuned(s), c);
    explain_add(e, "rate of products", "share that large ones reach x peak", r.products / 1e12,
                "TFLOP/s", "%.5g x %.6g", r.products / peak, peak);
    if (!arch_is_other(s->arch) && s->attention != ATTENTION_PLAIN)
        explain_add(e, "rate of attention", "share that it reaches forward x bf16 peak",
                    r.attention / 1e12, "TFLOP/s", "%.5g x %.6g", r.attention / half, half);
    explain_add(e, "rate of memory", "share x bandwidth", r.memory / 1e9, "GB/s", "%.5g x %.6g",
                r.memory / bandwidth, bandwidth);
}

/* Bytes a second that passes over activations reach. */
static double memory_rate(const struct setup *s, const struct constants *c)
{
    struct rates r = rates_of(s->gpu, s->precision, c);

    rates_sustain(&r, s->gpu, setup_is_tuned(s), c);
    return r.memory;
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

static void explain_compute(struct explain *e, const struct setup *s, const struct step *t,
                            const struct constants *c)
{
    const struct arch *a = s->arch;
    struct arch_params p = arch_count(a);
    double peak = peak_flops(s->gpu, s->precision), memory = memory_rate(s, c);
    double micro = (double)s->accumulation, tokens = micro_tokens(s) * micro;
    double split = (double)(s->tensor * s->pipeline), sequence = (double)s->sequence;
    double head = a->kind == ARCH_VIT ? p.embedding : (double)(a->vocab * a->hidden);
    double score =
        tokens * sequence * (double)(a->heads * a->head_dim) / split * all_explained_layers(a);
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
    explain_add(e, "recompute", "micro-batches x seconds of recomputation", t->recompute, "s",
                "%.0f x %.6g", micro, t->recompute / micro);
    memory_part(e, "dequantize", "bytes read and written / rate of memory", t->dequantise,
                memory);
}

static void small_compute(struct explain *e, const struct setup *s, const struct step *t,
                          const struct constants *c)
{
    double peak = peak_flops(s->gpu, s->precision), memory = memory_rate(s, c);

    work_part(e, "products", "model FLOP / (share reached x peak)", t->products, t->model_flop,
              peak);
    memory_part(e, "elementwise", "bytes of all that is not a product / rate of memory",
                t->elementwise, memory);
    explain_add(e, "recompute", "micro-batches x seconds of recomputation", t->recompute, "s",
                "%lld x %.6g", (long long)s->accumulation,
                t->recompute / (double)s->accumulation);
}

static void update(struct explain *e, const struct setup *s, const struct step *t,
                   const struct constants *c)
{
    double memory = rates_of(s->gpu, PRECISION_FP32, c).memory, bus = offload_bytes(s->gpu, c);
    double params = setup_local_trained(s);

    if (s->zero >= 1)
        params /= fmax(1, fmin((double)s->shard, (double)(s->data * s->context)));
    explain_add(e, "optimizer",
                "parameters updated here x bytes read and written for one / rate of memory",
                t->optimizer, "s", "%.6g x %.5g / %.6g", params, t->optimizer * memory / params,
                memory);
    explain_add(e, "offload",
                optimizer_is_paged(s->optimizer)
                    ? "parameters updated here x bytes paged out and in again / rate of the bus"
                    : "parameters updated here x bytes sent and waited for / rate of the bus",
                t->offload, "s", "%.6g x %.5g / %.6g", params, t->offload * bus / params, bus);
}

/* One collective, and the share of all of them that sticks out. */
static void tensor_parallel(struct explain *e, const struct setup *s, const struct wires *w,
                            const struct step *t)
{
    double again = s->recompute == RECOMPUTE_FULL ? 1.5 : 1, one;
    double size =
        micro_tokens(s) * (double)s->arch->hidden * precision_activation_bytes(s->precision);
    double count = 4 * again * all_explained_layers(s->arch) / (double)s->pipeline *
                   (double)s->accumulation;

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
static double explain_exchange(struct explain *e, const struct setup *s, const struct wires *w,
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
    all = explain_exchange(e, s, w, params * each);
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

/* Models on GPUs of their own: how long each has work in a step, and what waits. */
static void explain_alignment(struct explain *e, const struct setup *s, const struct step *t)
{
    const struct alignment *a = &s->alignment;
    double gpus = (double)setup_gpus(s), work = 0;

    if (alignment_own_gpus(a) == 0)
        return;
    for (int role = 0; role < ROLE_COUNT; role++) {
        double own = (double)(role == ROLE_POLICY ? s->gpus : a->own[role]);
        char name[48];

        (void)snprintf(name, sizeof name, "work of the %s", role_names[role]);
        explain_add(e, name, "GPUs x seconds of a step in which they have work",
                    own * t->at_work[role], "GPU s", "%.0f x %.6g", own, t->at_work[role]);
        work += own * t->at_work[role];
    }
    explain_add(e, "other models", "longest reading of the answers by the models, side by side",
                t->scores, "s", "%.6g", t->scores);
    explain_add(e, "critic",
                a->at[ROLE_CRITIC] == ROLE_CRITIC
                    ? "what its training takes longer than that of the model beside it"
                    : "its training, after that of the model",
                t->critic, "s", "%.6g", t->critic);
    explain_add(e, "answers",
                a->async ? "what writing takes longer than the rest of the step beside it"
                         : "writing, before the rest of the step",
                t->rollouts, "s", "%.6g", t->rollouts);
    explain_add(e, "idle", "1 - work of all / (GPUs x step)", 1 - work / (gpus * t->total), "",
                "1 - %.6g / (%.0f x %.6g)", work, gpus, t->total);
}

/* Parts of it, in this order. */
static void explain_step(struct explain *e, const struct setup *s, const struct step *t,
                         const struct constants *c)
{
    double gpu = t->products + t->attention + t->elementwise + t->loss + t->recompute +
                 t->dequantise + t->encoders;
    double sent = t->tensor + t->context + t->expert + t->pipeline + t->data;
    double peak = peak_flops(s->gpu, PRECISION_BF16), rate = step_rate(t, s);
    bool samples = arch_is_other(s->arch) || s->arch->kind == ARCH_VIT;
    double others = t->scores + t->critic + t->rollouts;
    char more[96] = "";

    if (others > 0)
        (void)snprintf(more, sizeof more, " + %.6g + %.6g + %.6g", t->scores, t->critic,
                       t->rollouts);
    model_work(e, s, t);
    rates(e, s, c);
    if (arch_is_other(s->arch))
        small_compute(e, s, t, c);
    else
        explain_compute(e, s, t, c);
    update(e, s, t, c);
    communication(e, s, t, c);
    explain_alignment(e, s, t);
    explain_add(e, "step",
                others > 0
                    ? "compute + optimizer + offload + communication + host + other models "
                      "+ critic + answers"
                    : "compute + optimizer + offload + communication + host",
                t->total, "s", "%.6g + %.6g + %.6g + %.6g + %.6g%s", gpu, t->optimizer,
                t->offload, sent, t->host, more);
    explain_add(e, "rate", samples ? "samples of a step / step" : "tokens of a step / step",
                rate * (double)s->gpus, samples ? "samples/s" : "tokens/s", "%.6g / %.6g",
                samples ? step_samples(s) : t->tokens, t->total);
    if (setup_gpus(s) > s->gpus)
        explain_add(e, "MFU",
                    "model FLOP x GPUs that are trained on / (step x bf16 peak x all GPUs)",
                    t->model_flop * (double)s->gpus / t->total / peak / (double)setup_gpus(s),
                    "", "%.6g x %lld / (%.6g x %.6g x %lld)", t->model_flop, (long long)s->gpus,
                    t->total, peak, (long long)setup_gpus(s));
    else
        explain_add(e, "MFU", "model FLOP / (step x bf16 peak)",
                    t->model_flop / t->total / peak, "", "%.6g / (%.6g x %.6g)", t->model_flop,
                    t->total, peak);
    power(e, s, t, c);
}

static bool explain_begin(struct explain *e, struct arena *arena, const struct rows *before,
                          struct error *err)
{
    size_t had = before != NULL ? before->len : 0;

    *e = (struct explain){.arena = arena, .err = err, .len = had, .max = had + EXPLAIN_MAX};
    e->at = arena_array(arena, struct estimate_formula, e->max, err);
    if (e->at == NULL)
        return false;
    if (had > 0)
        memcpy(e->at, before->at, had * sizeof *e->at);
    return true;
}

static bool explain_end(const struct explain *e, struct rows *out)
{
    if (e->failed)
        return false;
    *out = (struct rows){e->at, e->len};
    return true;
}

static void attention_params(struct explain *e, const struct arch *a, double attention)
{
    double blocks = (double)(a->layers + 2 * a->decoder_layers);

    if (a->mixer_layers > 0)
        explain_add(e, "attention parameters",
                    "layers with attention x those of one + layers with a state x those of one",
                    attention, "parameters", "%.0f x %.6g + %lld x %.6g",
                    blocks - (double)arch_layers_without_attention(a), arch_attention_params(a),
                    (long long)a->mixer_layers, a->mixer_params);
    else if (a->kv_rank > 0) /* six narrow matrices: one layer's are counted by arch.c */
        explain_add(e, "attention parameters",
                    "layers x those of one layer of latent attention", attention, "parameters",
                    "%.0f x %.6g", blocks, arch_attention_params(a));
    else
        explain_add(e, "attention parameters",
                    "layers x hidden x head width x (2 x heads + 2 x KV heads)", attention,
                    "parameters", "%.0f x %lld x %lld x (2 x %lld + 2 x %lld)", blocks,
                    (long long)a->hidden, (long long)a->head_dim, (long long)a->heads,
                    (long long)a->kv_heads);
}

static void explain_parameters(struct explain *e, const struct arch *a)
{
    struct arch_params p = arch_count(a);
    double layers = (double)(a->layers + a->decoder_layers), matrices = a->gated ? 3 : 2;
    double sparse = a->experts > 0 ? layers - (double)a->dense_layers : 0;

    if (arch_is_other(a)) {
        explain_add(e, "parameters", "as the model is described", p.total, "parameters", "%.6g",
                    p.total);
        return;
    }
    attention_params(e, a, p.attention);
    explain_add(e, "feed-forward parameters",
                "(dense layers x width + sparse layers x shared width) x matrices x hidden",
                p.ffn, "parameters", "(%.0f x %lld + %.0f x %lld) x %.0f x %lld",
                layers - sparse, (long long)a->ffn, sparse, (long long)a->shared_ffn, matrices,
                (long long)a->hidden);
    explain_add(e, "expert parameters", "sparse layers x experts x matrices x hidden x width",
                p.experts, "parameters", "%.0f x %lld x %.0f x %lld x %lld", sparse,
                (long long)a->experts, matrices, (long long)a->hidden,
                (long long)a->expert_ffn);
    if (a->kind == ARCH_VIT)
        explain_add(e, "patch parameters", "(3 x patch^2 + 1) x hidden", p.embedding,
                    "parameters", "(3 x %lld^2 + 1) x %lld", (long long)a->patch,
                    (long long)a->hidden);
    else
        explain_add(e, "embedding parameters", "vocabulary x hidden", p.embedding, "parameters",
                    "%lld x %lld", (long long)a->vocab, (long long)a->hidden);
    explain_add(e, "head parameters", "vocabulary x hidden, unless it is the embedding", p.head,
                "parameters", "%lld x %lld", (long long)a->vocab, (long long)a->hidden);
    explain_add(e, "parameters",
                "attention + feed-forward + experts + ends + norms and the like", p.total,
                "parameters", "%.6g + %.6g + %.6g + %.6g + %.6g", p.attention, p.ffn, p.experts,
                p.embedding + p.head, p.other);
    if (p.active < p.total)
        explain_add(e, "active parameters",
                    "parameters - experts x (1 - active experts / experts)", p.active,
                    "parameters", "%.6g - %.6g x (1 - %lld / %lld)", p.total, p.experts,
                    (long long)a->active_experts, (long long)a->experts);
}

bool explain_training(const struct setup *s, const struct memory *m, const struct step *t,
                      const struct constants *c, struct arena *arena, struct rows *out,
                      struct error *err)
{
    struct explain e;

    if (!explain_begin(&e, arena, NULL, err))
        return false;
    explain_parameters(&e, s->arch);
    explain_training_memory(&e, s, m);
    explain_step(&e, s, t, c);
    return explain_end(&e, out);
}

static void serving_memory(struct explain *e, const struct serving *s,
                           const struct serving_memory *m)
{
    double params = arch_count(s->arch).total, gpus = (double)(s->tensor * s->pipeline);
    double tokens = s->input + s->output;

    explain_add(e, "weights", "parameters x mean bytes of one / GPUs that share them",
                m->weights / 1e9, "GB", "%.6g x %.5g / %.0f", params,
                m->weights * gpus / params, gpus);
    explain_add(e, "cache", "sequences x tokens of each x bytes of a token on one GPU",
                m->cache / 1e9, "GB", "%.6g x %.0f x %.6g", s->batch, tokens,
                m->cache / s->batch / tokens);
    explain_add(e, "activations", "sequences x bytes of the tensors of one",
                m->activations / 1e9, "GB", "%.6g x %.6g", s->batch, m->activations / s->batch);
    explain_add(e, "workspace", "of libraries", m->workspace / 1e9, "GB", "%.6g", m->workspace);
    explain_add(e, "context", "the driver, its kernels and buffers", m->context / 1e9, "GB",
                "%.6g", m->context);
    if (m->device > 1.001 * (m->allocated + m->context))
        explain_add(e, "memory", "share that the server takes x usable memory", m->device / 1e9,
                    "GB", "%.4g x %.6g", m->device / usable_memory(s->gpu),
                    usable_memory(s->gpu));
    else
        explain_add(e, "memory", "weights + cache + activations + workspace + context",
                    m->device / 1e9, "GB", "%.5g + %.5g + %.5g + %.5g + %.5g", m->weights,
                    m->cache, m->activations, m->workspace, m->context);
}

static void serving_time(struct explain *e, const struct serving *s,
                         const struct serving_memory *m, const struct serving_time *t)
{
    double matmul = arch_count(s->arch).matmul, peak = peak_flops(s->gpu, PRECISION_BF16);
    double sequences = s->rolling ? 1 : s->batch;
    double flop = 2 * matmul * sequences * s->input, gpus = (double)s->gpus;
    double bandwidth = s->gpu->bandwidth_gb_s * 1e9, read = m->weights + m->cache;

    if (s->input > 0)
        explain_add(e, "prefill",
                    "2 x parameters in products x sequences x tokens / (GPUs x share of peak "
                    "reached x peak)",
                    t->prefill, "s", "2 x %.6g x %.6g x %.0f / (%.0f x %.5g x %.5g)", matmul,
                    sequences, s->input, gpus, flop / (t->prefill * gpus * peak), peak);
    if (s->output > 0)
        explain_add(e, "decode step",
                    "(bytes of weights + bytes of cache) / (share of bandwidth reached x "
                    "bandwidth)",
                    t->decode, "s", "(%.6g + %.6g) / (%.5g x %.5g)", m->weights, m->cache,
                    read / (t->decode * bandwidth), bandwidth);
    if (s->output > 1)
        explain_add(e, "request", "first token + (output - 1) x decode step", t->request, "s",
                    "%.5g + (%.0f - 1) x %.6g", t->request - (s->output - 1) * t->decode,
                    s->output, t->decode);
    explain_add(e, "rate",
                s->output > 0 ? "sequences x output / request" : "sequences / request",
                s->batch * (s->output > 0 ? s->output : 1) / t->request,
                s->output > 0 ? "tokens/s" : "requests/s", "%.6g x %.6g / %.6g", s->batch,
                s->output > 0 ? s->output : 1, t->request);
}

bool explain_serving(const struct serving *s, const struct constants *c, struct arena *arena,
                     struct rows *out, struct error *err)
{
    struct serving_memory m = estimate_serving_memory(s, c);
    struct serving_time t = estimate_serving(s, c);
    struct explain e;

    if (!explain_begin(&e, arena, NULL, err))
        return false;
    explain_parameters(&e, s->arch);
    serving_memory(&e, s, &m);
    serving_time(&e, s, &m, &t);
    return explain_end(&e, out);
}

/* The sum of the lines as it would be typed. */
static void cost_sum(struct explain *e, const struct estimate *res)
{
    const struct estimate_line *lines = res->cost.at;
    char text[TEXT_MAX] = "";
    size_t used = 0;

    for (size_t i = 0; i < res->cost.len; i++)
        if (used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.6g",
                                     i > 0 ? " + " : "", usd_double(lines[i].amount));
    explain_add(e, "cost", "the sum of its lines", usd_double(res->total), "$", "%s", text);
}

bool explain_totals(struct arena *arena, struct estimate *res, struct error *err)
{
    double work = res->hours.value * res->goodput, price = (double)res->price.nano / 1e9;
    bool priced = res->price.nano != MONEY_UNKNOWN;
    struct explain e;

    if (!explain_begin(&e, arena, &res->formulas, err))
        return false;
    if (res->goodput == 1)
        explain_add(&e, "hours", "steps x step / 3600 s", res->hours.value, "h",
                    "%.6g x %.6g / 3600", res->steps, res->step_s.value);
    else
        explain_add(&e, "hours", "steps x step / 3600 s / goodput", res->hours.value, "h",
                    "%.6g x %.6g / 3600 / %.4g", res->steps, res->step_s.value, res->goodput);
    explain_add(&e, "energy", "watts of a node x nodes x hours at that power x PUE",
                res->energy_kwh.value, "kWh", "%.6g x %lld x %.6g x %.5g / 1000", res->watts,
                (long long)res->nodes,
                res->energy_kwh.value * 1000 / (res->watts * (double)res->nodes * res->pue),
                res->pue);
    explain_add(&e, "carbon", "energy x grams for a kWh", res->carbon_kg.value, "kg CO2e",
                "%.6g x %.5g / 1000", res->energy_kwh.value, res->carbon_g_kwh);
    if (priced)
        explain_add(&e, "compute", "machines x price of one x hours",
                    (double)res->machines * price * work, "$", "%lld x %.6g x %.6g",
                    (long long)res->machines, price, work);
    if (res->cost.len > 0)
        cost_sum(&e, res);
    return explain_end(&e, &res->formulas);
}
