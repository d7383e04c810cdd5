/* spot_risk.h - how likely a machine is lost, and what a job costs on such machines: request of
 * spot.risk; its result is struct spot_risks. */
#ifndef OP_SPOT_SPOT_RISK_H
#define OP_SPOT_SPOT_RISK_H

#include "op/spot/spot_source.h"
#include "spot/risk.h"

extern const struct op op_spot_risk;

struct spot_risk_request {
    struct spot_source source;
    span length; /* within which */
    /* a job */
    span work, deadline, delay, checkpoint, notice;
    struct str policy;
    bool spot_only;
    int64_t runs, seed;
};

#endif
