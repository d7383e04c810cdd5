/* run.h - `stint run`: a command under a meter, inside its budget. */
#ifndef OP_RUN_RUN_H
#define OP_RUN_RUN_H

#include "doc/field.h"
#include "market/run_price.h"
#include "run/supervise/supervise.h"
#include "unit/money.h"

extern const struct op op_run_command;

struct run_request {
    struct strs command;
    struct str name;
    struct strs tag;
    struct str resume;

    usd budget, month_budget;
    span deadline, grace;
    span idle;
    double idle_below;
    struct str idle_do;
    struct str early_stop;
    bool keep_diverging;
    struct str checkpoint_signal, checkpoint_command;
    struct str leftovers, if_killed;
    struct str on_event, on_exit;
    struct strs alert, alert_on; /* channels; groups of events */
    double low_use;
    int64_t notice_status;

    usd_per_hour price;
    struct str offer, plan;
    usd_per_kwh electricity;
    struct str share;
    struct strs extra;

    struct strs metrics;
    struct str metrics_file, summary;
    bool progress, status, quiet, no_gpu, no_ledger;
    span heartbeat, every;
    struct str checkpoints, best;
    int64_t keep;
    bool prune_all;
};

struct run_result {
    struct supervise_result ended;
    struct run_price price;
    struct str name, reason;
    usd_per_hour rate; /* of the machine, or of its electricity at the end */
    double share;      /* of the machine's price, on average */
    struct str verdict, verdict_text;
    usd checkpoint_month;      /* storing the kept checkpoints */
    struct strs removed_names; /* of the first checkpoints that --keep removed */
    struct str hint;           /* what would make more known */
    struct str extra_names;    /* of --extra, for the summary: "labels, storage" */
    bool quiet;
};

extern const struct field_set run_request_fields, run_result_fields;

#endif
