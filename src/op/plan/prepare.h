/* prepare.h - a job of a request, with everything that planning it needs. */
#ifndef OP_PLAN_PREPARE_H
#define OP_PLAN_PREPARE_H

#include "op/estimate/estimate_work.h"
#include "op/plan/plan.h"
#include "op/plan/plan_places.h"
#include "plan/planning.h"

struct plan_work {
    struct estimate_request asked; /* the same as estimate takes it: how the job is read */
    struct estimate_work job;
    struct plan_places_facts facts;
    struct planning planning;
};

/* Read the job, find the places, and begin the search. `out` must stay where it is. */
bool plan_prepare(struct op_context *ctx, const struct plan_request *request, struct str job,
                  struct plan_work *out, struct error *err) MUST_USE;

#endif
