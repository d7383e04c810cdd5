/* pack.h - many jobs in few sessions: set-up paid once, deadlines and dependencies kept.
 *
 * A session is one rented set of machines that runs jobs one after the other.
 */
#ifndef PLAN_PACK_H
#define PLAN_PACK_H

#include "plan/plan.h"

/* What a job takes in a place; several per job, one for each place that is worth a look. */
struct pack_way {
    size_t job, place; /* indices */
    int64_t machines;
    double hours;             /* without set-up */
    double setup_h;           /* paid once in a session with the same place and machines */
    double usd_h;             /* of all machines, an hour */
    double usd_fixed;         /* data, storage: paid in any case */
    double minimum_h, step_h; /* of billing: at least, and in steps of */
};

struct pack_job {
    double deadline_h;   /* from now; INFINITY: none */
    const size_t *after; /* jobs that must be done before */
    size_t after_count;
};

struct pack_limits {
    double session_h; /* a session lasts at most so long; INFINITY: any */
    size_t parallel;  /* sessions at the same time; 0: any */
};

struct pack_slot {
    size_t job, session, way;
    double start_h, end_h;
};

struct pack_result {
    struct pack_slot *slots; /* by start */
    size_t slot_count, sessions;
    double usd;       /* of all sessions */
    double alone_usd; /* each job in a session of its own, in its cheapest way in time */
    double hours;     /* until the last is done */
    bool exact;       /* proven least; false: the best that was found (many jobs) */
};

/* ERROR_UNFIT when the deadlines cannot be kept, ERROR_INPUT for a circle of dependencies. */
bool pack(const struct pack_job *jobs, size_t job_count, const struct pack_way *ways,
          size_t way_count, const struct pack_limits *limits, struct arena *arena,
          struct pack_result *out, struct error *err) MUST_USE;

#endif
