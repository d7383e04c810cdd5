#include "plan/space.h"

#include <math.h>

#include "estimate/choose.h"

#define FEWEST_STEPS 1000.0
#define LEAST_BATCH 4
#define ONE_NODE 8            /* GPUs that a given micro-batch may be on, at least */
#define MOST_TOKENS 4194304.0 /* of a step, whose batch we choose */
#define MOST_PICTURES 2048.0
#define MOST_MICRO 64
#define MOST_TENSOR 16 /* and context */
#define MOST_PIPELINE 128
#define MOST_EXPERT 64
#define LONG_SEQUENCE 8192 /* from which on it may be cut */
#define MARGIN 0.95        /* of the memory, that a setting of our choice may take */

static bool is_other(const struct space *s)
{
    return arch_is_other(s->base.arch);
}

static double per_batch(const struct setup *base)
{
    return arch_counts_samples(base->arch) ? 1 : (double)base->sequence;
}

/* The batch that is assumed when the job does not say: the largest power of two that leaves
 * 1,000 steps, but at least 4, and at most 4 million tokens. */
static int64_t usual_batch(const struct setup *base, double total)
{
    double each = per_batch(base), most = fmin(total / FEWEST_STEPS, MOST_TOKENS);
    int64_t batch = LEAST_BATCH;

    if (arch_counts_samples(base->arch))
        most = fmin(most, MOST_PICTURES);
    while (2 * (double)batch * each <= most)
        batch *= 2;
    return batch;
}

/* Precisions that lose no accuracy, and narrower ones when so much may be lost. */
static void find_precisions(struct space *s)
{
    const struct job_train *t = &s->job->train;
    const struct accelerator *gpu = s->base.gpu;

    s->precisions[s->precision_count++] = s->base.precision;
    if (t->precision.len > 0)
        return;
    if (s->base.precision == PRECISION_AMP_BF16)
        s->precisions[s->precision_count++] = PRECISION_BF16;
    if (is_other(s))
        return;
    if (t->tolerance >= 0.005 && gpu->fp8_tflops > 0)
        s->precisions[s->precision_count++] = PRECISION_FP8;
    if (t->tolerance >= 0.015 && gpu->fp4_tflops > 0)
        s->precisions[s->precision_count++] = PRECISION_FP4;
}

static bool degrees_said(const struct job_parallel *p)
{
    return p->tensor > 1 || p->pipeline > 1 || p->context > 1 || p->expert > 1;
}

static bool is_titan(const struct job_train *t)
{
    return str_has_nocase(t->framework, STR("titan"));
}

/* Software that shares layers. Plain FSDP does not; torchtitan, which is built on it, does.
 * Adapters are trained with PEFT, which does not, unless the job names something that does. */
static bool splits_layers(const struct job_train *t, const struct setup *base)
{
    if (t->framework.len == 0)
        return base->method == METHOD_FULL &&
               (base->stack != STACK_HF || degrees_said(&t->parallel));
    return base->stack == STACK_MEGATRON || base->stack == STACK_DEEPSPEED ||
           base->stack == STACK_XLA || is_titan(t);
}

static void find_batch(struct space *s)
{
    const struct job_train *t = &s->job->train;
    struct setup one = s->base;

    one.data = one.micro_batch = one.accumulation = 1;
    s->total = choose_total(s->job, &one);
    s->most = usual_batch(&s->base, t->steps > 0 ? 0 : s->total);
    if (t->micro_batch > 0 && s->most < ONE_NODE * t->micro_batch)
        s->most =
            ONE_NODE * t->micro_batch; /* a given micro-batch may mean a machine of them */
    s->batch = t->global_batch > 0 ? t->global_batch : t->micro_batch > 0 ? 0 : s->most;
    if (t->steps >
        0) { /* of the batch that is given or assumed, whatever the GPUs make of it */
        int64_t given = (t->micro_batch > 0 ? t->micro_batch : 1) *
                        (t->accumulation > 0 ? t->accumulation : 1);

        s->total = t->steps * (double)(s->batch > 0 ? s->batch : given) * per_batch(&s->base);
    }
}

