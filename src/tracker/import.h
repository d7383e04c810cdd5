/* import.h - past runs of a tracker into a ledger.
 *
 * Each run is recorded once, however often it is imported: it is known by what the tracker
 * calls it, and one that changed is updated. A run that is nested in another that was under way
 * all the time costs nothing, since the outer one pays. What a tracker does not say stays
 * unknown; a tracker has no prices, so a price is what the user gives or what a machine cost at
 * that time. Runs that Stint metered itself are skipped.
 */
#ifndef TRACKER_IMPORT_H
#define TRACKER_IMPORT_H

#include "base/watch.h"
#include "ledger/ledger.h"
#include "tracker/tracker.h"

/* What the user says of the runs, and which are wanted. */
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
    struct str reason; /* it was skipped, or what was assumed */
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

/* The request's --since in milliseconds; -1: not given. */
bool import_since(const struct import_runs_request *req, int64_t *ms,
                  struct error *err) MUST_USE;

/* Are they files, folders or addresses? Standard input is none: a run may come after those
 * that are nested in it, so that files are read twice. */
bool import_check_sources(struct strs from, struct error *err) MUST_USE;

/* ---- what is imported, and how ---- */

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

/* What a machine cost in some time. */
struct import_price {
    usd_per_hour rate; /* at its start */
    usd cost;          /* unknown: at that rate */
    struct str source; /* where that is known from */
};

/* The machine that every run was on. */
struct import_prices {
    struct str offer, market;
    int64_t gpus; /* that it has; -1: not known */
    bool (*then)(void *ctx, stamp from, stamp to, struct arena *arena, struct import_price *out,
                 struct error *err);
    void *ctx;
};

struct tracker_import {
    const struct import_runs_request *ask;
    const struct import_tracker *tracker;
    const struct import_source *source;
    const struct import_prices *prices; /* NULL: no machine is named */
    struct ledger *ledger;              /* NULL: a dry run without one */
    struct arena *arena;                /* of the result */
    struct watch watch;
    stamp now;
};

/* Import them all; `out` has the first 10,000, and counts of all. What was imported before an
 * error stays. */
bool tracker_import(const struct tracker_import *how, struct import_runs_result *out,
                    struct error *err) MUST_USE;

extern const struct field_set import_runs_result_fields;

#endif
