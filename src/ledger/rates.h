/* rates.h - what currencies were worth, by day: given by the user, kept for good. */
#ifndef LEDGER_RATES_H
#define LEDGER_RATES_H

#include "ledger/ledger.h"
#include "unit/time.h"

struct ledger_rate {
    day on;
    struct currency currency; /* never USD, which is worth 1 */
    struct decimal usd;       /* that one unit is worth; above 0 */
    struct str source;        /* the file it was read from */
};

/* All of them or none. A rate of the same day and currency is replaced. */
bool ledger_rates_put(struct ledger *ledger, const struct ledger_rate *rates, size_t count,
                      struct error *err) MUST_USE;

/* Those from `since` to before `until` (DAY_UNKNOWN: any), by currency and day. A ledger
 * without tables has none. */
bool ledger_rates(struct ledger *ledger, day since, day until, struct arena *arena,
                  const struct ledger_rate **out, size_t *count, struct error *err) MUST_USE;

#endif
