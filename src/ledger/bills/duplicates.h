/* duplicates.h - bills that an import may have brought twice: under other names, by other
 * periods. */
#ifndef LEDGER_BILLS_DUPLICATES_H
#define LEDGER_BILLS_DUPLICATES_H

#include "base/message.h"
#include "ledger/bills/bills.h"

/* Is one the other, delivered again? */
bool ledger_bill_again(const struct ledger_bill *a, const struct ledger_bill *b);

/* Warn of them. The import is done: what cannot be read is no failure of it. `ledger`: NULL
 * when there was none. */
void ledger_warn_duplicates(struct ledger *ledger, const struct ledger_imported *in,
                            struct arena *arena, const struct messages *messages);

#endif
