/* show.h - everything recorded about a run: the request and the result of show. */
#ifndef OP_RUNS_SHOW_H
#define OP_RUNS_SHOW_H

#include "account/run/device_use.h"
#include "account/run/review.h"
#include "ledger/runs/details.h"

extern const struct op op_show;

struct show_request {
    struct str run;
};

struct show_result {
    struct ledger_run run;
    struct str ledger;
    struct run_review review;
    struct ledger_details details;
    struct rows devices; /* struct device_use */
    struct idle_devices idle;
};

#endif
