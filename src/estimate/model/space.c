#include "estimate/model/space.h"

#include <math.h>
#include <stdio.h>

#include "estimate/memory/memory.h"
#include "estimate/model/settings.h"

#define FEWEST_STEPS 1000.0
#define LEAST_BATCH 4
#define LEAST_PROMPTS 8
#define ONE_NODE 8            /* GPUs that a given micro-batch may be on, at least */
#define MOST_TOKENS 4194304.0 /* of a step, whose batch we choose */
#define MANY_TOKENS 4e12      /* of a training, from which on batches are four times that */
#define MOST_PICTURES 2048.0
#define TUNING_BATCH 64 /* where the amount of data is not known */
#define PICTURES_BATCH 256
#define MOST_MICRO 64
#define FULL_PIPELINE 4 /* micro-batches of a stage: with fewer the others wait */
#define MOST_TENSOR 16  /* and context */
#define MOST_PIPELINE 128
#define MOST_VIRTUAL 4
#define MOST_EXPERT 64
#define LONG_SEQUENCE 8192 /* from which on it may be cut */

static bool is_other(const struct space *s)
{
    return arch_is_other(s->base.arch);
}

static double per_batch(const struct setup *base)
{
    return arch_counts_samples(base->arch) ? 1 : setup_item_tokens(base);
}

/* The batch that is assumed when the job does not say: the largest power of two that leaves
 * 1,000 steps, but at least 4, and at most 4 million tokens (16 million of a training with
 * trillions of them, as published ones have). Of an unknown amount of data, what is usual. */
static int64_t usual_batch(const struct setup *base, double total, bool tuning)
{
    bool samples = arch_counts_samples(base->arch);
    double most = total >= MANY_TOKENS ? 4 * MOST_TOKENS : MOST_TOKENS;
    int64_t batch = LEAST_BATCH;

    if (objective_writes(base->alignment.objective)) /* of eight prompts, at least */
        batch = LEAST_PROMPTS * (int64_t)base->alignment.generations;
    if (samples)
        most = isnan(total) ? PICTURES_BATCH : MOST_PICTURES;
    else if (isnan(total) && tuning)
        most = fmin(most, TUNING_BATCH * per_batch(base));
    most = fmin(most, total / FEWEST_STEPS);
    while (2 * (double)batch * per_batch(base) <= most)
        batch *= 2;
    return batch;
}

/* Weights in 16 bits beside a copy in 32, instead of autocast over weights in 32. */
static enum precision precision_with_copy(enum precision p)
{
    return p == PRECISION_AMP_FP16   ? PRECISION_FP16
           : p == PRECISION_AMP_BF16 ? PRECISION_BF16
                                     : p;
}

/* Hugging Face's Trainer hands ZeRO and offload to DeepSpeed. */
static bool may_hand_over(const struct space *s, const struct setup *setup)
{
    return s->job->train.precision.len == 0 && setup->method == METHOD_FULL && !is_other(s) &&
           precision_autocast(s->base.precision) &&
           (setup->stack == STACK_HF || setup->stack == STACK_HF_2023);
}

enum precision space_sharded_precision(const struct space *s, const struct setup *setup)
{
    return may_hand_over(s, setup) && setup->precision == s->base.precision
               ? precision_with_copy(setup->precision)
               : setup->precision;
}

static void settle_copied_precision(const struct space *s, struct setup *setup)
{
    enum precision copied = precision_with_copy(s->base.precision);
    bool deepspeed = setup->zero > 0 || setup->offload != OFFLOAD_NONE;

    for (size_t i = 0; i < s->precision_count; i++)
        if (s->precisions[i] == copied) /* both are tried as they are */
            return;
    if (may_hand_over(s, setup) &&
        (setup->precision == s->base.precision || setup->precision == copied))
        setup->precision = deepspeed ? copied : s->base.precision;
}

