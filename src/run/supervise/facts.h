/* facts.h - the state of a run now: what the status line, heartbeats, hooks and `top` show. */
#ifndef RUN_SUPERVISE_FACTS_H
#define RUN_SUPERVISE_FACTS_H

#include "base/clock.h"
#include "run/supervise/phase.h"
#include "unit/money.h"

struct run_facts {
    span elapsed;
    usd cost, budget;  /* unknown: no budget */
    usd_per_hour rate; /* what it costs an hour now */
    usd projected;     /* the total when it goes on like this; unknown without progress */
    span left;         /* until it ends by itself; SPAN_UNKNOWN */
    span budget_left;  /* until the budget is spent; SPAN_UNKNOWN */
    double step, steps, loss;
    double gpu_busy, gpu_memory; /* 0 to 1; NaN without a device */
    double gpu_memory_total;     /* bytes that `gpu_memory` is a share of; NaN unknown */
    int gpus;
    double cpu_cores, memory; /* busy cores, bytes */
    double watts, score;
    enum run_phase phase;
};

#endif
