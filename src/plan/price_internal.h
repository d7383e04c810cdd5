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

/* The best whole hour of the clock to start at, in hours from now; 0: now. `now` is the plan
 * that starts now, `fixed` what of it does not depend on the machines' hours. A week has all
 * there is to choose from. On spot the chance to be in time is taken to be that of now. */
double price_best_start(const struct plan_problem *p, const struct plan *now, double fixed);

#endif
