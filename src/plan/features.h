/* features.h - what the prediction of a plan was based on, and what its cost is made of.
 *
 * A run that follows the plan records it: corrections are learned from its outcome, and `stint
 * why` compares its cost with these parts. Pure.
 */
#ifndef PLAN_FEATURES_H
#define PLAN_FEATURES_H

#include "estimate/job_estimate.h"
#include "plan/record.h"

/* What a run that has a job is expected to take itself, without a plan. The machine is there
 * already, and what a job needs around its run (data, storage, repeated work) is not metered. */
struct plan_run {
    usd cost;            /* of all machines; unknown: what they cost is */
    span time;           /* unknown: how much there is to do is */
    struct str features; /* as plan_features() has them */
};

struct plan_run_price {
    usd_per_hour rate;       /* of each machine; unknown */
    usd_per_kwh electricity; /* paid besides, or alone; unknown */
};

bool plan_run_of_estimate(const struct estimate *e, const struct plan_run_price *price,
                          struct arena *arena, struct plan_run *out,
                          struct error *err) MUST_USE;

/* One of the plan's rows as a JSON object, with the exact parts of the cost of all machines. */
bool plan_features(const struct plan_result *plan, const struct plan_row *row,
                   struct arena *arena, struct str *out, struct error *err) MUST_USE;

#endif
