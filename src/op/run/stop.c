/* stop - ask a run to save and end: on this machine, or through the server that receives it. */
#include "op/run/stop.h"

#include <stdio.h>
#include <unistd.h>

#include "ledger/runs/stop_request.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "run/supervise/inbox.h"

static const struct field request[] = {
    FIELD(TEXT, stop_request, run, .value = "RUN", .operand = true, .required = true,
          .help = "name, id or end of the id, or 'last'"),
};

static const struct field result[] = {
    FIELD(TEXT, stop_result, id, .help = "run ID"),
    FIELD(TEXT, stop_result, name, .help = "run name"),
};

/* "ada on head ('stint stop')", "token ci": who asks, for the record and for the run. */
static bool write_asker(const struct op_context *ctx, struct str *out, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 1024);
    char host[256] = "";

    (void)gethostname(host, sizeof host - 1);
    buf_add(&text, op_user(ctx));
    if (ctx->by.len == 0)
        buf_addf(&text, " on %s ('stint stop')", host);
    return buf_keep(&text, ctx->arena, out, err);
}

/* The server that receives the run passes it on. */
static bool stop_sent(struct op_context *ctx, const struct live_run *row, struct error *err)
{
    struct ledger *ledger = op_ledger(ctx, LEDGER_CHANGE, err);
    struct str by;
    bool ok = ledger != NULL && write_asker(ctx, &by, err) &&
              stop_request_put(ledger, row->run.start.id, by, op_now(ctx), err);

    ledger_close(ledger);
    return ok;
}

/* Directly where it runs here, else through its server. */
static bool stop_row(struct op_context *ctx, const struct live_run *row, struct error *err)
{
    struct error problem = {0};

    if (run_stop(row, &problem))
        return true;
    if (stop_request_reaches(&row->run))
        return stop_sent(ctx, row, err);
    *err = problem;
    return false;
}

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
    row = live_runs_read(ledger, &run, 1, op_now(ctx), ctx->arena, err);
    if (row == NULL || !stop_row(ctx, row, err))
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
