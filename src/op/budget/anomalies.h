/* anomalies.h - request and result of anomalies. */
#ifndef OP_BUDGET_ANOMALIES_H
#define OP_BUDGET_ANOMALIES_H

#include "alert/queue.h"
#include "budget/values.h"
#include "op/spending.h"

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
