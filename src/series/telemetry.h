/* telemetry.h - events in values that come more often than daily (utilization, requests).
 *
 * Pure. Values come at a fixed interval; NaN is one that is not known. Such values have no
 * months and no amount below which they do not matter, and they may be negative, which is why
 * this is not the method for daily spending (daily.h). docs/guide/forecast.md has what it
 * finds.
 */
#ifndef SERIES_TELEMETRY_H
#define SERIES_TELEMETRY_H

#include "series/daily.h"

struct telemetry {
    const double *value; /* oldest first */
    size_t len;
    double interval; /* seconds from one to the next */
};

struct telemetry_options {
    double threshold; /* deviations; 0: the default */
    size_t settle;    /* values before anything is reported; 0: three days of them */
};

/* Every event of the series, oldest first, as it would have been reported at the time: later
 * values change no earlier verdict. Values of an hour are judged together, by their mean,
 * when at least half of them are known: `first`, `seen` and `last` are indexes of values,
 * `actual` is the sum of the means that are out, `expected` that of what they were compared
 * with: all before, or the same hour of the days before, whichever they are farther from. `low`
 * and `high` are around it, for the first mean. `stayed` is never set. */
bool telemetry_anomalies(const struct telemetry *series,
                         const struct telemetry_options *options, struct arena *arena,
                         const struct anomaly **out, size_t *count, struct error *err) MUST_USE;

#define TELEMETRY_DAYS_SETTLE 3 /* days before anything is reported, unless set otherwise */

/* How many values are judged together, by their mean: those of an hour. */
size_t telemetry_together(double interval);

#endif
