/* price.compare - every provider and region side by side, for so many GPUs and hours. */
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "op/context.h"
#include "op/op.h"
#include "op/price/price.h"
#include "unit/size.h"
#include "unit/time.h"

#define MAX_HOURS INT64_C(100000) /* eleven years */

static const struct field request[] = {
    FIELD_AS("gpu", TEXT, price_compare_request, filter.gpu, .value = "GPU[xN]",
             .also = accelerator_options, .operand = true, .required = true,
             .help = "accelerator and how many: A100, H100x8"),
    FIELD(SPAN, price_compare_request, hours, .value = "H", .required = true, .positive = true,
          .hours = true, .help = "how long the job runs: 72, 72h or 3d"),
    FIELD(BYTES, price_compare_request, egress, .value = "SIZE", .fallback = "10GB",
          .help = "results taken out to the internet"),
    MACHINE_QUERY_FIELDS(price_compare_request),
    FIELD(COUNT, price_compare_request, max_machines, .value = "N", .positive = true,
          .help = "no more machines than this; 1 keeps all GPUs in one"),
    FIELD(COUNT, price_compare_request, limit, .value = "N", .positive = true,
          .help = "only the first N"),
    FIELD(FLAG, price_compare_request, all,
          .help = "every machine, not only the cheapest of each region"),
};

static const struct field comparison_fields[] = {
    FIELD(TEXT, price_comparison, offer, .help = "provider/region/instance"),
    FIELD(TEXT, price_comparison, provider, .help = "who sells it"),
    FIELD(TEXT, price_comparison, region, .help = "where; * for one price everywhere"),
    FIELD(TEXT, price_comparison, instance, .help = "the machine's name"),
    FIELD(TEXT, price_comparison, accelerator, .help = "what it has"),
    FIELD(COUNT, price_comparison, machines, .help = "rented"),
    FIELD(COUNT, price_comparison, gpus,
          .help = "rented: whole machines, so maybe more than asked for"),
    FIELD(RATE, price_comparison, hourly, .help = "all machines, on demand"),
    FIELD(RATE, price_comparison, spot_hourly, .help = "all machines, on spot"),
    FIELD(NUMBER, price_comparison, setup_s,
          .help = "estimated time before training starts, s"),
    FIELD(USD, price_comparison, setup, .help = "paid before training starts, on demand"),
    FIELD(USD, price_comparison, egress, .help = "for taking the results out"),
    FIELD(USD, price_comparison, total, .help = "on demand"),
    FIELD(USD, price_comparison, spot_total, .help = "on spot, without interruptions"),
    FIELD(NUMBER, price_comparison, spot_saving, .help = "share of the on-demand total"),
    FIELD(FLAG, price_comparison, cheapest, .help = "of all, on demand"),
    FIELD(FLAG, price_comparison, cheapest_spot, .help = "of all, on spot"),
    FIELD(FLAG, price_comparison, complete,
          .help = "false: set-up or egress is unknown and not in the totals"),
    FIELD(DAY, price_comparison, date, .help = "of the price"),
    FIELD(COUNT, price_comparison, age_days, .help = "of the price"),
    FIELD(TEXT, price_comparison, source, .help = "of the price"),
};

static const struct field_set comparison_set =
    FIELD_SET(struct price_comparison, comparison_fields);

static const struct field result[] = {
    FIELD(TEXT, price_compare_result, accelerator, .help = "that the name was taken for"),
    FIELD(COUNT, price_compare_result, gpus, .help = "asked for"),
    FIELD(NUMBER, price_compare_result, hours, .help = "asked for"),
    FIELD(NUMBER, price_compare_result, egress_gb, .help = "taken out"),
    FIELD(FLAG, price_compare_result, any_form, .help = "rows may have other forms of the GPU"),
    FIELD(LIST, price_compare_result, comparisons, .row = &comparison_set,
          .help = "cheapest total first"),
    FIELD(RECORD, price_compare_result, age, .row = &price_age_fields,
          .help = "how old the prices are"),
};

/* A fact in seconds as whole nanoseconds; 0 when it is not known. */
static int64_t nanoseconds(double seconds)
{
    return isnan(seconds) ? 0 : span_hours(seconds / 3600).ns;
}

/* Time is billed in steps, and at least a minimum: counted in whole nanoseconds, since a sum of
 * doubles that ends just above a step would be billed as one more. */
static span billed(const struct provider *p, span time)
{
    int64_t minimum = p != NULL ? nanoseconds(p->minimum_s) : 0;
    int64_t step = p != NULL ? nanoseconds(p->billing_s) : 0;
    int64_t ns = time.ns > minimum ? time.ns : minimum;

    return (span){step > 0 ? (ns + step - 1) / step * step : ns};
}

static usd cost_of(usd_per_hour rate, span time)
{
    usd cost;

    return usd_for(rate, time, &cost) ? cost : USD_UNKNOWN;
}

