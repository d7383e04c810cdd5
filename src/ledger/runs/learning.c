#include "ledger/runs/learning.h"

#include "ledger/runs/list.h"

static const char outcomes_sql[] =
    "SELECT r.id, r.name, coalesce(max(a.gpu), ''), r.features, coalesce(r.constants, ''),"
    " r.started, r.estimated_ns, sum(a.elapsed_ns), coalesce(sum(a.lost_s), 0),"
    " r.estimated_cost_nano, sum(a.cost_nano), count(*) - count(a.cost_nano)"
    " FROM runs r JOIN attempts a ON a.run = r.run"
    " WHERE r.estimated_ns > 0 AND r.features IS NOT NULL AND r.started >= ?1"
    " AND EXISTS(SELECT 1 FROM attempts d WHERE d.run = r.run AND d.number = r.attempts"
    "  AND d.state = 'done')"
    " GROUP BY r.run, r.id, r.name, r.features, r.constants, r.started, r.estimated_ns,"
    " r.estimated_cost_nano ORDER BY r.started, r.run";
static const char drop_sql[] = "DELETE FROM corrections";
static const char put_sql[] =
    "INSERT INTO corrections(gpu, framework, factor, low, high, runs, constants, made)"
    " VALUES(?, ?, ?, ?, ?, ?, ?, ?)";
static const char read_sql[] = "SELECT gpu, framework, factor, low, high, runs, constants, made"
                               " FROM corrections ORDER BY gpu, framework";

static bool read_outcome(struct query *q, struct arena *arena, void *to, struct error *err)
{
    struct ledger_outcome *out = to;

    out->started.s = column_int(q, 5);
    out->predicted.ns = column_int(q, 6);
    out->actual.ns = column_count(q, 7);
    if (out->actual.ns > 0)
        out->actual.ns -= (int64_t)(column_real(q, 8) * 1e9);
    out->predicted_cost.nano = column_money(q, 9);
    out->actual_cost.nano = column_int(q, 11) == 0 ? column_money(q, 10) : MONEY_UNKNOWN;
    return column_text(q, 0, arena, &out->id, err) &&
           column_text(q, 1, arena, &out->name, err) &&
           column_text(q, 2, arena, &out->gpu, err) &&
           column_text(q, 3, arena, &out->features, err) &&
           column_text(q, 4, arena, &out->constants, err);
}

bool ledger_outcomes(struct ledger *l, stamp since, struct arena *arena,
                     const struct ledger_outcome **out, size_t *count, struct error *err)
{
    const struct ledger_list list = {sizeof **out, read_outcome};
    int begun = ledger_start_read(l, err);
    struct rows rows = {0};
    struct query *q;

    *out = NULL;
    *count = 0;
    if (begun <= 0)
        return begun == 0;
    q = ledger_query(l, outcomes_sql, err);
    if (q != NULL)
        bind_int(q, 1, since.s < 0 ? 0 : since.s);
    if (!ledger_finish(l, q != NULL && ledger_list_read(l, q, &list, arena, &rows, err), err))
        return false;
    *out = rows.at;
    *count = rows.len;
    return true;
}

static bool put_correction(struct ledger *l, const struct ledger_correction *c,
                           struct error *err)
{
    struct query *q = ledger_query(l, put_sql, err);

    if (q == NULL)
        return false;
    bind_text(q, 1, c->gpu);
    bind_text(q, 2, c->framework);
    bind_real(q, 3, c->factor);
    bind_real(q, 4, c->low);
    bind_real(q, 5, c->high);
    bind_int(q, 6, c->runs);
    bind_text(q, 7, c->constants);
    bind_int(q, 8, c->made.s);
    return ledger_done(l, q, "write", err);
}

static bool put_corrections(struct ledger *l, const struct ledger_correction *rows,
                            size_t count, struct error *err)
{
    struct query *q = ledger_query(l, drop_sql, err);

    if (q == NULL || !ledger_done(l, q, "write", err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!put_correction(l, &rows[i], err))
            return false;
    return true;
}

bool ledger_corrections_put(struct ledger *l, const struct ledger_correction *rows,
                            size_t count, struct error *err)
{
    return ledger_start_alone(l, err) &&
           ledger_finish(l, put_corrections(l, rows, count, err), err);
}

static bool read_correction(struct query *q, struct arena *arena, void *to, struct error *err)
{
    struct ledger_correction *c = to;

    c->factor = column_real(q, 2);
    c->low = column_real(q, 3);
    c->high = column_real(q, 4);
    c->runs = column_int(q, 5);
    c->made.s = column_int(q, 7);
    return column_text(q, 0, arena, &c->gpu, err) &&
           column_text(q, 1, arena, &c->framework, err) &&
           column_text(q, 6, arena, &c->constants, err);
}

bool ledger_corrections(struct ledger *l, struct arena *arena,
                        const struct ledger_correction **out, size_t *count, struct error *err)
{
    const struct ledger_list list = {sizeof **out, read_correction};
    struct rows rows;
    bool ok = ledger_list_all(l, read_sql, &list, arena, &rows, err);

    *out = ok ? rows.at : NULL;
    *count = ok ? rows.len : 0;
    return ok;
}
