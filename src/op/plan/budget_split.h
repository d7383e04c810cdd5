/* budget_split.h - a month's money in parts, and plans held against them: the request and the
 * result of budget.split. */
#ifndef OP_PLAN_BUDGET_SPLIT_H
#define OP_PLAN_BUDGET_SPLIT_H

#include "doc/field.h"
#include "unit/money.h"

extern const struct op op_budget_split;

struct budget_split_request {
    struct str budget;  /* an amount; or, as it may be left out, the first of the plans */
    struct strs plans;  /* files: saved plans, and jobs */
    struct str storage; /* an amount or a share */
    double experiments, production, reserve;
};

/* All amounts of a row are in the budget's currency; unknown: nothing is held against it. */
struct budget_part {
    struct str part; /* experiments, production, storage, reserve */
    double share;
    struct money amount, planned, left; /* left: negative when it is over */
    bool over;
};

struct budget_plan {
    struct str name, file, part;
    struct money cost; /* as the plan has it */
    struct money held; /* in the budget's currency; unknown: there is no exchange rate */
};

struct budget_split_result {
    struct money budget;
    struct rows parts;          /* struct budget_part */
    struct rows plans;          /* struct budget_plan, as given */
    struct money planned, left; /* of the whole budget */
    struct money over;          /* by which parts are over, together */
    bool reserve_covers;        /* that */
};

#endif
