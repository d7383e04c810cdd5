/* spot_interval.h - how often to save a checkpoint: the request and the result of
 * spot.interval. */
#ifndef OP_SPOT_SPOT_INTERVAL_H
#define OP_SPOT_SPOT_INTERVAL_H

#include "op/spot/spot_source.h"

extern const struct op op_spot_interval;

struct spot_interval_request {
    struct spot_source source;
    span checkpoint, restart, notice, work;
};

/* What an interval costs: machine time besides the work, as shares of the work. */
struct interval_view {
    span every; /* of work; unknown: only on notice */
    double overhead, save, lost, restart;
    bool best;
};

/* The interval for machines that are this old. */
struct interval_age {
    span from; /* age */
    span every;
};

struct spot_interval_result {
    struct str place, method;
    double mean_life_h;
    struct interval_view best;
    span young, daly;
    struct rows others; /* struct interval_view, shorter first */
    struct rows by_age; /* struct interval_age; empty when it gains nothing */
    double gain;        /* machine time that it saves, a share */
    usd_per_hour spot, on_demand;
    double saving, break_even; /* break_even: overhead at which spot saves nothing; NaN:
                                  it never does, or always */
    double work_h, machine_h;  /* of the job, expected */
    usd spot_usd, on_demand_usd;
};

#endif
