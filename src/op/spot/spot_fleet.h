/* spot_fleet.h - which machines where, so that not all are lost at once; which jobs on spot:
 * request and result of spot.fleet. */
#ifndef OP_SPOT_SPOT_FLEET_H
#define OP_SPOT_SPOT_FLEET_H

#include "op/spot/price_spot.h"
#include "spot/fleet.h"
#include "spot/mix.h"

extern const struct op op_spot_fleet;

struct spot_fleet_request {
    struct fleet_ask fleet;
    int64_t count;
    struct str gpu;
    bool any_form;
    struct strs providers, regions;
    struct strs supply; /* OFFER=MACHINES, over the setting */
    span length;
    /* the mix */
    struct strs jobs;
    struct str job_file;
    span delay, checkpoint;
};

struct spot_fleet_result {
    struct fleet fleet;
    struct price_age age;
    struct mix mix;
};

#endif
