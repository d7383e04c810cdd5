/* anomalies.h - request and result of anomalies. */
#ifndef OP_BUDGET_ANOMALIES_H
#define OP_BUDGET_ANOMALIES_H

#include "alert/queue.h"
#include "budget/anomalies.h"
#include "op/spending.h"
#include "series/readings.h"

extern const struct op op_anomalies;

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

/* How the values of a file were judged. */
struct anomaly_values {
    struct str file, method; /* no file: the ledger was asked */
    double interval_s;
    int64_t together;
    stamp first, last;
    int64_t values, missing, infinite, repeated, gaps;
    struct rows events; /* struct readings_event, the newest first */
};

struct anomalies_result {
    struct strs by;
    struct anomaly_events events;
    int64_t count;                /* of all, shown or not */
    int64_t alerts, false_alarms; /* of anomalies, in the days that were asked for */
    struct costs_basis basis;
    struct alert_sent delivered;
    bool alerted; /* --alert was given */
    struct anomaly_values values;
    struct str csv;
};

#endif
