/* range.h - how sure an estimate is: the 10th and 90th percentile around it. */
#ifndef ESTIMATE_RANGE_H
#define ESTIMATE_RANGE_H

#include "doc/field.h"
#include "estimate/constants.h"
#include "estimate/setup.h"

/* Low and high are the 10th and 90th percentile: about 8 of 10 measured values lie between. */
struct guess {
    double value, low, high;
};

extern const struct field_set guess_set;

/* The spread of a step's time: wider where more is guessed. */
double step_spread(const struct setup *s, const struct constants *c);

/* Of the memory of training: narrow for Hugging Face's model code, whose tensors are
 * counted. */
double memory_spread(const struct setup *s, const struct constants *c);

/* Around `value`, when the logarithm of its error has this spread (one standard deviation). */
struct guess guess_of(double value, double spread);

#endif
