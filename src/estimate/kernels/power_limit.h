/* power_limit.h - a GPU under a power limit: how much longer it takes, and what it draws.
 *
 * Below its power a board lowers its clocks. What is bound by arithmetic then takes longer, as
 * a power of what the board has above its idle power: the cube root by physics (power goes with
 * frequency and the square of the voltage), less in measurements, where memory and waiting do
 * not follow the clocks. The exponent and its published range are constants
 * (power_limit, power_limit_low, power_limit_high).
 */
#ifndef ESTIMATE_KERNELS_POWER_LIMIT_H
#define ESTIMATE_KERNELS_POWER_LIMIT_H

#include "estimate/constants.h"

/* Factors of the time without a limit: expected, and where clocks matter little or much. */
struct limited_time {
    double expected, low, high;
};

/* Of work that draws `watts` of one board, limited to `limit` watts. 1 where the limit is not
 * reached; NaN where the board's power is not known, or the limit is not above idle. */
struct limited_time limited_time(const struct accelerator *gpu, double watts, double limit,
                                 const struct constants *c);

#endif