static void price(const struct op_context *ctx, const struct price_compare_request *req,
                  const struct machine *v, int64_t gpus, struct price_comparison *c)
{
    const struct provider *p = provider_find(&ctx->catalog, v->provider);
    bool rented = str_eq(v->kind, STR("cloud"));
    double setup_s = rented ? (p != NULL ? p->setup_s : NAN) : 0;
    span train = billed(p, req->hours);
    span all = billed(p, (span){req->hours.ns + nanoseconds(setup_s)});

    c->offer = v->name;
    c->provider = v->provider;
    c->region = v->region;
    c->instance = v->instance;
    c->accelerator = v->accelerator;
    c->source = v->fact.source;
    c->date = v->fact.date;
    c->age_days = v->age_days;
    c->machines = (gpus + v->count - 1) / v->count;
    c->gpus = c->machines * v->count;
    c->hourly = usd_per_hour_times(v->on_demand, c->machines);
    c->spot_hourly = usd_per_hour_times(v->spot, c->machines);
    c->setup_s = setup_s;
    c->setup = isnan(setup_s) ? USD_UNKNOWN : cost_of(c->hourly, (span){all.ns - train.ns});
    c->egress = rented ? transfer_cost(&ctx->catalog, v->provider, STR("internet"), req->egress)
                       : (usd){0};
    c->complete = !isnan(setup_s) && c->egress.nano != MONEY_UNKNOWN;
    c->total = cost_of(c->hourly, all);
    c->spot_total = cost_of(c->spot_hourly, all);
    if (c->egress.nano != MONEY_UNKNOWN) {
        c->total = usd_add(c->total, c->egress);
        c->spot_total = usd_add(c->spot_total, c->egress);
    }
    c->spot_saving = 1 - usd_double(c->spot_total) / usd_double(c->total);
}

/* Cheapest first; a tie goes to fewer machines, since GPUs in one talk faster. */
static int by_total(const void *a, const void *b)
{
    const struct price_comparison *x = a, *y = b;
    int order = usd_compare(x->total, y->total);

    order = order != 0 ? order : usd_compare(x->spot_total, y->spot_total);
    order = order != 0 ? order : (x->machines > y->machines) - (x->machines < y->machines);
    return order != 0 ? order : str_cmp(x->offer, y->offer);
}

static int by_place(const void *a, const void *b)
{
    const struct price_comparison *x = a, *y = b;
    int order = str_cmp(x->provider, y->provider);

    order = order != 0 ? order : str_cmp(x->region, y->region);
    return order != 0 ? order : by_total(a, b);
}

/* Keep the cheapest of each provider and region. */
static size_t one_per_region(struct price_comparison *c, size_t count)
{
    size_t kept = 0;

    qsort(c, count, sizeof c[0], by_place);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || !str_eq(c[kept - 1].provider, c[i].provider) ||
            !str_eq(c[kept - 1].region, c[i].region))
            c[kept++] = c[i];
    return kept;
}

static size_t with_few_machines(struct price_comparison *c, size_t count, int64_t most)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (most < 1 || c[i].machines <= most)
            c[kept++] = c[i];
    return kept;
}

/* A total that leaves something out cannot be the cheapest, nor a spot price that saves
 * nothing. */
static void mark_cheapest(struct price_comparison *c, size_t count)
{
    struct price_comparison *best = NULL, *best_spot = NULL;

    for (size_t i = 0; i < count; i++) {
        if (!c[i].complete)
            continue;
        if (c[i].total.nano != MONEY_UNKNOWN &&
            (best == NULL || usd_compare(c[i].total, best->total) < 0))
            best = &c[i];
        if (usd_compare(c[i].spot_total, c[i].total) < 0 &&
            (best_spot == NULL || usd_compare(c[i].spot_total, best_spot->spot_total) < 0))
            best_spot = &c[i];
    }
    if (best != NULL)
        best->cheapest = true;
    if (best_spot != NULL)
        best_spot->cheapest_spot = true;
}

static bool check_request(const struct price_compare_request *req, struct error *err)
{
    if (req->hours.ns <= MAX_HOURS * SPAN_HOUR)
        return true;
    error_set(err, ERROR_USAGE, "more than %lld hours is no job", (long long)MAX_HOURS);
    error_hint(err, "give the hours that the machines run: --hours 72");
    return false;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_compare_request *req = in;
    struct price_compare_result *res = out;
    struct machine_query filter = req->filter;
    struct price_comparison *rows;
    struct machine *views;
    size_t count;

    filter.market = STR("on-demand"); /* what --max-price is about; spot stands beside */
    if (!check_request(req, err) ||
        !op_gpu_count(ctx, req->filter.gpu, &filter.gpu, &res->gpus, err) ||
        !op_catalog(ctx, TABLE_BIT(TABLE_TRANSFER) | TABLE_BIT(TABLE_PROVIDERS), err) ||
        !op_machines(ctx, &filter, &views, &count, err))
        return false;
    rows = arena_array(ctx->arena, struct price_comparison, count, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        price(ctx, req, &views[i], res->gpus, &rows[i]);
    if (count > 0)
        res->accelerator = filter.any_form ? views[0].gpu->family : views[0].accelerator;
    count = with_few_machines(rows, count, req->max_machines);
    if (count == 0) {
        error_set(err, ERROR_ABSENT, "no provider in the catalog sells that");
        error_hint(err, "try --any-form, --kind any, or leave out a filter");
        return false;
    }
    count = req->all ? count : one_per_region(rows, count);
    qsort(rows, count, sizeof rows[0], by_total);
    mark_cheapest(rows, count);
    count = req->limit > 0 && (size_t)req->limit < count ? (size_t)req->limit : count;
    for (size_t i = 0; i < count; i++)
        op_price_age(ctx, rows[i].date, &res->age);
    op_price_age_warn(ctx, &res->age);
    res->hours = span_in_hours(req->hours);
    res->egress_gb = bytes_gb(req->egress);
    res->any_form = filter.any_form;
    res->comparisons = (struct rows){rows, count};
    return true;
}

const struct op op_price_compare = {
    .name = "price.compare",
    .schema = "stint.price.compare/1",
    .summary = "compare providers for a number of GPUs and hours",
    .request = &(const struct field_set)FIELD_SET(struct price_compare_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_compare_result, result),
    .run = run,
};
