/* measured.h - work whose model is not known: one measured rate, carried to another card. */
#ifndef ESTIMATE_KERNELS_MEASURED_H
#define ESTIMATE_KERNELS_MEASURED_H

#include "catalog/catalog.h"

/* How many times faster `to` is than `from`, when `compute` of the time is bound by arithmetic
 * in bf16 (or what the card has instead) and the rest by memory bandwidth. NaN when a card's
 * figures are not known. */
double carried_speed(const struct accelerator *from, const struct accelerator *to,
                     double compute);

/* When the user does not say: most training steps are. */
#define USUAL_COMPUTE 0.6

/* Deviation of the logarithm of such a rate: the same card is as sure as the measurement,
 * another one is not. */
double measured_spread(const struct accelerator *from, const struct accelerator *to);

#endif
