/* memory_mean.h - how much memory the processes of a run had on average over its time. */
#ifndef ACCOUNT_RUN_MEMORY_MEAN_H
#define ACCOUNT_RUN_MEMORY_MEAN_H

#include "ledger/ledger.h"

/* Bytes, from the samples of all attempts; NaN where none has it. */
bool run_memory_mean(struct ledger *ledger, const struct ledger_run *run, struct arena *arena,
                     double *out, struct error *err) MUST_USE;

#endif
