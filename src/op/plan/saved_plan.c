/* What a saved plan comes to. */
#include "op/plan/saved_plan.h"

#include "plan/file.h"

bool saved_plan_cost(struct op_context *ctx, struct str file, struct plan_cost *out,
                     struct error *err)
{
    struct plan_result *plan;
    const struct plan_row *best;

    if (!str_ends(file, STR(".json")))
        return plan_one_cost(ctx, file, out, err);
    plan = arena_array(ctx->arena, struct plan_result, 1, err);
    if (plan == NULL || !plan_file_read(file, ctx->arena, plan, err))
        return false;
    best = plan->plans.at;
    if (plan->plans.len == 0 || best->cost.nano == MONEY_UNKNOWN)
        return error_fail(err, ERROR_INPUT, "%.*s: the plan does not say what it costs",
                          STR_ARG(file));
    *out = (struct plan_cost){
        .name = plan->name,
        .cost = money_from_usd(best->cost),
        .unit = plan->unit,
        .experiment = plan->experiment,
    };
    return true;
}
