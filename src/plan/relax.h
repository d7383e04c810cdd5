/* relax.h - what restrictions cost, and which to give up when nothing is left. */
#ifndef PLAN_RELAX_H
#define PLAN_RELAX_H

#include "plan/search.h"

enum relax_kind {
    RELAX_DEADLINE,
    RELAX_BUDGET,
    RELAX_RISK,
    RELAX_CARBON,
    RELAX_GPUS, /* most_gpus, least_gpus */
    RELAX_BAR,  /* one of the bars */
};

/* A restriction without which the best plan is this one. */
struct relaxation {
    enum relax_kind kind;
    enum plan_bar bar; /* of RELAX_BAR */
    struct plan plan;  /* the best without it */
    double to;         /* what the limit would have to be: hours, USD, share, kg, GPUs */
    double saves;      /* USD that the best plan costs less; NaN when there is no best */
};

#define RELAX_MOST 16

/* Every restriction that is in force, each lifted alone (`best` NULL: there is no plan; then two
 * together are tried where none alone suffices, and `pair` names the second in `out[i + 1]`).
 * Sorted by what they save, or by how little they change. */
bool plan_relax(struct search *s, const struct plan_problem *p, const struct plan *best,
                struct relaxation *out, size_t *count, struct error *err) MUST_USE;

/* Limits that contradict each other whatever the catalog holds, in one line: "budget $0",
 * "least 8 GPUs, most 4". ERROR_INPUT. */
bool plan_check_limits(const struct plan_limits *limits, struct error *err) MUST_USE;

#endif
