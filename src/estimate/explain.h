/* explain.h - the formulas behind an estimate, each in words and with its numbers.
 *
 * The numbers of a formula are arithmetic to type into a calculator, with x for times and ^ for
 * powers. They are in bytes, FLOP and seconds; the value is in its unit (GB, TFLOP/s). Shares
 * (of a peak, of communication that is not hidden) are derived from the estimate, so that a
 * formula cannot differ from what the estimator computed.
 */
#ifndef ESTIMATE_EXPLAIN_H
#define ESTIMATE_EXPLAIN_H

#include "estimate/job_estimate.h"
#include "estimate/memory/memory.h"
#include "estimate/serving/infer.h"
#include "estimate/step/step.h"

/* Lists of struct estimate_formula, in the arena. */
bool explain_training(const struct setup *s, const struct memory *m, const struct step *t,
                      const struct constants *c, struct arena *arena, struct rows *out,
                      struct error *err) MUST_USE;
bool explain_serving(const struct serving *s, const struct constants *c, struct arena *arena,
                     struct rows *out, struct error *err) MUST_USE;

/* Hours, energy, carbon and cost of a finished result, added to its formulas. */
bool explain_totals(struct arena *arena, struct estimate *res, struct error *err) MUST_USE;

#endif
