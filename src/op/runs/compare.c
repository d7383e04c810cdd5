/* compare - runs side by side. */
#include "op/runs/compare.h"

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/remote.h"

static const struct field request[] = {
    FIELD(TEXTS, compare_request, runs, .value = "RUN", .operand = true, .required = true,
          .help = "runs: IDs (their ends or starts), names, or 'last'"),
};

/* The ids of these runs, each of which the caller may see. Not looked up by name a second time:
 * a run of another team may have taken the name. */
static bool find_compared(struct op_context *ctx, struct ledger *ledger,
                          const struct strs *runs, struct strs *ids, struct error *err)
{
    struct str *at = arena_array(ctx->arena, struct str, runs->len, err);
    struct ledger_run run;

    for (size_t i = 0; at != NULL && i < runs->len; i++)
        if (!op_find_run(ctx, ledger, runs->at[i], ctx->arena, &run, err) ||
            !str_keep(str_from(run.start.id), ctx->arena, &at[i], err))
            return false;
    *ids = (struct strs){at, runs->len};
    return at != NULL;
}

static bool compare_runs(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct compare_request *req = in;
    struct ledger *ledger;
    struct strs ids;
    bool ok;

    if (req->runs.len < 2 || req->runs.len > COMPARE_MAX) {
        error_set(err, ERROR_USAGE, "compare needs 2 to %d runs, not %zu", COMPARE_MAX,
                  req->runs.len);
        error_hint(err, "'stint runs' lists them; 'stint compare 1a2b3c4d last'");
        return false;
    }
    ledger = op_ledger(ctx, LEDGER_READ, err);
    ok = ledger != NULL && find_compared(ctx, ledger, &req->runs, &ids, err) &&
         runs_compare(ledger, ids, ctx->arena, out, err);
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
