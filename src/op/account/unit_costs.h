/* unit_costs.h - request and result of unit-costs. */
#ifndef OP_ACCOUNT_UNIT_COSTS_H
#define OP_ACCOUNT_UNIT_COSTS_H

#include "account/unit/unit_costs.h"
#include "op/deliver.h"
#include "op/spending.h"

extern const struct op op_unit_costs;

struct unit_costs_request {
    struct str of;
    struct costs_ask ask;
    struct str what, csv;
    int64_t limit;
    struct str by;   /* "day" or "month"; empty: all of the time at once */
    struct str rise; /* percent; empty: the usual */
    struct strs alert;
};

struct unit_costs_result {
    struct str of, by;
    enum unit_kind kind;
    struct unit_costs costs;
    double rise;  /* more than this is reported */
    bool alerted; /* alerts were evaluated */
    struct alert_sent delivered;
    struct costs_basis basis;
    struct str csv;
};

#endif
