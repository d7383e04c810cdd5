/* supervise.h - run a command under a meter, inside its budget: the loop around all the rest.
 *
 * One thread and one epoll. The command has the terminal, the descriptors and the signals that
 * this program was given; the supervisor looks on, each second by default, and acts only when a
 * guard says so. It blocks signals and becomes a subreaper for as long as it runs, so a process
 * can do only one at a time.
 */
#ifndef RUN_SUPERVISE_SUPERVISE_H
#define RUN_SUPERVISE_SUPERVISE_H

#include "base/log.h"
#include "ledger/ledger.h"
#include "ledger/runs/shared.h"
#include "meter/cloud.h"
#include "meter/meter.h"
#include "run/checkpoint/checkpoints.h"
#include "run/output/early_stop.h"
#include "run/supervise/account.h"
#include "run/supervise/alert_events.h"
#include "run/supervise/attach_target.h"
#include "run/supervise/expected.h"
#include "run/supervise/guard.h"
#include "run/supervise/keeper.h"
#include "run/supervise/ledger_opening.h"

/* What to do when the command has ended, but processes that it started have not. */
enum leftovers {
    LEFTOVERS_WAIT, /* they are the run, too */
    LEFTOVERS_STOP,
    LEFTOVERS_LEAVE,
};

/* What to do about idleness. */
enum idle_action {
    IDLE_ACT_WARN,
    IDLE_ACT_CHECKPOINT,
    IDLE_ACT_STOP,
    IDLE_ACT_COMMAND,
};

struct supervise_options {
    const char *const *argv;      /* ends with NULL */
    struct attach_target *target; /* runs already, and is supervised instead; NULL: none */
    bool no_kill;                 /* guards ask and warn, but send no SIGTERM or SIGKILL */
    int ready_fd;                 /* is written a line to when metering has begun; -1: none */
    struct ledger_start *start;   /* all but the id and what the supervisor knows itself */
    const char *ledger;           /* NULL: nothing is written down */
    struct ledger
        *ledger_opened; /* for writing, the supervisor's from then on; NULL: not yet */
    struct ledger_opening *ledger_opening; /* likewise, of a server that has not answered yet */
    struct error ledger_why;               /* it is not open; ERROR_NONE: not tried */
    /* A server that receives runs, instead of a ledger, whose address is in `ledger`; asked
     * whether the run may begin, and its answer. The supervisor's from then on; NULL: none. */
    struct receiver *receiver;
    int receiver_attempt;                 /* by that answer; 0: there was none yet */
    usd receiver_before, receiver_budget; /* cost and budget of earlier attempts; unknown */
    struct run_charge charge;
    int64_t share; /* of the rate, in billionths; -1: divided with the others on the machine */
    usd budget;    /* unknown: none. Earlier attempts count */
    usd month_budget; /* likewise, of all runs since `month_began` */
    stamp month_began;
    /* In the place of shared_month(), for the run of this id that spends at this rate: also
     * says the limit, its name, or that there is none now. NULL: all runs since then. */
    bool (*month_spent)(void *ctx, struct ledger *ledger, const char *id, usd_per_hour rate,
                        struct shared_look *out, struct error *err);
    void *month_ctx;
    const char *month_name; /* "the budget 'nlp'"; NULL: "the budget of the month" */
    bool month_later;       /* the ledger could not be read: it is not known if there is one */
    span deadline;          /* SPAN_UNKNOWN: none */
    span grace;             /* SPAN_UNKNOWN: by reserve_evaluate() */
    struct idle_options idle;
    enum idle_action idle_action;
    const char *idle_command;
    int checkpoint_signal;          /* 0: none */
    const char *checkpoint_command; /* instead of the signal; NULL: none */
    const char *on_event;           /* NULL: none */
    struct alert_events alerts;
    double low_use; /* of devices in half an hour: below it is an event; NaN: never */
    enum leftovers leftovers;
    bool keeper;                   /* end the job when this process is killed */
    struct keeper *keeper_started; /* by keeper_start(), before the ledger was opened; the
                                        supervisor's from then on. NULL: it starts one */
    struct meter_options meters;   /* of this process; the supervisor sets the control group */
    int notice_status;             /* to end with when the machine is taken away; 0: 5 */
    enum cloud cloud;              /* whose notices to listen to; CLOUD_NONE: none */
    span every;                    /* between looks */

    struct str
        job; /* that nothing was predicted for yet, as ledger_job() has it; empty: none */
    /* The estimate of a job on this machine; false with the reason when there is none. NULL:
     * nothing is estimated. */
    bool (*estimate)(void *ctx, const struct supervise_job *job, struct arena *arena,
                     struct supervise_expected *out, struct error *err);
    void *estimate_ctx;

    bool read_output;    /* look for progress in what it prints */
    struct strs metrics; /* patterns of the user's */
    const char *metrics_file;
    bool status;    /* a line at the bottom, or heartbeats when there is no terminal */
    span heartbeat; /* SPAN_UNKNOWN: none */
    bool quiet;     /* nothing is printed at the end: it is in the ledger */
    bool stops_early;
    struct stop_options early_stop;
    bool stops_divergence;   /* a loss that is not finite */
    bool stops_growth;       /* and one that has grown */
    double low_score;        /* warn when the score stays below; NaN: never */
    const char *checkpoints; /* the folder; NULL: none */
    struct checkpoint_rules checkpoint_rules;
    bool prune;

    const struct alloc *alloc;
    const struct clock *clock; /* for dates */
    const struct log *log;
};

#define SUPERVISE_NAMES 4096

struct supervise_result {
    int status; /* as a shell has it; 5 when a guard ended it; -1: not known */
    int signal; /* that ended the command, when no guard did; 0: none */
    enum stop_reason reason;
    enum ledger_state state;
    char id[LEDGER_ID];
    int attempt;
    bool recorded; /* the ledger has it */
    span elapsed;
    struct account account;
    usd budget; /* that held: of an earlier attempt when none was given */
    usd before; /* cost of earlier attempts */
    struct ledger_totals totals;
    char energy_method[METER_METHODS]; /* by their shares; "unknown" */
    int processes_most;                /* at any moment */
    bool mid_row;                      /* the last row on standard error has no end */
    char why[240];                     /* the guard's sentence */
    bool passed;                       /* it went on past the limit: --no-kill */
    span reserve; /* kept for the last save; SPAN_UNKNOWN: there was no limit */
    usd reserve_cost;
    char reserve_why[200];
    char gpu[METER_NAME];
    int64_t removed;      /* checkpoints that were pruned */
    double removed_bytes; /* that gives back */
    usd expected_cost;    /* by the job of the run; unknown: nothing was estimated */
    span expected_time;
    char removed_names[SUPERVISE_NAMES]; /* as many as fit, each with a line end */
};

/* Standard descriptors that are closed are held by /dev/null for as long as we live, so that no
 * pipe or ledger of ours takes their numbers and is written to. The command has them closed.
 * Called before anything is opened. */
void supervise_hold_standard(void);

/* False only when the command could not be started (`out->status` is 126 or 127 then, or 1) or
 * memory ran out; whatever becomes of the command is no error. */
bool supervise(const struct supervise_options *options, struct supervise_result *out,
               struct error *err) MUST_USE;

#endif
