#include "market/compare.h"

#include <math.h>
#include <stdlib.h>

/* ---- what enough GPUs cost ---- */

static const struct field comparison_fields[] = {
    FIELD_AS("offer", TEXT, price_comparison, machine.name, .help = "provider/region/instance"),
    FIELD_AS("provider", TEXT, price_comparison, machine.provider,
             .help = "provider that sells it"),
    FIELD_AS("region", TEXT, price_comparison, machine.region,
             .help = "region; * for one price everywhere"),
    FIELD_AS("instance", TEXT, price_comparison, machine.instance, .help = "instance name"),
    FIELD_AS("accelerator", TEXT, price_comparison, machine.accelerator, .help = "accelerator"),
    FIELD(COUNT, price_comparison, machines, .help = "rented machines"),
    FIELD(COUNT, price_comparison, gpus,
          .help = "rented GPUs: complete machines, so maybe more than requested"),
    FIELD(NUMBER, price_comparison, network_gbit_s,
          .help = "network bandwidth of each machine; null: one machine, or unknown"),
    FIELD(TEXT, price_comparison, network, .help = "kind of network"),
    FIELD(RATE, price_comparison, hourly, .help = "on-demand price of all machines per hour"),
    FIELD(RATE, price_comparison, spot_hourly, .help = "spot price of all machines per hour"),
    FIELD(NUMBER, price_comparison, setup_s,
          .help = "estimated time before training starts, s"),
    FIELD(USD, price_comparison, setup, .help = "on-demand cost before training starts"),
    FIELD(USD, price_comparison, egress, .help = "cost of sending the results to the internet"),
    FIELD(USD, price_comparison, total, .help = "on-demand total"),
    FIELD(USD, price_comparison, spot_total, .help = "spot total, without interruptions"),
    FIELD(USD, price_comparison, total_low,
          .help = "low end of the 80 % range, by the age of the price"),
    FIELD(USD, price_comparison, total_high,
          .help = "high end of the 80 % range, by the age of the price"),
    FIELD(USD, price_comparison, spot_total_low, .help = "low end of the 80 % range on spot"),
    FIELD(USD, price_comparison, spot_total_high, .help = "high end of the 80 % range on spot"),
    FIELD(FLAG, price_comparison, outlier,
          .help = "price far below its peers, seen on one day only"),
    FIELD(FLAG, price_comparison, worth_checking,
          .help = "price too old to be ranked with the others"),
    FIELD_AS("spot_savings", NUMBER, price_comparison, spot_saving,
             .help = "savings on spot as a share of the on-demand total"),
    FIELD(SHARE, price_comparison, vs_aws,
          .help = "on-demand price of a GPU-hour relative to the cheapest of AWS: -0.4 is 40 % "
                  "less"),
    FIELD(FLAG, price_comparison, cheapest, .help = "cheapest of all on demand"),
    FIELD(FLAG, price_comparison, cheapest_spot, .help = "cheapest of all on spot"),
    FIELD(FLAG, price_comparison, complete,
          .help = "totals are complete; false: set-up or egress is unknown and left out"),
    FIELD_AS("date", DAY, price_comparison, machine.fact.date, .help = "date of the price"),
    FIELD_AS("age_days", COUNT, price_comparison, machine.age_days,
             .help = "age of the price in days"),
    FIELD_AS("source", TEXT, price_comparison, machine.fact.source,
             .help = "source of the price"),
};

const struct field_set price_comparison_fields =
    FIELD_SET(struct price_comparison, comparison_fields);

/* A fact in seconds as integer nanoseconds; 0 when it is not known. */
static int64_t nanoseconds(double seconds)
{
    return isnan(seconds) ? 0 : span_hours(seconds / 3600).ns;
}

/* Time is billed in steps, and at least a minimum: counted in integer nanoseconds, since a sum
 * of doubles that ends just above a step would be billed as one more. */
static span provider_billed_time(const struct provider *p, span time)
{
    int64_t minimum = p != NULL ? nanoseconds(p->minimum_s) : 0;
    int64_t step = p != NULL ? nanoseconds(p->billing_s) : 0;
    int64_t ns = time.ns > minimum ? time.ns : minimum;

    return (span){step > 0 ? (ns + step - 1) / step * step : ns};
}

