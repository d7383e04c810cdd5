/* reconcile.h - runs against the bills that were for them: request and result of reconcile. */
#ifndef OP_ACCOUNT_RECONCILE_H
#define OP_ACCOUNT_RECONCILE_H

#include "account/reconcile/reconcile.h"
#include "op/spending.h"

struct reconcile_request {
    struct str since, until, month;
    int64_t limit;
};

/* Sums of one currency. Amounts are exact texts in JSON; `matched` and so on add up to
 * `billed`. */
struct reconcile_sums {
    struct str currency;
    struct str billed;    /* effective cost of all lines */
    struct str matched;   /* of runs */
    struct str idle;      /* machines that runs were on, while none ran */
    struct str untracked; /* machines that no run was on */
    struct str other;     /* what is no machine: storage, network, tax, credits, ... */
};

struct reconcile_day {
    struct str day;
    struct reconcile_sums sums;
    usd metered;        /* of runs, by the meter */
    usd estimated_only; /* the part of it that no line was found for */
};

struct reconcile_resource {
    struct str resource, name, provider, region, instance, currency;
    struct str billed, matched, rest; /* rest: idle, or untracked when no run was on it */
    double hours, run_hours;          /* that were billed; that runs took */
    int64_t runs;
};

struct reconcile_run_row {
    struct str id, name, started, how, machine, currency;
    int64_t machines; /* that it was on: `machine` is the first */
    usd estimated, metered;
    struct str billed;
    double off;     /* billed over metered, less 1; unknown in another currency */
    double covered; /* share of its time that lines were found for */
};

struct reconcile_result {
    struct rows sums;      /* struct reconcile_sums, one for each currency */
    struct rows days;      /* struct reconcile_day */
    struct rows resources; /* struct reconcile_resource: the most unmatched money first */
    struct rows runs;      /* struct reconcile_run_row: the newest first */
    usd metered, estimated_only;
    int64_t run_count, matched_runs, unpriced;
    day first, last; /* that bills cover; unknown: none */
    bool no_bills;
};

#endif
