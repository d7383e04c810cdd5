/* ledger.h - what was run and what it cost, kept permanently.
 *
 * One interface; SQLite or PostgreSQL behind it. Runs are recorded through journals
 * (runs/run_journal.h); every call of a writer is one transaction that is on the disk when it
 * returns, so that a power cut loses at most what was not written yet. Readers see complete
 * runs at any moment.
 *
 * Money of runs is nano-dollars, as prices are. Amounts that are not known are unknown.
 */
#ifndef LEDGER_LEDGER_H
#define LEDGER_LEDGER_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "doc/field.h"
#include "unit/energy.h"
#include "unit/money.h"

#define LEDGER_ID 37        /* a UUIDv7 as text, with the 0 */
#define LEDGER_SAMPLES 1024 /* of an attempt: two become one when there are more */
#define LEDGER_DEVICES 64   /* of an attempt whose use is kept by device */

struct ledger;

enum ledger_mode {
    LEDGER_READ,   /* must be there: ERROR_ABSENT otherwise */
    LEDGER_CHANGE, /* likewise; what is in it can be changed or removed */
    LEDGER_WRITE,  /* made when it is not there (0600); gone again if nothing was written */
    LEDGER_ADMIN,  /* and a server's tables may be of an older version: ledger_init() upgrades
                     them, as opening a file always does */
};

/* Is it the address of a server ("postgres://..."), not a file? */
bool ledger_is_server(const char *path);

/* Refuses what is meant to be a server but is not written as one, which would make a file of
 * that name: "postgres:HOST", "host=db dbname=costs"; and names that begin with a blank.
 * Nothing of it is repeated, since a password may be in it. */
bool ledger_address_check(struct str path, struct error *err) MUST_USE;

/* The path or address as it may be shown: a password in it becomes "***". NULL with the error
 * set. */
char *ledger_shown(struct str path, struct arena *arena, struct error *err) MUST_USE;

/* The same address without a password: for others, who bring their own. */
char *ledger_public(struct str path, struct arena *arena, struct error *err) MUST_USE;

/* For our own program, before its first ledger and its second thread: SQLite need not count its
 * memory, which takes a lock for each piece of it. */
void ledger_own_process(void);

/* `patience`: how long to wait for another writer before giving up with ERROR_FAILED. `clock`
 * is for how long a run has been silent; it and `alloc` outlive the ledger. For one thread. */
struct ledger *ledger_open(const char *path, enum ledger_mode mode, span patience,
                           const struct clock *clock, const struct alloc *alloc,
                           struct error *err) MUST_USE;
void ledger_close(struct ledger *ledger); /* NULL is fine */

/* Many rows are coming, in many transactions: more memory, and those that end before it is
 * switched off again may be lost by a power cut, but only together with what comes after
 * them. */
void ledger_bulk_mode(struct ledger *ledger, bool on);

/* Make the tables, which a first write would do too, and upgrade them: of a ledger that
 * was opened with LEDGER_ADMIN. `before` and `now` are versions; 0: there were none. When
 * `roles->asked` (of a server only), make the groups of users as well. */
struct ledger_roles {
    bool asked;
    int made;   /* of the three, those that were not there */
    bool owner; /* the administrators' group owns the tables now */
};
bool ledger_init(struct ledger *ledger, struct ledger_roles *roles, int *before, int *now,
                 struct error *err) MUST_USE;

/* All that is read from here to ledger_release() is of one moment, whatever others write
 * meanwhile: for answers that are made of several readings, which would count twice or not at
 * all what comes between them. Nothing can be written until then. Calls may be nested; each
 * hold that succeeds has its release, or ledger_close() ends it. NULL is fine. */
bool ledger_hold(struct ledger *ledger, struct error *err) MUST_USE;
void ledger_release(struct ledger *ledger);

/* A number that is another one after others have written to the ledger: what was read before
 * may no longer be true. */
bool ledger_mark(struct ledger *ledger, uint64_t *out, struct error *err) MUST_USE;

