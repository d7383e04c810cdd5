/* spot_decide.h - what a job should do now: the request and the result of spot.decide. */
#ifndef OP_SPOT_SPOT_DECIDE_H
#define OP_SPOT_SPOT_DECIDE_H

#include "doc/field.h"
#include "spot/trace_files.h"
#include "unit/money.h"

extern const struct op op_spot_decide;

struct spot_decide_request {
    span work, done, unsaved, left; /* left: to the deadline */
    span delay, starting;           /* starting: what is still ahead of a start */
    struct str running, zone;
    struct strs seen, traces, zones; /* seen: "us-east-1a=110111" */
    struct str ones;
    span every;                  /* between two questions; of traces: their ticks */
    struct strs spot, on_demand; /* "$0.97/hr", or "us-east-1a=$0.97/hr" */
    int64_t gang;
    span checkpoint_every, checkpoint_time, notice;
};

struct decide_view {
    struct str action, zone;
    usd expected; /* to the end of the job */
    bool chosen;
};

struct spot_decide_result {
    struct str action; /* stay, spot, on-demand, wait */
    struct str zone;   /* of what is to run */
    usd expected;
    struct rows options; /* struct decide_view */
    span ask_again;      /* when to ask again */
    span latest;         /* to start on-demand, if nothing is done; unknown: too late */
    span late_by;        /* unknown: it is not late */
};

#endif