static usd cost_for_time(usd_per_hour rate, span time)
{
    usd cost;

    return usd_for(rate, time, &cost) ? cost : USD_UNKNOWN;
}

/* What the time costs at a price, with egress when that is known. */
static usd compared_total_of(const struct price_comparison *c, usd_per_hour hourly, span all)
{
    usd total = cost_for_time(hourly, all);

    return c->egress.nano != MONEY_UNKNOWN ? usd_add(total, c->egress) : total;
}

/* Totals on demand and on spot, with their ranges and what they count for. */
static void add_compared_totals(const struct machine *v, span all, struct price_comparison *c)
{
    const struct price_trust *t = &v->trust[MARKET_ON_DEMAND], *s = &v->trust[MARKET_SPOT];

    c->total = compared_total_of(c, c->hourly, all);
    c->total_low = compared_total_of(c, rate_low(c->hourly, t->width), all);
    c->total_high = compared_total_of(c, rate_high(c->hourly, t->width), all);
    c->ranked = compared_total_of(c, rate_with_premium(c->hourly, t->premium), all);
    c->spot_total = compared_total_of(c, c->spot_hourly, all);
    c->spot_total_low = compared_total_of(c, rate_low(c->spot_hourly, s->width), all);
    c->spot_total_high = compared_total_of(c, rate_high(c->spot_hourly, s->width), all);
    c->spot_ranked = compared_total_of(c, rate_with_premium(c->spot_hourly, s->premium), all);
    c->outlier = t->outlier || s->outlier;
    c->worth_checking = t->aside;
}

static void price_machine(const struct market_view *view, const struct compare_query *query,
                          const struct machine *v, struct price_comparison *c)
{
    const struct provider *p = provider_find(view->catalog, v->provider);
    bool rented = str_eq(v->kind, STR("cloud"));
    double setup_s = rented && !query->running ? (p != NULL ? p->setup_s : NAN) : 0;
    span train = provider_billed_time(p, query->hours);
    span all = provider_billed_time(p, (span){query->hours.ns + nanoseconds(setup_s)});

    c->machine = *v;
    c->join = machine_joining(view->catalog, v, query->supply);
    c->machines = joining_rented(&c->join, (query->gpus + v->count - 1) / v->count);
    c->network_gbit_s = c->machines > 1 && c->join.row != NULL ? c->join.row->gbit_s : NAN;
    if (c->machines > 1 && c->join.row != NULL)
        c->network = c->join.row->kind;
    c->gpus = c->machines * v->count;
    c->hourly = usd_per_hour_times(v->on_demand, c->machines);
    c->spot_hourly = usd_per_hour_times(v->spot, c->machines);
    c->setup_s = setup_s;
    c->setup =
        isnan(setup_s) ? USD_UNKNOWN : cost_for_time(c->hourly, (span){all.ns - train.ns});
    c->egress = rented
                    ? transfer_cost(view->catalog, v->provider, STR("internet"), query->egress)
                    : (usd){0};
    c->complete = !isnan(setup_s) && c->egress.nano != MONEY_UNKNOWN;
    add_compared_totals(v, all, c);
    c->spot_saving = 1 - usd_double(c->spot_total) / usd_double(c->total);
}

/* Cheapest first; a tie goes to fewer machines, since GPUs in one machine communicate
 * faster. */
static int compare_totals(const void *a, const void *b)
{
    const struct price_comparison *x = a, *y = b;
    int order = usd_compare(x->ranked, y->ranked);

    order = order != 0 ? order : usd_compare(x->spot_ranked, y->spot_ranked);
    order = order != 0 ? order : (x->machines > y->machines) - (x->machines < y->machines);
    return order != 0 ? order : str_cmp(x->machine.name, y->machine.name);
}

static int compare_total_places(const void *a, const void *b)
{
    const struct price_comparison *x = a, *y = b;
    int order = str_cmp(x->machine.provider, y->machine.provider);

    order = order != 0 ? order : str_cmp(x->machine.region, y->machine.region);
    return order != 0 ? order : compare_totals(a, b);
}

/* Keep the cheapest of each provider and region. */
static size_t one_per_region(struct price_comparison *c, size_t count)
{
    size_t kept = 0;

    qsort(c, count, sizeof c[0], compare_total_places);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || !str_eq(c[kept - 1].machine.provider, c[i].machine.provider) ||
            !str_eq(c[kept - 1].machine.region, c[i].machine.region))
            c[kept++] = c[i];
    return kept;
}

