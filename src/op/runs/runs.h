/* runs.h - what was run: the request and the result of runs.list. */
#ifndef OP_RUNS_RUNS_H
#define OP_RUNS_RUNS_H

#include "ledger/runs/run_sum.h"
#include "op/ledger_open.h"

extern const struct op op_runs;

struct runs_request {
    struct str name, since, until, before, state, sort, csv;
    struct strs tags;
    int64_t limit;
    bool reverse;
};

struct runs_result {
    struct rows runs; /* struct ledger_run, newest first */
    int64_t count;
    bool more;       /* there are more, older ones if sorted by that */
    struct str next; /* they follow this run: `before` of the next request. Newest first only */
    struct ledger_run_sum sum;
    struct str ledger, csv;
    bool filtered;  /* only some of them were asked for */
    bool no_ledger; /* there is no ledger */
};

#endif
