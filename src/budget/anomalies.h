/* anomalies.h - unusual spending: events in daily costs, their likely causes, and their alerts.
 */
#ifndef BUDGET_ANOMALIES_H
#define BUDGET_ANOMALIES_H

#include "budget/forecast.h"
#include "ledger/budgets.h"

struct anomaly_found {
    const struct costs_group *group;
    struct anomaly of;
    day day_0; /* that its days are counted from */
};

/* The events of all groups that reach into the days from `since` on. The days must have been
 * read from anomalies_read_from() on. */
bool anomalies_find(const struct account_source *account, const struct daily_costs *days,
                    day since, const struct anomaly_options *options,
                    struct anomaly_found **out, size_t *count, struct error *err) MUST_USE;
day anomalies_read_from(day since);

/* An event as a record of results, with its likely cause. */
struct anomaly_row {
    struct str value[COSTS_BY_MAX];
    struct str currency, direction, state;
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

/* Set the cause: the value of another dimension that changed most within the event's group. */
bool anomaly_cause(const struct account_source *account, const struct daily_costs *days,
                   const struct costs_group *group, struct anomaly_row *row,
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
