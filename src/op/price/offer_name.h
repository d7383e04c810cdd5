/* offer_name.h - how people name an offer of the price store.
 *
 *     provider/region[/zone]/instance[:market]    provider/instance    instance
 *
 * Each part may be a pattern ('us-*'); case does not matter. What is left out means the
 * cheapest.
 */
#ifndef OP_PRICE_OFFER_NAME_H
#define OP_PRICE_OFFER_NAME_H

#include "op/price/market_view.h"

/* The offer that is meant: of several the cheapest now, in the name's market or else in any,
 * which is said. False when there is none, with what was probably meant. */
bool offer_name_find(struct op_context *ctx, const struct store *store,
                     const struct offer_name *name, struct store_offer *out,
                     struct error *err) MUST_USE;

#endif
