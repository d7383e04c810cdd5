/* spending.h - what was spent, from bills and runs together, by day and dimension.
 *
 * Nothing is counted twice: a run on a machine of a provider whose bill for that day is in the
 * ledger is part of that bill; a run that no bill covers counts as it was metered. Every
 * question about money - costs, budgets, forecasts, statements - goes through here.
 */
#ifndef ACCOUNT_QUERY_SPENDING_H
#define ACCOUNT_QUERY_SPENDING_H

#include "account/account.h"
#include "account/query/converter.h"
#include "account/query/day_amounts.h"
#include "ledger/bills/bills.h"

enum spending_from {
    SPENDING_ALL,   /* bills, and runs that no bill covers */
    SPENDING_BILLS, /* bills alone */
    SPENDING_RUNS,  /* every run as it was metered, billed or not */
};

enum spending_cost {
    COST_EFFECTIVE, /* amortized: prepayments are spread over their use */
    COST_BILLED,    /* as it was invoiced */
    COST_LIST,      /* at list prices */
    COST_CONTRACTED,
};

enum spending_credits {
    CREDITS_IN,   /* like any other amount */
    CREDITS_OUT,  /* left out: for shares of what was used */
    CREDITS_ONLY, /* charges that are a Credit or an Adjustment, as statements have them */
};

struct spending_query {
    day since, until; /* the first day, and the first day after; DAY_UNKNOWN: any */
    enum ledger_grain grain;
    day (*period)(
        day on); /* the first day of its period, which consists of complete grains; or NULL */
    uint64_t by; /* bits of enum dimension */
    struct strs where; /* "team=nlp", "gpu=H100*", "service!=AWS Support": all must hold */
    enum spending_from from;
    enum spending_cost cost;
    struct str
        currency; /* convert to it, at the rate of each day; empty: keep currencies apart */
    enum spending_credits credits;
    bool raw;     /* without the policy's splits and recurring costs: as it was recorded */
    bool unsplit; /* with recurring costs, but without splits */
    bool how;     /* with both whatever `from` is, and separated by what the policy did */
    bool quiet;   /* no messages: the caller has asked the same question before */
    /* With GRAIN_ALL: each row has its amounts by day, and the answer the sums of days. For
     * many groups of many days, which as rows would take ten times the memory. */
    bool days;
    bool recurring; /* recurring costs of the policy alone; with `how` */
    /* Only amounts with such values, by the dimensions of `by`; NULL: all. */
    bool (*only)(const void *ctx, const struct dimensions *of);
    const void *only_ctx;
};

/* What the policy did to an amount; all empty: nothing. Set only for `how`. */
struct spending_how {
    struct str shared_by; /* the rule of which it is a share */
    struct str recurring; /* the recurring cost that it is */
    struct str kept_by;   /* the rule that found no one to share it with */
};

/* An amount. Dimensions that were not asked for are empty. */
struct spending {
    day from; /* first day of the grain or period; DAY_UNKNOWN for GRAIN_ALL */
    struct dimensions of;
    struct spending_how how;
    struct currency currency;
    struct decimal amount;
    struct decimal metered; /* the part of it that no bill covers yet */
    int64_t lines, runs;
    const struct day_amounts *days; /* NULL: they were not asked for */
};

struct spending_answer {
    const struct spending *at; /* by day, then as the dimensions sort */
    size_t count;
    int64_t unpriced; /* runs in it whose cost is unknown: not in the sums */
    day billed_until; /* the newest day that a bill covers; DAY_UNKNOWN: none */
    struct rates_used rates;
    const struct spending *on; /* with `days`: all groups of a day and currency, by day */
    size_t on_count;
};

/* ERROR_USAGE for a condition that names no dimension, with a suggestion; ERROR_ABSENT for a
 * missing rate: which, and how to import it. Warns of conditions whose value no cost has, of
 * rates more than a week older than the amounts, and of values spelled in two ways. */
bool account_spending(const struct account_source *account, const struct spending_query *query,
                      struct spending_answer *out, struct error *err) MUST_USE;

/* The newest day that a bill covers; DAY_UNKNOWN: none does. */
bool account_billed_until(const struct account_source *account, day *out,
                          struct error *err) MUST_USE;

/* A struct spending of one day, with every dimension. */
extern const struct field_set spending_day_fields;

#endif
