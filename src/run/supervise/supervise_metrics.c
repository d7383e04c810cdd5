/* The history of all metrics that the program printed, and its way to the ledger. */
#include "run/supervise/supervise_internal.h"

#define SECOND INT64_C(1000000000)
#define EVERY (30 * SECOND) /* between two records: a machine that dies loses so much of it */

bool sup_metrics_start(struct supervisor *s, struct strs wanted, struct error *err)
{
    return metric_history_start(&s->metrics, wanted, &s->arena, err);
}

void sup_metrics_see(struct supervisor *s, const struct metric_update *update)
{
    metric_history_see(&s->metrics, update, s->progress.step,
                       (double)(clock_paid().ns - s->began.ns) / 1e9);
}

void sup_record_metrics(struct supervisor *s, bool last)
{
    struct ledger_metric changed[LEDGER_METRICS];
    instant now = clock_paid();
    size_t count;

    if (s->recorder == NULL || (!last && now.ns - s->metrics_recorded.ns < EVERY))
        return;
    count = metric_history_changed(&s->metrics, changed);
    if (count == 0)
        return;
    s->metrics_recorded = now;
    for (size_t i = 0; i < count; i++)
        recorder_metric(s->recorder, &changed[i]);
    metric_history_recorded(&s->metrics);
    if (last && s->metrics.left_out > 0)
        log_write(s->options->log, LOG_INFO,
                  "metrics: %lld values of more than %d names left out",
                  (long long)s->metrics.left_out, LEDGER_METRICS);
}
