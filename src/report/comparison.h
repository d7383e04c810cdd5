/* comparison.h - runs beside each other: what each cost and reached, and which no other is
 * better than.
 *
 * Add runs and their metrics, rank them, and write the report.
 */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include "base/map.h"
#include "ledger/runs/charges.h"
#include "ledger/runs/metrics.h"
#include "report/findings.h"
#include "report/report.h"

#define COMPARISON_METRICS 4 /* that are shown: those that most runs printed */

/* A run as it is compared. */
struct compare_row {
    struct str name, id, state, gpu;
    usd cost;
    span time;
    double energy_kwh;
    usd per_point;
    bool best; /* no other is cheaper and as good */
    double metric[COMPARISON_METRICS], first[COMPARISON_METRICS];
    const char *full_id;
};

/* A name that runs printed. */
struct compare_metric {
    const char *name;
    bool grows, latency;
    size_t runs;
};

struct comparison {
    struct arena *arena;
    bool (*grows)(struct str metric); /* is more of it better? */
    struct map ids;                   /* of runs: named twice, they count once */
    struct compare_row *rows;
    size_t count, room;
    int64_t attempt_run;             /* the run of the last attempt; -1: none */
    struct compare_row *attempt_row; /* NULL: it was added before */
    struct map names;                /* of metrics: struct compare_metric */
    struct map values;               /* by "ROW NAME": struct metric_value */
    struct compare_metric metrics[COMPARISON_METRICS];
    size_t metric_count, best;
    /* What is found in some of the runs; `not_asked`: how many more have a cost. */
    struct report_findings *findings;
    size_t finding_count, not_asked;
};

struct comparison comparison_new(struct arena *arena, bool (*grows)(struct str metric));

bool comparison_add_run(struct comparison *c, const struct ledger_run *run,
                        struct error *err) MUST_USE;

/* One attempt after the other, those of a run together; `found` counts runs. */
bool comparison_add_attempt(struct comparison *c, const struct ledger_charge *attempt,
                            size_t *found, struct error *err) MUST_USE;

/* The metrics of the run in that row. */
bool comparison_add_metrics(struct comparison *c, size_t row, const struct ledger_metric *list,
                            size_t count, struct error *err) MUST_USE;

/* Choose the metrics that are shown, with `asked` (empty: any) first, mark the best runs and
 * sort: the best first, then by cost. ERROR_ABSENT: no run printed the metric. */
bool comparison_rank(struct comparison *c, struct str asked, struct error *err) MUST_USE;

/* Its files and title. */
bool comparison_report(const struct comparison *c, struct report *report,
                       struct error *err) MUST_USE;

#endif
