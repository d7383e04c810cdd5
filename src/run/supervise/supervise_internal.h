/* supervise_internal.h - the state of the loop, shared by its files only. */
#ifndef RUN_SUPERVISE_SUPERVISE_INTERNAL_H
#define RUN_SUPERVISE_SUPERVISE_INTERNAL_H

#include <limits.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/types.h>

#include "doc/node.h"
#include "ledger/runs/shared.h"
#include "meter/meter.h"
#include "run/checkpoint/disk_rate.h"
#include "run/checkpoint/reserve.h"
#include "run/checkpoint/save_watch.h"
#include "run/cloud/notice.h"
#include "run/output/history.h"
#include "run/output/metric.h"
#include "run/output/metric_series.h"
#include "run/output/relay.h"
#include "run/supervise/device_watch.h"
#include "run/supervise/hooks.h"
#include "run/supervise/inbox.h"
#include "run/supervise/keeper.h"
#include "run/supervise/machine_share.h"
#include "run/supervise/recorder.h"
#include "run/supervise/score.h"
#include "run/supervise/supervise.h"
#include "run/terminal/status.h"

/* Others that begin to spend from a budget that is shared are seen within this, well before
 * what they leave is gone: each starts only when that takes LEAST_LEFT or more. */
#define MONTH_LOOK (SECOND / 2)

/* What is asked of the ledger about a budget that is shared, and the answer: the recorder's
 * thread's until it is answered. */
struct month_question {
    const struct supervise_options *options;
    char id[LEDGER_ID];
    usd_per_hour rate;
    bool always;   /* whether or not others have begun or ended */
    uint64_t mark; /* of the ledger, which changes when one does */
    bool looked;
    struct shared_look seen;
    usd recorded; /* of this attempt, within what was seen */
};

struct supervisor;

/* What is supervised, where that makes a difference: a command that we start (supervise.c), or
 * a process that runs already (supervise_attach.c). */
struct supervised {
    /* From now on it is metered: sets `child`, starts the clock. */
    bool (*begin)(struct supervisor *s, struct error *err);
    /* A signal that was sent to us. */
    void (*hear)(struct supervisor *s, const struct signalfd_siginfo *info);
    /* A signal for its first process. */
    void (*send)(const struct supervisor *s, int number);
    const char *noun;  /* in messages: "the command" */
    const char *waits; /* what it prints when processes are left */
};

extern const struct supervised supervised_command, supervised_process;

/* The processes, and what the loop waits for. */
struct sup_processes {
    pid_t child;           /* the command, or the process; 0 after it ended */
    bool over;             /* nothing of the run is left, or we let go of it */
    bool waiting_reported; /* that it waits for what the command left behind */
    struct cgroup cgroup;
    struct keeper keeper;
    struct hooks hooks;
    pid_t notice_pid;
    sigset_t mask_before;
    bool pipe_ignored;
    int poll, signals, timer, notice;
    instant next_look;
    instant heard_from; /* what is read now was not printed before this moment */
    int delays;         /* /proc/thread-self/schedstat; -1: none */
    int64_t delayed;    /* waited for a processor so far, ns */
};

/* What is measured. */
struct sup_seen {
    struct meters *meters;
    struct tree *tree; /* for signals, when there are no meters */
    bool tree_metered; /* that of the meters is used instead */
    struct meter_sample sample;
    bool sampled; /* `sample` was filled in */
    double gpu_s; /* seconds with a device in use */
    double gpu_memory_peak, gpu_memory_total, gpu_memory_run, memory_peak;
    int gpus_most;
    struct device_watch devices;
    /* Power of the boards while steps are made: joules, and seconds of one board; joules of the
     * `boards` at the last look. */
    double board_joules, board_s, boards_before;
    int boards;
    double previous_cpu_s, previous_joules, previous_io, previous_net; /* at the last look */
    double cpu_cores, watts;  /* of the tree, between the last two looks; NaN unknown */
    double previous_waited_s; /* that threads waited for a processor; NaN: not looked at */
    double waiting_cores;     /* threads that waited for one, on average */
    double net_rate;          /* bytes a second over the network, of all of this machine */
    struct score_keeper score;
};