/* Precisions that lose no accuracy, and narrower ones when so much may be lost. */
static void find_precisions(struct space *s)
{
    const struct job_train *t = &s->job->train;
    const struct accelerator *gpu = s->base.gpu;

    if (t->precision.len == 0 && s->base.stack == STACK_DEEPSPEED) /* it has no autocast */
        s->base.precision = precision_with_copy(s->base.precision);
    s->precisions[s->precision_count++] = s->base.precision;
    if (t->precision.len > 0)
        return;
    if (s->base.precision == PRECISION_AMP_BF16 && s->base.stack != STACK_HF)
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
    s->most = t->steps > 0 ? usual_batch(&s->base, NAN, true) /* the same on all GPUs */
                           : usual_batch(&s->base, s->total, s->base.stack != STACK_MEGATRON);
    if (t->micro_batch > 0 && s->most < ONE_NODE * t->micro_batch)
        s->most =
            ONE_NODE * t->micro_batch; /* a given micro-batch may mean a machine of them */
    s->assumed = t->global_batch < 1;
    s->batch = t->global_batch > 0 ? t->global_batch : t->micro_batch > 0 ? 0 : s->most;
    if (t->steps >
        0) { /* of the batch that is given or assumed, whatever the GPUs make of it */
        int64_t given = (t->micro_batch > 0 ? t->micro_batch : 1) *
                        (t->accumulation > 0 ? t->accumulation : 1);

        s->total = t->steps * (double)(s->batch > 0 ? s->batch : given) * per_batch(&s->base);
    }
}

/* "4 write answers, 2 hold the reference" */
struct setting_list {
    char text[160];
};

static struct setting_list list_own_gpus(const struct alignment *a)
{
    struct setting_list list = {.text = ""};
    size_t used = 0;

    for (int role = 0; role < ROLE_COUNT; role++) {
        long long gpus = (long long)a->own[role];

        if (gpus < 1 || used >= sizeof list.text)
            continue;
        used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s%lld %s%s",
                                 used > 0 ? ", " : "", gpus,
                                 role == ROLE_ENGINE
                                     ? (gpus == 1 ? "writes answers" : "write answers")
                                 : gpus == 1 ? "holds the "
                                             : "hold the ",
                                 role == ROLE_ENGINE ? "" : role_names[role]);
    }
    return list;
}

/* Too few for what has GPUs of its own, or not as many as the job says. */
static bool refuse_own_gpus(const struct hardware *hw, const struct setup *base, int64_t policy,
                            struct error *err)
{
    int64_t taken = alignment_own_gpus(&base->alignment);
    struct setting_list list = list_own_gpus(&base->alignment);
    bool one = hw->gpus == 1;

    if (policy > 0)
        error_set(err, ERROR_INPUT, "the job has %lld GPUs (%lld to train on, %s), not %lld",
                  (long long)taken + (long long)policy, (long long)policy, list.text,
                  (long long)hw->gpus);
    else
        error_set(err, ERROR_INPUT, "%lld GPU%s too few: %s, and none is left to train on",
                  (long long)hw->gpus, one ? " is" : "s are", list.text);
    error_hint(err, "use --on %.*sx%lld, or change %s with --set", STR_ARG(hw->gpu->name),
               (long long)taken + (long long)(policy > 0 ? policy : 1),
               policy > 0                                  ? "rollout.policy_gpus"
               : base->alignment.own[ROLE_ENGINE] == taken ? "rollout.engine_gpus"
                                                           : "their GPUs");
    return false;
}

/* Is it the card, its family ("H100"), or how its name begins? */
static bool names_card(struct str text, const struct accelerator *gpu)
{
    return str_eq_nocase(text, gpu->name) || str_eq_nocase(text, gpu->family) ||
           (text.len < gpu->name.len &&
            str_eq_nocase(text, (struct str){gpu->name.at, text.len}));
}

