/* What was spent since a moment. */
#include <math.h>

#include "ledger/internal.h"
#include "ledger/runs/run_journal_cost.h"

/* Those that began since: the index is enough. */
static const char spent_whole_sql[] =
    "SELECT sum(cost_nano), count(*) - count(cost_nano) FROM attempts"
    " WHERE ended >= ?1 AND started >= ?1";
/* One that has just begun and reported nothing has spent nothing yet, as far as is known.
     */
static const char spent_sql[] =
    "SELECT attempt, started, at, cost_nano FROM attempts"
    " WHERE ended >= ?1 AND started < ?1"
    " UNION ALL SELECT attempt, started, at,"
    "  CASE WHEN elapsed_ns IS NULL THEN coalesce(cost_nano, 0) ELSE cost_nano END"
    " FROM attempts WHERE ended IS NULL AND at >= ?1";
/* The samples around a moment: what was spent just before, and just after. */
static const char spent_before_sql[] =
    "SELECT at_s, cost FROM (SELECT at_s, cost FROM samples WHERE attempt = ?1"
    "  AND at_s <= ?2 AND cost IS NOT NULL ORDER BY at_s DESC LIMIT 1) b"
    " UNION ALL SELECT at_s, cost FROM (SELECT at_s, cost FROM samples WHERE attempt = ?1"
    "  AND at_s > ?2 AND cost IS NOT NULL ORDER BY at_s LIMIT 1) a";

/* An attempt that was under way at the moment. */
struct part {
    int64_t key;
    stamp started, heard;
    usd cost;
};

/* The share of an attempt's cost that was spent before `since`: by its samples, between two of
 * which money flows evenly; without any, evenly over its time. NaN with the error set. */
static double share_before(struct ledger *l, const struct part *p, stamp since,
                           struct error *err)
{
    double at = (double)(since.s - p->started.s), total = usd_double(p->cost);
    double end = (double)(p->heard.s - p->started.s);
    double from = 0, spent = 0, to = end, later = total;
    struct query *s =
        ledger_query(l, spent_before_sql, VALUES(as_int(p->key), as_real(at)), err);
    int row;

    while ((row = ledger_row(l, s, "read", err)) > 0) {
        double moment = column_real(s, 0), cost = column_real(s, 1);

        if (moment <= at) {
            from = moment;
            spent = cost;
        } else {
            to = moment;
            later = cost;
        }
    }
    if (row < 0)
        return NAN;
    if (!(total > 0))
        return 0;
    if (to > from)
        spent += (later - spent) * (at - from) / (to - from);
    return fmin(fmax(spent / total, 0), 1);
}

static bool add_part(struct ledger *l, const struct part *p, stamp since, usd *sum,
                     int64_t *unknown, struct error *err)
{
    double before = 0;
    usd part = p->cost;

    if (part.nano == MONEY_UNKNOWN) {
        ++*unknown;
        return true;
    }
    if (p->started.s < since.s)
        before = share_before(l, p, since, err);
    if (isnan(before))
        return false;
    if (before > 0)
        part.nano -= (int64_t)llround((double)part.nano * before);
    *sum = usd_add(*sum, part);
    return true;
}

/* Attempts that began since, and ended: all of what they cost. */
static bool sum_whole(struct ledger *l, stamp since, usd *sum, int64_t *unknown,
                      struct error *err)
{
    struct query *s = ledger_query(l, spent_whole_sql, VALUES(as_int(since.s)), err);
    int64_t nano;
    if (ledger_row(l, s, "read", err) <= 0)
        return false;
    nano = column_money(s, 0);
    *unknown = column_int(s, 1);
    query_reset(s);
    if (nano != MONEY_UNKNOWN) /* there are any */
        sum->nano = nano;
    return true;
}

/* Those that were under way then, or are now. */
static bool sum_parts(struct ledger *l, stamp since, usd *sum, int64_t *unknown,
                      struct error *err)
{
    struct query *s = ledger_query(l, spent_sql, VALUES(as_int(since.s)), err);
    int row;

    while ((row = ledger_row(l, s, "read", err)) > 0) {
        struct part p = {.key = column_int(s, 0),
                         .started = {column_int(s, 1)},
                         .heard = {column_int(s, 2)},
                         .cost = {column_money(s, 3)}};

        if (!add_part(l, &p, since, sum, unknown, err)) {
            query_reset(s);
            return false;
        }
    }
    return row == 0;
}

bool ledger_spent(struct ledger *l, stamp since, usd *out, int64_t *unknown, struct error *err)
{
    int begun = ledger_start_read(l, err);

    *out = (usd){0};
    *unknown = 0;
    if (begun <= 0)
        return begun == 0;
    return ledger_finish(l,
                         sum_whole(l, since, out, unknown, err) &&
                             sum_parts(l, since, out, unknown, err) &&
                             ledger_spent_waiting(l, since, out, unknown, err),
                         err);
}
