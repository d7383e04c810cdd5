/* gpu.fit - the smallest and the cheapest GPUs that hold a model, for each way to use it. */
#include "op/facts/gpu_fit.h"
#include "op/context.h"
#include "op/op.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/num.h"
#include "estimate/fit.h"
#include "estimate/memory.h"
#include "job/job.h"

#define NODE 8         /* GPUs of the machines that larger groups are made of */
#define MOST_GPUS 4096 /* looked at to say what would hold it */
#define USUAL_SEQUENCE 2048

static const struct field request[] = {
    FIELD(TEXT, gpu_fit_request, model, .value = "MODEL", .operand = true, .required = true,
          .help = "a name, a size such as 7B, or the path of a config.json"),
    FIELD(COUNT, gpu_fit_request, sequence, .value = "N", .positive = true,
          .help = "tokens of a sequence; 2048, or what the model can take"),
    FIELD(COUNT, gpu_fit_request, batch, .value = "N", .positive = true, .fallback = "1",
          .help = "sequences at a time, on each GPU in training"),
    FIELD(TEXT, gpu_fit_request, gpu, .value = "GLOB", .also = accelerator_options,
          .help = "only these, such as 'RTX*'"),
    FIELD(COUNT, gpu_fit_request, max_gpus, .value = "N", .positive = true, .fallback = "64",
          .help = "at most so many together"),
    FIELD(COUNT, gpu_fit_request, limit, .value = "N", .positive = true, .fallback = "3",
          .help = "smallest ones of each use; the cheapest is shown besides"),
};

static const struct field option_fields[] = {
    FIELD(TEXT, gpu_fit_option, mode, .help = "inference, qlora, lora or full (training)"),
    FIELD(TEXT, gpu_fit_option, with, .help = "how weights or optimizer states are kept"),
    FIELD(TEXT, gpu_fit_option, gpu, .help = "name of the accelerator"),
    FIELD(COUNT, gpu_fit_option, count, .help = "how many of them"),
    FIELD(NUMBER, gpu_fit_option, memory_gb, .help = "needed on the fullest GPU, GB"),
    FIELD(NUMBER, gpu_fit_option, usable_gb, .help = "there on each, GB"),
    FIELD(NUMBER, gpu_fit_option, total_gb, .help = "of all together, GB"),
    FIELD(TEXT, gpu_fit_option, setting, .help = "how the work is split"),
    FIELD(FLAG, gpu_fit_option, smallest, .help = "the least memory that holds it"),
    FIELD(FLAG, gpu_fit_option, cheapest, .help = "the lowest price that holds it"),
    FIELD(RATE, gpu_fit_option, price, .help = "of so many, on demand, in complete machines"),
    FIELD(TEXT, gpu_fit_option, offer, .help = "where"),
    FIELD(COUNT, gpu_fit_option, machines, .help = "of that offer"),
    FIELD(DAY, gpu_fit_option, price_date, .help = "of that price"),
    FIELD(COUNT, gpu_fit_option, price_age_days, .help = "how old that price is"),
};

static const struct field_set option_set = FIELD_SET(struct gpu_fit_option, option_fields);

static const struct field missing_fields[] = {
    FIELD(TEXT, gpu_fit_missing, mode, .help = "use that nothing asked for holds"),
    FIELD(TEXT, gpu_fit_missing, with, .help = "how weights or optimizer states are kept"),
    FIELD(TEXT, gpu_fit_missing, would, .help = "what would hold it"),
};

static const struct field_set missing_set = FIELD_SET(struct gpu_fit_missing, missing_fields);

static const struct field result[] = {
    FIELD(TEXT, gpu_fit_result, model, .help = "name of the model"),
    FIELD(NUMBER, gpu_fit_result, params, .help = "how many parameters it has"),
    FIELD(FLAG, gpu_fit_result, assumed, .help = "only the model's size is known"),
    FIELD(COUNT, gpu_fit_result, sequence, .help = "tokens of a sequence"),
    FIELD(COUNT, gpu_fit_result, batch, .help = "sequences at a time"),
    FIELD(LIST, gpu_fit_result, options, .row = &option_set,
          .help = "by use: the smallest first, the cheapest with them"),
    FIELD(LIST, gpu_fit_result, missing, .row = &missing_set,
          .help = "uses that nothing asked for holds"),
    FIELD(RECORD, gpu_fit_result, age, .row = &price_age_fields, .help = "of the prices"),
};

