/* From the keys of a job to the job: the model found, and everything checked that does not
 * depend on hardware. */
#include <math.h>
#include <string.h>

#include "job/keys.h"
#include "job/source.h"

/* What both kinds of jobs have. */
struct subject {
    struct str model, params, config;
    const struct job_shape *shape;
    const struct job_measured *measured;
};

static struct subject subject_of(const struct job *job)
{
    const struct job_train *t = &job->train;
    const struct job_infer *i = &job->infer;

    return job->kind == JOB_INFER
               ? (struct subject){i->model, i->params, i->config, &i->shape, &i->measured}
               : (struct subject){t->model, t->params, t->config, &t->shape, &t->measured};
}

static bool is_path(struct str name)
{
    return str_ends(name, STR(".json")) || str_ends(name, STR("/")) ||
           str_starts(name, STR("/")) || str_starts(name, STR("./")) ||
           str_starts(name, STR("../")) || str_starts(name, STR("~/")) ||
           str_eq(name, STR(".")) || str_eq(name, STR("..")) || str_eq(name, STR("~"));
}

bool job_names_file(const struct job *job, struct str *path)
{
    struct subject s = subject_of(job);

    if (s.config.at == NULL && !is_path(s.model))
        return false;
    *path = s.config.at != NULL ? s.config : s.model;
    return true;
}

struct str job_model(const struct job *job)
{
    return subject_of(job).model;
}

/* --- the model ---------------------------------------------------------------------------- */

static bool is_yes(struct str text)
{
    return str_eq(text, STR("yes"));
}

static bool arch_of_shape(const struct job_shape *s, struct str name, struct arch *out,
                          struct error *err)
{
    int64_t ffn = s->ffn > 0 || s->experts > 0 ? s->ffn : 4 * s->hidden;
    /* Plain feed-forwards are 4 times the width; those with a gate hardly ever are. */
    bool gated = s->gated.at != NULL ? is_yes(s->gated) : ffn != 4 * s->hidden;
    struct model m = {
        .name = name,
        .kind = s->kind,
        .bias = s->bias,
        .layers = s->layers,
        .hidden = s->hidden,
        .heads = s->heads,
        .kv_heads = s->kv_heads,
        .head_dim = s->head_dim,
        .ffn = ffn,
        .vocab = s->vocab,
        .positions = s->positions,
        .context = s->context,
        .gated = gated,
        .tied = is_yes(s->tied),
        .window = s->window,
        .full_every = s->full_every,
        .experts = s->experts,
        .active_experts = s->active_experts,
        .expert_ffn = s->expert_ffn,
        .shared_ffn = s->shared_ffn,
        .dense_layers = s->dense_layers,
        .q_rank = s->q_rank,
        .kv_rank = s->kv_rank,
        .rope_dim = s->rope_dim,
        .value_dim = s->value_dim,
        .decoder_layers = s->decoder_layers,
        .patch = s->patch,
        .resolution = s->resolution,
        .params_b = NAN,
    };

    if (s->layers < 1 || s->hidden < 1 || s->heads < 1 || s->vocab < 1) {
        error_set(err, ERROR_INPUT,
                  "the shape of the model lacks layers, hidden, heads or vocab");
        error_hint(err, "write model: {layers: 32, hidden: 4096, heads: 32, vocab: 32000}");
        return false;
    }
    if (s->head_dim < 0 && s->hidden % s->heads != 0) {
        error_set(err, ERROR_INPUT, "%lld heads do not divide a width of %lld",
                  (long long)s->heads, (long long)s->hidden);
        error_hint(err, "change heads or hidden, or give head_dim");
        return false;
    }
    *out = arch_of_model(&m);
    return true;
}

static bool arch_of_file(struct str text, struct str path, struct arch *out,
                         struct arena *arena, struct error *err)
{
    const char *name = str_dup(path, arena, err);
    const struct node *config;

