/* pack_internal.h - what the parts of the packer share. */
#ifndef PLAN_PACK_INTERNAL_H
#define PLAN_PACK_INTERNAL_H

#include "plan/pack.h"

#define PACK_NONE SIZE_MAX
#define PACK_SAME 1e-9 /* amounts and times closer than this are the same */

/* The problem, prepared. Sets of machines are numbered: those of a place and a count. */
struct pack_problem {
    const struct pack_job *jobs;
    const struct pack_way *ways;
    size_t job_count, set_count;
    struct pack_limits limits;
    const size_t *way_of; /* [job * set_count + set]: its way there, or PACK_NONE */
    const double *latest; /* when a job must be done for all that follow to be in time */
    const size_t *rank;   /* place of a job in an order that keeps the dependencies */
    const bool *before;   /* [a * job_count + b]: must a be done before b? */
    size_t edges;         /* dependencies, in all */
    size_t steps;         /* that may still be taken: the measure of work */
    struct arena *arena;
};

/* Which jobs run together, and on what. */
struct packing {
    size_t *session_of; /* of each job */
    size_t *set_of;     /* of each session */
    size_t sessions;
};

/* One session: what it takes when nothing waits. */
struct pack_session {
    double rate, setup, work, minimum, step, fixed;
    size_t jobs;
};

/* Jobs of a packing in time. */
struct pack_times {
    double *start; /* of each job */
    double usd, hours;
};

void times_copy(const struct pack_problem *p, const struct pack_times *from,
                struct pack_times *to);

static inline const struct pack_way *pack_way_of(const struct pack_problem *p, size_t job,
                                                 size_t set)
{
    return &p->ways[p->way_of[job * p->set_count + set]];
}

/* Add a job to a session; false when it has no way there, or the session gets too long. */
bool session_add(const struct pack_problem *p, struct pack_session *s, size_t set, size_t job);

/* What so many hours of it cost, with what is fixed. */
double session_usd(const struct pack_session *s, double hours);

/* --- pack_time.c: when, and in which order --- */

struct pack_orders; /* room */

struct pack_orders *pack_orders_new(struct pack_problem *p, struct error *err) MUST_USE;

/* The best times of a packing that a few sensible orders give. */
bool pack_order_quick(struct pack_problem *p, struct pack_orders *o,
                      const struct packing *packing, struct pack_times *out);

/* The best times of a packing, by trying every order as long as there are steps left. `least`:
 * nothing costs less (INFINITY: it cannot be done). Stops when `enough` is reached. */
bool pack_order_all(struct pack_problem *p, struct pack_orders *o,
                    const struct packing *packing, double enough, struct pack_times *out,
                    double *least);

/* --- pack_exact.c, pack_local.c: which jobs together --- */

/* A good packing of many jobs, and the best in which each is alone. */
struct pack_found {
    struct packing packing;
    struct pack_times times;
    bool found;
};
#endif
