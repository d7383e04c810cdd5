/* internal.h - what the files of the ledger share, whichever engine keeps it. */
#ifndef LEDGER_INTERNAL_H
#define LEDGER_INTERNAL_H

#include "ledger/engine/db.h"
#include "ledger/engine/engine.h"
#include "ledger/ledger.h"

/* The attempt that was last written to, so that a tick need not look it up. */
struct ledger_open_attempt {
    char id[LEDGER_ID];         /* of its run */
    char attempt_id[LEDGER_ID]; /* its own; empty: not known */
    int number;                 /* 0: none is known */
    int64_t key;
    uint64_t applied; /* the number of its last record (run_journal.h) */
    /* Its samples: how many there are, how far apart they are kept, the last and when the one
     * before it was (before the first: 0). */
    int64_t count; /* -1: not looked up yet */
    double every, before;
    struct ledger_sample last; /* without the use of each device */
    bool devices;              /* of which samples have the use */
};

/* A statement of ledger_query(), by its text's place. */
struct ledger_asked {
    const char *sql;
    struct query *query;
    struct ledger_asked *next;
};

struct ledger {
    struct database *db;
    const struct ledger_schema *schema;
    const struct alloc *alloc;
    const struct clock *clock;
    const char *name;        /* as it is shown */
    const char *path;        /* as it was opened: a password may be in it */
    const char *own_journal; /* of this process, which knows what is in it; NULL: none */
    bool fresh;      /* no tables yet: the first write makes them, in its own transaction */
    int found;       /* the version that it had when it was opened */
    int holds;       /* of one moment that is read */
    bool held_empty; /* when there were no tables */
    struct ledger_open_attempt open;
    struct ledger_open_attempt *seen; /* of many that are written in turn, in `kept`; or NULL */
    struct ledger_asked *asked;       /* statements, the newest first, in `kept` */
    struct arena kept;
};

/* ---- engine/statement.c ---- */

/* Is there anything to read? Only a ledger without tables has nothing. */
bool ledger_has_tables(struct ledger *l, bool *out, struct error *err) MUST_USE;

/* ---- engine/schema.c ---- */

struct ledger_step {
    int version;                                          /* that it leads to */
    const char *sql;                                      /* from the one before */
    bool (*convert)(struct ledger *l, struct error *err); /* then, what SQL cannot; or NULL */
};

/* Steps in the order of their versions; one version may take several. */
struct ledger_schema {
    const struct ledger_step *steps;
    size_t count;
};

extern const struct ledger_schema ledger_schema; /* of every ledger, but for those of tests */

int ledger_newest(const struct ledger_schema *schema);

bool ledger_version(struct ledger *l, int *version, struct error *err) MUST_USE;

/* Take the steps that are missing, in the transaction that is open. */
bool ledger_step_up(struct ledger *l, struct error *err) MUST_USE;

/* Copy the ledger where the engine does so ("PATH.vN.bak", N its version), then take the steps
 * that are missing. */
bool ledger_migrate(struct ledger *l, struct error *err) MUST_USE;

/* ---- open.c ---- */

/* As ledger_open(), with other steps: so tests have a ledger of the version before theirs. */
struct ledger *ledger_open_as(const struct ledger_schema *schema, const char *path,
                              enum ledger_mode mode, span patience, const struct clock *clock,
                              const struct alloc *alloc, struct error *err) MUST_USE;

/* ---- runs/record.c, runs/runs.c ---- */

/* The columns of struct ledger_totals in their order, but for `lost_s` at the end: the column,
 * what kind it is, the member. */
#define LEDGER_TOTALS(X) \
    X(at, COUNT, at) \
    X(elapsed_ns, COUNT, elapsed) \
    X(cost_nano, USD, cost) \
    X(compute_nano, USD, compute) \
    X(setup_nano, USD, setup) \
    X(storage_nano, USD, storage) \
    X(transfer_nano, USD, transfer) \
    X(extra_nano, USD, extra) \
    X(phase_setup_nano, USD, phase[0]) \
    X(phase_data_nano, USD, phase[1]) \
    X(phase_train_nano, USD, phase[2]) \
    X(phase_evaluate_nano, USD, phase[3]) \
    X(phase_checkpoint_nano, USD, phase[4]) \
    X(phase_idle_nano, USD, phase[5]) \
    X(joules, NUMBER, joules) \
    X(gpu_joules, NUMBER, gpu_joules) \
    X(cpu_joules, NUMBER, cpu_joules) \
    X(energy_method, TEXT, energy_method) \
    X(energy_error, NUMBER, energy_error) \
    X(grams, NUMBER, grams) \
    X(cpu_s, NUMBER, cpu_s) \
    X(memory_peak, NUMBER, memory_peak) \
    X(bytes_read, NUMBER, read) \
    X(bytes_written, NUMBER, written) \
    X(bytes_received, NUMBER, received) \
    X(bytes_sent, NUMBER, sent) \
    X(gpu_busy, NUMBER, gpu_busy) \
    X(gpu_memory_peak, NUMBER, gpu_memory_peak) \
    X(gpu_memory_total, NUMBER, gpu_memory_total) \
    X(gpus, COUNT, gpus) \
    X(gpu, TEXT, gpu) \
    X(score, NUMBER, score) \
    X(seed_score, NUMBER, seed_score) \
    X(step, NUMBER, step) \
    X(steps, NUMBER, steps) \
    X(loss, NUMBER, loss) \
    X(best, NUMBER, best) \
    X(checkpoint_bytes, NUMBER, checkpoint_bytes) \
    X(save_s, NUMBER, save_s) \
    X(save_memory, NUMBER, save_memory) \
    X(reserve_s, NUMBER, reserve_s) \
    X(reserve_why, TEXT, reserve_why) \
    X(pays, TEXT, pays) \
    X(paid_ns, COUNT, paid) \
    X(share, NUMBER, share) \
    X(sharers, COUNT, sharers) \
    X(sharers_most, COUNT, sharers_most) \
    X(gpu_memory_run, NUMBER, gpu_memory_run) \
    X(step_s, NUMBER, step_s) \
    X(startup_s, NUMBER, startup_s) \
    X(gpu_watts, NUMBER, gpu_watts)

