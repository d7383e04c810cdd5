/* Machines on spot, with spare ones that serve while one that was taken is replaced. */
#include <math.h>

#include "plan/deploy_internal.h"

#define SHORT_SHARE 0.01 /* of the time; of a target for fewer requests, what it leaves out */

/* The share of the time in which too few may be there: what the latency target leaves out. */
static double short_share_of(const struct job_slo *slo)
{
    if (slo->p99.ns <= 0 && (slo->p95.ns > 0 || slo->first_token.ns > 0))
        return 0.05;
    return SHORT_SHARE;
}

/* Of a machine's time: those lost in an hour, each until another serves. NaN: not known. A
 * machine that is older is lost less often. */
static double away_share(const struct plan_place *place, double start_s)
{
    double lost = 1 - exp(-place->risk.first_hour);

    return lost * start_s / 3600;
}

/* While no machine is to be had on spot, on demand. */
static bool price_spot_deploy(struct choosing *c, const struct plan_place *place,
                              struct deploy *d)
{
    double up = place->risk.up, spot = usd_per_hour_double(place->price);
    double demand = usd_per_hour_double(place->machine->on_demand);

    if (!(up < 1))
        return true;
    if (isnan(demand))
        return false;
    d->price = (usd_per_hour){usd_from(up * spot + (1 - up) * demand).nano};
    d->basis =
        plan_words(c->w, c->err, "%.3g %% of the time on demand: no spot machine is there",
                   100 * (1 - up));
    return d->basis.at != NULL;
}

static struct str spot_condition(struct choosing *c, const struct deploy *d)
{
    double spare = deploy_machines(d, c->rate);
    struct deploy alone = *d;

    alone.away = 0;
    spare -= deploy_machines(&alone, c->rate);
    return plan_words(
        c->w, c->err,
        "if requests that an interruption cuts off are sent again; %.0f machine%s "
        "of them spare",
        spare, deploy_plural(spare));
}

bool deploy_add_spot_gpus(struct choosing *c)
{
    struct plan_problem p = c->w->problem;
    struct search_filter filter = {.markets = 1u << MARKET_SPOT};
    char why[DEPLOY_REASON] = "no spot machine meets the limits";
    struct plan plan;
    struct deploy d;
    bool found;

    p.limits.lifted |= BAR_MARKET;
    if (!search_best(c->w->search, &p, &filter, &plan, &found, c->err))
        return false;
    if (!found)
        return deploy_exclude(c, DEPLOY_SPOT, STR("*"), why);
    if (!deploy_of_plan(c, &plan, DEPLOY_SPOT, &d))
        return c->err->kind == ERROR_NONE;
    d.away = away_share(plan.place, d.start_s);
    d.short_share = short_share_of(&c->job->infer.slo);
    if (isnan(d.away))
        return deploy_exclude(c, DEPLOY_SPOT, d.offer,
                              "how often it is interrupted, or how long it takes to start, is "
                              "not known");
    if (!price_spot_deploy(c, plan.place, &d))
        return c->err->kind == ERROR_NONE &&
               deploy_exclude(c, DEPLOY_SPOT, d.offer, "its on-demand price is not known");
    d.condition = spot_condition(c, &d);
    if (d.condition.at == NULL)
        return false;
    return deploy_consider(c, &d, why) || c->err->kind != ERROR_NONE
               ? c->err->kind == ERROR_NONE
               : deploy_exclude(c, DEPLOY_SPOT, d.offer, why);
}
