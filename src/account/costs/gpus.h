/* gpus.h - what GPUs of runs were used for: hours, how busy they were, what idle ones cost. */
#ifndef ACCOUNT_COSTS_GPUS_H
#define ACCOUNT_COSTS_GPUS_H

#include "account/query/groups.h"

struct costs_gpus_row {
    struct str value[COSTS_BY_MAX];
    int64_t runs;
    double gpu_hours;
    double busy_hours; /* of those whose use was measured */
    double unknown_hours;
    double busy; /* share of the measured hours; NaN: none was */
    usd cost, idle;
    int64_t unpriced;
};

extern const struct field_set costs_gpus_row_fields;

struct gpu_costs {
    struct table_rows rows; /* struct costs_gpus_row, the most idle money first */
    struct costs_gpus_row total;
    int64_t without; /* runs without a GPU */
};

/* Of the query: its days and conditions. */
bool account_gpus(const struct account_source *account, const struct costs_by *by,
                  const struct spending_query *query, struct gpu_costs *out,
                  struct error *err) MUST_USE;

#endif
