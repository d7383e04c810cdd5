/* explain.h - the formulas behind an estimate, each in words and with its numbers.
 *
 * The numbers of a formula are arithmetic to type into a calculator, with x for times and ^ for
 * powers. They are in bytes, FLOP and seconds; the value is in its unit (GB, TFLOP/s). Shares
 * that are reached (of a peak, of what sticks out) are worked back from the estimate, so that a
 * formula cannot say something else than the estimator computed.
 */
#ifndef OP_ESTIMATE_EXPLAIN_H
#define OP_ESTIMATE_EXPLAIN_H

#include "estimate/infer.h"
#include "estimate/memory.h"
#include "estimate/step.h"
#include "op/estimate/estimate.h"

/* Lists of struct estimate_formula, in the context's arena. */
bool explain_training(const struct setup *s, const struct memory *m, const struct step *t,
                      const struct constants *c, struct op_context *ctx, struct rows *out,
                      struct error *err) MUST_USE;
bool explain_serving(const struct serving *s, const struct constants *c, struct op_context *ctx,
                     struct rows *out, struct error *err) MUST_USE;

/* Hours, energy, carbon and cost of a finished result, added to its formulas. */
bool explain_totals(struct op_context *ctx, struct estimate_result *res,
                    struct error *err) MUST_USE;

#endif
