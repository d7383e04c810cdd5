/* writes.h - writing to a run call by call, each one a transaction, for tests that make
 * ledgers. The program itself writes records of a journal (ledger/runs/run_journal.h).
 */
#ifndef TESTS_LEDGER_WRITES_H
#define TESTS_LEDGER_WRITES_H

#include "ledger/internal.h"
#include "ledger/runs/metrics.h"

/* Totals so far; `sample` may be NULL. */
static inline bool ledger_tick(struct ledger *l, const char *id, int attempt,
                               const struct ledger_totals *totals,
                               const struct ledger_sample *sample, struct error *err)
{
    if (!ledger_open_attempt(l, id, attempt, err))
        return false;
    if (sample == NULL)
        return ledger_put_totals(l, l->open.key, totals, err);
    if (!ledger_start_write(l, err))
        return false;
    return ledger_finish(
        l, ledger_put_totals(l, l->open.key, totals, err) && ledger_add_sample(l, sample, err),
        err);
}

static inline bool ledger_event(struct ledger *l, const char *id, int attempt, stamp at,
                                const char *kind, struct str text, struct error *err)
{
    struct ledger_happening event = {
        .at = at, .kind = str_from(kind), .text = text, .left_out = -1};

    return ledger_open_attempt(l, id, attempt, err) &&
           ledger_put_event(l, l->open.key, &event, err);
}

/* Kept by its path: written again, it is replaced. */
static inline bool ledger_checkpoint(struct ledger *l, const char *id, int attempt,
                                     const struct ledger_checkpoint *checkpoint,
                                     struct error *err)
{
    if (!ledger_open_attempt(l, id, attempt, err) || !ledger_start_write(l, err))
        return false;
    return ledger_finish(l, ledger_put_checkpoint(l, checkpoint, err), err);
}

/* All of it in one transaction. What was written of these names before is replaced. */
static inline bool ledger_metrics_put(struct ledger *l, const char *id, int attempt,
                                      const struct ledger_metric *list, size_t count,
                                      struct error *err)
{
    bool ok = true;

    if (!ledger_open_attempt(l, id, attempt, err) || !ledger_start_write(l, err))
        return false;
    for (size_t i = 0; ok && i < count; i++)
        ok = ledger_put_metric(l, &list[i], err);
    return ledger_finish(l, ok, err);
}

/* The end of the attempt, and of the run. */
static inline bool ledger_end(struct ledger *l, const char *id, int attempt,
                              const struct ledger_ending *ending,
                              const struct ledger_totals *totals, struct error *err)
{
    if (!ledger_open_attempt(l, id, attempt, err) || !ledger_start_write(l, err))
        return false;
    return ledger_finish(l, ledger_put_end(l, ending, totals, err), err);
}

#endif
