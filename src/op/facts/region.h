/* region.h - how clean a region's power is: request and result of region.list. */
#ifndef OP_FACTS_REGION_H
#define OP_FACTS_REGION_H

#include "catalog/catalog.h"

extern const struct op op_region_list;

struct region_row {
    struct region region;
    double facility_g_kwh; /* carbon_g_kwh x pue: for a kWh at the machine */
};

struct region_list_request {
    struct strs providers, countries;
    double max_carbon;
    int64_t limit;
    struct str sort;
};

struct region_list_result {
    struct rows regions; /* struct region_row */
};

#endif
