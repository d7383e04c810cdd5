/* choose.h - of several feeds that price the same machine, the one to believe (market/offers.h
 * has the rule). */
#ifndef MARKET_CHOOSE_H
#define MARKET_CHOOSE_H

#include "market/offers.h"
#include "market/store.h"

/* Is the amount itself doubtful, so that it must not be called the cheapest? */
bool choose_doubted(unsigned doubts);

/* The series to believe of an offer in one market, the sound before the doubtful; SIZE_MAX when
 * there is none. */
size_t choose_series(const struct market_view *view, const struct store *store,
                     const struct store_offer *offer, enum market market,
                     struct store_series *out);

#endif
