/* In which order the jobs of a packing run: a few sensible ones, or all. */
#include <math.h>

#include "plan/pack_internal.h"

struct pack_orders {
    struct pack_order order;
    struct pack_clock *clock;
    struct pack_times times; /* of the order at hand */
    double *end;             /* of each job, and of each session */
    double *session_end;
    bool *placed;
    size_t *left;  /* jobs of a session that are not placed */
    size_t *lanes; /* sessions whose place nobody took yet */
    size_t *jobs;  /* by session: for permutations */
    size_t *from;  /* where a session's jobs start there */
    size_t *line;  /* sessions, in the order of their lanes */
    /* of trying all */
    struct pack_times *best;
    double least, enough;
    bool found, cut;
};

struct pack_orders *pack_orders_new(struct pack_problem *p, struct error *err)
{
    struct pack_orders *o = arena_array(p->arena, struct pack_orders, 1, err);
    size_t n = p->job_count + 1;

    if (o == NULL)
        return NULL;
    o->order.next = arena_array(p->arena, size_t, n, err);
    o->order.first = arena_array(p->arena, size_t, n, err);
    o->order.last = arena_array(p->arena, size_t, n, err);
    o->order.after = arena_array(p->arena, size_t, n, err);
    o->times.start = arena_array(p->arena, double, n, err);
    o->end = arena_array(p->arena, double, n, err);
    o->session_end = arena_array(p->arena, double, n, err);
    o->placed = arena_array(p->arena, bool, n, err);
    o->left = arena_array(p->arena, size_t, n, err);
    o->lanes = arena_array(p->arena, size_t, n, err);
    o->jobs = arena_array(p->arena, size_t, n, err);
    o->from = arena_array(p->arena, size_t, n, err);
    o->line = arena_array(p->arena, size_t, n, err);
    o->clock = pack_clock_new(p, err);
    if (o->order.next == NULL || o->order.first == NULL || o->order.last == NULL ||
        o->order.after == NULL || o->times.start == NULL || o->end == NULL ||
        o->session_end == NULL || o->placed == NULL || o->left == NULL || o->lanes == NULL ||
        o->jobs == NULL || o->from == NULL || o->line == NULL || o->clock == NULL)
        return NULL;
    return o;
}

/* --- sensible orders: jobs are placed one after the other --- */

static bool ready(const struct pack_problem *p, const struct pack_orders *o, size_t job)
{
    for (size_t a = 0; a < p->jobs[job].after_count; a++)
        if (!o->placed[p->jobs[job].after[a]])
            return false;
    return true;
}

/* Does a go before b? `rule` 0: stay in the session at hand; then what must be done soonest. 1:
 * that alone. 2: stay, then in the order of the dependencies. */
static bool goes_before(const struct pack_problem *p, const struct packing *k, size_t a,
                        size_t b, size_t at_hand, int rule)
{
    bool stays_a = k->session_of[a] == at_hand, stays_b = k->session_of[b] == at_hand;

    if (rule != 1 && stays_a != stays_b)
        return stays_a;
    if (rule != 2 && p->latest[a] != p->latest[b])
        return p->latest[a] < p->latest[b];
    return p->rank[a] < p->rank[b];
}

/* Put a job at the end of its session, and open that in a free lane if it is the first. */
static void place(const struct pack_problem *p, struct pack_orders *o, const struct packing *k,
                  size_t job, size_t *open)
{
    size_t s = k->session_of[job], lane = PACK_NONE;
    const struct pack_way *way = pack_way_of(p, job, k->set_of[s]);
    double at = 0;

    if (o->order.first[s] == PACK_NONE) {
        if (p->limits.parallel > 0 && *open >= p->limits.parallel) {
            for (size_t t = 0; t < k->sessions; t++)
                if (o->lanes[t] == 1 && o->left[t] == 0 &&
                    (lane == PACK_NONE || o->session_end[t] < o->session_end[lane]))
                    lane = t;
            o->lanes[lane] = 0;
            at = o->session_end[lane];
        } else {
            (*open)++;
        }
        o->lanes[s] = 1;
        o->order.after[s] = lane;
        o->order.first[s] = job;
        at += way->setup_h;
    } else {
        o->order.next[o->order.last[s]] = job;
        at = o->session_end[s];
    }
    for (size_t a = 0; a < p->jobs[job].after_count; a++)
        at = fmax(at, o->end[p->jobs[job].after[a]]);
    o->order.last[s] = job;
    o->order.next[job] = PACK_NONE;
    o->end[job] = o->session_end[s] = at + way->hours;
    o->placed[job] = true;
    o->left[s]--;
}

/* Is there a place for one more session? */
static bool room(const struct pack_problem *p, const struct pack_orders *o,
                 const struct packing *k, size_t open)
{
    if (p->limits.parallel == 0 || open < p->limits.parallel)
        return true;
    for (size_t t = 0; t < k->sessions; t++)
        if (o->lanes[t] == 1 && o->left[t] == 0)
            return true;
    return false;
}

static bool line_up(const struct pack_problem *p, struct pack_orders *o,
                    const struct packing *k, int rule)
{
    size_t open = 0, at_hand = PACK_NONE;

    for (size_t s = 0; s < k->sessions; s++) {
        o->order.first[s] = o->order.last[s] = o->order.after[s] = PACK_NONE;
        o->left[s] = o->lanes[s] = 0;
    }
    for (size_t j = 0; j < p->job_count; j++) {
        o->placed[j] = false;
        o->left[k->session_of[j]]++;
    }
    for (size_t i = 0; i < p->job_count; i++) {
        bool more = room(p, o, k, open);
        size_t chosen = PACK_NONE;

        for (size_t j = 0; j < p->job_count; j++) {
            bool opens = o->order.first[k->session_of[j]] == PACK_NONE;

            if (o->placed[j] || (opens && !more) || !ready(p, o, j))
                continue;
            if (chosen == PACK_NONE || goes_before(p, k, j, chosen, at_hand, rule))
                chosen = j;
        }
        if (chosen == PACK_NONE)
            return false; /* all that could go on waits for a session that finds no place */
        place(p, o, k, chosen, &open);
        at_hand = k->session_of[chosen];
    }
    return true;
}

