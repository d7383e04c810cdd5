/* pack.h - many jobs in few sessions: set-up paid once, deadlines and dependencies kept.
 *
 * A session is one rented set of machines that runs jobs one after the other.
 */
#ifndef PLAN_PACK_H
#define PLAN_PACK_H

#include "plan/plan.h"

/* What a job takes in a place; several per job, one for each place that is worth a look. Of
 * several with the same place and machines the one that costs least to run counts. */
struct pack_way {
    size_t job, place; /* indices */
    int64_t machines;
    double hours;             /* without set-up */
    double setup_h;           /* paid once in a session: the longest of its jobs' */
    double usd_h;             /* of all machines, an hour */
    double usd_fixed;         /* data, storage: paid in any case */
    double minimum_h, step_h; /* of billing: at least, and in steps of (0: as it comes) */
};

struct pack_job {
    const char *name;    /* for messages; NULL: its number */
    double deadline_h;   /* from now; INFINITY: none */
    const size_t *after; /* jobs that must be done before */
    size_t after_count;
};

struct pack_limits {
    double session_h; /* a session lasts at most so long; INFINITY: any */
    size_t parallel;  /* sessions at the same time; 0: any */
};

struct pack_input {
    const struct pack_job *jobs;
    size_t job_count;
    const struct pack_way *ways; /* of all jobs, in any order */
    size_t way_count;
    struct pack_limits limits;
};

struct pack_slot {
    size_t job, session, way;
    double start_h, end_h;
};

struct pack_result {
    struct pack_slot *slots; /* by start */
    size_t slot_count, sessions;
    double usd;       /* of all sessions */
    double alone_usd; /* each job in a session of its own; NaN: they cannot be in time so */
    double hours;     /* until the last is done */
    bool exact;       /* proven least; false: the best that was found (many jobs) */
};

#define PACK_EXACT_JOBS 10 /* so many are tried in every way; more are improved step by step */

/* A session is paid from its set-up to the end of its last job, and so is the time in it that
 * waits for a job elsewhere. Least USD; never more than each job alone. The work is bounded by
 * a count of steps, so that the answer is the same on every machine. ERROR_UNFIT when the
 * deadlines or the length of a session cannot be kept, ERROR_INPUT for a circle of
 * dependencies, a job without a way, and numbers that make no sense. */
bool pack(const struct pack_input *in, struct arena *arena, struct pack_result *out,
          struct error *err) MUST_USE;

/* Do the jobs wait for each other in a circle? ERROR_INPUT, which names it. Only names and what
 * they come after are looked at. */
bool pack_check_after(const struct pack_job *jobs, size_t count, struct arena *arena,
                      struct error *err) MUST_USE;

#endif
