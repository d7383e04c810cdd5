/* meter_internal.h - what meter.c and offers.c share. */
#ifndef METER_METER_INTERNAL_H
#define METER_METER_INTERNAL_H

#include "meter/cpu_power.h"
#include "meter/gpu.h"
#include "meter/host.h"
#include "meter/meter.h"
#include "meter/tree.h"

#define GPU_VENDORS 3

struct meters {
    struct arena arena;
    struct meter_options options;
    struct tree *tree; /* NULL: there is no /proc */
    struct host host;
    struct cpu_power power;
    bool exact; /* the next look should be exact */
    struct {
        const struct gpu_vendor *vendor;
        void *state; /* NULL: none of it here */
        char why[GPU_WHY];
    } gpu[GPU_VENDORS];
};

#endif
