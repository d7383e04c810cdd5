#include "plan/deploy_choices.h"
#include "base/num.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "catalog/allowed.h"
#include "catalog/price_age.h"
#include "plan/deploy_internal.h"

#define USUAL_P95_S 60.0 /* where nothing is promised: gateways and people wait no longer */

bool plan_has_deployments(const struct planning *w)
{
    return w->job->kind == JOB_INFER && w->job->infer.rate > 0 && w->job->arch_known &&
           w->request->platform.len == 0 && !(w->problem.aim.carbon > 0);
}

/* ---- why not ---- */

void deploy_why(char why[static DEPLOY_REASON], const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(why, DEPLOY_REASON, fmt, args);
    va_end(args);
}

void deploy_why_memory(char why[static DEPLOY_REASON], double need, const char *of, double has)
{
    deploy_why(why, "needs %s %s, has at most %s", num_about(need).text, of,
               num_about(has).text);
}

void deploy_time_words(double seconds, char out[static 32])
{
    if (seconds < 1)
        (void)snprintf(out, 32, "%.26s ms", num_about(seconds * 1000).text);
    else if (seconds < 120)
        (void)snprintf(out, 32, "%.3g s", seconds);
    else
        (void)snprintf(out, 32, "%.26s min", num_about(seconds / 60).text);
}

void deploy_dollar_words(const struct choosing *c, double dollars, char out[static 32])
{
    struct buf text = buf_new(c->w->arena->alloc, 32);

    usd_write_estimate(usd_about(dollars), &text);
    (void)snprintf(out, 32, "%.*s", (int)text.len, text.at != NULL ? text.at : "");
    buf_free(&text);
}

const char *deploy_plural(double n)
{
    return n > 0.9999 && n < 1.0001 ? "" : "s";
}

bool deploy_exclude(struct choosing *c, enum deployment kind, struct str offer, const char *why)
{
    struct plan_excluded *e;

    if (c->quiet || c->excluded_count == c->excluded_room)
        return true;
    e = &c->excluded[c->excluded_count];
    e->deployment = str_from(deployment_names[kind]);
    e->offer = offer;
    c->excluded_count++;
    return str_keep(str_from(why), c->w->arena, &e->reason, c->err);
}

bool deploy_only_gpus(const struct choosing *c)
{
    return allowed_names_any(c->w->request->gpus) || allowed_names_any(c->job->limits.gpus) ||
           c->w->problem.limits.least_gpus > 0;
}

static struct str deploy_market(const struct choosing *c)
{
    return c->w->request->market.len > 0 ? c->w->request->market : c->job->limits.market;
}

bool deploy_provider_barred(const struct choosing *c, struct str provider,
                            char why[static DEPLOY_REASON])
{
    const struct plan_request *r = c->w->request;
    const struct job_limits *limits = &c->job->limits;
    const struct provider *row = provider_find(c->facts->catalog, provider);
    double wanted = isnan(r->min_reliability) ? limits->min_reliability : r->min_reliability;
    struct str market = deploy_market(c);

    why[0] = '\0';
    if (!allowed_passes(&(struct allowed){r->providers, limits->providers}, provider))
        deploy_why(why, "its provider is not among those allowed");
    else if (r->providers.len == 0 && !strs_match(c->facts->accounts, provider))
        deploy_why(why, "you have no account with %.*s", STR_ARG(provider));
    else if (wanted > 0 && !(row != NULL && row->reliability >= wanted))
        deploy_why(why, "its reliability is below %.4g %%, or not known", 100 * wanted);
    else if (str_eq(market, STR("spot")) || str_eq(market, STR("reserved")))
        deploy_why(why, "only its on-demand price is considered");
    else if (!isnan(c->w->problem.limits.max_carbon_kg))
        deploy_why(why, "its carbon is not known");
    return why[0] != '\0';
}