    if (name == NULL)
        return false;
    if (text.len == 0 || text.len > JOB_MAX)
        return error_fail(err, ERROR_INPUT, "%s: %s", name,
                          text.len == 0 ? "the file is empty" : "larger than 1 MB");
    config = json_read_python(text, name, arena, err); /* "time_step_limit": [0, Infinity] */
    return config != NULL && arch_from_config(config, name, out, err);
}

static bool arch_of_params(struct str text, struct arch *out, struct error *err)
{
    double params;

    if (!amount_of(text, &params)) {
        error_set(err, ERROR_INPUT, "params: '%.*s' is not a number of parameters",
                  STR_ARG(text));
        error_hint(err, "write it as 7B, 350M or 1.5T");
        return false;
    }
    return arch_of_size(params, out, err);
}

static bool check_measured(const struct job_measured *m, struct error *err)
{
    bool samples = !isnan(m->samples_s), tokens = !isnan(m->tokens_s);

    if (m->gpu.at != NULL && samples != tokens)
        return true;
    error_set(err, ERROR_INPUT,
              m->gpu.at == NULL ? "measured: 'gpu' is missing"
              : samples         ? "measured: samples_s or tokens_s, not both"
                                : "measured: samples_s or tokens_s is missing");
    error_hint(err, "write measured: {gpu: A100, samples_s: 410, batch: 64, memory: 21GB}");
    return false;
}

/* Is any key of the group given? */
static bool keys_known(const struct field_set *set, const void *record)
{
    for (size_t i = 0; i < set->len; i++)
        if (field_known(&set->at[i], record))
            return true;
    return false;
}

static bool find_job_model(struct job *job, const struct catalog *catalog,
                           struct str config_text, struct arena *arena, struct error *err)
{
    struct subject s = subject_of(job);
    bool shaped = keys_known(&job_shape_fields, s.shape);
    bool measured = keys_known(&job_measured_fields, s.measured);
    int ways = (s.model.at != NULL) + (s.params.at != NULL) + (s.config.at != NULL) + shaped +
               measured;
    struct str path;

    if (ways != 1) {
        error_set(err, ERROR_INPUT,
                  ways == 0 ? "the job does not say which model"
                            : "the job names its model in more than one way");
        if (job->tool != JOB_TOOL_NONE)
            error_hint(err, "--set model=%s adds it",
                       job->tool == JOB_TOOL_KOHYA ? "sdxl" : "llama-2-7b");
        else
            error_hint(err, "keep one of model: llama-2-7b, params: 7B, config: config.json or "
                            "measured: {...}");
        return false;
    }
    job->arch_known = !measured;
    if (measured)
        return check_measured(s.measured, err);
    if (shaped && !arch_of_shape(s.shape, job->name.len > 0 ? job->name : STR("described"),
                                 &job->arch, err))
        return false;
    if (s.params.at != NULL && !arch_of_params(s.params, &job->arch, err))
        return false;
    if (job_names_file(job, &path)) {
        if (!arch_of_file(config_text, path, &job->arch, arena, err))
            return false;
    } else if (s.model.at != NULL && config_text.len > 0 && str_eq(job->described, s.model)) {
        if (!arch_of_file(config_text, s.model, &job->arch, arena, err))
            return false;
    } else if (s.model.at != NULL && !arch_named(catalog, s.model, &job->arch, err)) {
        return false;
    }
    return arch_check(&job->arch, err);
}

/* --- contradictions ----------------------------------------------------------------------- */

static bool refuse_job(struct error *err, const char *what, const char *hint)
{
    error_set(err, ERROR_INPUT, "%s", what);
    if (hint != NULL)
        error_hint(err, "%s", hint);
    return false;
}

