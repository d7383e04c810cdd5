#include "spot/mix.h"

#include <math.h>

#include "spot/hazard.h"

#define HOUR 3600.0
#define TRIES 4 /* offers simulated: the closed form is good enough to leave out the others */

/* Begun anew until a machine lasts for all of it: each try costs as much of a life as falls
 * into the job's time. */
static double cost_of_tries(const struct mix_job *job, const struct mix_terms *terms,
                            const struct mix_offer *offer)
{
    struct hazard h = hazard_of(offer->life->lose);
    double hours = (job->work + terms->delay) / HOUR, lasts = hazard_survive(&h, hours);

    return lasts > 1e-6 ? offer->spot * job->gang * hazard_mean(&h, hours) / lasts : INFINITY;
}

static struct outlook_ask question(const struct mix_job *job, const struct mix_terms *terms,
                                   const struct mix_offer *offer)
{
    return (struct outlook_ask){
        .job = {.work = job->work,
                .deadline = job->deadline,
                .delay = terms->delay,
                .gang = job->gang,
                .by_second = true,
                .save_takes = terms->save_takes,
                .notice = terms->notice},
        .spot = offer->spot,
        /* Without a deadline it is only compared with. */
        .on_demand = isnan(offer->on_demand) ? offer->spot + 1 : offer->on_demand,
        .life = offer->life,
        .policy = terms->policy,
        .seed = terms->seed,
        .runs = terms->runs,
    };
}

/* Those that the closed form finds cheapest, cheapest first. */
struct ranked {
    size_t at[TRIES];
    double usd[TRIES];
    size_t len;
};

static void rank(const struct mix_job *job, const struct mix_terms *terms,
                 const struct mix_offer *offers, size_t count, struct ranked *out)
{
    out->len = 0;
    for (size_t i = 0; i < count; i++) {
        struct outlook_ask ask = question(job, terms, &offers[i]);
        size_t at = out->len;
        double usd;

        if (job->deadline > 0 && isnan(offers[i].on_demand))
            continue;
        usd = job->once ? cost_of_tries(job, terms, &offers[i]) : outlook_quick(&ask).usd;
        for (; at > 0 && !(out->usd[at - 1] <= usd); at--)
            if (at < TRIES) {
                out->at[at] = out->at[at - 1];
                out->usd[at] = out->usd[at - 1];
            }
        if (at == TRIES)
            continue;
        out->at[at] = i;
        out->usd[at] = usd;
        if (out->len < TRIES)
            out->len++;
    }
}

static bool on_demand(struct mix_choice *out, enum mix_reason reason, struct error *err)
{
    if (isnan(out->on_demand_usd)) {
        error_set(err, ERROR_UNFIT, "it needs on-demand, and no such machine passes");
        error_hint(err, "raise --max-price, or leave out another filter");
        return false;
    }
    out->spot = false;
    out->reason = reason;
    out->usd = out->on_demand_usd;
    out->usd_p90 = NAN;
    return true;
}

static void on_spot(struct mix_choice *out, size_t offer, double usd, double p90)
{
    out->spot = true;
    out->reason = isnan(out->on_demand_usd) ? MIX_ONLY : MIX_CHEAPER;
    out->offer = offer;
    out->usd = usd;
    out->usd_p90 = p90;
}

/* Nothing bounds the time of a job that begins anew: with a deadline it cannot be promised. */
static bool choose_once(const struct mix_job *job, const struct ranked *best,
                        struct mix_choice *out, struct error *err)
{
    out->spot_usd = best->len > 0 ? best->usd[0] : INFINITY;
    if (job->deadline > 0)
        return on_demand(out, MIX_TIGHT, err);
    if (best->len == 0 || isinf(out->spot_usd) || out->spot_usd >= out->on_demand_usd)
        return on_demand(out, MIX_DEARER, err);
    on_spot(out, best->at[0], out->spot_usd, NAN);
    return true;
}

/* Simulate the best: of those that are surely cheaper than on-demand, the cheapest. */
static bool choose_best(const struct mix_job *job, const struct mix_terms *terms,
                        const struct mix_offer *offers, const struct ranked *best,
                        struct arena *scratch, struct mix_choice *out, struct error *err)
{
    double limit = isnan(out->on_demand_usd) ? (double)INFINITY : out->on_demand_usd;
    double least = INFINITY;

    for (size_t i = 0; i < best->len; i++) {
        struct outlook_ask ask = question(job, terms, &offers[best->at[i]]);
        struct outlook o;

        if (!outlook_run(&ask, scratch, &o, err)) {
            if (err->kind != ERROR_UNFIT)
                return false;
            *err = (struct error){0}; /* saving does not fit, but without it on-demand does */
            continue;
        }
        out->spot_usd = fmin(out->spot_usd, o.usd);
        if (o.usd < least && outlook_beats(&o, limit)) {
            least = o.usd;
            on_spot(out, best->at[i], o.usd, o.usd_p90);
        }
    }
    if (isfinite(least))
        return true;
    if (isnan(out->spot_usd))
        return on_demand(out, MIX_TIGHT, err);
    return on_demand(out, out->spot_usd < limit ? MIX_UNSURE : MIX_DEARER, err);
}

bool mix_choose(const struct mix_job *job, const struct mix_terms *terms,
                const struct mix_offer *offers, size_t count, struct arena *scratch,
                struct mix_choice *out, struct error *err)
{
    double seconds = job->work + terms->delay;
    struct ranked best;

    *out = (struct mix_choice){.usd_p90 = NAN, .spot_usd = NAN};
    out->on_demand_usd = terms->on_demand * job->gang * seconds / HOUR;
    if (job->deadline > 0 && job->deadline < seconds) {
        error_set(err, ERROR_UNFIT, "not even on-demand makes a deadline of %.4g h",
                  job->deadline / HOUR);
        error_hint(err, "the earliest that can be promised is %.4g h", seconds / HOUR);
        return false;
    }
    if (job->critical)
        return on_demand(out, MIX_CRITICAL, err);
    rank(job, terms, offers, count, &best);
    if (job->once)
        return choose_once(job, &best, out, err);
    return choose_best(job, terms, offers, &best, scratch, out, err);
}
