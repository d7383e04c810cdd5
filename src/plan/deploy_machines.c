/* Machines that are rented by the hour: with GPUs and without, always up or stopped when idle,
 * of a platform. */
#include <math.h>

#include "plan/deploy_internal.h"

#define MACHINE_LOAD_GB_S 0.5 /* from a cloud's disk or bucket: judgment */
#define ROOM 0.9              /* of a machine's memory, that a model may take */

/* ---- machines with GPUs ---- */

double deploy_start_s(const struct choosing *c, struct str provider, double weights)
{
    const struct provider *row = provider_find(c->facts->catalog, provider);

    return row != NULL ? row->setup_s + weights / (1e9 * MACHINE_LOAD_GB_S) : NAN;
}

static struct str place_source(const struct plan_place *place)
{
    const struct machine *m = place->machine;

    if (place->market == MARKET_OWN)
        return (struct str){0};
    return place->market == MARKET_SPOT && m->spot_source.len > 0 ? m->spot_source
                                                                  : m->fact.source;
}

static void take_probed(const struct probed_copy *from, struct deploy *d)
{
    d->most_rate = from->took.most_rate;
    d->service_s = from->took.service_s;
    d->first_s = from->took.first_s;
    d->input_share = from->took.input_share;
    d->spread = from->took.spread;
    d->warm = from->took.warm;
}

/* A copy of the plan, probed once. */
static bool probe_plan(struct choosing *c, const struct plan *plan, struct deploy *d)
{
    const struct machine *m = plan->place->machine;
    const struct serving *s = &plan->way.serving;
    struct probed_copy new = {m->gpu, c->job, s->tensor, s->pipeline, m->count, false, *d};
    struct gpu_probe probe;

    for (size_t i = 0; i < c->probed_count; i++) {
        const struct probed_copy *p = &c->probed[i];

        if (p->gpu == new.gpu && p->job == new.job && p->tensor == new.tensor &&
            p->pipeline == new.pipeline && p->per_node == new.per_node) {
            take_probed(p, d);
            return p->serves;
        }
    }
    new.serves =
        deploy_probe_gpu(c, new.gpu, new.tensor, new.pipeline, new.per_node, &probe, &new.took);
    take_probed(&new, d);
    if (c->probed != NULL && c->probed_count < DEPLOY_PROBED)
        c->probed[c->probed_count++] = new;
    return new.serves;
}

bool deploy_of_plan(struct choosing *c, const struct plan *plan, enum deployment kind,
                    struct deploy *d)
{
    const struct plan_place *place = plan->place;
    const struct serving *s = &plan->way.serving;

    *d = deploy_none(kind);
    d->offer = place->machine->name;
    d->provider = place->machine->provider;
    d->region = place->machine->region;
    d->product = place->machine->instance;
    d->accelerator = place->machine->gpu->name;
    d->source = place_source(place);
    d->date = place->date;
    d->price_width = place->trust.width;
    d->premium = place->trust.premium;
    d->price = place->price;
    d->most_machines = (double)place->join.supply;
    d->copies_each = fmax(1, floor((double)place->machine->count / (double)s->gpus));
    d->machines_each = ceil((double)s->gpus / (double)place->machine->count);
    d->start_s = deploy_start_s(c, place->machine->provider, deploy_weight_bytes(s));
    if (!probe_plan(c, plan, d))
        return false;
    d->setting = plan_words(c->w, c->err, "%s%s, %lldx %.*s", weights_names[s->weights],
                            deploy_engine_words(s), (long long)plan->way.gpus,
                            STR_ARG(place->machine->gpu->name));
    return d->setting.at != NULL;
}

/* The search priced the month at one rate: where that changes, by as much as the machines. */
static bool price_gpu_plan(struct choosing *c, const struct plan *best)
{
    const struct deploy *d = &c->at[DEPLOY_GPU];
    struct deploy_cost *cost = &c->cost[DEPLOY_GPU], steady;
    double total = usd_double(best->total.expected), factor = 1;

    if (!deploy_price(d, c->rate, c->hours_per_day, &steady) ||
        !deploy_month(d, &c->demand, c->rate, cost))
        return c->err->kind == ERROR_NONE;
    if (c->demand.traffic != NULL && steady.usd > 0)
        factor = cost->usd / steady.usd;
    cost->usd = factor * total;
    cost->fixed_usd = total;
    c->gpu_total =
        (struct usd_range){usd_from(factor * usd_double(best->total.low)), usd_from(cost->usd),
                           usd_from(factor * usd_double(best->total.high))};
    return c->err->kind == ERROR_NONE;
}

