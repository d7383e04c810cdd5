/* budget_split.h - a month's money in parts, and plans compared with them: request of
 * budget.split; its result is struct budget_split. */
#ifndef OP_PLAN_BUDGET_SPLIT_H
#define OP_PLAN_BUDGET_SPLIT_H

#include "plan/split.h"

extern const struct op op_budget_split;

struct budget_split_request {
    struct str budget;  /* an amount; or, as it may be left out, the first of the plans */
    struct strs plans;  /* files: saved plans, and jobs */
    struct str storage; /* an amount or a share */
    double experiments, production, reserve;
};

#endif
