/* compare - runs side by side. */
#include "op/runs/compare.h"

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/remote.h"

static const struct field request[] = {
    FIELD(TEXTS, compare_request, runs, .value = "RUN", .operand = true, .required = true,
          .help = "ids (their ends or starts), names, or 'last'"),
};

/* Runs of others cannot be compared by who may see one team only. */
static bool may_compare(struct op_context *ctx, struct ledger *ledger, const struct strs *runs,
                        struct error *err)
{
    struct ledger_run run;

    for (size_t i = 0; ctx->team.len > 0 && i < runs->len; i++)
        if (!op_find_run(ctx, ledger, runs->at[i], ctx->arena, &run, err))
            return false;
    return true;
}

static bool compare_runs(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct compare_request *req = in;
    struct ledger *ledger;
    bool ok;

    if (req->runs.len < 2 || req->runs.len > COMPARE_MAX) {
        error_set(err, ERROR_USAGE, "compare needs 2 to %d runs, not %zu", COMPARE_MAX,
                  req->runs.len);
        error_hint(err, "'stint runs' lists them; 'stint compare 1a2b3c4d last'");
        return false;
    }
    ledger = op_ledger(ctx, LEDGER_READ, err);
    ok = ledger != NULL && may_compare(ctx, ledger, &req->runs, err) &&
         ledger_compare(ledger, req->runs, ctx->arena, out, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_compare = {
    .name = "compare",
    .schema = "stint.compare/1",
    .summary = "compare runs side by side: settings, usage, cost",
    .remote = OP_READ,
    .team = OP_TEAM_RUN,
    .request = &(const struct field_set)FIELD_SET(struct compare_request, request),
    .result = &comparison_fields,
    .run = compare_runs,
};
