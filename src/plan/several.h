/* several.h - several jobs at once: packed into rented sessions, or put in order.
 *
 * Check the request, add every job (which plans it alone), then plan all of them together.
 */
#ifndef PLAN_SEVERAL_H
#define PLAN_SEVERAL_H

#include "plan/planning.h"

#define SEVERAL_JOBS 40 /* each takes some 7 MB with a complete catalog */

struct several {
    struct arena *arena;
    const struct messages *messages;
    const struct plan_request *request;
    struct planning **works; /* of each job, ready for plan_best() */
    struct plan *bests;      /* of each job alone */
    size_t count;

    /* Filled in by several_plan(): machines that some job would do well on, and each job on
     * each of them. */
    struct machine_set *sets;
    size_t set_count;
    struct plan *plans; /* of each way */
    struct pack_way *ways;
    size_t way_count;
};

bool several_check(const struct plan_request *request, const struct messages *messages,
                   struct error *err) MUST_USE;

/* Plan one of them alone; its budget is not to be looked at, as it is for all jobs. */
bool several_add(struct several *m, size_t job, struct error *err) MUST_USE;

/* Sessions or stages of the record. ERROR_UNFIT when deadlines, sessions or the budget cannot
 * be kept. */
bool several_plan(struct several *m, struct plan_result *res, struct error *err) MUST_USE;

#endif
