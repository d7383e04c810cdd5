#include "op/advise/price_works.h"

#include <math.h>

#include "estimate/kernels/relative.h"
#include "estimate/memory/memory.h"
#include "op/advise/cheaper_region.h"
#include "op/context.h"
#include "op/market.h"
#include "op/work_compare.h"
#include "spot/interruption.h"

#define SIGMAS 1.2816 /* of a normal distribution: 80 % lie within */
#define SECONDS_PER_HOUR INT64_C(3600)
#define HOURS_OF_DAY 24
#define HOURS_OF_WEEK 168.0
#define STALE_DAYS 180 /* a price that old is a question */
#define LAST_WEEKDAY 4 /* Friday: Monday is 0 */

struct pricing {
    struct op_context *ctx;
    struct op_context quiet; /* what is left out of comparisons is no news here */
    struct constants constants;
    struct machine *machines;
    size_t count;
};

/* ---- other machines ---- */

static void take_work(const struct advise_work *w, const struct accelerator *gpu,
                      struct report_work *out)
{
    work_blank(out);
    out->kind = STR("run");
    out->name = w->subject;
    out->time = w->mean_time;
    out->time_method = STR("metered");
    out->gpu_name = w->gpu;
    out->gpu = gpu;
    out->gpus = w->gpus;
    out->gpu_busy = w->utilization;
    out->gpu_memory_peak =
        w->memory_peak.n != BYTES_UNKNOWN.n ? (double)w->memory_peak.n : (double)NAN;
    out->cost = w->cost;
    out->rate = w->rate;
    out->offer = w->offer;
    out->market = w->market;
}

static usd times_runs(usd amount, const struct advise_work *w)
{
    return amount.nano != MONEY_UNKNOWN ? usd_from(usd_double(amount) * (double)w->runs)
                                        : USD_UNKNOWN;
}

static bool short_offer(struct str offer, struct arena *arena, struct str *out,
                        struct error *err)
{
    struct buf text = buf_new(arena->alloc, 512);

    advise_write_offer(offer, &text);
    return buf_keep(&text, arena, out, err);
}

/* What the work may need of a GPU's memory there, and what there is of it. */
static void take_memory(const struct pricing *p, const struct advise_work *w,
                        struct advise_option *o)
{
    enum name_match match;
    const struct accelerator *gpu =
        o->gpu.len > 0 ? accelerator_search(&p->quiet.catalog, o->gpu, &match) : NULL;

    o->need_gb = o->usable_gb = NAN;
    if (gpu == NULL || w->memory_peak.n == BYTES_UNKNOWN.n)
        return;
    o->need_gb = relative_memory((double)w->memory_peak.n, &p->constants) / 1e9;
    o->usable_gb = usable_memory(gpu) / 1e9;
}

/* It runs there already, or the configuration names the provider. */
static bool has_provider_account(const struct pricing *p, const struct advise_work *w,
                                 struct str provider)
{
    const struct strs *known = &p->ctx->settings->providers;

    for (size_t i = 0; i < known->len; i++)
        if (str_eq_nocase(known->at[i], provider))
            return true;
    return str_eq(provider, w->provider);
}

static bool take_work_options(struct pricing *p, const struct work_comparison *comparison,
                              struct advise_work *w, struct error *err)
{
    const struct work_option *from = comparison->options.at;
    struct advise_option *to =
        arena_array(p->ctx->arena, struct advise_option, comparison->options.len, err);
    double hours = span_in_hours(w->mean_time);
    size_t n = 0;

    for (size_t i = 0; to != NULL && i < comparison->options.len; i++) {
        struct str rest = from[i].offer;

        (void)str_cut(&rest, '/');
        to[n++] = (struct advise_option){.offer = from[i].offer,
                                         .provider = from[i].provider,
                                         .region = str_cut(&rest, '/'),
                                         .gpu = from[i].accelerator,
                                         .market = from[i].market,
                                         .gpus = from[i].gpus,
                                         .memory_gb = from[i].memory_gb,
                                         .cost = times_runs(from[i].cost, w),
                                         .cost_low = times_runs(from[i].cost_low, w),
                                         .cost_high = times_runs(from[i].cost_high, w),
                                         .time = from[i].hours / hours,
                                         .date = from[i].date};
        to[n - 1].account = has_provider_account(p, w, from[i].provider);
        to[n - 1].stale = op_today(p->ctx).n - from[i].date.n > STALE_DAYS;
        take_memory(p, w, &to[n - 1]);
        if (!short_offer(from[i].offer, p->ctx->arena, &to[n - 1].offer, err))
            return false;
    }
    w->options = (struct rows){to, n};
    return to != NULL;
}

