/* estimate.h - request of estimate; its result is struct estimate. */
#ifndef OP_ESTIMATE_ESTIMATE_H
#define OP_ESTIMATE_ESTIMATE_H

#include "op/job_source.h"
#include "op/place.h"

extern const struct op op_estimate;

struct estimate_request {
    struct job_source source;
    struct place_request place;
    struct str sweep;
    bool explain;
};

#endif
