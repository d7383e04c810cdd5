/* What one job comes to. */
#include "op/plan_one.h"

bool plan_one_cost(struct op_context *ctx, struct str job, struct plan_cost *out,
                   struct error *err)
{
    (void)ctx;
    (void)out;
    error_set(err, ERROR_INPUT, "'%.*s' is a job, not a saved plan", STR_ARG(job));
    error_hint(err, "plan it first: stint plan %.*s --save plan.json", STR_ARG(job));
    return false;
}