struct fit {
    struct op_context *ctx;
    const struct gpu_fit_request *req;
    struct arch arch;
    struct constants constants;
    struct fit_work work;
    const struct accelerator *only; /* NULL: by the pattern */
    const struct machine *offers;
    size_t offer_count;
    struct gpu_fit_option *found; /* of one mode */
    size_t found_count;
    struct gpu_fit_option *options;
    size_t option_count;
    struct gpu_fit_missing *missing;
    size_t missing_count;
};

static bool read_config(struct fit *f, struct str path, struct error *err)
{
    char *name = str_dup(path, f->ctx->arena, err);
    const struct node *root;
    struct str text;

    if (name == NULL || !fs_read(name, JOB_MAX, f->ctx->arena, &text, err))
        return false;
    root = json_read(text, name, f->ctx->arena, err);
    return root != NULL && arch_from_config(root, name, &f->arch, err);
}

static bool find_model(struct fit *f, struct error *err)
{
    struct job job;
    struct str path;
    double params;

    if (!job_reset(&job, f->ctx->arena, err))
        return false;
    job.train.model = f->req->model;
    if (amount_of(f->req->model, &params)) {
        if (!arch_of_size(params, &f->arch, err))
            return false;
        f->arch.name = f->req->model;
    } else if (job_names_file(&job, &path)) {
        if (!read_config(f, path, err))
            return false;
    } else if (!arch_named(&f->ctx->catalog, f->req->model, &f->arch, err)) {
        return false;
    }
    return arch_check(&f->arch, err);
}

/* Tokens of a sequence: pictures have as many as they have patches. */
static int64_t sequence_of(const struct fit *f)
{
    const struct arch *a = &f->arch;

    if (a->kind == ARCH_VIT)
        return arch_patches(a);
    if (a->kind == ARCH_IMAGE)
        return 1;
    if (f->req->sequence > 0)
        return f->req->sequence;
    return a->context > 0 && a->context < USUAL_SEQUENCE ? a->context : USUAL_SEQUENCE;
}

static bool matches(const struct accelerator *a, struct str glob)
{
    return glob.len == 0 || str_glob(a->name, glob) || str_glob(a->family, glob);
}

static bool wanted(const struct fit *f, const struct accelerator *a)
{
    return f->only != NULL ? a == f->only : matches(a, f->req->gpu);
}

/* A pattern that matches nothing may be one of the names that people use. */
static bool find_gpus(struct fit *f, struct error *err)
{
    size_t total = f->ctx->catalog.tables[TABLE_ACCELERATORS].len;

    for (size_t i = 0; i < total; i++)
        if (matches(CATALOG_ROW(&f->ctx->catalog, TABLE_ACCELERATORS, accelerator, i),
                    f->req->gpu))
            return true;
    f->only = op_accelerator(f->ctx, f->req->gpu, false, err);
    return f->only != NULL;
}

/* The cheapest machines with so many: one machine, or machines of 8. Cards that are
 * sold one by one cannot work together. */
static void price_option(const struct fit *f, const struct accelerator *a,
                         struct gpu_fit_option *o)
{
    int64_t least = o->count < NODE ? o->count : NODE;

    for (size_t i = 0; i < f->offer_count; i++) {
        const struct machine *offer = &f->offers[i];
        usd_per_hour price;
        int64_t machines;

        if (offer->gpu != a || offer->count < least)
            continue;
        machines = (o->count + offer->count - 1) / offer->count;
        price = usd_per_hour_times(offer->on_demand, machines);
        if (usd_per_hour_compare(price, o->price) >= 0)
            continue;
        o->price = price;
        o->machines = machines;
        o->offer = offer->name;
        o->price_date = offer->fact.date;
        o->price_age_days = offer->age_days;
    }
}