/* A job is estimated on GPUs of one kind, and so is its price. */
static bool check_engine_gpu(const struct job *job, const struct hardware *hw,
                             const struct setup *base, struct error *err)
{
    struct str kind = job->train.rollout.engine_gpu;
    int64_t gpus = base->alignment.own[ROLE_ENGINE];

    if (kind.len == 0 || !objective_writes(base->alignment.objective) ||
        names_card(kind, hw->gpu))
        return true;
    error_set(
        err, ERROR_INPUT,
        "rollout.engine_gpu: an engine on %.*s beside training on %.*s cannot be computed",
        STR_ARG(kind), STR_ARG(hw->gpu->name));
    error_hint(err,
               "give it %.*s (drop rollout.engine_gpu), and compare with 'stint estimate %.*s "
               "--serve --on %.*sx%lld', which is what such a server writes and costs",
               STR_ARG(hw->gpu->name), STR_ARG(base->arch->name), STR_ARG(kind),
               (long long)(gpus > 0 ? gpus : 1));
    return false;
}

int64_t space_fixed_gpus(const struct job *job, const struct accelerator *gpu)
{
    struct hardware hw = {.gpu = gpu, .gpus = 1, .per_node = 1, .host_bytes = (double)NAN};
    struct error ignored = {0};
    struct setup base;

    if (job->kind != JOB_TRAIN || !job->arch_known || job->train.rollout.policy_gpus < 1 ||
        !choose_base(job, &hw, &base, NULL, &ignored) ||
        !objective_writes(base.alignment.objective))
        return 0;
    return job->train.rollout.policy_gpus + alignment_own_gpus(&base.alignment);
}

