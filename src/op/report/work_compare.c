#include "op/report/work_compare.h"

#include <math.h>
#include <stdlib.h>

#include "estimate/relative.h"
#include "market/compare.h"
#include "op/context.h"
#include "op/market.h"

#define OPTIONS_MAX 128 /* providers times markets */
#define USUAL_VENDOR STR("NVIDIA")
#define OLD_DAYS 180 /* that a price may be old without being mentioned in a figure */

static const struct field option_fields[] = {
    FIELD(TEXT, work_option, provider, .help = "who sells it"),
    FIELD(ENUM, work_option, market, FIELD_NAMES(market_names), .help = "on-demand or spot"),
    FIELD(TEXT, work_option, offer, .help = "provider/region/instance"),
    FIELD(TEXT, work_option, accelerator, .help = "that it has"),
    FIELD(COUNT, work_option, gpus, .help = "that are rented"),
    FIELD(COUNT, work_option, machines, .help = "that are rented"),
    FIELD(NUMBER, work_option, hours, .help = "that the work takes, modelled"),
    FIELD(USD, work_option, cost, .help = "of the work, set-up included"),
    FIELD(USD, work_option, cost_low, .help = "80 % range"),
    FIELD(USD, work_option, cost_high, .help = "80 % range"),
    FIELD(DAY, work_option, date, .help = "of the price"),
    FIELD(COUNT, work_option, age_days, .help = "of the price"),
    FIELD(FLAG, work_option, cheapest, .help = "of its market"),
};
const struct field_set work_option_fields = FIELD_SET(struct work_option, option_fields);

struct comparing {
    struct op_context *ctx;
    const struct report_work *work;
    struct market_view view;
    struct messages quiet;
    struct work_option *options;
    size_t count;
    struct work_comparison *out;
};

/* ---- which GPUs ---- */

/* Enough memory for what was used, or as much as there was. */
static bool has_memory(const struct report_work *work, const struct accelerator *gpu)
{
    if (work->gpu_memory_peak > 0)
        return gpu->memory_gb * 1e9 >= work->gpu_memory_peak;
    return work->gpu == NULL || gpu->memory_gb >= work->gpu->memory_gb;
}

/* Can it do the work, and how long does it take? */
static bool can_do(const struct comparing *c, const struct accelerator *gpu,
                   struct relative_time *time)
{
    const struct accelerator *from = c->work->gpu;

    *time = (struct relative_time){1, 1, 1};
    if (gpu == NULL || !str_eq(gpu->vendor, from != NULL ? from->vendor : USUAL_VENDOR) ||
        !has_memory(c->work, gpu))
        return false;
    return from == NULL || (relative_time(from, gpu, c->work->gpu_busy, time) &&
                            time->expected <= COMPARE_SLOWEST);
}

/* ---- of each provider and market the cheapest ---- */

static usd spread(usd cost, usd price_end, double time_end)
{
    double whole = usd_double(cost);
    double price = log(usd_double(price_end) / whole), time = log(time_end);
    double width = hypot(price, time);

    return isnan(width) ? USD_UNKNOWN
                        : usd_from(whole * exp(price + time < 0 ? -width : width));
}

static struct work_option option_of(const struct price_comparison *row, enum market market,
                                    const struct relative_time *time, double hours)
{
    bool spot = market == MARKET_SPOT;
    usd cost = spot ? row->spot_total : row->total;

    return (struct work_option){
        .provider = row->machine.provider,
        .offer = row->machine.name,
        .accelerator = row->machine.accelerator,
        .market = market,
        .gpus = row->gpus,
        .machines = row->machines,
        .hours = hours,
        .cost = cost,
        .cost_low = spread(cost, spot ? row->spot_total_low : row->total_low,
                           time->low / time->expected),
        .cost_high = spread(cost, spot ? row->spot_total_high : row->total_high,
                            time->high / time->expected),
        .ranked = spot ? row->spot_ranked : row->ranked,
        .date = spot && row->machine.spot_source.len > 0 ? row->machine.spot_date
                                                         : row->machine.fact.date,
        .age_days = row->machine.age_days,
        .old = row->machine.age_days > OLD_DAYS,
        .memory_gb = row->machine.gpu_memory_gb,
    };
}

