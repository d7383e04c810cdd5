/* lifetimes_internal.h - what fitting, asking and drawing of lifetimes share. */
#ifndef SPOT_LIFETIMES_INTERNAL_H
#define SPOT_LIFETIMES_INTERNAL_H

#include "spot/lifetimes.h"

/* Where a bin ends: infinity for the last. */
double age_end(size_t bin);

/* What adds up of these rates from one age to another, in hours. */
double hazard_between(const double *rates, double from, double to);

/* The rate as it is used: one of nothing is one of a million hours. */
double hazard_rate(double rate);

#endif
