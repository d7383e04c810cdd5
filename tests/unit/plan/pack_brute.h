/* pack_brute.h - packings checked against all constraints, and found by exhaustive search,
 * independent of the packer's code. */
#ifndef TESTS_PLAN_PACK_BRUTE_H
#define TESTS_PLAN_PACK_BRUTE_H

#include "test.h"

#include <math.h>
#include <string.h>

#include "plan/pack.h"

#define MOST_JOBS 64
#define MOST_WAYS (MOST_JOBS * 6)
#define LONGEST_WAIT 14 /* hours inside a session that the exhaustive search tries */

struct instance {
    struct pack_job jobs[MOST_JOBS];
    size_t after[MOST_JOBS][4];
    size_t job_count;
    struct pack_way ways[MOST_WAYS];
    size_t way_count;
    struct pack_limits limits;
};

/* --- what a packing must keep, and what it costs: written down once more --- */

struct run { /* a session */
    double rate, setup, work, minimum, step, fixed;
    double start, end;
    size_t jobs, place;
    int64_t machines;
};

static inline void run_add(struct run *r, const struct pack_way *w)
{
    r->rate = fmax(r->rate, w->usd_h);
    r->setup = fmax(r->setup, w->setup_h);
    r->minimum = fmax(r->minimum, w->minimum_h);
    r->step = fmax(r->step, w->step_h);
    r->work += w->hours;
    r->fixed += w->usd_fixed;
    r->place = w->place;
    r->machines = w->machines;
    r->jobs++;
}

static inline double run_usd(const struct run *r, double length)
{
    double billed = r->step > 0 ? ceil(length / r->step - 1e-9) * r->step : length;

    return r->rate * fmax(billed, r->minimum) + r->fixed;
}

/* No more sessions at once than allowed: looked at whenever one starts. */
static inline void check_parallel(const struct instance *in, const struct run *runs,
                                  size_t count)
{
    for (size_t s = 0; s < count && in->limits.parallel > 0; s++) {
        size_t at_once = 0;

        for (size_t t = 0; t < count; t++)
            at_once +=
                runs[t].start <= runs[s].start + 1e-6 && runs[t].end > runs[s].start + 1e-6;
        assert_true(at_once <= in->limits.parallel);
    }
}

static inline void check(const struct instance *in, const struct pack_result *r)
{
    struct run runs[MOST_JOBS] = {{0}};
    double start[MOST_JOBS] = {0}, end[MOST_JOBS] = {0}, sum = 0, last = 0;
    bool seen[MOST_JOBS] = {0};

    assert_int_equal(r->slot_count, in->job_count);
    for (size_t i = 0; i < r->slot_count; i++) {
        const struct pack_slot *s = &r->slots[i];
        struct run *run = &runs[s->session];

        assert_true(s->job < in->job_count && s->way < in->way_count);
        assert_true(s->session < r->sessions);
        assert_false(seen[s->job]);
        seen[s->job] = true;
        assert_int_equal(in->ways[s->way].job, s->job);
        assert_near(s->end_h - s->start_h, in->ways[s->way].hours, 1e-6);
        assert_true(i == 0 || s->start_h >= r->slots[i - 1].start_h);
        assert_true(s->end_h <= in->jobs[s->job].deadline_h + 1e-6);
        if (run->jobs > 0) { /* the same machines, one after the other */
            assert_int_equal(run->place, in->ways[s->way].place);
            assert_int_equal(run->machines, in->ways[s->way].machines);
            assert_true(s->start_h >= run->end - 1e-6);
        } else {
            run->start = s->start_h;
        }
        run->end = s->end_h;
        run_add(run, &in->ways[s->way]);
        start[s->job] = s->start_h;
        end[s->job] = s->end_h;
        last = fmax(last, s->end_h);
    }
    for (size_t j = 0; j < in->job_count; j++)
        for (size_t a = 0; a < in->jobs[j].after_count; a++)
            assert_true(start[j] >= end[in->jobs[j].after[a]] - 1e-6);
    for (size_t s = 0; s < r->sessions; s++) {
        assert_true(runs[s].jobs > 0);
        runs[s].start -= runs[s].setup;
        assert_true(runs[s].start >= -1e-6);
        assert_true(runs[s].end - runs[s].start <= in->limits.session_h + 1e-6);
        sum += run_usd(&runs[s], runs[s].end - runs[s].start);
    }
    check_parallel(in, runs, r->sessions);
    assert_near(r->usd, sum, 1e-6);
    assert_near(r->hours, last, 1e-6);
    if (!isnan(r->alone_usd))
        assert_true(r->usd <= r->alone_usd + 1e-6);
}

/* --- exhaustive search: ways, sessions, orders, queues, lengths; times in full hours --- */

struct brute {
    const struct instance *in;
    size_t way[8], session[8], sessions;
    struct run runs[8];
    size_t order[8], from[9]; /* jobs by session */
    size_t after[8], line[8];
    bool followed[8];
    double length[8];
    double best;
    bool alone;
};

static inline void raise(int *to, int at_least, bool *changed)
{
    if (*to < at_least) {
        *to = at_least;
        *changed = true;
    }
}

