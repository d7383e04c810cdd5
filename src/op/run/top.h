/* top.h - everything that runs on this ledger now, and what it costs: request and result of
 * top. */
#ifndef OP_RUN_TOP_H
#define OP_RUN_TOP_H

#include "render/columns.h"
#include "run/supervise/inbox.h"
#include "run/supervise/live.h"
#include "run/terminal/status.h"

extern const struct op op_top;

/* Rows of struct live_run, wherever they are shown (live_columns.c). */
extern const struct columns live_run_columns[PLACES];
enum term_style live_run_style(const void *row);
bool live_run_over(const struct live_run *run); /* it will cost more than its budget */

struct top_request {
    struct str run;  /* show the details of this run; empty: of none */
    struct str sort; /* "cost", "rate", "time" or "name" */
    bool all;        /* also runs on other machines that are silent */
    bool once;       /* for the command line: no live view */
};

struct top_result {
    stamp at;
    int64_t machines, running;
    usd_per_hour rate; /* of those whose rate is known */
    int64_t rate_unknown;
    usd today, month;
    int64_t month_unknown; /* attempts whose cost is not in it */
    struct money budget;   /* of a month */
    double budget_share;
    struct str run;              /* the id of request.run; empty: none was asked for */
    struct rows runs;            /* struct live_run */
    struct live_details details; /* of request.run */
    struct str ledger;
    bool no_ledger; /* there is no ledger */
};

#endif
