/* rules_internal.h - what the parts of rules share. */
#ifndef PLAN_RULES_INTERNAL_H
#define PLAN_RULES_INTERNAL_H

#include "plan/rules.h"

/* The question. */
struct thumb {
    struct search *search;
    const struct plan_problem *p;
    const struct plan *best;
    const struct alloc *alloc;
    struct error *err;
};

/* A job that is changed, on the best plan's own place: a small search of its own. */
struct bench {
    struct arena arena;
    struct job job;
    struct plan_problem problem;
    struct search *search; /* NULL: no card can do such a job */
};

/* The job as it is, or as `job` says; close it in any case. */
bool bench_open(const struct thumb *t, const struct job *job, struct bench *out) MUST_USE;
void bench_close(struct bench *b);

/* The best plan of such, first within the limits, then without those that are numbers. */
bool thumb_find(const struct thumb *t, struct search *s, const struct plan_problem *p,
                const struct search_filter *filter, struct rule_side *out,
                struct plan *plan) MUST_USE;

void thumb_name(struct rule_side *side, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The problem without limits that are numbers, but for GPUs. */
struct plan_problem thumb_free(const struct plan_problem *p);

/* Those that change the setting. `rule` has its id and words; it does not apply yet. */
bool rule_offload(const struct thumb *t, struct rule *rule) MUST_USE;
bool rule_precision(const struct thumb *t, struct rule *rule) MUST_USE;
bool rule_zero(const struct thumb *t, struct rule *rule) MUST_USE;
bool rule_recompute(const struct thumb *t, struct rule *rule) MUST_USE;
bool rule_batch(const struct thumb *t, struct rule *rule) MUST_USE;

#endif