/* Are there times with sessions that are no longer than these? */
static inline bool feasible(const struct brute *b)
{
    int at[8] = {0};
    bool changed = true;

    for (int pass = 0; changed; pass++) {
        changed = false;
        if (pass > 200)
            return false;
        for (size_t s = 0; s < b->sessions; s++) {
            const struct run *r = &b->runs[s];
            size_t first = b->order[b->from[s]], last = b->order[b->from[s + 1] - 1], prev;
            int ready = 0;

            if (b->after[s] != SIZE_MAX) {
                prev = b->order[b->from[b->after[s] + 1] - 1];
                ready = at[prev] + (int)b->in->ways[b->way[prev]].hours;
            }
            raise(&at[first], ready + (int)r->setup, &changed);
            for (size_t i = b->from[s] + 1; i < b->from[s + 1]; i++)
                raise(&at[b->order[i]],
                      at[b->order[i - 1]] + (int)b->in->ways[b->way[b->order[i - 1]]].hours,
                      &changed);
            raise(&at[first],
                  at[last] + (int)b->in->ways[b->way[last]].hours + (int)r->setup -
                      (int)b->length[s],
                  &changed);
        }
        for (size_t j = 0; j < b->in->job_count; j++) {
            for (size_t a = 0; a < b->in->jobs[j].after_count; a++) {
                size_t before = b->in->jobs[j].after[a];

                raise(&at[j], at[before] + (int)b->in->ways[b->way[before]].hours, &changed);
            }
            if (at[j] + b->in->ways[b->way[j]].hours > b->in->jobs[j].deadline_h)
                return false;
        }
    }
    return true;
}

static inline void try_lengths(struct brute *b, size_t s)
{
    double sum = 0, length;

    for (size_t t = 0; t < b->sessions; t++)
        sum += run_usd(&b->runs[t], t < s ? b->length[t] : b->runs[t].setup + b->runs[t].work);
    if (sum >= b->best - 1e-9)
        return;
    if (s == b->sessions) {
        if (feasible(b))
            b->best = sum;
        return;
    }
    length = b->runs[s].setup + b->runs[s].work;
    for (int more = 0; more <= (b->runs[s].jobs > 1 ? LONGEST_WAIT : 0); more++) {
        if (length + more > b->in->limits.session_h)
            break;
        b->length[s] = length + more;
        try_lengths(b, s + 1);
    }
}

static inline void swap(size_t *a, size_t *b)
{
    size_t kept = *a;

    *a = *b;
    *b = kept;
}

static inline void try_orders(struct brute *b, size_t s, size_t at)
{
    while (s < b->sessions && at == b->from[s + 1])
        s++;
    if (s == b->sessions) {
        try_lengths(b, 0);
        return;
    }
    for (size_t i = at; i < b->from[s + 1]; i++) {
        swap(&b->order[at], &b->order[i]);
        try_orders(b, s, at + 1);
        swap(&b->order[at], &b->order[i]);
    }
}

static inline void try_queues(struct brute *b, size_t at, size_t lanes)
{
    size_t most = b->in->limits.parallel;

    if (at == b->sessions || at == ARRAY_LEN(b->line)) {
        try_orders(b, 0, 0);
        return;
    }
    for (size_t i = at; i < b->sessions; i++) {
        swap(&b->line[at], &b->line[i]);
        if (most == 0 || lanes < most) {
            b->after[b->line[at]] = SIZE_MAX;
            try_queues(b, at + 1, lanes + 1);
        }
        for (size_t k = 0; k < at && most > 0; k++) {
            if (b->followed[b->line[k]])
                continue;
            b->followed[b->line[k]] = true;
            b->after[b->line[at]] = b->line[k];
            try_queues(b, at + 1, lanes);
            b->followed[b->line[k]] = false;
        }
        swap(&b->line[at], &b->line[i]);
        if (most == 0)
            break; /* no job queues: any order is as good */
    }
}

static inline void try_packing(struct brute *b)
{
    double sum = 0;
    size_t at = 0;

    memset(b->runs, 0, sizeof b->runs);
    for (size_t s = 0; s < b->sessions; s++) {
        b->from[s] = at;
        b->line[s] = s;
        b->followed[s] = false;
        for (size_t j = 0; j < b->in->job_count; j++) {
            if (b->session[j] != s)
                continue;
            run_add(&b->runs[s], &b->in->ways[b->way[j]]);
            b->order[at++] = j;
        }
        if (b->runs[s].setup + b->runs[s].work > b->in->limits.session_h)
            return;
        sum += run_usd(&b->runs[s], b->runs[s].setup + b->runs[s].work);
    }
    b->from[b->sessions] = at;
    if (sum < b->best - 1e-9)
        try_queues(b, 0, 0);
}

static inline void try_jobs(struct brute *b, size_t job)
{
    if (job == b->in->job_count) {
        try_packing(b);
        return;
    }
    for (size_t w = 0; w < b->in->way_count; w++) {
        const struct pack_way *way = &b->in->ways[w];

        if (way->job != job)
            continue;
        b->way[job] = w;
        for (size_t s = 0; s <= b->sessions; s++) {
            bool fits = s == b->sessions || !b->alone;

            for (size_t j = 0; j < job; j++)
                fits &=
                    b->session[j] != s || (b->in->ways[b->way[j]].place == way->place &&
                                           b->in->ways[b->way[j]].machines == way->machines);
            if (!fits)
                continue;
            b->session[job] = s;
            b->sessions += s == b->sessions;
            try_jobs(b, job + 1);
            b->session[job] = SIZE_MAX;
            for (b->sessions = 0; true; b->sessions++) {
                bool used = false;

                for (size_t j = 0; j < job; j++)
                    used |= b->session[j] == b->sessions;
                if (!used)
                    break;
            }
        }
    }
}

static inline double brute_force(const struct instance *in, bool alone)
{
    struct brute b = {.in = in, .best = INFINITY, .alone = alone};

    try_jobs(&b, 0);
    return b.best;
}

#endif
