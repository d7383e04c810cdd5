/* What was spent since a moment. */
#include <math.h>

#include "ledger/internal.h"
#include "ledger/runs/run_journal_cost.h"

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
    struct query *s = ledger_statement(l, SQL_SPENT_BEFORE, err);
    int row;

    if (s == NULL)
        return NAN;
    bind_int(s, 1, p->key);
    bind_real(s, 2, at);
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
    struct query *s = ledger_statement(l, SQL_SPENT_WHOLE, err);
    int64_t nano;

    if (s == NULL)
        return false;
    bind_int(s, 1, since.s);
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
    struct query *s = ledger_statement(l, SQL_SPENT, err);
    int row;

    if (s == NULL)
        return false;
    bind_int(s, 1, since.s);
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
