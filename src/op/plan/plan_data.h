/* plan_data.h - what moving the data of a job to its best machines takes, and would save. */
#ifndef OP_PLAN_PLAN_DATA_H
#define OP_PLAN_PLAN_DATA_H

#include "op/plan/prepare.h"

/* Into the record; of a job without a folder nothing. `best` may be NULL. */
bool plan_add_data(struct op_context *ctx, const struct plan_work *w, const struct plan *best,
                   struct str job, struct plan_result *res, struct error *err) MUST_USE;

#endif
