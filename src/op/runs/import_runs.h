/* import_runs.h - `stint import mlflow` and `stint import wandb`: past runs of experiment
 * trackers into the ledger (tracker/import.h).
 */
#ifndef OP_RUNS_IMPORT_RUNS_H
#define OP_RUNS_IMPORT_RUNS_H

#include "tracker/import.h"

struct op_context; /* op/context.h */

extern const struct op op_import_mlflow, op_import_wandb;

/* Options that both have. */
#define IMPORT_RUNS_OPTIONS \
    FIELD(TEXT, import_runs_request, since, .value = "WHEN", \
          .help = "import only runs that began then or later: 2026-11-01"), \
        FIELD(TEXTS, import_runs_request, tag, .value = "LIST", \
              .help = "tags for every run: team=nlp,project=ads"), \
        FIELD(RATE, import_runs_request, price, .value = "PRICE", \
              .help = "price of each run's machines together: 2.49usd/hr"), \
        FIELD(RATE, import_runs_request, gpu_price, .value = "PRICE", \
              .help = "price per GPU, times the GPUs of each run: 1.99usd/hr"), \
        FIELD(TEXT, import_runs_request, offer, .value = "OFFER", \
              .help = "machine of every run; its list price at that time is an estimate"), \
        FIELD(TEXT, import_runs_request, gpu, .value = "GPU", \
              .help = "GPU of runs without one: H100"), \
        FIELD(COUNT, import_runs_request, gpus, .value = "N", .positive = true, \
              .help = "number of GPUs of runs without one")

#define IMPORT_RUNS_DRY_RUN \
    FIELD(FLAG, import_runs_request, dry_run, \
          .help = "show what would be imported; write nothing")

/* Find the ledger and the price of --offer, and import the runs of a source. */
bool import_runs(struct op_context *ctx, const struct import_runs_request *req,
                 const struct import_tracker *tracker, const struct import_source *source,
                 struct import_runs_result *out, struct error *err) MUST_USE;

#endif
