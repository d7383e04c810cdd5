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

struct forecast_result {
    struct strs by;
    struct str month;
    struct month_forecast forecast;
    struct rows budgets; /* struct budget_outlook, of the running month */
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
