/* advise_job.h - a job as facts for rules: read, placed and estimated. */
#ifndef OP_ADVISE_ADVISE_JOB_H
#define OP_ADVISE_ADVISE_JOB_H

#include "advise/rule.h"
#include "job/source.h"

struct op_context; /* op/context.h */

/* On these GPUs ("H100x8") or this offer; where both are empty, on the fewest A100 that hold it,
 * which is noted. */
bool advise_job_facts(struct op_context *ctx, const struct job_source *source, struct str on,
                      struct str offer, struct advise_facts *out, struct error *err) MUST_USE;

#endif
