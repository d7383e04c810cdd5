/* spending.h - what was spent, from bills and runs together, by day and dimension.
 *
 * Nothing is counted twice: a run on a machine of a provider whose bill for that day is in the
 * ledger is part of that bill; one that no bill covers counts as it was metered. Every question
 * about money - costs, budgets, forecasts, statements - goes through here.
 */
#ifndef OP_ACCOUNT_SPENDING_H
#define OP_ACCOUNT_SPENDING_H

#include "ledger/bills/bills.h"
#include "op/op.h"

enum spending_from {
    SPENDING_ALL,   /* bills, and runs that no bill covers */
    SPENDING_BILLS, /* bills alone */
    SPENDING_RUNS,  /* every run as it was metered, billed or not */
};

enum spending_cost {
    COST_EFFECTIVE, /* with what was paid before spread over its use */
    COST_BILLED,    /* as it was invoiced */
    COST_LIST,      /* at list prices */
    COST_CONTRACTED,
};

enum spending_credits {
    CREDITS_IN,   /* like any other amount */
    CREDITS_OUT,  /* for shares of what was used */
    CREDITS_ONLY, /* charges that are a Credit or an Adjustment, as statements have them */
};

/* Values that differ in the case of letters alone are one: these make no difference. */
uint64_t spelling_hash(uint64_t seed, struct str value);
int spelling_cmp(struct str a, struct str b);

struct spending_query {
    day since, until; /* the first day, and the first day after; DAY_UNKNOWN: any */
    enum ledger_grain grain;
    day (*period)(day on); /* the first day of its period, which is of whole grains; or NULL */
    uint64_t by;           /* bits of enum dimension */
    struct strs where;     /* "team=nlp", "gpu=H100*", "service!=AWS Support": all must hold */
    enum spending_from from;
    enum spending_cost cost;
    struct str currency; /* convert to it, at the rate of each day; empty: keep them apart */
    enum spending_credits credits;
    bool raw;     /* without the policy's splits and recurring costs: as it was recorded */
    bool unsplit; /* with recurring costs, but without splits */
    bool how;     /* with them whatever `from` says, and told apart by what the policy did */
    bool quiet;   /* nothing is said about the question: who asked has heard it */
};

/* What the policy did to an amount; all empty: nothing. Only told where it was asked for. */
struct spending_how {
    struct str shared_by; /* the rule of which it is a share */
    struct str recurring; /* the recurring cost that it is */
    struct str kept_by;   /* the rule that would have shared it, but nobody could take it */
};

/* An amount. Dimensions that were not asked for are empty. */
struct spending {
    day from; /* first day of the grain or period; DAY_UNKNOWN for GRAIN_ALL */
    struct dimensions of;
    struct spending_how how;
    char currency[4];
    struct decimal amount;
    struct decimal metered; /* the part of it that no bill covers yet */
    int64_t lines, runs;
};

/* What amounts were converted at. */
struct spending_rates {
    day from, to;      /* the oldest and the newest rate that was used; DAY_UNKNOWN: none */
    int32_t oldest;    /* days that a rate was older than the day it was used for, at most */
    struct str of;     /* the currencies that were converted: "EUR, GBP" */
    struct str source; /* the files that the rates are from */
};

struct spending_answer {
    const struct spending *at; /* by day, then as the dimensions sort */
    size_t count;
    int64_t unpriced; /* runs in it whose cost is not known: not in the sums */
    day billed_until; /* the newest day that a bill covers; DAY_UNKNOWN: none */
    struct spending_rates rates;
};

/* Into the context's arena. A ledger that is not there (NULL) has spent nothing. ERROR_USAGE
 * for a condition that names no dimension, with a suggestion; ERROR_ABSENT when a rate is
 * missing: which, and how to give it. Says when a condition's value is nowhere to be found, and
 * when a rate is more than a week older than what it was used for. */
bool op_spending(struct op_context *ctx, struct ledger *ledger,
                 const struct spending_query *query, struct spending_answer *out,
                 struct error *err) MUST_USE;

/* "converted: EUR, at the rates of 2026-10-01 to 2026-10-31 (ecb.csv), to 12 decimals". */
void spending_rates_write(const struct spending_rates *rates, struct buf *out);

/* The newest day that a bill covers; DAY_UNKNOWN: none does. */
bool spending_billed_until(struct op_context *ctx, struct ledger *ledger, day *out,
                           struct error *err) MUST_USE;

/* "team=nlp", "gpu!=H100*": is it a condition on a dimension? For options that take them. */
bool spending_condition(struct str text, enum dimension *d, bool *negated, struct str *glob,
                        struct error *err) MUST_USE;

#endif
