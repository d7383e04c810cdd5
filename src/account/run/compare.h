/* compare.h - runs side by side: what each reached and paid, what they differ in, which is
 * best.
 */
#ifndef ACCOUNT_RUN_COMPARE_H
#define ACCOUNT_RUN_COMPARE_H

#include "ledger/ledger.h"

#define COMPARE_MAX 16 /* runs */

struct compared_run {
    struct ledger_run run;
    double first,
        improvement; /* of the watched metric: first value, and from there to its best */
    usd cost_per_step, cost_per_improvement;
    double s_per_step, wh_per_step;
    usd cost_to_target; /* until the metric was as good as the worst run's best */
    span time_to_target;
};

/* Something that is not the same in all of them. */
struct compared_difference {
    struct str what;
    struct strs values; /* of each, in order; "-" when it has none */
};

/* Which run is best by one measure. */
struct compared_measure {
    struct str measure;
    int64_t best;  /* its place, from 1 */
    struct str id; /* its short id */
    double by;     /* how far below the next, a share */
    struct str words;
};

/* A metric that at least two of them printed: values of each, in order; NaN: it did not. */
struct compared_metric {
    struct str name;
    struct numbers last, low, high;
};

struct comparison {
    struct rows runs, differences, measures, metrics;
    struct str metric; /* "lower" or "higher" is better; NULL: not known, or they disagree */
    double target;
    bool unfinished; /* not all are done, so cost, time and energy are not compared */
};

/* Compare the runs with these names or ids (ledger_find()), at most COMPARE_MAX. */
bool runs_compare(struct ledger *ledger, struct strs names, struct arena *arena,
                  struct comparison *out, struct error *err) MUST_USE;

extern const struct field_set comparison_fields;

#endif
