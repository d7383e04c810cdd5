/* run.h - `stint run`: a command under a meter, inside its budget. */
#ifndef OP_RUN_RUN_H
#define OP_RUN_RUN_H

#include "doc/field.h"
#include "run/supervise/phase.h"
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
    bool progress, status, quiet, no_gpu, no_ledger, again;
    span heartbeat, every;
    double low_score;
    struct str checkpoints, best;
    int64_t keep;
    bool prune_all;
};

struct run_result {
    struct str id, name, state, reason, why;
    int64_t attempt, exit_status, exit_signal;
    bool recorded, quiet;
    bool mid_row; /* what was printed last has no end */
    span elapsed;
    usd cost;   /* of this attempt */
    usd before; /* of those before it */
    usd budget;
    span reserve;     /* kept for the last save before the limit */
    usd reserve_cost; /* at the rate of the end */
    struct str reserve_why;
    usd_per_hour rate;
    struct str pays;
    double share;    /* of the machine's price, on average */
    int64_t sharers; /* at most */
    struct str price_source, offer;
    usd compute, setup, storage, transfer, extra;
    usd set_up_phase, data_phase, train_phase, evaluate_phase, checkpoint_phase, idle_phase;
    double energy_kwh;
    struct str energy_method;
    double energy_error;
    double carbon_g;
    struct str carbon_source;
    double cpu_s, memory_peak, read, written, received, sent;
    struct str gpu;
    int64_t gpus;
    double gpu_busy, gpu_memory_peak, gpu_memory_total, gpu_memory_run;
    double score, seed_score;
    struct str verdict, verdict_text;
    double step, steps, loss;
    double checkpoint_bytes; /* that are kept */
    usd checkpoint_month;    /* what they cost in the provider's object store */
    int64_t removed;         /* checkpoints that --keep removed */
    double removed_bytes;
    struct strs removed_names; /* the first of them */
    usd estimated_cost;
    span estimated_time;
    struct str hint;        /* what would have made more known */
    struct str extra_names; /* of --extra, for people: "labels, storage" */
};

extern const struct field_set run_request_fields, run_result_fields;

#endif
