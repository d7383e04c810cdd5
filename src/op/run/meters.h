/* meters.h - the meters of this machine: the request and the result of meters. */
#ifndef OP_RUN_METERS_H
#define OP_RUN_METERS_H

#include "doc/field.h"
#include "meter/cloud.h"
#include "meter/meter.h"

extern const struct op op_meters;

struct meters_request {
    span length; /* of the measurement */
};

struct meters_result {
    struct rows meters; /* struct meter_offer */
    struct cloud_facts cloud;
};

/* How meters are opened by default: everything, with what tests put in the place of the machine
 * (STINT_ROOT before /proc and /sys; STINT_NVML, STINT_ROCM and STINT_HL_SMI in the place of
 * the vendors' libraries and program). `tree`: the process whose tree is metered; 0: the
 * machine. */
struct meter_options op_meter_options(pid_t tree);

#endif
