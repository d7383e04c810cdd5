#include "op/advise/advise_left_on.h"

#include <math.h>

#include "account/query/charge.h"
#include "account/reconcile/reconciliation.h"
#include "op/context.h"
#include "op/spending.h"

#define GUARD_HOURS (10 / 60.0) /* after each run */
#define LATE_HOURS 1.0

/* What was left over beyond so many hours after each run. */
static double beyond(const struct reconcile_resource *r, double rest, double hours)
{
    return fmax(0, rest - (double)r->runs * hours * decimal_double(r->billed) / r->hours);
}

static void add_machine(struct advise_left_on *out, const struct reconcile_resource *r,
                        double *most)
{
    double rest = decimal_double(r->rest);

    if (r->runs == 0 || !(r->hours > 0) || !(rest > 0) ||
        !currency_is(r->currency, currency_usd) || !(beyond(r, rest, GUARD_HOURS) > 0))
        return;
    out->machines++;
    out->hours += r->hours;
    out->idle += fmax(0, r->hours - r->run_hours);
    out->saving.low += beyond(r, rest, LATE_HOURS);
    out->saving.mid += beyond(r, rest, GUARD_HOURS);
    out->saving.high += rest;
    if (rest > *most) {
        *most = rest;
        out->name = r->machine.name.len > 0 ? r->machine.name : r->machine.resource;
    }
}

bool advise_left_on_read(struct op_context *ctx, struct ledger *ledger, day since, day until,
                         double scale, struct advise_facts *facts, struct error *err)
{
    struct account_source account = op_account(ctx, ledger);
    struct reconciliation bills;
    struct coverage covered;
    const struct reconcile_resource *machines;
    double most = 0;

    if (!coverage_read(ledger, ctx->arena, &covered, err))
        return false;
    if (coverage_last(&covered).n == DAY_UNKNOWN.n) /* no bills, nothing to reconcile with */
        return true;
    if (!account_reconcile(&account, since, until, 0, &bills, err))
        return false;
    machines = bills.resources.at;
    for (size_t i = 0; i < bills.resources.len; i++)
        add_machine(&facts->left_on, &machines[i], &most);
    facts->left_on.scale = scale;
    facts->rest.part[PART_BETWEEN] = facts->left_on.saving.high * scale;
    return true;
}
