/* How a serving job is run, where the job does not say. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "estimate/choose.h"
#include "estimate/image.h"
#include "estimate/kernels.h"
#include "estimate/memory.h"

#define USUAL_BATCH 32.0  /* that servers run with */
#define MOST_PIXELS 65536 /* along a side; serving_check() refuses more */
#define ROOMY 8           /* sequences that a copy should hold beside its weights */

void note(struct notes *notes, const char *fmt, ...)
{
    va_list args;

    if (notes == NULL || notes->len == MAX_NOTES)
        return;
    va_start(args, fmt);
    (void)vsnprintf(notes->at[notes->len++], sizeof notes->at[0], fmt, args);
    va_end(args);
}

/* A word that names nothing. Returns false. */
static bool choose_none(struct error *err, const char *key, struct str value)
{
    return error_fail(err, ERROR_INPUT, "%s: '%.*s' is not known", key, STR_ARG(value));
}

static bool choose_engine(const struct job_infer *t, struct serving *s, struct notes *notes,
                          struct error *err)
{
    bool writes = model_writes(s->arch);

    s->engine = writes ? ENGINE_VLLM : ENGINE_GRAPH;
    if (t->weights.len > 0 && !weights_of(t->weights, &s->weights))
        return choose_none(err, "weights", t->weights);
    if (t->kv.len > 0 && !weights_of(t->kv, &s->kv))
        return choose_none(err, "kv", t->kv);
    if (t->framework.len > 0 && !engine_of(t->framework, &s->engine))
        return choose_none(err, "framework", t->framework);
    if (t->framework.len == 0 && writes)
        note(notes, "served by %s", engine_names[s->engine]);
    else if (t->framework.len == 0)
        note(notes, "run as a captured graph, with nothing around it");
    /* See infer.h: why a rate, and why these. */
    s->rolling = t->rate > 0 && s->output > 0 && writes && engine_is_server(s->engine);
    return true;
}

/* Passes through a diffusion model that make one picture: the steps that its makers' examples
 * take, twice each where a picture with the prompt is compared with one without (from
 * knowledge, pages not checked). Flux has that built in. */
static void choose_passes(struct serving *s, struct notes *notes)
{
    static const struct {
        const char *name;
        double steps, each;
    } denoisers[] = {{"flux", 28, 1}, {"stable-diffusion", 30, 2}, {"sd", 30, 2}};

    for (size_t i = 0; i < ARRAY_LEN(denoisers); i++) {
        double steps = denoisers[i].steps, each = denoisers[i].each;

        if (!str_starts(s->arch->name, str_from(denoisers[i].name)))
            continue;
        s->passes = steps * each;
        if (each > 1)
            note(notes, "a picture takes %.0f steps, with guidance %.0f passes", steps,
                 s->passes);
        else
            note(notes, "a picture takes %.0f passes", steps);
        return;
    }
}

/* What goes into a request, and what comes out. */
static void choose_request(const struct job_infer *t, struct serving *s, struct notes *notes)
{
    const struct arch *a = s->arch;
    struct arch sized = *a;

    s->passes = 1;
    s->input = t->input >= 1 ? t->input : 512;
    if (model_writes(a)) {
        s->output = t->output >= 0 ? t->output : 128;
        if (isnan(t->input) || isnan(t->output))
            note(notes, "requests of %.0f tokens in and %.0f out", s->input, s->output);
        return;
    }
    if (t->output > 0)
        note(notes, "this model writes no tokens: its output of %.0f is ignored", t->output);
    if (a->kind == ARCH_IMAGE || a->kind == ARCH_VIT)
        s->resolution = t->resolution > 0 ? t->resolution : 0;
    if (a->kind == ARCH_IMAGE) {
        s->input = 1;
        choose_passes(s, notes);
    } else if (a->kind == ARCH_VIT) {
        if (s->resolution >= a->patch && s->resolution <= MOST_PIXELS)
            sized.resolution = s->resolution;
        else if (s->resolution > 0)
            note(notes, "pictures of %lld pixels: fewer are no patch",
                 (long long)a->resolution);
        s->input = (double)arch_patches(&sized);
    } else if (a->kind == ARCH_LSTM) {
        s->input = t->input >= 1 ? t->input : 100;
        if (isnan(t->input))
            note(notes, "series of %.0f steps", s->input);
    } else if (isnan(t->input)) {
        note(notes, "requests of %.0f tokens", s->input);
    }
}