/* Wait so long for other writers from now on. */
void ledger_patience(struct ledger *ledger, span patience);

/* A new id: a UUIDv7, sortable by its second, and in one process by the order of the calls. */
void ledger_new_id(stamp now, char out[static LEDGER_ID]);

#define LEDGER_SHORT 8 /* the end of an id, by which people name a run: its start is the time */
struct str ledger_short(const char *id);

struct ledger_run;
/* The value of the fact NAME=VALUE of its last attempt; empty, and NaN: it has none. */
struct str ledger_fact(const struct ledger_run *run, const char *name);
double ledger_fact_number(const struct ledger_run *run, const char *name);

/* The state of a run. */
enum ledger_state {
    RUN_RUNNING,
    RUN_DONE,      /* ended by itself with status 0 */
    RUN_FAILED,    /* ended by itself otherwise */
    RUN_STOPPED,   /* by a guard, or by the user */
    RUN_PREEMPTED, /* the machine was taken away */
    RUN_LOST,      /* its supervisor ended without recording it: found out when read */
};
#define LEDGER_STATES 6
extern const char *const ledger_state_names[LEDGER_STATES];
const char *ledger_state_name(enum ledger_state state);

/* The state as a person reads it. A process that metering let go of was not stopped:
 * "detached"; one whose exit status the system did not report has "ended". Else the name. */
const char *ledger_state_word(enum ledger_state state, struct str reason);
#define LEDGER_DETACHED "detached" /* the reasons of these two */
#define LEDGER_EXIT_UNKNOWN "exit-unknown"
#define LEDGER_PASSED "-passed" /* "budget-passed": not stopped there (attach --no-kill) */

/* False when it is none of them. */
bool ledger_state_parse(struct str name, enum ledger_state *out) MUST_USE;

#define LEDGER_JOB_MAX ((size_t)64 << 10) /* bytes; a longer one is not kept */

/* What is known of a run before it begins. Texts are free of secrets already. */
struct ledger_start {
    char id[LEDGER_ID];
    char attempt_id[LEDGER_ID]; /* of this attempt; empty: it has none (run_journal.h) */
    struct str name;            /* the user's, or the command's last word of its path */
    struct str folder, command, user, host, commit; /* commit: "" when there is none */
    struct str digest; /* of its configuration: what is the same has the same; "": none */
    struct strs tags;  /* "team=nlp" */
    struct strs facts; /* of the environment: "gpu=NVIDIA H200 x1", "python=3.11.2" */
    struct str offer, market, price_source; /* where the price comes from, in words, dated */
    usd_per_hour rate;                      /* unknown when electricity is what is paid */
    usd_per_kwh electricity;
    usd budget;               /* unknown: none */
    usd_per_gb storage_month; /* of the object store that goes with it; unknown */
    usd estimated_cost;       /* unknown when nothing was predicted */
    span estimated_time;
    struct str features, constants; /* what it was predicted with: JSON; which constants */
    struct str job; /* as it was given: JSON, up to LEDGER_JOB_MAX; empty: not known. Only
                     * written: ledger_job() reads it */
    stamp started;
    int64_t pid, pid_started; /* of the supervisor: its start in clock ticks since the boot */
    int64_t pid_namespace;    /* that `pid` is of; 0: this process's. Only written */
    struct str boot;          /* of the machine: /proc/sys/kernel/random/boot_id */
    struct str origin; /* "run", "added" by hand, "mlflow", "wandb" (where it was recorded),
                        * LEDGER_TRANSFER: only read, but for ledger_run_add() and
                        * ledger_run_record() */
    bool resume; /* go on with the newest run of this name and folder, if it did not end well */
    char resume_id[LEDGER_ID]; /* or with this one, whatever it is called; empty: by its name */
};

#define LEDGER_TRANSFER "sync" /* the origin of data that was moved (stint data sync) */

/* Is what is known of it given, by hand or by another program's records? Else it was
 * metered. */
