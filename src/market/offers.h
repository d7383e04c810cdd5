/* offers.h - what the store has now, as rows of the catalog's offers.
 *
 * One row for each provider, region and instance: the cheapest zone's prices. Where several
 * feeds price the same machine, one is chosen by a stated rule and the others are mentioned,
 * never averaged: the user's own before all, prices seen lately before old ones (of which the
 * newest counts), the provider's own word before a collector's, then the newest.
 */
#ifndef MARKET_OFFERS_H
#define MARKET_OFFERS_H

#include "catalog/catalog.h"

struct store; /* market/store.h */
struct store_offer;
struct store_series;

/* What prices depend on: the facts and the user's circumstances. A pure value. */
struct market_view {
    const struct catalog *catalog; /* accelerators; discounts and exchange rates when loaded */
    const struct store *store;     /* NULL: none */
    day today;
    span fresh;              /* prices seen longer ago are old */
    struct strs accounts;    /* providers that the user has accounts with; none: any */
    struct str country;      /* where the user's machines are */
    bool country_set;        /* by the user; else it is the default */
    struct str machine;      /* that this is, of TABLE_LOCAL; empty: not known */
    usd_per_kwh electricity; /* that the user pays; unknown: the country's */
    bool own_machine;        /* this machine is the user's: it costs its electricity */
    const struct messages *messages;
    struct arena *arena; /* of what is selected */
};

/* The catalog's offers and the store's together: rows of struct machine by provider, region,
 * zone and instance, newest first, with `current` set. The store replaces built-in rows of
 * machines that it knows more recently, and of providers or regions that a complete feed
 * covered since; the user's own rows stay as they are. Discounts that hold today are taken off
 * the current ones, and their `trust` is set (market/trust.h). Needs TABLE_PRICE_DRIFT for
 * ranges. Without a store the catalog's alone. */
bool market_merge(const struct market_view *view, struct rows *out, struct error *err) MUST_USE;

/* Set its note to the zone of its spot price: "spot in use1-az6". */
bool offer_note_zone(struct machine *row, struct arena *arena, struct error *err) MUST_USE;

/* The current row of a machine in a region, among rows that market_merge() made, without a
 * zone; NULL when there is none. */
const struct machine *market_offer_find(const struct rows *rows, struct str provider,
                                        struct str region, struct str instance);

/* Is the amount itself doubtful (enum price_doubt), so that it must not be called the
 * cheapest? */
bool choose_doubted(unsigned doubts);

/* The series to believe of an offer in one market, the sound before the doubtful; SIZE_MAX when
 * there is none. */
size_t choose_series(const struct market_view *view, const struct store_offer *offer,
                     enum market market, struct store_series *out);

/* A price in dollars, by the user's rate of that day or the last before it; unknown without
 * one. */
usd_per_hour market_in_usd(const struct catalog *catalog, int64_t nano,
                           struct currency currency, day date, const struct exchange **used);

/* Take the discounts that hold today off the current offers, and keep the list prices beside
 * them. How many offers had one. */
size_t market_discount(const struct market_view *view, struct machine *offers, size_t count);

/* Are the discounts and exchange rates of a catalog of the user's own tables right? */
bool own_prices_check(const struct catalog *own, struct error *err) MUST_USE;

/* Warn of its discounts that match none of the catalog's offers. */
void own_prices_warn(const struct catalog *own, const struct catalog *catalog,
                     const struct messages *messages);

#endif
