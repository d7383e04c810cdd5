#include "plan/pack.h"
#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/stop.h"
#include "plan/pack_internal.h"

/* ---- few jobs: the best packing ---- */

/* When nothing waits, what a session costs depends on its jobs
 * alone: a table over all subsets has what any remaining jobs cost at least. Packings whose
 * least is below the best so far are put in time, one after the other. */

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
static bool is_set_in_time(const struct pack_problem *p, size_t subset, size_t set,
                           double setup)
{
    double at = setup;

    while (subset != 0) { /* the one that must be done first goes first: no order is better */
        size_t next = 0;

        while ((subset >> next & 1) == 0)
            next++;
        for (size_t j = next + 1; j < p->job_count; j++)
            if ((subset >> j & 1) != 0 && p->latest[j] < p->latest[next])
                next = j;
        at += pack_way_of(p, next, set)->hours;
        if (at > p->latest[next] + PACK_SAME)
            return false;
        subset &= ~((size_t)1 << next);
    }
    return true;
}

bool session_add(const struct pack_problem *p, struct pack_session *s, size_t set, size_t job)
{
    const struct pack_way *way;
    double setup;

    if (p->way_of[job * p->set_count + set] == PACK_NONE)
        return false;
    way = pack_way_of(p, job, set);
    setup = fmax(s->setup, way->setup_h);
    if (setup + s->work + way->hours > p->limits.session_h + PACK_SAME)
        return false;
    s->setup = setup;
    s->work += way->hours;
    s->rate = fmax(s->rate, way->usd_h);
    s->minimum = fmax(s->minimum, way->minimum_h);
    s->step = fmax(s->step, way->step_h);
    s->fixed += way->usd_fixed;
    s->jobs++;
    return true;
}

double session_usd(const struct pack_session *s, double hours)
{
    double billed = s->step > 0 ? ceil(hours / s->step - PACK_SAME) * s->step : hours;

    return s->rate * fmax(billed, s->minimum) + s->fixed;
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
    return is_set_in_time(p, subset, set, s.setup) ? session_usd(&s, s.setup + s.work)
                                                   : INFINITY;
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
    for (size_t subset = 1; subset < subsets && !stop_asked(); subset++) {
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

static void packing_copy(const struct pack_problem *p, const struct packing *from,
                         struct packing *to)
{
    to->sessions = from->sessions;
    for (size_t j = 0; j < p->job_count; j++)
        to->session_of[j] = from->session_of[j];
    for (size_t s = 0; s < from->sessions; s++)
        to->set_of[s] = from->set_of[s];
}

void times_copy(const struct pack_problem *p, const struct pack_times *from,
                struct pack_times *to)
{
    to->usd = from->usd;
    to->hours = from->hours;
    for (size_t j = 0; j < p->job_count; j++)
        to->start[j] = from->start[j];
}

/* A complete packing that costs at least so much. */
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

static void search_packings(struct exact *e, size_t left, double spent)
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
            search_packings(e, left ^ part, cost);
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

static bool packing_new(struct pack_problem *p, struct packing *out, struct error *err)
{
    *out = (struct packing){.session_of = arena_array(p->arena, size_t, p->job_count + 1, err),
                            .set_of = arena_array(p->arena, size_t, p->job_count + 1, err)};
    return out->session_of != NULL && out->set_of != NULL;
}

/* The best packing of few jobs; of sessions of one job only when `alone`. False in `found` when
 * there is none. `exact`: proven. */
static bool pack_exact(struct pack_problem *p, bool alone, struct packing *best,
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
        search_packings(&e, all, 0);
    *found = e.found;
    *exact = e.found ? times->usd <= fmax(e.unproven, e.rest[all]) + PACK_SAME
                     : !(e.unproven < INFINITY);
    return true;
}

/* ---- many jobs: a good packing ---- */

/* From each job alone, and from everything on one set of machines,
 * improved by single changes until none helps. A change is put in time only when it would be
 * cheaper if nothing waited. */

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
static bool take_trial(struct local *l)
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
            better |= take_trial(l);
        }
        for (size_t g = 0; g < p->set_count; g++) {
            if (p->way_of[j * p->set_count + g] == PACK_NONE ||
                l->now.packing.sessions >= p->job_count)
                continue;
            packing_copy(p, &l->now.packing, &l->trial);
            l->trial.session_of[j] = l->trial.sessions;
            l->trial.set_of[l->trial.sessions++] = g;
            better |= take_trial(l);
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
                better |= take_trial(l);
            }
        }
    }
    return better;
}

