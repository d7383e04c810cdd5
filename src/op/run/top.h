/* top.h - everything that runs on this ledger now, and what it costs: request and result of
 * top. */
#ifndef OP_RUN_TOP_H
#define OP_RUN_TOP_H

#include "report/records.h"
#include "run/supervise/inbox.h"
#include "run/supervise/live.h"
#include "run/terminal/status.h"

extern const struct op op_top;

struct top_request {
    struct str run;  /* show the details of this run; empty: of none */
    struct str sort; /* "cost", "rate", "time" or "name" */
    bool all;        /* also runs on other machines that are silent */
    bool once;       /* for the command line: no live view */
};

struct top_result {
    stamp at;
    struct live_sum sum;
    struct live_spent spent;
    struct str run;              /* the id of request.run; empty: none was asked for */
    struct rows runs;            /* struct live_run */
    struct live_details details; /* of request.run */
    struct str ledger;
    bool no_ledger; /* there is no ledger */
};

#endif
