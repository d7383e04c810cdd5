/* plan_recheck.h - what changed since a plan was saved: request and result of plan.recheck. */
#ifndef OP_PLAN_PLAN_RECHECK_H
#define OP_PLAN_PLAN_RECHECK_H

#include "op/offers.h"
#include "op/plan/plan.h"

struct plan_recheck_request {
    struct str file;
    double tolerance; /* a plan that is dearer by more is not good any more; a share */
};

/* One of the plans that were saved. */
struct plan_recheck_row {
    struct str role, offer, market;
    struct str elsewhere; /* what it is compared with when it is not there: the same machine in
                             another region, the cheapest; else empty */
    struct str state;     /* same, cheaper, dearer, gone; unknown: it had no price */
    usd_per_hour price_then, price_now;
    double price_change; /* a share; NaN unless both are known */
    day date_then, date_now;
    int64_t age_then_days, age_now_days; /* of the price: when it was planned, and today */
    usd cost_then, cost_now;
    double cost_change; /* a share */
};

struct plan_recheck_result {
    struct str file, name, unit; /* unit: of the costs */
    struct str state;            /* of the best plan: good, dearer, beaten, gone, unknown */
    struct str verdict;          /* in one line */
    struct str method;           /* how the costs of today were found */
    struct rows plans;           /* struct plan_recheck_row, as they were saved */
    struct str best_offer,
        best_market; /* of the best plan of today; empty: not planned again */
    usd best_cost;
    bool job_changed;     /* the job's file is not what it was */
    bool same;            /* the best plan of today is on the same machines as the saved one */
    bool newer;           /* some price is newer than that of the plan */
    struct price_age age; /* of the prices of today */
};

extern const struct field_set plan_recheck_request_fields, plan_recheck_result_fields;

#endif