static bool try_gpu(struct fit *f, const struct fit_mode *mode, const struct accelerator *a,
                    struct error *err)
{
    char setting[FIT_SETTING_MAX], *text;
    double needed = NAN;
    int64_t count = fit_fewest(mode, &f->work, a, f->req->max_gpus, &needed, setting);
    struct gpu_fit_option *o = &f->found[f->found_count];

    if (count == 0)
        return true;
    text = str_dup(str_from(setting), f->ctx->arena, err);
    if (text == NULL)
        return false;
    *o = (struct gpu_fit_option){
        .mode = str_from(mode->name),
        .with = str_from(mode->with),
        .gpu = a->name,
        .setting = str_from(text),
        .count = count,
        .memory_gb = needed / 1e9,
        .usable_gb = usable_memory(a) / 1e9,
        .total_gb = a->memory_gb * (double)count,
        .machines = -1,
        .price_age_days = -1,
        .price = USD_PER_HOUR_UNKNOWN,
        .price_date = DAY_UNKNOWN,
    };
    price_option(f, a, o);
    f->found_count++;
    return true;
}

/* Smallest in all first; of those the cheapest, then the fewest. */
static int compare(const void *x, const void *y)
{
    const struct gpu_fit_option *a = x, *b = y;
    int order = num_compare(a->total_gb, b->total_gb);

    if (order == 0)
        order = usd_per_hour_compare(a->price, b->price);
    if (order == 0)
        order = (a->count > b->count) - (a->count < b->count);
    return order != 0 ? order : str_cmp(a->gpu, b->gpu);
}

/* Take the smallest, and the cheapest when it is not one of them. */
static void keep_best(struct fit *f)
{
    size_t cheapest = 0, limit = (size_t)f->req->limit;

    qsort(f->found, f->found_count, sizeof f->found[0], compare);
    for (size_t i = 1; i < f->found_count; i++)
        if (usd_per_hour_compare(f->found[i].price, f->found[cheapest].price) < 0)
            cheapest = i;
    f->found[0].smallest = true;
    f->found[cheapest].cheapest = f->found[cheapest].price.nano != MONEY_UNKNOWN;
    for (size_t i = 0; i < f->found_count; i++)
        if (i < limit || f->found[i].cheapest)
            f->options[f->option_count++] = f->found[i];
}

/* Of all GPUs there are, the fewest that hold it. */
static bool what_would(const struct fit *f, const struct fit_mode *mode, struct str *out,
                       struct error *err)
{
    size_t total = f->ctx->catalog.tables[TABLE_ACCELERATORS].len;
    int64_t best = 0;
    char text[128] = "", setting[FIT_SETTING_MAX], *copy;

    for (size_t i = 0; i < total; i++) {
        const struct accelerator *a =
            CATALOG_ROW(&f->ctx->catalog, TABLE_ACCELERATORS, accelerator, i);
        double needed;
        int64_t count =
            fit_fewest(mode, &f->work, a, best > 0 ? best - 1 : MOST_GPUS, &needed, setting);

        if (count == 0)
            continue;
        best = count;
        (void)snprintf(text, sizeof text, "%lld x %.*s", (long long)count, STR_ARG(a->name));
    }
    copy = str_dup(str_from(text), f->ctx->arena, err);
    *out = str_from(copy);
    return copy != NULL;
}

static bool try_mode(struct fit *f, const struct fit_mode *mode, struct error *err)
{
    size_t total = f->ctx->catalog.tables[TABLE_ACCELERATORS].len;
    struct gpu_fit_missing *m = &f->missing[f->missing_count];

    f->found_count = 0;
    for (size_t i = 0; i < total; i++) {
        const struct accelerator *a =
            CATALOG_ROW(&f->ctx->catalog, TABLE_ACCELERATORS, accelerator, i);

        if (wanted(f, a) && !try_gpu(f, mode, a, err))
            return false;
    }
    if (f->found_count > 0) {
        keep_best(f);
        return true;
    }
    *m = (struct gpu_fit_missing){.mode = str_from(mode->name), .with = str_from(mode->with)};
    f->missing_count++;
    return what_would(f, mode, &m->would, err);
}

