/* trials.h - a hyper-parameter search: how much work a scheme is, and how long it takes.
 *
 * Amounts are of full runs: a trial that is stopped after a ninth of its data is 1/9.
 *
 * Grid and random try every setting to its end: the same work and the same time. They differ in
 * what they find, which nothing here judges.
 *
 * Asha is counted as synchronous successive halving: all trials of a rung are brought to its
 * share of a trial (first, first x keep, first x keep^2, ... and at last the whole), then one
 * in `keep` goes on, rounded down, but never none. A rung of one trial is the last: nothing is
 * left to choose. Asynchronously no machine waits for the end of a rung, so it may end sooner;
 * it promotes some trials that would have been stopped in hindsight, so it may work a little
 * more. */
#ifndef PLAN_TRIALS_H
#define PLAN_TRIALS_H

#include "job/job.h"

enum trials_scheme { TRIALS_GRID, TRIALS_RANDOM, TRIALS_ASHA, TRIALS_SCHEMES };

extern const char *const trials_scheme_names[]; /* ends with NULL */

#define TRIALS_MAX 1000000 /* a job asks for no more */

struct trials {
    int64_t count; /* settings that are tried */
    enum trials_scheme scheme;
    double fraction; /* of a full run that a trial takes at most: 1 unless given */
    double keep;     /* asha: one in so many goes on from rung to rung (3) */
    double first;    /* asha: share of a trial at the first rung (1/9) */
};

/* What a job asks for; count 0 when it asks for no search. Without a scheme it is random. */
struct trials trials_of(const struct job *job);

struct trials_need {
    double work; /* full runs of machine time, over all trials */
    double span; /* full runs of time until the last ends, with `parallel` at once */
    int64_t rungs;
    double stopped; /* share of the trials that are stopped early */
};

/* With `parallel` sets of machines (at least 1): trials of one rung are done `parallel` at a
 * time; none starts a rung before the one before is done. Never less than one trial long.
 * Asha with a `keep` of 1 or less, or a `first` that is not between 0 and 1, stops none. */
struct trials_need trials_need(const struct trials *t, int64_t parallel);

/* The most trials, up to TRIALS_MAX, whose work is within `runs` full runs: what a ceiling of
 * money allows. `t->count` does not matter. */
int64_t trials_within(const struct trials *t, double runs);

#endif