bool deploy_barred(const struct choosing *c, struct str provider, struct str region, day date,
                   char why[static DEPLOY_REASON])
{
    const struct plan_request *r = c->w->request;
    int64_t age = day_of(c->w->now).n - date.n;

    if (deploy_provider_barred(c, provider, why))
        return true;
    if (!allowed_passes(&(struct allowed){r->regions, c->job->limits.regions}, region))
        deploy_why(why, "its region is not among those allowed");
    else if (r->max_age.ns >= 0 && span_in_hours(r->max_age) < 24 * (double)age)
        deploy_why(why, "its price is %lld days old", (long long)age);
    return why[0] != '\0';
}

/* ---- the cheapest of each kind ---- */

static bool is_better_deploy(const struct choosing *c, const struct deploy *d,
                             const struct deploy_cost *cost)
{
    const struct plan_aim *aim = &c->w->problem.aim;
    const struct deploy *old = &c->at[d->kind];
    double mine = cost->usd * (1 + d->premium);
    double other = c->cost[d->kind].usd * (1 + old->premium);

    if (!c->have[d->kind])
        return true;
    if (aim->time > 0 && !(aim->cost > 0)) {
        mine = deploy_p95(d, cost);
        other = deploy_p95(old, &c->cost[d->kind]);
    }
    if (mine < other * (1 - 1e-9))
        return true;
    return mine <= other * (1 + 1e-9) && str_cmp(d->offer, old->offer) < 0;
}

bool deploy_consider(struct choosing *c, const struct deploy *d, char why[static DEPLOY_REASON])
{
    double budget = usd_double(c->w->problem.limits.budget), late;
    struct deploy_cost cost;
    char seconds[32];

    why[0] = '\0';
    if (!deploy_month(d, &c->demand, c->rate, &cost)) {
        deploy_why(why, "its price is not known");
        return false;
    }
    if (!deploy_holds(d, &cost)) {
        if (cost.machines > d->most_machines)
            deploy_why(why, "it needs %.0f machines, %.0f are assumed to be available",
                       cost.machines, d->most_machines);
        else
            deploy_why(why, "it needs %.0f instances at once, at most %.0f are allowed",
                       ceil(cost.instances), d->terms->instances_high);
        return false;
    }
    if (!deploy_keeps(d, &cost, &c->job->infer.slo)) {
        late = d->cold_s + d->service_s;
        deploy_time_words(late, seconds);
        deploy_why(why, "%.3g %% of requests would wait for a cold start, and take %s",
                   100 * cost.delayed, seconds);
        return false;
    }
    if (cost.usd > budget) {
        deploy_dollar_words(c, cost.usd, seconds);
        deploy_why(why, "costs %s a month, over the budget", seconds);
        return false;
    }
    if (d->premium > 0 && d->condition.len == 0 && cost.usd < c->worth_checking_usd) {
        c->worth_checking = *d;
        c->worth_checking_usd = cost.usd;
    }
    if (is_better_deploy(c, d, &cost)) {
        c->have[d->kind] = true;
        c->at[d->kind] = *d;
        c->cost[d->kind] = cost;
    }
    return true;
}

/* Too old to be the best: not the user's own, nor any where the user says how old prices may
 * be. */
static bool is_too_old(const struct choosing *c, const struct fact *fact, struct str provider)
{
    return fact->layer == 0 && c->w->request->max_age.ns < 0 &&
           price_too_old(provider_find(c->facts->catalog, provider),
                         day_of(c->w->now).n - fact->date.n);
}

/* What is paid by use, and what by tokens: price lists of their own. */
static void count_list_ages(struct choosing *c)
{
    const struct catalog *catalog = c->facts->catalog;
    char why[DEPLOY_REASON];

    for (size_t i = 0; i < catalog->tables[TABLE_SERVERLESS].len; i++) {
        const struct serverless *row = CATALOG_ROW(catalog, TABLE_SERVERLESS, serverless, i);
        struct price_trust trust = {.old = is_too_old(c, &row->fact, row->provider)};

        if (!deploy_barred(c, row->provider, row->region, row->fact.date, why))
            price_ages_see(&c->product_ages, &trust);
    }
    for (size_t i = 0; i < catalog->tables[TABLE_TOKEN_PRICES].len; i++) {
        const struct token_price *row =
            CATALOG_ROW(catalog, TABLE_TOKEN_PRICES, token_price, i);
        struct price_trust trust = {.old = is_too_old(c, &row->fact, row->provider)};

        price_ages_see(&c->token_ages, &trust);
    }
}

