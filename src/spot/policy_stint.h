/* policy_stint.h - how Stint's own policy weighs what may be done: for those who ask why. */
#ifndef SPOT_POLICY_STINT_H
#define SPOT_POLICY_STINT_H

#include "spot/policy.h"

/* After policy_stint picked: what it may do, and what it expects each to cost to the end. The
 * first is on-demand, which may always be taken. Returns how many there are. */
enum { STINT_OPTIONS = 5 };
size_t stint_weigh(void *state, const struct sim_view *view,
                   struct sim_choice options[STINT_OPTIONS], double all_usd[STINT_OPTIONS]);

#endif
