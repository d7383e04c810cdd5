/* optimum.h - the least that anyone could pay who knows the future: the yardstick.
 *
 * A job that runs to the deadline's tick is done when it has wasted no more than deadline minus
 * work, where waste is waiting (also after the end), start delays and transfers. So it is a
 * cheapest path through (tick, what runs where) with a limit on waste: for each of them the
 * search keeps the pairs of waste and cost of which none is worse in both. A price on waste
 * (the Lagrange multiplier) gives a bound from below on every way on, which leaves few pairs.
 * Exact for any lengths of tick, delay and transfer.
 *
 * Pauses for saving and lost work are left out: who knows the future saves only where it pays.
 * With them the figure is a bound that none gets below. Egress must cost no more, and no
 * transfer longer, directly than by way of a third region.
 */
#ifndef SPOT_OPTIMUM_H
#define SPOT_OPTIMUM_H

#include "spot/sim.h"

/* The least cost, and with `plan` ([market->ticks]) what to do in each tick. ERROR_UNFIT when
 * no plan makes the deadline. */
bool optimum_find(const struct sim_market *market, const struct sim_job *job,
                  struct arena *arena, struct sim_choice *plan, double *usd,
                  struct error *err) MUST_USE;

/* Where that takes too long (ERROR_FAILED): a lower bound, `usd`, and by how much the
 * least cost may be above it at most. With a price on waste in place of the limit, in time and
 * memory that grow with ticks x zones x regions alone. ERROR_UNFIT as above. */
bool optimum_bound(const struct sim_market *market, const struct sim_job *job,
                   struct arena *arena, double *usd, double *above, struct error *err) MUST_USE;

#endif
