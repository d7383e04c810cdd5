/* Amounts of budgets, as people read them. */
#include <math.h>
#include <string.h>

#include "op/budget.h"

/* At least two decimals: "4102.10", as people write it. */
static struct decimal padded(struct decimal d)
{
    struct decimal more;

    return decimal_add(d, (struct decimal){0, 2}, &more) ? more : d;
}

struct decimal budget_cents(struct decimal amount)
{
    struct decimal cents;

    return decimal_divide(amount, (struct decimal){1, 0}, 2, &cents) ? padded(cents) : amount;
}

static void put(struct decimal amount, const char currency[static 4], struct buf *out)
{
    bool dollars = memcmp(currency, "USD", 4) == 0;

    if (dollars && amount.coefficient < 0) {
        buf_char(out, '-');
        amount.coefficient = -amount.coefficient;
    }
    buf_adds(out, dollars ? "$" : "");
    decimal_write(amount, out);
    if (!dollars)
        buf_addf(out, " %s", currency);
}

void budget_money(struct decimal amount, const char currency[static 4], struct buf *out)
{
    struct decimal cents = budget_cents(amount), fine;

    if (cents.coefficient > -100 && cents.coefficient < 100 && amount.coefficient != 0 &&
        decimal_divide(amount, (struct decimal){1, 0}, 4, &fine))
        cents = padded(fine.coefficient != 0 ? fine : amount);
    put(cents, currency, out);
}

void budget_about(double amount, const char currency[static 4], struct buf *out)
{
    if (fabs(amount) < 10)
        budget_money((struct decimal){(wide)llround(amount * 100), 2}, currency, out);
    else if (fabs(amount) < 1e18)
        put((struct decimal){(wide)llround(amount), 0}, currency, out);
    else
        buf_addf(out, "%.3g %s", amount, currency);
}

void budget_range(double amount, double low, double high, const char currency[static 4],
                  struct buf *out)
{
    budget_about(amount, currency, out);
    buf_adds(out, " (");
    budget_about(low, currency, out);
    buf_adds(out, " to ");
    budget_about(high, currency, out);
    buf_char(out, ')');
}
