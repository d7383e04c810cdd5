/* readings.h - one series of values with their times, from a CSV file, and its anomalies.
 *
 * Pure. How often the values come decides which method judges them: spending by day (daily.h)
 * or hours (telemetry.h). A time without a value is not known: it is never taken for zero.
 */
#ifndef SERIES_READINGS_H
#define SERIES_READINGS_H

#include "base/csv.h"
#include "series/daily.h"

#define READINGS_MOST ((size_t)4000000) /* rows of a file, and intervals from first to last */

struct reading {
    stamp at;
    double value; /* NaN: not known */
};

/* Oldest first. */
struct readings {
    const struct reading *at;
    size_t len;
    size_t missing;  /* rows without a value: an empty cell, null, NA, NaN */
    size_t infinite; /* rows with a value that is, or is too large: not known either */
    size_t negative;
    size_t backward; /* rows that were older than the one before */
    size_t repeated; /* rows with the time of another */
};

/* Columns are named time, timestamp, date, datetime or start; and value, cost, amount or mean,
 * or `column` when that is not empty. Without such a name the second of two columns has the
 * values. A file whose first cell is a time has no header: time, then value. Errors begin with
 * the line, where there is one. */
bool readings_read(struct csv *csv, struct str column, struct arena *arena,
                   struct readings *out, struct error *err) MUST_USE;

enum readings_method {
    READINGS_DAILY,     /* daily_anomalies() */
    READINGS_TELEMETRY, /* telemetry_anomalies() */
};

/* How they come: every `interval` seconds (the median). */
struct readings_pace {
    double interval;
    enum readings_method method;
    size_t slots;   /* intervals (daily: days) from the first to the last */
    size_t empty;   /* of them, without a value */
    bool too_short; /* nothing is judged yet */
};

struct readings_event {
    struct anomaly of;       /* in slots */
    stamp first, last, seen; /* of its readings */
    double value, expected;  /* means of its days or hours */
};

struct readings_found {
    struct readings_pace pace;
    const struct readings_event *at; /* oldest first */
    size_t len;
};

/* False when there are fewer than two times, or too many intervals from first to last. */
bool readings_pace(const struct readings *readings, struct arena *arena,
                   struct readings_pace *out, struct error *err) MUST_USE;

/* `least` and `share` are for daily values alone. */
bool readings_judge(const struct readings *readings, const struct readings_pace *pace,
                    const struct anomaly_options *options, struct arena *arena,
                    struct readings_found *out, struct error *err) MUST_USE;

#endif
