/* fill_advise.h - a month of a team that wastes money in several ways: for `stint advise`. */
#ifndef TESTS_FILL_ADVISE_H
#define TESTS_FILL_ADVISE_H

#include "ledger/ledger.h"

/* Runs whose jobs are known: one that trains, one that serves, one of an unknown model. */
bool fill_jobs(struct ledger *ledger, struct error *err);

bool fill_advise(struct ledger *ledger, struct error *err);

#endif
