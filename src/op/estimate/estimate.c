/* estimate - memory, time, energy, carbon and cost of a job in one setting. */
#include "op/estimate/estimate.h"

#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "op/estimate/estimate_work.h"
#include "op/estimate/learning.h"

static const char *const markets[] = {"on-demand", "spot", NULL};

static const struct field request[] = {
    FIELD(TEXT, estimate_request, job, .value = "JOB", .operand = true, .required = true,
          .help = "a job file, a model's name, or a number of parameters: 7B"),
    FIELD(TEXT, estimate_request, on, .value = "GPU[xN]", .help = "on what: H100x8"),
    FIELD(TEXT, estimate_request, offer, .value = "OFFER",
          .help = "a machine: aws/p5.48xlarge, aws/us-east-1/p5.48xlarge:spot"),
    FIELD(CHOICE, estimate_request, market, .value = "MARKET", .choices = markets,
          .help = "of the price: on-demand (unless said otherwise) or spot"),
    FIELD(RATE, estimate_request, price, .value = "PRICE",
          .help = "of one machine, instead of the catalog's: 12usd/hr"),
    FIELD(TEXTS, estimate_request, set, .value = "KEY=VALUE",
          .help = "change a key of the job: parallel.zero=3, batch=8"),
    FIELD(TEXT, estimate_request, sweep, .value = "KEY=A..B",
          .help = "a table over values: batch=1..64, zero=0..3, gpus=1..64"),
    FIELD(TEXT, estimate_request, deepspeed, .value = "FILE",
          .help = "take batch, precision, ZeRO and optimizer from a DeepSpeed configuration"),
    FIELD(FLAG, estimate_request, explain,
          .help = "show each formula with its numbers, of what does not fit too"),
    FIELD(FLAG, estimate_request, serve, .help = "serve the model that is named, not train it"),
    FIELD(FLAG, estimate_request, raw,
          .help = "without what your runs have taught (calibrate)"),
    FIELD(TEXT, estimate_request, method, .value = "M", .help = "full, lora or qlora"),
    FIELD(TEXT, estimate_request, tokens, .value = "N", .help = "of the data: 25M, 1.5T"),
    FIELD(TEXT, estimate_request, examples, .value = "N", .help = "of the data, or images"),
    FIELD(TEXT, estimate_request, epochs, .value = "N", .help = "through the data"),
    FIELD(TEXT, estimate_request, sequence, .value = "N", .help = "tokens of a sequence"),
    FIELD(TEXT, estimate_request, batch, .value = "N",
          .help = "sequences of one GPU at a time"),
    FIELD(TEXT, estimate_request, precision, .value = "P", .help = "bf16, fp8, ..."),
};

/* A job file; but a .json is the configuration of a model. */
static bool is_job_file(struct str name, const char *path)
{
    if (str_ends(name, STR(".json")))
        return false;
    return str_ends(name, STR(".yaml")) || str_ends(name, STR(".yml")) || fs_exists(path);
}

static bool read_text(struct op_context *ctx, struct str path, struct str *text,
                      struct error *err)
{
    char *name = str_dup(path, ctx->arena, err);

    return name != NULL && fs_read(name, JOB_MAX, ctx->arena, text, err);
}

/* A model's name, a size or a config.json, with nothing else said. */
static bool job_of_model(struct estimate_work *w, struct str name, struct error *err)
{
    double params;

    if (!job_reset(&w->job, w->ctx->arena, err))
        return false;
    if (w->request->serve)
        w->job.kind = JOB_INFER;
    return job_set(&w->job, amount_of(name, &params) ? STR("params") : STR("model"), name,
                   w->ctx->arena, err);
}

static bool apply_short(struct estimate_work *w, const char *key, struct str value,
                        struct error *err)
{
    return value.len == 0 || job_set(&w->job, str_from(key), value, w->ctx->arena, err);
}