/* The plan itself is what the search found: its cost and latency are taken from it. */
bool deploy_add_gpu(struct choosing *c, const struct plan *best)
{
    struct deploy *d = &c->at[DEPLOY_GPU];
    const struct job *job = c->job;

    if (best == NULL)
        return deploy_exclude(c, DEPLOY_GPU, STR("*"),
                              "no plan on GPU machines meets the limits");
    c->job = c->w->job; /* whose target is the user's, not the one that is assumed */
    if (!deploy_of_plan(c, best, DEPLOY_GPU, d))
        d->most_rate = c->rate / (double)best->way.copies;
    c->job = job;
    c->have[DEPLOY_GPU] = true;
    d->warm.request_p95 = best->way.latency_s;
    return price_gpu_plan(c, best);
}

/* Copies that so many machines of the place have. */
static double place_copies(const struct plan_place *place, const struct serving *s,
                           double machines)
{
    double each = floor((double)place->machine->count / (double)s->gpus);

    return each >= 1 ? machines * each
                     : floor(machines / ceil((double)s->gpus / (double)place->machine->count));
}

/* Where the next copies come from once all machines of `after` are rented: the cheapest place
 * with this GPU that has more. NULL: there is none. */
static const struct plan_place *next_place(const struct choosing *c, const struct serving *s,
                                           const struct plan_place *after)
{
    const struct plan_problem *p = &c->w->problem;
    const struct plan_place *best = NULL;
    double capacity = place_copies(after, s, (double)after->join.supply), least = INFINITY;

    for (size_t i = 0; i < p->place_count; i++) {
        const struct plan_place *at = &p->places[i];
        double copies = place_copies(at, s, (double)at->join.supply), each;

        if (at->machine->gpu != after->machine->gpu || at->market != after->market ||
            (at->bars & ~p->limits.lifted) != 0 || at->price.nano == MONEY_UNKNOWN ||
            !(copies > capacity))
            continue;
        each = usd_per_hour_double(at->price) * (1 + at->trust.premium) *
               (double)at->join.supply / copies;
        if (each < least) {
            least = each;
            best = at;
        }
    }
    return best;
}

/* Does nothing speak for `b`? Each of its copies costs no less and takes no more, and there are
 * no more of them. */
static bool is_better_copy(const struct deploy *a, const struct deploy *b)
{
    return usd_per_hour_double(a->price) * a->machines_each * (1 + a->premium) <=
               usd_per_hour_double(b->price) * b->machines_each * (1 + b->premium) &&
           a->copies_each * a->most_rate >= b->copies_each * b->most_rate &&
           floor(a->most_machines / a->machines_each) >=
               floor(b->most_machines / b->machines_each);
}

static void remember_machine(struct choosing *c, const struct deploy *d)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->other_count; i++)
        if (c->others[i].kind == d->kind && is_better_copy(&c->others[i], d))
            return;
    for (size_t i = 0; i < c->other_count; i++)
        if (c->others[i].kind != d->kind || !is_better_copy(d, &c->others[i]))
            c->others[kept++] = c->others[i];
    c->other_count = kept;
    deploy_remember(c, d);
}

static void remember_places(struct choosing *c, struct plan plan)
{
    struct deploy d;

    for (int i = 0; i < DEPLOY_PLACES && plan.place != NULL; i++) {
        if (deploy_of_plan(c, &plan, DEPLOY_GPU, &d))
            remember_machine(c, &d);
        plan.place = next_place(c, &plan.way.serving, plan.place);
    }
}

static bool remember_gpus_at(struct choosing *c, double rate, struct plan *plans)
{
    struct plan_problem p = c->w->problem;
    struct job job = *c->w->job;
    struct search *search;
    size_t count = 0;

    job.infer.rate = rate;
    p.job = &job;
    p.limits.budget = USD_UNKNOWN;
    search = search_new(&p, c->w->measured, c->w->arena, c->err);
    if (search == NULL ||
        !search_different(search, &p, DEPLOY_GPUS_MOST, plans, &count, c->err))
        return false;
    for (size_t i = 0; i < count; i++)
        remember_places(c, plans[i]);
    return c->err->kind == ERROR_NONE;
}

