/* watch.h - `stint watch`: act when a machine is idle or has cost too much. */
#ifndef OP_RUN_WATCH_H
#define OP_RUN_WATCH_H

#include "doc/field.h"
#include "unit/money.h"

extern const struct op op_watch;

struct watch_request {
    span idle;
    double idle_below;
    usd budget;
    span deadline, grace, every, heartbeat;
    struct str then, on_event;
    struct strs alert, alert_on;
    double low_use;
    bool once;
    usd_per_hour price;
    struct str offer, plan;
    usd_per_kwh electricity;
};

struct watch_answer {
    struct str reason, why;
    span watched;
    usd cost, idle_cost;
    bool since_start;
    usd_per_hour rate;
    struct str price_source;
    double busy, idle_h, energy_kwh;
    int64_t acted, command_status;
};

extern const struct field_set watch_request_fields, watch_answer_fields;

#endif