static bool apply_options(struct estimate_work *w, struct error *err)
{
    const struct estimate_request *req = w->request;

    if (!apply_short(w, "method", req->method, err) ||
        !apply_short(w, "data.examples", req->examples, err) ||
        !apply_short(w, "data.tokens", req->tokens, err) ||
        !apply_short(w, "epochs", req->epochs, err) ||
        !apply_short(w, "sequence", req->sequence, err) ||
        !apply_short(w, "batch", req->batch, err) ||
        !apply_short(w, "precision", req->precision, err))
        return false;
    for (size_t i = 0; i < req->set.len; i++) {
        struct str value = req->set.at[i], key;

        /* "targets=q,v" was cut at its comma: put it together again. */
        while (i + 1 < req->set.len &&
               memchr(req->set.at[i + 1].at, '=', req->set.at[i + 1].len) == NULL &&
               req->set.at[i + 1].at == value.at + value.len + 1)
            value.len += req->set.at[++i].len + 1;
        key = str_trim(str_cut(&value, '='));
        if (value.at == NULL || value.len == 0) {
            error_set(err, ERROR_USAGE, "--set: '%.*s' is not KEY=VALUE",
                      STR_ARG(req->set.at[i]));
            error_hint(err, "--set batch=8");
            return false;
        }
        if (!job_set(&w->job, key, str_trim(value), w->ctx->arena, err))
            return false;
    }
    return true;
}

static bool read_deepspeed(struct estimate_work *w, struct error *err)
{
    struct str text, path = w->request->deepspeed;
    char *name = str_dup(path, w->ctx->arena, err);

    return name != NULL && read_text(w->ctx, path, &text, err) &&
           job_deepspeed(text, name, &w->job, w->ctx->arena, err);
}

bool read_job(struct estimate_work *w, struct error *err)
{
    struct op_context *ctx = w->ctx;
    struct str name = w->request->job, text, path;
    char *file = str_dup(name, ctx->arena, err);

    if (file == NULL)
        return false;
    if (is_job_file(name, file)) {
        if (w->request->serve) {
            error_set(err, ERROR_USAGE,
                      "--serve is for a model that is named, and '%.*s' is a job file",
                      STR_ARG(name));
            error_hint(err, "write infer: in the file, where it says train:");
            return false;
        }
        if (!read_text(ctx, name, &text, err) ||
            !job_read(text, file, &w->job, ctx->arena, err))
            return false;
    } else if (!job_of_model(w, name, err)) {
        return false;
    }
    if (w->request->deepspeed.len > 0 && !read_deepspeed(w, err))
        return false;
    if (!apply_options(w, err))
        return false;
    if (job_names_file(&w->job, &path) && !read_text(ctx, path, &w->config, err))
        return false;
    w->said = w->job;
    return job_resolve(&w->job, &ctx->catalog, w->config, ctx->arena, err);
}

static bool keep_notes(struct estimate_work *w, struct estimate_result *res, struct error *err)
{
    struct str *texts = arena_array(w->ctx->arena, struct str, MAX_NOTES, err);

    if (texts == NULL)
        return false;
    for (size_t i = 0; i < w->notes.len; i++) {
        texts[i].at = str_dup(str_from(w->notes.at[i]), w->ctx->arena, err);
        if (texts[i].at == NULL)
            return false;
        texts[i] = str_from(texts[i].at);
    }
    res->notes = (struct strs){texts, w->notes.len};
    return true;
}

bool add_parts(struct estimate_work *w, const struct estimate_part *parts, size_t count,
               double whole, double scale, struct rows *out, struct error *err)
{
    struct estimate_part *kept = arena_array(w->ctx->arena, struct estimate_part, count, err);
    size_t n = 0;

    if (kept == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!(parts[i].amount > 0))
            continue;
        kept[n] = parts[i];
        kept[n].amount *= scale;
        kept[n++].share = parts[i].amount / whole;
    }
    *out = (struct rows){kept, n};
    return true;
}

bool estimate_once(struct estimate_work *w, struct estimate_result *res, struct error *err)
{
    bool ok;

    w->notes.len = 0;
    if (!fields_reset(&estimate_result_fields, res, w->ctx->arena, err))
        return false;
    if (w->job.arch_known && w->job.arch.assumed)
        note(&w->notes, "a decoder of %lld layers, %lld wide: only its size is known",
             (long long)w->job.arch.layers, (long long)w->job.arch.hidden);
    if (!w->job.arch_known)
        ok = estimate_measured_job(w, res, err);
    else if (w->job.kind == JOB_TRAIN)
        ok = estimate_training_job(w, res, err);
    else
        ok = estimate_serving_job(w, res, err);
    return ok && keep_notes(w, res, err);
}