/* What the program prints and reports, and what we print of it. */
struct sup_told {
    struct relay *relay;
    struct metric_reader *reader;
    struct inbox *inbox;
    struct progress_watch progress;
    struct phase_watch phases;
    struct phase_sight sight;
    enum run_phase phase;
    struct metric_allowance allowance; /* of lines of output that are looked at */
    long refused[2];                   /* lines on the socket, and in the file */
    bool missing_reported;             /* that a metric does not come */
    bool stop_asked;                   /* by inbox_ask_stop() */
    char program_why[64]; /* the program reported why it failed; empty: it did not */
    double watched,
        watched_best; /* the metric that is recorded: early stopping's, or the loss */
    struct metric_history metrics; /* of all of them */
    instant metrics_recorded;
    bool estimated;               /* what the run is expected to take, or why not, was asked */
    struct history history;       /* what was printed, by which checkpoints are labeled */
    int unwritten, unwritten_why; /* output that could not be passed on; errno, 0: none */
    instant last_beat;
};

/* What it costs. */
struct sup_money {
    struct account account;
    struct machine_seat seat; /* among the runs on this machine */
    struct machine_view machine;
    int sharers_most;
    usd budget; /* of the run: given now, or at an earlier attempt */
    usd before; /* of earlier attempts */
    int warned;
};

/* A budget that is shared with other runs. */
struct sup_month {
    usd budget;     /* as in the options, or as the ledger had it later */
    char name[160]; /* as there; empty: NULL */
    bool later;     /* it is not known yet whether there is one */
    instant floor;  /* one that was found to be spent too late leaves time to save */
    usd before;     /* of all runs this month, without this attempt */
    instant asked;  /* when what is known of it was asked */
    instant limit, next;
    bool unread;       /* it could not be asked for, which was reported */
    usd_per_hour rate; /* of the others that run */
    struct month_question question;
    bool question_open;
    instant question_asked;
    int warned;
    bool unknown_said; /* that some runs of it have no known cost */
};

/* Checkpoints, and the last save before a limit. */
struct sup_saves {
    struct checkpoint_watch *checkpoints;
    struct known_checkpoint {
        struct str name;
        struct ledger_checkpoint row;
    } * known; /* of earlier attempts, in the folder */
    size_t known_count;
    struct cost_mark {
        instant at;
        usd cost;
    } cost_marks[64]; /* at the last looks, in a ring */
    size_t cost_mark_first, cost_mark_count;
    usd cost_first;                          /* before the first moment */
    int64_t file_offset, file_offset_before; /* dates of files less the run's clock; likewise
                                                before the calendar was set */

    bool syncing;                   /* at the last look: a save was on its way to the disk */
    instant synced_from, synced_to; /* likewise, the last time that was counted as saving */
    instant written_to;             /* the last write of a checkpoint that was counted */
    instant sync_until;             /* until then threads are looked at */

    int64_t reported_ns; /* when the program last reported a save, on the clock of files */
    struct save_watch watch;
    struct save_history history;
    struct disk_probe probe;
    int probe_tries;
    double disk_rate;         /* bytes a second, measured; NaN unknown */
    double held;              /* bytes that a save may have to write; NaN unknown */
    bool held_on_device;      /* ... of devices */
    struct reserve reserve;   /* as it is; while the run is ended, as it was then */
    struct reserve announced; /* as it was reported last */
    int announcements;
    instant next_scan, scanned, next_program, asked_at, saved_at;
    int64_t scan_cost; /* of a core, ns */
};

/* What guards watch, and the limits that they set. */
struct sup_guards {
    struct guard_program program;
    instant program_seen;
    struct idle_watch idle;
    struct stop_watch stopping;
    struct divergence_watch diverging;
    bool growth_reported;
    instant limit; /* everything must have ended by then */
    enum stop_reason limit_reason;
    bool passed_limit; /* it was not stopped there: --no-kill */
    instant notice_limit;
    span grace;
    struct guard_steps steps;
    instant low_since;
    bool low_reported;
    struct use_watch use;
    bool alerted; /* an alert was raised, and must be ended */
};

