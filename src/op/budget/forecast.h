/* forecast.h - the requests and results of forecast and anomalies. */
#ifndef OP_BUDGET_FORECAST_H
#define OP_BUDGET_FORECAST_H

#include "alert/queue.h"
#include "budget/anomalies.h"
#include "budget/budget.h"
#include "budget/forecast.h"
#include "op/spending.h"
#include "series/readings.h"

struct op_context; /* op/context.h */

extern const struct op op_anomalies, op_forecast;

/* ---- forecast ---- */

struct forecast_request {
    struct strs by;
    struct costs_ask ask; /* since and until are not asked */
    int64_t limit;
};

struct forecast_row {
    struct str value[COSTS_BY_MAX];
    struct str currency;
    struct money spent;   /* exactly, of the days that are whole */
    struct money running; /* of those that are not: in no other amount */
    struct money forecast, low, high;
    struct money recurring; /* of days that are not whole, or to come: in all three of them */
    struct money added;     /* of a total: what the forecasts of its rows add up to */
    struct str method, problem; /* why there is none */
    int64_t days;               /* that it goes by */
};

/* A budget of a period that runs, and whether it will do. */
struct forecast_budget {
    struct str name, period;
    struct strs where;
    struct money limit, spent, forecast, low, high;
    double share;    /* of the limit, that it will come to */
    struct str says; /* "keeps to it", "may be passed", "will be passed", "is passed", or "?" */
    struct str problem; /* why there is no forecast */
};

struct forecast_result {
    struct strs by;
    struct str month;
    struct table_rows rows; /* struct forecast_row, the dearest first */
    struct rows totals;     /* likewise, one for each currency */
    int64_t others;         /* groups that are only in the total */
    struct rows budgets;    /* struct forecast_budget, of the running month */
    day known_until;        /* the last day that is whole */
    int64_t days_ago;       /* that it was */
    int64_t days_left;      /* of the month */
    struct costs_basis basis;
};

/* ---- anomalies ---- */

struct anomalies_request {
    struct strs by;
    struct costs_ask ask;
    struct money least;
    double share, threshold;
    struct strs alert;
    struct str values, column; /* a file instead of the ledger; the column of its values */
    int64_t limit;
    struct str csv;
};

/* ---- of values that are in no ledger: anomalies_values.c ---- */

struct anomaly_values {
    struct str file, method; /* no file: the ledger was asked */
    double interval_s;
    int64_t together;
    stamp first, last;
    int64_t values, missing, infinite, repeated, gaps;
    struct rows events; /* struct readings_event, the newest first */
};

extern const struct field_set anomaly_values_fields;

struct anomalies_result {
    struct strs by;
    struct anomaly_events events;
    int64_t count;                /* of all, shown or not */
    int64_t alerts, false_alarms; /* of anomalies, in the days that were asked for */
    struct costs_basis basis;
    struct alert_sent delivered;
    bool told; /* --alert was given */
    struct anomaly_values values;
    struct str csv;
};

/* The sensitivity that a request asks for. */
struct anomaly_options anomalies_options(const struct anomalies_request *request);

/* Judge the series of the file that the request names. */
bool anomalies_values(struct op_context *ctx, const struct anomalies_request *request,
                      struct anomalies_result *out, struct error *err) MUST_USE;

#endif
