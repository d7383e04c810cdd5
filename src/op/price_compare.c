/* price.compare - every provider and region side by side, for so many GPUs and hours. */
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "op/price.h"
#include "unit/size.h"

static const struct field request[] = {
    FIELD_AS("gpu", TEXT, price_compare_request, filter.gpu, .value = "GPU[xN]",
             .operand = true, .required = true,
             .help = "accelerator and how many: A100, H100x8"),
    FIELD(NUMBER, price_compare_request, hours, .value = "H", .required = true,
          .positive = true, .help = "how long the job runs"),
    FIELD(BYTES, price_compare_request, egress, .value = "SIZE", .fallback = "10GB",
          .help = "results taken out to the internet"),
    OFFER_FILTER_FIELDS(price_compare_request),
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
    FIELD(LIST, price_compare_result, comparisons, .row = &comparison_set,
          .help = "cheapest total first"),
    FIELD(RECORD, price_compare_result, age, .row = &price_age_fields,
          .help = "how old the prices are"),
};

/* Split "H100x8" into the name and the number; "RTX 4090" has none. */
static bool split_count(struct str text, struct str *name, int64_t *count, struct error *err)
{
    size_t at = text.len;

    *name = text;
    *count = 1;
    while (at > 0 && text.at[at - 1] >= '0' && text.at[at - 1] <= '9')
        at--;
    if (at < 2 || at == text.len || (text.at[at - 1] != 'x' && text.at[at - 1] != 'X'))
        return true;
    /* "rtx4090" ends like a count too, but "rt" is no GPU: the x belongs to a letter before it. */
    if (at >= 3 && (text.at[at - 2] == 't' || text.at[at - 2] == 'T') &&
        (text.at[at - 3] == 'r' || text.at[at - 3] == 'R'))
        return true;
    if (!num_int((struct str){text.at + at, text.len - at}, count) || *count < 1 ||
        *count > 1000000) {
        error_set(err, ERROR_USAGE, "'%.*s' is not a number of GPUs from 1 to 1000000",
                  STR_ARG(text));
        error_hint(err, "write the GPU, an x and how many: H100x8");
        return false;
    }
    name->len = at - 1;
    *name = str_trim(*name);
    return true;
}

/* Time is billed in steps, and at least a minimum. */
static span billed(const struct provider *p, double hours)
{
    double seconds = hours * 3600;

    if (p != NULL && p->minimum_s > seconds)
        seconds = p->minimum_s;
    if (p != NULL && p->billing_s > 0)
        seconds = ceil(seconds / p->billing_s) * p->billing_s;
    return span_hours(seconds / 3600);
}

static usd cost_of(usd_per_hour rate, span time)
{
    usd cost;

    return usd_for(rate, time, &cost) ? cost : USD_UNKNOWN;
}

static void price(const struct op_context *ctx, const struct price_compare_request *req,
                  const struct offer_view *v, int64_t gpus, struct price_comparison *c)
{
    const struct provider *p = provider_find(&ctx->catalog, v->provider);
    bool rented = str_eq(v->kind, STR("cloud"));
    double setup_h = rented ? (p != NULL ? p->setup_s / 3600 : NAN) : 0;
    span train = billed(p, req->hours);
    span all = billed(p, req->hours + (isnan(setup_h) ? 0 : setup_h));

    c->offer = v->offer;
    c->provider = v->provider;
    c->region = v->region;
    c->instance = v->instance;
    c->accelerator = v->accelerator;
    c->source = v->source;
    c->date = v->date;
    c->age_days = v->age_days;
    c->machines = (gpus + v->count - 1) / v->count;
    c->gpus = c->machines * v->count;
    c->hourly = usd_per_hour_times(v->on_demand, c->machines);
    c->spot_hourly = usd_per_hour_times(v->spot, c->machines);
    c->setup = isnan(setup_h) ? USD_UNKNOWN : cost_of(c->hourly, (span){all.ns - train.ns});
    c->egress = rented ? transfer_cost(&ctx->catalog, v->provider, STR("internet"),
                                       bytes_gb(req->egress))
                       : (usd){0};
    c->complete = !isnan(setup_h) && c->egress.nano != MONEY_UNKNOWN;
    c->total = cost_of(c->hourly, all);
    c->spot_total = cost_of(c->spot_hourly, all);
    if (c->egress.nano != MONEY_UNKNOWN) {
        c->total = usd_add(c->total, c->egress);
        c->spot_total = usd_add(c->spot_total, c->egress);
    }
    c->spot_saving = 1 - usd_double(c->spot_total) / usd_double(c->total);
}

