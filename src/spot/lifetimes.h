/* lifetimes.h - how long machines stay and outages last, by the age they have reached.
 *
 * Hazards by age bin: the chance per hour that a machine which has lasted so long is lost
 * (`lose`), or that an outage which has lasted so long ends (`gain`). Bins double in width,
 * because lifetimes are heavy-tailed: most losses are of young machines, and one rate for all
 * ages (an exponential) is wrong by a factor of five either way.
 */
#ifndef SPOT_LIFETIMES_H
#define SPOT_LIFETIMES_H

#include "spot/trace.h"

enum { AGE_BINS = 8 };

/* Where each bin begins, in hours; the last has no end. */
extern const double age_edges[AGE_BINS];

size_t age_bin(double hours);

struct lifetimes {
    double lose[AGE_BINS], gain[AGE_BINS];               /* per hour */
    double lose_weight[AGE_BINS], gain_weight[AGE_BINS]; /* hours watched in each bin */
    double up; /* share of the time that machines could be had */
};

/* Of one trace for a gang of `gang`: losses and recoveries by age, so that a trace drawn from
 * them with the same gap loses as often at each age. Each bin is drawn to its neighbours where
 * little was seen: to what is typical of its age, times how much more or less often than is
 * typical it happened in the bins around; where nothing was seen, to `lifetimes_typical`. The
 * first spell's age is counted from the trace's start; the last is censored. */
void lifetimes_fit(const struct trace *trace, int32_t gang, struct lifetimes *out);

/* What is typical of spot machines that were watched: the prior of everything. */
extern const struct lifetimes lifetimes_typical;

/* The chance to keep, for another `hours`, a machine that is `age` hours old; likewise that an
 * outage lasts. */
double lifetimes_keep(const struct lifetimes *of, double age, double hours);
double lifetimes_out(const struct lifetimes *of, double age, double hours);

/* Mean hours that a machine of this age still lives, up to `limit`. */
double lifetimes_rest(const struct lifetimes *of, double age, double limit);

/* Random numbers: the same seed gives the same, on every machine. */
struct dice {
    uint64_t state[4];
};
struct dice dice_seed(uint64_t seed);
uint64_t dice_roll(struct dice *dice);
double dice_unit(struct dice *dice); /* 0 <= x < 1 */

/* A made-up trace of these lifetimes, of one node: `ticks` of `gap` seconds, up with chance `up`
 * at first, at an age drawn from the spells that are under way at a random moment. */
bool lifetimes_draw(const struct lifetimes *of, struct dice *dice, int32_t gap, size_t ticks,
                    struct arena *arena, struct trace *out, struct error *err) MUST_USE;

#endif
