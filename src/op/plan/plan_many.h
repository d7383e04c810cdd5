/* plan_many.h - what planning several jobs consists of. */
#ifndef OP_PLAN_PLAN_MANY_H
#define OP_PLAN_PLAN_MANY_H

#include "op/plan/plan_work.h"
#include "plan/pack.h"

/* Machines that some job would do well on. */
struct stand {
    struct str offer;
    enum plan_market market;
    double commit_hours; /* of several terms, which */
    int64_t machines;
};

struct many {
    struct op_context *ctx;
    const struct plan_request *request;
    struct plan_work *works;
    struct plan *bests;
    size_t count;
    struct stand *stands;
    size_t stand_count;
    struct plan *plans; /* [way] */
    struct pack_way *ways;
    size_t way_count;
};

/* Its name, or its file. */
struct str many_name(const struct many *m, size_t job);

/* "OFFER:MARKET" of a plan. */
struct str many_where(struct plan_work *w, const struct plan *plan, struct error *err);

/* The jobs with their names, deadlines and what they come after; NULL with the error set when
 * that is none of them. */
struct pack_job *many_jobs(const struct many *m, struct error *err) MUST_USE;

/* --queue: the jobs in order, as stages of the result. */
bool many_order(struct many *m, struct plan_result *res, struct error *err) MUST_USE;

/* Let sessions that wait for nobody, and that nobody waits for, start when machines are
 * cheapest within so many hours: slots and cost of the result are changed. `price_x`: what the
 * price of each session is multiplied with then. */
void many_choose_starts(const struct many *m, const struct pack_job *jobs,
                        struct pack_result *packed, double within_h, double *price_x);

#endif
