/* run_add.h - `stint runs add`: work that was not run under `stint run`, written down later. */
#ifndef OP_RUNS_RUN_ADD_H
#define OP_RUNS_RUN_ADD_H

#include "op/ledger_open.h"
#include "op/run/run_price.h"

struct run_add_request {
    struct str offer, provider, start, end, name;
    struct strs tag;
    usd cost;
    usd_per_hour price;
    int64_t count, gpus;
    struct str gpu;
};

struct run_add_result {
    struct run_view run;
    int64_t count;    /* machines */
    int64_t prices;   /* that held one after the other */
    bool later_price; /* none of that time is known: one of now was taken */
};

/* What an offer cost from `start` to `end` by the price store's history: the cost of one
 * machine. `prices` is 0 when the store does not know it. */
struct price_then {
    usd cost;
    usd_per_hour first, last;
    int64_t prices;
    struct str feed;
};

bool price_then(struct op_context *ctx, const struct run_price *now, stamp start, stamp end,
                struct price_then *out, struct error *err) MUST_USE;

#endif
