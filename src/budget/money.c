/* Amounts of budgets as text. */
#include "budget/budget.h"

#include "unit/shown.h"

void budget_money(struct decimal amount, struct currency currency, struct buf *out)
{
    struct money m = {amount, currency};

    money_write_cents(&m, out);
}

void budget_range(double amount, double low, double high, struct currency currency,
                  struct buf *out)
{
    value_estimate(amount, currency, out);
    buf_adds(out, " (");
    value_estimate(low, currency, out);
    buf_adds(out, " to ");
    value_estimate(high, currency, out);
    buf_char(out, ')');
}
