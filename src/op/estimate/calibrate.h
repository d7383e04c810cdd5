/* calibrate.h - corrections learned from runs, and how accurate estimates were: requests and
 * results of calibrate and accuracy. */
#ifndef OP_ESTIMATE_CALIBRATE_H
#define OP_ESTIMATE_CALIBRATE_H

#include "doc/field.h"
#include "estimate/constants.h"
#include "ledger/runs/learning.h"
#include "truth/accuracy.h"

struct op_context;

extern const struct op op_accuracy, op_calibrate;

struct calibrate_request {
    struct str since;
    bool show, forget;
};

struct calibrate_row {
    struct correction correction;
    double before; /* the factor that it replaces; unknown: none */
};

struct calibrate_result {
    struct rows corrections; /* struct calibrate_row */
    int64_t runs;            /* learned from */
    int64_t far;             /* left out: more than CORRECTION_FAR times off */
    int64_t other;           /* left out: predicted with other constants */
    int64_t without_steps;   /* left out: they recorded no steady step time */
    int64_t other_gpu;       /* left out: they ran on another GPU than planned */
    int64_t rejected;        /* corrections that do not help with left-out runs: not kept */
    int64_t single;          /* GPUs with one run only */
    int64_t served;          /* measurements of servers, learned from */
    int64_t unpredicted;     /* left out of these: nothing can be predicted for them */
    struct str constants;
    bool shown, forgotten;
};

/* A run of the ledger as it is learned from. False when its features name no GPU. */
bool op_outcome(const struct ledger_outcome *run, struct arena *arena, struct outcome *out);

/* Did all of its attempts run on the GPU of the plan? The catalog has OUTCOME_TABLES. */
#define OUTCOME_TABLES (TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES))
bool op_outcome_as_planned(const struct op_context *ctx, const struct ledger_outcome *run,
                           const struct outcome *outcome);

struct accuracy_request {
    struct str since, by;
};

#endif
