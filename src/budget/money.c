/* Amounts of budgets as text. */
#include "budget/budget.h"

#include <math.h>

void budget_money(struct decimal amount, struct currency currency, struct buf *out)
{
    struct money m = {amount, currency};

    money_write_cents(&m, out);
}

/* Cents of an estimate would mean nothing. */
static void put_without_cents(double amount, struct currency currency, struct buf *out)
{
    struct buf cents = buf_new(out->alloc, 200);
    struct str after, units;

    budget_money((struct decimal){(wide)llround(amount), 0}, currency, &cents);
    after = buf_text(&cents);
    units = str_cut(&after, '.'); /* "208" of "208.00 EUR" */
    buf_add(out, units);
    if (after.len > 2)
        buf_add(out, (struct str){after.at + 2, after.len - 2});
    if (cents.failed != ERROR_NONE)
        out->failed = cents.failed;
    buf_free(&cents);
}

void budget_about(double amount, struct currency currency, struct buf *out)
{
    if (fabs(amount) < 10)
        budget_money((struct decimal){(wide)llround(amount * 100), 2}, currency, out);
    else if (fabs(amount) < 1e18)
        put_without_cents(amount, currency, out);
    else
        buf_addf(out, "%.3g %s", amount, currency.code);
}

void budget_range(double amount, double low, double high, struct currency currency,
                  struct buf *out)
{
    budget_about(amount, currency, out);
    buf_adds(out, " (");
    budget_about(low, currency, out);
    buf_adds(out, " to ");
    budget_about(high, currency, out);
    buf_char(out, ')');
}
