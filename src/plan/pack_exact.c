/* The best packing of few jobs. When nothing waits, what a session costs depends on its jobs
 * alone: a table over all subsets tells what any remaining jobs cost at least. Packings whose
 * least is below the best so far are put in time, one after the other. */
#include <math.h>

#include "plan/pack_internal.h"

struct exact {
    struct pack_problem *p;
    struct pack_orders *orders;
    double *usd;  /* [subset * sets + set]: of one session; INFINITY: it cannot be */
    double *rest; /* [subset]: of these jobs in any sessions, at least */
    struct packing at, *best;
    struct pack_times times, *best_times;
    bool found, alone;
    double unproven; /* the least of packings whose least was not reached */
};

/* Could these jobs run there one after the other, all in time, if nothing else held them up? */
static bool in_time(const struct pack_problem *p, size_t subset, size_t set, double setup)
{
    double at = setup;

    while (subset != 0) { /* the one that must be done first goes first: no order is better */
        size_t next = PACK_NONE;

        for (size_t j = 0; j < p->job_count; j++)
            if ((subset >> j & 1) != 0 && (next == PACK_NONE || p->latest[j] < p->latest[next]))
                next = j;
        at += pack_way_of(p, next, set)->hours;
        if (at > p->latest[next] + PACK_SAME)
            return false;
        subset &= ~((size_t)1 << next);
    }
    return true;
}

static double subset_usd(const struct exact *e, size_t subset, size_t set)
{
    const struct pack_problem *p = e->p;
    struct pack_session s = {0};

    if (e->alone && (subset & (subset - 1)) != 0)
        return INFINITY;
    for (size_t j = 0; j < p->job_count; j++)
        if ((subset >> j & 1) != 0 && !session_add(p, &s, set, j))
            return INFINITY;
    return in_time(p, subset, set, s.setup) ? session_usd(&s, s.setup + s.work) : INFINITY;
}

static bool fill_tables(struct exact *e, struct error *err)
{
    struct pack_problem *p = e->p;
    size_t subsets = (size_t)1 << p->job_count;
    double *least = arena_array(p->arena, double, subsets, err);

    e->usd = arena_array(p->arena, double, subsets * p->set_count, err);
    e->rest = arena_array(p->arena, double, subsets, err);
    if (least == NULL || e->usd == NULL || e->rest == NULL)
        return false;
    for (size_t subset = 1; subset < subsets; subset++) {
        size_t low = subset & (~subset + 1);

        least[subset] = INFINITY;
        for (size_t g = 0; g < p->set_count; g++) {
            e->usd[subset * p->set_count + g] = subset_usd(e, subset, g);
            least[subset] = fmin(least[subset], e->usd[subset * p->set_count + g]);
        }
        /* The lowest job's session is any subset that has it. */
        e->rest[subset] = INFINITY;
        for (size_t part = subset; part != 0; part = (part - 1) & subset)
            if ((part & low) != 0)
                e->rest[subset] = fmin(e->rest[subset], least[part] + e->rest[subset ^ part]);
    }
    return true;
}

/* A whole packing that costs at least so much. */
static void try_packing(struct exact *e, double at_least)
{
    double least;

    if (pack_order_all(e->p, e->orders, &e->at, at_least, &e->times, &least) &&
        (!e->found || e->times.usd < e->best_times->usd - PACK_SAME)) {
        packing_copy(e->p, &e->at, e->best);
        times_copy(e->p, &e->times, e->best_times);
        e->found = true;
    }
    e->unproven = fmin(e->unproven, least);
}

static void search(struct exact *e, size_t left, double spent)
{
    struct pack_problem *p = e->p;
    size_t low = left & (~left + 1), session = e->at.sessions;

    if (p->steps == 0) {
        e->unproven = fmin(e->unproven, spent + e->rest[left]);
        return;
    }
    if (left == 0) {
        try_packing(e, spent);
        return;
    }
    p->steps--;
    e->at.sessions++;
    for (size_t part = left; part != 0; part = (part - 1) & left) {
        if ((part & low) == 0)
            continue;
        for (size_t j = 0; j < p->job_count; j++)
            if ((part >> j & 1) != 0)
                e->at.session_of[j] = session;
        for (size_t g = 0; g < p->set_count; g++) {
            double cost = spent + e->usd[part * p->set_count + g];

            if (cost + e->rest[left ^ part] >=
                (e->found ? e->best_times->usd - PACK_SAME : INFINITY))
                continue;
            e->at.set_of[session] = g;
            search(e, left ^ part, cost);
            if (p->steps == 0)
                e->unproven = fmin(e->unproven, spent + e->rest[left]);
        }
    }
    e->at.sessions--;
}

/* The packing that would cost least if nothing waited: mostly it is the best. */
static void try_cheapest(struct exact *e)
{
    struct pack_problem *p = e->p;
    size_t left = ((size_t)1 << p->job_count) - 1;
    double least = e->rest[left];

    e->at.sessions = 0;
    while (left != 0) {
        size_t low = left & (~left + 1), taken = 0;

        for (size_t part = left; part != 0 && taken == 0; part = (part - 1) & left) {
            for (size_t g = 0; g < p->set_count && (part & low) != 0 && taken == 0; g++) {
                if (e->usd[part * p->set_count + g] + e->rest[left ^ part] >
                    e->rest[left] + PACK_SAME)
                    continue;
                taken = part;
                e->at.set_of[e->at.sessions] = g;
            }
        }
        for (size_t j = 0; j < p->job_count; j++)
            if ((taken >> j & 1) != 0)
                e->at.session_of[j] = e->at.sessions;
        e->at.sessions++;
        left ^= taken;
    }
    try_packing(e, least);
    e->at.sessions = 0;
}

bool pack_exact(struct pack_problem *p, bool alone, struct packing *best,
                struct pack_times *times, bool *found, bool *exact, struct error *err)
{
    struct exact e = {
        .p = p, .alone = alone, .best = best, .best_times = times, .unproven = INFINITY};
    size_t all = ((size_t)1 << p->job_count) - 1;

    e.orders = pack_orders_new(p, err);
    e.times.start = arena_array(p->arena, double, p->job_count, err);
    if (e.orders == NULL || e.times.start == NULL || !packing_new(p, &e.at, err) ||
        !fill_tables(&e, err))
        return false;
    e.found = *found; /* what is in `best` already is what is to be beaten */
    *exact = true;
    if (!(e.rest[all] < INFINITY))
        return true;
    if (!e.found || e.rest[all] < times->usd - PACK_SAME)
        try_cheapest(&e);
    if (!e.found || e.rest[all] < times->usd - PACK_SAME)
        search(&e, all, 0);
    *found = e.found;
    *exact = e.found ? times->usd <= fmax(e.unproven, e.rest[all]) + PACK_SAME
                     : !(e.unproven < INFINITY);
    return true;
}
