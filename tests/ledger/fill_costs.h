/* fill_costs.h - bills of two providers and runs of two teams, always the same. */
#ifndef TESTS_FILL_COSTS_H
#define TESTS_FILL_COSTS_H

#include "ledger/ledger.h"

bool fill_costs(struct ledger *ledger, struct error *err);

#endif