/* What ledger_begin() found out of lost work stays when the writer does not know better. */
#define LEDGER_TOTALS_VALUE(name, kind, member) #name "=?,"
#define LEDGER_TOTALS_SET LEDGER_TOTALS(LEDGER_TOTALS_VALUE) "lost_s=coalesce(?,lost_s)"
#define LEDGER_TOTALS_COLUMN(name, kind, member) #name ","
#define LEDGER_TOTALS_COLUMNS LEDGER_TOTALS(LEDGER_TOTALS_COLUMN) "lost_s"

/* What attempts come to together. */
void ledger_sum(const struct ledger_attempt *attempts, int count, struct ledger_totals *out);

/* ---- runs/alive.c ---- */

/* Where a supervisor was, and the last word of it. */
struct ledger_supervisor {
    int64_t pid, pid_started, namespace;
    struct str boot, host;
    stamp heard;
};

/* Of this process: an inode of /proc, or -1. */
int64_t ledger_namespace(void);

/* From columns `at` on: when it was heard, host, boot, pid, its start, its namespace. */
struct ledger_supervisor column_supervisor(struct query *q, int at);

bool ledger_alive(const struct ledger_supervisor *who, stamp now);

/* ---- runs/write.c, runs/samples.c ---- */

/* Did the attempt get a notice that its machine would be taken away? */
bool ledger_noticed(struct ledger *l, int64_t attempt, bool *out, struct error *err) MUST_USE;

/* Begin the next attempt at the run of `start->id`, or a new run of that id: within a
 * transaction, for an attempt that began when the ledger could not be written. */
bool ledger_begin_known(struct ledger *l, struct ledger_start *start,
                        struct error *err) MUST_USE;

/* The run that `start` asks to go on with: its id becomes `start->id`. 1, 0 when there is none,
 * or -1. Within a transaction. */
int ledger_find_resumable(struct ledger *l, struct ledger_start *start,
                          struct error *err) MUST_USE;

/* Of an attempt, by its key. */
bool ledger_put_totals(struct ledger *l, int64_t attempt, const struct ledger_totals *totals,
                       struct error *err) MUST_USE;
bool ledger_put_event(struct ledger *l, int64_t attempt, const struct ledger_happening *event,
                      struct error *err) MUST_USE;

/* Of the attempt that is open, within a transaction. */
bool ledger_put_checkpoint(struct ledger *l, const struct ledger_checkpoint *checkpoint,
                           struct error *err) MUST_USE;
struct ledger_metric;
bool ledger_put_metric(struct ledger *l, const struct ledger_metric *metric,
                       struct error *err) MUST_USE; /* metrics.c */
struct ledger_device;
bool ledger_put_device(struct ledger *l, const struct ledger_device *device,
                       struct error *err) MUST_USE; /* devices.c */
bool ledger_put_gone(struct ledger *l, const char *id, struct str path, stamp when,
                     struct error *err) MUST_USE;
bool ledger_put_end(struct ledger *l, const struct ledger_ending *ending,
                    const struct ledger_totals *totals, struct error *err) MUST_USE;

/* Its supervisor is known to be gone: it is lost, unless its end is on record. */
bool ledger_close_open(struct ledger *l, struct error *err) MUST_USE;

/* Make `l->open` this attempt. ERROR_ABSENT when there is none. */
bool ledger_open_attempt(struct ledger *l, const char *id, int attempt,
                         struct error *err) MUST_USE;

/* Within a transaction: the next sample of the attempt that is open. */
bool ledger_add_sample(struct ledger *l, const struct ledger_sample *sample,
                       struct error *err) MUST_USE;

/* ---- runs/runs.c ---- */

/* The run of this key, with all its attempts. */
bool ledger_read_run(struct ledger *l, int64_t key, struct arena *arena, struct ledger_run *out,
                     struct error *err) MUST_USE;

#endif
