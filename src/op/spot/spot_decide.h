/* spot_decide.h - what a job should do now: request and result of spot.decide are those of
 * spot/decide.h. */
#ifndef OP_SPOT_SPOT_DECIDE_H
#define OP_SPOT_SPOT_DECIDE_H

#include "spot/decide.h"

extern const struct op op_spot_decide;

#endif
