/* rules.h - rules of thumb, each computed for this job: does it hold, and what is it worth? */
#ifndef PLAN_RULES_H
#define PLAN_RULES_H

#include "plan/search.h"

enum rule_id {
    RULE_SHORT_NO_SPOT, /* a short job is not worth spot */
    RULE_ONE_GPU,       /* what fits one GPU is not sharded */
    RULE_OFFLOAD,       /* offload instead of more GPUs */
    RULE_NODES,         /* more machines instead of waiting */
    RULE_PRECISION,     /* the narrowest precision that is tolerated */
    RULE_ZERO,          /* the lowest ZeRO stage that fits */
    RULE_RECOMPUTE,     /* recompute only when it does not fit */
    RULE_BATCH,         /* the largest micro-batch that fits */
    RULE_LOCAL,         /* local below an hour, cloud above ten */
    RULE_COUNT,
};

struct rule {
    enum rule_id id;
    const char *says; /* "fits one GPU: do not shard" */
    bool applies;     /* has something to say about this job */
    bool agrees;      /* with the plan */
    double with_usd,
        without_usd; /* cost when it is followed, and when it is not; NaN: cannot be */
    double with_h, without_h;
};

/* All of them, on the best plan. */
bool plan_rules(struct search *s, const struct plan_problem *p, const struct plan *best,
                struct arena *arena, struct rule out[static RULE_COUNT],
                struct error *err) MUST_USE;

#endif