static bool price_machines(struct pricing *p, struct advise_work *w, struct error *err)
{
    struct report_work *work = arena_array(p->ctx->arena, struct report_work, 1, err);
    enum name_match match;
    const struct accelerator *gpu =
        w->gpu.len > 0 ? accelerator_search(&p->quiet.catalog, w->gpu, &match) : NULL;
    struct work_comparison comparison;
    struct str why;

    if (work == NULL)
        return false;
    if (w->gpus > 0 && gpu == NULL) /* how long it takes elsewhere is not known */
        return true;
    take_work(w, gpu, work);
    return op_work_compare(&p->quiet, work, &comparison, &why, err) &&
           take_work_options(p, &comparison, w, err);
}

/* ---- spot ---- */

static const struct machine *own_machine(const struct pricing *p, struct str offer)
{
    struct offer_name name;
    struct error ignored = {0};

    if (!offer_name_parse(offer, &name, &ignored))
        return NULL;
    for (size_t i = 0; i < p->count; i++)
        if (offer_name_matches(&name, p->machines[i].provider, p->machines[i].region, name.zone,
                               p->machines[i].instance))
            return &p->machines[i];
    return NULL;
}

static void price_spot_option(struct pricing *p, struct advise_work *w)
{
    const struct machine *m = own_machine(p, w->offer);
    struct advise_spot *s = &w->spot;
    struct interruption_model model;
    double hours = span_in_hours(w->mean_time), share;

    if (m == NULL || m->spot.nano == MONEY_UNKNOWN || m->on_demand.nano <= 0 || !(hours > 0))
        return;
    model = interruption_model(&p->quiet.catalog, m->provider);
    if (model.basis == BASIS_NONE)
        return;
    share = usd_per_hour_double(m->spot) / usd_per_hour_double(m->on_demand);
    *s = (struct advise_spot){.on_demand = m->on_demand,
                              .spot = m->spot,
                              .date = m->spot_source.len > 0 ? m->spot_date : m->fact.date,
                              .losses = interruption_hazard(&model, share, hours, 0),
                              .losses_low = interruption_hazard(&model, share, hours, -SIGMAS),
                              .losses_high = interruption_hazard(&model, share, hours, SIGMAS),
                              .method = model.basis == BASIS_ALL
                                            ? STR("of other providers' machines")
                                            : STR("of machines of the provider")};
}

/* ---- another region ---- */

static bool price_region(struct pricing *p, struct advise_work *w, struct error *err)
{
    const struct machine *own = own_machine(p, w->offer), *best;
    struct buf offer = buf_new(p->ctx->arena->alloc, 512);
    struct rented rented;
    double share;

    if (own == NULL || !str_eq(w->market, STR("on-demand")))
        return true;
    rented = (struct rented){own->provider, own->region, own->instance,
                             usd_per_hour_double(own->on_demand)};
    best = cheaper_region(&rented, p->machines, p->count, op_today(p->ctx), &share);
    if (best == NULL)
        return true;
    w->region_best = (struct advise_region){.share = share, .date = best->fact.date};
    buf_addf(&offer, "%.*s/%.*s/%.*s", STR_ARG(best->provider), STR_ARG(best->region),
             STR_ARG(best->instance));
    return buf_keep(&offer, p->ctx->arena, &w->region_best.offer, err);
}

/* ---- hours ---- */

/* Prices of that hour over the week's mean; NaN: no pattern is measured. */
static double multiplier_at(const struct catalog *catalog, const struct advise_work *w,
                            bool weekend, int64_t hour)
{
    const struct rows *table = &catalog->tables[TABLE_PRICE_HOURS];

    for (size_t i = 0; i < table->len; i++) {
        const struct price_hours *r = CATALOG_ROW(catalog, TABLE_PRICE_HOURS, price_hours, i);

        if (str_eq(r->provider, w->provider) && str_eq(r->market, w->market) &&
            str_eq(r->kind, STR("measured")) && hour >= r->from_hour && hour < r->to_hour &&
            str_eq(r->days, weekend ? STR("weekend") : STR("weekday")))
            return r->multiplier;
    }
    return NAN;
}

static bool is_weekend(stamp at)
{
    return (day_of(at).n - day_week_start(day_of(at)).n) > LAST_WEEKDAY;
}

