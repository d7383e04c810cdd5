/* When jobs run, once it is decided which run together and in which order.
 *
 * Everything that must hold says that one start is at least so much after another: a network.
 * Its earliest times are found by raising starts until all of it holds. What then costs too
 * much is sessions that wait inside: they are started later, together with whatever that
 * pushes, as long as it saves money. Costs are convex in the starts (but for billing in steps),
 * so that this ends at the least. */
#include <math.h>

#include "plan/pack_internal.h"

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

struct pack_clock *pack_clock_new(struct pack_problem *p, struct error *err)
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

static double hours_of(const struct pack_problem *p, const struct packing *k, size_t job)
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
        add_edge(c, order->last[after], first, hours_of(p, k, order->last[after]) + setup);
    for (size_t job = first; order->next[job] != PACK_NONE; job = order->next[job])
        add_edge(c, job, order->next[job], hours_of(p, k, job));
    if (first != last && c->cap[session] < INFINITY)
        add_edge(c, last, first, hours_of(p, k, last) + setup - c->cap[session]);
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
            add_edge(c, p->jobs[j].after[a], j, hours_of(p, k, p->jobs[j].after[a]));
        if (p->jobs[j].deadline_h < INFINITY)
            add_edge(c, j, zero, hours_of(p, k, j) - p->jobs[j].deadline_h);
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

static double length_of(const struct pack_problem *p, const struct pack_clock *c,
                        const struct packing *k, const struct pack_order *order, size_t session)
{
    size_t first = order->first[session], last = order->last[session];

    return c->start[last] + hours_of(p, k, last) - c->start[first] + c->sessions[session].setup;
}

/* Everything that must start later when these do. False when something may not. */
static bool spread(const struct pack_problem *p, struct pack_clock *c)
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
        double over = length_of(p, c, k, order, s) - c->sessions[s].minimum;

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
        if (length_of(p, c, k, order, s) >
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
        if (!spread(p, c))
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
static bool settle(struct pack_problem *p, struct pack_clock *c, const struct packing *k,
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
static void keep(const struct pack_problem *p, const struct pack_clock *c,
                 const struct packing *k, const struct pack_order *order,
                 struct pack_times *out, double *plain)
{
    double cost = 0, hours = 0, smooth = 0, no_wait = 0;

    for (size_t s = 0; s < k->sessions; s++) {
        double length = length_of(p, c, k, order, s);
        const struct pack_session *session = &c->sessions[s];

        cost += session_usd(session, length);
        smooth += session->rate * fmax(length, session->minimum) + session->fixed;
        no_wait += session_usd(session, session->setup + session->work);
    }
    *plain = fmax(smooth, no_wait);
    for (size_t j = 0; j < p->job_count; j++)
        hours = fmax(hours, c->start[j] + hours_of(p, k, j));
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
        if (settle(p, c, k, order))
            keep(p, c, k, order, out, &plain);
        return true;
    }
    if (!stepped(s))
        return try_caps(p, c, k, order, session + 1, out);
    /* The longest that is billed as if nothing waited: under a minimum that is no whole step,
     * the step before it. */
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

bool pack_time(struct pack_problem *p, struct pack_clock *c, const struct packing *k,
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
    if (!settle(p, c, k, order))
        return false;
    keep(p, c, k, order, out, &plain);
    *least = plain;
    if (out->usd > plain + PACK_SAME) {
        c->tries = CAPS_MOST;
        c->capped = true;
        if (try_caps(p, c, k, order, 0, out))
            *least = out->usd;
    }
    return true;
}
