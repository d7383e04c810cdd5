/* gpu.fit - the smallest and the cheapest GPUs that hold a model, for each way to use it. */
#include "op/facts/gpu_fit.h"
#include "op/model_config.h"

#include "job/job.h"
#include "op/context.h"
#include "op/op.h"

#define USUAL_SEQUENCE 2048

static const struct field request[] = {
    FIELD(TEXT, gpu_fit_request, model, .value = "MODEL", .operand = true, .required = true,
          .help = "model name, size such as 7B, or path of a model's folder or config.json"),
    FIELD(COUNT, gpu_fit_request, sequence, .value = "N", .positive = true,
          .help = "tokens per sequence (default: 2048, or the model's maximum)"),
    FIELD(COUNT, gpu_fit_request, batch, .value = "N", .positive = true, .fallback = "1",
          .help = "sequences at a time; in training, on each GPU"),
    FIELD(TEXT, gpu_fit_request, gpu, .value = "GLOB", .also = accelerator_options,
          .help = "GPUs to consider, such as 'RTX*'"),
    FIELD(COUNT, gpu_fit_request, max_gpus, .value = "N", .positive = true, .fallback = "64",
          .help = "maximum number of GPUs together"),
    FIELD(COUNT, gpu_fit_request, limit, .value = "N", .positive = true, .fallback = "3",
          .help = "show the N smallest GPUs for each use; the cheapest is always shown"),
};

static const struct field result[] = {
    FIELD(TEXT, gpu_fit_result, model, .help = "name of the model"),
    FIELD(NUMBER, gpu_fit_result, params, .help = "number of parameters"),
    FIELD(FLAG, gpu_fit_result, assumed,
          .help = "model shape is unknown, only its size is known"),
    FIELD(TEXT, gpu_fit_result, note, .help = "approximations of the model's shape"),
    FIELD(COUNT, gpu_fit_result, sequence, .help = "tokens per sequence"),
    FIELD(COUNT, gpu_fit_result, batch, .help = "sequences at a time"),
    FIELD_AS("options", LIST, gpu_fit_result, fit.options, .row = &gpu_fit_option_fields,
             .help = "options by use: the smallest first, including the cheapest"),
    FIELD_AS("missing", LIST, gpu_fit_result, fit.missing, .row = &gpu_fit_missing_fields,
             .help = "uses that none of the GPUs fits"),
    FIELD(RECORD, gpu_fit_result, age, .row = &price_age_fields, .help = "age of the prices"),
};

static bool arch_of_text(struct op_context *ctx, struct str name, struct str text,
                         struct arch *out, struct error *err)
{
    const char *called = str_dup(name, ctx->arena, err);
    const struct node *root =
        called != NULL ? json_read_python(text, called, ctx->arena, err) : NULL;

    return root != NULL && arch_from_config(root, called, out, err);
}

static bool read_fit_config(struct op_context *ctx, struct str path, struct arch *out,
                            struct error *err)
{
    struct str text;

    return op_model_file(ctx, path, NULL, &text, err) &&
           arch_of_text(ctx, path, text, out, err);
}

/* Of the catalog, of a folder, or of the Hub's cache. */
static bool find_named_model(struct op_context *ctx, struct str model, struct arch *out,
                             struct error *err)
{
    struct str text;

    if (!op_model_config(ctx, model, NULL, false, &text, err))
        return false;
    if (text.len == 0)
        return arch_named(&ctx->catalog, model, out, err);
    return arch_of_text(ctx, model, text, out, err);
}

static bool find_fit_model(struct op_context *ctx, struct str model, struct arch *out,
                           struct error *err)
{
    struct job job;
    struct str path;
    double params;

    if (!job_reset(&job, ctx->arena, err))
        return false;
    job.train.model = model;
    if (amount_of(model, &params)) {
        if (!arch_of_size(params, out, err))
            return false;
        out->name = model;
    } else if (job_names_file(&job, &path)) {
        if (!read_fit_config(ctx, path, out, err))
            return false;
    } else if (!find_named_model(ctx, model, out, err)) {
        return false;
    }
    return arch_check(out, err);
}

/* Tokens of a sequence: pictures have as many as they have patches. */
static int64_t sequence_of(const struct arch *a, int64_t asked)
{
    if (a->kind == ARCH_VIT)
        return arch_patches(a);
    if (a->kind == ARCH_IMAGE)
        return 1;
    if (asked > 0)
        return asked;
    return a->context > 0 && a->context < USUAL_SEQUENCE ? a->context : USUAL_SEQUENCE;
}

