/* stop - ask a run on this machine to end in good order. */
#include "op/run/stop.h"

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/run/top_rows.h"

static const struct field request[] = {
    FIELD(TEXT, stop_request, run, .value = "RUN", .operand = true, .required = true,
          .help = "its name, its id or the end of it, or 'last'"),
};

static const struct field result[] = {
    FIELD(TEXT, stop_result, id, .help = "of the run"),
    FIELD(TEXT, stop_result, name, .help = "of the run"),
};

static bool ask(struct op_context *ctx, struct ledger *ledger, struct str what,
                struct stop_result *res, struct error *err)
{
    const struct top_run *row;
    struct ledger_run run;

    if (!ledger_find(ledger, what, ctx->arena, &run, err))
        return false;
    if (run.state != RUN_RUNNING) {
        error_set(err, ERROR_FAILED, "'%.*s' does not run: it is %s", STR_ARG(run.start.name),
                  ledger_state_name(run.state));
        error_hint(err, "'stint top' shows what runs");
        return false;
    }
    row = top_rows(ctx, ledger, &run, 1, err);
    if (row == NULL || !top_stop(row, err))
        return false;
    *res = (struct stop_result){.id = row->id, .name = row->name};
    return true;
}

static bool stop(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct stop_request *req = in;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    bool ok = ledger != NULL && ask(ctx, ledger, req->run, out, err);

    ledger_close(ledger);
    return ok;
}

const struct op op_stop = {
    .name = "stop",
    .schema = "stint.stop/1",
    .changes = true,
    .summary = "ask a run to save and exit",
    .request = &(const struct field_set)FIELD_SET(struct stop_request, request),
    .result = &(const struct field_set)FIELD_SET(struct stop_result, result),
    .run = stop,
};
