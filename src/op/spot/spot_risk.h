/* spot_risk.h - how likely a machine is lost, and what a job costs that runs on such ones: the
 * request and the result of spot.risk. */
#ifndef OP_SPOT_SPOT_RISK_H
#define OP_SPOT_SPOT_RISK_H

#include "op/spot/spot_source.h"

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

/* One place. What is not known is NaN; the job's numbers are so without --work and prices. */
struct spot_risk_row {
    struct str place, method;
    usd_per_hour spot, on_demand; /* of one machine, as they were used */
    struct str seen;              /* when the spot price was last confirmed; empty: not told */
    double risk, risk_low, risk_high;
    double risk_new; /* of a machine that has just become available */
    int64_t spells, losses;
    double watched_h, up; /* up: share of the time that it could be had */
    /* the job, by simulation */
    usd mean_usd, error_usd, p10_usd, p50_usd, p90_usd, on_demand_usd;
    double on_time, hours_p10, hours_p50, hours_p90, expected_losses, overhead, saving;
    span save_every;
    struct str worth; /* "yes" or "no"; empty: there is nothing to tell */
};

struct spot_risk_result {
    struct rows places; /* struct spot_risk_row */
    double hours;       /* within which */
    double interval;    /* what risk_low to risk_high hold */
    int64_t gang, runs;
    double work_h, deadline_h, delay_h;
    struct str policy; /* of the simulation; empty: none was asked for */
};

#endif
