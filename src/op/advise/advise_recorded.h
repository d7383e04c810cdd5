/* advise_recorded.h - the jobs that recorded runs were, as facts for rules about training. */
#ifndef OP_ADVISE_ADVISE_RECORDED_H
#define OP_ADVISE_ADVISE_RECORDED_H

#include "advise/rules/rule.h"
#include "ledger/runs/learning.h"

struct op_context; /* op/context.h */

#define ADVISE_JOBS_MOST 20 /* works whose jobs are estimated: the most expensive */

/* Give the works their jobs, estimated where their runs ran. What is not advised on, and why,
 * is a note: at most `most` of them. The facts are of this call. */
bool advise_recorded_jobs(struct op_context *ctx, const struct ledger_work_job *jobs,
                          size_t count, struct advise_facts *facts, struct strs *notes,
                          struct error *err) MUST_USE;

#endif
