/* anomalies.h - unusual spending: events in daily costs, their likely causes, and their alerts.
 */
#ifndef BUDGET_ANOMALIES_H
#define BUDGET_ANOMALIES_H

#include "budget/forecast.h"
#include "ledger/budgets.h"

/* An event, with its likely cause. */
struct anomaly_row {
    struct str value[COSTS_BY_MAX];
    enum anomaly_direction direction;
    bool goes_on;
    day first, last, seen;
    struct money expected, actual, change, low, high;
    double score;
    struct str cause, cause_too; /* "instance=p4d.24xlarge" */
    double explains;             /* share of the change */
    struct money cause_before, cause_now;
    struct str note; /* "data missing?" */
    struct str name; /* "service=AmazonEC2": of its alert */
    struct str also; /* names of others that are included: one cause, one event */
};

extern const char *const anomaly_directions[2], *const anomaly_states[2]; /* by goes_on */

struct anomaly_events {
    struct table_rows rows; /* struct anomaly_row, the newest first */
    int64_t going_on;
    int64_t series, too_short; /* groups; those with too few days to be judged */
    day known_until;           /* the last complete day */
};

/* The events of each group of `days`, whose query and dimensions are set, that reach into the
 * days of the query. The query is extended to the days that these are compared with. Events
 * that one cause has in several groups are one. */
bool account_anomalies(const struct account_source *account, struct daily_costs *days,
                       const struct anomaly_options *options, struct anomaly_events *out,
                       struct error *err) MUST_USE;

/* What was asked: alerts of other questions are left alone. */
struct anomaly_question {
    struct strs by, where; /* names of dimensions; conditions */
    struct strs channels;
    struct decimal least; /* each doubling of it is sent again */
};

/* Fire, update and resolve the alerts of these events, in one transaction. */
bool anomalies_alert(const struct account_source *account, stamp now,
                     const struct anomaly_question *question, const struct anomaly_row *rows,
                     size_t count, struct error *err) MUST_USE;

/* Alerts of anomalies that changed since then, and those marked as false alarms. */
bool anomalies_counted(const struct account_source *account, day since, int64_t *alerts,
                       int64_t *false_alarms, struct error *err) MUST_USE;

#endif
