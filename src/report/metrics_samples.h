/* metrics_samples.h - records as samples of metrics (generate/metrics.h): runs that are
 * running, what a month cost, budgets and alerts.
 *
 * Pure. Series are bounded, whatever the ledger holds; what has none is counted as left out.
 */
#ifndef REPORT_METRICS_SAMPLES_H
#define REPORT_METRICS_SAMPLES_H

#include "account/query/groups.h"
#include "budget/budget.h"
#include "generate/metrics.h"
#include "run/supervise/live.h"

#define METRICS_RUNS 1000 /* running runs, the first that started; gauges of others are added */
#define METRICS_GROUPS 200 /* teams and projects of each currency; others are summed up */
#define METRICS_BUDGETS 200

/* The value of the tag that is this dimension; empty: it has none. */
struct str metrics_run_tag(const struct ledger_run *run, enum dimension wanted);

/* In the order of the rows: so that a run keeps its series while it lives, that in which they
 * started. */
bool metrics_add_runs(const struct live_run *runs, size_t count, struct metric_samples *to,
                      struct error *err) MUST_USE;

/* By team and project: the groups are sorted, and those of the lowest cost joined. */
bool metrics_add_groups(struct costs_groups *groups, struct metric_samples *to,
                        struct error *err) MUST_USE;

/* Budgets that could be evaluated, and alerts that are firing by their severity. `team`: only
 * its budgets and their alerts; empty: all. */
bool metrics_add_budgets(const struct budget_state *states, size_t count, struct str team,
                         const struct ledger_alert *alerts, size_t alert_count,
                         struct metric_samples *to, struct error *err) MUST_USE;

#endif
