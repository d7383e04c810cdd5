/* tune - batch sizes tried with the user's own command: speed, memory, money. */
#include "op/run/tune.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"
#include "op/context.h"
#include "op/op.h"
#include "op/options.h"
#include "op/run/meters.h"
#include "op/run/run_charge.h"
#include "run/tune/tune.h"

#define GRACE ((span){INT64_C(5000000000)}) /* for a trial to end when asked */
#define KNEE 0.03                           /* two doublings that gain less end the search */
#define NEAR \
    0.02 /* the smallest size that costs no more than this above the least is recommended */
#define LONGEST_NS (INT64_C(86400) * 1000000000)

static const struct field request[] = {
    FIELD(TEXTS, tune_request, command, .operand = true, .required = true, .whole = true,
          .value = "COMMAND", .help = "command to run; {} in it becomes the batch size"),
    FIELD(TEXT, tune_request, batch, .value = "LOW..HIGH", .required = true,
          .help = "sizes to try, doubling from the lowest: 8..512"),
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
    FIELD(FLAG, tune_request, fine, .help = "also try sizes around the best"),
    OP_CSV(tune_request),
    FIELD(FLAG, tune_request, verbose, .help = "show the output of the command"),
};

static const struct field row_fields[] = {
    FIELD(COUNT, tune_row, batch, .help = "the size"),
    FIELD(TEXT, tune_row, outcome,
          .help = "measured, out of memory, failed, no figures or stopped"),
    FIELD(NUMBER, tune_row, samples_per_s, .help = "the median of windows"),
    FIELD(NUMBER, tune_row, error, .help = "standard error of it, as a share"),
    FIELD(COUNT, tune_row, windows, .help = "that it is the median of"),
    FIELD(TEXT, tune_row, method, .help = "what it was read from"),
    FIELD(BYTES, tune_row, device_memory, .help = "the most in use on the fullest device"),
    FIELD(BYTES, tune_row, memory, .help = "the most resident memory of its processes"),
    FIELD(NUMBER, tune_row, seconds, .help = "that the trial took"),
    FIELD(USD, tune_row, million, .help = "cost of a million samples"),
    FIELD(FLAG, tune_row, best,
          .help = "the least cost per sample; without a price, the least time"),
    FIELD(FLAG, tune_row, recommended, .help = "the smallest that costs about as little"),
    FIELD(TEXT, tune_row, note, .help = "why it failed, or what to know"),
};

static const struct field_set row_set = FIELD_SET(struct tune_row, row_fields);

