/* trend.h - costs month by month; the running month is compared with the same days of the one
 * before. */
#ifndef ACCOUNT_COSTS_TREND_H
#define ACCOUNT_COSTS_TREND_H

#include "account/query/before.h"
#include "account/query/groups.h"

/* A month of a group. */
struct costs_trend_row {
    struct str value[COSTS_BY_MAX];
    struct str month;
    struct currency currency;
    struct money amount, metered, change;
    double percent; /* change from the month before; infinite when that had nothing of it */
    int64_t days;   /* of the running month, that count; -1: all of it */
    int64_t others;
    size_t group;
};

struct cost_trend {
    struct table_rows rows; /* struct costs_trend_row */
    day running;            /* the first day of the month that is not over */
    int64_t running_days;
    struct costs_compared before; /* what the running month is compared with */
    struct spending_answer spent; /* the amounts that it is made of */
};

/* The last `months`, with the running one, of the first `limit` groups (0: all) of each
 * currency; the others become one. The query gets its days here: from the first month that is
 * shown. */
bool account_trend(const struct account_source *account, const struct costs_by *by,
                   int64_t months, int64_t limit, struct spending_query *query,
                   struct cost_trend *out, struct error *err) MUST_USE;

#endif
