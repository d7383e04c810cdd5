/* costs.h - questions about money: what `stint costs` and its like are asked, and what they
 * answer. All amounts come from account_spending().
 */
#ifndef OP_ACCOUNT_COSTS_H
#define OP_ACCOUNT_COSTS_H

#include "account/query/before.h"
#include "account/query/movers.h"
#include "op/spending.h"

extern const struct op op_costs, op_costs_gpus, op_costs_movers, op_costs_repeats,
    op_costs_spot, op_costs_storage, op_costs_trend;

/* ---- costs ---- */

struct costs_request {
    struct strs by;
    struct costs_ask ask;
    struct str sort, csv;
    int64_t limit;
};

/* A group in a period, or over all of the time. */
struct costs_row {
    struct str period;
    struct str value[COSTS_BY_MAX]; /* of the dimensions; NULL: it has none */
    struct str currency;
    struct money amount, metered;
    struct money before, change; /* the group in the days before; only when it was asked for */
    double share;                /* of what was used in its currency; NaN: it is a credit */
    int64_t lines, runs;
    int64_t others; /* groups that it sums up; 0 when it is one */
    day from;       /* of the period */
    size_t group;   /* rows of the same group have the same, and stand together */
};

struct costs_total {
    struct str currency;
    struct money amount, metered, before, change;
    struct decimal used; /* of amounts above zero, by which shares go */
    int64_t groups, lines;
};

struct costs_result {
    struct strs by;         /* the names of dimensions */
    struct str grain;       /* "month"; NULL: none */
    struct table_rows rows; /* struct costs_row */
    struct rows totals;     /* struct costs_total */
    bool compared;          /* with the days before */
    struct costs_compared before;
    struct costs_basis basis;
    struct str csv;
};

/* ---- costs.trend ---- */

struct costs_trend_request {
    struct strs by;
    struct costs_ask ask; /* since, until and month are not asked */
    int64_t months, limit;
    struct str csv;
};

/* A month of a group. */
struct costs_trend_row {
    struct str value[COSTS_BY_MAX];
    struct str month, currency;
    struct money amount, metered, change;
    double percent; /* against the month before; infinite when that had nothing of it */
    int64_t days;   /* of the running month, that count; -1: all of it */
    int64_t others;
    size_t group;
};

struct costs_trend_result {
    struct strs by;
    struct table_rows rows; /* struct costs_trend_row */
    struct costs_basis basis;
    day running; /* the first day of the month that is not over */
    int64_t running_days;
    struct costs_compared before; /* what the running month is compared with */
    struct str csv;
};

/* ---- costs.movers ---- */

struct costs_movers_request {
    struct strs by;
    struct costs_ask ask;
    int64_t limit;
    struct str csv;
};

struct costs_movers_result {
    struct costs_movers found;
    struct costs_basis basis;
    struct str csv;
};

/* ---- costs.gpus ---- */

struct costs_gpus_request {
    struct strs by;
    struct str since, until, month;
    struct strs where;
    struct str csv;
};

struct costs_gpus_row {
    struct str value[COSTS_BY_MAX];
    int64_t runs;
    double gpu_hours;
    double busy_hours; /* of those whose use was measured */
    double unknown_hours;
    double busy; /* share of the measured hours; NaN: none was */
    usd cost, idle;
    int64_t unpriced;
};

struct costs_gpus_result {
    struct strs by;
    struct table_rows rows; /* struct costs_gpus_row, the most idle money first */
    struct costs_gpus_row total;
    int64_t without; /* runs without a GPU */
    struct costs_basis basis;
    struct str csv;
};

/* ---- costs.spot ---- */

struct costs_spot_request {
    struct strs by;
    struct costs_ask ask;
    struct str csv;
};

struct costs_spot_row {
    struct str value[COSTS_BY_MAX];
    struct str currency;
    struct money amount;
    double spot, committed, on_demand, other; /* shares of it */
    /* Against list prices, where bills have those; unknown: none has. */
    struct money saved, saved_by_commitments;
    struct money unknown, unknown_committed; /* paid without one: what it saved is not known */
};

struct costs_spot_result {
    struct strs by;
    struct table_rows rows; /* struct costs_spot_row, without credits */
    struct rows totals;
    struct rows credits; /* struct costs_apart */
    struct costs_basis basis;
    struct str csv;
};

/* ---- costs.repeats ---- */

struct costs_repeats_request {
    struct str since, until;
    int64_t limit;
    struct str csv;
};

struct costs_repeat {
    struct str name, command, digest, first, last; /* when, in UTC */
    struct str first_id, last_id;                  /* short */
    int64_t runs, again; /* of them begun when one had ended well already */
    usd cost, repeated;  /* of all, of those; unknown when one is */
    int64_t unpriced;
};

struct costs_repeats_result {
    struct rows repeats; /* struct costs_repeat, the dearest first */
    int64_t configurations, again;
    usd repeated;
    int64_t unpriced;
    struct str ledger, csv;
    bool none_yet;
};

/* ---- shared by them ---- */

/* The ask's conditions and one more. */
bool costs_where_also(struct strs where, struct str also, struct arena *arena, struct strs *out,
                      struct error *err) MUST_USE;

#endif