bool space_open(const struct job *job, const struct constants *c, const struct accelerator *gpu,
                int64_t gpus, int64_t per_node, struct space *out, struct error *err)
{
    struct hardware hw = {
        .gpu = gpu, .gpus = gpus, .per_node = per_node, .host_bytes = (double)NAN};

    *out = (struct space){.job = job, .constants = c};
    if (!choose_base(job, &hw, &out->base, NULL, err))
        return false;
    if (!choose_native(gpu, out->base.precision))
        return error_fail(err, ERROR_INPUT, "%.*s does not compute in %s", STR_ARG(gpu->name),
                          precision_names[out->base.precision]);
    out->base.gpus = gpus;
    out->base.per_node = per_node;
    out->base.network_gb_s = choose_network(&hw);
    out->splits = !is_other(out) && gpus > 1 && splits_layers(&job->train, &out->base);
    out->margin = job->train.micro_batch > 0 ? 1 : MARGIN;
    find_precisions(out);
    find_batch(out);
    return true;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The given degree, or 1, 2, 4, ... up to `most`. */
static int64_t first_degree(int64_t given)
{
    return given > 0 ? given : 1;
}

static int64_t last_degree(int64_t given, int64_t most)
{
    return given > 0 ? given : most;
}

static int64_t most_context(const struct space *s)
{
    int64_t most = 1;

    while (s->splits && s->base.sequence / most >= LONG_SEQUENCE && most < MOST_TENSOR)
        most *= 2;
    return most;
}

static bool shares_layers(const struct shape *shape)
{
    return shape->tensor * shape->pipeline * shape->context * shape->expert > 1;
}

/* The software of our choice that can do it; what is given stays. */
static enum stack stack_of_shape(const struct space *s, const struct shape *shape)
{
    if (s->job->train.framework.len > 0 || s->base.gpus == 1 || is_other(s))
        return s->base.stack;
    return shares_layers(shape) ? STACK_MEGATRON : s->base.stack;
}

static void add_shape(const struct space *s, struct shape shape, struct shape *out,
                      size_t *count)
{
    const struct job_parallel *p = &s->job->train.parallel;
    struct setup trial = s->base;
    struct error ignored = {0};
    int64_t inner;

    if (shape.tensor > s->base.gpus || shape.pipeline > s->base.gpus ||
        shape.context > s->base.gpus) /* before they are multiplied */
        return;
    inner = shape.tensor * shape.pipeline * shape.context;
    if (inner > s->base.gpus || s->base.gpus % inner != 0)
        return;
    shape.data = s->base.gpus / inner;
    if ((p->data > 0 && p->data != shape.data) ||
        (shape.expert > 1 && p->expert < 1 && (shape.data * shape.tensor) % shape.expert != 0))
        return;
    shape.stack = stack_of_shape(s, &shape);
    trial.tensor = shape.tensor;
    trial.pipeline = shape.pipeline;
    trial.virtual_pipeline = choose_or_one(p->virtual_pipeline);
    trial.context = shape.context;
    trial.expert = shape.expert;
    trial.data = shape.data;
    trial.shard = trial.micro_batch = trial.accumulation = 1;
    if (!setup_check(&trial, &ignored))
        return;
    for (size_t i = 0; i < s->precision_count && *count < SPACE_SHAPES; i++) {
        shape.precision = s->precisions[i];
        out[(*count)++] = shape;
    }
}

size_t space_shapes(const struct space *s, struct shape out[static SPACE_SHAPES])
{
    const struct job_parallel *p = &s->job->train.parallel;
    int64_t gpus = s->base.gpus;
    int64_t most_tensor = s->splits ? least(least(s->base.per_node, gpus), MOST_TENSOR) : 1;
    int64_t most_pipeline =
        s->splits ? least(gpus, least(s->base.arch->layers, MOST_PIPELINE)) : 1;
    int64_t most_expert =
        s->splits && s->base.arch->experts > 0 ? least(s->base.arch->experts, MOST_EXPERT) : 1;
    struct shape shape = {0};
    size_t count = 0;

    for (shape.tensor = first_degree(p->tensor);
         shape.tensor <= last_degree(p->tensor, most_tensor); shape.tensor *= 2)
        for (shape.pipeline = first_degree(p->pipeline);
             shape.pipeline <= last_degree(p->pipeline, most_pipeline); shape.pipeline *= 2)
            for (shape.context = first_degree(p->context);
                 shape.context <= last_degree(p->context, most_context(s)); shape.context *= 2)
                for (shape.expert = first_degree(p->expert);
                     shape.expert <= last_degree(p->expert, most_expert); shape.expert *= 2)
                    add_shape(s, shape, out, &count);
    return count;
}

/* Micro-batches of a step that make up the batch; 0: these cannot. */
static int64_t accumulation_of(const struct space *s, const struct shape *shape, int64_t micro)
{
    const struct job_train *t = &s->job->train;
    int64_t at_once, steps;

    if (micro > (INT64_C(1) << 40) / shape->data)
        return 0;
    at_once = micro * shape->data;
    if (s->batch < 1) { /* the micro-batch is given: more GPUs make more of it, to a point */
        steps = choose_or_one(t->accumulation);
        return shape->data == 1 || at_once * steps <= s->most ? steps : 0;
    }
    if (at_once > s->batch)
        return 0;
    steps = t->accumulation > 0 ? t->accumulation : s->batch / at_once;
    return at_once * steps == s->batch ? steps : 0;
}

size_t space_micros(const struct space *s, const struct shape *shape,
                    struct micro out[static SPACE_MICROS])
{
    int64_t given = s->job->train.micro_batch;
    size_t count = 0;

    for (int64_t micro = first_degree(given); micro <= last_degree(given, MOST_MICRO);
         micro *= 2) {
        int64_t steps = accumulation_of(s, shape, micro);

        if (steps > 0)
            out[count++] = (struct micro){micro, steps};
    }
    return count;
}

/* GPUs of one machine that have the same part of the model. */
static int64_t local_ranks(const struct space *s, const struct shape *shape)
{
    int64_t ranks = shape->data * shape->context, local = s->base.per_node / shape->tensor;

    return local > 1 && local < ranks && ranks % local == 0 ? local : 0;
}

/* What shares layers shards the optimizer's states at most (Megatron's distributed optimizer,
 * DeepSpeed beside a pipeline); torchtitan and XLA shard all. */
static int last_stage(const struct space *s, const struct shape *shape)
{
    if (!shares_layers(shape) || shape->stack == STACK_XLA || is_titan(&s->job->train))
        return 3;
    return shape->stack == STACK_DEEPSPEED && shape->pipeline == 1 ? 3 : 1;
}

size_t space_zeros(const struct space *s, const struct shape *shape,
                   struct zero out[static SPACE_ZEROS])
{
    const struct job_parallel *p = &s->job->train.parallel;
    int64_t ranks = shape->data * shape->context, local = local_ranks(s, shape);
    bool alone = ranks == 1 || is_other(s);
    int first = p->zero >= 0 ? (int)p->zero : 0;
    int last = p->zero >= 0 ? first : alone ? 0 : last_stage(s, shape);
    size_t count = 0;

    if (p->shard > 0 && ranks % p->shard != 0)
        return 0;
    if (first > last_stage(s, shape) && !degrees_said(p))
        return 0; /* of a given stage, only degrees that go with it */
    for (int stage = first; stage <= last; stage++) {
        out[count++] = (struct zero){stage, p->shard > 0 ? p->shard : ranks};
        if (stage > 0 && local > 0 && p->shard < 1)
            out[count++] = (struct zero){stage, local};
    }
    return count;
}

size_t space_recomputes(const struct space *s, enum recompute out[static SPACE_WAYS])
{
    enum recompute given;

    if (recompute_of(s->job->train.recompute, &given)) {
        out[0] = given;
        return 1;
    }
    for (int way = 0; way < RECOMPUTE_COUNT; way++)
        out[way] = (enum recompute)way;
    return RECOMPUTE_COUNT;
}

/* What is offloaded is sharded first, or every GPU would move all of it. */
size_t space_offloads(const struct space *s, const struct shape *shape, struct zero zero,
                      enum offload out[static SPACE_WAYS])
{
    bool alone = shape->data * shape->context == 1;
    size_t count = 0;

    out[count++] = s->base.offload;
    if (s->job->train.parallel.offload.len > 0 || is_other(s) || last_stage(s, shape) < 3)
        return count; /* what shares layers keeps its states on the card */
    if (alone || zero.stage >= 1)
        out[count++] = OFFLOAD_OPTIMIZER;
    if (alone || zero.stage == 3)
        out[count++] = OFFLOAD_ALL;
    return count;
}

struct setup space_setup(const struct space *s, const struct shape *shape, struct micro micro,
                         struct zero zero)
{
    struct setup setup = s->base;

    setup.precision = shape->precision;
    setup.stack = shape->stack;
    setup.tensor = shape->tensor;
    setup.pipeline = shape->pipeline;
    setup.virtual_pipeline = choose_or_one(s->job->train.parallel.virtual_pipeline);
    setup.context = shape->context;
    setup.expert = shape->expert;
    setup.data = shape->data;
    setup.micro_batch = micro.batch;
    setup.accumulation = micro.accumulation;
    setup.zero = zero.stage;
    setup.shard = zero.shard;
    return setup;
}

double space_hours(const struct space *s, const struct setup *setup, double step_s)
{
    double batch = setup_global_batch(setup);
    double each = arch_counts_samples(setup->arch) ? batch : setup_tokens_per_step(setup);

    return ceil(s->total / each) * step_s / 3600;
}
