/* plan_write.h - what plan writes besides its answer: --save, --csv, --write-config. */
#ifndef OP_PLAN_PLAN_WRITE_H
#define OP_PLAN_PLAN_WRITE_H

#include "op/plan/plan.h"
#include "plan/planning.h"

struct op_context; /* op/context.h */

bool plan_write(struct op_context *ctx, const struct planning *w, const struct plan *best,
                struct plan_result *res, struct error *err) MUST_USE;

/* Refuses an --output that is for nothing, or that exists and would be replaced. */
bool plan_check_output(struct op_context *ctx, const struct plan_request *request,
                       struct error *err) MUST_USE;

/* The text of the job's file; empty when it is a model's name. */
struct str plan_job_text(struct op_context *ctx, const struct plan_request *request);

#endif
