/* compare.h - runs side by side: the request and the result of compare. */
#ifndef OP_RUNS_COMPARE_H
#define OP_RUNS_COMPARE_H

#include "op/ledger_open.h"

extern const struct op op_compare;

#define COMPARE_MAX 16 /* runs */

struct compare_request {
    struct strs runs;
};

/* One of them. */
struct compare_row {
    struct run_view run;
    double first, improvement; /* of the watched metric: at first, and from there to its best */
    usd cost_per_step, cost_per_improvement;
    double s_per_step, wh_per_step;
    usd cost_to_target; /* until the metric was as good as the worst run's best */
    span time_to_target;
};

/* Something that is not the same in all of them. */
struct compare_difference {
    struct str what;
    struct strs values; /* of each, in order; "-" when it has none */
};

/* Who is best by one measure. */
struct compare_measure {
    struct str measure;
    int64_t best;  /* its place, from 1 */
    struct str id; /* its short id */
    double by;     /* less than the worst of the others that is known, a share */
    struct str words;
};

/* A metric that at least two of them printed: values of each, in order; NaN: it did not. */
struct compare_metric {
    struct str name;
    struct numbers last, low, high;
};

struct compare_result {
    struct rows runs, differences, measures, metrics;
    struct str metric; /* "lower" or "higher" is better; NULL: not known, or they differ */
    double target;
    bool unfinished; /* not all are done: what they came to in all is not compared */
};

/* What the command, the commit, the machine, the tags and the environment differ in. */
bool compare_differences(const struct compare_row *rows, size_t count, struct arena *arena,
                         struct rows *out, struct error *err) MUST_USE;

bool compare_metrics(struct ledger *ledger, const struct ledger_run *runs, size_t count,
                     struct arena *arena, struct rows *out, struct error *err) MUST_USE;

extern const struct field_set compare_difference_fields, compare_metric_fields;

#endif
