/* roi - rented against local and faster against slower hardware, with the value of time. */
#include "op/advise/roi.h"

#include <math.h>

#include "advise/economics/roi_ways.h"
#include "doc/notes.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/market.h"
#include "op/op.h"
#include "op/options.h"
#include "report/figures.h"

#define PAST_DAYS 90

static const struct field request[] = {
    FIELD_AS("job", TEXT, roi_request, source.job, .value = "JOB", .operand = true,
             .help = "job file, model name, or number of parameters; without one, the runs "
                     "of the ledger"),
    FIELD(TEXT, roi_request, local, .value = "MACHINE",
          .help = "your own machine or its GPU: desktop-rtx4090, rtx4090 (default: the "
                  "setting 'machine')"),
    FIELD(RATE, roi_request, value_of_time, .value = "PRICE",
          .help = "value of an hour of waiting: 50usd/hr"),
    FIELD(SHARE, roi_request, waiting, .value = "SHARE", .fallback = "100%",
          .help = "share of a run's time spent waiting"),
    FIELD_AS("way", TEXTS, roi_request, ways, .value = "MONEY:TIME",
             .help = "a way of your own, by cost and time: 500usd:40h, spot=800usd:10h; two or "
                     "more are compared"),
    FIELD(SPAN, roi_request, local_time, .value = "TIME", .positive = true,
          .help = "time of a run on your own machine, to compare with --way: 12h"),
    FIELD(TEXT, roi_request, runs, .value = "N/PERIOD",
          .help = "planned runs, for the payback of buying: 10/month, 3/day"),
    FIELD(USD, roi_request, price, .value = "AMOUNT", .positive = true,
          .help = "price of your own machine, instead of the catalog's: 2500usd"),
    FIELD(PER_KWH, roi_request, electricity, .value = "PRICE",
          .help = "price of a kWh: 0.30usd/kWh"),
    MACHINE_PLACES(roi_request, providers, regions),
    FIELD(CHOICE, roi_request, market, .value = "MARKET", .choices = market_names,
          .only = MARKETS_COMPARED, .fallback = "any",
          .help = "market for rented machines: on-demand, spot or any"),
    OP_SINCE_UNTIL(roi_request, days, "90d; for past runs"),
    FIELD_AS("raw", FLAG, roi_request, source.raw,
             .help = "ignore corrections from your runs (calibrate)"),
    JOB_SOURCE_OPTIONS(roi_request),
    FIELD(TEXT, roi_request, svg, .value = "FILE", .output = true,
          .help = "draw cost, time and their total to FILE as SVG"),
};

struct roi_call {
    struct op_context *ctx;
    const struct roi_request *req;
    struct roi_result *res;
};

/* ---- the local machine ---- */

/* A name of local.csv, or a GPU that one of its machines has. NULL with the error set. */
static const struct local_machine *find_local(struct op_context *ctx, struct str typed,
                                              struct error *err)
{
    const struct local_machine *row = roi_local_find(&ctx->catalog, typed, NULL, 0);
    const struct accelerator *gpu;
    struct error unknown = {0};
    struct str name;
    int64_t count;

    if (row == NULL && op_gpu_count(ctx, typed, &name, &count, &unknown)) {
        gpu = op_accelerator(ctx, name, true, &unknown);
        row = gpu != NULL ? roi_local_find(&ctx->catalog, name, gpu, count) : NULL;
    }
    if (unknown.kind == ERROR_MEMORY)
        error_memory(err);
    else if (row == NULL)
        (void)roi_local_absent(&ctx->catalog, typed, err);
    return row;
}

