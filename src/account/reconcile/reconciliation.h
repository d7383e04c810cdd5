/* reconciliation.h - bills compared with runs: what the money was for, day by day, machine by
 * machine and run by run.
 *
 * Lines of bills become cells of machines and days, attempts at runs are matched with them
 * (match.h), and everything adds up: what runs used, what was idle, what no run was on and what
 * is no machine are together what was billed.
 */
#ifndef ACCOUNT_RECONCILE_RECONCILIATION_H
#define ACCOUNT_RECONCILE_RECONCILIATION_H

#include "account/account.h"
#include "account/reconcile/extras.h"
#include "account/reconcile/match.h"
#include "doc/field.h"

/* Sums of one currency: `matched` and what follows it add up to `billed`. */
struct reconcile_sums {
    struct currency currency;
    struct decimal billed;    /* effective cost of all lines */
    struct decimal matched;   /* used by runs */
    struct decimal idle;      /* machines that runs were on, while none ran */
    struct decimal untracked; /* machines that no run was on */
    struct decimal other;     /* not a machine: storage, network, tax, credits, ... */
};

struct reconcile_day {
    day day;
    struct reconcile_sums sums;
    usd metered;        /* of runs, by the meter */
    usd estimated_only; /* the part of it that no line was found for */
    int64_t lines;      /* of bills */
};

struct reconcile_resource {
    struct reconcile_machine machine;
    size_t number; /* of the machine, in the order of the bills */
    struct currency currency;
    struct decimal billed, matched, rest; /* rest: idle, or untracked when no run was on it */
    double hours, run_hours;              /* that were billed; that runs took */
    int64_t runs;                         /* attempts that were on it */
    int64_t days;                         /* on which it was billed */
    /* Of a machine that no run was on: what it cost since runs are recorded in its account,
     * where any are; and whether a run that was matched with none may have been on it. */
    double watched;
    bool doubtful;
};

/* When runs were on a machine, for those who ask what it was used for hour by hour. */
struct reconcile_use {
    struct str resource;                /* in lower case */
    day watched;                        /* runs are recorded in its account from then on;
                                         * DAY_UNKNOWN: none are */
    const struct reconcile_span *spans; /* in order, apart from each other */
    size_t count;
};

struct reconcile_span {
    int64_t from, to; /* seconds */
};

struct reconcile_run {
    struct str id, name;
    stamp started;
    enum reconcile_how how;
    enum reconcile_why reason;
    struct str machine; /* as the bill names it; the first of several */
    int64_t machines;
    usd estimated, metered;
    struct currency currency; /* of what was billed */
    struct decimal billed;    /* unknown: no line was found */
    double off; /* billed / metered - 1; NaN in another currency, or where lines are missing */
    double covered; /* share of its time that lines were found for */
};

struct reconciliation {
    struct rows sums;      /* struct reconcile_sums, one for each currency */
    struct rows days;      /* struct reconcile_day, by currency within a day */
    struct rows resources; /* struct reconcile_resource: the most unmatched money first */
    struct rows runs;      /* struct reconcile_run: the newest first */
    struct rows extras;    /* struct reconcile_extra: in the order of the bills */
    struct rows uses;      /* struct reconcile_use: one for each machine */
    usd metered, estimated_only;
    int64_t run_count, matched_runs, unpriced;
    day first, last; /* that bills cover; unknown: none */
    bool no_bills;
};

extern const struct field_set reconciliation_fields;

/* From `since` to before `until` (DAY_UNKNOWN: any), with at most `limit` machines and runs (0:
 * all). The ledger must be held. */
bool account_reconcile(const struct account_source *account, day since, day until,
                       int64_t limit, struct reconciliation *out, struct error *err) MUST_USE;

/* How many hours a quantity in this unit is; 0: it is not a time. `of_azure`: its bills count
 * single hours whatever the size of the unit. */
double reconcile_unit_hours(struct str unit, bool of_azure);

#endif
