/* energy_row.h - what a metered training run should have drawn.
 *
 * Rows of energy_train.csv say what ran, on how many GPUs and how fast; not how busy the
 * GPUs were. That follows from how well each was fed.
 */
#ifndef TRUTH_ENERGY_ROW_H
#define TRUTH_ENERGY_ROW_H

#include "estimate/constants.h"

/* Numbers that a row does not have are NaN, counts -1. */
struct energy_row {
    struct str workload; /* "train:bert" */
    const struct accelerator *gpu;
    int64_t gpus, nodes;
    bool dc; /* metered behind the power supply: "DC node"; else at the wall */
    double samples_per_s, global_batch, samples, run_s;
};

/* Share of a well-fed GPU's work that each does, 0 to 1: from the samples a second where it
 * is known what a fed GPU does, else from how many samples each gets in a step. */
double energy_row_feed(const struct energy_row *row, const struct constants *c);

/* Mean watts of one node over the run; NaN when the GPU's limit or the counts are unknown. */
double energy_row_node_watts(const struct energy_row *row, const struct constants *c);

#endif
