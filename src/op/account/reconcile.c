/* reconcile - which runs the bills were for, and what they charge for that no run used. */
#include "op/account/reconcile.h"

#include "ledger/ledger.h"
#include "op/ledger_open.h"
#include "op/moment.h"
#include "op/op.h"
#include "op/spending.h"

static const struct field request[] = {
    FIELD(TEXT, reconcile_request, since, .value = "WHEN",
          .help = "from this day: 30d (the last 30 days) or 2026-11-01 (default: the first day "
                  "recorded)"),
    FIELD(TEXT, reconcile_request, until, .value = "DAY",
          .help = "the last day: 2026-11-30, or 1d for yesterday"),
    FIELD(TEXT, reconcile_request, month, .value = "MONTH",
          .help = "this month instead: 2026-10"),
    FIELD(COUNT, reconcile_request, limit, .value = "N", .fallback = "20",
          .help = "show N machines and runs; 0: all"),
};

static bool reconcile_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct reconcile_request *req = in;
    const struct op_days asked = {req->since, req->until, req->month};
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    struct account_source account = op_account(ctx, ledger);
    day since, until;
    bool ok;

    if (ledger == NULL)
        return false;
    ok = ledger_hold(ledger, err) && op_days(ctx, &asked, 0, &since, &until, err) &&
         account_reconcile(&account, since, until, req->limit, out, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_reconcile = {
    .name = "reconcile",
    .schema = "stint.reconcile/1",
    .summary = "compare runs with the bills that charge for them",
    .request = &(const struct field_set)FIELD_SET(struct reconcile_request, request),
    .result = &reconciliation_fields,
    .run = reconcile_run,
};
