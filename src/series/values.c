#include "series/values.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"

#define FEW 200

/* Few values, as a month of days is: several times as fast as qsort(). */
static void sort_few(double *values, size_t count)
{
    static const size_t gaps[] = {57, 23, 10, 4, 1};

    for (size_t g = 0; g < ARRAY_LEN(gaps); g++)
        for (size_t i = gaps[g]; i < count; i++) {
            double moved = values[i];
            size_t at = i;

            /* A NaN is above all others. */
            for (; at >= gaps[g] && !isnan(moved) && !(values[at - gaps[g]] <= moved);
                 at -= gaps[g])
                values[at] = values[at - gaps[g]];
            values[at] = moved;
        }
}

void values_sort(double *values, size_t count)
{
    if (count <= FEW) {
        sort_few(values, count);
        return;
    }
    qsort(values, count, sizeof values[0], num_by_value);
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
