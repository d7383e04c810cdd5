/* simulate_job.h - the options of a simulation that an estimated job answers. */
#ifndef PLAN_SIMULATE_JOB_H
#define PLAN_SIMULATE_JOB_H

#include "estimate/job_estimate.h"
#include "spot/sweep.h"

/* Set what the request leaves open: work, start, deadline and checkpoints of a training job,
 * prices of the machine. ERROR_INPUT when the time or a price is not known. */
bool simulate_job_fill(const struct job *job, const struct estimate *estimate,
                       const struct machine *machine, const struct messages *messages,
                       struct arena *arena, struct simulate_request *request,
                       struct error *err) MUST_USE;

#endif
