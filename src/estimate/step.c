#include "estimate/step.h"

#include <math.h>

#include "estimate/comm.h"
#include "estimate/image.h"
#include "estimate/layer.h"

/* What of `inner` sticks out when it runs beside `cover`. */
static double exposed(double inner, double cover)
{
    return longer(inner, cover) - cover;
}

/* The same for a collective, which takes cores and bandwidth from the work that hides it. */
static double exposed_comm(double comm, double cover, const struct constants *c)
{
    return exposed(comm, cover) + c->at[C_comm_friction] * fmin(comm, cover);
}

/* Exchange inside the layers, of one micro-batch on one stage. */
static void add_layer_comm(struct step *t, const struct setup *s, const struct wires *w,
                           double attention, const struct constants *c)
{
    const struct arch *a = s->arch;
    double stage = (double)(a->layers + a->decoder_layers) / (double)s->pipeline;
    double tokens = micro_tokens(s), eb = precision_activation_bytes(s->precision);
    double again = s->recompute == RECOMPUTE_FULL ? 1.5 : 1;
    double tensor = (double)s->tensor, context = (double)s->context;

    if (s->tensor > 1) /* two forward, two backward in each layer */
        t->tensor += 4 * again * stage * (1 - fmin(0.95, c->at[C_overlap_tensor])) *
                     all_reduce(w, tokens * (double)a->hidden * eb, tensor, 1);
    if (s->context > 1) {
        double kv = 2 * (double)(a->kv_heads * a->head_dim) / tensor * tokens * eb;
        double ring = stage * 3 * again * all_gather(w, kv * context, context, tensor);

        t->context += exposed_comm(ring, attention * c->at[C_overlap_context], c);
    }
    if (s->expert > 1) {
        double sparse = stage * (1 - (double)a->dense_layers / (double)a->layers);
        double sent =
            precision_narrow(s->precision) ? (1 + eb) / 2 : eb; /* fp8 there, full width back */
        double size = tokens * (double)(a->active_experts * a->hidden) * sent;

        t->expert +=
            4 * again * sparse * (1 - fmin(0.95, c->at[C_overlap_expert])) *
            all_to_all(w, size, (double)s->expert, tensor * context, (double)a->active_experts);
    }
}

/* Gradients, and the gathers of ZeRO, for a whole step. `forward` and `backward` are the
 * seconds of one micro-batch that can hide them. */
static double data_time(const struct setup *s, const struct wires *w, double forward,
                        double backward, const struct constants *c)
{
    double ranks = (double)(s->data * s->context), stride = (double)s->tensor;
    double shard = fmin((double)s->shard, ranks), copies = ranks / shard;
    double micro = (double)s->accumulation, trained = setup_local_trained(s);
    double gradient =
        trained *
        (s->method == METHOD_FULL ? precision_gradient_bytes(s->precision, s->stack) : 4);
    bool deepspeed = s->stack == STACK_HF || s->stack == STACK_DEEPSPEED;
    double hidden = c->at[deepspeed ? C_overlap_deepspeed : C_overlap_gather], time = 0;

    if (ranks <= 1)
        return 0;
    if (s->stack == STACK_FSDP)
        gradient = fmin(gradient, trained * 2); /* reduced in the precision of the products */
    if (s->optimizer == OPTIMIZER_ADAMW_1BIT)
        gradient *= c->at[C_gradient_1bit];
    if (s->zero < 3) {
        double reduce = copies > 1 ? all_gather(w, gradient, shard, stride) * 2 +
                                         all_reduce(w, gradient / shard, copies, stride * shard)
                                   : all_reduce(w, gradient, ranks, stride);

        if (s->zero == 2 &&
            s->stack != STACK_MEGATRON) /* reduced after every micro-batch, not once */
            return exposed_comm(reduce / 2, backward * c->at[C_overlap_data], c) * micro +
                   reduce / 2;
        return exposed_comm(reduce, backward * c->at[C_overlap_data], c);
    }
    {
        double size =
            setup_local_params(s) * (s->method == METHOD_QLORA
                                         ? weights_bytes(s->base)
                                         : fmin(2, precision_weight_bytes(s->precision)));
        double gather = all_gather(w, size, shard, stride);
        double reduce = all_gather(w, gradient, shard, stride);

        if (copies > 1)
            reduce += all_reduce(w, gradient / shard, copies, stride * shard);
        time = exposed_comm(gather, forward * hidden, c) +
               exposed_comm(gather + reduce, backward * hidden, c);
    }
    return time * micro;
}

