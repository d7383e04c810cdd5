/* fill_why.h - planned runs, each with one cause of its cost, in two months: for `stint
 * why`. */
#ifndef TESTS_FILL_WHY_H
#define TESTS_FILL_WHY_H

#include "ledger/ledger.h"

bool fill_why(struct ledger *ledger, struct error *err);

/* Runs whose steps take 1.25 s instead of 1 s, with what shows that they wait for data. */
bool fill_stalls(struct ledger *ledger, struct error *err);

#endif
