/* costs.h - questions about money: what `stint costs` and its like are asked, and what they
 * answer. All amounts come from op_spending().
 */
#ifndef OP_ACCOUNT_COSTS_H
#define OP_ACCOUNT_COSTS_H

#include "op/account/spending.h"

#define COSTS_BY_MAX 6 /* dimensions at a time */

enum costs_grain {
    COSTS_WHOLE,
    COSTS_DAY,
    COSTS_WEEK, /* from Monday */
    COSTS_MONTH,
    COSTS_QUARTER,
    COSTS_YEAR,
};

/* "team,month": dimensions in the order they were given, and at most one length of time. */
struct costs_by {
    enum dimension at[COSTS_BY_MAX];
    size_t count;
    uint64_t bits;
    enum costs_grain grain;
};

bool costs_by(struct strs names, struct costs_by *out, struct error *err) MUST_USE;

/* What most questions take. */
struct costs_ask {
    struct str since, until, month;
    struct strs where;
    struct str cost, from, currency;
};

extern const char *const costs_kinds[], *const costs_sources[];
extern const char *const costs_kinds_others[]; /* what kinds are called elsewhere */

#define COSTS_ASK(record, default_since) \
    FIELD_AS("since", TEXT, record, ask.since, .value = "WHEN", \
             .help = "from that day on: 30d (today is the last of them) or " \
                     "2026-11-01; " default_since), \
        FIELD_AS("until", TEXT, record, ask.until, .value = "DAY", \
                 .help = "the last day that counts: 2026-11-30, or 1d: yesterday"), \
        FIELD_AS("month", TEXT, record, ask.month, .value = "MONTH", \
                 .help = "all of that month instead: 2026-10"), \
        FIELD_AS("where", TEXTS, record, ask.where, .value = "CONDITION", .whole = true, \
                 .help = \
                     "only what is so: gpu=H100, 'team=nlp*', 'service!=AWS Support'; may be " \
                     "repeated, all must hold"), \
        FIELD_AS("cost", CHOICE, record, ask.cost, .value = "KIND", .choices = costs_kinds, \
                 .others = costs_kinds_others, .fallback = "effective", \
                 .help = "effective, billed, list or contracted"), \
        FIELD_AS("from", CHOICE, record, ask.from, .value = "WHAT", .choices = costs_sources, \
                 .fallback = "all", .help = "all, bills, or runs as they were metered"), \
        FIELD_AS("currency", TEXT, record, ask.currency, .value = "CODE", \
                 .help = "convert to it, at the rate of each day")

/* The query of an ask; `days`: how many, when nothing is said of when; 0: any. */
bool costs_query(const struct op_context *ctx, const struct costs_ask *ask, int32_t days,
                 struct spending_query *out, struct error *err) MUST_USE;

/* Set the grain of a query. */
void costs_set_grain(enum costs_grain grain, struct spending_query *query);

/* "2026-11-02", "2026-11", "2026-Q4", "2026", into the arena; nothing for COSTS_WHOLE. */
bool costs_period_name(enum costs_grain grain, day from, struct arena *arena, struct str *out,
                       struct error *err) MUST_USE;

/* What stands below every answer. */
struct costs_basis {
    day since, until; /* the first and the last day; DAY_UNKNOWN: any */
    struct str ledger;
    bool none_yet; /* there is no ledger */
    bool filtered; /* conditions were given */
    int64_t unpriced;
    day billed_until;
    struct str kind, converted, rate_source; /* converted: the currencies that were */
    day rates_from, rates_to;
};

extern const struct field_set costs_basis_fields;

void costs_basis_of(const struct op_context *ctx, const struct spending_query *query,
                    const struct costs_ask *ask, const struct spending_answer *answer,
                    struct costs_basis *out);

/* ---- amounts that are told apart, one for each currency ---- */

struct costs_apart {
    struct str currency;
    struct money amount;
};

extern const struct field_set costs_apart_fields;

/* Add to the one of its currency. */
bool costs_apart_add(struct arena *arena, struct rows *all, const struct spending *s,
                     struct error *err) MUST_USE;

/* The credits in what is asked for. */
bool costs_credits(struct op_context *ctx, struct ledger *ledger,
                   const struct spending_query *query, struct rows *out,
                   struct error *err) MUST_USE;

/* ---- what a period is compared with: costs_before.c ---- */

struct costs_days {
    day until, asked;               /* the first day after it; as it was asked for, to today */
    day before_since, before_until; /* as many days of the period before */
    bool known;                     /* there is something of those to compare with */
    bool lacking;                   /* no bill covers any day of the period yet */
};

/* A period that bills have not reached the end of ends where they do, and is compared with the
 * same days of the one before: of the month before when it is a month, else of as many days
 * before. */
bool costs_days_before(struct op_context *ctx, struct ledger *ledger,
                       const struct spending_query *query, bool month, struct costs_days *out,
                       struct error *err) MUST_USE;

/* What is told of it. */
struct costs_compared {
    day since, until;   /* the days before: first and last; DAY_UNKNOWN: nothing is compared */
    bool known;         /* something is recorded of them */
    bool lacking;       /* no bill covers any of the days that were asked for */
    day left_out_since; /* the first day that no bill covers; DAY_UNKNOWN: none is left out */
};

extern const struct field_set costs_compared_fields;

struct costs_compared costs_compared_of(const struct costs_days *days);

/* An amount with its currency. */
struct money costs_money(struct decimal amount, const char currency[static 4]);

/* a - b; false with the error set when it does not fit. */
bool costs_minus(struct decimal a, struct decimal b, struct decimal *out,
                 struct error *err) MUST_USE;
bool costs_plus(struct decimal *sum, struct decimal amount, struct error *err) MUST_USE;

/* part / whole; NaN when the whole is not above zero, or the part is below: no share of it. */
double costs_share(struct decimal part, struct decimal whole);

/* Write rows to a file that the user named. */
bool costs_csv(const struct op_context *ctx, struct str path, const struct field_set *columns,
               const struct rows *rows, struct error *err) MUST_USE;

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

struct costs_mover {
    struct str dimension, value, currency;
    struct money before, amount, change;
    double percent;
    struct str direction; /* "up", "down", "new" or "gone" */
};

struct costs_movers_result {
    struct rows movers; /* struct costs_mover, the largest first */
    struct rows totals; /* struct costs_mover without a dimension, one for each currency */
    struct rows credits, credits_before; /* struct costs_apart: not in it */
    struct costs_compared before;
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

/* The names of the dimensions, for results. */
bool costs_by_names(const struct costs_by *by, struct arena *arena, struct strs *out,
                    struct error *err) MUST_USE;

/* The fields of rows: those of the dimensions, at `offset` of the row, before `fixed`. */
bool costs_row_fields(const struct costs_by *by, size_t offset, const struct field_set *fixed,
                      struct arena *arena, const struct field_set **out,
                      struct error *err) MUST_USE;

/* Values of a group into a row. */
void costs_values(const struct costs_by *by, const struct dimensions *of,
                  struct str value[static COSTS_BY_MAX]);

/* The ask's conditions and one more. */
bool costs_where_also(struct strs where, struct str also, struct arena *arena, struct strs *out,
                      struct error *err) MUST_USE;

/* change / before: NaN when nothing was and is, or less than nothing; infinite when nothing
 * was. */
double costs_percent(struct decimal change, struct decimal before);

#endif
