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

#endif