static bool check_method(const struct job *job, struct error *err)
{
    const struct job_train *t = &job->train;
    bool adapters = t->method.at != NULL && !str_eq(t->method, STR("full"));
    enum weights stored;

    if (!adapters && (!isnan(t->rank) || t->targets.at != NULL))
        return refuse_job(err, "rank and targets belong to LoRA",
                          "add method: lora, or drop them");
    if (!adapters && t->modules_to_save.at != NULL)
        return refuse_job(err, "modules_to_save belongs to LoRA",
                          "add method: lora, or drop it");
    if (!adapters && str_eq(t->dora, STR("yes")))
        return refuse_job(err, "dora belongs to LoRA", "add method: lora, or drop it");
    if (adapters && (t->trained_layers > 0 || !isnan(t->galore_rank)))
        return refuse_job(err, "trained_layers and galore_rank belong to full training",
                          "drop them, or write method: full");
    if (t->trained_layers > 0 && job->arch_known &&
        (arch_is_other(&job->arch) ||
         t->trained_layers > job->arch.layers + job->arch.decoder_layers))
        return error_fail(err, ERROR_INPUT,
                          "trained_layers: the model does not have %lld layers",
                          (long long)t->trained_layers);
    if (t->base.at != NULL && !str_eq(t->method, STR("qlora")))
        return refuse_job(err, "base belongs to QLoRA", "add method: qlora, or drop it");
    if (t->precision.at != NULL && !str_eq(t->method, STR("qlora")) &&
        weights_of(t->precision, &stored) &&
        (stored == WEIGHTS_INT8 || stored == WEIGHTS_INT4 || weights_are_nf4(stored)))
        return refuse_job(err, "training in 4 or 8 bits is for a frozen base only",
                          "write method: qlora and base: nf4, or another precision");
    if (adapters && job->arch_known && job->arch.hidden > 0 &&
        t->rank > (double)job->arch.hidden)
        return error_fail(err, ERROR_INPUT, "rank %.15g is above the model's width of %lld",
                          t->rank, (long long)job->arch.hidden);
    return true;
}

/* bitsandbytes' paged optimizers move their states by themselves. */
static bool check_paging(const struct job_train *t, struct error *err)
{
    bool offloads = t->parallel.offload.len > 0 && !str_eq(t->parallel.offload, STR("none"));
    enum optimizer o;

    if (!offloads || !optimizer_of(t->optimizer, &o) ||
        (o != OPTIMIZER_ADAMW_PAGED && o != OPTIMIZER_ADAMW_8BIT_PAGED))
        return true;
    return refuse_job(err, "a paged optimizer is not offloaded: it moves its states itself",
                      "drop parallel.offload, or write optimizer: adamw");
}

static bool check_batch(const struct job_train *t, struct error *err)
{
    int64_t micro = t->micro_batch > 0 ? t->micro_batch : 1;
    int64_t steps = t->accumulation > 0 ? t->accumulation : 1;
    int64_t copies = t->parallel.data > 0 ? t->parallel.data : 1;
    wide least = (wide)micro * steps * copies;
    bool whole = t->micro_batch > 0 && t->accumulation > 0 && t->parallel.data > 0;

    if (t->global_batch < 0)
        return true;
    if (t->global_batch % least == 0 && (!whole || t->global_batch == least))
        return true;
    error_set(err, ERROR_INPUT,
              "global_batch %lld is not micro_batch %lld x accumulation %lld x %s%lld",
              (long long)t->global_batch, (long long)micro, (long long)steps,
              t->parallel.data > 0 ? "parallel.data " : "a number of GPUs, such as ",
              (long long)copies);
    error_hint(err, "drop one of them: it follows from the others");
    return false;
}

