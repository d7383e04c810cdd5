/* spot_fleet.h - which machines where, so that not all are lost at once; which jobs on spot:
 * the request and the result of spot.fleet. */
#ifndef OP_SPOT_SPOT_FLEET_H
#define OP_SPOT_SPOT_FLEET_H

#include "op/spot/price_spot.h"
#include "spot/mix.h"

extern const struct op op_spot_fleet;

struct spot_fleet_request {
    int64_t gpus, count;
    struct str gpu;
    bool any_form, no_on_demand;
    struct strs providers, regions;
    usd_per_hour max_price;
    double max_risk, max_lost, lost_share;
    span length;
    /* the mix */
    struct strs jobs;
    struct str job_file;
    span delay, checkpoint;
};

/* Machines of one pool. */
struct fleet_row {
    struct str offer, market, accelerator;
    int64_t machines;
    double gpus, risk;
    usd_per_hour price, per_gpu, sum; /* of one; of all of them */
};

/* One job of the mix. */
struct mix_row {
    struct str job, offer, market, reason;
    int64_t machines;
    double hours, deadline_h;
    usd cost_usd, p90_usd, on_demand_usd;
};

struct spot_fleet_result {
    struct rows pools; /* struct fleet_row, cheapest first */
    int64_t gpus, candidates;
    double hours;
    usd_per_hour price, expected, on_demand;
    double saving, risk, lost_share, lost;
    bool exact;
    struct price_age age;
    /* the mix */
    struct rows jobs; /* struct mix_row */
    usd jobs_usd, jobs_on_demand_usd;
    double jobs_saving;
};

/* "train:48h:4:by=60h" as a job: its name, hours of work, and in any order the number of
 * machines, "critical", "once" and "by=TIME". */
bool fleet_job_parse(struct str text, struct str *name, struct mix_job *out,
                     struct error *err) MUST_USE;

/* Does the offer pass the request's filters, on spot and on demand? Its price must be sound. */
extern const struct field_set mix_row_fields;

#endif