/* What a rate keeps in flight; of what answers in one pass, the least that keeps up with it and
 * has some room. */
static double batch_for_rate(const struct serving *s, double rate, double most,
                             const struct constants *c)
{
    struct serving trial = *s;

    if (model_writes(s->arch) && s->output > 0)
        return round(estimate_load(s, rate, c).batch);
    while (trial.batch < most && rate > 0.8 * estimate_load(&trial, rate, c).max_rate)
        trial.batch *= 2;
    return trial.batch;
}

/* What each replica's share of the rate needs, or a batch that servers usually run with; but
 * never more than fits. */
static void choose_batch(const struct job_infer *t, int64_t replicas, struct serving *s,
                         const struct constants *c, struct notes *notes)
{
    double most;

    if (t->batch > 0)
        return;
    most = fmax(1, serving_holds(s, c));
    if (t->rate > 0) {
        bool writes = model_writes(s->arch) && s->output > 0;
        double wanted = batch_for_rate(s, t->rate / (double)replicas,
                                       writes ? most : fmin(USUAL_BATCH, most), c);

        s->batch = fmax(1, fmin(wanted, most));
        return;
    }
    s->batch = fmin(USUAL_BATCH, most);
    note(notes, "a batch of %.0f", s->batch);
}

/* As few GPUs for one copy as hold it with room: copies answer more than one wide copy does. */
static void choose_tensor(const struct hardware *hw, struct serving *s,
                          const struct constants *c, struct notes *notes)
{
    while (serving_holds(s, c) < ROOMY && 2 * s->gpus <= hw->gpus &&
           s->arch->heads % (2 * s->tensor) == 0) {
        s->tensor *= 2;
        s->gpus = s->tensor * s->pipeline;
    }
    if (hw->gpus > 1)
        note(notes, "tensor parallel %lld: %lld copies of the model", (long long)s->tensor,
             (long long)(hw->gpus / s->gpus));
}

int64_t choose_or_one(int64_t n)
{
    return n > 0 ? n : 1;
}

bool choose_serving(const struct job *job, const struct hardware *hw, const struct constants *c,
                    struct serving *out, struct notes *notes, struct error *err)
{
    const struct job_infer *t = &job->infer;
    struct serving s = {.arch = &job->arch,
                        .gpu = hw->gpu,
                        .weights = WEIGHTS_FP16,
                        .kv = WEIGHTS_FP16,
                        .pipeline = choose_or_one(t->pipeline),
                        .batch = t->batch > 0 ? (double)t->batch : 1};

    s.tensor = choose_or_one(t->tensor);
    s.gpus = s.tensor * s.pipeline;
    if (s.gpus > hw->gpus)
        return error_fail(err, ERROR_INPUT,
                          "tensor x pipeline is %lld, and there are %lld GPUs",
                          (long long)s.gpus, (long long)hw->gpus);
    choose_request(t, &s, notes);
    if (!choose_engine(t, &s, notes, err) || !serving_check(&s, err))
        return false;
    if (t->tensor < 1)
        choose_tensor(hw, &s, c, notes);
    choose_batch(t, hw->gpus / s.gpus, &s, c, notes);
    *out = s;
    return serving_check(&s, err);
}

#define USUAL_SEQUENCE 2048
#define PRETRAINING_TOKENS 5.0 /* of each parameter */
#define MANY_TOKENS 100e9      /* nobody fine-tunes on so many, however large the model */
#define MANY_GPUS 64           /* from here on models are trained with Megatron */
#define MARGIN 0.95            /* of the memory, that a batch of our choice may take */
#define MOST_MICRO 64          /* a larger micro-batch than this gains nothing */
#define WHOLE_NODE 8           /* GPUs of machines that have a fast network of their own */
#define ETHERNET_GB_S 3.1      /* of others: 25 Gb/s for the machine */

/* bf16 where the card has it; a card without is trained in fp16 autocast. On one GPU full
 * training is autocast over fp32 weights; the sharding trainers keep bf16 weights with an fp32
 * copy. */
static enum precision usual_precision(const struct hardware *hw, enum method method)
{
    const struct accelerator *gpu = hw->gpu;