/* Over the hours of a run that begins then. */
static double multiplier_over(const struct catalog *catalog, const struct advise_work *w,
                              stamp start, double hours)
{
    int64_t count = (int64_t)fmin(fmax(1, ceil(hours)), HOURS_OF_WEEK);
    double sum = 0;

    for (int64_t i = 0; i < count; i++) {
        stamp at = {start.s + i * SECONDS_PER_HOUR};

        sum +=
            multiplier_at(catalog, w, is_weekend(at), at.s / SECONDS_PER_HOUR % HOURS_OF_DAY);
    }
    return sum / (double)count;
}

static bool price_hours(struct pricing *p, struct advise_work *w, struct error *err)
{
    const struct advise_run *const *runs = w->list.at;
    const struct catalog *catalog = &p->quiet.catalog;
    int64_t monday = (int64_t)day_week_start(day_of(runs[0]->started)).n * HOURS_OF_DAY;
    struct buf when = buf_new(p->ctx->arena->alloc, 256);
    double sum = 0;

    w->hour_best = INFINITY;
    for (int weekend = 0; weekend < 2; weekend++)
        for (int64_t hour = 0; hour < HOURS_OF_DAY; hour++) {
            int64_t days = weekend == 1 ? LAST_WEEKDAY + 1 : 1;
            stamp start = {(monday + days * HOURS_OF_DAY + hour) * SECONDS_PER_HOUR};
            double at = multiplier_over(catalog, w, start, span_in_hours(w->mean_time));

            if (!(at < w->hour_best))
                continue;
            w->hour_best = at;
            buf_clear(&when);
            buf_addf(&when, "at %02lld:00 UTC on a %s", (long long)hour,
                     weekend == 1 ? "Saturday" : "weekday");
        }
    for (size_t i = 0; i < w->list.len; i++)
        sum += multiplier_over(catalog, w, runs[i]->started, runs[i]->hours);
    w->hour_now = sum / (double)w->list.len;
    return buf_keep(&when, p->ctx->arena, &w->hour_when, err);
}

/* ---- moving the data ---- */

/* What a run reads from the network is what would have to be there. */
static void price_move(struct pricing *p, struct advise_work *w)
{
    const struct advise_run *const *runs = w->list.at;
    double most = NAN;

    for (size_t i = 0; i < w->list.len; i++)
        most = fmax(most, runs[i]->received); /* the known ones */
    w->data_gb = most / 1e9;
    if (most >= 0 && most < 1e18)
        w->egress =
            transfer_cost(&p->quiet.catalog, w->provider, STR("internet"), bytes_from(most));
}

/* ---- all of them ---- */

static bool price_work(struct pricing *p, struct advise_work *w, struct error *err)
{
    if (w->electricity || !(w->mean_time.ns > 0) || w->rate.nano == MONEY_UNKNOWN)
        return true;
    price_spot_option(p, w);
    price_move(p, w);
    return price_hours(p, w, err) && price_region(p, w, err) && price_machines(p, w, err);
}

bool advise_price_works(struct op_context *ctx, struct advise_facts *facts, struct error *err)
{
    struct machine_query all = machine_query_all();
    size_t count = facts->works.len < ADVISE_PRICED ? facts->works.len : ADVISE_PRICED;
    struct constants *constants = arena_array(ctx->arena, struct constants, 1, err);
    struct advise_work *works;
    struct pricing p = {.ctx = ctx, .quiet = op_apart(ctx, ctx->arena, true)};
    bool ok = true;

    works = arena_array(ctx->arena, struct advise_work, facts->works.len, err);
    if (works == NULL || constants == NULL)
        return false;
    for (size_t i = 0; i < facts->works.len; i++)
        works[i] = ((const struct advise_work *)facts->works.at)[i];
    facts->works.at = works;
    if (count > 0)
        ok = op_catalog(&p.quiet,
                        TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) |
                            TABLE_BIT(TABLE_INTERRUPTIONS) | TABLE_BIT(TABLE_PRICE_HOURS) |
                            TABLE_BIT(TABLE_TRANSFER) | TABLE_BIT(TABLE_CONSTANTS),
                        err) &&
             constants_load(&p.quiet.catalog, &p.constants, err) &&
             op_machines(&p.quiet, &all, &p.machines, &p.count, err);
    for (size_t i = 0; i < count && ok; i++)
        ok = price_work(&p, &works[i], err);
    *constants = p.constants;
    facts->constants = ok && count > 0 ? constants : NULL;
    op_done(&p.quiet);
    return ok;
}
