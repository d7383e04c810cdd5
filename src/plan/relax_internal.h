/* relax_internal.h - what the parts of relax share. */
#ifndef PLAN_RELAX_INTERNAL_H
#define PLAN_RELAX_INTERNAL_H

#include "plan/relax.h"

#define RELAX_NO_GPU_LIMIT 16384
#define RELAX_CENT 0.01

struct relaxer {
    struct search *search;
    const struct plan_problem *p;
    struct relax_step force[RELAX_BAR + BAR_COUNT]; /* the restrictions that are in force */
    size_t count;
    struct error *err;
};

/* A limit as a number that allows more the larger it is; the least one that a plan keeps to.
 * Setting it to INFINITY lifts it. */
double relax_limit_of(const struct plan_limits *l, enum relax_kind kind);
double relax_needed_by(const struct plan *plan, enum relax_kind kind);
void relax_set(struct plan_limits *l, const struct relax_step *step, double to);
struct plan_limits relax_lifted(struct plan_limits limits, const struct relax_step *step);

/* From such a number to what the user knows, and back. */
double relax_shown(const struct relax_step *step, double to);

bool relax_best_within(struct relaxer *r, const struct plan_limits *limits, struct plan *plan,
                       bool *found) MUST_USE;

/* The least change of one restriction that gives a plan, when the others are `limits`, which
 * have none. */
bool relax_least_change(struct relaxer *r, const struct plan_limits *limits,
                        struct relax_step *step, struct plan *plan, bool *found) MUST_USE;

/* The least number that two limits, which grow together, are multiplied by. */
bool relax_scale_both(struct relaxer *r, struct relaxation *two, bool *found) MUST_USE;

#endif
