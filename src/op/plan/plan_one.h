/* plan_one.h - what one job comes to, for those who only want the sum. */
#ifndef OP_PLAN_PLAN_ONE_H
#define OP_PLAN_PLAN_ONE_H

#include "op/op.h"

struct plan_cost {
    struct str name;
    struct money cost; /* of the best plan */
    struct str unit;   /* that it is for: "job", "month", "million tokens"; empty: the job */
    bool experiment;   /* the job says what is hoped for */
};

/* Plan a job file, or a model. */
bool plan_one_cost(struct op_context *ctx, struct str job, struct plan_cost *out,
                   struct error *err) MUST_USE;

#endif
