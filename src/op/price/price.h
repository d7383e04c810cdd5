/* price.h - what hardware costs, where: the requests and results of price.list, price.compare
 * and price.value. */
#ifndef OP_PRICE_PRICE_H
#define OP_PRICE_PRICE_H

#include "op/market.h"

extern const struct op op_price_compare, op_price_list, op_price_value;

struct price_list_request {
    struct machine_query filter;
    struct str sort;
    int64_t limit;
};

struct price_list_result {
    struct rows offers; /* struct machine */
    struct price_age age;
};

struct price_compare_request {
    struct machine_query filter;
    span hours;
    bytes egress;
    int64_t max_machines, limit;
    bool all;
};

/* One way to rent enough GPUs. Totals are for the hours asked, set-up and egress included. */
struct price_comparison {
    struct str offer, provider, region, instance, accelerator, source;
    int64_t machines, gpus, age_days;
    usd_per_hour hourly, spot_hourly; /* of all machines */
    double setup_s;
    usd setup, egress, total, spot_total;
    double spot_saving; /* share of the on-demand total */
    day date;
    bool cheapest, cheapest_spot;
    bool complete; /* false when set-up or egress is not known, and so not in the totals */
};

struct price_compare_result {
    struct str accelerator;
    int64_t gpus;
    double hours, egress_gb;
    bool any_form;
    struct rows comparisons;
    struct price_age age;
};

struct price_value_request {
    struct machine_query filter;
    struct str precision;
    int64_t limit;
};

/* score = performance x reliability / price */
struct price_value {
    struct str offer, accelerator, precision, source;
    int64_t count, age_days;
    double performance; /* dense peak of the machine, TFLOPS */
    double reliability;
    usd_per_hour price;
    double score; /* peak PFLOP for a dollar, times reliability */
    day date;
};

struct price_value_result {
    struct str market;
    struct rows values;
    struct price_age age;
};

#endif
