/* converter.h - one currency for all amounts, at the rate of each day.
 *
 * Rates are those of the ledger ('stint rates import') and, for days that it has none of, those
 * of the user's catalog. A rate holds for the days after it, up to a month.
 */
#ifndef ACCOUNT_QUERY_CONVERTER_H
#define ACCOUNT_QUERY_CONVERTER_H

#include "account/account.h"
#include "base/str.h"
#include "ledger/rates.h"

/* What amounts were converted at. */
struct rates_used {
    day from, to;      /* the oldest and the newest rate that was used; DAY_UNKNOWN: none */
    int32_t oldest;    /* days that a rate was older than the day it was used for, at most */
    struct str of;     /* the currencies that were converted: "EUR, GBP" */
    struct str source; /* the files that the rates are from */
};

struct converter {
    struct currency to;              /* empty: nothing is converted */
    const struct ledger_rate *rates; /* by currency and day */
    size_t count;
    struct arena *arena;
    struct rates_used used;
};

/* For amounts from `since` to before `until`; an empty currency converts nothing. ERROR_USAGE
 * for what is not a currency. */
bool converter_open(const struct account_source *account, struct str currency, day since,
                    day until, struct converter *out, struct error *err) MUST_USE;

/* The amount in the converter's currency, at the rate of the day, to 12 decimals. ERROR_ABSENT
 * when there is no rate: which, and how to import it. */
bool converter_apply(struct converter *c, day on, struct currency currency,
                     struct decimal *amount, struct error *err) MUST_USE;

/* Rates that two answers used, as those of one. */
bool rates_used_join(struct rates_used *to, const struct rates_used *more, struct arena *arena,
                     struct error *err) MUST_USE;

/* Warn when one is much older than the amounts. */
void rates_used_warn(const struct rates_used *used, const struct messages *to);

/* "converted: EUR, at the rates of 2026-10-01 to 2026-10-31 (ecb.csv), to 12 decimals". */
void rates_used_write(const struct rates_used *rates, struct buf *out);

/* `amount` x `from` / `to`, to 12 decimals, halves away from zero; false when it does not
 * fit. */
bool decimal_convert(struct decimal amount, struct decimal from, struct decimal to,
                     struct decimal *out) MUST_USE;

#endif
