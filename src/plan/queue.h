/* queue.h - which experiment first: expected improvement x value over cost, cheap trials first.
 *
 * The model. An idea works with some chance, and gives its value at the end of a complete run.
 * It can be tried on a part of the data first: 5 %, then 25 %. A trial stops most of the ideas
 * that do not work and, wrongly, some that do (queue_trials; these shares are judgment, not
 * measured); what goes on pays only for the data that is added. Ideas do not depend on each
 * other, and their values add up.
 *
 * Which trials are worth it is found for each job by looking at every way: none, 5 %, 25 %,
 * both. The best has the highest expected value less expected cost; so what is cheap for its
 * value goes straight to all of the data, because a trial might stop it wrongly. Where no way
 * gives more than it costs, or no value is known, the best has the most expected value for its
 * cost.
 *
 * The order is by the Gittins index: the most, over all rules when to stop, of expected value
 * over expected cost. As the value comes at the end, and a trial that is passed makes it more
 * likely and what is left cheaper, the index only rises while a job goes on: nothing else is
 * better begun in between, so the order is one of jobs. Among all ways to interleave them,
 * whatever the outcomes, it has the greatest expected area under the curve of value found
 * against money spent (a test tries them all). */
#ifndef PLAN_QUEUE_H
#define PLAN_QUEUE_H

#include "base/arena.h"

struct queue_trial {
    double share;      /* of the data */
    double stops_bad;  /* share of the ideas that do not work */
    double stops_good; /* and of those that do */
};

#define QUEUE_TRIALS 2
extern const struct queue_trial queue_trials[QUEUE_TRIALS]; /* 5 %: 60, 10 %; 25 %: 60, 5 % */

/* Assumed where a job does not say. */
#define QUEUE_IMPROVEMENT 0.01
#define QUEUE_CHANCE 0.30

struct queue_job {
    double usd;         /* of the complete run; NaN: not known, which comes last */
    double improvement; /* of the metric, expected if it works, as a share; NaN: assumed */
    double chance;      /* that it works, 0 to 1; NaN: assumed */
    double value;       /* USD of an improvement of 1 (100 %); NaN: not known */
};

/* Do all say what they are worth? If not, all are ranked by improvement for a dollar, since an
 * improvement cannot be compared with dollars; `worth` is in that unit then. */
bool queue_valued(const struct queue_job *jobs, size_t count);

/* A stage of an experiment: 5 %, then 25 %, then 100 % of the data. */
struct queue_stage {
    size_t job;
    double share;  /* of the data */
    double usd;    /* of this stage alone */
    double chance; /* that it is reached */
    double
        worth; /* expected value over expected cost, of this stage and what follows; INFINITY:
                      it costs nothing */
    double
        spent; /* expected, up to and with this stage, by all before it that are affordable */
    bool affordable; /* the complete job, after what those before it are expected to spend */
};

/* The order in which to run them: best index first, then as given; the stages of one job in
 * line. A job that is not within the `ceiling` (INFINITY: none) is passed over: those after it
 * may still be. */
bool queue_order(const struct queue_job *jobs, size_t count, double ceiling,
                 struct arena *arena, struct queue_stage **out, size_t *stages,
                 struct error *err) MUST_USE;

/* Of one job: those that must be done before it. */
struct queue_after {
    const size_t *jobs;
    size_t count;
};

/* Change the order so that no job comes before one that it comes after. A job and what must be
 * done before it are compared with the others together, by their expected value over their
 * expected cost; without any `after` the order stays. What is spent and what is affordable are
 * found again along the new order: a job that waits for one that is not affordable is not
 * either. `after` is by job; circles are the caller's to refuse. */
bool queue_keep_after(struct queue_stage *stages, size_t count, const struct queue_after *after,
                      double ceiling, struct arena *arena, struct error *err) MUST_USE;

#endif
