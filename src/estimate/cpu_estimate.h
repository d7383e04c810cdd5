/* cpu_estimate.h - what training takes on a machine without an accelerator: of small models.
 *
 * As rough as cpu_step.h: the time of a step is within a factor of two, until it was learned
 * from runs there.
 */
#ifndef ESTIMATE_CPU_ESTIMATE_H
#define ESTIMATE_CPU_ESTIMATE_H

#include "estimate/job_estimate.h"

struct cpu_host {
    struct str name;    /* of the processor: what is learned is looked up by it */
    double cores;       /* processors, as Linux counts them */
    double fp32_gflops; /* of each, at most */
    double watts;       /* of each, when it is busy; NaN: not known */
    double memory;      /* bytes */
};

/* The job must be resolved. Sets of the estimate what a run is compared with: key, time of a
 * step, steps, hours, compute and energy; the GPU's name is that of the processor, and its
 * memory is not predicted. ERROR_INPUT for a job that is not trained so: it is too large, or
 * more than plain training. */
bool estimate_on_cpu(const struct job *job, const struct cpu_host *host,
                     const struct catalog *catalog, const struct constants *constants,
                     struct arena *arena, struct estimate *out, struct error *err) MUST_USE;

#endif
