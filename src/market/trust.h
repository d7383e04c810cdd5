/* trust.h - how far prices can be trusted: their drift with age, and whether they are far below
 * those of their peers.
 *
 * Offers are compared by the prices that are shown. One that is too old (price_too_old()) is
 * set aside: it loses to all others, and may be listed as worth checking. Where more than half
 * of those compared are so old, as in a program that was installed a year ago, all are compared
 * as they are. What the user wrote down is never too old, nor is what --max-age allows. A price
 * far below those of the same provider, GPU and market in other regions is an outlier until the
 * price store has it from two days: it loses to all others. One of ten times theirs is marked
 * as too high, however often it was seen: it is never the cheapest, but must not be what a run
 * is charged with, either. */
#ifndef MARKET_TRUST_H
#define MARKET_TRUST_H

#include "market/offers.h"
#include "market/store.h"

/* An outlier is further below the median of its peers than this factor, and than so many median
 * absolute deviations (scaled to standard deviations); peers are in so many regions. */
#define OUTLIER_FACTOR 2.5
#define OUTLIER_DEVIATIONS 3.0
#define OUTLIER_REGIONS 4
#define HIGH_FACTOR 10.0 /* a price is too high above it */

/* Set `trust` of the current ones of these rows, which are sorted by provider and region (needs
 * TABLE_ACCELERATORS and TABLE_PRICE_DRIFT). Where the cheapest zone of a region is an outlier
 * and another zone is not, that one's spot price is taken. */
bool trust_rows(const struct market_view *view, struct machine *rows, size_t count,
                struct error *err) MUST_USE;

/* Set the premiums anew among these machines, which market_select() selected: whether most are
 * too old is asked of them. */
bool trust_rank(const struct market_view *view, struct machine *machines, size_t count,
                struct error *err) MUST_USE;

/* What single offers of the store are judged by. */
struct truster;

/* From rows that trust_rows() judged; in the arena of the view. NULL with the error set. */
struct truster *truster_new(const struct market_view *view, const struct machine *rows,
                            size_t count, struct error *err) MUST_USE;

/* The trust in a price of one offer: of the zone itself, not of the cheapest of its region. */
struct price_trust truster_judge(const struct truster *truster, const struct store_offer *offer,
                                 size_t series, usd_per_hour price, stamp seen,
                                 enum market market);

/* What one GPU costs in the middle of its peers; unknown when they are too few. */
usd_per_hour truster_peers(const struct truster *truster, struct str provider, struct str gpu,
                           enum market market);

#endif
