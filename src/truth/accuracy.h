/* accuracy.h - predictions compared with the user's own runs, by month, GPU or framework. */
#ifndef TRUTH_ACCURACY_H
#define TRUTH_ACCURACY_H

#include "catalog/catalog.h"
#include "doc/field.h"
#include "estimate/correction.h"
#include "unit/money.h"
#include "unit/time.h"

/* How predictions of one kind compare with the runs. Errors are measured over predicted, less
 * 1. */
struct accuracy_row {
    struct str of; /* the month, GPU or framework */
    int64_t runs;
    double bias;        /* median of the error of the step time */
    double error;       /* mean of its size */
    double worst;       /* the largest, with its sign */
    double memory_bias; /* of peak GPU memory, likewise; unknown without a meter */
    double memory_error;
    double cost_bias; /* of cost, likewise; unknown without prices */
    double cost_error;
};

struct accuracy_run {
    struct str id, name;
    stamp started;
    struct correction_run run; /* the step, memory in GB, power of one GPU */
    double error, memory_error;
    usd predicted_cost, actual_cost;
    double cost_error;
};

/* The errors of a run with these costs: measured over predicted, less 1; NaN where one of them
 * is not known. */
void accuracy_compare(struct accuracy_run *run);

struct accuracy_result {
    struct rows rows; /* struct accuracy_row */
    struct rows runs; /* struct accuracy_run, the newest first */
    int64_t count;
    int64_t without_steps; /* left out: they recorded no steady step time */
    int64_t other_gpu;     /* left out: they ran on another GPU than planned */
    struct accuracy_row all;
};

extern const struct field_set accuracy_result_fields;

/* What the meters saw of a run; NaN is unknown. */
struct outcome_measured {
    double step_s, startup_s;
    double memory; /* bytes */
    double watts;
};

/* A run with its prediction. */
struct outcome {
    struct correction_run run;              /* predicted as the user saw it, memory in GB */
    double corrections[CORRECTION_FACTORS]; /* that were in the prediction; 0: none */
    bool has_step; /* a step was predicted, and measured once the program was warm */
};

/* From the features that were recorded with the run (JSON). False when they name no GPU. */
bool outcome_read(struct str features, const struct outcome_measured *measured,
                  struct arena *arena, struct outcome *out);

/* Did it run on the GPU that it was planned for? `metered` is the driver's name; what the
 * catalog does not know (needs TABLE_ACCELERATORS and TABLE_NAMES) is taken for the plan's. */
bool outcome_has_planned_gpu(const struct outcome *outcome, struct str metered,
                             const struct catalog *catalog);

/* Predicted without corrections: what is learned corrects the estimator, not itself. */
struct correction_run outcome_uncorrected(const struct outcome *outcome);

/* Statistics of the runs by "month", "gpu" or "framework", sorted; they stay where they are. */
bool accuracy_group(const struct accuracy_run *runs, size_t count, struct str by,
                    struct arena *arena, struct accuracy_result *res,
                    struct error *err) MUST_USE;

#endif
