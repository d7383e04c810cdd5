/* values.h - the anomalies of one series of values in a CSV file, without the ledger. */
#ifndef BUDGET_VALUES_H
#define BUDGET_VALUES_H

#include "base/message.h"
#include "base/watch.h"
#include "budget/anomalies.h"
#include "series/readings.h"

/* Which values are judged, and how. */
struct values_question {
    const char *path;  /* "-": standard input */
    struct str column; /* of the values; empty: any usual name (readings_read()) */
    struct anomaly_options options;
    const char *daily_only; /* an option that was given and is for daily values; NULL: none */
    const struct messages *messages;
    struct watch watch;
};

/* How the values of a file were judged. */
struct anomaly_values {
    struct str file, method; /* no file: the ledger was asked */
    double interval_s;
    int64_t together;
    stamp first, last;
    int64_t values, missing, infinite, repeated, gaps;
    struct rows events; /* struct readings_event, the newest first */
};

extern const struct field_set readings_event_fields, anomaly_values_fields;

/* Judge them: what is wrong with rows is warned of. `events` gets the counts. The file's name
 * is the caller's to set. ERROR_INPUT, with the file and the line, for a file that cannot be
 * judged; ERROR_USAGE for `daily_only` and values that come more often. */
bool anomaly_values_judge(const struct values_question *q, struct arena *arena,
                          struct anomaly_values *out, struct anomaly_events *events,
                          struct error *err) MUST_USE;

#endif