/* How a guard ends it. */
struct sup_ending {
    bool begun;   /* `result->reason` says by which */
    bool at_once; /* not because of a limit: it may end as soon as it has saved */
    bool term_passed, left_termed; /* by SIGTERM; what the command left was sent it, too */
    bool saved_while_due;          /* it was saving by itself when the last save was due */
    bool skips_save;               /* and there is no time for another */
    bool listener_asked; /* a client that listens was asked: it ends by itself after its save */
    bool went_on;        /* it was asked before a limit, has saved, and time was left */
    bool asked, termed, killed, stubborn_reported, saved_since_asked;
    bool keeps_rest; /* of the budget, for the last save: */
    char text[160];
    instant killed_at, since;
};

/* The record in the ledger. */
struct sup_record {
    struct recorder *recorder;          /* NULL: nothing is recorded */
    struct ledger *read_ledger;         /* for sup_ledger() */
    enum recorder_state state_reported; /* that the ledger cannot be written */
    bool note_reported, stop_reported;  /* of a server that receives the run */
    bool moved_reported;                /* that the ledger is another one */
    int64_t calendar_offset; /* of the calendar against clock_paid(): jumps are noticed */
};

/* What the log has already (STINT_LOG=debug). */
struct sup_logged {
    instant limit;
    enum stop_reason limit_reason;
    struct reserve reserve;
    struct guard_program program;
    enum run_phase phase;
    usd_per_hour rate;
    bool idle, no_energy, no_memory;
    size_t gpus;
    int lines;
};

struct supervisor {
    const struct supervise_options *options;
    const struct supervised *what;
    struct supervise_result *result;
    struct arena arena;
    instant began;
    struct sup_processes proc;
    struct sup_seen seen;
    struct sup_told told;
    struct sup_money money;
    struct sup_month month;
    struct sup_saves save;
    struct sup_guards guard;
    struct sup_ending end;
    struct sup_record record;
    struct sup_logged logged;
};

/* ---- supervise.c: the loop ---- */

bool sup_watch_fd(const struct sup_processes *proc, int fd, uint32_t events);
void sup_stop_with(struct sup_told *told, int number); /* suspended, as by Ctrl-Z */
/* The command or the process has ended: how, as waitpid() has it. */
void sup_ended(struct supervisor *s, int how);
void sup_check_leftovers(struct supervisor *s); /* are processes left that it started? */

/* ---- supervise_attach.c: a process that runs already ---- */

void sup_target_ended(struct supervisor *s); /* its handle is readable */
/* A request at the socket: {"stint": "status"} or {"stint": "end"}. False when it is none. */
bool sup_answer(void *supervisor, struct str line, struct buf *answer);

/* ---- supervise_report.c: messages, hooks and the ledger ---- */

