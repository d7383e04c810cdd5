/* When jobs run, once it is decided which run together and in which order.
 *
 * Everything that must hold says that one start is at least so much after another: a network.
 * Its earliest times are found by raising starts until all of it holds. What then costs too
 * much is sessions that wait inside: they are started later, together with whatever that
 * pushes, as long as it saves money. Costs are convex in the starts (but for billing in steps),
 * so that this ends at the least. */
#include <math.h>

#include "plan/pack_internal.h"

/* The order of jobs within sessions, and the session whose machines' place another takes when
 * only so many may run at once. */
struct pack_order {
    size_t *next;         /* job after a job in its session; PACK_NONE: the last */
    size_t *first, *last; /* job of each session */
    size_t *after; /* session that must have ended before a session starts; PACK_NONE: none */
};

#define WAITS_MOST 8    /* waiting sessions whose every combination is tried */
#define SHIFTS_MOST 200 /* rounds; each closes a gap or meets a limit */
#define CAPS_MOST 2000  /* combinations of billed lengths that are tried */

/* start[to] >= start[from] + by; job_count is the moment zero. */
struct edge {
    size_t from, to;
    double by;
};

struct pack_clock {
    struct edge *edges;
    size_t count;
    double *start, *kept;
    bool *moved;
    size_t *waits;
    struct pack_session *sessions;
    double *cap; /* of a session's length */
    bool capped; /* sessions billed in steps are paid up to their caps, so that waiting in them
                  * is free */
    size_t tries;
};

static struct pack_clock *pack_clock_new(struct pack_problem *p, struct error *err)
{
    struct pack_clock *c = arena_array(p->arena, struct pack_clock, 1, err);
    size_t n = p->job_count;

    if (c == NULL)
        return NULL;
    c->edges = arena_array(p->arena, struct edge, p->edges + 4 * n + 1, err);
    c->start = arena_array(p->arena, double, n + 1, err);
    c->kept = arena_array(p->arena, double, n + 1, err);
    c->moved = arena_array(p->arena, bool, n + 1, err);
    c->waits = arena_array(p->arena, size_t, n + 1, err);
    c->sessions = arena_array(p->arena, struct pack_session, n + 1, err);
    c->cap = arena_array(p->arena, double, n + 1, err);
    if (c->edges == NULL || c->start == NULL || c->kept == NULL || c->moved == NULL ||
        c->waits == NULL || c->sessions == NULL || c->cap == NULL)
        return NULL;
    return c;
}

static double packed_job_hours(const struct pack_problem *p, const struct packing *k,
                               size_t job)
{
    return pack_way_of(p, job, k->set_of[k->session_of[job]])->hours;
}

static void add_edge(struct pack_clock *c, size_t from, size_t to, double by)
{
    c->edges[c->count++] = (struct edge){from, to, by};
}

/* What holds in a session: its start, its order, its length. */
static void add_session(const struct pack_problem *p, struct pack_clock *c,
                        const struct packing *k, const struct pack_order *order, size_t session)
{
    size_t first = order->first[session], last = order->last[session];
    size_t after = order->after[session], zero = p->job_count;
    double setup = c->sessions[session].setup;

    if (after == PACK_NONE)
        add_edge(c, zero, first, setup);
    else
        add_edge(c, order->last[after], first,
                 packed_job_hours(p, k, order->last[after]) + setup);
    for (size_t job = first; order->next[job] != PACK_NONE; job = order->next[job])
        add_edge(c, job, order->next[job], packed_job_hours(p, k, job));
    if (first != last && c->cap[session] < INFINITY)
        add_edge(c, last, first, packed_job_hours(p, k, last) + setup - c->cap[session]);
}

static void build(const struct pack_problem *p, struct pack_clock *c, const struct packing *k,
                  const struct pack_order *order)
{
    size_t zero = p->job_count;

    c->count = 0;
    for (size_t s = 0; s < k->sessions; s++)
        add_session(p, c, k, order, s);
    for (size_t j = 0; j < p->job_count; j++) {
        for (size_t a = 0; a < p->jobs[j].after_count; a++)
            add_edge(c, p->jobs[j].after[a], j, packed_job_hours(p, k, p->jobs[j].after[a]));
        if (p->jobs[j].deadline_h < INFINITY)
            add_edge(c, j, zero, packed_job_hours(p, k, j) - p->jobs[j].deadline_h);
    }
}

/* The earliest starts; false when there are none. */
static bool earliest(const struct pack_problem *p, struct pack_clock *c)
{
    size_t zero = p->job_count;

    for (size_t j = 0; j <= zero; j++)
        c->start[j] = 0;
    for (size_t pass = 0; pass <= zero + 1; pass++) {
        bool changed = false;

        for (size_t i = 0; i < c->count; i++) {
            const struct edge *e = &c->edges[i];

            if (c->start[e->from] + e->by > c->start[e->to] + PACK_SAME) {
                if (e->to == zero)
                    return false;
                c->start[e->to] = c->start[e->from] + e->by;
                changed = true;
            }
        }
        if (!changed)
            return true;
    }
    return false; /* they raise each other for ever */
}

