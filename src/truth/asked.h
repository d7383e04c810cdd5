/* asked.h - measured rows of serving as a user would ask for them.
 *
 * A point's own setting is what its row says and what is known of its software. A user gives
 * what the row says and leaves the rest to choose_serving(): this is what 'stint estimate
 * --serve' prints for the row.
 */
#ifndef TRUTH_ASKED_H
#define TRUTH_ASKED_H

#include "truth/truth.h"

/* Nothing (NaN) for what is no point of serving, or where the setting is impossible. */
bool asked_predict(const struct measured_value *point, const struct constants *constants,
                   struct arena *arena, struct guess *out, struct error *err) MUST_USE;

#endif
