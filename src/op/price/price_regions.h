/* price_regions.h - one machine in every region: the request and the result of
 * price.regions. */
#ifndef OP_PRICE_PRICE_REGIONS_H
#define OP_PRICE_PRICE_REGIONS_H

#include "market/regions.h"
#include "op/market.h"

extern const struct op op_price_regions;

struct price_regions_request {
    struct strs instances, providers, regions;
    span hours;
    bool markdown;
};

struct price_regions_result {
    double hours;
    bool markdown;       /* asked for: how to print it */
    struct rows regions; /* struct region_price */
    struct price_age age;
};

#endif
