/* The least change of a limit that gives a plan. */
#include <math.h>

#include "plan/relax_internal.h"

#define NEAR 0.005 /* how near to the least change is near enough, as a share */
#define GROWS 1.25 /* a limit that a plan with another aim keeps, and none with this one */
#define MOST_GROWS 16
#define MOST_HALVINGS 40

/* The aim that makes a limit's number least. Nothing aims at risk or GPUs. */
static struct plan_aim aim_at(const struct plan_aim *aim, enum relax_kind kind)
{
    struct plan_aim a = {.cost_unit = 1, .time_unit = 1, .carbon_unit = 1};

    if (kind == RELAX_DEADLINE)
        a.time = 1;
    else if (kind == RELAX_BUDGET)
        a.cost = 1;
    else if (kind == RELAX_CARBON)
        a.carbon = 1;
    else
        return *aim;
    return a;
}

/* One limit, or two that grow together, by one number that is looked for. */
struct dial {
    const struct relax_step *steps[2];
    size_t count;
    double old[2]; /* of two: what the number multiplies */
    struct plan_limits limits;
    bool exact; /* what another aim finds without the limit is the least */
};

static double dial_of(const struct dial *d, const struct plan *plan)
{
    if (d->count == 1)
        return relax_needed_by(plan, d->steps[0]->kind);
    return fmax(relax_needed_by(plan, d->steps[0]->kind) / d->old[0],
                relax_needed_by(plan, d->steps[1]->kind) / d->old[1]);
}

static void turn(struct dial *d, double to)
{
    if (d->count == 1)
        relax_set(&d->limits, d->steps[0], to);
    else
        for (size_t i = 0; i < 2; i++)
            relax_set(&d->limits, d->steps[i], to * d->old[i]);
}

/* On spot, and where the start is chosen, the deadline itself decides on time and money: a plan
 * that ends before it need not be there when the deadline is earlier. */
static bool stays(const struct relaxer *r, const struct dial *d, const struct plan *plan)
{
    bool timed = d->steps[0]->kind == RELAX_DEADLINE ||
                 (d->count == 2 && d->steps[1]->kind == RELAX_DEADLINE);

    return !timed || (plan->place->market != PLAN_SPOT && !(r->p->limits.within_h > 0));
}

/* Is there a plan at this number? If so, it may do with an even smaller one. */
static bool try_dial(struct relaxer *r, struct dial *d, double *to, struct plan *plan,
                     bool *found)
{
    struct plan trial;

    turn(d, *to);
    if (!relax_best_within(r, &d->limits, &trial, found))
        return false;
    if (*found) {
        *plan = trial;
        if (stays(r, d, plan))
            *to = fmin(*to, dial_of(d, plan));
    }
    return true;
}

static bool counts_gpus(const struct dial *d)
{
    enum relax_kind kind = d->steps[0]->kind;

    return d->count == 1 && (kind == RELAX_MOST_GPUS || kind == RELAX_LEAST_GPUS);
}

/* The largest number that is less by as much as matters. */
static double just_below(const struct dial *d, double to)
{
    if (counts_gpus(d))
        return to - 1;
    if (d->count == 1 && d->steps[0]->kind == RELAX_BUDGET)
        return to - RELAX_CENT;
    if (d->count == 1 && d->steps[0]->kind == RELAX_RISK)
        return to - NEAR;
    return to * (1 - NEAR);
}

/* Between a number without a plan and one with. */
static double between(const struct dial *d, double low, double high)
{
    if (counts_gpus(d))
        return floor((low + high) / 2);
    return low > 0 && high > 2 * low ? sqrt(low * high) : (low + high) / 2;
}

/* From `*to`, where another aim or no limit has a plan, down to the least number with one;
 * `low` has none. Start and price may depend on limit and aim (within, spot), so that what was
 * found without the limit need not be the least. */
static bool least_dial(struct relaxer *r, struct dial *d, double low, double *to,
                       struct plan *plan, bool *found)
{
    double first = *to, high = first, next;
    bool there = false;

    for (int i = 0; i < MOST_GROWS && !there; i++) {
        if (!try_dial(r, d, &high, plan, &there))
            return false;
        if (!there) {
            low = fmax(low, high);
            high += (GROWS - 1) * fabs(high) + RELAX_CENT;
        }
    }
    *found = there;
    *to = high;
    if (!there || (d->exact && high <= first))
        return true;
    next = just_below(d, high);
    for (int i = 0; i < MOST_HALVINGS && next > low; i++) {
        double trial = next;

        if (!try_dial(r, d, &trial, plan, &there))
            return false;
        if (there)
            high = trial;
        else
            low = next;
        next = fmin(between(d, low, high), just_below(d, high));
    }
    *to = high;
    return true;
}

static bool spot_passes(const struct plan_problem *p, const struct plan_limits *l)
{
    for (size_t i = 0; i < p->place_count; i++)
        if (p->places[i].market == PLAN_SPOT && (p->places[i].bars & ~l->lifted) == 0)
            return true;
    return false;
}

static bool is_exact(const struct relaxer *r, enum relax_kind kind,
                     const struct plan_limits *limits)
{
    if (limits->within_h > 0)
        return false;
    if (kind == RELAX_BUDGET) /* as long as the same settings are looked at */
        return !(r->p->aim.carbon > 0) || !isnan(limits->max_carbon_kg);
    return kind == RELAX_CARBON || (kind == RELAX_DEADLINE && !spot_passes(r->p, limits));
}

/* The least change of one limit, when the others are `limits`. */
bool relax_least_change(struct relaxer *r, const struct plan_limits *limits,
                        struct relax_step *step, struct plan *plan, bool *found)
{
    struct dial d = {.steps = {step}, .count = 1, .limits = *limits};
    struct plan_problem q = *r->p;
    double to;

    d.exact = is_exact(r, step->kind, limits);
    q.limits = relax_lifted(*limits, step);
    q.aim = aim_at(&q.aim, step->kind);
    if (!search_best(r->search, &q, NULL, plan, found, r->err))
        return false;
    if (!*found || step->kind == RELAX_BAR)
        return true;
    to = relax_needed_by(plan, step->kind);
    if (!least_dial(r, &d, relax_limit_of(limits, step->kind), &to, plan, found))
        return false;
    step->to = relax_shown(step, to);
    return true;
}

bool relax_scale_both(struct relaxer *r, struct relaxation *two, bool *found)
{
    const struct plan_limits *now = &r->p->limits;
    struct dial d = {.steps = {&two->steps[0], &two->steps[1]}, .count = 2, .limits = *now};
    struct plan_limits free = relax_lifted(relax_lifted(*now, d.steps[0]), d.steps[1]);
    double to;

    for (size_t i = 0; i < 2; i++)
        d.old[i] = relax_limit_of(now, d.steps[i]->kind);
    if (!relax_best_within(r, &free, &two->plan, found))
        return false;
    if (!*found)
        return true;
    to = dial_of(&d, &two->plan);
    if (!least_dial(r, &d, 1, &to, &two->plan, found))
        return false;
    for (size_t i = 0; i < 2; i++) {
        two->steps[i].to = to * d.old[i];
        if (*found && stays(r, &d, &two->plan)) /* one of them may need less */
            two->steps[i].to = fmax(d.old[i], relax_needed_by(&two->plan, d.steps[i]->kind));
    }
    return true;
}