static int compare_amounts(usd a, usd b)
{
    return compare_rates((usd_per_hour){a.nano}, (usd_per_hour){b.nano});
}

static usd best_total(const struct price_comparison *c)
{
    return compare_amounts(c->total, c->spot_total) <= 0 ? c->total : c->spot_total;
}

static int by_total(const void *a, const void *b)
{
    const struct price_comparison *x = a, *y = b;
    int order = compare_amounts(x->total, y->total);

    order = order != 0 ? order : compare_amounts(best_total(x), best_total(y));
    return order != 0 ? order : str_cmp(x->offer, y->offer);
}

/* Keep the first, and so the cheapest, of each provider and region. */
static size_t one_per_region(struct price_comparison *c, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        bool seen = false;

        for (size_t k = 0; k < kept && !seen; k++)
            seen = str_eq(c[k].provider, c[i].provider) && str_eq(c[k].region, c[i].region);
        if (!seen)
            c[kept++] = c[i];
    }
    return kept;
}

static void mark_cheapest(struct price_comparison *c, size_t count)
{
    size_t best = 0, best_spot = 0;

    for (size_t i = 1; i < count; i++) {
        if (compare_amounts(c[i].total, c[best].total) < 0)
            best = i;
        if (compare_amounts(c[i].spot_total, c[best_spot].spot_total) < 0)
            best_spot = i;
    }
    c[best].cheapest = c[best].total.nano != MONEY_UNKNOWN;
    c[best_spot].cheapest_spot = c[best_spot].spot_total.nano != MONEY_UNKNOWN;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_compare_request *req = in;
    struct price_compare_result *res = out;
    struct offer_filter filter = req->filter;
    struct price_comparison *rows;
    struct offer_view *views;
    size_t count;

    filter.market = STR("any");
    if (!split_count(req->filter.gpu, &filter.gpu, &res->gpus, err) ||
        !op_catalog(ctx, TABLE_BIT(TABLE_TRANSFER) | TABLE_BIT(TABLE_PROVIDERS), err) ||
        !offers_select(ctx, &filter, &views, &count, err))
        return false;
    if (count == 0) {
        error_set(err, ERROR_ABSENT, "nobody in the catalog sells that");
        error_hint(err, "try --any-form, --kind any, or leave out a filter");
        return false;
    }
    rows = arena_array(ctx->arena, struct price_comparison, count, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        price(ctx, req, &views[i], res->gpus, &rows[i]);
    qsort(rows, count, sizeof rows[0], by_total);
    count = req->all ? count : one_per_region(rows, count);
    mark_cheapest(rows, count);
    for (size_t i = 0; i < count; i++)
        price_age_add(&res->age, rows[i].date, ctx);
    price_age_warn(&res->age, ctx);
    res->accelerator = filter.any_form ? views[0].spec->family : views[0].accelerator;
    res->hours = req->hours;
    res->egress_gb = bytes_gb(req->egress);
    res->comparisons = (struct rows){rows, count};
    return true;
}

const struct op op_price_compare = {
    .name = "price.compare",
    .schema = "stint.price.compare/1",
    .summary = "compare what so many GPUs cost for so many hours",
    .request = &(const struct field_set)FIELD_SET(struct price_compare_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_compare_result, result),
    .run = run,
};
