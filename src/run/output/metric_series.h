/* metric_series.h - the history of every metric that a program printed, in little room. Pure.
 *
 * Each name has at most LEDGER_METRIC_POINTS points: when there would be more, two neighbors
 * become one (the mean of their values), and from then on points are twice as far apart. The
 * first, last, lowest and highest value stay exact.
 */
#ifndef RUN_OUTPUT_METRIC_SERIES_H
#define RUN_OUTPUT_METRIC_SERIES_H

#include "ledger/runs/metrics.h"
#include "run/output/metric.h"

struct metric_series {
    char name[METRIC_NAME];
    int64_t seen, odd; /* values; of these, not finite */
    double first, last, last_step, low, low_step, high, high_step;
    double times[LEDGER_METRIC_POINTS], steps[LEDGER_METRIC_POINTS],
        values[LEDGER_METRIC_POINTS];
    int64_t weights[LEDGER_METRIC_POINTS]; /* values that a point is the mean of */
    double since, every;                   /* the newest point began then, and lasts so long */
    size_t count;
    bool changed; /* since it was recorded */
};

struct metric_history {
    struct arena *arena;
    struct metric_series *series[LEDGER_METRICS]; /* in the order in which they were seen */
    size_t count;
    int64_t left_out;            /* values of names for which there was no room */
    char left_name[METRIC_NAME]; /* the first of them, if it is known */
};

/* `wanted`: names that have room whatever else is printed, as far as there is any. False when
 * memory ran out. */
bool metric_history_start(struct metric_history *history, struct strs wanted,
                          struct arena *arena, struct error *err) MUST_USE;

/* A line had this, `at_s` seconds after the start; `step`: reached by then. */
void metric_history_see(struct metric_history *history, const struct metric_update *update,
                        double step, double at_s);

/* How many of this metric's values were not finite. */
int64_t metric_history_odd(const struct metric_history *history, const char *name);

/* What has changed since the last time, for the ledger: at most LEDGER_METRICS; how many. The
 * values are the history's own. */
size_t metric_history_changed(struct metric_history *history,
                              struct ledger_metric out[static LEDGER_METRICS]);
/* It was recorded. */
void metric_history_recorded(struct metric_history *history);

#endif
