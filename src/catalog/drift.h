/* drift.h - how far a price may have moved since it was seen, by TABLE_PRICE_DRIFT. */
#ifndef CATALOG_DRIFT_H
#define CATALOG_DRIFT_H

#include "catalog/catalog.h"

#define DRIFT_CURVES 64
#define DRIFT_AGES 24

/* The widths of one kind of price, by age. */
struct drift_curve {
    struct str providers, gpus; /* patterns between blanks */
    bool spot;
    unsigned layer;
    size_t len;
    double ages[DRIFT_AGES], widths[DRIFT_AGES];
    double unchanged[DRIFT_AGES]; /* NaN: not known */
};

/* The table, ready to be asked for thousands of prices. */
struct drift {
    struct drift_curve at[DRIFT_CURVES];
    size_t len;
};

/* Needs TABLE_PRICE_DRIFT; without it no price drifts. Rows beyond the room are left out. */
void drift_read(const struct catalog *catalog, struct drift *out);

/* The rows for these prices: the user's before the built-in ones, those that name a provider,
 * then a card, before those for all. NULL when there are none. */
const struct drift_curve *drift_find(const struct drift *drift, struct str provider,
                                     struct str gpu, bool spot);

/* The width at an age in days; 0 for none. Linear in the square root of the age between two
 * rows, and growing with it behind the last: what a price does that walks at random. */
double drift_width(const struct drift_curve *curve, int64_t age_days);

/* The share of prices of that age that did not change: 1 of today's; NaN when it is not known.
 * Behind the last row it stays what it is there. */
double drift_unchanged(const struct drift_curve *curve, int64_t age_days);

#endif