static const struct field result[] = {
    FIELD(LIST, tune_result, sizes, .row = &row_set, .help = "smaller ones first"),
    FIELD(TEXT, tune_result, ended, .help = "why the search ended"),
    FIELD(COUNT, tune_result, best, .help = "the size with the least cost per sample"),
    FIELD(COUNT, tune_result, recommended, .help = "the smallest that costs about as little"),
    FIELD(NUMBER, tune_result, near, .help = "tolerance of the recommendation, a share"),
    FIELD(RATE, tune_result, price, .help = "of the machine; null: unknown"),
    FIELD(TEXT, tune_result, price_source, .help = "where it comes from"),
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
static void read_memory(void *ctx, pid_t pid, double *device, double *tree)
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

/* A row of the table as soon as it is known: the search takes minutes. */
static void note_size(const struct tuning *w, const struct tune_point *point)
{
    double memory = isnan(point->device_memory) ? point->memory : point->device_memory;
    struct buf text = buf_new(w->ctx->arena->alloc, 1024);
    struct str row;

    if (isnan(point->rate)) {
        buf_adds(&text,
                 point->note[0] != '\0' ? point->note : tune_outcome_name(point->outcome));
    } else {
        num_write_fixed(point->rate, point->rate >= 100 ? 0 : 2, &text);
        buf_adds(&text, " samples/s");
    }
    if (!isnan(memory)) {
        buf_adds(&text, ", ");
        bytes_write(bytes_from(memory), &text);
        buf_adds(&text, isnan(point->device_memory) ? "" : " on the device");
    }
    row = buf_text(&text);
    message_note(&w->ctx->messages, "batch %lld: %.*s, %.1f s", (long long)point->batch,
                 (int)row.len, row.at, point->seconds);
    buf_free(&text);
}

static bool measure_size(void *ctx, struct tune_point *point, struct error *err)
{
    struct tuning *w = ctx;

    (void)snprintf(w->label, sizeof w->label, "batch %lld", (long long)point->batch);
    if (w->ctx->progress != NULL)
        w->ctx->progress(w->ctx->progress_ctx, w->label, ++w->tried, 0);
    if (!tune_measure(&w->trial, point, err))
        return false;
    if (point->outcome != TUNE_STOPPED)
        note_size(w, point);
    return true;
}

static bool has_place(struct strs command)
{
    for (size_t i = 0; i < command.len; i++)
        if (command.at[i].len >= 2 && memmem(command.at[i].at, command.at[i].len, "{}", 2))
            return true;
    return false;
}

static bool check_request(const struct tune_request *req, struct tuning *w, struct error *err)
{
    if (!tune_sizes_parse(req->batch, &w->sizes, err)) {
        error_context(err, "--batch");
        return false;
    }
    if (req->command.len == 0 || !has_place(req->command)) {
        error_set(err, ERROR_USAGE, "the command has no {} to put the batch size in");
        error_hint(err, "stint tune --batch 8..512 -- python bench.py --batch {}");
        return false;
    }
    if (req->seconds.ns > LONGEST_NS || req->warmup.ns > LONGEST_NS)
        return error_fail(err, ERROR_USAGE, "--seconds and --warmup are at most a day");
    w->sizes.fine = req->fine;
    w->sizes.knee = KNEE;
    return true;
}

static bool open_reader(const struct tune_request *req, struct tuning *w, struct error *err)
{
    struct buf text = buf_new(w->ctx->arena->alloc, 65536);
    struct str pattern = {0};
    bool ok = true;

    if (req->samples_pattern.len > 0) {
        buf_adds(&text, TUNE_PATTERN "=/");
        buf_add(&text, req->samples_pattern);
        buf_char(&text, '/');
        ok = buf_ok(&text, err);
        pattern = buf_text(&text);
        pattern.at = ok ? str_dup(pattern, w->ctx->arena, err) : NULL;
        ok = pattern.at != NULL;
        w->trial.pattern = true;
    }
    buf_free(&text);
    if (ok)
        w->trial.reader =
            metric_open((struct strs){&pattern, pattern.len > 0}, w->ctx->arena, err);
    if (ok && w->trial.reader == NULL && w->trial.pattern)
        error_context(err, "--samples-pattern");
    return ok && w->trial.reader != NULL;
}

static bool find_price(struct op_context *ctx, const struct tune_request *req,
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
    if (!run_price_find(ctx, &ask, &price, err))
        return false;
    res->price = price.rate;
    res->price_source = price.source;
    return true;
}

static bool fill_rows(struct op_context *ctx, const struct tune_table *table,
                      struct tune_result *res, struct error *err)
{
    struct tune_row *rows = arena_array(ctx->arena, struct tune_row, table->count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < table->count; i++) {
        const struct tune_point *p = &table->point[i];

        rows[i] = (struct tune_row){
            .batch = p->batch,
            .outcome = str_from(tune_outcome_name(p->outcome)),
            .method = p->outcome == TUNE_MEASURED ? str_from(p->method) : (struct str){0},
            .note = p->note[0] != '\0' ? str_from(p->note) : (struct str){0},
            .samples_per_s = p->rate,
            .error = p->spread,
            .windows = p->windows,
            .device_memory = bytes_from(p->device_memory),
            .memory = bytes_from(p->memory),
            .seconds = p->seconds,
            .million = p->million,
            .best = p->best,
            .recommended = p->recommended,
        };
        if (p->best)
            res->best = p->batch;
        if (p->recommended)
            res->recommended = p->batch;
    }
    res->sizes = (struct rows){rows, table->count};
    res->ended = str_from(table->ended);
    return true;
}

static void csv_number(double value, struct buf *out)
{
    buf_char(out, ',');
    if (isfinite(value))
        num_write(value, out);
}

static bool write_csv(struct op_context *ctx, const struct tune_table *table, struct str file,
                      struct error *err)
{
    struct buf out = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    char *path = str_dup(file, ctx->arena, err);
    bool ok;

    buf_adds(&out, "batch,outcome,samples_per_s,error,windows,device_memory_bytes,memory_bytes,"
                   "seconds,usd_per_million_samples,best,recommended,method,note\n");
    for (size_t i = 0; i < table->count; i++) {
        const struct tune_point *p = &table->point[i];

        buf_addf(&out, "%lld,%s", (long long)p->batch, tune_outcome_name(p->outcome));
        csv_number(p->rate, &out);
        csv_number(p->spread, &out);
        buf_addf(&out, ",%d", p->windows);
        csv_number(p->device_memory, &out);
        csv_number(p->memory, &out);
        csv_number(p->seconds, &out);
        csv_number(usd_double(p->million), &out);
        buf_addf(&out, ",%s,%s,%s,", p->best ? "yes" : "no", p->recommended ? "yes" : "no",
                 p->method != NULL ? p->method : "");
        csv_write_field(str_from(p->note), &out);
        buf_char(&out, '\n');
    }
    ok = path != NULL && buf_ok(&out, err) && fs_put(path, buf_text(&out), err);
    buf_free(&out);
    return ok;
}

static bool try_sizes(struct tuning *w, const struct tune_request *req, struct tune_result *res,
                      struct error *err)
{
    struct tune_table *table = arena_array(w->ctx->arena, struct tune_table, 1, err);
    struct error unwritten;

    if (table == NULL || !tune_search(&w->sizes, measure_size, w, table, err))
        return false;
    tune_judge(table, res->price, NEAR);
    res->best = res->recommended = -1;
    if (!fill_rows(w->ctx, table, res, err))
        return false;
    if (req->csv.len > 0 && write_csv(w->ctx, table, req->csv, &unwritten)) {
        res->csv = req->csv;
    } else if (req->csv.len > 0) { /* the result of minutes is printed all the same */
        message_warn(&w->ctx->messages, "%s", unwritten.text);
        w->ctx->partly = true;
    }
    res->near = NEAR;
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

    if (!check_request(req, &w, err) || !find_price(ctx, req, res, err) ||
        !open_reader(req, &w, err))
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
    w.trial.stopped = ctx->stopped;
    w.trial.look = read_memory;
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
    .run = tune_run,
};
