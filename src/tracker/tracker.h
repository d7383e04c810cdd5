/* tracker.h - runs as experiment trackers record them: MLflow and Weights & Biases.
 *
 * A reader turns an export, or the answers of a server, into records of one kind, one run after
 * the other, and hands each to a sink: memory does not grow with the input. Metric values go to
 * the sink as they are read, however many there are.
 *
 * What a tracker does not say is unknown. Texts are UTF-8 on one line, cut at TRACKER_TEXT
 * bytes; names of people, machines and runs are whatever someone typed.
 */
#ifndef TRACKER_TRACKER_H
#define TRACKER_TRACKER_H

#include "base/arena.h"
#include "base/source.h"
#include "base/watch.h"
#include "doc/field.h"

#define TRACKER_TEXT 250   /* bytes of a name or a value */
#define TRACKER_PARAMS 64  /* parameters of a run that are kept */
#define TRACKER_TAGS 32    /* tags likewise */
#define TRACKER_METRICS 64 /* metrics likewise, by their last value */

enum tracker_state {
    TRACKER_RUNNING,
    TRACKER_FINISHED,
    TRACKER_FAILED,
    TRACKER_STOPPED, /* by a person, or by a scheduler */
    TRACKER_UNKNOWN, /* the export does not say */
};

/* The last value of a metric. */
struct tracker_metric {
    struct str name;
    double value, step; /* NaN: not a number, not known */
    int64_t at_ms;      /* since 1970; -1: not known */
};

struct tracker_run {
    struct str id;     /* that the tracker gave it */
    struct str parent; /* id of the run that it is nested in; empty: none */
    struct str name, user, host, command, commit, project;
    struct str experiment; /* MLflow: its id */
    struct str stint_run;  /* id of the run in a ledger that metered it; empty */
    enum tracker_state state;
    bool deleted;                      /* in the tracker */
    int64_t started_ms, ended_ms;      /* since 1970; -1: not known */
    int64_t runtime_ms;                /* that it was active, as reported; -1: not known */
    int64_t heard_ms;                  /* the last sign of it: a metric, a heartbeat; -1 */
    struct str gpu;                    /* empty: not known */
    int64_t gpus;                      /* -1: not known */
    struct str params[TRACKER_PARAMS]; /* "lr=0.0003" */
    struct str tags[TRACKER_TAGS];     /* "team=nlp"; "debug=yes" of a label without a value */
    struct tracker_metric metrics[TRACKER_METRICS];
    size_t param_count, tag_count, metric_count;
    int64_t left_out; /* parameters, tags and metrics for which there was no room */
};

/* Who gets what is read. */
struct tracker_sink {
    /* A run, complete; its texts are valid during the call. */
    bool (*run)(void *ctx, const struct tracker_run *run, struct error *err);
    /* A value of the run that is being read, before run() of it; NULL: not wanted. */
    void (*point)(void *ctx, const struct tracker_metric *point);
    /* A run whose files cannot be read, and why: the others are read all the same. NULL: that
     * is an error. */
    bool (*damaged)(void *ctx, struct str where, const struct error *why, struct error *err);
    void *ctx;
};

/* Reading the run in `where` failed with `err`: go on without it, if the sink agrees. Memory
 * that runs out, and being stopped, end the reading. */
bool tracker_go_on(const struct tracker_sink *sink, const char *where,
                   struct error *err) MUST_USE;

void tracker_run_clear(struct tracker_run *run);

/* A text as it is kept: one line, UTF-8, not too long. */
bool tracker_text(struct str raw, struct arena *arena, struct str *out,
                  struct error *err) MUST_USE;

/* What a parameter, a tag or a metric says: also which GPUs, where its name says that
 * ("gpu_name", "num_gpus", "system/gpu_1_power_usage_watts"). */
bool tracker_add_param(struct tracker_run *run, struct str key, struct str value,
                       struct arena *arena, struct error *err) MUST_USE;
bool tracker_add_tag(struct tracker_run *run, struct str key, struct str value,
                     struct arena *arena, struct error *err) MUST_USE;
bool tracker_add_metric(struct tracker_run *run, const struct tracker_metric *metric,
                        struct arena *arena, struct error *err) MUST_USE;

