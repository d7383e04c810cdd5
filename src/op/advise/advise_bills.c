#include "op/advise/advise_bills.h"

#include "account/query/charge.h"
#include "advise/rules/billed.h"
#include "op/context.h"
#include "op/market.h"
#include "op/spending.h"

/* All machines that are sold, quietly: what is left out of comparisons is no news here. `quiet`
 * is closed by the caller. */
static bool sold_today(struct op_context *ctx, struct op_context *quiet,
                       struct billed_market *out, struct error *err)
{
    struct machine_query query = machine_query_all();
    struct machine *machines;

    *quiet = op_apart(ctx, ctx->arena, true);
    out->today = op_today(ctx);
    out->catalog = &quiet->catalog;
    if (!op_catalog(quiet,
                    TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) |
                        TABLE_BIT(TABLE_INTERRUPTIONS),
                    err) ||
        !op_machines(quiet, &query, &machines, &out->count, err))
        return false;
    out->machines = machines;
    return true;
}

static bool read_billed(struct op_context *ctx, const struct reconciliation *bills,
                        double hours, struct advise_facts *facts, struct error *err)
{
    struct op_context quiet;
    struct billed_market market;
    bool ok;

    if (!advise_billed_any(bills))
        return true;
    ok = sold_today(ctx, &quiet, &market, err) &&
         advise_billed_take(bills, &market, hours, ctx->arena, facts, err);
    op_done(&quiet);
    return ok;
}

bool op_billed_moves(struct op_context *ctx, const struct reconciliation *bills, double hours,
                     struct map *ids, struct error *err)
{
    struct op_context quiet;
    struct billed_market market;
    bool ok;

    if (!advise_billed_any(bills))
        return true;
    ok = sold_today(ctx, &quiet, &market, err) &&
         advise_billed_moves(bills, &market, hours, ctx->arena, ids, err);
    op_done(&quiet);
    return ok;
}

bool op_advise_bills(struct op_context *ctx, struct ledger *ledger, day since, day until,
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
           read_billed(ctx, &bills, 24.0 * (until.n - since.n), facts, err);
}