bool ledger_origin_given(struct str origin);

/* What a run was doing, as far as it could be seen from outside (run/supervise/phase.h). */
enum run_phase {
    PHASE_SETUP, /* until the first sign of training */
    PHASE_DATA,  /* devices wait while the processor or the disk is busy */
    PHASE_TRAIN,
    PHASE_EVALUATE,
    PHASE_CHECKPOINT,
    PHASE_IDLE, /* nothing is busy */
    PHASE_COUNT,
};
#define LEDGER_PHASES PHASE_COUNT

const char *phase_name(enum run_phase phase); /* "set-up", "data wait", "train", ... */

/* Totals of an attempt so far: each call replaces those of the one before. What is not known is
 * unknown, NaN or empty (`gpus`: -1); ledger_totals_unknown() makes them so. */
struct ledger_totals {
    stamp at;
    span elapsed;
    usd cost;                                     /* of this attempt, extras included */
    usd compute, setup, storage, transfer, extra; /* what it is made of; unknown: not known */
    usd phase[LEDGER_PHASES];                     /* the compute part of `cost`, by phase */
    double joules, gpu_joules, cpu_joules;
    struct str energy_method; /* "counter", "97 % counter, 3 % modeled", "unknown" */
    double energy_error;
    double grams; /* of CO2e */
    double cpu_s, memory_peak, read, written, received, sent;
    double gpu_busy; /* mean of the devices in use, over time: 0 to 1 */
    double gpu_memory_peak, gpu_memory_total; /* bytes, of the fullest device */
    int gpus;                                 /* devices that the tree used */
    struct str gpu;                           /* "NVIDIA H200" */
    double score, seed_score;                 /* 0 to 100 */
    double step, steps;                       /* reached, and in all */
    double step_s;     /* seconds of a step once the program is warm, without pauses */
    double startup_s;  /* from the start of the command until its first step */
    double gpu_watts;  /* mean of one board while steps are made; NaN where others use it too */
    double loss, best; /* the watched metric: last, best */
    double checkpoint_bytes;    /* of those that are kept in the watched folder */
    double save_s, save_memory; /* the longest save seen, and bytes of memory in use then */
    double reserve_s;           /* kept before the limit for the last save */
    struct str reserve_why;     /* in a sentence; empty: nothing was kept */
    double gpu_memory_run;      /* the most of one device in the run's own processes */
    struct str pays;            /* "machine", "fixed", "inside" another run; empty: not known */
    span paid;                  /* the time of the machine that it pays for; SPAN_UNKNOWN */
    double share;               /* the part of the machine's price that it pays now: 0 to 1 */
    int sharers;                /* runs that divide the price now; -1 unknown */
    int sharers_most;           /* at any moment */
    double lost_s; /* seconds of work that the attempt before had not saved; NaN when written
                      leaves what ledger_begin() found out */
};

void ledger_totals_unknown(struct ledger_totals *out);

/* The columns of a sample, each described once: how two neighbors become one (the LAST that is
 * known, or the MEAN over time), the member, its field in results. A new one is a row here and
 * a column of the table (engine/schema.c): the struct, the statements, journals and JSON
 * follow. */
#define LEDGER_SAMPLE(X) \
    X(LAST, at_s, NUMBER, "at_s", "seconds since the attempt began") \
    X(LAST, cost, NUMBER, "cost_usd", "cost of the attempt so far") \
    X(MEAN, watts, NUMBER, "watts", "metered power, W") \
    X(MEAN, gpu_busy, SHARE, "gpu_busy", "GPU utilization, 0 to 1") \
    X(MEAN, gpu_memory, NUMBER, "gpu_memory_bytes", "GPU memory in use") \
    X(MEAN, cpu_cores, NUMBER, "cpu_cores", "CPU cores in use") \
    X(MEAN, memory, NUMBER, "memory_bytes", "memory in use") \
    X(LAST, step, NUMBER, "step", "step reached") \
    X(MEAN, loss, NUMBER, "loss", "value of the watched metric") \
    X(MEAN, rate, NUMBER, "steps_per_s", "speed") \
    X(MEAN, gpu_memory_run, NUMBER, "gpu_memory_run_bytes", "GPU memory used by the run itself")
