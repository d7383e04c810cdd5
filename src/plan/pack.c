/* What cannot be packed, whatever the machines: numbers that make no sense, circles. */
#include "plan/pack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/pack_internal.h"

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

static bool sensible(double x)
{
    return isfinite(x) && x >= 0;
}

static bool pack_check(const struct pack_input *in, struct error *err)
{
    if (!(in->limits.session_h > 0))
        return error_fail(err, ERROR_INPUT, "a session must last longer than nothing");
    for (size_t i = 0; i < in->way_count; i++) {
        const struct pack_way *w = &in->ways[i];

        if (w->job >= in->job_count || !sensible(w->hours) || !sensible(w->setup_h) ||
            !sensible(w->usd_h) || !sensible(w->usd_fixed) || !sensible(w->minimum_h) ||
            !sensible(w->step_h))
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

bool packing_new(struct pack_problem *p, struct packing *out, struct error *err)
{
    *out = (struct packing){.session_of = arena_array(p->arena, size_t, p->job_count + 1, err),
                            .set_of = arena_array(p->arena, size_t, p->job_count + 1, err)};
    return out->session_of != NULL && out->set_of != NULL;
}

void packing_copy(const struct pack_problem *p, const struct packing *from, struct packing *to)
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

/* --- preparing --- */

/* Number the sets of machines, and find each job's way on each. */
static bool find_sets(struct pack_problem *p, size_t way_count, struct error *err)
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
                              "%s takes %.3g h with its set-up, and a session lasts %.3g h",
                              pack_name_of(p->jobs, j).text, whole, p->limits.session_h);
        soonest[j] = whole;
        for (size_t i = 0; i < p->jobs[j].after_count; i++) {
            size_t a = p->jobs[j].after[i];

            soonest[j] = fmax(soonest[j], soonest[a] + hours);
            before[a * n + j] = true;
            for (size_t b = 0; b < n; b++)
                before[b * n + j] |= before[b * n + a];
        }
        if (soonest[j] > p->jobs[j].deadline_h + PACK_SAME)
            return error_fail(err, ERROR_UNFIT,
                              "%s cannot be done within %.3g h: it takes %.3g h",
                              pack_name_of(p->jobs, j).text, p->jobs[j].deadline_h, soonest[j]);
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

static bool prepare(struct pack_problem *p, size_t way_count, struct error *err)
{
    size_t *rank = arena_array(p->arena, size_t, p->job_count, err);
    size_t *by_rank = arena_array(p->arena, size_t, p->job_count, err);

    if (rank == NULL || by_rank == NULL || !pack_rank(p->jobs, p->job_count, rank, err) ||
        !find_sets(p, way_count, err))
        return false;
    p->rank = rank;
    for (size_t j = 0; j < p->job_count; j++) {
        by_rank[rank[j]] = j;
        p->edges += p->jobs[j].after_count;
    }
    return find_bounds(p, by_rank, err);
}

/* --- the result --- */

static int by_start(const void *a, const void *b)
{
    const struct pack_slot *x = a, *y = b;

    if (x->start_h != y->start_h)
        return x->start_h < y->start_h ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

static bool fill(const struct pack_problem *p, const struct pack_found *best,
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
    qsort(out->slots, p->job_count, sizeof out->slots[0], by_start);
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
    ok = pack_check(in, err) && prepare(&p, in->way_count, err);
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
    ok = ok && fill(&p, &best, out, err);
    out->alone_usd = alone.found ? alone.times.usd : NAN;
    arena_free(&scratch);
    return ok;
}
