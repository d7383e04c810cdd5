/* hazard.h - what follows from a rate for each age bin (lifetimes.h), in closed form.
 *
 * Within a bin the rate stands still, so survival is a chain of exponentials and every sum over
 * it is one of a few geometric series.
 */
#ifndef SPOT_HAZARD_H
#define SPOT_HAZARD_H

#include "spot/lifetimes.h"

/* Nothing lasts for ever: a rate below one a year counts as that, so that means exist. */
#define HAZARD_LEAST (1.0 / 8766)

struct hazard {
    double rate[AGE_BINS]; /* per hour */
    double sum[AGE_BINS];  /* added up to where each bin begins */
};

struct hazard hazard_of(const double rates[static AGE_BINS]);

/* The chance to last to this age, in hours. */
double hazard_survive(const struct hazard *h, double age);

/* Hours that are lived before this age, in the mean; INFINITY for a whole life. */
double hazard_mean(const struct hazard *h, double until);

/* The chance that a life, met at a random moment, goes on for so many hours. */
double hazard_goes_on(const struct hazard *h, double hours);

/* Variance of a whole life, in hours squared. */
double hazard_variance(const struct hazard *h);

/* Lifetimes from the model of the catalog (interruption.h): a machine got at a random moment is
 * kept for h hours with chance exp(-H h^s). Such a machine has reached some age already; one that
 * is new is lost sooner: if that holds, the rate at age a is H s a^(s-1) + (1 - s) / a. `up` is
 * the share of the time that machines can be had: outages are those of `lifetimes_typical`, all
 * longer or shorter so that they leave it. NaN: the typical share. */
struct lifetimes lifetimes_from_hazard(double first_hour, double shape, double up);

#endif