static bool all_offers(struct fit *f, struct error *err)
{
    struct machine_query filter = {.kind = STR("cloud"),
                                   .market = STR("on-demand"),
                                   .min_memory = BYTES_UNKNOWN,
                                   .max_price = USD_PER_HOUR_UNKNOWN,
                                   .max_age = SPAN_UNKNOWN};
    struct machine *offers;

    if (!op_machines(f->ctx, &filter, &offers, &f->offer_count, err))
        return false;
    f->offers = offers;
    return true;
}

static bool prepare(struct fit *f, struct error *err)
{
    struct op_context *ctx = f->ctx;
    size_t total;

    if (!op_catalog(ctx,
                    TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) |
                        TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS) |
                        TABLE_BIT(TABLE_CONSTANTS),
                    err) ||
        !constants_load(&ctx->catalog, &f->constants, err) || !find_model(f, err) ||
        !find_gpus(f, err) || !all_offers(f, err))
        return false;
    f->work = (struct fit_work){.arch = &f->arch,
                                .constants = &f->constants,
                                .sequence = sequence_of(f),
                                .batch = f->req->batch};
    total = ctx->catalog.tables[TABLE_ACCELERATORS].len;
    f->found = arena_array(ctx->arena, struct gpu_fit_option, total + 1, err);
    f->options =
        arena_array(ctx->arena, struct gpu_fit_option, (total + 1) * fit_mode_count, err);
    f->missing = arena_array(ctx->arena, struct gpu_fit_missing, fit_mode_count, err);
    return f->found != NULL && f->options != NULL && f->missing != NULL;
}

static bool nothing_holds(const struct fit *f, struct error *err)
{
    const struct gpu_fit_missing *easiest = &f->missing[0];
    struct str gpu = f->req->gpu.len > 0 ? f->req->gpu : STR("any GPU");

    error_set(err, ERROR_UNFIT, "nothing up to %lld x %.*s holds '%.*s'",
              (long long)f->req->max_gpus, STR_ARG(gpu), STR_ARG(f->arch.name));
    if (easiest->would.len == 0)
        error_hint(err, "--sequence %lld or --batch %lld is too much: try less",
                   (long long)f->work.sequence, (long long)f->work.batch);
    else
        error_hint(err, "%.*s would, for inference", STR_ARG(easiest->would));
    return false;
}

static bool gpu_fit_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct gpu_fit_result *res = out;
    struct fit f = {.ctx = ctx, .req = in};

    if (!prepare(&f, err))
        return false;
    for (size_t i = 0; i < fit_mode_count; i++)
        if (fit_mode_suits(&fit_modes[i], &f.arch) && !try_mode(&f, &fit_modes[i], err))
            return false;
    if (f.option_count == 0)
        return nothing_holds(&f, err);
    if (f.arch.assumed)
        message_note(&ctx->messages, "'%.*s' is taken for a decoder of %lld layers, %lld wide",
                     STR_ARG(f.req->model), (long long)f.arch.layers, (long long)f.arch.hidden);
    for (size_t i = 0; i < f.option_count; i++)
        if (f.options[i].price.nano != MONEY_UNKNOWN)
            op_price_age(ctx, f.options[i].price_date, &res->age);
    op_price_age_warn(ctx, &res->age);
    res->model = f.arch.name;
    res->params = arch_count(&f.arch).total;
    res->assumed = f.arch.assumed;
    res->sequence = f.work.sequence;
    res->batch = f.work.batch;
    res->options = (struct rows){f.options, f.option_count};
    res->missing = (struct rows){f.missing, f.missing_count};
    return true;
}

const struct op op_gpu_fit = {
    .name = "gpu.fit",
    .schema = "stint.gpu.fit/1",
    .summary = "list the smallest GPUs that hold a model",
    .request = &(const struct field_set)FIELD_SET(struct gpu_fit_request, request),
    .result = &(const struct field_set)FIELD_SET(struct gpu_fit_result, result),
    .run = gpu_fit_run,
};
