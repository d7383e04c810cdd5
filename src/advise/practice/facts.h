/* facts.h - the facts of a period (practice.h), from the answers to other questions: each
 * number is the one that `stint tags`, `costs gpus`, `costs spot`, `reconcile`, `budget list`,
 * `alert list` or `unit-costs` shows.
 *
 * Pure: answers of the account and records of the ledger in.
 */
#ifndef ADVISE_PRACTICE_FACTS_H
#define ADVISE_PRACTICE_FACTS_H

#include "account/costs/gpus.h"
#include "account/costs/repeats.h"
#include "account/costs/spot.h"
#include "account/query/tags.h"
#include "account/reconcile/reconciliation.h"
#include "account/unit/unit_costs.h"
#include "advise/practice/practice.h"
#include "ledger/budgets.h"

/* What is measured: the period, and where facts go. */
struct practice_period {
    day since, until;
    struct practices *facts;
    struct arena *arena;
};

/* A fact with its evidence, as printf does. */
bool practice_set(const struct practice_period *to, enum practice_fact fact, double value,
                  struct error *err, const char *fmt, ...) PRINTF_LIKE(5, 6) MUST_USE;

/* A question that cannot be answered (a currency without a rate) leaves its facts unknown: the
 * reason is their evidence. False for what is wrong with the ledger or memory. */
bool practices_leave_unknown(const struct practice_period *to, const enum practice_fact *facts,
                             size_t count, struct error *err) MUST_USE;

/* What was spent, in one currency. */
bool practices_of_spending(const struct practice_period *to,
                           const struct spending_answer *answer, struct error *err) MUST_USE;

/* The required tag that the least money has; without a policy, the team. */
bool practices_of_tags(const struct practice_period *to, const struct tag_costs *tags,
                       struct error *err) MUST_USE;

bool practices_of_gpus(const struct practice_period *to, const struct costs_gpus_row *total,
                       struct error *err) MUST_USE;

/* Of compute, in one currency. */
bool practices_of_spot(const struct practice_period *to, const struct spot_costs *spot,
                       struct error *err) MUST_USE;

bool practices_of_reconciliation(const struct practice_period *to,
                                 const struct reconciliation *r, struct error *err) MUST_USE;

bool practices_of_runs(const struct practice_period *to, const struct ledger_run *runs,
                       size_t count, struct error *err) MUST_USE;

bool practices_of_repeats(const struct practice_period *to, const struct ledger_run *runs,
                          size_t count, const struct repeat_costs *repeats,
                          struct error *err) MUST_USE;

/* How budgets were kept. */
struct practice_budgets {
    size_t budgets, alerting; /* alerting: that alert before they are spent, and then */
    size_t periods, kept;
    double used; /* sum of the shares of the limit that were spent */
};

bool practices_of_budgets(const struct practice_period *to, const struct practice_budgets *n,
                          struct error *err) MUST_USE;

/* Hours until anomalies were acknowledged; without that, until they ended, or now. */
bool practices_of_alerts(const struct practice_period *to, const struct ledger_alert *alerts,
                         size_t count, stamp now, struct error *err) MUST_USE;

/* By how much forecasts of complete months were off, made on a day of the month. */
bool practices_of_forecasts(const struct practice_period *to, double *errors, size_t count,
                            int made_on, struct error *err) MUST_USE;

bool practices_of_unit_costs(const struct practice_period *to, const struct unit_costs *costs,
                             struct error *err) MUST_USE;

#endif
