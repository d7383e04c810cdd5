/* spot_candidates.h - machines in zones that have a spot price now, the cheapest first. */
#ifndef MARKET_SPOT_CANDIDATES_H
#define MARKET_SPOT_CANDIDATES_H

#include "market/currency_notes.h"
#include "market/trust.h"
#include "market/zones.h"

/* A machine in a zone that has a spot price. */
struct spot_candidate {
    const struct store_offer *offer;
    size_t machine; /* the same for all zones of a region */
    struct price_now spot, on_demand;
    bool discounted;
    struct price_trust trust;
    double rank; /* what is compared: per GPU, or for the machine; far more for a price that
                  * is set aside */
};

struct spot_candidates {
    struct spot_candidate *at;
    size_t count;
    size_t machines; /* in regions: several zones of one are one */
    struct currency_notes notes;
};

/* Those of the offers (zones_select()). `per_machine`: ranked by the machine's price instead of
 * a GPU's. Notes which currencies have no rate. */
bool spot_candidates_find(const struct market_view *view, const struct truster *truster,
                          const struct store_offer *offers, size_t count, bool per_machine,
                          struct spot_candidates *out, struct error *err) MUST_USE;

#endif
