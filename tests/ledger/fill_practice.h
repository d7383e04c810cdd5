/* fill_practice.h - runs and alerts whose shares are easily computed by hand: for `stint
 * maturity`, `checklist` and `targets`. */
#ifndef TESTS_FILL_PRACTICE_H
#define TESTS_FILL_PRACTICE_H

#include "ledger/ledger.h"

bool fill_practice(struct ledger *ledger, struct error *err);

/* $10 on each of the last 120 days: any forecast of a month is right. */
bool fill_steady(struct ledger *ledger, struct error *err);

#endif
