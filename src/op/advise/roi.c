/* roi - rented against local and faster against slower hardware, with the value of time. */
#include "op/advise/roi.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "advise/economics/tco.h"
#include "op/advise/roi_parts.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"
#include "op/options.h"

#define NOTE_MAX 700
#define VALUE_MAX 100000 /* dollars for an hour of a person's time */

static const char *const markets[] = {"on-demand", "spot", "any", NULL};

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
    FIELD(TEXT, roi_request, runs, .value = "N/PERIOD",
          .help = "planned runs, for the payback of buying: 10/month, 3/day"),
    FIELD(USD, roi_request, price, .value = "AMOUNT", .positive = true,
          .help = "price of your own machine, instead of the catalog's: 2500usd"),
    FIELD(PER_KWH, roi_request, electricity, .value = "PRICE",
          .help = "price of a kWh: 0.30usd/kWh"),
    MACHINE_PLACES(roi_request, providers, regions),
    FIELD(CHOICE, roi_request, market, .value = "MARKET", .choices = markets, .fallback = "any",
          .help = "market for rented machines: on-demand, spot or any"),
    OP_SINCE_UNTIL(roi_request, days, "90d; for past runs"),
    FIELD_AS("raw", FLAG, roi_request, source.raw,
             .help = "ignore corrections from your runs (calibrate)"),
    JOB_SOURCE_OPTIONS(roi_request),
    FIELD(TEXT, roi_request, svg, .value = "FILE", .output = true,
          .help = "draw cost, time and their total to FILE as SVG"),
};

static const struct field local_fields[] = {
    FIELD(TEXT, roi_local, machine, .help = "machine in local.csv"),
    FIELD(TEXT, roi_local, gpu, .help = "GPU of the machine"),
    FIELD(COUNT, roi_local, gpus, .help = "number of GPUs"),
    FIELD(RATE, roi_local, electricity, .help = "electricity per hour under load"),
    FIELD(RATE, roi_local, wear,
          .help = "wear per hour under load; null: its price is unknown"),
    FIELD(PER_KWH, roi_local, tariff, .help = "price of electricity"),
};
static const struct field_set local_set = FIELD_SET(struct roi_local, local_fields);

static const struct field past_fields[] = {
    FIELD(COUNT, roi_portfolio, runs, .help = "rented runs with a known cost"),
    FIELD(COUNT, roi_portfolio, infeasible,
          .help = "runs among them that your machine cannot run"),
    FIELD(USD, roi_portfolio, invested, .help = "total paid for them"),
    FIELD(USD, roi_portfolio, invested_feasible,
          .help = "part paid for those that your machine can run"),
    FIELD(USD, roi_portfolio, cloud_total, .help = "cost of these runs including waiting time"),
    FIELD(USD, roi_portfolio, local_total,
          .help = "cost of the same runs on your machine, including waiting time"),
    FIELD(USD, roi_portfolio, net, .help = "net savings by renting; below zero: loss"),
    FIELD(NUMBER, roi_portfolio, ratio, .help = "net savings divided by the amount paid"),
    FIELD(USD, roi_portfolio, average, .help = "mean net savings per run"),
    FIELD(NUMBER, roi_portfolio, hours_saved, .help = "hours saved"),
};
static const struct field_set past_set = FIELD_SET(struct roi_portfolio, past_fields);

static const struct field result[] = {
    FIELD(TEXT, roi_result, job, .empty_unknown = true,
          .help = "job in question; null: past runs"),
    FIELD(RATE, roi_result, value_of_time, .help = "value of an hour of waiting"),
    FIELD(NUMBER, roi_result, waiting, .help = "share of a run's time spent waiting"),
    FIELD(RECORD, roi_result, local, .row = &local_set, .sparse = true,
          .help = "your own machine"),
    FIELD(LIST, roi_result, options, .row = &roi_option_fields, .help = "ways to do a run"),
    FIELD(RECORD, roi_result, purchase, .row = &roi_purchase_fields, .sparse = true,
          .help = "purchase of such a machine"),
    FIELD(RECORD, roi_result, past, .row = &past_set, .sparse = true,
          .help = "past runs together"),
    FIELD(LIST, roi_result, runs, .row = &roi_run_fields,
          .help = "past runs, the largest savings by renting first"),
    FIELD(COUNT, roi_result, days, .help = "days of past runs"),
    FIELD(COUNT, roi_result, left_out,
          .help = "runs left out: not rented, or cost, time or GPU unknown"),
    FIELD(RECORD, roi_result, age, .row = &price_age_fields, .help = "age of the prices"),
    FIELD(TEXTS, roi_result, notes, .help = "limitations of the answer"),
    FIELD(TEXT, roi_result, svg, .help = "file that was written"),
};