/* Lists of each device by its number (runs/devices.h), with NaN where it was not known or
 * others used it; empty: none was recorded. What two have in common is rounded to so many parts
 * of a unit, as no meter has more. */
#define LEDGER_SAMPLE_DEVICES(X) \
    X(1e4, device_busy, "device_busy", \
      "utilization of each GPU, 0 to 1, in the order of `devices`") \
    X(1, device_memory, "device_memory_bytes", "memory in use on each GPU") \
    X(10, device_watts, "device_watts", "power of each GPU, W")

/* One moment, for pictures. */
struct ledger_sample {
#define LEDGER_SAMPLE_NUMBER(joined, member, type, label, text) double member;
#define LEDGER_SAMPLE_LIST(parts, member, label, text) struct numbers member;
    LEDGER_SAMPLE(LEDGER_SAMPLE_NUMBER)
    LEDGER_SAMPLE_DEVICES(LEDGER_SAMPLE_LIST)
};

/* Begin: a new run, or the next attempt at one when `resume` says so and there is one; then
 * `start->id` becomes that run's. `attempt` counts from 1. A run whose supervisor lives is
 * never gone on with; one that was lost is closed as lost, or as preempted when an event
 * "notice" was recorded. */
bool ledger_begin(struct ledger *ledger, struct ledger_start *start, int *attempt,
                  struct error *err) MUST_USE;

/* Which run would it go on with? `start->id` and `attempt` are set as ledger_begin() does, but
 * nothing is written. */
bool ledger_resumable(struct ledger *ledger, struct ledger_start *start, int *attempt,
                      struct error *err) MUST_USE;

/* A price that was paid, and from when to when; `until` is -1 while it holds. */
struct ledger_price {
    int attempt;
    stamp from, until;
    usd_per_hour rate;
    struct str offer, source;
};

struct ledger_checkpoint {
    struct str path;
    stamp at;
    double bytes, step, metric, took_s;
    struct str metric_name; /* which metric; empty: not known */
    usd cost;               /* of the run when it was written */
    stamp gone;             /* when it was removed; -1: it is kept. Only read */
    bool kept;              /* it was not removed. Only read */
    bool best;              /* of those that are kept: one at most */
};

/* It was removed: what is known of it stays. One that the run does not know is no error. */
bool ledger_checkpoint_gone(struct ledger *ledger, const char *id, struct str path, stamp when,
                            struct error *err) MUST_USE;

/* How an attempt ended. `status` as a shell has it (128 and the signal), -1: not known;
 * `reason`: "", "budget", "deadline", "idle", "early-stop", "divergence", "notice", "user",
 * LEDGER_DETACHED (the process goes on, unmetered), LEDGER_EXIT_UNKNOWN. */
struct ledger_ending {
    enum ledger_state state;
    int status;
    const char *reason;
};

/* ---- reading ---- */

struct ledger_attempt {
    int number;
    stamp started, ended; /* ended: -1 while it runs */
    enum ledger_state state;
    int status;
    struct str reason, host, offer, price_source;
    usd_per_hour rate;
    struct ledger_totals totals;
};

/* A run: the totals are those of all its attempts together. This is the record that every
 * operation returns, with what it adds beside it. */
struct ledger_run {
    struct ledger_start start; /* of its first attempt */
    stamp ended, heard;        /* `heard`: the last update */
    enum ledger_state state;   /* RUN_LOST when its supervisor is gone */
    int status, interruptions;
    struct str reason;
    struct ledger_totals totals;
    double budget_share; /* cost over budget; NaN without a budget */
    const struct ledger_attempt *attempts;
    int attempt_count;
};

