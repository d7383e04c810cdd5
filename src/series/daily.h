/* daily.h - daily spending: what a month will come to, and what is out of the ordinary.
 *
 * Pure. Days are consecutive; NaN is a day of which nothing is known. Amounts are plain numbers
 * in one currency: what is forecast or judged is never summed exactly.
 */
#ifndef SERIES_DAILY_H
#define SERIES_DAILY_H

#include "base/arena.h"
#include "unit/time.h"

struct daily {
    day first;            /* of the series: weekdays follow from it */
    const double *amount; /* one for each day, oldest first */
    size_t len;
};

/* What the days from the end of the series up to `until` (the first day after) will come to,
 * with the range that 80 % of months end in. */
struct forecast {
    double rest, low, high; /* of the days that are not known yet */
    double spent;           /* of the days of the period that are known */
    double total, total_low, total_high;
    const char *method; /* "weekday means", "run rate", "all days are known", ... */
    size_t days_used;
};

#define FORECAST_MIN_DAYS 3  /* fewer: nothing is known */
#define FORECAST_HISTORY 182 /* days before the period that it gets better with */

/* `from`: the first day of the period. False when there is too little to go by. */
bool daily_forecast(const struct daily *series, day from, day until, struct arena *arena,
                    struct forecast *out, struct error *err) MUST_USE;

enum anomaly_direction {
    ANOMALY_UP,
    ANOMALY_DOWN,
};

/* Days that belong together: one event, one alarm. */
struct anomaly {
    size_t first, last; /* days of the series; `last` grows while it goes on */
    size_t seen;        /* the day that gave it away: the first one, or up to a week later */
    enum anomaly_direction direction;
    double expected, actual; /* over these days */
    size_t parts;            /* days (telemetry.h: means) that are in these two sums */
    double low, high;        /* what would have been ordinary on its first day */
    double score;            /* how far out, in scales of the noise */
    bool goes_on;            /* the last day of the series is still in it */
    bool stayed;             /* it lasted until it was what is ordinary */
};

struct anomaly_options {
    double least;     /* money that it must make a difference of: the larger of this ... */
    double share;     /* ... and this share of what was expected; 0.2 */
    double threshold; /* scales of the noise; 0: the default */
    size_t settle;    /* days before anything is reported; 0: 28 */
};

/* Every event of the series, oldest first, as it would have been seen day by day: what comes
 * later changes no earlier verdict. The last day is taken to be complete. */
bool daily_anomalies(const struct daily *series, const struct anomaly_options *options,
                     struct arena *arena, const struct anomaly **out, size_t *count,
                     struct error *err) MUST_USE;

#endif
