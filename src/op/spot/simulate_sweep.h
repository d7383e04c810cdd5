/* simulate_sweep.h - the parts of the operation `simulate`, for each other. */
#ifndef OP_SPOT_SIMULATE_SWEEP_H
#define OP_SPOT_SIMULATE_SWEEP_H

#include "op/spot/simulate.h"

struct op_context; /* op/context.h */

/* Fill in what the file of the request's job has: work, start, prices, deadline, checkpoints;
 * without traces, a model of them. */
bool sweep_job(struct op_context *ctx, struct sweep *s, struct simulate_request *request,
               struct error *err) MUST_USE;

/* The first run, tick by tick, under each policy that was asked for. */
bool sweep_timeline(const struct sweep *s, struct simulate_result *res,
                    struct error *err) MUST_USE;

/* Run it as an array of Slurm jobs. True with `res->submitted` or `res->script` set when there
 * is nothing to wait for; else the parts are in `folder`. */
bool sweep_slurm(const struct op_context *ctx, const struct sweep *s,
                 struct simulate_result *res, const char **folder, struct error *err) MUST_USE;

/* Remove the parts from a folder that the user did not name. */
void sweep_slurm_clean(const struct sweep *s, const char *folder);

#endif
