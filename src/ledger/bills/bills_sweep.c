/* What is gone is swept away: bills that were replaced or removed, and imports that died. */
#include "ledger/bills_internal.h"

#define SWEEP_LINES 32768 /* in one transaction */
#define SILENCE 600       /* s without a word of an import on another machine: it is dead */
#define SILENCE_RUN 120   /* what ledger_alive() allows */

static const char open_imports[] =
    "SELECT import, heard, host, boot, pid, pid_started, pid_namespace FROM imports"
    " WHERE finished IS NULL ORDER BY import";
static const char bury_bills[] =
    "UPDATE bills SET state = 'gone' WHERE import = ?1 AND state = 'loading'";
static const char finish_import[] = "UPDATE imports SET finished = heard WHERE import = ?1";

static const char next_gone[] =
    "SELECT b.bill, (SELECT max(k.line) FROM bill_blocks k WHERE k.bill = b.bill)"
    " FROM bills b WHERE b.state = 'gone' ORDER BY b.bill LIMIT 1";
static const char drop_lines[] = "DELETE FROM bill_blocks WHERE bill = ?1 AND line > ?2";
static const char drop_days[] = "DELETE FROM bill_days WHERE bill = ?1";
static const char drop_bill[] = "DELETE FROM bills WHERE bill = ?1";
static const char drop_imports[] =
    "DELETE FROM imports WHERE import > ?1 AND finished IS NOT NULL AND NOT EXISTS"
    " (SELECT 1 FROM bills WHERE bills.import = imports.import)";

static bool run_with(struct ledger *l, const char *sql, int64_t key, struct error *err)
{
    return ledger_run(l, sql, VALUES(as_int(key)), err);
}

bool sweep_import(struct ledger *l, int64_t import, struct error *err)
{
    return run_with(l, bury_bills, import, err) && run_with(l, finish_import, import, err);
}

int64_t sweep_next_dead(struct ledger *l, int64_t after, struct error *err)
{
    struct query *q = ledger_query(l, open_imports, NO_VALUES, err);
    stamp now = l->clock->today(l->clock->ctx);
    int64_t found = 0;
    int got;

    while (found == 0 && (got = ledger_row(l, q, "read", err)) > 0) {
        struct ledger_supervisor who = column_supervisor(q, 1);

        /* One that waits for a slow pipe says nothing for longer than a run may. */
        who.heard.s += SILENCE - SILENCE_RUN;
        if (column_int(q, 0) > after && !ledger_alive(&who, now))
            found = column_int(q, 0);
    }
    if (found > 0)
        query_reset(q);
    return got < 0 ? -1 : found;
}

bool sweep_dead(struct ledger *l, struct error *err)
{
    int64_t dead = 0;

    while ((dead = sweep_next_dead(l, dead, err)) > 0)
        if (!sweep_import(l, dead, err))
            return false;
    return dead == 0;
}

/* A part of the lines of the first bill that is gone, or the bill itself. `*more` while there
 * is something left. */
static bool sweep_some(struct ledger *l, bool *more, struct error *err)
{
    struct query *q = ledger_query(l, next_gone, NO_VALUES, err);
    int64_t bill = 0, last = 0;
    int got = ledger_row(l, q, "read", err);

    *more = got > 0;
    if (got <= 0)
        return got == 0 && run_with(l, drop_imports, 0, err);
    bill = column_int(q, 0);
    last = column_count(q, 1); /* -1: it has no lines any more */
    query_reset(q);
    if (last < 0)
        return run_with(l, drop_days, bill, err) && run_with(l, drop_bill, bill, err);
    return ledger_run(l, drop_lines, VALUES(as_int(bill), as_int(last - SWEEP_LINES)), err);
}

bool sweep_gone(struct ledger *l, struct error *err)
{
    bool more = true;

    while (more)
        if (!ledger_start_write(l, err) || !ledger_finish(l, sweep_some(l, &more, err), err))
            return false;
    return true;
}
