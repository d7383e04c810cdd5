/* price.h - what hardware costs, where: the requests and results of price.list, price.compare
 * and price.value. */
#ifndef OP_PRICE_PRICE_H
#define OP_PRICE_PRICE_H

#include "market/compare.h"
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
    bool all, separate;
    struct strs supply; /* OFFER=MACHINES, over the setting */
};

struct price_compare_result {
    struct str accelerator;
    int64_t gpus;
    double hours, egress_gb;
    bool any_form;
    struct rows comparisons; /* struct price_comparison */
    struct price_age age;
};

struct price_value_request {
    struct machine_query filter;
    struct str precision;
    int64_t limit;
};

struct price_value_result {
    enum market market;
    struct rows values; /* struct price_value */
    struct price_age age;
};

#endif