static double optimizer_time(const struct setup *s, const struct constants *c, double *offload)
{
    struct rates r = rates_of(s->gpu, PRECISION_FP32, c);
    enum precision p = s->precision;
    double params = setup_local_trained(s), weight = precision_weight_bytes(p), each, size;

    if (s->zero >= 1)
        params /= fmin((double)s->shard, (double)(s->data * s->context));
    if (s->method != METHOD_FULL)
        weight = 4;
    each = 2 * fmax(precision_master_bytes(p), weight) +
           (precision_master_bytes(p) > 0 ? weight : 0) +
           2 * optimizer_state_bytes(s->optimizer, p) + precision_gradient_bytes(p, s->stack);
    size = params * each * c->at[C_passes_optimizer];
    if (s->offload != OFFLOAD_NONE) {
        double bus = c->at[C_offload_rate] * (s->offload == OFFLOAD_NVME ? 0.25 : 1);

        *offload = params * 6 / bus + params / c->at[C_offload_step];
        if (s->offload != OFFLOAD_OPTIMIZER)
            *offload += 2 * setup_local_params(s) * 2 / bus * (double)s->accumulation /
                        (s->zero == 3 ? (double)s->shard : 1);
        return 0;
    }
    if (!s->fused_optimizer && s->stack != STACK_MEGATRON && s->stack != STACK_DEEPSPEED &&
        s->stack != STACK_XLA)
        size *=
            c->at[C_passes_foreach]; /* PyTorch's default: one pass for each arithmetic step */
    return memory_time(&r, size, 20);
}

/* DeepSpeed goes over the gradients of every micro-batch: buckets, checks, fp32 sums. */
static double bookkeeping_time(const struct setup *s, const struct constants *c)
{
    struct rates r = rates_of(s->gpu, PRECISION_FP32, c);

    if ((s->stack != STACK_HF && s->stack != STACK_DEEPSPEED) || s->method != METHOD_FULL)
        return 0;
    return memory_time(&r, c->at[C_passes_bucket] * setup_local_trained(s), 0) *
           (double)s->accumulation;
}

static double model_flop(const struct setup *s)
{
    const struct arch *a = s->arch;
    double tokens = setup_tokens_per_step(s) / (double)s->gpus;
    double pairs = (double)(a->layers + a->decoder_layers) * (double)(a->heads * a->head_dim) *
                   (double)s->sequence * visible_share(a, (double)s->sequence);

    /* Frozen weights have no gradient of their own. */
    return tokens * ((s->method == METHOD_FULL ? 6 : 4) * arch_count(a).matmul + 12 * pairs);
}

/* Compute of one micro-batch on one stage: what is needed once, and what is done again. */
static void add_compute(struct step *t, const struct pass *layers, const struct pass *ends,
                        const struct setup *s)
{
    double share = 1 / (double)s->pipeline;

    /* Where layers divide evenly, the stage with the head has more to do than the others. */
    if (s->pipeline > 1 && s->arch->layers % s->pipeline == 0)
        share = 1;
    t->products += layers->forward.products + layers->backward.products;
    t->attention += layers->forward.attention + layers->backward.attention;
    t->elementwise += layers->forward.elementwise + layers->backward.elementwise;
    t->dequantise += layers->forward.dequantise + layers->backward.dequantise;
    t->loss += share * (work_total(&ends->forward) + work_total(&ends->backward));
    if (s->recompute == RECOMPUTE_FULL) {
        t->recompute += work_total(&layers->forward) - layers->forward.dequantise;
        t->dequantise += layers->forward.dequantise;
    } else if (s->recompute == RECOMPUTE_SELECTIVE) {
        if (s->attention == ATTENTION_PLAIN)
            t->recompute += layers->forward.attention;
        /* PyTorch's trainers keep every other product and compute the rest again. */
        if (s->stack != STACK_MEGATRON)
            t->recompute += layers->forward.elementwise + layers->forward.products / 2;
    }
}

