/* lifetimes.h - how long machines stay and outages last, by the age they have reached.
 *
 * Hazards by age bin: the chance per hour that a machine which has lasted so long is lost
 * (`lose`), or that an outage which has lasted so long ends (`gain`). Bins double in width,
 * because lifetimes are heavy-tailed: most losses are of young machines, and one rate for all
 * ages (an exponential) is wrong by a factor of five either way.
 */
#ifndef SPOT_LIFETIMES_H
#define SPOT_LIFETIMES_H

#include "base/dice.h"
#include "spot/hazard.h"
#include "spot/trace.h"

struct lifetimes {
    double lose[AGE_BINS], gain[AGE_BINS]; /* per hour */
    double up;                             /* share of the time that machines are available */
};

/* Of one trace for a gang of `gang`: losses and recoveries by age, so that a trace drawn from
 * them with the same gap loses as often at each age. Each bin is drawn to its neighbors where
 * little was seen: to what is typical of its age, times how much more or less often than is
 * typical it happened in the bins around; where nothing was seen, to `lifetimes_typical`. The
 * first spell's age is counted from the trace's start; the last is censored. */
void lifetimes_fit(const struct trace *trace, int32_t gang, struct lifetimes *out);

/* What is typical of spot machines that were watched: the prior of everything. */
extern const struct lifetimes lifetimes_typical;

/* From the model of the catalog (interruption.h): a machine got at a random moment is kept for
 * h hours with chance exp(-H h^s). Such a machine has reached some age already; one that is new
 * is lost sooner: if that holds, the rate at age a is H s a^(s-1) + (1 - s) / a. `up` is the
 * share of the time that machines are available: outages are those of `lifetimes_typical`, all
 * longer or shorter so that they leave it. NaN: typical outages, and the share they leave. */
struct lifetimes lifetimes_from_hazard(double first_hour, double shape, double up);

/* A synthetic trace of these lifetimes, of one node: `ticks` of `gap` seconds, up with chance
 * `up` at first, at an age drawn from the spells that are under way at a random moment. */
bool lifetimes_draw(const struct lifetimes *of, struct dice *dice, int32_t gap, size_t ticks,
                    struct arena *arena, struct trace *out, struct error *err) MUST_USE;

#endif
