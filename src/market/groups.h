/* groups.h - the store's offers of one machine in all zones of a region, as one row. */
#ifndef MARKET_GROUPS_H
#define MARKET_GROUPS_H

#include "market/choose.h"

/* What was chosen for one market. */
struct known_price {
    bool any; /* some feed speaks of it, if only to say that it is gone */
    bool old; /* seen long ago */
    bool own; /* by the user's word, which counts before all others */
    day seen;
    struct str source;
};

struct group {
    struct machine row;
    struct known_price on_demand, spot;
};

#define GROUP_NAMES 512 /* accelerators' names in the store; a power of two */

struct grouper {
    struct chooser choose;
    const struct str *sources; /* of each feed, as a fact's source */
    struct group *at;          /* sorted by provider, region and instance */
    size_t count;
    size_t region_first; /* where the region being read starts */
    size_t *places, place_count;
    struct {
        const char *text;
        const struct accelerator *meant;
    } names[GROUP_NAMES];
};

/* `choose` and `sources` are given; the rest is made. */
bool groups_begin(struct grouper *g, struct error *err) MUST_USE;

/* Offers in the order of the store; then the end of each region. */
bool groups_add(struct grouper *g, const struct store_offer *offer, struct error *err) MUST_USE;
bool groups_end_region(struct grouper *g, struct error *err) MUST_USE;

#endif