/* What a list of runs begins with. Unknown is last. */
enum ledger_order {
    LEDGER_NEWEST,
    LEDGER_COST,   /* the most expensive, over all attempts */
    LEDGER_TIME,   /* the longest */
    LEDGER_ENERGY, /* that which used most */
    LEDGER_ORDERS,
};

struct ledger_query {
    struct str name;  /* a pattern: "bert*"; empty: any */
    struct strs tags; /* patterns, all of which must match one: "team=nlp", "project=*" */
    /* As it is named, or read by a person (ledger_state_word); empty: any. "running" costs by
     * what runs. */
    struct str state;
    bool unfinished;    /* only those whose end is not on record: running, or lost. As quick */
    struct str digest;  /* of its configuration; empty: any. Costs by what has it */
    stamp since, until; /* by its start; -1: any */
    struct str before;  /* the id of a run: only those that come after it in the list. Costs by
                         * what is read, however old they are */
    int64_t limit;      /* the first so many; 0: all */
    /* Costs by all runs of that time, unless it is LEDGER_NEWEST: some 0.2 s for 100,000. Not
     * with `before` or `digest`. */
    enum ledger_order order;
    bool reverse; /* the least first */
};

/* Into the arena, the newest first unless another order is asked for. Whether a supervisor
 * still lives is looked up in /proc. */
bool ledger_runs(struct ledger *ledger, const struct ledger_query *query, struct arena *arena,
                 const struct ledger_run **out, size_t *count, struct error *err) MUST_USE;

/* The run whose id starts or ends so (4 characters or more), or the newest of that name; "last"
 * is the newest of all. ERROR_ABSENT with a suggestion; ERROR_INPUT when several ids do. */
bool ledger_find(struct ledger *ledger, struct str what, struct arena *arena,
                 struct ledger_run *out, struct error *err) MUST_USE;

/* Likewise among the runs with the tag team=TEAM, in any case; an empty team: all runs. */
bool ledger_find_of_team(struct ledger *ledger, struct str what, struct str team,
                         struct arena *arena, struct ledger_run *out,
                         struct error *err) MUST_USE;

struct ledger_happening {
    stamp at;
    int attempt;
    struct str kind, text;
    int64_t left_out; /* the last of its kind: so many before it were left out; -1: any other */
};

bool ledger_events(struct ledger *ledger, const char *id, struct arena *arena,
                   const struct ledger_happening **out, size_t *count,
                   struct error *err) MUST_USE;
bool ledger_samples(struct ledger *ledger, const char *id, int attempt, struct arena *arena,
                    const struct ledger_sample **out, size_t *count,
                    struct error *err) MUST_USE;
/* Those of the last `seconds` of the run's last attempt, and the one before them: what goes on
 * now; without the use of each device. Quick, however long the attempt has run. At most
 * LEDGER_RECENT. */
#define LEDGER_RECENT 128
bool ledger_samples_recent(struct ledger *ledger, const struct ledger_run *run, double seconds,
                           struct arena *arena, const struct ledger_sample **out, size_t *count,
                           struct error *err) MUST_USE;
bool ledger_checkpoints(struct ledger *ledger, const char *id, struct arena *arena,
                        const struct ledger_checkpoint **out, size_t *count,
                        struct error *err) MUST_USE;

bool ledger_prices(struct ledger *ledger, const char *id, struct arena *arena,
                   const struct ledger_price **out, size_t *count, struct error *err) MUST_USE;

/* What runs cost from `since` on, by when it was spent: a run that began before counts with
 * what it spent since (its samples say when). For the budget of a month. `unknown`: attempts
 * whose cost is not known, and so is not in it. */
bool ledger_spent(struct ledger *ledger, stamp since, usd *out, int64_t *unknown,
                  struct error *err) MUST_USE;

/* The records above as JSON, tables and CSV have them. */
extern const struct field_set ledger_run_fields, ledger_attempt_fields, ledger_price_fields,
    ledger_event_fields, ledger_checkpoint_fields;

#endif
