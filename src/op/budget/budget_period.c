/* The periods of budgets, by the calendar. */
#include "op/budget/budget.h"

static struct budget_period months(int year, int month, int count)
{
    struct budget_period p = {.first = day_make(year, month, 1),
                              .after = day_make(year, month + count, 1)};

    if (count == 1)
        (void)snprintf(p.name, sizeof p.name, "%04d-%02d", year, month);
    else if (count == 3)
        (void)snprintf(p.name, sizeof p.name, "%04d-Q%d", year, (month + 2) / 3);
    else
        (void)snprintf(p.name, sizeof p.name, "%04d", year);
    return p;
}

struct budget_period budget_period_of(const struct ledger_budget *b, day date)
{
    struct budget_period total = {.first = b->first_day, .after = DAY_UNKNOWN, .name = "total"};
    int year, month, d;

    day_split(date, &year, &month, &d);
    if (str_eq(b->period, STR("month")))
        return months(year, month, 1);
    if (str_eq(b->period, STR("quarter")))
        return months(year, (month - 1) / 3 * 3 + 1, 3);
    if (str_eq(b->period, STR("year")))
        return months(year, 1, 12);
    if (b->last_day.n != DAY_UNKNOWN.n)
        total.after.n = b->last_day.n + 1;
    return total;
}
