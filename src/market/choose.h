/* choose.h - of several feeds that price the same machine, the one to believe (market/offers.h
 * has the rule). */
#ifndef MARKET_CHOOSE_H
#define MARKET_CHOOSE_H

#include "market/offers.h"
#include "market/store.h"

struct chooser {
    const struct store *store;
    const struct market_view *view;
    const struct store_feed *feeds; /* by their index in the store */
    struct market_counts *counts;
    struct arena *arena;
};

struct choice {
    usd_per_hour price;          /* unknown when it is gone, or its currency has no rate */
    const struct exchange *rate; /* that it was converted with */
    struct store_series series;
    bool found;
};

/* The price of an offer in one market. `conflict` is set, when it is empty, to what another
 * feed says that disagrees by more than one per cent. */
bool choose_price(struct chooser *chooser, const struct store_offer *offer, enum market market,
                  struct choice *out, struct str *conflict, struct error *err) MUST_USE;

/* Was it seen longer ago than the user calls fresh? */
bool choose_old(const struct market_view *view, stamp seen);

/* Is the amount itself doubtful, so that it must not be called the cheapest? */
bool choose_doubted(unsigned doubts);

/* The series to believe of an offer in one market, the sound before the doubtful; SIZE_MAX when
 * there is none. */
size_t choose_series(const struct market_view *view, const struct store *store,
                     const struct store_offer *offer, enum market market,
                     struct store_series *out);

/* Set `conflict`, when it is empty, to what this series says, when that was seen lately and is
 * more than one per cent from what was chosen. */
bool choose_mention(struct chooser *chooser, usd_per_hour chosen,
                    const struct store_series *series, usd_per_hour price, struct str *conflict,
                    struct error *err) MUST_USE;

#endif