/* Keep what can be rented: as few machines as asked for, and several only where they can be
 * joined, unless separate ones will do. */
static size_t keep_rentable(struct price_comparison *c, size_t count,
                            const struct compare_query *query, size_t *single)
{
    size_t kept = 0;

    *single = 0;
    for (size_t i = 0; i < count; i++) {
        if (query->max_machines >= 1 && c[i].machines > query->max_machines)
            continue;
        if (query->separate || joining_allows(&c[i].join, c[i].machines))
            c[kept++] = c[i];
        else
            (*single)++;
    }
    return kept;
}

/* A total that leaves something out cannot be the cheapest, nor a spot price that saves
 * nothing. */
static void mark_cheapest_total(struct price_comparison *c, size_t count)
{
    struct price_comparison *best = NULL, *best_spot = NULL;

    for (size_t i = 0; i < count; i++) {
        if (!c[i].complete)
            continue;
        if (c[i].total.nano != MONEY_UNKNOWN &&
            (best == NULL || usd_compare(c[i].ranked, best->ranked) < 0))
            best = &c[i];
        if (usd_compare(c[i].spot_total, c[i].total) < 0 &&
            (best_spot == NULL || usd_compare(c[i].spot_ranked, best_spot->spot_ranked) < 0))
            best_spot = &c[i];
    }
    if (best != NULL)
        best->cheapest = true;
    if (best_spot != NULL)
        best_spot->cheapest_spot = true;
}

static double gpu_hour_price(const struct price_comparison *c)
{
    return c->hourly.nano != MONEY_UNKNOWN ? usd_per_hour_double(c->hourly) / (double)c->gpus
                                           : NAN;
}

/* Against the cheapest of AWS, where others are compared with it: one of a price that is too
 * old counts when there is no other. */
static void compare_with_aws(struct price_comparison *c, size_t count)
{
    const struct price_comparison *least = NULL;
    size_t others = 0;

    for (size_t i = 0; i < count; i++) {
        bool aws = str_eq(c[i].machine.provider, STR("aws"));

        others += !aws;
        if (aws && c[i].hourly.nano != MONEY_UNKNOWN &&
            (least == NULL || (least->worth_checking && !c[i].worth_checking) ||
             (least->worth_checking == c[i].worth_checking &&
              gpu_hour_price(&c[i]) < gpu_hour_price(least))))
            least = &c[i];
    }
    for (size_t i = 0; i < count; i++)
        c[i].vs_aws = least != NULL && others > 0
                          ? gpu_hour_price(&c[i]) / gpu_hour_price(least) - 1
                          : NAN;
}

bool compare_costs(const struct market_view *view, const struct compare_query *query,
                   const struct machine *machines, size_t count, struct rows *out,
                   struct error *err)
{
    struct price_comparison *rows =
        arena_array(view->arena, struct price_comparison, count, err);
    size_t single;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        price_machine(view, query, &machines[i], &rows[i]);
    count = keep_rentable(rows, count, query, &single);
    if (count == 0 && single > 0) {
        error_set(err, ERROR_ABSENT,
                  "no offer has %lld of these GPUs in one machine, or in "
                  "machines that can be joined",
                  (long long)query->gpus);
        error_hint(err, "--separate prices machines without a common network");
        return false;
    }
    if (count == 0) {
        error_set(err, ERROR_ABSENT, "no provider in the catalog offers that");
        error_hint(err, "try --any-form, --kind any, or leave out a filter");
        return false;
    }
    if (single > 0)
        message_note(view->messages,
                     single == 1 ? "%zu offer is left out: its machines cannot be joined, or "
                                   "there are not enough; --separate shows it"
                                 : "%zu offers are left out: their machines cannot be joined, "
                                   "or there are not enough; --separate shows them",
                     single);
    count = query->all ? count : one_per_region(rows, count);
    qsort(rows, count, sizeof rows[0], compare_totals);
    mark_cheapest_total(rows, count);
    compare_with_aws(rows, count);
    *out = (struct rows){rows, count};
    return true;
}

/* ---- what a dollar buys ---- */

const char *const compare_precisions[] = {"bf16", "fp16", "fp8",  "fp4",
                                          "fp32", "tf32", "int8", NULL};
