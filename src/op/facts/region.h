/* region.h - how clean a region's power is: request and result of region.list. */
#ifndef OP_FACTS_REGION_H
#define OP_FACTS_REGION_H

#include "doc/field.h"
#include "unit/time.h"

extern const struct op op_region_list;

struct region_view {
    struct str provider, region, place, country, carbon_kind, carbon_year, pue_kind, source;
    double carbon_g_kwh, pue, carbon_free;
    double facility_g_kwh; /* carbon_g_kwh x pue: for a kWh at the machine */
    day date;
};

struct region_list_request {
    struct strs providers, countries;
    double max_carbon;
    int64_t limit;
    struct str sort;
};

struct region_list_result {
    struct rows regions; /* struct region_view */
};

#endif