const struct price_ages *deploy_ages_of(const struct choosing *c, enum deployment kind)
{
    return kind == DEPLOY_API                                           ? &c->token_ages
           : kind == DEPLOY_SERVERLESS || kind == DEPLOY_SERVERLESS_GPU ? &c->product_ages
                                                                        : &c->w->ages;
}

void deploy_age_price(const struct choosing *c, const struct fact *fact, struct deploy *d)
{
    struct price_trust trust = {.old = is_too_old(c, fact, d->provider)};

    d->date = fact->date;
    d->source = fact->source;
    d->price_width = drift_width(drift_find(c->drift, d->provider, d->accelerator, false),
                                 day_of(c->w->now).n - fact->date.n);
    price_trust_rank(&trust, deploy_ages_of(c, d->kind));
    d->premium = trust.premium;
    d->old = trust.old;
}

void deploy_remember(struct choosing *c, const struct deploy *d)
{
    if (c->other_count < c->other_room)
        c->others[c->other_count++] = *d;
}

/* Where nothing is promised, minutes are too long all the same, unless machines with GPUs take
 * them. */
static bool assume_target(struct planning *w, struct job_slo *slo, struct error *err)
{
    if (slo->p50.ns > 0 || slo->p95.ns > 0 || slo->p99.ns > 0 || slo->first_token.ns > 0)
        return true;
    slo->p95 = span_hours(USUAL_P95_S / 3600);
    return plan_note(w, err,
                     "deployments without a GPU machine that answer in more than 1 min (p95) "
                     "are left out; --p95 TIME sets a target");
}

bool plan_deployments(struct planning *w, const struct deploy_facts *facts,
                      const struct plan *best, struct plan_result *res, struct error *err)
{
    struct job job = *w->job;
    double hours = job.infer.hours_per_day;
    struct choosing c = {.w = w,
                         .facts = facts,
                         .job = &job,
                         .rate = job.infer.rate,
                         .hours_per_day = hours > 0 && hours < 24 ? hours : 24,
                         .excluded_room = facts->catalog->tables[TABLE_SERVERLESS].len +
                                          facts->catalog->tables[TABLE_MANAGED].len +
                                          (size_t)2 * DEPLOYMENTS,
                         .worth_checking_usd = INFINITY,
                         .err = err};
    struct drift *drift = arena_array(w->arena, struct drift, 1, err);
    bool cpus = !deploy_only_gpus(&c);

    if (drift == NULL)
        return false;
    drift_read(facts->catalog, drift);
    c.drift = drift;
    count_list_ages(&c);
    c.demand = (struct deploy_demand){&job.infer.slo, c.hours_per_day, facts->traffic};
    c.other_room = facts->catalog->tables[TABLE_CPU_OFFERS].len +
                   facts->catalog->tables[TABLE_SERVERLESS].len + DEPLOY_OTHER_GPUS +
                   DEPLOY_RATES * DEPLOY_GPUS_MOST * DEPLOY_PLACES;
    c.others = arena_array(w->arena, struct deploy, c.other_room, err);
    c.excluded = arena_array(w->arena, struct plan_excluded, c.excluded_room, err);
    c.probed = arena_array(w->arena, struct probed_copy, DEPLOY_PROBED, err);
    if (c.probed == NULL || c.others == NULL || c.excluded == NULL ||
        !assume_target(w, &job.infer.slo, err) || !deploy_add_gpu(&c, best) ||
        (best != NULL && !deploy_add_gpus_of_rates(&c)) ||
        !(cpus ? deploy_add_cpus(&c)
               : deploy_exclude(&c, DEPLOY_CPU, STR("*"), "only GPUs are allowed")) ||
        !deploy_add_products(&c, true) || !deploy_add_managed_gpus(&c) ||
        !deploy_add_stopped_gpus(&c, best) || !deploy_add_api(&c) || !deploy_add_measured(&c) ||
        (facts->wide &&
         (!deploy_add_spot_gpus(&c) || !deploy_add_shared_gpus(&c) || !deploy_add_edge(&c))))
        return false;
    return deploy_fill_record(&c, res);
}
