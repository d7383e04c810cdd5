/* currency_notes.h - what the user's own facts did to the prices of an answer: which exchange
 * rates and discounts were used, and which offers are left out because their currency has no
 * rate. Collected while the answer is made, noted once.
 */
#ifndef MARKET_CURRENCY_NOTES_H
#define MARKET_CURRENCY_NOTES_H

#include "base/message.h"
#include "catalog/catalog.h"

#define CURRENCY_NOTES 8 /* rates, and currencies without one, that are distinguished */

struct currency_notes {
    const struct exchange *rates[CURRENCY_NOTES];
    size_t rate_count;
    bool more_rates;
    struct {
        struct currency currency;
        size_t offers;
    } missing[CURRENCY_NOTES];
    size_t missing_count;
    size_t discounted; /* offers that the user pays less for; the caller counts */
};

/* A price that is shown was converted with this; NULL is none. */
void currency_notes_rate(struct currency_notes *notes, const struct exchange *rate);

/* An offer is left out: this currency has no exchange rate. Empty is none. */
void currency_notes_missing(struct currency_notes *notes, struct currency currency);

void currency_notes_say(const struct currency_notes *notes, const struct messages *messages);

/* Billionths of one currency in another, at the rates of that day, which are noted; unknown
 * without one (needs TABLE_EXCHANGE). */
int64_t market_convert(const struct catalog *catalog, int64_t nano, struct currency from,
                       struct currency to, day date, struct currency_notes *notes);

#endif
