/* search.h - the best plan, exactly, without trying everything. */
#ifndef PLAN_SEARCH_H
#define PLAN_SEARCH_H

#include "plan/plan.h"

/* What was worked out so far: ways by hardware, kept from question to question. In between,
 * limits and aim may change, and the prices and bars of places; the job may not, nor which
 * machines the places have. */
struct search;

struct search_counts {
    size_t places;   /* offers x markets */
    size_t settings; /* configurations whose memory or step was computed */
    size_t pruned;   /* that a bound made unnecessary */
    size_t hardware; /* (GPU, machines) pairs that were looked into */
    size_t skipped;  /* and those that were not */
    /* Plans that might have been better, of which too few machines are said to be there. */
    size_t lacking;
};

/* ERROR_INPUT when the job is impossible on any hardware (a precision that is not known), or
 * does not say how much there is to do. `measured` is the card of a job that is a measured
 * rate; else NULL. */
struct search *search_new(const struct plan_problem *p, const struct accelerator *measured,
                          struct arena *arena, struct error *err) MUST_USE;
struct search_counts search_count(const struct search *s);

/* Which places are looked at, besides their bars. */
struct search_filter {
    unsigned markets;                         /* bits 1 << enum market; 0: all */
    const struct accelerator *const *without; /* none of these */
    size_t without_count;
    const struct plan_place *only; /* just this one; NULL: all */
    struct str provider;           /* just those of it; empty: all */
    int64_t machines, gpus;        /* just so many; 0: any */
};

/* The best one within limits and bars. `found` false when there is none. */
bool search_best(struct search *s, const struct plan_problem *p,
                 const struct search_filter *filter, struct plan *out, bool *found,
                 struct error *err) MUST_USE;

/* Every plan that no other beats in cost and time at once, cheapest first. */
bool search_front(struct search *s, const struct plan_problem *p,
                  const struct search_filter *filter, struct plan **out, size_t *count,
                  struct error *err) MUST_USE;

/* The best, the best on another GPU, the best on a third: up to `most`. */
bool search_different(struct search *s, const struct plan_problem *p, size_t most,
                      struct plan *out, size_t *count, struct error *err) MUST_USE;

#endif
