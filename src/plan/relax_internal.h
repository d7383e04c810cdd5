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
void relax_set(struct plan_limits *l, const struct relax_step *step, double to);
/* From such a number to what the user knows, and back. */
double relax_shown(const struct relax_step *step, double to);

#endif
