/* A good packing of many jobs: from each job alone, and from everything on one set of machines,
 * improved by single changes until none helps. A change is put in time only when it would be
 * cheaper if nothing waited. */
#include <math.h>

#include "plan/pack_internal.h"

#define STARTS 4 /* sets of machines that are tried for everything */
#define EVALUATIONS 20000

struct local {
    struct pack_problem *p;
    struct pack_orders *orders;
    struct pack_session *sessions; /* of the packing at hand, when nothing waits */
    struct packing trial;
    struct pack_times times;
    struct pack_found now;
    size_t evaluations;
};

/* The packing's cost when nothing waits; INFINITY when it cannot be. Sessions without jobs are
 * taken out. */
static double plain_usd(struct local *l, struct packing *k)
{
    struct pack_problem *p = l->p;
    double sum = 0;
    size_t kept = 0;

    for (size_t s = 0; s < k->sessions; s++)
        l->sessions[s] = (struct pack_session){0};
    for (size_t j = 0; j < p->job_count; j++) {
        size_t s = k->session_of[j];

        if (!session_add(p, &l->sessions[s], k->set_of[s], j))
            return INFINITY;
    }
    for (size_t s = 0; s < k->sessions; s++) {
        if (l->sessions[s].jobs == 0)
            continue;
        sum += session_usd(&l->sessions[s], l->sessions[s].setup + l->sessions[s].work);
        for (size_t j = 0; j < p->job_count && s != kept; j++)
            if (k->session_of[j] == s)
                k->session_of[j] = kept;
        k->set_of[kept++] = k->set_of[s];
    }
    k->sessions = kept;
    return sum;
}

/* Take the trial if it is cheaper than what is at hand. */
static bool take(struct local *l)
{
    double plain = plain_usd(l, &l->trial);

    if (!(plain < INFINITY) || (l->now.found && plain >= l->now.times.usd - PACK_SAME) ||
        l->evaluations == 0)
        return false;
    l->evaluations--;
    if (!pack_order_quick(l->p, l->orders, &l->trial, &l->times) ||
        (l->now.found && l->times.usd >= l->now.times.usd - PACK_SAME))
        return false;
    packing_copy(l->p, &l->trial, &l->now.packing);
    times_copy(l->p, &l->times, &l->now.times);
    l->now.found = true;
    return true;
}

/* Move one job to another session, or to one of its own. */
static bool move_jobs(struct local *l)
{
    struct pack_problem *p = l->p;
    bool better = false;

    for (size_t j = 0; j < p->job_count; j++) {
        for (size_t s = 0; s < l->now.packing.sessions; s++) {
            if (s == l->now.packing.session_of[j] ||
                p->way_of[j * p->set_count + l->now.packing.set_of[s]] == PACK_NONE)
                continue;
            packing_copy(p, &l->now.packing, &l->trial);
            l->trial.session_of[j] = s;
            better |= take(l);
        }
        for (size_t g = 0; g < p->set_count; g++) {
            if (p->way_of[j * p->set_count + g] == PACK_NONE ||
                l->now.packing.sessions >= p->job_count)
                continue;
            packing_copy(p, &l->now.packing, &l->trial);
            l->trial.session_of[j] = l->trial.sessions;
            l->trial.set_of[l->trial.sessions++] = g;
            better |= take(l);
        }
    }
    return better;
}

/* Put two sessions together on a set of machines, or one on another. */
static bool join_sessions(struct local *l)
{
    struct pack_problem *p = l->p;
    bool better = false;

    for (size_t a = 0; a < l->now.packing.sessions; a++) {
        for (size_t b = a; b < l->now.packing.sessions; b++) {
            for (size_t g = 0; g < p->set_count; g++) {
                if (a >= l->now.packing.sessions || b >= l->now.packing.sessions)
                    break; /* one was taken away meanwhile */
                packing_copy(p, &l->now.packing, &l->trial);
                for (size_t j = 0; j < p->job_count; j++)
                    if (l->trial.session_of[j] == b)
                        l->trial.session_of[j] = a;
                l->trial.set_of[a] = g;
                better |= take(l);
            }
        }
    }
    return better;
}

static void improve(struct local *l)
{
    bool better = true;

    while (better && l->evaluations > 0) {
        better = join_sessions(l);
        better |= move_jobs(l);
    }
}

/* Each job in a session of its own, in its cheapest way; while that is late, the change to a
 * faster way that costs least. */
static void start_alone(struct local *l)
{
    struct pack_problem *p = l->p;
    struct packing *k = &l->now.packing;

    k->sessions = p->job_count;
    for (size_t j = 0; j < p->job_count; j++) {
        double least = INFINITY;

        k->session_of[j] = j;
        for (size_t g = 0; g < p->set_count; g++) {
            struct pack_session s = {0};
            double cost =
                session_add(p, &s, g, j) ? session_usd(&s, s.setup + s.work) : INFINITY;

            if (cost < least) {
                least = cost;
                k->set_of[j] = g;
            }
        }
    }
}

