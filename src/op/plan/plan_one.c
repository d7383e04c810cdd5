/* What one job comes to. */
#include "op/plan/plan_one.h"

#include "op/plan/prepare.h"

bool plan_one_cost(struct op_context *ctx, struct str job, struct plan_cost *out,
                   struct error *err)
{
    struct plan_request request;
    struct plan_result res;
    struct plan_work *w = arena_array(ctx->arena, struct plan_work, 1, err);
    struct plan best;

    if (w == NULL || !fields_reset(&plan_request_fields, &request, ctx->arena, err) ||
        !fields_reset(&plan_result_fields, &res, ctx->arena, err) ||
        !plan_prepare(ctx, &request, job, w, err) || !plan_best(&w->planning, &best, err) ||
        !plan_describe(&w->planning, &best, &res, err)) {
        plan_name_job(err, job);
        return false;
    }
    *out = (struct plan_cost){
        .name = res.name,
        .cost = money_from_usd(best.total.expected),
        .unit = res.unit,
        .experiment = res.experiment,
    };
    return true;
}
