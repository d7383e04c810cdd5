/* plan - where, on what, how and when to run a job. */
#include "op/plan.h"

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    (void)ctx;
    (void)in;
    (void)out;
    return error_fail(err, ERROR_INPUT, "plans are not there yet");
}

const struct op op_plan = {
    .name = "plan",
    .schema = "stint.plan/1",
    .summary = "find the cheapest honest way to run a job, and why",
    .request = &plan_request_fields,
    .result = &plan_result_fields,
    .run = run,
};
