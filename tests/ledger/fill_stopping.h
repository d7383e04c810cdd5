/* fill_stopping.h - runs that went on after their metric was best: for `stint advise`. */
#ifndef TESTS_FILL_STOPPING_H
#define TESTS_FILL_STOPPING_H

#include "ledger/ledger.h"

bool fill_stopping(struct ledger *ledger, struct error *err);

#endif
