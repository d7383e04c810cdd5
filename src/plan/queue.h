/* queue.h - which experiment first: expected improvement x value over cost, cheap trials first. */
#ifndef PLAN_QUEUE_H
#define PLAN_QUEUE_H

#include "base/arena.h"

struct queue_job {
    double usd;         /* of the whole run */
    double improvement; /* of the metric, expected if it works, as a share */
    double chance;      /* that it works, 0 to 1 */
    double value;       /* USD of an improvement of 1 (100 %) */
};

/* A stage of an experiment: 5 %, then 25 %, then 100 % of the data. */
struct queue_stage {
    size_t job;
    double share;    /* of the data */
    double usd;      /* of this stage alone */
    double chance;   /* that it is reached */
    double worth;    /* expected value over expected cost, of this stage and what follows */
    double spent;    /* expected, up to and with this stage, of all before it in the order */
    bool affordable; /* within the ceiling, in expectation */
};

/* The order in which to run them: a Gittins-like index, the expected value of going on over the
 * expected cost, best first; stages of one job in order. `ceiling` INFINITY: no limit. */
bool queue_order(const struct queue_job *jobs, size_t count, double ceiling,
                 struct arena *arena, struct queue_stage **out, size_t *stages,
                 struct error *err) MUST_USE;

#endif