    if (!(gpu->bf16_tflops > 0) && gpu->fp16_tflops > 0)
        return PRECISION_AMP_FP16;
    if (!(gpu->bf16_tflops > 0))
        return PRECISION_FP32;
    return method == METHOD_FULL && hw->gpus == 1 ? PRECISION_AMP_BF16 : PRECISION_BF16;
}

/* What a narrower precision usually costs in accuracy: rules of thumb, so that it is never
 * chosen where the user asked for better. */
static bool check_tolerance(const struct job_train *t, const struct setup *s, struct error *err)
{
    double loss = s->precision == PRECISION_FP4                                      ? 0.015
                  : s->precision == PRECISION_FP8 || s->precision == PRECISION_MXFP8 ? 0.005
                                                                                     : 0;

    if (isnan(t->tolerance) || loss <= t->tolerance)
        return true;
    error_set(err, ERROR_INPUT,
              "precision %s usually costs %.1f %% of accuracy, and %.2g %% is tolerated",
              precision_names[s->precision], 100 * loss, 100 * t->tolerance);
    error_hint(err, "set precision: bf16, or tolerance: %.1f%%", 100 * loss);
    return false;
}

static bool choose_method(const struct job_train *t, struct setup *s, struct notes *notes,
                          struct error *err)
{
    s->method =
        t->method.len > 0 ? (enum method)choice_of(method_names, t->method) : METHOD_FULL;
    s->base = WEIGHTS_NF4;
    s->targets = TARGET_ALL;
    s->rank = isnan(t->rank) ? 16 : t->rank;
    if (t->base.len > 0 && !weights_of(t->base, &s->base))
        return choose_none(err, "base", t->base);
    if (t->targets.len > 0 && !targets_of(t->targets, &s->targets))
        return choose_none(err, "targets", t->targets);
    if (s->method != METHOD_FULL && isnan(t->rank))
        note(notes, "LoRA of rank 16 on %s",
             t->targets.len > 0 ? "these layers" : "all linear layers");
    return true;
}

bool choose_native(const struct accelerator *gpu, enum precision p)
{
    if (p == PRECISION_AMP_BF16 || p == PRECISION_BF16 || p == PRECISION_BF16_PURE)
        return gpu->bf16_tflops > 0;
    if (p == PRECISION_FP8 || p == PRECISION_MXFP8)
        return gpu->fp8_tflops > 0;
    return p != PRECISION_FP4 || gpu->fp4_tflops > 0;
}

/* What the card cannot do is done in the next wider way; the user should know. */
static void note_missing(const struct accelerator *gpu, enum precision p, struct notes *notes)
{
    if (choose_native(gpu, p))
        return;
    if (p == PRECISION_FP4)
        note(notes, "the card has no 4-bit products: they run in 8 or 16 bits");
    else if (precision_narrow(p))
        note(notes, "the card has no fp8: products run in 16 bits");
    else
        note(notes, "the card has no bf16: products run as fp16 or fp32 do");
}

static bool choose_numbers(const struct job_train *t, const struct hardware *hw,
                           struct setup *s, struct notes *notes, struct error *err)
{
    s->precision = usual_precision(hw, s->method);
    if (t->precision.len == 0)
        note(notes, "precision %s, as usual on this card", precision_names[s->precision]);
    else if (!precision_of(t->precision, &s->precision))
        return choose_none(err, "precision", t->precision);
    note_missing(hw->gpu, s->precision, notes);
    /* Adapters train beside a base that is not kept in fp32. */
    if (s->method != METHOD_FULL && s->precision == PRECISION_AMP_FP16)
        s->precision = PRECISION_FP16;
    if (s->method != METHOD_FULL && s->precision == PRECISION_AMP_BF16)
        s->precision = PRECISION_BF16;
    s->optimizer = OPTIMIZER_ADAMW;
    if (t->optimizer.len == 0)
        note(notes, "optimizer adamw");
    else if (!optimizer_of(t->optimizer, &s->optimizer))
        return choose_none(err, "optimizer", t->optimizer);
    return check_tolerance(t, s, err);
}

/* Which of the names, or the usual one when nothing is given. */
static int given_or(const char *const *names, struct str given, int usual)
{
    int choice = given.len > 0 ? choice_of(names, given) : -1;

    return choice >= 0 ? choice : usual;
}

/* Does the job train a model from its beginning? Fine-tuning sees fewer tokens than the model
 * has parameters, on few GPUs. */
