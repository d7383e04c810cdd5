/* fill_devices.h - runs on eight GPUs that were used alike or not, and one on one: for what
 * people see of each. */
#ifndef TESTS_FILL_DEVICES_H
#define TESTS_FILL_DEVICES_H

#include "ledger/ledger.h"

bool fill_devices(struct ledger *ledger, struct error *err);

#endif
