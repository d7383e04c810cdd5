#include "series/values.h"

#include <stdlib.h>

#include "base/num.h"

static int compare_values(const void *a, const void *b)
{
    return num_compare(*(const double *)a, *(const double *)b);
}

void values_sort(double *values, size_t count)
{
    qsort(values, count, sizeof values[0], compare_values);
}

double values_quantile(const double *sorted, size_t count, double share)
{
    double at = share * (double)(count - 1), part;
    size_t low = (size_t)at;

    if (low + 1 >= count)
        return sorted[count - 1];
    part = at - (double)low;
    /* No line goes to infinity. */
    if (!(part > 0) || !(sorted[low] < sorted[low + 1]))
        return sorted[low];
    return sorted[low] + part * (sorted[low + 1] - sorted[low]);
}
