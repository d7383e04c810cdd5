/* limits.h - what a plan may use: which providers, regions and GPUs.
 *
 * A selection with limits leaves out no machine for them: it says which of them each machine
 * breaks, so that a plan can tell what they cost.
 */
#ifndef MARKET_LIMITS_H
#define MARKET_LIMITS_H

#include "catalog/allowed.h"
#include "market/offers.h"

struct machine_limits {
    struct allowed providers, regions, gpus;
    double min_reliability; /* of the provider; NaN: any */
};

/* Limits that were read. */
struct limiter {
    const struct market_view *view;
    const struct machine_limits *limits;
    bool *gpu_allowed, *gpu_denied; /* by row of the accelerators */
    bool only_some_gpus;            /* those that are allowed */
    struct str provider;            /* the last that was asked for, */
    unsigned bars;                  /* and what it breaks */
};

/* ERROR_ABSENT for a pattern that matches nothing. Needs TABLE_OFFERS, TABLE_PROVIDERS,
 * TABLE_REGIONS, TABLE_ACCELERATORS and TABLE_NAMES. */
bool limits_read(const struct market_view *view, const struct machine_limits *limits,
                 struct limiter *out, struct error *err) MUST_USE;

/* Set which limits a machine, whose GPU is known, breaks. */
void limits_mark(struct limiter *limiter, struct machine *machine);

#endif
