/* price_spot.h - the cheapest spot machines now: the request and the result of price.spot. */
#ifndef OP_SPOT_PRICE_SPOT_H
#define OP_SPOT_PRICE_SPOT_H

#include "op/market.h"

struct op_context; /* op/context.h */

extern const struct op op_price_spot;

#define SPOT_HISTORY_DAYS 180 /* looked back for losses and moves */
#define SPOT_FEWEST_DAYS 14   /* with fewer, the risk is unknown */

struct price_spot_request {
    struct str gpu;
    bool any_form, all_zones;
    bytes min_memory;
    struct strs providers, regions;
    int64_t count, limit;
    span length; /* of the job; unknown when not said */
    double max_risk;
};

struct spot_offer {
    struct str offer, provider, region, zone, instance, accelerator, feed, seen, risk_basis;
    double count;
    usd_per_hour price, per_gpu, on_demand;
    double saving;      /* share of on-demand; negative when it is dearer */
    double reliability; /* of this very machine, as its market says; NaN when it does not */
    /* measured */
    double daily, weekly, daily_range, history_days, exposed_h;
    int64_t losses;
    /* modelled from them; NaN with too little history or without a length */
    double risk, risk_low, risk_high;
    struct str risk_unknown; /* why it is, when it was asked for; else empty */
    struct strs doubts;
    bool doubtful, cheapest;
};

struct price_spot_result {
    struct rows offers;
    int64_t candidates; /* that passed the filters */
    double hours;       /* asked for; NaN when not */
    struct price_age age;
};

/* The rows of the offers that a name matches and that have a spot price, every zone, cheapest
 * machine first; none is no error. Says what the user's own facts did to the prices. */
bool price_spot_named(struct op_context *ctx, const struct offer_name *name, struct rows *out,
                      struct error *err) MUST_USE;

#endif
