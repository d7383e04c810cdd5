/* fill_home.h - runs whose checkpoints are kept, and runs on a machine of one's own: for
 * `stint advise`. */
#ifndef TESTS_FILL_HOME_H
#define TESTS_FILL_HOME_H

#include "ledger/ledger.h"

bool fill_home(struct ledger *ledger, struct error *err);

#endif