bool roi_note(struct roi_call *c, struct error *err, const char *fmt, ...)
{
    struct buf text = buf_new(c->ctx->arena->alloc, NOTE_MAX);
    char line[NOTE_MAX];
    va_list args;

    if (c->res->notes.len == ROI_NOTES)
        return true;
    va_start(args, fmt);
    (void)vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    buf_adds(&text, line);
    return buf_keep(&text, c->ctx->arena, &c->notes[c->res->notes.len++], err);
}

/* ---- the local machine ---- */

static const struct local_machine *find_local(const struct catalog *catalog, struct str name,
                                              const struct accelerator *gpu, int64_t count)
{
    for (size_t i = 0; i < catalog->tables[TABLE_LOCAL].len; i++) {
        const struct local_machine *m = CATALOG_ROW(catalog, TABLE_LOCAL, local_machine, i);

        if (gpu == NULL ? str_eq_nocase(m->machine, name)
                        : str_eq(m->accelerator, gpu->name) && m->count == count)
            return m;
    }
    return NULL;
}

static bool absent_local(const struct catalog *catalog, struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < catalog->tables[TABLE_LOCAL].len; i++)
        suggestion_try(&s, CATALOG_ROW(catalog, TABLE_LOCAL, local_machine, i)->machine);
    error_set(err, ERROR_ABSENT, "--local: there is no machine '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err,
                   "'stint catalog show local' lists them; yours goes to local.csv in your "
                   "catalog folder");
    return false;
}

/* A name of local.csv, or a GPU that one of its machines has. */
static bool take_roi_machine(struct roi_call *c, struct str typed, struct error *err)
{
    const struct catalog *catalog = &c->ctx->catalog;
    const struct accelerator *gpu;
    struct error unknown = {0};
    struct roi_local *local = &c->res->local;
    struct str name;
    int64_t count;

    local->row = find_local(catalog, typed, NULL, 0);
    if (local->row == NULL && op_gpu_count(c->ctx, typed, &name, &count, &unknown)) {
        gpu = op_accelerator(c->ctx, name, true, &unknown);
        local->row = gpu != NULL ? find_local(catalog, name, gpu, count) : NULL;
    }
    if (unknown.kind == ERROR_MEMORY)
        return error_memory(err);
    if (local->row == NULL)
        return absent_local(catalog, typed, err);
    local->accelerator = accelerator_named(catalog, local->row->accelerator);
    local->machine = local->row->machine;
    local->gpu = local->row->accelerator;
    local->gpus = local->row->count;
    return true;
}

/* A value of ownership.csv for an office; NaN when there is none. */
static double office_value(const struct catalog *catalog, const char *item)
{
    for (size_t i = 0; i < catalog->tables[TABLE_OWNERSHIP].len; i++) {
        const struct ownership *row = CATALOG_ROW(catalog, TABLE_OWNERSHIP, ownership, i);

        if (str_eq(row->site, STR("office")) && str_eq(row->item, str_from(item)))
            return row->value;
    }
    return NAN;
}

