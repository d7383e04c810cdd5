/* hazard.h - a rate for each age bin, and what follows from it in closed form.
 *
 * Bins double in width, because lifetimes are heavy-tailed: most losses are of young machines.
 * Within a bin the rate is constant, so survival is a chain of exponentials and every sum over
 * it is one of a few geometric series. All times are in hours.
 */
#ifndef SPOT_HAZARD_H
#define SPOT_HAZARD_H

#include <stddef.h>

enum { AGE_BINS = 8 };

/* Where each bin begins, in hours; the last has no end. */
extern const double age_edges[AGE_BINS];

size_t age_bin(double hours);
double age_end(size_t bin); /* INFINITY for the last */

/* Nothing lasts for ever: a rate below this counts as this, so that means exist. It is less
 * than may be given (HAZARD_FEWEST), so that no given rate is changed. */
#define HAZARD_LEAST 1e-12
#define HAZARD_FEWEST 1e-9

struct hazard {
    double rate[AGE_BINS]; /* per hour */
    double sum[AGE_BINS];  /* added up to where each bin begins */
};

struct hazard hazard_of(const double rates[static AGE_BINS]);

/* What adds up from one age to another: a life of the one reaches the other with exp(-that). */
double hazard_between(const struct hazard *h, double from, double to);

/* The chance to last to this age. */
double hazard_survive(const struct hazard *h, double age);

/* Hours that are lived before this age, on average; INFINITY for a complete life. */
double hazard_mean(const struct hazard *h, double until);

/* The chance that a life, met at a random moment, goes on for so many hours. */
double hazard_goes_on(const struct hazard *h, double hours);

/* The age that a life has reached which is met at a random moment: of all such, the share `of`
 * (0 <= of < 1) is younger. */
double hazard_age(const struct hazard *h, double of);

/* Variance of a complete life, in hours squared. */
double hazard_variance(const struct hazard *h);

#endif
