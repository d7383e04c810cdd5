/* run_journal_cost.h - attempts whose records wait in journals: for the files of the ledger. */
#ifndef LEDGER_RUNS_RUN_JOURNAL_COST_H
#define LEDGER_RUNS_RUN_JOURNAL_COST_H

#include "ledger/internal.h"
#include "ledger/runs/charges.h"

struct waiting_attempt {
    struct ledger_start start;
    struct ledger_totals totals; /* the last that are known */
    bool ended;
    bool in_ledger; /* an earlier state of it; then also: */
    bool added;     /* all of it: the journal was not removed */
    int64_t run;
    int number;
    usd recorded;
};

/* Add what they spent since then and the ledger does not have. */
bool ledger_spent_waiting(struct ledger *l, stamp since, usd *sum, int64_t *unknown,
                          struct error *err) MUST_USE;

struct charge_listener {
    bool (*each)(void *ctx, const struct ledger_charge *charge, struct error *err);
    void *ctx;
};

/* Each as a charge of what the ledger does not have; `open`: those under way that it does not
 * know. */
bool ledger_charges_waiting(struct ledger *l, const struct charge_listener *to, bool open,
                            stamp since, stamp until, struct error *err) MUST_USE;

#endif