static bool is_pretraining(const struct job *job, const struct hardware *hw,
                           const struct setup *s)
{
    double tokens = job_tokens(job);

    if (s->method != METHOD_FULL)
        return false;
    if (isnan(tokens))
        return hw->gpus > MANY_GPUS;
    return tokens >= fmin(PRETRAINING_TOKENS * arch_count(s->arch).total, MANY_TOKENS);
}

/* What most people would use: Hugging Face's model code, but trainers made for many GPUs where
 * a model is trained from its beginning, and plain code for pictures and series. */
static enum stack usual_stack(const struct job *job, const struct hardware *hw,
                              const struct setup *s)
{
    enum device_class class = device_class_of(hw->gpu);

    if (arch_is_other(s->arch) || s->arch->kind == ARCH_VIT)
        return hw->gpus > 1 ? STACK_FSDP : STACK_EAGER;
    if (class == DEVICE_TPU || class == DEVICE_TRAINIUM || class == DEVICE_GAUDI)
        return STACK_XLA;
    if (!is_pretraining(job, hw, s))
        return STACK_HF;
    return hw->gpus > MANY_GPUS ? STACK_MEGATRON : hw->gpus > 1 ? STACK_FSDP : STACK_HF;
}

static bool choose_software(const struct job *job, const struct hardware *hw, struct setup *s,
                            struct notes *notes, struct error *err)
{
    const struct job_train *t = &job->train;

    s->stack = usual_stack(job, hw, s);
    if (t->framework.len > 0 && !stack_of(t->framework, &s->stack))
        return choose_none(err, "framework", t->framework);
    if (t->framework.len == 0 && s->stack == STACK_HF && !str_eq(t->compile, STR("yes")))
        note(notes,
             "framework hf, Hugging Face's model code: choose another with --set framework");
    s->compiled = str_eq(t->compile, STR("yes")) || s->stack == STACK_COMPILED;
    s->attention = (enum attention)given_or(attention_names, t->attention, ATTENTION_FUSED);
    s->fused_loss = str_eq(t->loss, STR("fused"));
    s->offload = (enum offload)given_or(offload_names, t->parallel.offload, OFFLOAD_NONE);
    s->sequence_parallel = !str_eq(t->parallel.sequence, STR("no"));
    s->head_share = s->arch->kind == ARCH_ENCODER ? 0.15 : 1; /* masked tokens only */
    return true;
}

static bool choose_degrees(const struct job_train *t, const struct hardware *hw,
                           struct setup *s, struct error *err)
{
    const struct job_parallel *p = &t->parallel;
    int64_t inner;

    s->gpus = hw->gpus;
    s->per_node = hw->per_node;
    s->tensor = choose_or_one(p->tensor);
    s->pipeline = choose_or_one(p->pipeline);
    s->virtual_pipeline = choose_or_one(p->virtual_pipeline);
    s->context = choose_or_one(p->context);
    s->expert = choose_or_one(p->expert);
    if (s->tensor > hw->gpus || s->pipeline > hw->gpus || s->context > hw->gpus)
        return error_fail(err, ERROR_INPUT,
                          "parallel: more of one kind than there are GPUs (%lld)",
                          (long long)hw->gpus);
    inner = s->tensor * s->pipeline * s->context;
    if (inner > hw->gpus || hw->gpus % inner != 0)
        return error_fail(
            err, ERROR_INPUT,
            "tensor x pipeline x context is %lld, which does not divide %lld GPUs",
            (long long)inner, (long long)hw->gpus);
    s->data = hw->gpus / inner;
    if (p->data > 0 && p->data != s->data)
        return error_fail(err, ERROR_INPUT, "data parallel %lld with the rest is not %lld GPUs",
                          (long long)p->data, (long long)hw->gpus);
    s->shard = p->shard > 0 ? p->shard : s->data * s->context;
    return true;
}

