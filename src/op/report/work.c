/* What reports of pieces of work have in common. */
#include <math.h>

#include "op/context.h"
#include "op/report/report.h"
#include "op/work_compare.h"

bool op_work_find_gpu(struct op_context *ctx, struct report_work *work, struct error *err)
{
    enum name_match match;

    if (work->gpu_name.len == 0)
        return true;
    if (!op_catalog(ctx, TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES), err))
        return false;
    work->gpu = accelerator_search(&ctx->catalog, work->gpu_name, &match);
    return true;
}

void op_work_add_given(const struct report_request *req, struct report_work *work)
{
    if (req->model_size.n != BYTES_UNKNOWN.n)
        work->model_bytes = (double)req->model_size.n;
    if (!isnan(req->parameters))
        work->parameters = req->parameters;
    if (req->inference_time.ns >= 0)
        work_inference_given((double)req->inference_time.ns / 1e9, &work->inference);
}

bool op_work_report(struct op_context *ctx, const struct report_work *work,
                    struct report *report, struct error *err)
{
    struct work_facts *f = arena_array(ctx->arena, struct work_facts, 1, err);

    if (f == NULL)
        return false;
    f->work = *work;
    report->demo = ctx->demo;
    return op_work_compare(ctx, work, &f->comparison, &f->no_options, err) &&
           work_report(f, report, err);
}