static const struct field value_fields[] = {
    FIELD_AS("offer", TEXT, price_value, machine.name, .help = "provider/region/instance"),
    FIELD_AS("accelerator", TEXT, price_value, machine.accelerator, .help = "accelerator"),
    FIELD_AS("count", COUNT, price_value, machine.count, .help = "number of accelerators"),
    FIELD(TEXT, price_value, precision, .help = "precision of the performance figure"),
    FIELD(NUMBER, price_value, performance, .help = "dense peak of the machine, TFLOPS"),
    FIELD(NUMBER, price_value, reliability, .help = "reliability, 0 to 1"),
    FIELD(RATE, price_value, price, .help = "price per machine-hour"),
    FIELD(NUMBER, price_value, score, .help = "peak PFLOP per dollar, times reliability"),
    FIELD_AS("date", DAY, price_value, machine.fact.date, .help = "date of the price"),
    FIELD_AS("age_days", COUNT, price_value, machine.age_days,
             .help = "age of the price in days"),
    FIELD_AS("price_low", RATE, price_value, machine.price_low,
             .help = "low end of the 80 % range of the price today"),
    FIELD_AS("price_high", RATE, price_value, machine.price_high,
             .help = "high end of the 80 % range of the price today"),
    FIELD_AS("outlier", FLAG, price_value, machine.outlier,
             .help = "price far below its peers, seen on one day only"),
    FIELD(FLAG, price_value, worth_checking,
          .help = "price too old to be ranked with the others"),
    FIELD_AS("source", TEXT, price_value, machine.fact.source, .help = "source of the price"),
};

const struct field_set price_value_fields = FIELD_SET(struct price_value, value_fields);

/* The peak at this precision. Cards older than bf16 run its work in fp16. */
static double peak_at(const struct accelerator *a, struct str precision, struct str *used)
{
    *used = precision;
    if (str_eq(precision, STR("bf16")) && !isnan(a->bf16_tflops))
        return a->bf16_tflops;
    if (str_eq(precision, STR("bf16")) || str_eq(precision, STR("fp16"))) {
        *used = STR("fp16");
        return a->fp16_tflops;
    }
    if (str_eq(precision, STR("fp8")))
        return a->fp8_tflops;
    if (str_eq(precision, STR("fp4")))
        return a->fp4_tflops;
    if (str_eq(precision, STR("fp32")))
        return a->fp32_tflops;
    if (str_eq(precision, STR("tf32")))
        return a->tf32_tflops;
    return a->int8_tops;
}

static int compare_scores(const void *a, const void *b)
{
    const struct price_value *x = a, *y = b;

    if (x->ranked != y->ranked)
        return x->ranked > y->ranked ? -1 : 1;
    return str_cmp(x->machine.name, y->machine.name);
}

bool compare_values(const struct market_view *view, struct str precision, enum market market,
                    const struct machine *machines, size_t count, struct rows *out,
                    struct error *err)
{
    struct price_value *values = arena_array(view->arena, struct price_value, count, err);
    size_t scored = 0;

    if (values == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct machine *m = &machines[i];
        const struct provider *p = provider_find(view->catalog, m->provider);
        struct price_value *v = &values[scored];

        *v = (struct price_value){.machine = *m, .price = machine_price(m, market)};
        v->performance = peak_at(m->gpu, precision, &v->precision) * (double)m->count;
        v->reliability = p != NULL ? p->reliability : NAN;
        if (v->price.nano == MONEY_UNKNOWN || isnan(v->performance) || isnan(v->reliability))
            continue; /* a factor is unknown: there is no score to rank by */
        v->score = v->performance * 3.6 * v->reliability / ((double)v->price.nano / 1e9);
        v->ranked = v->score / (1 + machine_trust(m, market)->premium);
        v->worth_checking = machine_trust(m, market)->aside;
        scored++;
    }
    if (scored == 0) {
        error_set(err, ERROR_ABSENT,
                  "no offer matches with price, performance and reliability known");
        error_hint(err, "leave out a filter, choose another --precision, or add the provider's "
                        "reliability to your providers.csv");
        return false;
    }
    qsort(values, scored, sizeof values[0], compare_scores);
    *out = (struct rows){values, scored};
    return true;
}