static void choose_lengths(const struct job *job, struct setup *s, struct notes *notes)
{
    const struct job_train *t = &job->train;
    const struct arch *a = s->arch;

    s->sequence = t->sequence;
    if (a->kind == ARCH_VIT) {
        struct arch sized = *a;

        if (t->resolution >= a->patch)
            sized.resolution = t->resolution;
        s->sequence = arch_patches(&sized);
    } else if (a->kind == ARCH_IMAGE) {
        s->sequence = 1;
        s->resolution = t->resolution > 0 ? t->resolution : 0;
    }
    if (s->sequence < 1 && t->data.example_tokens >= 1)
        s->sequence = (int64_t)t->data.example_tokens;
    if (s->sequence < 1) {
        s->sequence =
            a->context > 0 && a->context < USUAL_SEQUENCE ? a->context : USUAL_SEQUENCE;
        note(notes, "sequences of %lld tokens", (long long)s->sequence);
    }
    if (a->context > 0 && s->sequence > a->context && a->kind != ARCH_VIT)
        note(notes, "sequences are longer than the %lld tokens the model was made for",
             (long long)a->context);
}

bool setup_fits(const struct setup *s, const struct hardware *hw, const struct constants *c,
                double *need)
{
    struct memory m = estimate_memory(s, c);
    double boards = (double)(hw->gpus < hw->per_node ? hw->gpus : hw->per_node);
    double device = m.device / usable_memory(s->gpu);
    double host = hw->host_bytes > 0 ? m.host * boards / (HOST_SHARE * hw->host_bytes) : 0;

    *need = fmax(device, host);
    return *need <= 1;
}

/* Micro-batches of a step, so that a global batch is reached. */
static void spread_batch(struct setup *s, int64_t micro, int64_t global, int64_t accumulation)
{
    s->micro_batch = micro;
    s->accumulation = choose_or_one(accumulation);
    if (global > 0)
        s->accumulation = choose_or_one((global + micro * s->data - 1) / (micro * s->data));
}

/* A batch that is given in full must be the one that these GPUs make. */
static bool check_batch(const struct job_train *t, const struct setup *s, struct error *err)
{
    int64_t made;

    if (t->micro_batch < 1 || t->accumulation < 1 || t->global_batch < 1)
        return true;
    made = t->micro_batch * t->accumulation * s->data;
    if (made == t->global_batch)
        return true;
    error_set(
        err, ERROR_INPUT,
        "global_batch %lld is not micro_batch %lld x accumulation %lld x data parallel %lld",
        (long long)t->global_batch, (long long)t->micro_batch, (long long)t->accumulation,
        (long long)s->data);
    error_hint(err, "drop one of them: it follows from the others");
    return false;
}

/* The first of ZeRO's stages and ways to recompute that fits; else the one that needs least. */
static void choose_savings(const struct job_train *t, const struct hardware *hw,
                           struct setup *s, const struct constants *c)
{
    bool zero_said = t->parallel.zero >= 0, again_said = t->recompute.len > 0;
    bool alone = s->data * s->context == 1;
    /* What is offloaded is sharded first, or every GPU would move all of it. */
    int usual_zero = alone || s->offload == OFFLOAD_NONE ? 0
                     : s->offload == OFFLOAD_OPTIMIZER   ? 1
                                                         : 3;
    int first_zero = zero_said ? (int)t->parallel.zero : usual_zero;
    int last_zero = zero_said || alone ? first_zero : 3;
    enum recompute again = RECOMPUTE_NONE;
    int first, last;
    double least = INFINITY;
    struct setup best = *s;

    if (again_said)
        (void)recompute_of(t->recompute, &again);
    first = (int)again;
    last = again_said ? first : RECOMPUTE_COUNT - 1;
    for (int way = first; way <= last; way++)
        for (int zero = first_zero; zero <= last_zero; zero++) {
            struct setup trial = *s;
            double need;
            bool fits;

            trial.zero = zero;
            trial.recompute = (enum recompute)way;
            fits = setup_fits(&trial, hw, c, &need);
            if (fits || need < least) {
                least = need;
                best = trial;
            }
            if (fits) {
                *s = best;
                return;
            }
        }
    *s = best;
}

/* Double it while it fits and the global batch has use for it. */
static void grow_batch(const struct job_train *t, int64_t accumulation,
                       const struct hardware *hw, struct setup *s, const struct constants *c)
{
    for (int64_t micro = 2; micro <= MOST_MICRO; micro *= 2) {
        struct setup trial = *s;
        double need;

        if (t->global_batch > 0 && micro * s->data > t->global_batch)
            return;
        spread_batch(&trial, micro, t->global_batch, accumulation);
        if (!setup_fits(&trial, hw, c, &need) || need > MARGIN)
            return;
        *s = trial;
    }
}