/* Take its place if it is cheaper than the one that is there. */
static void offer_option(struct comparing *c, const struct work_option *o)
{
    for (size_t i = 0; i < c->count; i++) {
        struct work_option *have = &c->options[i];

        if (have->market != o->market || !str_eq(have->provider, o->provider))
            continue;
        if (usd_compare(o->ranked, have->ranked) < 0)
            *have = *o;
        return;
    }
    if (c->count < OPTIONS_MAX)
        c->options[c->count++] = *o;
}

/* Spot is an option where it saves something. */
static void take_rows(struct comparing *c, const struct rows *list,
                      const struct relative_time *time, double hours)
{
    const struct price_comparison *rows = list->at;

    for (size_t i = 0; i < list->len; i++) {
        struct work_option o;

        if (rows[i].outlier || !rows[i].complete)
            continue;
        o = option_of(&rows[i], MARKET_ON_DEMAND, time, hours);
        if (o.cost.nano != MONEY_UNKNOWN)
            offer_option(c, &o);
        o = option_of(&rows[i], MARKET_SPOT, time, hours);
        if (o.cost.nano != MONEY_UNKNOWN && usd_compare(o.cost, rows[i].total) < 0)
            offer_option(c, &o);
    }
}

static int by_gpu(const void *a, const void *b)
{
    const struct machine *x = a, *y = b;
    int order = str_cmp(x->accelerator, y->accelerator);

    return order != 0 ? order : str_cmp(x->name, y->name);
}

/* The machines with one GPU, which all take the same time. */
static bool price_gpu(struct comparing *c, const struct machine *machines, size_t count,
                      struct error *err)
{
    struct compare_query query = {.gpus = c->work->gpus > 0 ? c->work->gpus : 1, .all = true};
    struct relative_time time;
    struct error none = {0};
    struct rows rows;
    double hours;

    if (!can_do(c, machines[0].gpu, &time))
        return true;
    hours = span_in_hours(c->work->time) * time.expected;
    query.hours = span_hours(hours);
    query.supply = c->ctx->settings->supply;
    if (compare_costs(&c->view, &query, machines, count, &rows, &none))
        take_rows(c, &rows, &time, hours);
    else if (none.kind != ERROR_ABSENT) {
        *err = none;
        return false;
    }
    return true;
}

static int by_cost(const void *a, const void *b)
{
    const struct work_option *x = a, *y = b;
    int order = (x->market > y->market) - (x->market < y->market);

    order = order != 0 ? order : usd_compare(x->ranked, y->ranked);
    return order != 0 ? order : str_cmp(x->provider, y->provider);
}

static void finish(struct comparing *c)
{
    struct work_comparison *out = c->out;

    qsort(c->options, c->count, sizeof c->options[0], by_cost);
    out->oldest = out->newest = DAY_UNKNOWN;
    for (size_t i = 0; i < c->count; i++) {
        struct work_option *o = &c->options[i];

        o->cheapest = i == 0 || c->options[i - 1].market != o->market;
        if (out->oldest.n == DAY_UNKNOWN.n || o->date.n < out->oldest.n)
            out->oldest = o->date;
        if (out->newest.n == DAY_UNKNOWN.n || o->date.n > out->newest.n)
            out->newest = o->date;
    }
    out->options = (struct rows){c->options, c->count};
}

/* A plan has compared machines by its full estimate, which data sheets cannot better. */
static void take_planned(struct comparing *c)
{
    const struct work_option *planned = c->work->planned.at;

    for (size_t k = 0; k < c->work->planned.len; k++)
        offer_option(c, &planned[k]);
    c->out->planned = true;
    finish(c);
}

