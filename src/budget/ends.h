/* ends.h - which of the budgets that a run shares with others ends first. */
#ifndef BUDGET_ENDS_H
#define BUDGET_ENDS_H

#include "account/account.h"
#include "ledger/runs/shared.h"

/* A run that is under way, and what limits it besides the ledger's budgets. */
struct budget_run {
    struct ledger_charge charge; /* as it will be recorded: what budgets go by */
    usd month;                   /* the month's budget; unknown: there is none */
    stamp month_began;
    char name[160]; /* of the budget that ends first: "the budget 'nlp'" */
};

/* Of the budget that ends first: its limit, what of it is spent, and who spends from it. `id`
 * is that of the run, `rate` what it spends. The limit is unknown where no budget applies. */
bool budget_ends_first(const struct account_source *account, struct budget_run *run, stamp now,
                       const char *id, usd_per_hour rate, struct shared_look *out,
                       struct error *err) MUST_USE;

/* How long `left` lasts when these spend from it: in what order budgets end, not when. Pure. */
double budget_time_left(usd left, usd_per_hour own, usd_per_hour others);

#endif
