/* reconcile - which runs the bills were for, and what they charge for that no run used. */
#include "op/account/reconcile.h"

#include "ledger/ledger.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/spending.h"
#include "unit/moment.h"

static const struct field request[] = {
    OP_PERIOD(reconcile_request, days, "the first day recorded"),
    FIELD(COUNT, reconcile_request, limit, .value = "N", .fallback = "20",
          .help = "show N machines and runs; 0: all"),
};

static bool reconcile_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct reconcile_request *req = in;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    struct account_source account = op_account(ctx, ledger);
    day since, until;
    bool ok;

    if (ledger == NULL)
        return false;
    ok = ledger_hold(ledger, err) &&
         days_asked_parse(op_today(ctx), &req->days, 0, &since, &until, err) &&
         account_reconcile(&account, since, until, req->limit, out, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_reconcile = {
    .name = "reconcile",
    .schema = "stint.reconcile/1",
    .summary = "compare runs with the bills that charge for them",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct reconcile_request, request),
    .result = &reconciliation_fields,
    .run = reconcile_run,
};