static double packed_session_length(const struct pack_problem *p, const struct pack_clock *c,
                                    const struct packing *k, const struct pack_order *order,
                                    size_t session)
{
    size_t first = order->first[session], last = order->last[session];

    return c->start[last] + packed_job_hours(p, k, last) - c->start[first] +
           c->sessions[session].setup;
}

/* Everything that must start later when these do. False when something may not. */
static bool spread_sessions(const struct pack_problem *p, struct pack_clock *c)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (size_t i = 0; i < c->count; i++) {
            const struct edge *e = &c->edges[i];

            if (c->moved[e->from] && !c->moved[e->to] &&
                c->start[e->to] - c->start[e->from] - e->by < PACK_SAME)
                changed = c->moved[e->to] = true;
        }
    }
    return !c->moved[p->job_count];
}

/* May a session be billed for waiting, in steps? */
static bool stepped(const struct pack_session *s)
{
    return s->jobs > 1 && s->step > 0;
}

/* What an hour of starting those later saves, and for how long it does. */
static double gain_of(const struct pack_problem *p, const struct pack_clock *c,
                      const struct packing *k, const struct pack_order *order, double *by)
{
    double gain = 0;

    *by = INFINITY;
    for (size_t i = 0; i < c->count; i++) {
        const struct edge *e = &c->edges[i];

        if (c->moved[e->from] && !c->moved[e->to])
            *by = fmin(*by, c->start[e->to] - c->start[e->from] - e->by);
    }
    for (size_t s = 0; s < k->sessions; s++) {
        bool shorter = c->moved[order->first[s]], longer = c->moved[order->last[s]];
        double over = packed_session_length(p, c, k, order, s) - c->sessions[s].minimum;

        if (c->capped && stepped(&c->sessions[s]))
            continue;
        if (shorter && !longer && over > PACK_SAME) {
            gain += c->sessions[s].rate;
            *by = fmin(*by, over);
        } else if (longer && !shorter && over > -PACK_SAME) {
            gain -= c->sessions[s].rate;
        } else if (longer && !shorter) {
            *by = fmin(*by, -over);
        }
    }
    return gain;
}

/* The first jobs of sessions that wait inside: only when these start later is anything
 * saved. */
static size_t find_waits(const struct pack_problem *p, struct pack_clock *c,
                         const struct packing *k, const struct pack_order *order)
{
    size_t count = 0;

    for (size_t s = 0; s < k->sessions; s++)
        if (packed_session_length(p, c, k, order, s) >
            c->sessions[s].setup + c->sessions[s].work + PACK_SAME)
            c->waits[count++] = order->first[s];
    return count;
}

/* Start a group later, the one that saves most an hour; false when none saves anything. */
static bool shift(struct pack_problem *p, struct pack_clock *c, const struct packing *k,
                  const struct pack_order *order)
{
    size_t n = p->job_count, waits = find_waits(p, c, k, order);
    size_t groups = waits <= WAITS_MOST ? ((size_t)1 << waits) - 1 : waits;
    double best = PACK_SAME, best_by = 0;

    for (size_t g = 0; g < groups; g++) {
        double gain, by;

        for (size_t j = 0; j <= n; j++)
            c->moved[j] = false;
        for (size_t i = 0; i < waits; i++)
            c->moved[c->waits[i]] = waits <= WAITS_MOST ? ((g + 1) >> i & 1) != 0 : i == g;
        p->steps -= p->steps > 0;
        if (!spread_sessions(p, c))
            continue;
        gain = gain_of(p, c, k, order, &by);
        if (gain > best && by > PACK_SAME && by < INFINITY) {
            best = gain;
            best_by = by;
            for (size_t j = 0; j <= n; j++)
                c->kept[j] = c->start[j] + (c->moved[j] ? by : 0);
        }
    }
    if (best_by <= 0)
        return false;
    for (size_t j = 0; j <= n; j++)
        c->start[j] = c->kept[j];
    return true;
}

/* The cheapest times under the caps, for billing without steps. */
static bool settle_times(struct pack_problem *p, struct pack_clock *c, const struct packing *k,
                         const struct pack_order *order)
{
    build(p, c, k, order);
    p->steps -= p->steps > 0;
    if (!earliest(p, c))
        return false;
    for (int i = 0; i < SHIFTS_MOST && shift(p, c, k, order); i++)
        ;
    return true;
}

/* Keep the times if they are the cheapest. `plain`: what no times cost less than, when these
 * are the best for billing without steps. */
