/* why_runs.h - runs of the ledger, and what was predicted of them, as sides of a difference. */
#ifndef OP_ADVISE_WHY_RUNS_H
#define OP_ADVISE_WHY_RUNS_H

#include "advise/explain/why.h"
#include "ledger/ledger.h"

/* ERROR_INPUT when its cost is not known. `wait`: how long its steps waited for data, by the
 * metrics that it printed, else by its samples; NaN when that says no more than what was
 * seen of the time between steps. */
bool why_read_run(struct ledger *ledger, const struct ledger_run *run, struct str features,
                  struct arena *arena, struct why_side *out, struct why_wait *wait,
                  struct error *err) MUST_USE;

/* The estimate that was recorded with the run, whose features are `features`; false when there
 * is none. `parts`: the plan's parts were recorded. */
bool why_read_estimate(const struct ledger_run *run, struct str features, struct arena *arena,
                       struct why_side *out, bool *parts);

#endif
