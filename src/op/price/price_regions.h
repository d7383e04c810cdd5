/* price_regions.h - one machine in every region: the request and the result of
 * price.regions. */
#ifndef OP_PRICE_PRICE_REGIONS_H
#define OP_PRICE_PRICE_REGIONS_H

#include "market/store.h"
#include "op/market.h"

struct op_context; /* op/context.h */

extern const struct op op_price_regions;

struct price_regions_request {
    struct strs instances, providers, regions;
    span hours;
    bool markdown;
};

struct region_price {
    struct str instance, provider, region, zone, place, accelerator, source;
    double count;
    usd_per_hour spot, on_demand; /* of one machine */
    usd spot_total, on_demand_total;
    double saving; /* share of on-demand; negative when spot is dearer */
    double carbon_g_kwh, pue;
    double energy_kwh, carbon_kg; /* modelled, for the hours */
    day date;                     /* of the price */
    bool cheapest, cheapest_spot; /* of its instance */
};

/* What is wanted: an instance as asked for, of these providers and regions. */
struct region_wanted {
    struct str text;               /* as asked for: "aws/p5.48xlarge" */
    struct str provider, instance; /* patterns, taken from it */
    struct strs providers, regions;
};

/* Why nothing matches: the words of the error, and a hint. */
void regions_explain(const struct op_context *ctx, const struct store *store,
                     const struct region_wanted *wanted, struct error *out);

struct price_regions_result {
    double hours;
    bool markdown; /* asked for: how to print it */
    struct rows regions;
    struct price_age age;
};

#endif
