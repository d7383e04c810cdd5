/* metrics.h - what monitoring systems read: every metric of Stint in one table, and what is
 * made from it: the text that Prometheus scrapes, its recording and alert rules, and a
 * dashboard for Grafana.
 *
 * Pure. By the conventions of OpenMetrics 1.0: base units (seconds, joules, bytes, ratios), the
 * unit at the end of the name, "_total" for counters. A currency is a label, since an amount of
 * money has no base unit. Values become doubles here, which is what these systems compute with.
 */
#ifndef GENERATE_METRICS_H
#define GENERATE_METRICS_H

#include "base/arena.h"
#include "base/buf.h"
#include "doc/field.h"

enum metric_type {
    METRIC_GAUGE,
    METRIC_COUNTER,
    METRIC_INFO, /* always 1: its labels are what it says */
    METRIC_TYPES,
};
extern const char *const metric_type_names[METRIC_TYPES];

/* One graph of the dashboard. Queries may use its variables: $currency, $team, $project,
 * $run. */
struct metric_panel {
    const char *section; /* heading that it belongs to */
    const char *title, *query, *legend;
    const char *unit; /* as Grafana names it */
    const char *kind; /* "stat", "timeseries", "bargauge" */
};

/* A query whose result is stored under another name. */
struct metric_record {
    const char *name, *query;
};

struct metric_alert {
    const char *name, *query, *condition; /* fires where "QUERY CONDITION" holds... */
    const char *lasting;                  /* ...for this long */
    const char *severity, *summary, *action;
};

struct metric_entry {
    const char *name; /* as it is queried: with "_total" or "_info" */
    enum metric_type type;
    const char *unit; /* NULL: a number, or an amount of money */
    const char *help, *labels;
    bool adds_up; /* over runs: those that have no series of their own are summed up */
    struct metric_panel panel;
    struct metric_record record;
    struct metric_alert alert;
};

enum metric_id {
    METRIC_RUN_INFO,
    METRIC_RUN_COST,
    METRIC_RUN_COST_RATE,
    METRIC_RUN_PROJECTED,
    METRIC_RUN_BUDGET,
    METRIC_RUN_TIME,
    METRIC_RUN_UPDATED,
    METRIC_RUN_ENERGY,
    METRIC_RUN_POWER,
    METRIC_RUN_GPUS,
    METRIC_RUN_GPU_USE,
    METRIC_RUN_GPU_MEMORY,
    METRIC_RUN_STEP,
    METRIC_RUN_STEP_RATE,
    METRIC_RUN_SCORE,
    METRIC_RUNS,
    METRIC_MONTH_COST,
    METRIC_BUDGET_LIMIT,
    METRIC_BUDGET_SPENT,
    METRIC_BUDGET_FORECAST,
    METRIC_BUDGET_END,
    METRIC_ALERTS,
    METRIC_LEFT_OUT,
    METRIC_LEDGER_UP,
    METRIC_BUILD,
    METRIC_REQUESTS,
    METRIC_CONNECTIONS,
    METRIC_STARTED,
    METRIC_IDS,
};

extern const struct metric_entry metrics_table[METRIC_IDS];

/* A line of the list of all metrics. */
struct metric_row {
    struct str name;
    enum metric_type type;
    struct str unit, labels, help;
};

extern const struct field_set metric_row_fields;

/* The table as rows. */
bool metrics_list(struct arena *arena, struct rows *out, struct error *err) MUST_USE;

/* ---- values ---- */

#define METRIC_LABEL 128 /* bytes of a label's value; longer ones are cut */

struct metric_sample {
    enum metric_id metric;
    struct str name;
    struct str labels; /* `run="bert",team="nlp"`, escaped */
    double value;
};

extern const struct field_set metric_sample_fields;

/* Samples that are being collected. `failed`: memory ran out. */
struct metric_samples {
    struct arena *arena;
    struct metric_sample *at;
    size_t len, room;
    bool failed;
};

/* `name="value"`, after a comma where one is needed. Any bytes are fine: quotes, backslashes
 * and ends of lines are escaped, other control characters and what is no UTF-8 become
 * U+FFFD. */
void metric_label(struct buf *labels, const char *name, struct str value);

/* A value that is not known (NaN, infinite) is left out: it has no series. Labels are
 * copied. */
void metric_add(struct metric_samples *samples, enum metric_id metric, struct str labels,
                double value);

enum metric_format {
    METRICS_PROMETHEUS,  /* text format 0.0.4 */
    METRICS_OPENMETRICS, /* 1.0.0 */
    METRICS_FORMATS,
};
extern const char *const metric_format_names[METRICS_FORMATS + 1]; /* ends with NULL */
extern const char *const metric_format_types[METRICS_FORMATS];     /* Content-Type */

/* The format that a client prefers by its Accept header; empty: the older one. */
enum metric_format metric_format_wanted(struct str accept);

/* All of them, by metric. */
void metrics_write(const struct metric_samples *samples, enum metric_format format,
                   struct buf *out);

/* ---- files for Prometheus and Grafana ---- */

void metrics_write_rules(struct buf *out);     /* YAML */
void metrics_write_dashboard(struct buf *out); /* JSON */

#endif