/* The speed of some cards is not published. */
static bool choose_check_speed(const struct accelerator *gpu, struct error *err)
{
    if (peak_flops(gpu, PRECISION_BF16) > 0)
        return true;
    error_set(err, ERROR_INPUT, "how fast %.*s computes is not published", STR_ARG(gpu->name));
    error_hint(err, "take another GPU, or add the row with its peaks to a catalog of your own");
    return false;
}

double choose_network(const struct hardware *hw)
{
    bool whole = hw->per_node >= WHOLE_NODE && !str_eq(hw->gpu->form, STR("PCIe"));

    return hw->gpus <= hw->per_node || whole ? NAN : ETHERNET_GB_S / (double)hw->per_node;
}

bool choose_base(const struct job *job, const struct hardware *hw, struct setup *out,
                 struct notes *notes, struct error *err)
{
    const struct job_train *t = &job->train;

    *out = (struct setup){.arch = &job->arch, .gpu = hw->gpu, .network_gb_s = NAN};
    if (!choose_check_speed(hw->gpu, err) || !choose_method(t, out, notes, err) ||
        !choose_numbers(t, hw, out, notes, err) || !choose_software(job, hw, out, notes, err))
        return false;
    choose_lengths(job, out, notes);
    return true;
}

double choose_total(const struct job *job, const struct setup *s)
{
    bool samples = arch_counts_samples(s->arch);
    double total = samples ? job_samples(job) : job_tokens(job);

    if (isnan(total) && !samples) /* examples whose length is that of a sequence */
        total = job_samples(job) * (double)s->sequence;
    if (job->train.steps > 0)
        total = job->train.steps * (samples ? setup_global_batch(s) : setup_tokens_per_step(s));
    return total;
}

bool choose_training(const struct job *job, const struct hardware *hw,
                     const struct constants *c, struct setup *out, struct notes *notes,
                     struct error *err)
{
    const struct job_train *t = &job->train;
    struct setup s;
    int64_t micro = t->micro_batch, accumulation = t->accumulation;

    if (!choose_base(job, hw, &s, notes, err) || !choose_degrees(t, hw, &s, err))
        return false;
    s.network_gb_s = choose_network(hw);
    if (!isnan(s.network_gb_s))
        note(notes, "machines joined by 25 Gb/s: these have no network of their own");
    if (t->framework.len == 0 && s.tensor * s.pipeline * s.context * s.expert > 1)
        s.stack = STACK_MEGATRON; /* the usual one of those that share layers */
    if (micro < 1 && t->global_batch > 0 && t->accumulation > 0)
        micro = t->global_batch / (t->accumulation * s.data);
    if (t->global_batch < 1 && accumulation < 1 && s.pipeline > 1) {
        accumulation = 4 * s.pipeline; /* fewer would leave the stages waiting */
        note(notes, "%lld micro-batches a step, so that the pipeline is full",
             (long long)accumulation);
    }
    spread_batch(&s, choose_or_one(micro), t->global_batch, accumulation);
    if (t->parallel.zero > 3)
        return error_fail(err, ERROR_INPUT, "zero must be 0 to 3");
    s.zero = t->parallel.zero >= 0 ? (int)t->parallel.zero : 0;
    if (!check_batch(t, &s, err) || !setup_check(&s, err))
        return false;
    choose_savings(t, hw, &s, c);
    if (micro < 1) {
        grow_batch(t, accumulation, hw, &s, c);
        note(notes,
             s.micro_batch < MOST_MICRO ? "micro-batch %lld: the largest that fits well"
                                        : "micro-batch %lld: more gains nothing",
             (long long)s.micro_batch);
    }
    if (t->global_batch < 1 && accumulation < 1)
        note(notes, "no accumulation: a global batch of %.0f", setup_global_batch(&s));
    if (t->global_batch > 0 && setup_global_batch(&s) != (double)t->global_batch)
        note(notes, "a global batch of %.0f: %lld does not divide evenly",
             setup_global_batch(&s), (long long)t->global_batch);
    if (t->parallel.zero < 0 && s.data > 1)
        note(notes, "ZeRO stage %d: the lowest that fits", s.zero);
    if (t->recompute.len == 0)
        note(notes, "recompute %s: the least that fits", recompute_names[s.recompute]);
    *out = s;
    return setup_check(&s, err);
}
