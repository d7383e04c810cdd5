/* simulate.h - request and result of simulate are those of a sweep. */
#ifndef OP_SPOT_SIMULATE_H
#define OP_SPOT_SIMULATE_H

#include "op/op.h"
#include "report/timeline.h"
#include "spot/sweep.h"

#endif
