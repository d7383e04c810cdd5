/* metrics.h - the history of the metrics that a run printed: every name, not only the one that
 * is watched, and few points however long it runs.
 */
#ifndef LEDGER_RUNS_METRICS_H
#define LEDGER_RUNS_METRICS_H

#include "ledger/ledger.h"

#define LEDGER_METRICS 64        /* names of an attempt */
#define LEDGER_METRIC_POINTS 256 /* of a name: two become one when there are more */

/* One name of an attempt. What is not known is NaN. */
struct ledger_metric {
    int attempt; /* only read */
    struct str name;
    int64_t told, odd;                     /* values printed; of these, not finite */
    double first, last, last_step;         /* of the others */
    double low, low_step, high, high_step; /* the lowest and the highest, exactly */
    struct numbers times, steps, values;   /* seconds since the attempt began, the step reached,
                                             * the mean of the values since the point before */
};

/* Of all attempts: by attempt, then by name. */
bool ledger_metrics(struct ledger *ledger, const char *id, struct arena *arena,
                    const struct ledger_metric **out, size_t *count,
                    struct error *err) MUST_USE;

extern const struct field_set ledger_metric_fields;

#endif
