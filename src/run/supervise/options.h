/* options.h - what is asked of `stint run`, made into the options of the supervisor. Errors
 * name the option. */
#ifndef RUN_SUPERVISE_OPTIONS_H
#define RUN_SUPERVISE_OPTIONS_H

#include "base/message.h"
#include "doc/field.h"
#include "run/supervise/supervise.h"

struct run_request {
    struct strs command;
    int64_t pid;   /* of a process that runs already, instead of a command */
    bool ancestor; /* it may have started us */
    bool no_kill;
    int64_t ready_fd;
    struct str to, to_token, to_certificates; /* a server that receives runs */
    bool to_unencrypted;
    struct str name;
    bool new_run; /* the name resumes nothing */
    struct strs tag;
    struct str resume;

    usd budget, month_budget;
    span deadline, grace;
    span idle;
    double idle_below;
    struct str idle_do;
    struct str early_stop;
    bool keep_diverging, stop_diverging;
    struct str checkpoint_signal, checkpoint_command;
    enum leftovers leftovers;
    struct str if_killed;
    struct str on_event, on_exit;
    struct strs alert, alert_on; /* channels; groups of events */
    double low_use;
    int64_t notice_status;

    usd_per_hour price;
    struct str offer, plan;
    struct str job; /* a job file or a model: kept with the run */
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

/* Check the request and set its guards and what is watched. Not the alerts, the budget of the
 * month, the ledger and the price, which need more than the request. Texts live in the
 * arena. */
bool run_options_make(const struct run_request *request, struct arena *arena,
                      const struct messages *to, struct supervise_options *out,
                      struct error *err) MUST_USE;

/* 'labels=$12': the sum of the amounts; unknown when there are none. Their names: "labels,
 * storage". */
bool run_extras_sum(struct strs extras, usd *out, struct error *err) MUST_USE;
bool run_extras_names(struct strs extras, struct arena *arena, struct str *out,
                      struct error *err) MUST_USE;

#endif
