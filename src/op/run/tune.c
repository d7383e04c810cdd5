/* tune - batch sizes tried with the user's own command: speed, memory, money. */
#include "op/run/tune.h"

#include <math.h>
#include <unistd.h>

#include "op/context.h"
#include "op/op.h"
#include "op/options.h"
#include "op/run/meters.h"
#include "op/run/run_charge.h"
#include "render/columns.h"

#define GRACE ((span){INT64_C(5000000000)}) /* for a trial to end when asked */
#define KNEE 0.03                           /* two doublings that gain less end the search */
#define NEAR \
    0.02 /* the smallest size that costs no more than this above the least is recommended */
#define LONGEST_NS (INT64_C(86400) * 1000000000)

static const struct field request[] = {
    FIELD(TEXTS, tune_request, command, .operand = true, .required = true, .whole = true,
          .value = "COMMAND", .help = "command to run; {} in it becomes the batch size"),
    FIELD(TEXT, tune_request, batch, .value = "LOW..HIGH", .required = true,
          .help = "batch sizes to try, doubling from the lowest: 8..512"),
    FIELD(SPAN, tune_request, seconds, .value = "TIME", .fallback = "20s", .positive = true,
          .seconds = true, .help = "time to measure each size, after the warm-up"),
    FIELD(SPAN, tune_request, warmup, .value = "TIME", .fallback = "5s", .seconds = true,
          .help = "time after the first step that does not count"),
    FIELD(SPAN, tune_request, patience, .value = "TIME", .fallback = "5min", .positive = true,
          .help = "time to wait for the first step"),
    RUN_PRICE_OPTIONS(tune_request),
    FIELD(TEXT, tune_request, samples_pattern, .value = "PATTERN",
          .help = "read samples per second from the output: 'speed=([0-9.]+)'"),
    FIELD(NUMBER, tune_request, samples, .value = "N", .positive = true,
          .help = "samples of a command that ends by itself and prints no progress"),
    FIELD(FLAG, tune_request, fine, .help = "try sizes around the best as well"),
    OP_CSV(tune_request),
    FIELD(FLAG, tune_request, verbose, .help = "show the output of the command"),
};

static const struct field result[] = {
    FIELD(LIST, tune_result, sizes, .row = &tune_point_fields,
          .help = "sizes, smaller ones first"),
    FIELD(TEXT, tune_result, ended, .help = "reason why the search ended"),
    FIELD(COUNT, tune_result, best, .help = "size with the lowest cost per sample"),
    FIELD(COUNT, tune_result, recommended, .help = "smallest size that costs about as little"),
    FIELD(NUMBER, tune_result, near, .help = "tolerance of the recommendation, a share"),
    FIELD(RATE, tune_result, price, .help = "price of the machine; null: unknown"),
    FIELD(TEXT, tune_result, price_source, .help = "source of the price"),
    OP_CSV_WRITTEN(tune_result),
};

/* What a trial needs besides its size. */
struct tuning {
    struct op_context *ctx;
    struct tune_trial trial;
    struct tune_sizes sizes;
    struct meters *meters;
    struct meter_sample *sample;
    uint64_t tried;
    char label[32];
};

/* Memory of the tree on the fullest device, and resident. */
static void read_tune_memory(void *ctx, pid_t pid, double *device, double *tree)
{
    struct tuning *w = ctx;

    (void)pid;
    meters_read(w->meters, clock_system.now(clock_system.ctx), w->sample);
    *tree = w->sample->tree.memory;
    for (size_t i = 0; i < w->sample->gpus; i++) {
        const struct gpu_sample *g = &w->sample->gpu[i];

        if (g->use == GPU_VISIBLE)
            continue;
        *device = fmax(*device, isnan(g->tree_memory) && g->use == GPU_OURS ? g->memory
                                                                            : g->tree_memory);
    }
}

static bool measure_size(void *ctx, struct tune_point *point, struct error *err)
{
    struct tuning *w = ctx;

    (void)snprintf(w->label, sizeof w->label, "batch %lld", (long long)point->batch);
    watch_progress(&w->ctx->watch, w->label, ++w->tried, 0);
    if (!tune_measure(&w->trial, point, err))
        return false;
    if (point->outcome != TUNE_STOPPED)
        tune_point_note(point, &w->ctx->messages);
    return true;
}

