/* simulate.h - request and result of simulate are those of a sweep. */
#ifndef OP_SPOT_SIMULATE_H
#define OP_SPOT_SIMULATE_H

#include "render/timeline.h"
#include "spot/sweep.h"

extern const struct op op_simulate;

#endif
