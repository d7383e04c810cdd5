/* platforms.h - managed platforms beside plain machines, for a job that trains. */
#ifndef OP_PLAN_PLATFORMS_H
#define OP_PLAN_PLATFORMS_H

#include "op/plan/plan.h"

struct op_context; /* op/context.h */
struct plan_work;  /* op/plan/prepare.h */

/* The rows `platforms` of the result, when the request names a platform: each one that can
 * run the job with the best plan on it, what the same costs on plain machines of its cloud,
 * and the cheapest plain machine of all. Each is searched by itself: a markup may change
 * what is best. `asked` is the job as it was planned: the same prices are too old in all
 * rows. */
bool plan_add_platforms(const struct op_context *ctx, const struct plan_request *request,
                        struct str job, const struct plan_work *asked, struct plan_result *res,
                        struct error *err) MUST_USE;

#endif