static void keep_times(const struct pack_problem *p, const struct pack_clock *c,
                       const struct packing *k, const struct pack_order *order,
                       struct pack_times *out, double *plain)
{
    double cost = 0, hours = 0, smooth = 0, no_wait = 0;

    for (size_t s = 0; s < k->sessions; s++) {
        double length = packed_session_length(p, c, k, order, s);
        const struct pack_session *session = &c->sessions[s];

        cost += session_usd(session, length);
        smooth += session->rate * fmax(length, session->minimum) + session->fixed;
        no_wait += session_usd(session, session->setup + session->work);
    }
    *plain = fmax(smooth, no_wait);
    for (size_t j = 0; j < p->job_count; j++)
        hours = fmax(hours, c->start[j] + packed_job_hours(p, k, j));
    if (cost < out->usd - PACK_SAME) {
        out->usd = cost;
        out->hours = hours;
        for (size_t j = 0; j < p->job_count; j++)
            out->start[j] = c->start[j];
    }
}

/* What all sessions cost at least, when those up to this one are as long as their caps. */
static double capped_usd(const struct pack_clock *c, size_t sessions, size_t upto)
{
    double sum = 0;

    for (size_t t = 0; t < sessions; t++) {
        const struct pack_session *s = &c->sessions[t];

        sum += session_usd(s, t <= upto && stepped(s) ? c->cap[t] : s->setup + s->work);
    }
    return sum;
}

/* Billing in steps: try lengths of sessions that are just billed, shortest first, session by
 * session. False when there were too many to try. */
static bool try_caps(struct pack_problem *p, struct pack_clock *c, const struct packing *k,
                     const struct pack_order *order, size_t session, struct pack_times *out)
{
    const struct pack_session *s = &c->sessions[session];
    double longest = c->cap[session], cap, plain;
    bool all = true;

    if (session == k->sessions) {
        if (settle_times(p, c, k, order))
            keep_times(p, c, k, order, out, &plain);
        return true;
    }
    if (!stepped(s))
        return try_caps(p, c, k, order, session + 1, out);
    /* The longest that is billed as if nothing waited: under a minimum that is no multiple of a
     * step, the step before it. */
    cap = fmax(ceil((s->setup + s->work) / s->step - PACK_SAME),
               floor(s->minimum / s->step + PACK_SAME)) *
          s->step;
    while (all) {
        c->cap[session] = fmin(cap, longest);
        if (capped_usd(c, k->sessions, session) >= out->usd - PACK_SAME)
            break;
        all = c->tries > 0;
        if (!all)
            break;
        c->tries--;
        all = try_caps(p, c, k, order, session + 1, out);
        if (cap >= longest)
            break;
        cap = (floor(cap / s->step + PACK_SAME) + 1) * s->step;
    }
    c->cap[session] = longest;
    return all;
}

/* The cheapest times in this order; false when there are none. `least`: no times in this order
 * cost less (it may be below what was found where billing is in steps). */
static bool pack_time(struct pack_problem *p, struct pack_clock *c, const struct packing *k,
                      const struct pack_order *order, struct pack_times *out, double *least)
{
    double plain;

    for (size_t s = 0; s < k->sessions; s++) {
        c->sessions[s] = (struct pack_session){0};
        c->cap[s] = p->limits.session_h;
    }
    for (size_t j = 0; j < p->job_count; j++) {
        size_t s = k->session_of[j];

        if (!session_add(p, &c->sessions[s], k->set_of[s], j))
            return false;
    }
    c->capped = false;
    out->usd = INFINITY;
    *least = INFINITY;
    if (!settle_times(p, c, k, order))
        return false;
    keep_times(p, c, k, order, out, &plain);
    *least = plain;
    if (out->usd > plain + PACK_SAME) {
        c->tries = CAPS_MOST;
        c->capped = true;
        if (try_caps(p, c, k, order, 0, out))
            *least = out->usd;
    }
    return true;
}

/* ---- in which order the jobs of a packing run: a few sensible ones, or all ---- */

struct pack_orders {
    struct pack_order order;
    struct pack_clock *clock;
    struct pack_times times; /* of the order at hand */
    double *end;             /* of each job, and of each session */
    double *session_end;
    bool *placed;
    size_t *left;  /* jobs of a session that are not placed */
    size_t *lanes; /* sessions whose place is not taken yet */
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
static void place_packed_job(const struct pack_problem *p, struct pack_orders *o,
                             const struct packing *k, size_t job, size_t *open)
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
static bool has_pack_room(const struct pack_problem *p, const struct pack_orders *o,
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
        bool more = has_pack_room(p, o, k, open);
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
        place_packed_job(p, o, k, chosen, &open);
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
 * follows one that none follows. */
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
