/* rules.h - rules of thumb, each computed for this job: does it hold, and what is it worth? */
#ifndef PLAN_RULES_H
#define PLAN_RULES_H

#include "base/buf.h"
#include "plan/search.h"

enum rule_id {
    RULE_SHORT_NO_SPOT, /* a short job is not worth spot */
    RULE_ONE_GPU,       /* what fits one GPU is not sharded */
    RULE_OFFLOAD,       /* offload instead of more GPUs */
    RULE_NODES,         /* more machines only cost more: wait */
    RULE_PRECISION,     /* the narrowest precision that is tolerated */
    RULE_ZERO,          /* the lowest ZeRO stage that fits */
    RULE_RECOMPUTE,     /* recompute only when it does not fit */
    RULE_BATCH,         /* the largest micro-batch that fits */
    RULE_LOCAL,         /* local below an hour, cloud above ten */
    RULE_COUNT,
};

#define RULE_SHORT_H 1.0 /* below, a job is short; and local */
#define RULE_LONG_H 10.0 /* above, the cloud */

/* The best plan that follows a rule, or that does not. */
struct rule_side {
    char name[48]; /* "one GPU", "sharding over 4 GPUs" */
    bool possible; /* else the numbers are NaN */
    bool allowed;  /* by the limits; if none is, they are those of a plan that breaks some */
    double usd;    /* of the job */
    double hours;  /* until it is done */
    int64_t gpus;
};

struct rule {
    enum rule_id id;
    const char *says;    /* "fits one GPU: do not shard" */
    bool applies;        /* has something to say about this job */
    const char *why_not; /* when it does not */
    bool agrees;         /* with the plan; of spot, with what would be chosen if it is barred */
    struct rule_side with, without;
};

/* All of them, on the best plan. Spot, GPUs and local are looked for in all places (spot also
 * where only the market bars it); machines, offload and precision in the best plan's own place;
 * ZeRO, recompute and micro-batch there on its own machines, with its parallel degrees. */
bool plan_rules(struct search *s, const struct plan_problem *p, const struct plan *best,
                struct arena *arena, struct rule out[static RULE_COUNT],
                struct error *err) MUST_USE;

/* In words: "sharding over 4 GPUs costs $1.20 more than one GPU and is done 0.8 h sooner". */
void rule_effect(const struct rule *rule, struct buf *out);

#endif