/* A line on standard error that starts with "stint: ". */
void sup_print(struct supervisor *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Something happened: in the ledger, to the hook, and (unless quiet) as a line. */
void sup_event(struct supervisor *s, const char *kind, bool quiet, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* Ask clients that listen to save, and to end if the run is being ended. */
void sup_tell_save(struct supervisor *s, instant now);
void sup_send_alert(struct supervisor *s, const char *event, const char *text);
/* Run a command beside the job. */
void sup_run_hook(struct supervisor *s, const char *command, const char *event,
                  const char *text);
void sup_facts(const struct supervisor *s, struct run_facts *out);
void sup_record_start(struct supervisor *s);
void sup_record_first(struct supervisor *s); /* before the command is started */
void sup_record_tick(struct supervisor *s);
void sup_record_end(struct supervisor *s, enum ledger_state state);
void sup_record_news(struct supervisor *s);      /* can the ledger be written? */
void sup_record_finish(struct supervisor *s);    /* nothing is reported after it */
struct ledger *sup_ledger(struct supervisor *s); /* for reading; NULL: not possible */

/* ---- supervise_observe.c: each second, and whenever the program reports something ---- */

/* What the program prints and reports: metrics, its socket, its output, its checkpoints. */
bool sup_open_readers(struct supervisor *s, struct error *err) MUST_USE;
void sup_observe(struct supervisor *s, instant now);     /* measure, record, show, guard */
void sup_observe_end(struct supervisor *s, instant now); /* when all is over */
void sup_report_missing(struct supervisor *s);           /* metrics that never came */
void sup_record_metrics(const struct sup_record *record, struct sup_told *told,
                        bool last); /* now and then, and at the end */
/* The processes, for signals: opened at its first use; NULL when it cannot be. */
struct tree *sup_tree(struct supervisor *s);
void sup_log(struct supervisor *s, const char *fmt, ...) PRINTF_LIKE(2, 3); /* bounded */

/* ---- supervise_estimate.c: what the run is expected to take, by its job ---- */

void sup_estimate_given(struct supervisor *s); /* of the options; once, at the first look */
/* The line {"stint": "job", ...} of the program; false: it says of no job. */
bool sup_estimate_reported(struct supervisor *s, const struct node *line, struct str text);

/* ---- supervise_checkpoints.c: the folder of checkpoints, and the last save ---- */

bool sup_open_checkpoints(struct supervisor *s, struct error *err) MUST_USE;
void sup_scan_checkpoints(struct supervisor *s);
void sup_report_unwritten(struct supervisor *s);        /* output that could not be passed on */
void sup_count_sync(struct supervisor *s, instant now); /* before the time is booked */
void sup_mark_cost(struct sup_saves *save,
                   const struct sup_money *money);          /* after each measurement */
void sup_update_reserve(struct supervisor *s, instant now); /* each look */
void sup_scan_saves(struct supervisor *s, instant now);     /* open files, when it is time */
/* The program says that it has saved there. */
void sup_count_reported_save(struct supervisor *s, struct str path);
span sup_reserve(struct supervisor *s);                       /* before s->limit */
void sup_announce_reserve(struct supervisor *s, instant now); /* when it is new or changed */
void sup_write_reserve(const struct supervisor *s, struct buf *out); /* "18 s ($0.0124)" */

/* ---- machine_share.c: what it pays of its machine, beside the other runs on it ---- */

void sup_share_begin(struct supervisor *s); /* sets `began` */
void sup_share_update(struct supervisor *s, instant now);
instant sup_share_end(struct supervisor *s);            /* the moment at which it ended */
const char *sup_share_pays(const struct supervisor *s); /* as the ledger has it */

/* ---- supervise_month.c: a budget that is shared with other runs ---- */

bool sup_has_month(const struct supervisor *s); /* or there may be one */
const char *sup_month_name(const struct supervisor *s);
/* Ask the ledger what is left of it, or whether there is one now, when it is time to. */
void sup_ask_month(struct supervisor *s, instant now);
bool sup_month_answered(struct supervisor *s); /* an answer came, and was read */
/* Of it at that moment, the cost of this attempt not taken off; unknown: it was never asked. */
usd sup_month_left(const struct sup_month *month, instant at);

/* ---- supervise_guard.c: limits, and the steps before a limit ---- */

void sup_write_money(usd amount, char *to, size_t room);
/* When nothing presses: what --grace says, or plenty, and more for a save that takes longer. */
span sup_grace_at_once(const struct supervisor *s);

void sup_init_guards(struct supervisor *s); /* clocks and limits as they are at first */
void sup_reset_clock(struct supervisor *s); /* nothing was paid so far */
/* False when the limit is too near: the event and the reason are reported. */
bool sup_may_start(struct supervisor *s);
void sup_start_clock(struct supervisor *s); /* the command starts: so does its cost */
void sup_check_guards(struct supervisor *s, instant now); /* after each look */
/* Between looks: has another run started or ended, and what is left of a shared budget? */
void sup_check_month(struct supervisor *s, instant now);
void sup_read_month(struct supervisor *s); /* an answer of the ledger, if any */
void sup_inspect_program(struct supervisor *s, instant now); /* which signals it catches */
void sup_read_notice(struct supervisor *s);                  /* of the cloud */
void sup_stop_run(struct supervisor *s, enum stop_reason reason, const char *why);
/* SIGTERM was sent to us and passed on: what still lives after the grace is ended. */
void sup_stop_after_term(struct supervisor *s);
void sup_stop_leftovers(
    struct supervisor *s); /* then: the command has ended, others have not */
void sup_take_steps(struct supervisor *s, instant now); /* do what is due */
instant sup_next_step(const struct supervisor *s);

#endif