/* At any rate the machine of some GPU is the best: those of each GPU at a few rates, and where
 * there are more when these are rented. They do not depend on the rate that was asked for, so
 * neither do the volumes from which one way is cheaper than another. */
bool deploy_add_gpus_of_rates(struct choosing *c)
{
    static const double rates[DEPLOY_RATES] = {1, 30, 1000};
    struct plan *plans = arena_array(c->w->arena, struct plan, DEPLOY_GPUS_MOST, c->err);

    for (size_t i = 0; plans != NULL && i < DEPLOY_RATES; i++)
        if (!remember_gpus_at(c, rates[i], plans))
            return false;
    return plans != NULL;
}

static bool stop_when_idle(struct choosing *c, struct deploy *d, double weights)
{
    const struct provider *row = provider_find(c->facts->catalog, d->provider);

    d->kind = DEPLOY_TO_ZERO;
    d->idle_s = deploy_idle_s(c);
    d->cold_s = deploy_start_s(c, d->provider, weights);
    d->billing_s = row != NULL && row->billing_s > 0 ? row->billing_s : 0;
    d->minimum_s = row != NULL && row->minimum_s > 0 ? row->minimum_s : 0;
    d->basis = STR("start: an estimate (providers); load at 0.5 GB/s and idle time: assumed");
    return !isnan(d->cold_s);
}

/* The search chose for the rate of the peak: where the rate changes, smaller machines may cost
 * less. */
static void try_for_traffic(struct choosing *c, const struct deploy *d)
{
    struct str before = c->at[DEPLOY_GPU].offer;
    char why[DEPLOY_REASON];

    if (c->demand.traffic == NULL)
        return;
    (void)deploy_consider(c, d, why);
    c->gpu_replaced |= !str_eq(before, c->at[DEPLOY_GPU].offer);
}

bool deploy_add_stopped_gpus(struct choosing *c, const struct plan *best)
{
    struct plan *plans = arena_array(c->w->arena, struct plan, DEPLOY_OTHER_GPUS, c->err);
    struct plan_problem p = c->w->problem;
    size_t count = 0;
    char why[DEPLOY_REASON] = "";
    struct deploy d;

    if (plans == NULL)
        return false;
    if (best == NULL)
        return true;
    p.limits.budget = USD_UNKNOWN; /* it costs less than the complete month */
    if (!search_different(c->w->search, &p, DEPLOY_OTHER_GPUS, plans, &count, c->err))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!deploy_of_plan(c, &plans[i], DEPLOY_GPU, &d))
            continue;
        deploy_remember(c, &d);
        try_for_traffic(c, &d);
        if (plans[i].place->market == MARKET_ON_DEMAND &&
            stop_when_idle(c, &d, deploy_weight_bytes(&plans[i].way.serving)))
            (void)deploy_consider(c, &d, why);
    }
    return c->err->kind == ERROR_NONE;
}

/* Endpoints of platforms: the provider's own machines with a markup. */
bool deploy_add_managed_gpus(struct choosing *c)
{
    const struct catalog *catalog = c->facts->catalog;

    for (size_t i = 0; i < catalog->tables[TABLE_MANAGED].len; i++) {
        const struct managed *m = CATALOG_ROW(catalog, TABLE_MANAGED, managed, i);
        struct search_filter filter = {.markets = 1u << MARKET_ON_DEMAND,
                                       .provider = m->provider};
        struct plan_problem p = c->w->problem;
        char why[DEPLOY_REASON];
        struct plan plan;
        struct deploy d;
        bool found;

        if (isnan(m->serving_markup)) {
            if (!deploy_exclude(c, DEPLOY_MANAGED, m->product,
                                "the price of its endpoints is unknown"))
                return false;
            continue;
        }
        if (deploy_provider_barred(c, m->provider, why)) {
            if (!deploy_exclude(c, DEPLOY_MANAGED, m->product, why))
                return false;
            continue;
        }
        if (!search_best(c->w->search, &p, &filter, &plan, &found, c->err))
            return false;
        if (!found || !deploy_of_plan(c, &plan, DEPLOY_MANAGED, &d))
            continue;
        d.markup = m->serving_markup;
        d.setting =
            plan_words(c->w, c->err, "%.*s, %.*s", STR_ARG(m->product), STR_ARG(d.setting));
        (void)deploy_consider(c, &d, why);
    }
    return c->err->kind == ERROR_NONE;
}

