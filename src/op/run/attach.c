/* `attach`: a process that runs already, under a meter. */
#include <unistd.h>

#include "op/context.h"
#include "op/op.h"
#include "op/run/run.h"

/* Whoever waits for metering to begin reads there why it does not. */
static void report_refusal(int64_t fd, const struct error *why, const struct alloc *alloc)
{
    struct buf line = buf_new(alloc, 4096);
    struct error ignored;

    if (fd <= STDERR_FILENO || fd > INT32_MAX)
        return;
    op_write_error(why, &line);
    buf_char(&line, '\n');
    if (buf_ok(&line, &ignored))
        (void)!write((int)fd, line.at, line.len);
    buf_free(&line);
}

static bool attach(struct op_context *ctx, const void *request_in, void *result_out,
                   struct error *err)
{
    struct run_request request = *(const struct run_request *)request_in;
    struct run_result *res = result_out;
    struct attach_target target;
    bool ok;

    if (!attach_find(request.pid, request.ancestor, ctx->arena, &target, err)) {
        report_refusal(request.ready_fd, err, ctx->arena->alloc);
        return false;
    }
    request.command = target.command;
    ok = run_supervised(ctx, &request, &target, res, err);
    if (!ok && !target.announced)
        report_refusal(request.ready_fd, err, ctx->arena->alloc);
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
    .changes = true,
    .own_process = true,
    .run = attach,
};
