/* stop - ask a run on this machine to save and end. */
#include "op/run/stop.h"

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "run/supervise/inbox.h"

static const struct field request[] = {
    FIELD(TEXT, stop_request, run, .value = "RUN", .operand = true, .required = true,
          .help = "name, id or end of the id, or 'last'"),
};

static const struct field result[] = {
    FIELD(TEXT, stop_result, id, .help = "of the run"),
    FIELD(TEXT, stop_result, name, .help = "of the run"),
};

static bool stop_found(struct op_context *ctx, struct ledger *ledger, struct str what,
                       struct stop_result *res, struct error *err)
{
    const struct live_run *row;
    struct ledger_run run;

    if (!ledger_find(ledger, what, ctx->arena, &run, err))
        return false;
    if (run.state != RUN_RUNNING) {
        error_set(err, ERROR_FAILED, "'%.*s' is not running: it is %s", STR_ARG(run.start.name),
                  ledger_state_name(run.state));
        error_hint(err, "'stint top' shows what runs");
        return false;
    }
    row = live_runs_read(ledger, &run, 1, ctx->clock->today(ctx->clock->ctx), ctx->arena, err);
    if (row == NULL || !run_stop(row, err))
        return false;
    *res = (struct stop_result){.id = str_from(row->run.start.id), .name = row->run.start.name};
    return true;
}

static bool stop_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct stop_request *req = in;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    bool ok = ledger != NULL && stop_found(ctx, ledger, req->run, out, err);

    ledger_close(ledger);
    return ok;
}

const struct op op_stop = {
    .name = "stop",
    .schema = "stint.stop/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "ask a run to save and exit",
    .request = &(const struct field_set)FIELD_SET(struct stop_request, request),
    .result = &(const struct field_set)FIELD_SET(struct stop_result, result),
    .run = stop_run,
};
