/* guard.h - never late: what may be done now, if on-demand is always available.
 *
 * A choice is allowed when, whatever spot does at the end of this tick, on-demand alone can
 * then still make the deadline. Where a choice is allowed, one is allowed in the next tick too:
 * guard_rescue is. So a policy that follows it is never late, on any trace, when the deadline
 * could be made from the first tick on (sim_least_ticks). Exact: in seconds and whole ticks,
 * with starts, transfers, pauses for saving and lost work as the simulator has them.
 */
#ifndef SPOT_GUARD_H
#define SPOT_GUARD_H

#include "spot/sim.h"

bool guard_allows(const struct sim_view *view, struct sim_choice choice);

/* The on-demand that costs least to the end (its price, and egress) among those that make the
 * deadline; what runs already where it does. When none makes it, the soonest done. */
struct sim_choice guard_rescue(const struct sim_view *view);

#endif
