/* calibrate.h - corrections learnt from runs, and how well estimates came true: requests and
 * results of calibrate and accuracy. */
#ifndef OP_ESTIMATE_CALIBRATE_H
#define OP_ESTIMATE_CALIBRATE_H

#include "estimate/constants.h"
#include "ledger/runs/learning.h"
#include "op/op.h"

struct calibrate_request {
    struct str since;
    bool show, forget;
};

struct calibrate_row {
    struct str gpu, framework;
    double factor, low, high;
    int64_t runs;
    double before; /* the factor that it takes the place of; unknown: none */
};

struct calibrate_result {
    struct rows corrections; /* struct calibrate_row */
    int64_t runs;            /* that were learnt from */
    int64_t far;             /* left out: more than four times off */
    int64_t other;           /* left out: predicted with other constants */
    struct str constants;
    bool shown, forgotten;
};

struct accuracy_request {
    struct str since, by;
};

/* How predictions of one kind came out. Errors are actual over predicted, less 1. */
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
    struct str id, name, started, gpu, framework;
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

/* What an outcome was predicted with, from its features. `predicted` is without the time that a
 * machine takes to start, which no run has; in `out` it is without corrections, too. False when
 * there is no GPU in them. */
bool outcome_features(const struct ledger_outcome *outcome, struct arena *arena,
                      struct correction_run *out, span *predicted);

#endif
