/* features.h - what the prediction of a plan was based on, and what its cost is made of.
 *
 * A run that follows the plan records it: corrections are learned from its outcome, and `stint
 * why` compares its cost with these parts. Pure.
 */
#ifndef PLAN_FEATURES_H
#define PLAN_FEATURES_H

#include "plan/record.h"

/* One of the plan's rows as a JSON object, with the exact parts of the cost of all machines. */
bool plan_features(const struct plan_result *plan, const struct plan_row *row,
                   struct arena *arena, struct str *out, struct error *err) MUST_USE;

#endif
