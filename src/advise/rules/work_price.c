#include "advise/rules/work_price.h"

#include <math.h>

#include "advise/rules/rented.h"
#include "advise/rules/spot_place.h"
#include "estimate/kernels/relative.h"
#include "estimate/memory/memory.h"

#define SECONDS_PER_HOUR INT64_C(3600)
#define HOURS_OF_DAY 24
#define HOURS_OF_WEEK 168.0
#define LAST_WEEKDAY 4 /* Friday: Monday is 0 */

/* ---- other machines ---- */

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
static void take_memory(const struct work_pricing *p, const struct advise_work *w,
                        struct advise_option *o)
{
    enum name_match match;
    const struct accelerator *gpu =
        o->gpu.len > 0 ? accelerator_search(p->catalog, o->gpu, &match) : NULL;

    o->need_gb = o->usable_gb = NAN;
    if (gpu == NULL || w->memory_peak.n == BYTES_UNKNOWN.n)
        return;
    o->need_gb = relative_memory((double)w->memory_peak.n, p->constants) / 1e9;
    o->usable_gb = usable_memory(gpu) / 1e9;
}

/* It runs there already, or the configuration names the provider. */
static bool has_provider_account(const struct work_pricing *p, const struct advise_work *w,
                                 struct str provider)
{
    const struct strs *known = &p->accounts;

    for (size_t i = 0; i < known->len; i++)
        if (str_eq_nocase(known->at[i], provider))
            return true;
    return str_eq(provider, w->provider);
}

bool work_price_option(const struct work_pricing *p, const struct advise_work *work,
                       struct advise_option *option, struct error *err)
{
    struct str rest = option->offer;

    (void)str_cut(&rest, '/');
    option->region = str_cut(&rest, '/');
    option->cost = times_runs(option->cost, work);
    option->cost_low = times_runs(option->cost_low, work);
    option->cost_high = times_runs(option->cost_high, work);
    option->account = has_provider_account(p, work, option->provider);
    option->stale = p->today.n - option->date.n > RENTED_STALE_DAYS;
    take_memory(p, work, option);
    return short_offer(option->offer, p->arena, &option->offer, err);
}

/* ---- spot ---- */

static const struct machine *own_machine(const struct work_pricing *p, struct str offer)
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

static struct rented rented_of_machine(const struct machine *m)
{
    return (struct rented){m->provider, m->region, m->instance,
                           usd_per_hour_double(m->on_demand)};
}

static bool price_spot_option(const struct work_pricing *p, struct advise_work *w,
                              struct error *err)
{
    const struct machine *own = own_machine(p, w->offer);
    struct interruption_model model;
    struct spot_place at;
    struct rented rented;

    if (own == NULL)
        return true;
    model = interruption_model(p->catalog, own->provider);
    rented = rented_of_machine(own);
    at = cheapest_spot(&rented, w->serves ? own : p->machines, w->serves ? 1 : p->count,
                       p->today, &model, span_in_hours(w->mean_time));
    if (at.machine == NULL)
        return true;
    w->spot = (struct advise_spot){.on_demand = own->on_demand,
                                   .spot = at.machine->spot,
                                   .elsewhere = at.elsewhere,
                                   .date = machine_price_date(at.machine, MARKET_SPOT),
                                   .losses = at.losses,
                                   .losses_low = at.losses_low,
                                   .losses_high = at.losses_high,
                                   .method = model.basis == BASIS_ALL
                                                 ? STR("of other providers' machines")
                                                 : STR("of machines of the provider")};
    return !at.elsewhere || machine_name(own->provider, at.machine->region, (struct str){0},
                                         own->instance, p->arena, &w->spot.offer, err);
}

/* ---- another region ---- */

static bool price_region(const struct work_pricing *p, struct advise_work *w, struct error *err)
{
    const struct machine *own = own_machine(p, w->offer), *best;
    struct rented rented;
    double share;

    if (own == NULL || !str_eq(w->market, STR("on-demand")))
        return true;
    rented = rented_of_machine(own);
    best = cheaper_region(&rented, p->machines, p->count, p->today, &share);
    if (best == NULL)
        return true;
    w->region_best = (struct advise_region){.share = share, .date = best->fact.date};
    return machine_name(best->provider, best->region, (struct str){0}, best->instance, p->arena,
                        &w->region_best.offer, err);
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

static bool price_hours(const struct work_pricing *p, struct advise_work *w, struct error *err)
{
    const struct advise_run *const *runs = w->list.at;
    const struct catalog *catalog = p->catalog;
    int64_t monday = (int64_t)day_week_start(day_of(runs[0]->started)).n * HOURS_OF_DAY;
    struct buf when = buf_new(p->arena->alloc, 256);
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
    return buf_keep(&when, p->arena, &w->hour_when, err);
}

/* ---- moving the data ---- */

/* What a run reads from the network is what would have to be there. */
static void price_move(const struct work_pricing *p, struct advise_work *w)
{
    const struct advise_run *const *runs = w->list.at;
    double most = NAN;

    for (size_t i = 0; i < w->list.len; i++)
        most = fmax(most, runs[i]->received); /* the known ones */
    w->data_gb = most / 1e9;
    if (most >= 0 && most < 1e18)
        w->egress = transfer_cost(p->catalog, w->provider, STR("internet"), bytes_from(most));
}

/* ---- all of them ---- */

bool work_is_priced(const struct advise_work *work)
{
    return !work->electricity && work->mean_time.ns > 0 && work->rate.nano != MONEY_UNKNOWN;
}

bool work_price(const struct work_pricing *p, struct advise_work *work, struct error *err)
{
    price_move(p, work);
    return price_spot_option(p, work, err) && price_hours(p, work, err) &&
           price_region(p, work, err);
}
