/* forecast.h - what a period will cost, from the days that are known.
 *
 * Spending by day comes from the account. Days that are not complete (today, and those after the
 * newest bill while one is expected) are not learned from. The recurring costs of the allocation
 * policy are known for past and future days: they are added to the forecast exactly and widen no
 * range. Budgets use the same forecast, so that both give the same number.
 */
#ifndef BUDGET_FORECAST_H
#define BUDGET_FORECAST_H

#include "account/query/groups.h"
#include "series/daily.h"

/* Spending by day of each group. */
struct daily_costs {
    struct spending_query query; /* `until`: future days, too */
    struct spending_answer answer;
    struct costs_by by;
    struct costs_groups groups;    /* all, by currency, the largest first */
    struct costs_groups recurring; /* the part of them that is recurring costs */
    day first, end; /* of what is not recurring; the first day that is not complete */
};

/* Set `query` and `by` before. */
bool daily_costs_read(const struct account_source *account, struct daily_costs *days,
                      struct error *err) MUST_USE;

/* The first day from `since` on (DAY_UNKNOWN: of all) with anything but recurring costs;
 * DAY_UNKNOWN: there is none. */
day daily_costs_first(const struct daily_costs *days, const struct costs_group *group,
                      day since);

/* The complete days of a group from `first` on, without recurring costs. */
bool daily_costs_series(const struct daily_costs *days, const struct costs_group *group,
                        day first, struct arena *arena, struct daily *out,
                        struct error *err) MUST_USE;

struct period_forecast {
    struct decimal spent;       /* on complete days */
    struct decimal running;     /* on days that are not complete */
    struct decimal recurring;   /* on those and future days: included in the forecast */
    double forecast, low, high; /* to the cent; NaN: see `problem` */
    const char *method;
    struct str problem; /* why there is no forecast */
    int64_t days;       /* days with spending that it is based on */
};

/* Groups of one currency, as one, from `from` to before `until`. */
struct forecast_scope {
    const struct costs_group *groups;
    size_t count;
    day from, until;
};

bool forecast_period(const struct account_source *account, const struct daily_costs *days,
                     const struct forecast_scope *of, struct period_forecast *out,
                     struct error *err) MUST_USE;

/* An estimate as money, to the cent; unknown when it is NaN. */
struct money forecast_money(double amount, const char currency[static 4]);

#endif
