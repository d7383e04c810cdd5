/* forecast.h - request and result of forecast. */
#ifndef OP_BUDGET_FORECAST_H
#define OP_BUDGET_FORECAST_H

#include "budget/budget.h"
#include "budget/forecast.h"
#include "op/spending.h"

extern const struct op op_forecast;

struct forecast_request {
    struct strs by;
    struct costs_ask ask; /* since and until are not asked */
    int64_t limit;
};

struct forecast_result {
    struct strs by;
    struct str month;
    struct month_forecast forecast;
    struct rows budgets; /* struct budget_outlook, of the running month */
    struct costs_basis basis;
};

#endif
