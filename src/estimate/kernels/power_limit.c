#include "estimate/kernels/power_limit.h"

#include <math.h>

#include "estimate/money/energy.h"

struct limited_time limited_time(const struct accelerator *gpu, double watts, double limit,
                                 const struct constants *c)
{
    double idle = board_idle_watts(gpu, c), room;

    if (!(idle > 0) || !(limit > idle) || isnan(watts))
        return (struct limited_time){NAN, NAN, NAN};
    if (watts <= limit)
        return (struct limited_time){1, 1, 1};
    room = (watts - idle) / (limit - idle);
    return (struct limited_time){.expected = pow(room, c->at[C_power_limit]),
                                 .low = pow(room, c->at[C_power_limit_low]),
                                 .high = pow(room, c->at[C_power_limit_high])};
}
