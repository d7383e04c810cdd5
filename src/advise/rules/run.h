/* run.h - a run of the ledger as rules see it.
 *
 * Pure: its record, its metrics and its checkpoints in.
 */
#ifndef ADVISE_RUN_H
#define ADVISE_RUN_H

#include "advise/rules/followup.h"
#include "advise/rules/work.h"
#include "ledger/runs/metrics.h"

/* `gpu`: as the catalog has it. Nothing is known of stopping and of what it keeps. */
void advise_run_take(const struct ledger_run *run, struct str gpu, struct advise_run *out);

/* A metric of an evaluation, every value of which was kept. */
bool advise_is_evaluation(const struct ledger_metric *metric);

/* What early stopping by that metric would have saved of a run of so many seconds. `rises`:
 * more of it is better. */
void advise_judge_stopping(const struct ledger_metric *metric, bool rises, double seconds,
                           struct advise_run *run);

/* The newest few stay, and the best: what the others take. Rows are in the order of time. */
void advise_count_kept(const struct ledger_checkpoint *rows, size_t count,
                       struct kept_checkpoints *out);

/* A decision as the ledger keeps it: JSON. */
bool advise_decision_read(struct str text, struct arena *arena, struct advise_decision *out,
                          struct error *err) MUST_USE;

#endif