static void improve(struct local *l)
{
    bool better = true;

    while (better && l->evaluations > 0 && !stop_asked()) {
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
            (void)take_trial(l);
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

static void keep_best_pack(struct local *l, struct pack_found *best)
{
    if (l->now.found && (!best->found || l->now.times.usd < best->times.usd - PACK_SAME))
        found_copy(l->p, &l->now, best);
}

static bool pack_local(struct pack_problem *p, struct pack_found *alone,
                       struct pack_found *best, struct error *err)
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
    keep_best_pack(&l, best);
    for (size_t g = 0; g < p->set_count; g++) {
        l.now.found = false;
        l.evaluations = EVALUATIONS / (STARTS * p->set_count) + 1;
        start_on(&l, g);
        if (take_trial(&l))
            improve(&l);
        keep_best_pack(&l, best);
    }
    return true;
}

/* ---- the problem: what cannot be packed, sets of machines, times; the answer ---- */

struct pack_name {
    char text[48];
};

static struct pack_name pack_name_of(const struct pack_job *jobs, size_t j)
{
    struct pack_name name;

    if (jobs[j].name != NULL)
        (void)snprintf(name.text, sizeof name.text, "%s", jobs[j].name);
    else
        (void)snprintf(name.text, sizeof name.text, "job %zu", j);
    return name;
}

static bool is_sensible_number(double x)
{
    return isfinite(x) && x >= 0;
}

static bool pack_check(const struct pack_input *in, struct error *err)
{
    if (!(in->limits.session_h > 0))
        return error_fail(err, ERROR_INPUT, "a session must last longer than 0");
    for (size_t i = 0; i < in->way_count; i++) {
        const struct pack_way *w = &in->ways[i];

        if (w->job >= in->job_count || !is_sensible_number(w->hours) ||
            !is_sensible_number(w->setup_h) || !is_sensible_number(w->usd_h) ||
            !is_sensible_number(w->usd_fixed) || !is_sensible_number(w->minimum_h) ||
            !is_sensible_number(w->step_h))
            return error_fail(err, ERROR_INPUT, "way %zu of packing makes no sense", i);
    }
    for (size_t j = 0; j < in->job_count; j++) {
        bool any = false;

        for (size_t i = 0; i < in->way_count; i++)
            any |= in->ways[i].job == j;
        if (!any)
            return error_fail(err, ERROR_INPUT, "%s has nowhere to run",
                              pack_name_of(in->jobs, j).text);
        if (isnan(in->jobs[j].deadline_h))
            return error_fail(err, ERROR_INPUT, "the deadline of %s is not known",
                              pack_name_of(in->jobs, j).text);
        for (size_t a = 0; a < in->jobs[j].after_count; a++)
            if (in->jobs[j].after[a] >= in->job_count)
                return error_fail(err, ERROR_INPUT, "%s waits for one that is not there",
                                  pack_name_of(in->jobs, j).text);
    }
    return true;
}

/* "jobs 0 -> 2 -> 1 -> 0 wait for each other". Those of rank PACK_NONE are in, or behind, a
 * circle: going back from one of them ends in it. */
static bool circle(const struct pack_job *jobs, size_t count, const size_t *rank,
                   struct error *err)
{
    char text[300];
    size_t at = 0, start, used = 0;

    while (rank[at] != PACK_NONE)
        at++;
    for (size_t i = 0; i < count; i++) { /* far enough to be in the circle */
        size_t a = 0;

        while (rank[jobs[at].after[a]] != PACK_NONE)
            a++;
        at = jobs[at].after[a];
    }
    start = at;
    do {
        size_t a = 0;

        used += (size_t)snprintf(text + used, sizeof text - used, "%s after ",
                                 pack_name_of(jobs, at).text);
        while (rank[jobs[at].after[a]] != PACK_NONE)
            a++;
        at = jobs[at].after[a];
    } while (at != start && used < sizeof text - 60);
    error_set(err, ERROR_INPUT, "jobs wait for each other in a circle: %s%s%s", text,
              at != start ? "... after " : "", pack_name_of(jobs, start).text);
    error_hint(err, "take out one of these dependencies");
    return false;
}

/* An order that keeps the dependencies; the lower index first where there is a choice. A circle
 * is an error that names it. */
static bool pack_rank(const struct pack_job *jobs, size_t count, size_t *rank,
                      struct error *err)
{
    size_t placed = 0;

    for (size_t j = 0; j < count; j++)
        rank[j] = PACK_NONE;
    while (placed < count) {
        size_t next = PACK_NONE;

        for (size_t j = 0; j < count && next == PACK_NONE; j++) {
            bool ready = rank[j] == PACK_NONE;

            for (size_t a = 0; a < jobs[j].after_count && ready; a++)
                ready = rank[jobs[j].after[a]] != PACK_NONE;
            if (ready)
                next = j;
        }
        if (next == PACK_NONE)
            return circle(jobs, count, rank, err);
        rank[next] = placed++;
    }
    return true;
}

bool pack_check_after(const struct pack_job *jobs, size_t count, struct arena *arena,
                      struct error *err)
{
    size_t *rank = arena_array(arena, size_t, count + 1, err);

    return rank != NULL && pack_rank(jobs, count, rank, err);
}

#define STEPS_MOST 400000 /* of the exact search: about a second */

/* --- preparing --- */

/* Number the sets of machines, and find each job's way on each. */
static bool find_pack_sets(struct pack_problem *p, size_t way_count, struct error *err)
{
    size_t *set_of_way = arena_array(p->arena, size_t, way_count, err);
    size_t *first = arena_array(p->arena, size_t, way_count, err), *way_of;

    if (set_of_way == NULL || first == NULL)
        return false;
    for (size_t i = 0; i < way_count; i++) {
        size_t g = 0;

        while (g < p->set_count && (p->ways[first[g]].place != p->ways[i].place ||
                                    p->ways[first[g]].machines != p->ways[i].machines))
            g++;
        if (g == p->set_count)
            first[p->set_count++] = i;
        set_of_way[i] = g;
    }
    way_of = arena_array(p->arena, size_t, p->job_count * p->set_count, err);
    if (way_of == NULL)
        return false;
    for (size_t i = 0; i < p->job_count * p->set_count; i++)
        way_of[i] = PACK_NONE;
    for (size_t i = 0; i < way_count; i++) {
        const struct pack_way *w = &p->ways[i];
        size_t *at = &way_of[w->job * p->set_count + set_of_way[i]];

        if (*at == PACK_NONE ||
            w->usd_h * w->hours + w->usd_fixed <
                p->ways[*at].usd_h * p->ways[*at].hours + p->ways[*at].usd_fixed)
            *at = i;
    }
    p->way_of = way_of;
    return true;
}

/* The fewest hours of a job; with its set-up too. */
static void least_hours(const struct pack_problem *p, size_t job, double *hours, double *whole)
{
    *hours = *whole = INFINITY;
    for (size_t g = 0; g < p->set_count; g++) {
        size_t i = p->way_of[job * p->set_count + g];

        if (i == PACK_NONE)
            continue;
        *hours = fmin(*hours, p->ways[i].hours);
        *whole = fmin(*whole, p->ways[i].hours + p->ways[i].setup_h);
    }
}

/* When jobs can and must be done, whatever they run on; and which go before which. Jobs that
 * cannot be done are named. */
static bool find_bounds(struct pack_problem *p, const size_t *by_rank, struct error *err)
{
    size_t n = p->job_count;
    double *latest = arena_array(p->arena, double, n, err);
    double *soonest = arena_array(p->arena, double, n, err), hours, whole;
    bool *before = arena_array(p->arena, bool, n *n, err);

    if (latest == NULL || soonest == NULL || before == NULL)
        return false;
    for (size_t j = 0; j < n; j++)
        latest[j] = p->jobs[j].deadline_h;
    for (size_t r = 0; r < n; r++) {
        size_t j = by_rank[r];

        least_hours(p, j, &hours, &whole);
        if (whole > p->limits.session_h + PACK_SAME)
            return error_fail(err, ERROR_UNFIT,
                              "%s takes %s h with its set-up, and a session lasts %s h",
                              pack_name_of(p->jobs, j).text, num_about(whole).text,
                              num_about(p->limits.session_h).text);
        soonest[j] = whole;
        for (size_t i = 0; i < p->jobs[j].after_count; i++) {
            size_t a = p->jobs[j].after[i];

            soonest[j] = fmax(soonest[j], soonest[a] + hours);
            before[a * n + j] = true;
            for (size_t b = 0; b < n; b++)
                before[b * n + j] |= before[b * n + a];
        }
        if (soonest[j] > p->jobs[j].deadline_h + PACK_SAME)
            return error_fail(err, ERROR_UNFIT, "%s cannot be done within %s h: it takes %s h",
                              pack_name_of(p->jobs, j).text,
                              num_about(p->jobs[j].deadline_h).text,
                              num_about(soonest[j]).text);
    }
    for (size_t r = n; r-- > 0;) {
        size_t j = by_rank[r];

        least_hours(p, j, &hours, &whole);
        for (size_t i = 0; i < p->jobs[j].after_count; i++)
            latest[p->jobs[j].after[i]] = fmin(latest[p->jobs[j].after[i]], latest[j] - hours);
    }
    p->latest = latest;
    p->before = before;
    return true;
}

static bool prepare_problem(struct pack_problem *p, size_t way_count, struct error *err)
{
    size_t *rank = arena_array(p->arena, size_t, p->job_count, err);
    size_t *by_rank = arena_array(p->arena, size_t, p->job_count, err);

    if (rank == NULL || by_rank == NULL || !pack_rank(p->jobs, p->job_count, rank, err) ||
        !find_pack_sets(p, way_count, err))
        return false;
    p->rank = rank;
    for (size_t j = 0; j < p->job_count; j++) {
        by_rank[rank[j]] = j;
        p->edges += p->jobs[j].after_count;
    }
    return find_bounds(p, by_rank, err);
}

/* --- the result --- */

static int by_session_start(const void *a, const void *b)
{
    const struct pack_slot *x = a, *y = b;

    if (x->start_h != y->start_h)
        return x->start_h < y->start_h ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

static bool fill_pack_result(const struct pack_problem *p, const struct pack_found *best,
                             struct pack_result *out, struct error *err)
{
    const struct packing *k = &best->packing;

    out->slots = arena_array(p->arena, struct pack_slot, p->job_count, err);
    if (out->slots == NULL)
        return false;
    for (size_t j = 0; j < p->job_count; j++) {
        size_t s = k->session_of[j], way = p->way_of[j * p->set_count + k->set_of[s]];

        out->slots[j] = (struct pack_slot){.job = j,
                                           .session = s,
                                           .way = way,
                                           .start_h = best->times.start[j],
                                           .end_h = best->times.start[j] + p->ways[way].hours};
    }
    qsort(out->slots, p->job_count, sizeof out->slots[0], by_session_start);
    out->slot_count = p->job_count;
    out->sessions = k->sessions;
    out->usd = best->times.usd;
    out->hours = best->times.hours;
    return true;
}

/* Few jobs: the best alone is what the search then has to beat. */
static bool solve_few(struct pack_problem *p, struct pack_found *alone, struct pack_found *best,
                      bool *exact, struct error *err)
{
    struct pack_found other_alone, other;
    bool alone_exact;

    alone->times.start = arena_array(p->arena, double, p->job_count, err);
    best->times.start = arena_array(p->arena, double, p->job_count, err);
    if (alone->times.start == NULL || best->times.start == NULL ||
        !packing_new(p, &alone->packing, err) || !packing_new(p, &best->packing, err) ||
        !pack_exact(p, true, &alone->packing, &alone->times, &alone->found, &alone_exact, err))
        return false;
    if (alone->found) {
        packing_copy(p, &alone->packing, &best->packing);
        times_copy(p, &alone->times, &best->times);
        best->found = true;
    }
    p->steps = STEPS_MOST;
    if (!pack_exact(p, false, &best->packing, &best->times, &best->found, exact, err))
        return false;
    if (*exact)
        return true;
    if (!pack_local(p, &other_alone, &other, err)) /* it may see what there was no time for */
        return false;
    if (other.found && (!best->found || other.times.usd < best->times.usd - PACK_SAME))
        *best = other;
    return true;
}

bool pack(const struct pack_input *in, struct arena *arena, struct pack_result *out,
          struct error *err)
{
    struct arena scratch = {.alloc = arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct pack_problem p = {.jobs = in->jobs,
                             .ways = in->ways,
                             .job_count = in->job_count,
                             .limits = in->limits,
                             .steps = STEPS_MOST,
                             .arena = &scratch};
    struct pack_found alone = {0}, best = {0};
    bool ok;

    *out = (struct pack_result){.exact = true};
    if (in->job_count == 0)
        return true;
    ok = pack_check(in, err) && prepare_problem(&p, in->way_count, err);
    if (ok && in->job_count <= PACK_EXACT_JOBS) {
        ok = solve_few(&p, &alone, &best, &out->exact, err);
    } else if (ok) {
        out->exact = false;
        ok = pack_local(&p, &alone, &best, err);
    }
    if (ok && !best.found) {
        ok = error_fail(err, ERROR_UNFIT, "%s way to keep all deadlines%s",
                        out->exact ? "there is no" : "no packing was found that is a",
                        in->limits.parallel > 0 ? " with so few sessions at once" : "");
        error_hint(err, "allow more time, more sessions at once, or more machines to choose");
    }
    p.arena = arena;
    ok = ok && fill_pack_result(&p, &best, out, err);
    out->alone_usd = alone.found ? alone.times.usd : NAN;
    arena_free(&scratch);
    return ok;
}
