/* run_sum.h - what some runs cost and took together. */
#ifndef LEDGER_RUNS_RUN_SUM_H
#define LEDGER_RUNS_RUN_SUM_H

#include "ledger/ledger.h"

/* A sum is unknown when that of one run is; what is known of the others stands beside it. */
struct ledger_run_sum {
    usd cost;
    int64_t cost_unknown; /* runs of which it is not known */
    usd cost_known;       /* of the others */
    double energy_kwh;
    int64_t energy_unknown;
    double energy_known_kwh;
    span took;
};

/* Pure. */
struct ledger_run_sum ledger_run_sum(const struct ledger_run *runs, size_t count);

#endif
