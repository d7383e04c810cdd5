/* trials.h - a hyper-parameter search: how much work a scheme is, and how long it takes.
 *
 * Amounts are of full runs: a trial that is stopped after a ninth of its data is 1/9.
 */
#ifndef PLAN_TRIALS_H
#define PLAN_TRIALS_H

#include "job/job.h"

enum trials_scheme { TRIALS_GRID, TRIALS_RANDOM, TRIALS_ASHA, TRIALS_SCHEMES };

extern const char *const trials_scheme_names[]; /* ends with NULL */

struct trials {
    int64_t count; /* settings that are tried */
    enum trials_scheme scheme;
    double fraction; /* of a full run that a trial takes at most: 1 unless said */
    double keep;     /* asha: one in so many goes on from rung to rung (3) */
    double first;    /* asha: share of a trial at the first rung (1/9) */
};

/* What a job asks for; count 0 when it asks for no search. */
struct trials trials_of(const struct job *job);

struct trials_need {
    double work; /* full runs of machine time, over all trials */
    double span; /* full runs of time until the last ends, with `parallel` at once */
    int64_t rungs;
    double stopped; /* share of the trials that are stopped early */
};

/* With `parallel` sets of machines: trials of one rung are done `parallel` at a time; nobody
 * starts a rung before enough of the one before is done. Never less than one trial long. */
struct trials_need trials_need(const struct trials *t, int64_t parallel);

/* The most trials whose work is within `runs` full runs: what a ceiling of money allows. */
int64_t trials_within(const struct trials *t, double runs);

#endif
