/* forecast.h - what a period will cost, from the days that are known.
 *
 * Spending by day comes from the account. Days that are not complete (today, and those after
 * the newest bill while one is expected) are not learned from. The recurring costs of the
 * allocation policy are known for past and future days: they are added to the forecast exactly
 * and widen no range. Budgets use the same forecast, so that both give the same number.
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

/* The first day of a group with any cost; DAY_UNKNOWN: there is none. */
day costs_group_first(const struct costs_group *group);

/* The complete days of a group from `first` on, without recurring costs. */
bool daily_costs_series(const struct daily_costs *days, const struct costs_group *group,
                        day first, struct arena *arena, struct daily *out,
                        struct error *err) MUST_USE;

struct period_forecast {
    struct decimal spent;       /* on complete days */
    struct decimal running;     /* on days that are not complete */
    struct decimal recurring;   /* on those and future days: included in the forecast */
    double forecast, low, high; /* to the cent; NaN: see `problem` */
    struct str method;
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

/* ---- a month, by group ---- */

struct forecast_row {
    struct str value[COSTS_BY_MAX];
    struct money spent;   /* exactly, on complete days */
    struct money running; /* on other days: in no other amount */
    struct money forecast, low, high;
    struct money
        recurring;      /* of days that are not complete, or to come: in all three of them */
    struct money added; /* of a total: the sum of the forecasts of its rows */
    struct str method, problem; /* problem: why there is no forecast */
    int64_t days;               /* days with spending that it is based on */
};

extern const struct field_set forecast_total_fields;

struct month_forecast {
    struct table_rows rows; /* struct forecast_row, the largest first */
    struct rows totals;     /* likewise, one for each currency: each is forecast by itself */
    int64_t others;         /* groups that are only in the total */
    day known_until;        /* the last complete day */
    int64_t days_ago;       /* days since then */
    int64_t days_left;      /* of the period */
};

/* From `from` to before `until`: a row for each of the first `limit` groups (0: all). The query
 * and dimensions of `days` are set; the days that are read are chosen here. */
bool account_forecast(const struct account_source *account, struct daily_costs *days, day from,
                      day until, int64_t limit, struct month_forecast *out,
                      struct error *err) MUST_USE;

/* ---- how good forecasts were ---- */

#define FORECAST_MADE_ON 15 /* the day of the month on which they would have been made */
#define FORECAST_CHECKED 3  /* complete months before `until` */

/* By how much the forecasts of those months were off, as shares; `count`: of those that could
 * be made. In the currency of all costs, or in `currency`. */
bool forecast_past_errors(const struct account_source *account, day until, struct str currency,
                          double errors[static FORECAST_CHECKED], size_t *count,
                          struct error *err) MUST_USE;

/* An estimate as money, to the cent; unknown when it is NaN. */
struct money forecast_money(double amount, struct currency currency);

#endif
