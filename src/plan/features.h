/* features.h - what the prediction of a plan was based on, and what its cost is made of.
 *
 * A run that follows the plan records it: corrections are learned from its outcome, and `stint
 * why` compares its cost with these parts. Pure.
 */
#ifndef PLAN_FEATURES_H
#define PLAN_FEATURES_H

#include "estimate/job_estimate.h"
#include "plan/record.h"

/* What a run is expected to take: by a saved plan that it follows, or by its job. */
struct plan_prediction {
    usd cost, cost_low, cost_high; /* of all its machines */
    span time;
    int64_t machines;           /* that a plan rents; 0: there is none */
    usd_per_hour rate;          /* of all of them */
    usd setup, storage, egress; /* one machine's share of what a plan adds for these */
    struct str features;        /* what it was predicted with: JSON; empty: nothing is timed */
    struct str constants;       /* by which of the estimator's */
    struct str job;             /* as text to keep; the caller sets it. Empty: not known */
};

/* Nothing is expected. */
struct plan_prediction plan_prediction_unknown(void);

/* By one of the plan's rows. The features are a JSON object with the exact parts of the cost of
 * all machines. Texts are kept in the arena. */
bool plan_predict(const struct plan_result *plan, const struct plan_row *row,
                  struct arena *arena, struct plan_prediction *out, struct error *err) MUST_USE;

struct plan_run_price {
    usd_per_hour rate;       /* of each machine; unknown */
    usd_per_kwh electricity; /* paid besides, or alone; unknown */
    double startup_h; /* paid before the work of the job begins; 0: not known, and not in it */
};

/* What the time before the work of a job is called among the parts of its cost. */
#define PLAN_STARTUP_LINE "start-up"

/* Cost, time and features of a run without a plan, by the estimate of its job. The machine is
 * there already, and what a job needs around its run (data, storage, repeated work) is not
 * metered. */
bool plan_run_of_estimate(const struct estimate *e, const struct plan_run_price *price,
                          struct arena *arena, struct plan_prediction *out,
                          struct error *err) MUST_USE;

#endif