/* As many GPUs as would hold it if memory were all, in powers of two. */
static int64_t enough_gpus(const struct hardware *hw, const struct estimate_result *res)
{
    double wanted = (double)hw->gpus * res->memory_gb / res->usable_gb;
    int64_t n = hw->gpus;

    while ((double)n < wanted && n < 1024)
        n *= 2;
    return n == hw->gpus ? 2 * n : n;
}

/* What `stint gpu fit` takes: the model's name, or what stands for it. */
static struct str model_word(const struct estimate_work *w, const struct estimate_result *res)
{
    return w->job.arch.assumed ? w->request->job : res->model;
}

static void hint_fit(const struct estimate_work *w, const struct estimate_result *res,
                     struct error *err)
{
    const struct hardware *hw = &w->place.hardware;
    bool serves = w->job.kind == JOB_INFER;
    const char *less = serves ? ", or --set weights=int4" : ", or --method lora";

    if (str_eq(res->method, STR("lora")))
        less = ", or --method qlora";
    else if (str_eq(res->method, STR("qlora")) || str_eq(res->precision, STR("int4")))
        less = "";
    error_hint(err, "try --on %.*sx%lld%s; 'stint gpu fit %.*s' shows what holds it",
               STR_ARG(hw->gpu->family), (long long)enough_gpus(hw, res), less,
               STR_ARG(model_word(w, res)));
}

/* It does not fit: say what would make it. */
static bool unfit(const struct estimate_work *w, const struct estimate_result *res,
                  struct error *err)
{
    const struct accelerator *gpu = w->place.hardware.gpu;
    struct str model = res->model.len > 0 ? res->model : STR("the job");

    if (res->memory_gb > res->usable_gb) {
        error_set(err, ERROR_UNFIT, "%.*s needs %.1f GB on each %.*s, which has %.1f GB",
                  STR_ARG(model), res->memory_gb, STR_ARG(gpu->name), res->usable_gb);
        if (res->model.len > 0)
            hint_fit(w, res, err);
        return false;
    }
    error_set(err, ERROR_UNFIT,
              "offloading needs %.0f GB of the machine's memory, which has %.0f GB",
              res->host_gb, res->host_usable_gb);
    error_hint(err, "try a higher stage of ZeRO, more machines, or --on without --offer");
    return false;
}

/* Everything that is the same for all settings of a sweep. */
static bool prepare(struct estimate_work *w, struct error *err)
{
    return op_catalog(w->ctx,
                      TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS) |
                          TABLE_BIT(TABLE_CONSTANTS),
                      err) &&
           op_constants(w->ctx, w->request->raw, &w->constants, err) && read_job(w, err) &&
           find_place(w, err);
}

bool estimate_one(struct estimate_work *w, struct estimate_result *res, struct error *err)
{
    return prepare(w, err) && estimate_once(w, res, err) && (res->fits || unfit(w, res, err));
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct estimate_work w = {.ctx = ctx, .request = in};
    struct estimate_result *res = out;

    if (!prepare(&w, err))
        return false;
    if (w.request->sweep.len > 0) {
        struct error ignored = {0};

        /* The job as it stands may be impossible; some of its variants may not. */
        if (!estimate_once(&w, res, &ignored)) {
            if (ignored.kind == ERROR_MEMORY)
                return error_memory(err);
            if (!fields_reset(&estimate_result_fields, res, ctx->arena, err))
                return false;
        }
        return estimate_sweep(&w, res, err);
    }
    if (!estimate_once(&w, res, err))
        return false;
    return res->fits || w.request->explain || unfit(&w, res, err);
}

const struct field_set *op_job_keys(void)
{
    return &job_fields;
}

const struct op op_estimate = {
    .name = "estimate",
    .schema = "stint.estimate/1",
    .summary = "estimate memory, time, energy and cost of a job",
    .request = &(const struct field_set)FIELD_SET(struct estimate_request, request),
    .result = &estimate_result_fields,
    .run = run,
};