/* "FINISHED", "finished", "crashed", "KILLED", ...: whatever is not known is unknown. */
enum tracker_state tracker_state_of(struct str text);

/* Milliseconds since 1970: a number of them, or a time as text (RFC 3339; without a zone, UTC).
 * -1 when it is neither. */
int64_t tracker_time(struct str text);

/* A number as trackers write it: also NaN and Infinity, which `value` is then. False when it is
 * no number at all. */
bool tracker_number(struct str text, double *value) MUST_USE;

/* ---- mlflow.c ---- */

/* An answer of runs/search. `next`: the token of the next page; empty: there is none. */
bool mlflow_read_runs(struct source source, const struct alloc *alloc,
                      const struct tracker_sink *sink, struct buf *next,
                      struct error *err) MUST_USE;

/* An answer of metrics/get-history, to sink->point. */
bool mlflow_read_history(struct source source, const struct alloc *alloc,
                         const struct tracker_sink *sink, struct buf *next,
                         struct error *err) MUST_USE;

/* An answer of experiments/search. */
struct mlflow_experiments {
    void (*each)(void *ctx, struct str id, struct str name);
    void *ctx;
};
bool mlflow_read_experiments(struct source source, const struct alloc *alloc,
                             const struct mlflow_experiments *each, struct buf *next,
                             struct error *err) MUST_USE;

/* A tag as MLflow has it: those of its own ("mlflow.user") say who ran what. */
bool mlflow_add_tag(struct tracker_run *run, struct str key, struct str value,
                    struct arena *arena, struct error *err) MUST_USE;

/* meta.yaml of a run in a folder `mlruns`; `name` is for errors. */
bool mlflow_read_meta(struct str text, const char *name, struct tracker_run *run,
                      struct arena *arena, struct error *err) MUST_USE;

/* A line of a metric's file there: "1700000000000 0.25 10". False when it is none. */
bool mlflow_metric_line(struct str line, struct tracker_metric *out) MUST_USE;

/* ---- wandb.c ---- */

/* Runs in JSON: a list, JSON lines, or an answer of the GraphQL API; with `history`, its
 * values. */
bool wandb_read_runs(struct source source, const struct alloc *alloc,
                     const struct tracker_sink *sink, struct error *err) MUST_USE;

/* Files of a folder wandb/run-*: each adds what it says. */
bool wandb_read_metadata(struct str text, const char *name, struct tracker_run *run,
                         struct arena *arena, struct error *err) MUST_USE;
bool wandb_read_summary(struct str text, const char *name, struct tracker_run *run,
                        struct arena *arena, struct error *err) MUST_USE;
bool wandb_read_config(struct str text, const char *name, struct tracker_run *run,
                       struct arena *arena, struct error *err) MUST_USE;

/* ---- wandb_folder.c ---- */

/* A folder `wandb`, or one of its run-* folders. The arena holds names of files meanwhile. */
bool wandb_folder_read(const char *folder, struct arena *arena, const struct tracker_sink *sink,
                       struct error *err) MUST_USE;

/* Folders and exports that a user names. */
struct wandb_sources {
    struct strs from;
    struct arena *arena;
    struct watch watch;
};

/* All runs of them: `sources` is a struct wandb_sources. */
bool wandb_sources_read(void *sources, const struct tracker_sink *sink,
                        struct error *err) MUST_USE;

/* ---- tracker_table.c ---- */

/* Runs as CSV: of MLflow (columns "run_id", "metrics.loss", "params.lr", "tags.team") or of
 * W&B's page or data frame ("Name", "State", "Created", "Runtime", "GPU Type", ...). */
bool tracker_read_table(struct source source, bool mlflow, const struct alloc *alloc,
                        const struct tracker_sink *sink, struct error *err) MUST_USE;

/* An export: JSON or a table, which its start (`head`) shows. */
bool tracker_read_export(struct source source, struct str head, bool mlflow,
                         const struct alloc *alloc, const struct tracker_sink *sink,
                         struct error *err) MUST_USE;

/* The export in a file, compressed or not; or those in a folder. */
bool tracker_read_file(const char *path, bool mlflow, struct arena *arena,
                       const struct watch *watch, const struct tracker_sink *sink,
                       struct error *err) MUST_USE;

#endif