bool space_open(const struct job *job, const struct constants *c, const struct hardware *hw,
                bool all_gpus, struct space *out, struct error *err)
{
    int64_t taken, policy = 0;

    *out = (struct space){.job = job, .constants = c, .all_gpus = all_gpus};
    if (!choose_base(job, hw, &out->base, NULL, err))
        return false;
    if (!all_gpus && !choose_native(hw->gpu, out->base.precision))
        return error_fail(err, ERROR_INPUT, "%.*s does not compute in %s",
                          STR_ARG(hw->gpu->name), precision_names[out->base.precision]);
    if (!check_engine_gpu(job, hw, &out->base, err))
        return false;
    taken = alignment_own_gpus(&out->base.alignment);
    if (objective_writes(out->base.alignment.objective) && job->train.rollout.policy_gpus > 0)
        policy = job->train.rollout.policy_gpus;
    if (policy > 0 ? hw->gpus != taken + policy : hw->gpus <= taken)
        return refuse_own_gpus(hw, &out->base, policy, err);
    out->base.gpus = hw->gpus - taken;
    out->base.per_node = hw->per_node;
    out->base.network_gb_s = choose_network(hw);
    out->base.network_doubt = hw->gpus > hw->per_node ? hw->network_doubt : 0;
    out->base.sockets = hw->sockets;
    out->splits =
        !is_other(out) && out->base.gpus > 1 && splits_layers(&job->train, &out->base);
    out->sure = job->train.micro_batch < 1;
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

/* Double a degree that is open; at `most` it begins again, and the next one is doubled. */
static bool next_degree(int64_t *degree, int64_t given, int64_t most)
{
    if (given < 1 && 2 * *degree <= most) {
        *degree *= 2;
        return true;
    }
    *degree = first_degree(given);
    return false;
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

bool setup_shares_layers(const struct setup *s)
{
    return s->tensor * s->pipeline * s->context * s->expert > 1;
}

/* The software of our choice that can do it; what is given stays. */
static enum stack stack_of_shape(const struct space *s, const struct shape *shape)
{
    if (s->job->train.framework.len > 0 || s->base.gpus == 1 || is_other(s))
        return s->base.stack;
    return shares_layers(shape) ? STACK_MEGATRON : s->base.stack;
}

/* Each GPU has several stages only where the software can, and no stage is empty. */
static bool check_virtual(const struct space *s, const struct shape *shape)
{
    return shape->virtual_pipeline == 1 || s->job->train.parallel.virtual_pipeline > 0 ||
           (shape->pipeline > 1 && shape->stack == STACK_MEGATRON &&
            shape->pipeline * shape->virtual_pipeline <= s->base.arch->layers);
}

static void apply_degrees(const struct shape *shape, struct setup *out)
{
    out->tensor = shape->tensor;
    out->pipeline = shape->pipeline;
    out->virtual_pipeline = shape->virtual_pipeline;
    out->context = shape->context;
    out->expert = shape->expert;
    out->data = shape->data;
}

/* Can the GPUs be shared like this? Fills in what follows from the degrees. */
static bool finish_shape(const struct space *s, struct shape *shape)
{
    const struct job_parallel *p = &s->job->train.parallel;
    struct setup trial = s->base;
    struct error ignored = {0};
    int64_t inner;

    if (shape->tensor > s->base.gpus || shape->pipeline > s->base.gpus ||
        shape->context > s->base.gpus) /* before they are multiplied */
        return false;
    inner = shape->tensor * shape->pipeline * shape->context;
    if (inner < 1 || inner > s->base.gpus || s->base.gpus % inner != 0)
        return false;
    shape->data = s->base.gpus / inner;
    if ((p->data > 0 && p->data != shape->data) ||
        (shape->expert > 1 && p->expert < 1 &&
         (shape->data * shape->tensor) % shape->expert != 0))
        return false;
    shape->stack = stack_of_shape(s, shape);
    apply_degrees(shape, &trial);
    trial.shard = trial.micro_batch = trial.accumulation = 1;
    return check_virtual(s, shape) && setup_check(&trial, &ignored);
}

/* The next combination of degrees and precisions, possible or not. */
static bool next_combination(const struct space *s, struct shape *shape)
{
    const struct job_parallel *p = &s->job->train.parallel;
    int64_t gpus = s->base.gpus, experts = s->base.arch->experts;
    int64_t most_tensor = s->splits ? least(least(s->base.per_node, gpus), MOST_TENSOR) : 1;
    int64_t most_pipeline =
        s->splits ? least(gpus, least(s->base.arch->layers, MOST_PIPELINE)) : 1;
    int64_t most_expert = s->splits && experts > 0 ? least(experts, MOST_EXPERT) : 1;

    if (shape->tensor == 0) {
        *shape = (struct shape){.tensor = first_degree(p->tensor),
                                .pipeline = first_degree(p->pipeline),
                                .virtual_pipeline = first_degree(p->virtual_pipeline),
                                .context = first_degree(p->context),
                                .expert = first_degree(p->expert)};
        return true;
    }
    shape->precision = (shape->precision + 1) % s->precision_count;
    return shape->precision > 0 || next_degree(&shape->expert, p->expert, most_expert) ||
           next_degree(&shape->context, p->context, most_context(s)) ||
           next_degree(&shape->virtual_pipeline, p->virtual_pipeline,
                       s->splits && shape->pipeline > 1 ? MOST_VIRTUAL : 1) ||
           next_degree(&shape->pipeline, p->pipeline, most_pipeline) ||
           next_degree(&shape->tensor, p->tensor, most_tensor);
}

bool space_next_shape(const struct space *s, struct shape *shape)
{
    while (next_combination(s, shape))
        if (finish_shape(s, shape))
            return true;
    return false;
}

/* Micro-batches of a step that make up the batch; 0: these cannot. */
static int64_t accumulation_of(const struct space *s, const struct shape *shape, int64_t micro)
{
    int64_t given = s->job->train.accumulation, at_once, steps;

    if (micro > (INT64_C(1) << 40) / shape->data)
        return 0;
    at_once = micro * shape->data;
    if (s->batch < 1) { /* the micro-batch is given: more GPUs make more of it, to a point */
        steps = given > 0 ? given : shape->pipeline > 1 ? FULL_PIPELINE * shape->pipeline : 1;
        return s->all_gpus || shape->data == 1 || at_once * steps <= s->most ? steps : 0;
    }
    if (s->rounds) {
        if (given > 0 && s->job->train.micro_batch > 0)
            return 0; /* the batch is given twice */
        steps = given > 0 ? given : (s->batch + at_once - 1) / at_once;
        return micro > 1 && at_once > s->batch ? 0 : steps;
    }
    if (at_once > s->batch)
        return 0;
    steps = given > 0 ? given : s->batch / at_once;
    return at_once * steps == s->batch || (s->assumed && at_once * steps <= s->batch) ? steps
                                                                                      : 0;
}

/* Several stages of a GPU take turns, by as many micro-batches as there are GPUs in a row. */
static bool fits_stages(const struct shape *shape, int64_t steps)
{
    return shape->virtual_pipeline == 1 || steps % shape->pipeline == 0;
}

size_t space_micros(const struct space *s, const struct shape *shape,
                    struct micro out[static SPACE_MICROS])
{
    int64_t given = s->job->train.micro_batch;
    bool stages_said = s->job->train.parallel.virtual_pipeline > 0;
    size_t count = 0;

    for (int64_t micro = first_degree(given); micro <= (given > 0 ? given : MOST_MICRO);
         micro *= 2) {
        int64_t steps = accumulation_of(s, shape, micro);

        if (steps > 0 && (stages_said || fits_stages(shape, steps)))
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

static bool fits_on_card(const struct space *s, const struct setup *setup)
{
    return estimate_memory(setup, s->constants).device <=
           space_share(s, setup) * usable_memory(setup->gpu);
}

/* Hugging Face's Trainer trains in fp16 by autocast in plain processes, one for each GPU, and
 * shards by DeepSpeed. That is for what does not fit without, not for the little time that it
 * saves. */
static bool needs_no_sharding(const struct space *s, const struct shape *shape)
{
    struct zero plain = {0, shape->data * shape->context};
    bool fp16 = s->base.precision == PRECISION_AMP_FP16 ||
                (s->base.precision == PRECISION_FP16 && s->base.method != METHOD_FULL);
    struct micro micros[SPACE_MICROS];
    enum recompute recomputes[SPACE_WAYS] = {RECOMPUTE_NONE};
    struct setup setup;

    if (!fp16 || s->base.offload != OFFLOAD_NONE || s->job->train.parallel.shard > 0 ||
        shares_layers(shape) || (shape->stack != STACK_HF && shape->stack != STACK_HF_2023) ||
        space_micros(s, shape, micros) == 0)
        return false;
    setup = space_setup(s, shape, micros[0], plain);
    (void)space_recomputes(s, shape->stack, recomputes);
    setup.recompute = recomputes[0];
    return fits_on_card(s, &setup);
}

size_t space_zeros(const struct space *s, const struct shape *shape,
                   struct zero out[static SPACE_ZEROS])
{
    const struct job_parallel *p = &s->job->train.parallel;
    int64_t ranks = shape->data * shape->context, local = local_ranks(s, shape);
    bool alone = ranks == 1 || is_other(s);
    int first = p->zero >= 0 ? (int)p->zero : 0;
    int last = p->zero >= 0                           ? first
               : alone || needs_no_sharding(s, shape) ? 0
                                                      : last_stage(s, shape);
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

/* Trainers around Hugging Face's model code have a switch: all layers or none. */
static bool recomputes_parts(enum stack stack)
{
    return stack != STACK_HF && stack != STACK_HF_2023 && stack != STACK_DEEPSPEED &&
           stack != STACK_LIGHTNING;
}

size_t space_recomputes(const struct space *s, enum stack stack,
                        enum recompute out[static SPACE_WAYS])
{
    enum recompute given;
    size_t count = 0;

    if (recompute_of(s->job->train.recompute, &given)) {
        out[0] = given;
        return 1;
    }
    for (int way = 0; way < RECOMPUTE_COUNT; way++)
        if (way != RECOMPUTE_SELECTIVE || recomputes_parts(stack))
            out[count++] = (enum recompute)way;
    return count;
}

/* Can the software that the job names move anything to the machine's memory? torchtune can, of
 * several GPUs, all of it. Others do so by DeepSpeed or FSDP. */
static bool software_offloads(const struct space *s, bool alone, enum offload offload)
{
    static const char *const none[] = {"litgpt", "unsloth", NULL};
    struct str named = s->job->train.framework;

    if (str_has_any(named, none))
        return false;
    return !str_has_nocase(named, STR("torchtune")) || (!alone && offload >= OFFLOAD_ALL);
}

/* States are not moved away only to be rid of autocast: neither at this micro-batch, nor at a
 * larger one than fits. */
static bool fits_as_it_is(const struct space *s, const struct shape *shape,
                          const struct setup *plain)
{
    struct setup most = *plain;
    enum recompute recomputes[SPACE_WAYS] = {RECOMPUTE_NONE};
    struct micro micros[SPACE_MICROS];

    if (!may_hand_over(s, plain))
        return false;
    most.offload = s->base.offload;
    most.recompute = recomputes[space_recomputes(s, plain->stack, recomputes) - 1];
    settle_copied_precision(s, &most);
    if (fits_on_card(s, &most))
        return true;
    if (space_micros(s, shape, micros) == 0)
        return false;
    most.micro_batch = micros[0].batch;
    most.accumulation = micros[0].accumulation;
    return fits_on_card(s, &most);
}

/* What is offloaded is sharded first, or every GPU would move all of it. */
size_t space_offloads(const struct space *s, const struct shape *shape,
                      const struct setup *plain, enum offload out[static SPACE_WAYS])
{
    bool alone = shape->data * shape->context == 1;
    size_t count = 0;

    out[count++] = s->base.offload;
    if (s->job->train.parallel.offload.len > 0 || is_other(s) ||
        optimizer_is_paged(s->base.optimizer) || last_stage(s, shape) < 3 ||
        setup_keeps_base(&s->base) || fits_as_it_is(s, shape, plain))
        return count; /* what shares layers keeps its states on the card, or pages them */
    if ((alone || plain->zero >= 1) && software_offloads(s, alone, OFFLOAD_OPTIMIZER))
        out[count++] = OFFLOAD_OPTIMIZER;
    if ((alone || plain->zero == 3) && software_offloads(s, alone, OFFLOAD_ALL))
        out[count++] = OFFLOAD_ALL;
    return count;
}

void space_offload(const struct space *s, enum offload offload, struct setup *setup)
{
    setup->offload = offload;
    if (setup->gpus <= 1 && s->job->train.parallel.zero < 0 && !is_other(s))
        setup->zero = offload >= OFFLOAD_ALL ? 3 : offload == OFFLOAD_OPTIMIZER ? 2 : 0;
    settle_copied_precision(s, setup);
}

struct setup space_setup(const struct space *s, const struct shape *shape, struct micro micro,
                         struct zero zero)
{
    struct setup setup = s->base;

    setup.precision = s->precisions[shape->precision];
    setup.stack = shape->stack;
    if (setup.alignment.objective != OBJECTIVE_REWARD)
        setup.head_share = choose_head_share(setup.arch, setup.stack, setup.head_share > 0);
    apply_degrees(shape, &setup);
    setup.micro_batch = micro.batch;
    setup.accumulation = micro.accumulation;
    setup.zero = zero.stage;
    setup.shard = zero.shard;
    settle_copied_precision(s, &setup);
    return setup;
}

double space_hours(const struct space *s, const struct setup *setup, double step_s)
{
    double batch = setup_global_batch(setup);
    double each = arch_counts_samples(setup->arch) ? batch : setup_tokens_per_step(setup);

    return (isnan(s->total) ? 1 / each : ceil(s->total / each)) * step_s / 3600;
}
