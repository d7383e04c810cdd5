/* The history of a run's metrics: one row for each name of an attempt. A row is replaced as a
 * whole, so that telling it twice changes nothing. */
#include "ledger/runs/metrics.h"

#include <math.h>

#include "base/buf.h"
#include "ledger/runs/list.h"

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

static bool put_metric(struct ledger *l, const struct ledger_metric *m,
                       const struct buf texts[static 3], struct error *err)
{
    struct query *q = ledger_query(l, put_sql, err);

    if (q == NULL)
        return false;
    bind_int(q, 1, l->open.key);
    bind_text(q, 2, m->name);
    bind_int(q, 3, m->told);
    bind_int(q, 4, m->odd);
    bind_number(q, 5, m->first);
    bind_number(q, 6, m->last);
    bind_number(q, 7, m->last_step);
    bind_number(q, 8, m->low);
    bind_number(q, 9, m->low_step);
    bind_number(q, 10, m->high);
    bind_number(q, 11, m->high_step);
    for (int i = 0; i < 3; i++)
        bind_text(q, 12 + i, buf_text(&texts[i]));
    return ledger_done(l, q, "write", err);
}

bool ledger_put_metric(struct ledger *l, const struct ledger_metric *m, struct error *err)
{
    struct arena scratch = {.alloc = l->alloc, .block_size = 4096};
    struct buf texts[3] = {buf_new(l->alloc, POINTS_TEXT), buf_new(l->alloc, POINTS_TEXT),
                           buf_new(l->alloc, POINTS_TEXT)};
    bool ok = write_points(m, texts, &scratch, err) && put_metric(l, m, texts, err);

    for (int i = 0; i < 3; i++)
        buf_free(&texts[i]);
    arena_free(&scratch);
    return ok;
}

static bool read_metric(struct query *q, struct arena *arena, void *to, struct error *err)
{
    struct ledger_metric *m = to;
    struct str times, steps, values;
    double *known;

    m->attempt = (int)column_int(q, 0);
    m->told = column_int(q, 2);
    m->odd = column_int(q, 3);
    m->first = column_number(q, 4);
    m->last = column_number(q, 5);
    m->last_step = column_number(q, 6);
    m->low = column_number(q, 7);
    m->low_step = column_number(q, 8);
    m->high = column_number(q, 9);
    m->high_step = column_number(q, 10);
    if (!column_text(q, 1, arena, &m->name, err) || !column_text(q, 11, arena, &times, err) ||
        !column_text(q, 12, arena, &steps, err) || !column_text(q, 13, arena, &values, err) ||
        !ledger_numbers_read(times, arena, &m->times, err) ||
        !ledger_numbers_read(steps, arena, &m->steps, err) ||
        !ledger_numbers_read(values, arena, &m->values, err))
        return false;
    if (m->steps.len != m->times.len || m->values.len != m->times.len)
        return error_fail(err, ERROR_INPUT, "the metric '%.*s' of the ledger is damaged",
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
    const struct ledger_list list = {sizeof **out, read_metric};
    int begun = ledger_start_read(l, err);
    struct rows rows = {0};
    struct query *q;

    *out = NULL;
    *count = 0;
    if (begun <= 0)
        return begun == 0;
    q = ledger_query(l, read_sql, err);
    if (q != NULL)
        bind_text(q, 1, str_from(id));
    if (!ledger_finish(l, q != NULL && ledger_list_read(l, q, &list, arena, &rows, err), err))
        return false;
    *out = rows.at;
    *count = rows.len;
    return true;
}
