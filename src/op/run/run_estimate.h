/* run_estimate.h - what a run is expected to take, by its job, on the machine that it is on.
 *
 * For supervise(), which asks once the devices are known, or the program has said what its job
 * is. Nothing is fetched, and no server is asked: a run does not wait for its estimate.
 */
#ifndef OP_RUN_RUN_ESTIMATE_H
#define OP_RUN_RUN_ESTIMATE_H

#include "market/run_price.h"
#include "run/supervise/expected.h"

struct op_context; /* op/context.h */

struct run_estimator {
    struct op_context *ctx;
    const struct run_price *price;
};

/* `estimate` of struct supervise_options; `estimator` is a struct run_estimator. */
bool run_estimate(void *estimator, const struct supervise_job *job, struct arena *arena,
                  struct supervise_expected *out, struct error *err) MUST_USE;

#endif
