/* plan_slots.h - when it is cheapest or cleanest: request and result of plan.slots. */
#ifndef OP_PLAN_PLAN_SLOTS_H
#define OP_PLAN_PLAN_SLOTS_H

#include "op/op.h"
#include "plan/slots.h"

struct plan_slots_request {
    double hours;
    int64_t days, limit;
    struct str offer, gpu, market, aim;
    struct strs providers, regions;
};

#endif