/* The cheapest change of one job to a set where it is done sooner. False when there is none. */
static bool hurry(struct local *l)
{
    struct pack_problem *p = l->p;
    struct packing *k = &l->now.packing;
    size_t job = PACK_NONE, set = 0;
    double least = INFINITY;

    for (size_t j = 0; j < p->job_count; j++) {
        struct pack_session at = {0};

        if (!(p->latest[j] < INFINITY) || !session_add(p, &at, k->set_of[j], j))
            continue;
        for (size_t g = 0; g < p->set_count; g++) {
            struct pack_session s = {0};
            double saved, more;

            if (!session_add(p, &s, g, j))
                continue;
            saved = at.setup + at.work - s.setup - s.work;
            more = session_usd(&s, s.setup + s.work) - session_usd(&at, at.setup + at.work);
            if (saved > PACK_SAME && more / saved < least) {
                least = more / saved;
                job = j;
                set = g;
            }
        }
    }
    if (job != PACK_NONE)
        k->set_of[job] = set;
    return job != PACK_NONE;
}

/* Only changes of the set, with every job alone. */
static void slow_down(struct local *l)
{
    struct pack_problem *p = l->p;

    for (size_t j = 0; j < p->job_count; j++) {
        for (size_t g = 0; g < p->set_count; g++) {
            packing_copy(p, &l->now.packing, &l->trial);
            l->trial.set_of[l->trial.session_of[j]] = g;
            (void)take(l);
        }
    }
}

static void find_alone(struct local *l)
{
    start_alone(l);
    do
        l->now.found = pack_order_quick(l->p, l->orders, &l->now.packing, &l->now.times);
    while (!l->now.found && hurry(l));
    if (l->now.found)
        slow_down(l);
}

/* Everything that can be on one set of machines, in as few sessions as hold it, in the order of
 * the dependencies; the rest alone. */
static void start_on(struct local *l, size_t set)
{
    struct pack_problem *p = l->p;
    struct pack_session s = {0};
    size_t here = PACK_NONE;

    start_alone(l);
    l->trial.sessions = 0;
    for (size_t r = 0; r < p->job_count; r++) {
        size_t j = 0;

        while (p->rank[j] != r)
            j++;
        if (p->way_of[j * p->set_count + set] == PACK_NONE) {
            l->trial.session_of[j] = l->trial.sessions;
            l->trial.set_of[l->trial.sessions++] = l->now.packing.set_of[j];
            continue;
        }
        if (here == PACK_NONE || !session_add(p, &s, set, j)) {
            s = (struct pack_session){0};
            here = l->trial.sessions++;
            l->trial.set_of[here] = set;
            (void)session_add(p, &s, set, j);
        }
        l->trial.session_of[j] = here;
    }
}

static bool found_new(struct pack_problem *p, struct pack_found *out, struct error *err)
{
    out->found = false;
    out->times.start = arena_array(p->arena, double, p->job_count, err);
    return out->times.start != NULL && packing_new(p, &out->packing, err);
}

static void found_copy(const struct pack_problem *p, const struct pack_found *from,
                       struct pack_found *to)
{
    packing_copy(p, &from->packing, &to->packing);
    times_copy(p, &from->times, &to->times);
    to->found = from->found;
}

static void keep_best(struct local *l, struct pack_found *best)
{
    if (l->now.found && (!best->found || l->now.times.usd < best->times.usd - PACK_SAME))
        found_copy(l->p, &l->now, best);
}

bool pack_local(struct pack_problem *p, struct pack_found *alone, struct pack_found *best,
                struct error *err)
{
    struct local l = {.p = p, .evaluations = EVALUATIONS};

    l.orders = pack_orders_new(p, err);
    l.sessions = arena_array(p->arena, struct pack_session, p->job_count + 1, err);
    l.times.start = arena_array(p->arena, double, p->job_count, err);
    if (l.orders == NULL || l.sessions == NULL || l.times.start == NULL ||
        !packing_new(p, &l.trial, err) || !found_new(p, &l.now, err) ||
        !found_new(p, alone, err) || !found_new(p, best, err))
        return false;
    find_alone(&l);
    found_copy(p, &l.now, alone);
    if (l.now.found)
        improve(&l);
    keep_best(&l, best);
    for (size_t g = 0; g < p->set_count; g++) {
        l.now.found = false;
        l.evaluations = EVALUATIONS / (STARTS * p->set_count) + 1;
        start_on(&l, g);
        if (take(&l))
            improve(&l);
        keep_best(&l, best);
    }
    return true;
}
