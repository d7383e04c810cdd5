/* usage.h - what the money of two periods was spent on, with quantities: for why one of them
 * cost more.
 *
 * Runs that no bill covers by team, project and machine, in hours; charges of bills by SKU, in
 * the unit they are priced in. Amounts are exact and as they were recorded: no policy splits
 * them. All are of one currency: convert where there are several.
 */
#ifndef ACCOUNT_COSTS_USAGE_H
#define ACCOUNT_COSTS_USAGE_H

#include "account/query/spending.h"

#define USAGE_PERIODS 2

enum usage_kind {
    USAGE_RUNS,   /* on one kind of machine */
    USAGE_CHARGE, /* of a bill: for use */
    USAGE_FIXED,  /* likewise for anything else: taxes, purchases */
    USAGE_CREDIT,
};

struct usage_row {
    enum usage_kind kind;
    size_t group;     /* of runs: its place in the groups */
    struct str thing; /* machine, or service and SKU */
    struct str unit;  /* of the quantity */
    struct decimal cost[USAGE_PERIODS];
    double quantity[USAGE_PERIODS]; /* 0: not known, or none */
};

/* Runs of a team and project. */
struct usage_group {
    struct str name; /* "nlp, search" */
    int64_t runs[USAGE_PERIODS];
};

struct usage_query {
    day since[USAGE_PERIODS], until[USAGE_PERIODS]; /* the first day, the first day after */
    struct strs where;   /* as spending has it: conditions on dimensions */
    struct str currency; /* convert to it, at the rate of each day; empty: none is converted */
};

struct usage {
    const struct usage_row *rows;
    size_t count;
    const struct usage_group *groups;
    size_t group_count;
};

/* What was spent in both periods, by the dimensions whose bits are in `by`; and all of it as it
 * was recorded. */
bool account_usage_spent(const struct account_source *account, const struct usage_query *query,
                         uint64_t by, struct spending_answer spent[static USAGE_PERIODS],
                         struct decimal recorded[static USAGE_PERIODS],
                         struct error *err) MUST_USE;

bool account_usage(const struct account_source *account, const struct usage_query *query,
                   struct usage *out, struct error *err) MUST_USE;

#endif
