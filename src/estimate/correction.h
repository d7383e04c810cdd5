/* correction.h - learned from runs: how much longer, or less long, steps take than estimated.
 *
 * Pure. A correction is a factor on the time of a training step, for one GPU and one framework,
 * or for a GPU with any. It starts at 1 and moves towards the measured
 * value with the number of runs: one run moves it little, ten move it most of the way.
 */
#ifndef ESTIMATE_CORRECTION_H
#define ESTIMATE_CORRECTION_H

#include "base/arena.h"
#include "base/str.h"
#include "doc/field.h"

struct correction {
    struct str gpu;           /* as the catalog names it */
    struct str framework;     /* stack_names[]; empty: any */
    double factor, low, high; /* of time; the range that holds 80 % of what it may truly be */
    int64_t runs;
};

extern const struct field_set correction_fields;

/* A run that ended as planned. */
struct correction_run {
    struct str gpu, framework;
    double predicted, actual; /* seconds: both above 0 */
};

#define CORRECTION_FAR 4.0 /* a run further off than this was another job: it does not count */

/* A correction for each GPU, and for each framework on it that two runs or more used; sorted.
 * `left_out`: runs that were too far off. */
bool correction_learn(const struct correction_run *runs, size_t count, struct arena *arena,
                      const struct correction **out, size_t *out_count, size_t *left_out,
                      struct error *err) MUST_USE;

/* That of the GPU and the framework, else of the GPU; NULL when nothing was learned. */
const struct correction *correction_find(const struct correction *at, size_t count,
                                         struct str gpu, struct str framework);

/* "steps take 1.12 times as long (1.04 to 1.21), learned from 6 runs on H100-SXM-80GB": what
 * was learned for this GPU and framework; empty when nothing was. */
bool correction_describe(const struct correction *at, size_t count, struct str gpu,
                         struct str framework, struct arena *arena, struct str *out,
                         struct error *err) MUST_USE;

#endif
