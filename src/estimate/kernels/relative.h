/* relative.h - how long work that was measured on one GPU takes on another.
 *
 * By data sheets alone: work is bound by arithmetic or by memory, so its time changes by a
 * factor between the ratio of the peaks and the ratio of the bandwidths. The geometric mean of
 * both is expected. In tests/truth/training.csv there are 123 pairs of rows of one source with
 * the same model and setting on two GPUs: 115 of the measured ratios are in that range, and the
 * mean is off by 5 % in the median and by 12 % or less for 8 of 10.
 */
#ifndef ESTIMATE_KERNELS_RELATIVE_H
#define ESTIMATE_KERNELS_RELATIVE_H

#include "catalog/catalog.h"
#include "estimate/constants.h"

/* Factors of the measured time. */
struct relative_time {
    double expected, low, high;
};

/* `busy`: the share of the time that the GPU computed; the rest of it stays as it is. NaN: all
 * of it. False when a data sheet lacks a number. */
bool relative_time(const struct accelerator *from, const struct accelerator *to, double busy,
                   struct relative_time *out) MUST_USE;

/* Bytes that work whose peak was measured on one GPU may need on another: the 90th percentile.
 * The tensors are the same; what the allocator holds beside them, and peaks between two samples
 * of a meter, are not. */
double relative_memory(double peak, const struct constants *c);

#endif