bool pack_order_quick(struct pack_problem *p, struct pack_orders *o, const struct packing *k,
                      struct pack_times *out)
{
    bool found = false;

    for (int rule = 0; rule < 3; rule++) {
        double least;

        if (!line_up(p, o, k, rule) || !pack_time(p, o->clock, k, &o->order, &o->times, &least))
            continue;
        if (!found || o->times.usd < out->usd - PACK_SAME)
            times_copy(p, &o->times, out);
        found = true;
    }
    return found;
}

/* --- all orders --- */

/* Is it settled that nothing better is to be found, or may be looked for? */
static bool done(const struct pack_problem *p, struct pack_orders *o)
{
    if (o->found && o->best->usd <= o->enough + PACK_SAME)
        return true;
    o->cut |= p->steps == 0;
    return o->cut;
}

static void try_order(struct pack_problem *p, struct pack_orders *o, const struct packing *k)
{
    double least;

    for (size_t s = 0; s < k->sessions; s++) {
        size_t to = o->from[s + 1];

        o->order.first[s] = o->jobs[o->from[s]];
        o->order.last[s] = o->jobs[to - 1];
        for (size_t i = o->from[s]; i < to; i++)
            o->order.next[o->jobs[i]] = i + 1 < to ? o->jobs[i + 1] : PACK_NONE;
    }
    if (!pack_time(p, o->clock, k, &o->order, &o->times, &least))
        return;
    o->least = fmin(o->least, least);
    if (!o->found || o->times.usd < o->best->usd - PACK_SAME)
        times_copy(p, &o->times, o->best);
    o->found = true;
}

static void swap(size_t *a, size_t *b)
{
    size_t kept = *a;

    *a = *b;
    *b = kept;
}

/* Every order of the jobs from `at` on, within their session, that keeps the dependencies. */
static void permute(struct pack_problem *p, struct pack_orders *o, const struct packing *k,
                    size_t session, size_t at)
{
    while (session < k->sessions && at == o->from[session + 1])
        session++;
    if (session == k->sessions) {
        try_order(p, o, k);
        return;
    }
    for (size_t i = at; i < o->from[session + 1] && !done(p, o); i++) {
        bool first = true;

        for (size_t b = at; b < o->from[session + 1]; b++)
            first &= b == i || !p->before[o->jobs[b] * p->job_count + o->jobs[i]];
        if (!first)
            continue;
        swap(&o->jobs[at], &o->jobs[i]);
        permute(p, o, k, session, at + 1);
        swap(&o->jobs[at], &o->jobs[i]);
    }
}

/* Every way to queue the sessions in lanes: the session at `at` of the line opens a lane or
 * follows one that nobody follows. */
static void queue(struct pack_problem *p, struct pack_orders *o, const struct packing *k,
                  size_t at, size_t lanes)
{
    if (at == k->sessions) {
        permute(p, o, k, 0, 0);
        return;
    }
    for (size_t i = at; i < k->sessions && !done(p, o); i++) {
        swap(&o->line[at], &o->line[i]);
        if (lanes < p->limits.parallel) {
            o->order.after[o->line[at]] = PACK_NONE;
            queue(p, o, k, at + 1, lanes + 1);
        }
        for (size_t b = 0; b < at; b++) {
            size_t before = o->line[b];

            if (o->lanes[before] != 0)
                continue;
            o->lanes[before] = 1;
            o->order.after[o->line[at]] = before;
            queue(p, o, k, at + 1, lanes);
            o->lanes[before] = 0;
        }
        swap(&o->line[at], &o->line[i]);
    }
}

/* With no more sessions than may run at once, and none waiting for another, each is on its own:
 * then the job that must be done first goes first, and when that fails everything does. */
static bool quick_is_all(const struct pack_problem *p, const struct packing *k)
{
    if (p->limits.parallel > 0 && k->sessions > p->limits.parallel)
        return false;
    for (size_t j = 0; j < p->job_count; j++)
        for (size_t a = 0; a < p->jobs[j].after_count; a++)
            if (k->session_of[p->jobs[j].after[a]] != k->session_of[j])
                return false;
    return true;
}

bool pack_order_all(struct pack_problem *p, struct pack_orders *o, const struct packing *k,
                    double enough, struct pack_times *out, double *least)
{
    size_t at = 0;

    o->best = out;
    o->enough = enough;
    o->least = INFINITY;
    o->cut = false;
    o->found = pack_order_quick(p, o, k, out);
    if (quick_is_all(p, k)) {
        *least = o->found ? out->usd : INFINITY;
        return o->found;
    }
    for (size_t s = 0; s < k->sessions; s++) {
        o->line[s] = s;
        o->lanes[s] = 0;
        o->order.after[s] = PACK_NONE;
        o->from[s] = at;
        for (size_t j = 0; j < p->job_count; j++)
            if (k->session_of[j] == s)
                o->jobs[at++] = j;
    }
    o->from[k->sessions] = at;
    if (p->limits.parallel > 0 && k->sessions > p->limits.parallel)
        queue(p, o, k, 0, 0);
    else
        permute(p, o, k, 0, 0);
    *least = o->found && out->usd <= enough + PACK_SAME ? out->usd
             : o->cut                                   ? enough
                                                        : fmax(o->least, enough);
    return o->found;
}
