/* price_spot.h - the cheapest spot machines now: the request and the result of price.spot. */
#ifndef OP_SPOT_PRICE_SPOT_H
#define OP_SPOT_PRICE_SPOT_H

#include "op/market.h"
#include "spot/source.h"

struct op_context; /* op/context.h */

extern const struct op op_price_spot;

struct price_spot_request {
    struct str gpu;
    bool any_form, all_zones;
    bytes min_memory;
    struct strs providers, regions;
    int64_t count, limit;
    span length; /* of the job; unknown when not given */
    double max_risk;
};

struct price_spot_result {
    struct rows offers;
    int64_t candidates; /* that passed the filters */
    double hours;       /* asked for; NaN when not */
    struct price_age age;
};

/* The rows of the offers that a name matches and that have a spot price, every zone, cheapest
 * machine first; none is no error. Notes what the user's own facts did to the prices. */
bool price_spot_named(struct op_context *ctx, const struct offer_name *name, struct rows *out,
                      struct error *err) MUST_USE;

#endif
