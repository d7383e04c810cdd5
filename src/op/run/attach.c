/* `attach`: a process that runs already, under a meter. */
#include "op/context.h"
#include "op/op.h"
#include "op/run/run.h"

static bool attach(struct op_context *ctx, const void *request_in, void *result_out,
                   struct error *err)
{
    struct run_request request = *(const struct run_request *)request_in;
    struct run_result *res = result_out;
    struct attach_target target;
    bool ok;

    if (!attach_find(request.pid, request.ancestor, ctx->arena, &target, err))
        return false;
    request.command = target.command;
    ok = run_supervised(ctx, &request, &target, res, err);
    attach_release(&target);
    ctx->signal = 0; /* it ended by a signal: we do not */
    if (ok && res->ended.status < 0)
        ctx->status = 0;
    return ok;
}

const struct op op_attach = {
    .name = "attach",
    .schema = "stint.attach/1",
    .summary = "meter a process that is already running",
    .request = &attach_request_fields,
    .result = &run_result_fields,
    .run = attach,
};
