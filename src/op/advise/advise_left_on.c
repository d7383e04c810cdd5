#include "op/advise/advise_left_on.h"

#include "account/query/charge.h"
#include "advise/rules/bills.h"
#include "op/advise/advise_billed.h"
#include "op/context.h"
#include "op/spending.h"

bool advise_left_on_read(struct op_context *ctx, struct ledger *ledger, day since, day until,
                         double scale, struct advise_facts *facts, struct error *err)
{
    struct account_source account = op_account(ctx, ledger);
    struct reconciliation bills;
    struct coverage covered;

    if (!coverage_read(ledger, ctx->arena, &covered, err))
        return false;
    if (coverage_last(&covered).n == DAY_UNKNOWN.n) /* no bills, nothing to reconcile with */
        return true;
    return account_reconcile(&account, since, until, 0, &bills, err) &&
           op_catalog(ctx, TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_STORAGE), err) &&
           advise_bills_take(&bills, &ctx->catalog, scale, ctx->arena, facts, err) &&
           advise_billed_read(ctx, &bills, 24.0 * (until.n - since.n), facts, err);
}
