/* price_internal.h - the parts of plan_price(), for each other. */
#ifndef PLAN_PRICE_INTERNAL_H
#define PLAN_PRICE_INTERNAL_H

#include "plan/plan.h"

/* What interruptions add to the cost, the hours and the risk; false when the risk is not known,
 * or it would never be done. `price` is of all machines. `sets` is what all sets of machines
 * work over what the clock shows: trials are lost side by side. */
bool price_spot(const struct plan_problem *p, struct plan *plan, usd_per_hour price,
                double sets);

/* The chance to lose one of so many machines within some hours. */
double price_risk(const struct plan_risk *risk, int64_t machines, double hours);

/* What counts, from cost, time and carbon. */
void price_score(const struct plan_problem *p, struct plan *plan);

#endif
