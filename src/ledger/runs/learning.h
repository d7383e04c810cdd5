/* learning.h - what was predicted and what came of it; corrections that were learned from
 * it. */
#ifndef LEDGER_RUNS_LEARNING_H
#define LEDGER_RUNS_LEARNING_H

#include "ledger/ledger.h"

/* A run that was predicted and ended well. */
struct ledger_outcome {
    struct str id, name, gpu; /* gpu: as the meters saw it */
    struct str features, constants;
    stamp started;
    span predicted, actual; /* actual: of all attempts, without work that was done twice */
    usd predicted_cost, actual_cost;
};

/* Those begun since (-1: all), oldest first. */
bool ledger_outcomes(struct ledger *ledger, stamp since, struct arena *arena,
                     const struct ledger_outcome **out, size_t *count,
                     struct error *err) MUST_USE;

struct ledger_correction {
    struct str gpu, framework; /* framework: empty for any */
    double factor, low, high;
    int64_t runs;
    struct str constants; /* that it corrects */
    stamp made;
};

/* In place of those that are there. */
bool ledger_corrections_put(struct ledger *ledger, const struct ledger_correction *rows,
                            size_t count, struct error *err) MUST_USE;
bool ledger_corrections(struct ledger *ledger, struct arena *arena,
                        const struct ledger_correction **out, size_t *count,
                        struct error *err) MUST_USE;

#endif
