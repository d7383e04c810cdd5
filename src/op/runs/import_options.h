/* import_options.h - options that the imports of trackers have in common. */
#ifndef OP_RUNS_IMPORT_OPTIONS_H
#define OP_RUNS_IMPORT_OPTIONS_H

#include "op/runs/import_runs.h"

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

/* Are they files, folders or addresses? Standard input is none: a run may come after those
 * that are nested in it, so that files are read twice. */
bool import_check_sources(struct strs from, struct error *err) MUST_USE;

#endif