static bool check_tune_request(const struct tune_request *req, struct tuning *w,
                               struct error *err)
{
    if (!tune_sizes_parse(req->batch, &w->sizes, err)) {
        error_context(err, "--batch");
        return false;
    }
    if (!tune_command_check(req->command, err))
        return false;
    if (req->seconds.ns > LONGEST_NS || req->warmup.ns > LONGEST_NS)
        return error_fail(err, ERROR_USAGE, "--seconds and --warmup are at most a day");
    w->sizes.fine = req->fine;
    w->sizes.knee = KNEE;
    return true;
}

static bool find_tune_price(struct op_context *ctx, const struct tune_request *req,
                            struct tune_result *res, struct error *err)
{
    struct run_price_request ask = run_price_blank();
    struct run_price price;

    if (req->price.nano == MONEY_UNKNOWN && req->offer.len == 0) {
        message_note(&ctx->messages, "without --price or --offer costs are not known");
        return true;
    }
    ask.price = req->price;
    ask.offer = req->offer;
    if (!run_price_find(ctx, &ask, &price, NULL, err))
        return false;
    res->price = price.rate;
    res->price_source = price.source;
    return true;
}

/* The columns of the CSV file: names carry the units. */
static const struct column csv_columns[] = {
    COLUMN("", batch),
    COLUMN("", outcome),
    COLUMN("", samples_per_s),
    COLUMN("", error),
    COLUMN("", windows),
    COLUMN("", device_memory, .csv = "device_memory_bytes"),
    COLUMN("", memory, .csv = "memory_bytes"),
    COLUMN("", seconds),
    COLUMN("", million, .csv = "usd_per_million_samples"),
    COLUMN("", best),
    COLUMN("", recommended),
    COLUMN("", method),
    COLUMN("", note),
};

static void fill_tune_result(const struct tune_table *table, struct tune_result *res)
{
    res->best = res->recommended = -1;
    for (size_t i = 0; i < table->count; i++) {
        if (table->point[i].best)
            res->best = table->point[i].batch;
        if (table->point[i].recommended)
            res->recommended = table->point[i].batch;
    }
    res->sizes = (struct rows){table->point, table->count};
    res->ended = str_from(table->ended);
    res->near = NEAR;
}

static bool try_sizes(struct tuning *w, const struct tune_request *req, struct tune_result *res,
                      struct error *err)
{
    struct tune_table *table = arena_array(w->ctx->arena, struct tune_table, 1, err);
    struct table_rows rows;
    struct error unwritten;

    if (table == NULL || !tune_search(&w->sizes, measure_size, w, table, err))
        return false;
    tune_judge(table, res->price, NEAR);
    fill_tune_result(table, res);
    rows = (struct table_rows){&tune_point_fields, table->point, table->count};
    if (op_csv(w->ctx, req->csv, COLUMNS(csv_columns), &rows, &unwritten)) {
        res->csv = req->csv;
    } else { /* the result of minutes is printed all the same */
        message_warn(&w->ctx->messages, "%s", unwritten.text);
        w->ctx->partly = true;
    }
    w->ctx->partly |= res->best < 0 || table->point[table->count - 1].outcome == TUNE_STOPPED;
    return true;
}

static bool tune_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct tune_request *req = in;
    struct tune_result *res = out;
    struct tuning w = {.ctx = ctx};
    struct meter_options options = op_meter_options(getpid());
    bool ok;

    if (!check_tune_request(req, &w, err) || !find_tune_price(ctx, req, res, err) ||
        !tune_reader_open(&w.trial, req->samples_pattern, ctx->arena, err))
        return false;
    w.sample = arena_array(ctx->arena, struct meter_sample, 1, err);
    w.meters = w.sample != NULL ? meters_open(&options, ctx->arena->alloc, err) : NULL;
    w.trial.command = req->command;
    w.trial.warmup = req->warmup;
    w.trial.seconds = req->seconds;
    w.trial.patience = req->patience;
    w.trial.grace = GRACE;
    w.trial.samples = req->samples;
    w.trial.clock = &clock_system; /* STINT_NOW does not stop what is measured */
    w.trial.alloc = ctx->arena->alloc;
    w.trial.verbose = req->verbose;
    w.trial.stopped = ctx->watch.stopped;
    w.trial.look = read_tune_memory;
    w.trial.look_ctx = &w;
    ok = w.meters != NULL && try_sizes(&w, req, res, err);
    meters_close(w.meters);
    metric_close(w.trial.reader);
    return ok;
}

const struct op op_tune = {
    .name = "tune",
    .schema = "stint.tune/1",
    .summary = "find the batch size with the lowest cost",
    .request = &(const struct field_set)FIELD_SET(struct tune_request, request),
    .result = &(const struct field_set)FIELD_SET(struct tune_result, result),
    .changes = true,
    .own_process = true,
    .run = tune_run,
};