static bool price_roi_local(struct roi_call *c, struct error *err)
{
    const struct catalog *catalog = &c->ctx->catalog;
    struct market_view view = op_market(c->ctx);
    struct roi_local *local = &c->res->local;
    const struct electricity *row;
    usd price = c->req->price.nano != MONEY_UNKNOWN ? c->req->price : local->row->purchase_usd;
    double life =
        office_value(catalog, "years") * TCO_YEAR_HOURS * office_value(catalog, "utilization");

    local->tariff = c->req->electricity.nano != MONEY_UNKNOWN ? c->req->electricity
                                                              : market_electricity(&view, &row);
    if (local->tariff.nano == MONEY_UNKNOWN) {
        error_set(err, ERROR_USAGE, "the price of electricity is not known");
        error_hint(err, "add --electricity 0.30usd/kWh");
        return false;
    }
    local->terms = (struct roi_machine){
        .load_w = local->row->load_w,
        .usd_kwh = (double)local->tariff.nano / 1e9,
        .price = price.nano == MONEY_UNKNOWN ? NAN : usd_double(price),
        .resale = office_value(catalog, "resale"),
        .life_hours = life,
    };
    local->electricity = electricity_cost((watt){local->row->load_w}, local->tariff);
    local->wear = isnan(local->terms.price)
                      ? USD_PER_HOUR_UNKNOWN
                      : (usd_per_hour){usd_about(roi_wear(&local->terms, 1)).nano};
    if (isnan(local->terms.price))
        return roi_note(c, err,
                        "the price of %.*s is not known: wear is not counted; set it with "
                        "--price",
                        STR_ARG(local->machine));
    return true;
}

static bool read_local(struct roi_call *c, struct error *err)
{
    struct str typed = c->req->local.len > 0 ? c->req->local : c->ctx->settings->machine;

    if (typed.len > 0)
        return take_roi_machine(c, typed, err) && price_roi_local(c, err);
    if (c->req->price.nano != MONEY_UNKNOWN || c->req->source.job.len == 0) {
        error_set(err, ERROR_USAGE, "roi needs your own machine to compare with");
        error_hint(err,
                   "add --local rtx4090, or set 'machine' (stint init); 'stint catalog show "
                   "local' lists machines");
        return false;
    }
    return roi_note(c, err, "no machine of your own: --local rtx4090 adds one");
}

static bool read_terms(struct roi_call *c, struct error *err)
{
    struct roi_result *res = c->res;
    double value = usd_per_hour_double(c->req->value_of_time);

    if (c->req->value_of_time.nano == MONEY_UNKNOWN)
        value = office_value(&c->ctx->catalog, "value_of_time");
    if (!(value >= 0 && value <= VALUE_MAX)) {
        error_set(err, ERROR_USAGE,
                  "--value-of-time: the value of an hour must be $0 to $100,000");
        error_hint(err, "such as --value-of-time 50usd/hr");
        return false;
    }
    res->value_of_time = (usd_per_hour){usd_from(value).nano};
    res->waiting = c->req->waiting;
    c->hour = value * c->req->waiting;
    res->purchase.runs_month = NAN;
    return c->req->runs.len == 0 ||
           roi_runs_parse(c->req->runs, &res->purchase.runs_month, err);
}

static bool roi_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct roi_call c = {.ctx = ctx, .req = in, .res = out};

    c.notes = arena_array(ctx->arena, struct str, ROI_NOTES, err);
    c.res->notes = (struct strs){c.notes, 0};
    if (c.notes == NULL ||
        !op_catalog(ctx,
                    TABLE_BIT(TABLE_LOCAL) | TABLE_BIT(TABLE_OWNERSHIP) |
                        TABLE_BIT(TABLE_ELECTRICITY) | TABLE_BIT(TABLE_ACCELERATORS) |
                        TABLE_BIT(TABLE_NAMES),
                    err) ||
        !read_terms(&c, err) || !read_local(&c, err) ||
        !(c.req->source.job.len > 0 ? roi_of_job(&c, err) : roi_of_past(&c, err)))
        return false;
    c.res->svg = c.req->svg;
    return c.req->svg.len == 0 || roi_figure_write(&c, err);
}

const struct op op_roi = {
    .name = "roi",
    .schema = "stint.roi/1",
    .summary = "compare local, rented and faster hardware, including the value of time",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct roi_request, request),
    .result = &(const struct field_set)FIELD_SET(struct roi_result, result),
    .run = roi_run,
};
