/* saved_plan.h - what a file comes to that 'stint plan JOB --save FILE' wrote. */
#ifndef OP_PLAN_SAVED_PLAN_H
#define OP_PLAN_SAVED_PLAN_H

#include "op/plan/plan_one.h"

/* A file whose name ends in .json is a saved plan; any other is a job, and is planned. Plans of
 * another schema than ours are refused. */
bool saved_plan_cost(struct op_context *ctx, struct str file, struct plan_cost *out,
                     struct error *err) MUST_USE;

#endif
