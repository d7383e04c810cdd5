/* arrival.h - when requests are sent: by a rate, by users who wait for their answers, or as a
 * trace has it.
 *
 * With a rate or a trace the moments are known beforehand (open loop): a slow server does not
 * make them fewer, so what it makes others wait for is in the result. */
#ifndef LOAD_ARRIVAL_H
#define LOAD_ARRIVAL_H

#include "base/dice.h"
#include "base/str.h"
#include "load/trace.h"

#define ARRIVAL_RATE_MAX 1e6 /* requests a second */
#define ARRIVAL_USERS_MAX 100000

enum arrival_kind {
    ARRIVAL_RATE,
    ARRIVAL_USERS,
    ARRIVAL_TRACE,
};

struct arrival_plan {
    enum arrival_kind kind;
    double rate;     /* requests a second, at the start */
    double rate_end; /* after `ramp_s` seconds; the same as `rate`: no ramp */
    double ramp_s;
    /* Gaps are gamma distributed with this shape: 1 is Poisson, less comes in bursts, more is
     * more even, INFINITY is evenly spaced. */
    double shape;
    int64_t users;  /* each sends its next request when its last was answered */
    double think_s; /* and waits so long before it */
    const struct load_trace *trace;
    double speed; /* of the trace: 2 is twice as fast */
};

/* "poisson", "even", "gamma:0.5" (the shape). */
bool arrival_shape_parse(struct str text, double *out, struct error *err) MUST_USE;

struct arrivals {
    struct arrival_plan plan;
    struct dice dice;
    double passed; /* of the renewal process, in requests expected */
    size_t next;
};

struct arrivals arrivals_start(const struct arrival_plan *plan, uint64_t seed);

/* The next moment, in seconds since the start; false when a trace has no more. Users have
 * none. */
bool arrivals_next(struct arrivals *a, double *at_s);

/* Drawn numbers. */
double chance_exponential(struct dice *dice);         /* mean 1 */
double chance_normal(struct dice *dice);              /* mean 0, deviation 1 */
double chance_gamma(struct dice *dice, double shape); /* mean `shape`; shape > 0 */

#endif
