/* The history of a run's metrics: one row for each name of an attempt. A row is always replaced
 * completely, so that writing it twice changes nothing. */
#include "ledger/runs/metrics.h"

#include <math.h>

#include "base/buf.h"
#include "ledger/runs/members.h"

#define POINTS_TEXT ((size_t)64 << 10) /* of one column: 256 numbers take less */

static const char put_sql[] =
    "INSERT INTO metrics(attempt, name, told, odd, first, last, last_step, low, low_step,"
    " high, high_step, times, steps, vals)"
    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(attempt, name)"
    " DO UPDATE SET told = excluded.told, odd = excluded.odd, first = excluded.first,"
    " last = excluded.last, last_step = excluded.last_step, low = excluded.low,"
    " low_step = excluded.low_step, high = excluded.high, high_step = excluded.high_step,"
    " times = excluded.times, steps = excluded.steps, vals = excluded.vals";
static const char read_sql[] =
    "SELECT number, m.name, told, odd, first, last, last_step, low, low_step, high, high_step,"
    " times, m.steps, vals FROM metrics m JOIN attempts USING(attempt) JOIN runs r USING(run)"
    " WHERE r.id = ? ORDER BY number, m.name";

/* Steps that are not known are -1: there is no text for them in a list of numbers. */
static bool write_points(const struct ledger_metric *m, struct buf texts[static 3],
                         struct arena *arena, struct error *err)
{
    double *steps = arena_array(arena, double, m->steps.len, err);

    if (steps == NULL)
        return false;
    for (size_t i = 0; i < m->steps.len; i++)
        steps[i] = isnan(m->steps.at[i]) ? -1 : m->steps.at[i];
    ledger_numbers_write(m->times, &texts[0]);
    ledger_numbers_write((struct numbers){steps, m->steps.len}, &texts[1]);
    ledger_numbers_write(m->values, &texts[2]);
    return buf_ok(&texts[0], err) && buf_ok(&texts[1], err) && buf_ok(&texts[2], err);
}

static bool put_metric_row(struct ledger *l, const struct ledger_metric *m,
                           const struct buf texts[static 3], struct error *err)
{
    struct query *q = ledger_query(l, put_sql, VALUES(as_int(l->open.key)), err);
    int at = query_bind_fields(q, 2, &ledger_metric_members, m);

    for (int i = 0; i < 3; i++)
        query_bind(q, at + i, as_text(buf_text(&texts[i])));
    return ledger_done(l, q, "write", err);
}

bool ledger_put_metric(struct ledger *l, const struct ledger_metric *m, struct error *err)
{
    struct arena scratch = {.alloc = l->alloc, .block_size = 4096};
    struct buf texts[3] = {buf_new(l->alloc, POINTS_TEXT), buf_new(l->alloc, POINTS_TEXT),
                           buf_new(l->alloc, POINTS_TEXT)};
    bool ok = write_points(m, texts, &scratch, err) && put_metric_row(l, m, texts, err);

    for (int i = 0; i < 3; i++)
        buf_free(&texts[i]);
    arena_free(&scratch);
    return ok;
}

static bool read_metric_row(struct query *q, struct arena *arena, void *to, struct error *err)
{
    struct ledger_metric *m = to;
    double *known;

    m->attempt = (int)column_int(q, 0);
    if (!column_fields(q, 1, &ledger_metric_members, arena, m, err) ||
        !ledger_numbers_read(column_view(q, 11), arena, &m->times, err) ||
        !ledger_numbers_read(column_view(q, 12), arena, &m->steps, err) ||
        !ledger_numbers_read(column_view(q, 13), arena, &m->values, err))
        return false;
    if (m->steps.len != m->times.len || m->values.len != m->times.len)
        return error_fail(err, ERROR_DAMAGED, "the metric '%.*s' of the ledger is damaged",
                          STR_ARG(m->name));
    known = arena_array(arena, double, m->steps.len, err);
    for (size_t i = 0; known != NULL && i < m->steps.len; i++)
        known[i] = m->steps.at[i] < 0 ? (double)NAN : m->steps.at[i];
    m->steps.at = known;
    return known != NULL;
}

bool ledger_metrics(struct ledger *l, const char *id, struct arena *arena,
                    const struct ledger_metric **out, size_t *count, struct error *err)
{
    static const struct ledger_list list = {.fields.size = sizeof **out,
                                            .read = read_metric_row};

    return ledger_list_all(l, read_sql, VALUES(as_text(str_from(id))), &list, arena,
                           LIST_OUT(out, count), err);
}
