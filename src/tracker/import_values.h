/* import_values.h - the metrics of a run that is imported: values as a tracker has them, as the
 * ledger keeps those of a run that is metered. */
#ifndef TRACKER_IMPORT_VALUES_H
#define TRACKER_IMPORT_VALUES_H

#include "run/output/metric_series.h"
#include "tracker/tracker.h"

/* Of one run at a time; `arena` is set by the caller. */
struct import_values {
    struct arena arena;
    struct metric_history history;
    double last_s;      /* of values without a time */
    int64_t points;     /* values of all runs */
    bool begun, failed; /* failed: memory ran out */
};

/* A value of the run. Memory that runs out is reported by import_values_gather(). */
void import_values_see(struct import_values *v, const struct tracker_metric *point);

/* All that is known of the run's metrics, its last values too: `to` has room for LEDGER_METRICS
 * and lives as long as the values. */
bool import_values_gather(struct import_values *v, const struct tracker_run *run,
                          int64_t ended_ms, struct ledger_metric *to, size_t *count,
                          struct error *err) MUST_USE;

/* The run is over: the next one begins with nothing. */
void import_values_end(struct import_values *v);

/* Are the run's last values those that are recorded? Names beyond the limit are not. */
bool import_values_same(const struct tracker_run *run, const struct ledger_metric *recorded,
                        size_t count);

#endif
