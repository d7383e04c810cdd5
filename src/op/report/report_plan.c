/* A report of a saved plan: what the work is going to cost. */
#include "op/context.h"
#include "op/report/report.h"
#include "plan/file.h"
#include "report/work_source.h"

bool op_report_plan(struct op_context *ctx, const struct report_request *req,
                    struct report *out, struct error *err)
{
    struct report_work *work = arena_array(ctx->arena, struct report_work, 1, err);
    struct plan_result *plan = arena_array(ctx->arena, struct plan_result, 1, err);

    if (work == NULL || plan == NULL || !plan_file_read(req->plan, ctx->arena, plan, err))
        return false;
    if (plan->plans.len == 0)
        return error_fail_hint(err, ERROR_INPUT, "'stint plan JOB --save PLAN.json' writes one",
                               "%.*s: no plan on machines with GPUs in it", STR_ARG(req->plan));
    if (!work_of_plan(plan, ctx->arena, work, err) || !op_work_find_gpu(ctx, work, err))
        return false;
    if (work->gpu != NULL)
        work->gpu_memory_total = work->gpu->memory_gb * 1e9;
    op_work_add_given(req, work);
    out->kind = STR("plan");
    out->title = plan->name;
    return op_work_report(ctx, work, out, err);
}
