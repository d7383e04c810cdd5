/* run_budgets.h - budgets that stop runs. */
#ifndef OP_RUN_RUN_BUDGETS_H
#define OP_RUN_RUN_BUDGETS_H

#include "budget/budget.h"
#include "run/supervise/supervise.h"

struct op_context; /* op/context.h */

/* Find the budgets with --stop that hold for a run that is about to begin, and make the
 * supervisor keep to them, and to the month's budget if there is one: to whichever has least
 * left. ERROR_GUARD when one is spent already. A budget that cannot be evaluated is warned of.
 * So is a ledger that cannot be read (NULL; `why`, ERROR_ABSENT: there is none): then the
 * supervisor finds the budgets as soon as it can be. While the run goes on, budgets that are
 * set, changed or removed count within seconds. */
bool budget_guard_run(struct op_context *ctx, struct ledger *ledger, const struct error *why,
                      struct supervise_options *options, struct error *err) MUST_USE;

#endif
