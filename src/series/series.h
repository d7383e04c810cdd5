/* series.h - statistics on values that hold until they change: prices over time.
 *
 * Pure. A series is change points, oldest first; a value holds from its moment until the next one.
 * SERIES_NONE is a stretch without any value (an offer that was gone).
 */
#ifndef SERIES_SERIES_H
#define SERIES_SERIES_H

#include "base/arena.h"
#include "base/clock.h"

#define SERIES_NONE INT64_MIN

struct point {
    stamp at;
    int64_t value;
};

struct points {
    const struct point *at; /* oldest first, no two at the same moment */
    size_t len;
};

#endif
