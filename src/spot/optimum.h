/* optimum.h - the least that anyone could pay who knows the future: the yardstick.
 *
 * Dynamic program over (tick, what runs where, time wasted so far). Waste is idle time and
 * start delays; a run that has wasted no more than deadline - work makes it. Along a run that
 * goes on with what it does, waste stands still, so each tick is a few passes over the arrays.
 * Exact: waste is counted in the greatest common divisor of tick, delay, transfer and work.
 */
#ifndef SPOT_OPTIMUM_H
#define SPOT_OPTIMUM_H

#include "spot/sim.h"

/* The least cost, and with `plan` ([market->ticks]) what to do in each tick. ERROR_UNFIT when
 * no plan makes the deadline. */
bool optimum_find(const struct sim_market *market, const struct sim_job *job,
                  struct arena *arena, struct sim_choice *plan, double *usd,
                  struct error *err) MUST_USE;

#endif
