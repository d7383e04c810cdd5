/* What a plan costs on spot: interruptions, by a closed form. */
#include <math.h>

#include "plan/price_internal.h"

#define SECONDS_PER_HOUR 3600.0
#define USUAL_SAVE_S 60.0 /* of a checkpoint whose size is not said */
#define SAVE_BYTES_S 1e9  /* to a disk in the same place */
#define TOGETHER 0.7 /* of the machines of a gang, that are lost at once: seen in few traces */

static double save_seconds(const struct job_checkpoint *c)
{
    if (c->save.ns > 0)
        return span_in_seconds(c->save);
    return c->size.n != UINT64_MAX ? (double)c->size.n / SAVE_BYTES_S : USUAL_SAVE_S;
}

/* Losing one of several machines is losing all; but most are lost together. */
static struct lifetimes lifetimes_of(const struct plan_risk *risk, int64_t machines)
{
    double more = 1 + (1 - TOGETHER) * (double)(machines - 1);
    struct lifetimes life =
        lifetimes_from_hazard(risk->first_hour * more, risk->shape, risk->up);

    for (size_t i = 0; i < AGE_BINS; i++)
        life.lose[i] += risk->gone * more;
    return life;
}

double price_risk(const struct plan_risk *risk, int64_t machines, double hours)
{
    double more = 1 + (1 - TOGETHER) * (double)(machines - 1);

    return -expm1(-more * (risk->first_hour * pow(hours, risk->shape) + risk->gone * hours));
}

struct outlook_ask plan_outlook(const struct plan_problem *p, const struct plan *plan,
                                struct lifetimes *life)
{
    const struct plan_place *place = plan->place;
    const struct job_checkpoint *c = &p->job->train.checkpoint;
    double setup = place->terms->setup_s;
    double restart = c->restart.ns > 0 ? span_in_seconds(c->restart) : 0;
    bool again = str_eq(c->resume, STR("no")); /* a loss begins it anew */
    struct outlook_ask ask = {
        .job = {.work = plan->work_h * SECONDS_PER_HOUR,
                .deadline = p->limits.deadline_h > 0
                                ? (p->limits.deadline_h - plan->start_h) * SECONDS_PER_HOUR
                                : 0,
                .delay = fmax(setup, restart),
                .gang = (int32_t)plan->way.machines,
                .by_second = true,
                .save_takes = save_seconds(c),
                .notice = place->notice_s > 0 ? place->notice_s : 0},
        .spot = usd_per_hour_double(place->price) * plan->multiplier,
        .on_demand = usd_per_hour_double(place->on_demand) * plan->multiplier,
        .life = life,
        .policy = &policy_stint,
        .seed = 1,
    };

    *life = lifetimes_of(&place->risk, plan->way.machines);
    if (again) {
        ask.job.save_every = ask.job.work;
        ask.job.notice = 0;
    }
    if (!(ask.job.deadline > 0) || !(ask.on_demand > 0))
        ask.policy = NULL;
    return ask;
}

/* Where spot alone is done in time, nothing falls back on demand. How often that is weighs
 * between the two closed forms: the exponent was fitted to simulations of 43 plans (Stint's
 * policy, 200 runs each), which the sum is off by 9 % of, root mean square, and none by more
 * than 24 %. */
#define ALONE_WEIGHT 5

static double expected_usd(const struct outlook_ask *ask, double with_fallback)
{
    struct outlook_ask waits = *ask;
    struct outlook_quick alone;
    double weight;

    if (ask->policy == NULL)
        return with_fallback;
    waits.policy = NULL;
    alone = outlook_quick(&waits);
    if (!isfinite(alone.usd))
        return with_fallback;
    weight = pow(alone.on_time, ALONE_WEIGHT);
    return fmin(with_fallback, weight * alone.usd + (1 - weight) * with_fallback);
}

bool price_spot(const struct plan_problem *p, struct plan *plan, usd_per_hour price,
                double sets)
{
    const struct plan_place *place = plan->place;
    static const struct hours_range none;
    struct lifetimes life;
    struct outlook_ask ask;
    struct outlook_quick quick;
    double extra, plain;

    if (isnan(place->risk.first_hour) || place->risk.first_hour < 0)
        return false;
    ask = plan_outlook(p, plan, &life);
    if (ask.policy != NULL && ask.job.work + ask.job.delay > ask.job.deadline)
        return false; /* not even on demand */
    quick = outlook_quick(&ask);
    if (!isfinite(quick.usd) || !(quick.on_time > 0))
        return false;
    plain = usd_per_hour_double(price) * plan->work_h; /* the first start is set-up */
    extra = fmax(0, expected_usd(&ask, quick.usd) - plain) * sets;
    cost_write(&plan->cost, COST_INTERRUPTIONS,
               (struct usd_range){{0}, usd_from(extra), usd_from(2 * extra)}, none);
    plan->busy_h = plan->work_h * (1 + quick.overhead) + ask.job.delay / SECONDS_PER_HOUR;
    plan->hours = plan->busy_h / life.up;
    if (ask.policy != NULL)
        plan->hours = fmin(plan->hours, ask.job.deadline / SECONDS_PER_HOUR);
    plan->risk = price_risk(&place->risk, plan->way.machines, plan->work_h);
    plan->losses = quick.losses * sets;
    plan->save_every_s = quick.save_every;
    plan->overhead = quick.overhead;
    plan->on_time = quick.on_time;
    return true;
}