/* ---- machines without ---- */

static void remember_near(struct choosing *c, struct str offer, double merit, const char *why)
{
    if (!(merit > c->nearest))
        return;
    c->nearest = merit;
    c->nearest_offer = offer;
    deploy_why(c->nearest_why, "%s", why);
}

static const struct managed *managed_by(const struct choosing *c, struct str provider)
{
    const struct catalog *catalog = c->facts->catalog;

    for (size_t i = 0; i < catalog->tables[TABLE_MANAGED].len; i++) {
        const struct managed *m = CATALOG_ROW(catalog, TABLE_MANAGED, managed, i);

        if (str_eq(m->provider, provider) && m->serving_cpu_markup >= 0)
            return m;
    }
    return NULL;
}

/* The same machine: always up, stopped when idle, of a platform. */
static bool add_cpu_kinds(struct choosing *c, struct deploy *d, double weights)
{
    const struct managed *m = managed_by(c, d->provider);
    struct deploy other = *d;
    char why[DEPLOY_REASON];

    deploy_remember(c, d);
    if (!deploy_consider(c, d, why))
        remember_near(c, d->offer, 10 + 1 / (1 + usd_per_hour_double(d->price)), why);
    if (m != NULL) {
        other.kind = DEPLOY_MANAGED;
        other.markup = m->serving_cpu_markup;
        other.setting =
            plan_words(c->w, c->err, "%.*s, %.*s", STR_ARG(m->product), STR_ARG(d->setting));
        (void)deploy_consider(c, &other, why);
    }
    other = *d;
    if (stop_when_idle(c, &other, weights))
        (void)deploy_consider(c, &other, why);
    return c->err->kind == ERROR_NONE;
}

static bool add_cpu_offer(struct choosing *c, const struct machine *o)
{
    const struct cpu_kind *cpu = cpu_find(c->facts->catalog, o->provider, o->instance);
    struct deploy d = deploy_none(DEPLOY_CPU);
    struct cpu_serving s;
    char why[DEPLOY_REASON];
    double merit = 0;

    if (o->on_demand.nano == MONEY_UNKNOWN)
        return true;
    d.provider = o->provider;
    d.region = o->region;
    d.product = o->instance;
    d.vcpus = o->vcpus;
    d.memory_gb = o->memory_gib;
    d.price = o->on_demand;
    if (!machine_name(o->provider, o->region, STR(""), o->instance, c->w->arena, &d.offer,
                      c->err))
        return false;
    if (deploy_barred(c, o->provider, o->region, o->fact.date, why)) {
        remember_near(c, d.offer, 1e-6, why);
        return true;
    }
    deploy_age_price(c, &o->fact, &d);
    if (cpu == NULL) {
        remember_near(c, d.offer, 2e-6, "the speed of its CPU is not known");
        return true;
    }
    if (!choose_cpu_serving(c->job, cpu, o->vcpus, &s, c->err))
        return false;
    if (!deploy_on_cpu(c, &s, o->memory_gib > 0 ? ROOM * o->memory_gib : INFINITY, &d, why,
                       &merit)) {
        remember_near(c, d.offer, merit, why);
        return true;
    }
    d.start_s = deploy_start_s(c, o->provider, cpu_weight_bytes(&s));
    d.setting = plan_words(c->w, c->err, "%s, %.3g vCPU%s", cpu_precision_name(&s), o->vcpus,
                           deploy_plural(o->vcpus));
    return d.setting.at != NULL && add_cpu_kinds(c, &d, cpu_weight_bytes(&s));
}

bool deploy_add_cpus(struct choosing *c)
{
    const struct catalog *catalog = c->facts->catalog;

    for (size_t i = 0; i < catalog->tables[TABLE_CPU_OFFERS].len; i++) {
        const struct machine *o = CATALOG_ROW(catalog, TABLE_CPU_OFFERS, machine, i);

        if (o->fact.current && !add_cpu_offer(c, o))
            return false;
    }
    return c->have[DEPLOY_CPU] || c->nearest_offer.len == 0 ||
           deploy_exclude(c, DEPLOY_CPU, c->nearest_offer, c->nearest_why);
}
