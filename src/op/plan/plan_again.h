/* plan_again.h - a saved plan's question, asked once more. */
#ifndef OP_PLAN_PLAN_AGAIN_H
#define OP_PLAN_PLAN_AGAIN_H

#include "op/plan/plan.h"

struct plan_again {
    bool planned; /* else `why_not` says what was in the way */
    struct str why_not;
    bool changed; /* the job's file is not what it was */
    usd cost;     /* of the best plan at the prices of today */
    struct str offer, market;
    day date;       /* of its price */
    bool own_price; /* the user's own machine, word or discount */
};

/* With the options it was planned with. Only want of memory is an error: a job whose file is
 * gone, or that has no plan any more, is told of. */
bool plan_again(struct op_context *ctx, const struct plan_result *saved, struct plan_again *out,
                struct error *err) MUST_USE;

#endif
