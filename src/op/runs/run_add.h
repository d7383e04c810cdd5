/* run_add.h - `stint runs add`: work that ran without `stint run`. */
#ifndef OP_RUNS_RUN_ADD_H
#define OP_RUNS_RUN_ADD_H

#include "op/ledger_open.h"
#include "op/run_price.h"

extern const struct op op_run_add;

struct run_add_request {
    struct str offer, provider, start, end, name;
    struct strs tag;
    usd cost;
    usd_per_hour price;
    int64_t count, gpus;
    struct str gpu;
};

struct run_add_result {
    struct ledger_run run;
    int64_t count;    /* machines */
    int64_t prices;   /* during that time */
    bool later_price; /* no price of that time is known: a later one was used */
};

#endif
