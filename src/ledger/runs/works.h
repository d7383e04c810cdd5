/* works.h - runs in groups: those of one name and one value of the tag `project` are one work.
 *
 * Of a period with a hundred thousand runs, callers look at the works that cost most, and read
 * only their runs, one after the other.
 */
#ifndef LEDGER_RUNS_WORKS_H
#define LEDGER_RUNS_WORKS_H

#include "ledger/ledger.h"

struct ledger_work {
    struct str name, project; /* project: empty when its runs have none */
    int64_t runs;
    usd cost;    /* of attempts whose cost is known; 0: of none */
    bool wanted; /* the caller's: read its runs */
};

struct ledger_works {
    struct ledger_work *at; /* the most expensive first */
    size_t count;
    struct ledger_work_run *runs; /* works.c */
    size_t run_count;
};

/* How many runs began from `since` to `until` (-1: any). */
bool ledger_runs_count(struct ledger *ledger, stamp since, stamp until, int64_t *out,
                       struct error *err) MUST_USE;

/* All works with runs that began in that time. */
bool ledger_works(struct ledger *ledger, stamp since, stamp until, struct arena *arena,
                  struct ledger_works *out, struct error *err) MUST_USE;

/* Each run of the works that are `wanted`, the newest first. The run and its texts live until
 * `each` returns, which is false with the error set to stop. One that was removed since is left
 * out. */
bool ledger_works_runs(struct ledger *ledger, const struct ledger_works *works,
                       bool (*each)(void *ctx, const struct ledger_run *run, struct error *err),
                       void *ctx, struct error *err) MUST_USE;

#endif