static bool read_local(struct roi_call *c, struct error *err)
{
    struct str typed = c->req->local.len > 0 ? c->req->local : c->ctx->settings->machine;
    struct market_view view = op_market(c->ctx);
    const struct local_machine *row;
    const struct electricity *tariff_row;
    usd_per_kwh tariff = c->req->electricity;

    if (typed.len == 0 && (c->req->price.nano != MONEY_UNKNOWN || c->req->source.job.len == 0))
        return error_fail_hint(err, ERROR_USAGE,
                               "add --local rtx4090, or set 'machine' (stint init); 'stint "
                               "catalog show local' lists machines",
                               "roi needs your own machine to compare with");
    if (typed.len == 0)
        return note_add(&c->res->notes, c->ctx->arena, err,
                        "no machine of your own: --local rtx4090 adds one");
    row = find_local(c->ctx, typed, err);
    if (row == NULL)
        return false;
    if (tariff.nano == MONEY_UNKNOWN)
        tariff = market_electricity(&view, &tariff_row);
    if (tariff.nano == MONEY_UNKNOWN)
        return error_fail_hint(err, ERROR_USAGE, "add --electricity 0.30usd/kWh",
                               "the price of electricity is not known");
    return roi_take_local(&c->ctx->catalog, row, c->req->price, tariff, c->ctx->arena, c->res,
                          err);
}

/* ---- ways to do a job ---- */

/* A plan of the job: the operation itself, so that the numbers are those of 'stint plan'. On
 * the local machine, or where the options say. */
static bool plan_roi_job(struct roi_call *c, bool local, struct plan_result *out,
                         struct error *err)
{
    static const struct str own[] = {{"local", 5}};
    struct op_context *ctx = c->ctx, sub = *ctx;
    const struct roi_request *req = c->req;
    const struct op *plan = op_find(STR("plan"));
    struct settings settings = *ctx->settings;
    struct plan_request ask;

    sub.messages = (struct messages){0}; /* the same notes for each of them */
    sub.settings = &settings;
    settings.machine = local ? c->res->local.machine : (struct str){0};
    if (!fields_reset(&plan_request_fields, &ask, ctx->arena, err))
        return false;
    ask.jobs = (struct strs){&req->source.job, 1};
    ask.source = req->source;
    ask.source.job = (struct str){0};
    if (local) {
        ask.providers = (struct strs){own, 1};
        ask.gpus = (struct strs){&c->res->local.gpu, 1}; /* over those of the job */
        settings.electricity = c->res->local.tariff;
    } else {
        ask.providers = req->providers;
        ask.regions = req->regions;
        ask.market = req->market;
        ask.aim = c->res->hour > 0 ? STR("value") : STR("cost");
        ask.value_of_time = (usd_per_hour){usd_from(c->res->hour).nano};
    }
    return op_run(&sub, plan, &ask, out, err);
}

static bool add_local_roi(struct roi_call *c, struct roi_option *options, struct error *err)
{
    const struct roi_local *local = &c->res->local;
    const struct plan_row *row;
    struct plan_result plan;
    struct error unfit = {0};

    if (local->machine.len == 0)
        return true;
    if (!plan_roi_job(c, true, &plan, &unfit)) {
        if (unfit.kind != ERROR_UNFIT) {
            *err = unfit;
            return false;
        }
        return note_add(&c->res->notes, c->ctx->arena, err,
                        "no setting of the job fits %.*s (%lldx %.*s, %.3g GB)",
                        STR_ARG(local->machine), (long long)local->gpus, STR_ARG(local->gpu),
                        local->accelerator->memory_gb);
    }
    row = plan.plans.at;
    if (plan.plans.len > 0 && row->hours.value > 0)
        roi_add_local(row, options, c->res);
    return true;
}

static bool add_rented_roi(struct roi_call *c, struct roi_option *options, struct error *err)
{
    struct plan_result plan;
    const struct plan_row *rows;

    if (!plan_roi_job(c, false, &plan, err))
        return false;
    rows = plan.plans.at;
    if (plan.plans.len == 0 || !(rows[0].hours.value > 0))
        return error_fail_hint(err, ERROR_USAGE,
                               "'stint plan JOB --serve' compares ways to serve a model",
                               "roi is about runs that end, and '%.*s' does not",
                               STR_ARG(job_shown(c->req->source.job)));
    for (size_t i = 0; i < plan.plans.len; i++)
        if (roi_add_rented(&rows[i], options, c->res))
            op_price_age(c->ctx, rows[i].price_date, &c->res->age);
    op_price_age_warn(c->ctx, &c->res->age);
    return true;
}

static bool roi_of_job(struct roi_call *c, struct error *err)
{
    struct roi_option *options =
        arena_array(c->ctx->arena, struct roi_option, ROI_OPTIONS_MAX, err);

    c->res->job = job_shown(c->req->source.job);
    /* So that every plan uses the same store. */
    if (options == NULL || !op_offers(c->ctx, err) || !add_local_roi(c, options, err) ||
        !add_rented_roi(c, options, err))
        return false;
    roi_compare_options(options, c->res);
    return true;
}

