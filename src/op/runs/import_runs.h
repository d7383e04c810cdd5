/* import_runs.h - `stint import mlflow` and `stint import wandb`: past runs of experiment
 * trackers into the ledger. */
#ifndef OP_RUNS_IMPORT_RUNS_H
#define OP_RUNS_IMPORT_RUNS_H

#include "op/ledger_open.h"
#include "op/run_price.h"

struct op_context;   /* op/context.h */
struct tracker_run;  /* tracker/tracker.h */
struct tracker_sink; /* likewise */

extern const struct op op_import_mlflow, op_import_wandb;

struct import_runs_request {
    struct strs from;       /* addresses, folders, files */
    struct strs experiment; /* MLflow: names, as patterns */
    struct str since;
    struct strs tag;
    struct str offer, gpu;
    usd_per_hour price, gpu_price;
    int64_t gpus;
    bool latest, active, separate, dry_run;
};

enum import_action { IMPORT_ADDED, IMPORT_UPDATED, IMPORT_UNCHANGED, IMPORT_SKIPPED };
extern const char *const import_action_names[];

/* A run, and what became of it. */
struct import_run_row {
    struct str run;         /* id in the ledger; empty: it is not there */
    struct str tracker_run; /* id in the tracker */
    struct str name;
    stamp started, ended;
    span elapsed;
    struct str gpu;
    int64_t gpus;
    usd cost;
    enum import_action action;
    struct str why; /* it was skipped, or what was assumed */
};

struct import_runs_result {
    struct str tracker;
    struct rows runs; /* struct import_run_row */
    int64_t left_out; /* runs beyond those of the list, which count below */
    int64_t added, updated, unchanged, skipped;
    int64_t nested; /* of those added or updated: inside another run, whose time has theirs */
    int64_t points; /* metric values read */
    double gpu_hours;
    int64_t gpu_unknown; /* runs whose GPUs are not known */
    usd cost;
    int64_t cost_unknown;
    struct str ledger;
    bool dry_run;
};

/* ---- import_runs.c: what is the same for every tracker ---- */

struct importing;

/* Where a run's metric values come from, when they are asked for one run at a time: to `sink`.
 */
typedef bool import_history(void *ctx, const struct tracker_run *run,
                            const struct tracker_sink *sink, struct error *err);

struct import_tracker {
    const char *id;          /* "mlflow": origin of the runs, and start of their identity */
    const char *title;       /* "MLflow" */
    import_history *history; /* NULL: values come with the runs, if at all */
    void *history_ctx;
};

/* What the runs are read from: `read` reads every run once and calls sink->run. `twice`: a run
 * may come after those nested in it, so that it is read once before, to know them. */
struct import_source {
    bool (*read)(void *ctx, const struct tracker_sink *sink, struct error *err);
    void *ctx;
    bool twice;
};

bool import_runs(struct op_context *ctx, const struct import_runs_request *req,
                 const struct import_tracker *tracker, const struct import_source *source,
                 struct import_runs_result *out, struct error *err);

/* The request's --since in milliseconds; -1: not given. */
bool import_since(const struct import_runs_request *req, int64_t *ms, struct error *err);

/* A file of runs: JSON by `json`, else a table. */
bool import_runs_file(struct op_context *ctx, const char *path, bool mlflow,
                      const struct tracker_sink *sink, struct error *err);

extern const struct field_set import_runs_result_fields;

#endif
