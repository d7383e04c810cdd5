/* details.h - everything the ledger has about one run besides its record. */
#ifndef LEDGER_RUNS_DETAILS_H
#define LEDGER_RUNS_DETAILS_H

#include "ledger/runs/metrics.h"

struct ledger_moment {
    int attempt;
    struct ledger_sample sample;
};

struct ledger_details {
    struct rows attempts;    /* struct ledger_attempt */
    struct rows prices;      /* struct ledger_price */
    struct rows events;      /* struct ledger_happening */
    struct rows checkpoints; /* struct ledger_checkpoint */
    struct rows samples;     /* struct ledger_moment */
    struct rows metrics;     /* struct ledger_metric: by attempt, then by name */
};

bool ledger_details(struct ledger *ledger, const struct ledger_run *run, struct arena *arena,
                    struct ledger_details *out, struct error *err) MUST_USE;

extern const struct field_set ledger_moment_fields;

#endif
