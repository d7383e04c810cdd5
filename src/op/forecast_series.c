/* Spending as series of days. */
#include <math.h>
#include <string.h>

#include "op/forecast.h"

#define LATE 7 /* days that a bill may be behind before nobody waits for it */

/* Does anything metered stand after the newest bill? */
static bool metered_after(const struct spending_answer *answer, day bill)
{
    for (size_t i = 0; i < answer->count; i++)
        if (answer->at[i].from.n > bill.n && answer->at[i].amount.coefficient != 0)
            return true;
    return false;
}

/* After the newest bill only runs are known. Days are whole again when bills do not come, and
 * runs do. */
static day whole_until(const struct op_context *ctx, const struct spend_days *d)
{
    day today = op_today(ctx), bill = d->answer.billed_until;

    if (bill.n == DAY_UNKNOWN.n || bill.n >= today.n - 1 || d->query.from == SPENDING_RUNS)
        return today;
    if (bill.n >= today.n - LATE || !metered_after(&d->answer, bill))
        return (day){bill.n + 1};
    return today;
}

bool spend_days(struct op_context *ctx, struct ledger *ledger, struct spend_days *d,
                struct error *err)
{
    d->query.grain = GRAIN_DAY;
    d->query.by = d->by.bits;
    if (!op_spending(ctx, ledger, &d->query, &d->answer, err))
        return false;
    d->end = whole_until(ctx, d);
    d->first = d->answer.count > 0 ? d->answer.at[0].from : d->end;
    d->groups = (struct costs_groups){.arena = ctx->arena, .by = &d->by};
    if (!costs_groups_make(&d->answer, NULL, &d->groups, err))
        return false;
    costs_groups_sort(&d->groups, SORT_COST);
    return true;
}

bool spend_series(struct op_context *ctx, const struct spend_days *d,
                  const struct costs_group *group, day first, struct daily *out,
                  struct error *err)
{
    double *amounts;

    *out = (struct daily){.first = first};
    if (d->end.n <= first.n)
        return true;
    out->len = (size_t)(d->end.n - first.n);
    amounts = arena_array(ctx->arena, double, out->len, err);
    if (amounts == NULL)
        return false;
    for (size_t i = 0; i < group->cell_count; i++) {
        day on = group->cells[i].from;

        if (on.n >= first.n && on.n < d->end.n)
            amounts[on.n - first.n] += decimal_double(group->cells[i].amount);
    }
    out->amount = amounts;
    return true;
}

struct money spend_about(double amount, const char currency[static 4])
{
    struct money m = {.currency = ""};

    if (isnan(amount) || fabs(amount) > 1e15)
        return m;
    m.amount = (struct decimal){(wide)llround(amount * 100), 2};
    memcpy(m.currency, currency, sizeof m.currency);
    return m;
}
