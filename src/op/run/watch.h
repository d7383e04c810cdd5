/* watch.h - `stint watch`: act when a machine is idle or has cost too much. */
#ifndef OP_RUN_WATCH_H
#define OP_RUN_WATCH_H

#include "doc/field.h"
#include "run/supervise/watch.h"

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
    struct watch_result seen;
    struct str detail; /* of `seen` */
    struct str price_source;
};

#endif
