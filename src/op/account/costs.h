/* costs.h - requests and results of costs.*: what the account's questions are asked, and their
 * answers. All amounts come from account_spending(). */
#ifndef OP_ACCOUNT_COSTS_H
#define OP_ACCOUNT_COSTS_H

#include "account/costs/breakdown.h"
#include "account/costs/gpus.h"
#include "account/costs/repeats.h"
#include "account/costs/spot.h"
#include "account/costs/trend.h"
#include "account/query/movers.h"
#include "op/spending.h"

extern const struct op op_costs, op_costs_gpus, op_costs_movers, op_costs_repeats,
    op_costs_spot, op_costs_storage, op_costs_trend;

struct costs_request {
    struct strs by;
    struct costs_ask ask;
    struct str sort, csv;
    int64_t limit;
};

struct costs_result {
    struct strs by;   /* the names of dimensions */
    struct str grain; /* "month"; NULL: none */
    struct cost_breakdown costs;
    struct costs_basis basis;
    struct str csv;
};

struct costs_trend_request {
    struct strs by;
    struct costs_ask ask; /* days are not asked */
    int64_t months, limit;
    struct str csv;
};

struct costs_trend_result {
    struct strs by;
    struct cost_trend trend;
    struct costs_basis basis;
    struct str csv;
};

struct costs_movers_request {
    struct strs by;
    struct costs_ask ask;
    int64_t limit;
    struct str csv;
};

struct costs_movers_result {
    struct costs_movers found;
    struct costs_basis basis;
    struct str csv;
};

struct costs_gpus_request {
    struct strs by;
    struct costs_ask ask; /* only days and conditions */
    struct str csv;
};

struct costs_gpus_result {
    struct strs by;
    struct gpu_costs gpus;
    struct costs_basis basis;
    struct str csv;
};

struct costs_spot_request {
    struct strs by;
    struct costs_ask ask;
    struct str csv;
};

struct costs_spot_result {
    struct strs by;
    struct spot_costs spot;
    struct costs_basis basis;
    struct str csv;
};

struct costs_repeats_request {
    struct days_asked days; /* no month */
    int64_t limit;
    struct str csv;
};

struct costs_repeats_result {
    struct repeat_costs found;
    struct str ledger, csv;
    bool no_ledger;
};

#endif
