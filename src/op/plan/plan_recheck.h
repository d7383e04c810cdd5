/* plan_recheck.h - what changed since a plan was saved: request and result of plan.recheck. */
#ifndef OP_PLAN_PLAN_RECHECK_H
#define OP_PLAN_PLAN_RECHECK_H

#include "op/market.h"
#include "plan/recheck.h"

extern const struct op op_plan_recheck;

struct plan_recheck_request {
    struct str file;
    double tolerance; /* a plan that costs more by a larger share is not good any more */
};

struct plan_recheck_result {
    struct str file, name, unit; /* unit: of the costs */
    struct str method;           /* how the costs of today were found */
    struct plan_recheck check;
    bool job_changed;     /* the job's file is not what it was */
    struct price_age age; /* of the prices of today */
};

#endif
