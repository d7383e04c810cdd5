/* spot_interval.h - how often to save a checkpoint: request of spot.interval; its result is
 * struct interval_answer. */
#ifndef OP_SPOT_SPOT_INTERVAL_H
#define OP_SPOT_SPOT_INTERVAL_H

#include "op/spot/spot_source.h"
#include "spot/interval.h"

extern const struct op op_spot_interval;

struct spot_interval_request {
    struct spot_source source;
    span checkpoint, delay, notice, work;
};

#endif
