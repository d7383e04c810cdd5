/* optimum_internal.h - what the search for the optimum and its bound share. */
#ifndef SPOT_OPTIMUM_INTERNAL_H
#define SPOT_OPTIMUM_INTERNAL_H

#include "spot/sim.h"

/* What one may be doing: waiting before the first start, and then, for each region in turn,
 * waiting there or on-demand in its cheapest zone; and spot in each zone. */
enum { NOWHERE, PLACES };

struct net {
    const struct sim_market *market;
    const struct sim_job *job;
    size_t ticks;
    size_t regions;        /* that have a zone, numbered from 0 */
    size_t states;         /* PLACES + 2 x regions + zones */
    double slack;          /* seconds that may be wasted */
    size_t *region;        /* [zones] */
    size_t *zone;          /* [regions] of its cheapest on-demand */
    double *on_demand;     /* [regions] USD a tick */
    double *egress, *wait; /* [from x regions + to] USD and seconds of a start */
    double *spot;          /* [ticks x zones] USD a tick; infinite when it is not available */
};

static inline size_t waits_in(size_t region)
{
    return PLACES + 2 * region;
}

static inline size_t on_demand_in(size_t region)
{
    return PLACES + 2 * region + 1;
}

static inline size_t spot_in(const struct net *net, size_t zone)
{
    return PLACES + 2 * net->regions + zone;
}

/* The two must outlive it. */
bool net_make(const struct sim_market *market, const struct sim_job *job, struct arena *arena,
              struct net *out, struct error *err) MUST_USE;

/* What being in this state is to the simulator. */
struct sim_choice net_choice(const struct net *net, size_t state);

/* The bound: from tick t and state s on, with w seconds wasted, at least
 * rest[t x states + s] - price x (slack - w) dollars are still to be paid. */
struct bound {
    double price;   /* USD a second of waste */
    double *rest;   /* [(ticks + 1) x states] */
    double at_most; /* what a plan that was met on the way costs */
};

/* By complete tables: how many cells those have, infinite when lengths of time have no common
 * unit or it would take too long; whether there is memory for a plan; and the cost. `states`
 * ([ticks] or NULL) takes what the plan does up to and including tick `last`. */
double dense_cells(const struct net *net);
bool dense_plan_fits(const struct net *net);
bool dense_find(const struct net *net, struct arena *arena, uint8_t *states, size_t *last,
                double *usd, struct error *err) MUST_USE;

#endif
