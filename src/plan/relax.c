/* What restrictions cost, and the least that must be given up. Each question is another search
 * over what the search has worked out before. */
#include <math.h>
#include <stdlib.h>

#include "plan/relax_internal.h"

/* Is there a place that these bars, and no others, keep out? */
static bool bars_alone(const struct plan_problem *p, unsigned bars)
{
    for (size_t i = 0; i < p->place_count; i++)
        if ((p->places[i].bars & ~p->limits.lifted) == bars &&
            p->places[i].price.nano != MONEY_UNKNOWN)
            return true;
    return false;
}

static unsigned all_bars(const struct plan_problem *p)
{
    unsigned bars = 0;

    for (size_t i = 0; i < p->place_count; i++)
        bars |= p->places[i].bars & ~p->limits.lifted;
    return bars;
}

static bool in_force(const struct plan_problem *p, enum relax_kind kind)
{
    if (kind == RELAX_DEADLINE)
        return p->job->kind == JOB_TRAIN && p->limits.deadline_h > 0;
    if (kind == RELAX_MOST_GPUS)
        return p->limits.most_gpus < RELAX_USUAL_GPUS;
    if (kind == RELAX_LEAST_GPUS)
        return p->limits.least_gpus > 0;
    return !isnan(relax_limit_of(&p->limits, kind));
}

static void find_force(struct relaxer *r)
{
    unsigned bars = all_bars(r->p);

    for (int kind = 0; kind < RELAX_BAR; kind++)
        if (in_force(r->p, (enum relax_kind)kind))
            r->force[r->count++] = (struct relax_step){.kind = (enum relax_kind)kind};
    for (unsigned i = 0; i < BAR_COUNT; i++)
        if ((bars & 1u << i) != 0)
            r->force[r->count++] =
                (struct relax_step){RELAX_BAR, (enum plan_bar)(1u << i), NAN};
}

bool relax_best_within(struct relaxer *r, const struct plan_limits *limits, struct plan *plan,
                       bool *found)
{
    struct plan_problem q = *r->p;

    q.limits = *limits;
    return search_best(r->search, &q, NULL, plan, found, r->err);
}

static int by_score(const void *a, const void *b)
{
    const struct relaxation *x = a, *y = b;

    return plan_better(&x->plan, &y->plan) ? -1 : plan_better(&y->plan, &x->plan);
}

/* Keep the best, in order. */
static void add(struct relax_result *out, const struct relaxation *one)
{
    if (out->len < RELAX_MOST)
        out->at[out->len++] = *one;
    else if (by_score(one, &out->at[RELAX_MOST - 1]) < 0)
        out->at[RELAX_MOST - 1] = *one;
    qsort(out->at, out->len, sizeof *out->at, by_score);
}

/* What a limit that was lifted would have to be; NaN when it is kept as it is. */
static double least_limit(const struct relaxer *r, const struct relax_step *step,
                          const struct plan *plan)
{
    double needed = relax_needed_by(plan, step->kind);

    return needed > relax_limit_of(&r->p->limits, step->kind) ? relax_shown(step, needed) : NAN;
}

static bool worth_of_each(struct relaxer *r, const struct plan *best, struct relax_result *out)
{
    for (size_t i = 0; i < r->count; i++) {
        struct relaxation one = {.steps = {r->force[i]}, .step_count = 1};
        struct relax_step *step = &one.steps[0];
        struct plan_limits limits = relax_lifted(r->p->limits, step);
        bool found;

        if (step->kind == RELAX_BAR && !bars_alone(r->p, (unsigned)step->bar))
            continue;
        if (!relax_best_within(r, &limits, &one.plan, &found))
            return false;
        if (!found || !(one.plan.score < best->score))
            continue;
        step->to = least_limit(r, step, &one.plan);
        one.saves = usd_double(best->total.expected) - usd_double(one.plan.total.expected);
        add(out, &one);
    }
    return true;
}

static bool try_single(struct relaxer *r, size_t i, struct relax_result *out)
{
    struct relaxation one = {.steps = {r->force[i]}, .step_count = 1, .saves = NAN};
    bool found;

    if (one.steps[0].kind == RELAX_BAR && !bars_alone(r->p, (unsigned)one.steps[0].bar))
        return true;
    if (!relax_least_change(r, &r->p->limits, &one.steps[0], &one.plan, &found))
        return false;
    if (found)
        add(out, &one);
    return true;
}

/* Those that mean as much when they are doubled. */
static bool scales(const struct relax_step *step, const struct plan_limits *l)
{
    return (step->kind == RELAX_DEADLINE || step->kind == RELAX_BUDGET ||
            step->kind == RELAX_CARBON) &&
           relax_limit_of(l, step->kind) > 0;
}

/* One is lifted; of the other, as little as will do. */
static bool lift_one(struct relaxer *r, struct relaxation *two, bool *found)
{
    struct plan_limits limits = relax_lifted(r->p->limits, &two->steps[0]);
    enum relax_kind kind = two->steps[0].kind;

    if (!relax_least_change(r, &limits, &two->steps[1], &two->plan, found))
        return false;
    if (*found && kind != RELAX_BAR)
        two->steps[0].to = least_limit(r, &two->steps[0], &two->plan);
    return true;
}

static bool try_pair(struct relaxer *r, size_t i, size_t k, struct relax_result *out)
{
    struct relaxation two = {
        .steps = {r->force[k], r->force[i]}, .step_count = 2, .saves = NAN};
    const struct relax_step *a = &two.steps[0], *b = &two.steps[1];
    unsigned bars = (a->kind == RELAX_BAR ? (unsigned)a->bar : 0) |
                    (b->kind == RELAX_BAR ? (unsigned)b->bar : 0);
    bool found;

    if (bars != 0 && !bars_alone(r->p, bars))
        return true;
    if (scales(a, &r->p->limits) && scales(b, &r->p->limits)
            ? !relax_scale_both(r, &two, &found)
            : !lift_one(r, &two, &found))
        return false;
    if (found)
        add(out, &two);
    return true;
}

static bool lift_all(struct relaxer *r, struct relax_result *out)
{
    struct plan_limits limits = r->p->limits;

    for (size_t i = 0; i < r->count; i++)
        relax_set(&limits, &r->force[i], INFINITY);
    return relax_best_within(r, &limits, &out->free, &out->anywhere);
}

static bool try_all(struct relaxer *r, struct relax_result *out)
{
    if (!lift_all(r, out))
        return false;
    if (!out->anywhere && r->p->limits.most_gpus >= RELAX_USUAL_GPUS) {
        r->force[r->count++] = (struct relax_step){.kind = RELAX_MOST_GPUS};
        if (!lift_all(r, out))
            return false;
    }
    for (size_t i = 0; i < r->count && out->anywhere; i++)
        if (!try_single(r, i, out))
            return false;
    if (!out->anywhere || out->len > 0)
        return true;
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = i + 1; k < r->count; k++)
            if (!try_pair(r, i, k, out))
                return false;
    return true;
}

bool plan_relax(struct search *s, const struct plan_problem *p, const struct plan *best,
                struct relax_result *out, struct error *err)
{
    struct relaxer r = {.search = s, .p = p, .err = err};

    out->len = 0;
    out->anywhere = best != NULL;
    find_force(&r);
    return best != NULL ? worth_of_each(&r, best, out) : try_all(&r, out);
}