/* A pattern that matches nothing may be one of the other names of a GPU. */
static bool find_gpus(struct op_context *ctx, struct gpu_fit_query *query, struct error *err)
{
    for (size_t i = 0; i < ctx->catalog.tables[TABLE_ACCELERATORS].len; i++)
        if (gpu_fit_matches(CATALOG_ROW(&ctx->catalog, TABLE_ACCELERATORS, accelerator, i),
                            query->gpu))
            return true;
    query->only = op_accelerator(ctx, query->gpu, false, err);
    return query->only != NULL;
}

static bool all_machines(struct op_context *ctx, struct gpu_fit_query *query, struct error *err)
{
    const struct machine_query filter = machine_query_all();
    struct machine *machines;

    if (!op_supply(ctx, (struct strs){0}, &query->supply, err) ||
        !op_machines(ctx, &filter, &machines, &query->machine_count, err))
        return false;
    query->machines = machines;
    return true;
}

static bool refuse_no_fit(const struct gpu_fit_query *query, const struct gpu_fit *fit,
                          struct error *err)
{
    const struct gpu_fit_missing *easiest = fit->missing.at;
    struct str gpu = query->gpu.len > 0 ? query->gpu : STR("any GPU");

    error_set(err, ERROR_UNFIT, "nothing up to %lldx %.*s holds '%.*s'",
              (long long)query->max_gpus, STR_ARG(gpu), STR_ARG(query->work.arch->name));
    if (easiest->would.len == 0)
        error_hint(err, "--sequence %lld or --batch %lld is too much: try less",
                   (long long)query->work.sequence, (long long)query->work.batch);
    else
        error_hint(err, "%.*s would, for inference", STR_ARG(easiest->would));
    return false;
}

static void describe_model(const struct gpu_fit_query *query, struct gpu_fit_result *res)
{
    const struct arch *arch = query->work.arch;

    res->model = arch->name;
    res->params = arch_count(arch).total;
    res->assumed = arch->assumed;
    res->note = arch->note;
    res->sequence = query->work.sequence;
    res->batch = query->work.batch;
}

static bool fit_gpus(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const uint64_t tables = TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) |
                            TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS) |
                            TABLE_BIT(TABLE_CONSTANTS) | TABLE_BIT(TABLE_NETWORKS);
    const struct gpu_fit_request *req = in;
    struct gpu_fit_result *res = out;
    struct gpu_fit_query query = {
        .gpu = req->gpu, .max_gpus = req->max_gpus, .limit = req->limit};
    const struct gpu_fit_option *options;
    struct constants constants;
    bool alone = false;
    struct arch arch;

    if (!op_catalog(ctx, tables, err) || !constants_load(&ctx->catalog, &constants, err) ||
        !find_fit_model(ctx, req->model, &arch, err) || !find_gpus(ctx, &query, err) ||
        !all_machines(ctx, &query, err))
        return false;
    query.work =
        (struct fit_work){&arch, &constants, sequence_of(&arch, req->sequence), req->batch};
    if (!gpu_fit(&ctx->catalog, &query, ctx->arena, &res->fit, err))
        return false;
    if (res->fit.options.len == 0)
        return refuse_no_fit(&query, &res->fit, err);
    if (arch.assumed)
        message_note(&ctx->messages,
                     "'%.*s' is assumed to be a decoder of %lld layers, %lld wide",
                     STR_ARG(req->model), (long long)arch.layers, (long long)arch.hidden);
    options = res->fit.options.at;
    for (size_t i = 0; i < res->fit.options.len; i++) {
        if (options[i].price.nano != MONEY_UNKNOWN)
            op_price_age(ctx, options[i].price_date, &res->age);
        else
            alone |= options[i].count > 1;
    }
    if (alone)
        message_note(&ctx->messages, "no price: no offer has that many of these GPUs in one "
                                     "machine, or in machines that can be joined");
    op_price_age_warn(ctx, &res->age);
    describe_model(&query, res);
    return true;
}

const struct op op_gpu_fit = {
    .name = "gpu.fit",
    .schema = "stint.gpu.fit/1",
    .summary = "list the smallest GPUs that fit a model",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct gpu_fit_request, request),
    .result = &(const struct field_set)FIELD_SET(struct gpu_fit_result, result),
    .run = fit_gpus,
};
