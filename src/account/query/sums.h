/* sums.h - amounts summed by day, dimensions and currency.
 *
 * Values of a dimension that differ only in the case of letters are one, as conditions match
 * them: the spelling that came first counts.
 */
#ifndef ACCOUNT_QUERY_SUMS_H
#define ACCOUNT_QUERY_SUMS_H

#include "account/query/spending.h"
#include "base/map.h"

struct spending_sums {
    struct arena *arena;
    uint64_t by; /* dimensions that are kept apart */
    bool how;    /* and what the policy did */
    enum ledger_grain grain;
    day (*period)(day on); /* NULL: as the grain says */
    bool days;             /* keep the amounts of each day beside each sum */
    struct spending *at;
    struct row_state *state; /* of each */
    size_t count, room, state_room;
    struct map rows;                       /* keys of `at`, by the same numbers */
    struct map spellings[DIMENSION_COUNT]; /* every value seen: how it is spelled */
    struct map folded[DIMENSION_COUNT];    /* the same in lower case */
    struct map names;                      /* of the policy */
    struct str merged, merged_into;        /* the first of several spellings of one value */
    enum dimension merged_of;
    size_t merged_count;
};

/* What is kept beside a sum until all are added. */
struct row_state {
    int64_t last_run; /* the run that was counted last */
    struct day_amounts *days;
};

/* An amount to be added. */
struct spending_entry {
    day from;
    const struct dimensions *of;
    struct spending_how how;
    struct currency currency;
    struct decimal amount, metered;
    int64_t lines;
    int64_t run;  /* its key; -1: it is of no run */
    int64_t runs; /* or so many that were counted before */
};

/* Set `arena`, `by`, `how`, `grain` and `period` before the first. */
bool spending_sums_add(struct spending_sums *sums, const struct spending_entry *e,
                       struct error *err) MUST_USE;

/* By day, dimensions and currency; trailing zeros of amounts are removed. Nothing is added
 * after that. */
void spending_sums_sort(struct spending_sums *sums);

/* Warn when values were counted as one. */
void spending_sums_warn(const struct spending_sums *sums, const struct messages *to);

/* The order of values, without regard to case. */
int spelling_cmp(struct str a, struct str b);

#endif