/* ---- the user's own figures ---- */

static bool roi_of_ways(struct roi_call *c, struct error *err)
{
    struct roi_option *options =
        arena_array(c->ctx->arena, struct roi_option, ROI_OPTIONS_MAX, err);

    if (options == NULL)
        return false;
    if (c->req->source.job.len > 0)
        return error_fail_hint(err, ERROR_USAGE, "leave out the job, or these options",
                               "--way and --local-time compare figures of your own, not a job");
    if (c->req->local_time.ns > 0)
        roi_take_local_time(c->req->local_time, options, c->res);
    if (!roi_take_ways(c->req->ways, options, c->res, err))
        return false;
    roi_compare_options(options, c->res);
    return true;
}

/* ---- past runs ---- */

static bool roi_of_past(struct roi_call *c, struct error *err)
{
    struct op_context *ctx = c->ctx;
    const struct ledger_run *runs;
    struct ledger_query query = {0};
    struct ledger *ledger;
    day since, until;
    size_t count;
    bool ok;

    if (!days_asked_parse(op_today(ctx), &c->req->days, PAST_DAYS, &since, &until, err))
        return false;
    query.since = (stamp){since.n * SECONDS_PER_DAY};
    query.until = (stamp){until.n * SECONDS_PER_DAY};
    ledger = op_ledger(ctx, LEDGER_READ, err);
    ok = ledger != NULL && ledger_runs(ledger, &query, ctx->arena, &runs, &count, err) &&
         roi_past(runs, count, &ctx->catalog, ctx->arena, c->res, err);
    ledger_close(ledger);
    c->res->days = until.n - since.n;
    return ok &&
           (c->res->runs.len > 0 ||
            error_fail_hint(err, ERROR_ABSENT,
                            "'stint run --offer OFFER -- COMMAND' records them, --since "
                            "365d looks further back; 'stint roi JOB' needs none",
                            "the ledger has no rented runs with a known GPU in these %lld "
                            "days",
                            (long long)c->res->days));
}

static bool roi_answer_of(struct roi_call *c, struct error *err)
{
    if (c->req->ways.len > 0 || c->req->local_time.ns > 0)
        return roi_of_ways(c, err);
    return c->req->source.job.len > 0 ? roi_of_job(c, err) : roi_of_past(c, err);
}

/* Figures of the user's own are compared with each other, unless one is of their machine. */
static bool needs_local(const struct roi_request *req)
{
    return req->ways.len == 0 || req->local_time.ns > 0;
}

/* As given, or set; unknown: that of ownership.csv. */
static usd_per_hour value_of_hour(const struct roi_call *c)
{
    return c->req->value_of_time.nano != MONEY_UNKNOWN ? c->req->value_of_time
                                                       : c->ctx->settings->value_of_time;
}

static bool roi_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct roi_call c = {.ctx = ctx, .req = in, .res = out};

    c.res->purchase.runs_month = NAN;
    if (!op_catalog(ctx,
                    TABLE_BIT(TABLE_LOCAL) | TABLE_BIT(TABLE_OWNERSHIP) |
                        TABLE_BIT(TABLE_ELECTRICITY) | TABLE_BIT(TABLE_ACCELERATORS) |
                        TABLE_BIT(TABLE_NAMES),
                    err) ||
        !roi_take_value(&ctx->catalog, value_of_hour(&c), c.req->waiting, c.res, err) ||
        (c.req->runs.len > 0 &&
         !roi_runs_parse(c.req->runs, &c.res->purchase.runs_month, err)) ||
        (needs_local(c.req) && !read_local(&c, err)) || !roi_answer_of(&c, err))
        return false;
    c.res->svg = c.req->svg;
    return c.req->svg.len == 0 || roi_figure(c.res, op_today(ctx), ctx->arena, err);
}

const struct op op_roi = {
    .name = "roi",
    .schema = "stint.roi/1",
    .summary = "compare local, rented and faster hardware, including the value of time",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct roi_request, request),
    .result = &roi_fields,
    .run = roi_run,
};
