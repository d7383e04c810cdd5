/* plan.h - where, on what, how and when to run a job: the operation's request and result are
 * the plan module's record. */
#ifndef OP_PLAN_PLAN_H
#define OP_PLAN_PLAN_H

#include "plan/record.h"

extern const struct op op_plan;

#endif