static bool price_all(struct comparing *c, struct error *err)
{
    struct machine_query filter = machine_query_all();
    struct machine *machines;
    size_t count, from = 0;

    if (!op_catalog(c->ctx,
                    TABLE_BIT(TABLE_TRANSFER) | TABLE_BIT(TABLE_PROVIDERS) |
                        TABLE_BIT(TABLE_NETWORKS),
                    err) ||
        !op_machines(c->ctx, &filter, &machines, &count, err))
        return false;
    c->view = op_market(c->ctx);
    c->view.messages = &c->quiet; /* which offers are left out is no news here */
    if (count > 0)
        qsort(machines, count, sizeof machines[0], by_gpu);
    for (size_t i = 1; i <= count; i++) {
        if (i < count && machines[i].gpu == machines[from].gpu)
            continue;
        if (!price_gpu(c, machines + from, i - from, err))
            return false;
        from = i;
    }
    finish(c);
    return true;
}

/* ---- at home ---- */

/* Electricity alone: what the machine cost to buy is not in it. */
static bool price_local(struct comparing *c, struct error *err)
{
    struct buf text = buf_new(c->ctx->arena->alloc, 512);
    const struct electricity *row = NULL;
    usd_per_kwh tariff;

    c->out->local = USD_UNKNOWN;
    if (!op_catalog(c->ctx, TABLE_BIT(TABLE_ELECTRICITY), err)) {
        buf_free(&text);
        return false;
    }
    c->view = op_market(c->ctx);
    c->view.messages = &c->quiet;
    tariff = market_electricity(&c->view, &row);
    if (isnan(c->work->energy.j))
        buf_adds(&text, "the energy is not known");
    else if (tariff.nano == MONEY_UNKNOWN)
        buf_adds(&text, "there is no electricity price of this country: set electricity");
    else {
        c->out->local =
            usd_from(c->work->energy.j / JOULES_PER_KWH * (double)tariff.nano / 1e9);
        buf_adds(&text, "electricity for the same energy at $");
        nano_write(tariff.nano, &text);
        buf_adds(&text, "/kWh");
        if (row != NULL) {
            buf_addf(&text, " (%.*s %.*s, ", STR_ARG(row->country), STR_ARG(row->kind));
            day_write(row->fact.date, &text);
            buf_char(&text, ')');
        }
    }
    return buf_keep(&text, c->ctx->arena, &c->out->local_method, err);
}

bool work_compare(struct op_context *ctx, const struct report_work *work,
                  struct work_comparison *out, struct str *why, struct error *err)
{
    struct comparing c = {.ctx = ctx, .work = work, .out = out};

    *out = (struct work_comparison){.same_time = work->gpu == NULL};
    *why = (struct str){0};
    c.options = arena_array(ctx->arena, struct work_option, OPTIONS_MAX, err);
    if (c.options == NULL || !price_local(&c, err))
        return false;
    if (work->planned.len > 0) {
        take_planned(&c);
    } else if (work->time.ns <= 0 || work->gpus == 0) {
        *why = work->gpus == 0 ? STR("it used no GPU: only machines with GPUs are compared")
                               : STR("the time is not known");
        return true;
    } else if (!price_all(&c, err)) {
        return false;
    }
    if (out->options.len == 0)
        *why = STR("no offer in the catalog has enough memory of this kind");
    return true;
}

const struct work_option *work_option_of(const struct work_comparison *comparison,
                                         struct str provider, enum market market)
{
    const struct work_option *options = comparison->options.at;

    for (size_t i = 0; i < comparison->options.len; i++)
        if (options[i].market == market && str_eq(options[i].provider, provider))
            return &options[i];
    return NULL;
}

const struct work_option *work_cheapest(const struct work_comparison *comparison,
                                        enum market market)
{
    const struct work_option *options = comparison->options.at;

    for (size_t i = 0; i < comparison->options.len; i++)
        if (options[i].market == market)
            return &options[i];
    return NULL;
}