static double compute_of(const struct step *t)
{
    return t->products + t->attention + t->elementwise + t->loss + t->recompute + t->dequantise;
}

static void times(struct step *t, double n)
{
    t->products *= n;
    t->attention *= n;
    t->elementwise *= n;
    t->loss *= n;
    t->recompute *= n;
    t->dequantise *= n;
    t->tensor *= n;
    t->context *= n;
    t->expert *= n;
}

static struct step text_step(const struct setup *s, const struct constants *c)
{
    struct step t = {0};
    struct pass layers, ends;
    struct wires w;
    double micro = (double)s->accumulation, nodes, compute, once, forward;

    layers = layers_pass(s, c);
    ends = ends_pass(s, c);
    w = wires_of(s, c);
    add_compute(&t, &layers, &ends, s);
    add_layer_comm(&t, s, &w, layers.forward.attention + layers.backward.attention, c);
    compute = compute_of(&t);
    once = compute + t.tensor + t.context + t.expert;
    t.host = exposed(layers.host + ends.host, once);
    once += t.host;
    if (s->pipeline > 1) {
        double size = micro_tokens(s) * (double)s->arch->hidden *
                      precision_activation_bytes(s->precision) / (double)s->tensor;
        double v = (double)s->virtual_pipeline;

        t.pipeline = (double)(s->pipeline - 1) / v * once +
                     c->at[C_pipeline_slack] * micro * 2 * v *
                         send_once(&w, size, (double)s->gpus / (double)s->pipeline);
    }
    forward = once * work_total(&layers.forward) /
              (work_total(&layers.forward) + work_total(&layers.backward));
    t.data = data_time(s, &w, forward, once - forward, c);
    t.host *= micro;
    t.host += c->at[C_host_step];
    times(&t, micro);
    t.optimizer = optimizer_time(s, c, &t.offload) + bookkeeping_time(s, c);
    nodes = ceil((double)s->gpus / fmax(w.domain, (double)s->per_node));
    t.total = compute_of(&t) + t.tensor + t.context + t.expert + t.pipeline + t.data + t.host +
              t.optimizer + t.offload;
    if (nodes > 1) { /* everyone waits for the slowest */
        double late = t.total * c->at[C_node_delay] * log2(nodes);

        t.data += late;
        t.total += late;
    }
    t.tokens = setup_tokens_per_step(s);
    t.model_flop = model_flop(s);
    t.effort = 1;
    t.busy = fmin(1, (compute * micro + t.optimizer) / t.total);
    return t;
}

/* What the user's runs have taught holds for the step as a whole: each part takes its share. */
static void correct(struct step *t, const struct setup *s, const struct constants *c)
{
    const struct correction *learned =
        correction_find(c->learned, c->learned_count, s->gpu->name, str_from(setup_framework(s)));
    double *parts[] = {&t->products,  &t->attention,  &t->elementwise, &t->loss,
                       &t->recompute, &t->dequantise, &t->optimizer,   &t->offload,
                       &t->tensor,    &t->context,    &t->expert,      &t->pipeline,
                       &t->data,      &t->host,       &t->total};

    if (learned == NULL)
        return;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        *parts[i] *= learned->factor;
}

struct step estimate_step(const struct setup *s, const struct constants *c)
{
    struct step t = arch_is_other(s->arch) ? estimate_image_step(s, c) : text_step(s, c);

    correct(&t, s, c);
    return t;
}

double step_samples(const struct setup *s)
{
    return setup_global_batch(s);
}

double step_rate(const struct step *step, const struct setup *s)
{
    bool samples = arch_counts_samples(s->arch);
    double done = samples ? setup_global_batch(s) : step->tokens;

    return done / step->total / (double)s->gpus;
}
