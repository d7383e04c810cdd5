/* change.h - a budget that is set or changed: what was given, checked and put into it. */
#ifndef BUDGET_CHANGE_H
#define BUDGET_CHANGE_H

#include "account/query/spending.h"
#include "ledger/budgets.h"

/* What is given; the rest stays as it is. Of lists, "none" takes them away. */
struct budget_change {
    struct str name;
    struct money amount;
    struct str period;
    struct strs where, thresholds, forecast, alert;
    bool rollover, no_rollover, stop, no_stop;
    struct str zone;
    day first_day, last_day;
};

/* A new budget: of a month, with the usual thresholds, and no amount. */
struct ledger_budget budget_blank(struct str name, stamp now);

/* Put the change into a budget; `there`: it is not new. ERROR_USAGE for values that do not go
 * together. Whether the channels exist is left to the caller. Pure. */
bool budget_change(const struct budget_change *change, bool there, struct arena *arena,
                   struct ledger_budget *budget, struct error *err) MUST_USE;

/* The budget of that name with the change, or a new one, as it is to be stored. */
bool budget_changed(const struct account_source *account, const struct budget_change *change,
                    struct str owner, stamp now, struct ledger_budget *b,
                    struct error *err) MUST_USE;

/* A value that nothing has so far may be of a team to come, or a typing mistake: asking shows
 * which is near. What else keeps the question from being answered is no matter here. */
bool budget_try_scope(const struct account_source *account, struct strs scope,
                      struct error *err) MUST_USE;

#endif