static bool check_train(struct job *job, struct error *err)
{
    struct job_train *t = &job->train;
    const struct job_checkpoint *c = &t->checkpoint;

    if (!isnan(t->data.examples) && !isnan(t->data.tokens)) {
        if (!isnan(t->data.example_tokens))
            return refuse_job(
                err, "data: examples with tokens and example_tokens",
                "with examples, tokens means tokens per example: keep one of the two");
        if (t->data.tokens > 1e9)
            return refuse_job(err, "data: with examples, tokens means tokens per example",
                              "drop examples to give the tokens of the complete set");
        t->data.example_tokens = t->data.tokens;
        t->data.tokens = NAN;
    }
    if (!isnan(t->epochs) && !isnan(t->steps))
        return refuse_job(err, "the job has epochs and steps", "keep one of them");
    if (t->parallel.shard > 0 && t->parallel.data > 0 &&
        t->parallel.data % t->parallel.shard != 0)
        return refuse_job(err, "parallel: shard does not divide data", NULL);
    if (c->every.ns > 0 && c->save.ns > c->every.ns)
        return refuse_job(err, "checkpoint: saving takes longer than the time between two",
                          NULL);
    if (job->arch_known && t->sequence > 0 &&
        (job->arch.kind == ARCH_IMAGE || job->arch.kind == ARCH_VIT))
        return refuse_job(err, "sequence is for models of text",
                          "images have a resolution: 512, or what the model has");
    return check_method(job, err) && check_paging(t, err) && check_batch(t, err);
}

/* "Llama-2-7B-GGUF", without the file: four bits are what llama.cpp takes by itself. */
static void assume_bits(struct job *job)
{
    struct str model;
    int bits;

    if (job->kind != JOB_INFER || job->infer.weights.at != NULL ||
        !gguf_name(job->infer.model, &model, &bits) || bits > 0)
        return;
    job->infer.weights = str_from(weights_names[WEIGHTS_INT4]);
    job->bits_assumed = true;
}

/* Published weights of few bits stay so: they are served as they are, and trained with adapters
 * over them. Those in fp8 are often cast for training in full. */
static bool take_stored(struct job *job, struct arena *arena, struct error *err)
{
    const struct arch *a = &job->arch;
    struct job_train *t = &job->train;
    struct str stored = a->quantized ? str_from(weights_names[a->stored]) : STR("");

    if (!job->arch_known)
        return true;
    if (!a->quantized) {
        assume_bits(job);
        return true;
    }
    if (job->kind == JOB_INFER) {
        if (job->infer.weights.at == NULL)
            job->infer.weights = stored;
        return true;
    }
    if (a->native) { /* trained as people do: unpacked, unless QLoRA is asked for */
        if (str_eq(t->method, STR("qlora")) && t->base.at == NULL && a->stored != WEIGHTS_FP8)
            t->base = stored;
        return true;
    }
    if (t->method.at == NULL && a->stored != WEIGHTS_FP8 &&
        !job_set(job, STR("method"), STR("qlora"), arena, err))
        return false;
    if (str_eq(t->method, STR("lora")) &&
        !job_set(job, STR("method"), STR("qlora"), arena, err))
        return false;
    if (str_eq(t->method, STR("qlora")) && t->base.at == NULL)
        t->base = stored;
    return true;
}

/* The size of the reward model: a number, or a model that the catalog has. An
 * unknown one, or several, count as large as the trained one. */
static void find_reward(struct job *job, const struct catalog *catalog)
{
    struct job_train *t = &job->train;
    struct error ignored = {0};
    struct arch arch;

    t->reward_params = 0;
    if (t->reward.len == 0 || amount_of(t->reward, &t->reward_params))
        return;
    if (arch_named(catalog, t->reward, &arch, &ignored))
        t->reward_params = arch_count(&arch).total;
}

bool job_resolve(struct job *job, const struct catalog *catalog, struct str config_text,
                 struct arena *arena, struct error *err)
{
    bool ok = find_job_model(job, catalog, config_text, arena, err) &&
              take_stored(job, arena, err) && (job->kind == JOB_INFER || check_train(job, err));

    if (ok && job->kind == JOB_TRAIN)
        find_reward(job, catalog);

    /* A model that is not known is nothing that is wrong with the file; the rest is. */
    if (!ok && job->file != NULL && err->kind == ERROR_INPUT)
        error_context(err, "%s", job->file);
    return ok;
}
