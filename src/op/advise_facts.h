/* advise_facts.h - the facts that rules look at: works of the ledger, machines priced for them,
 * a job with its estimate. Shared by advise and reports.
 */
#ifndef OP_ADVISE_FACTS_H
#define OP_ADVISE_FACTS_H

#include "advise/rules/followup.h"
#include "advise/rules/rule.h"
#include "ledger/runs/works.h"

struct op_context; /* op/context.h */

/* One run of the ledger as rules see it. */
bool advise_run_from(struct op_context *ctx, struct ledger *ledger,
                     const struct ledger_run *run, struct advise_run **out,
                     struct error *err) MUST_USE;

/* All runs of the works that are wanted, newest first, with what early stopping would have
 * saved of the newest: those with one attempt, whose evaluations were recorded; and the
 * checkpoints that the newest of those that save some still keep. */
#define ADVISE_METRIC_RUNS 500
#define ADVISE_KEPT_RUNS 2000
bool advise_runs_read(struct op_context *ctx, struct ledger *ledger,
                      const struct ledger_works *works, struct advise_run **out, size_t *count,
                      struct error *err) MUST_USE;

/* The period of all amounts: that of the runs times `scale` is an amount `per` month, say. */
struct advise_unit {
    double scale;
    struct str per;
};

/* The facts of these runs: works, and other machines for the most expensive of them.
 * `unpriced`: runs without a price. */
bool advise_facts_of(struct op_context *ctx, struct advise_run *runs, size_t count,
                     struct advise_unit unit, struct advise_facts *out, int64_t *unpriced,
                     struct error *err) MUST_USE;

/* Decisions about findings, each a named text of the ledger. */
#define ADVISE_DOCUMENTS "advise/"
bool advise_decisions_read(struct ledger *ledger, struct arena *arena,
                           struct advise_decision **out, size_t *count,
                           struct error *err) MUST_USE;

#endif
