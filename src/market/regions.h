/* regions.h - one machine in every region: what it costs there, and the carbon of the power. */
#ifndef MARKET_REGIONS_H
#define MARKET_REGIONS_H

#include "market/zones.h"

struct region_query {
    struct strs instances;          /* patterns: "p5.48xlarge", "aws/p5.*" */
    struct strs providers, regions; /* patterns; none is any */
    span hours;
};

struct region_price {
    struct machine machine;          /* of the catalog */
    struct str zone;                 /* of the spot price: the cheapest */
    struct str place;                /* where the region is */
    usd spot_total, on_demand_total; /* for the hours */
    double saving;                   /* share of on-demand; negative when spot costs more */
    double carbon_g_kwh, pue;
    double energy_kwh, carbon_kg; /* for the hours; the caller's to estimate, NaN until then */
    int64_t age_days;             /* of the price */
    bool cheapest, cheapest_spot; /* of its instance */
    bool outlier;                 /* one of its prices */
};

extern const struct field_set region_price_fields;

/* The current prices of the instances, by instance, cheapest first: rows of struct
 * region_price. Each instance must match something: of several, those that match nothing are
 * warned of, and ERROR_ABSENT explains why when none does. Needs TABLE_OFFERS with the store's
 * prices, TABLE_REGIONS and TABLE_EXCHANGE. */
bool regions_select(const struct market_view *view, const struct region_query *query,
                    struct region_price **out, size_t *count, struct error *err) MUST_USE;

#endif
