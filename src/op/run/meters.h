/* meters.h - the meters of this machine: the request and the result of meters. */
#ifndef OP_RUN_METERS_H
#define OP_RUN_METERS_H

#include "doc/field.h"
#include "meter/cloud.h"
#include "meter/meter.h"
#include "op/meter_options.h"

extern const struct op op_meters;

struct meters_request {
    span length; /* of the measurement */
};

struct meters_result {
    struct rows meters; /* struct meter_offer */
    struct cloud_facts cloud;
};

#endif
