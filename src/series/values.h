/* values.h - plain numbers that are put in order. */
#ifndef SERIES_VALUES_H
#define SERIES_VALUES_H

#include <stddef.h>

/* Smaller first, NaN last. */
void values_sort(double *values, size_t count);

/* Of one or more sorted values: the one that a share of them lies below, with a straight line
 * between the two nearest (type 7 of Hyndman and Fan). Values may be INFINITY. */
double values_quantile(const double *sorted, size_t count, double share);

#endif
