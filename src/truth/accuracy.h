/* accuracy.h - predictions compared with the user's own runs, by month, GPU or framework. */
#ifndef TRUTH_ACCURACY_H
#define TRUTH_ACCURACY_H

#include "doc/field.h"
#include "estimate/correction.h"
#include "unit/money.h"
#include "unit/time.h"

/* How predictions of one kind compare with the runs. Errors are actual over predicted, less
 * 1. */
struct accuracy_row {
    struct str of; /* the month, GPU or framework */
    int64_t runs;
    double bias;      /* median of the error of time */
    double error;     /* mean of its size */
    double worst;     /* the largest, with its sign */
    double cost_bias; /* of cost, likewise; unknown without prices */
    double cost_error;
};

struct accuracy_run {
    struct str id, name, gpu, framework; /* framework: empty when it is not known */
    stamp started;
    span predicted, actual;
    double error;
    usd predicted_cost, actual_cost;
    double cost_error;
};

struct accuracy_result {
    struct rows rows; /* struct accuracy_row */
    struct rows runs; /* struct accuracy_run, the newest first */
    int64_t count;
    struct accuracy_row all;
};

extern const struct field_set accuracy_result_fields;

/* What a run was predicted with, from the features that were recorded (JSON). `predicted` comes
 * with the time that a machine takes to start and leaves without it, since no run has it; in
 * `out` it is without corrections, too. False when the features name no GPU. */
bool outcome_features(struct str features, span actual, struct arena *arena,
                      struct correction_run *out, span *predicted);

/* Statistics of the runs by "month", "gpu" or "framework", sorted; they stay where they are. */
bool accuracy_group(const struct accuracy_run *runs, size_t count, struct str by,
                    struct arena *arena, struct accuracy_result *res,
                    struct error *err) MUST_USE;

#endif
