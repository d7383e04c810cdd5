/* plan_slots.h - when it is cheapest or cleanest: request and result of plan.slots. */
#ifndef OP_PLAN_PLAN_SLOTS_H
#define OP_PLAN_PLAN_SLOTS_H

#include "plan/slots.h"

extern const struct op op_plan_slots;

struct plan_slots_request {
    double hours;
    int64_t days, limit;
    struct str offer, gpu, market, aim;
    struct strs providers, regions;
};

#endif
