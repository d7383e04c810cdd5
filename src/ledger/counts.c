/* What was made of what was paid. */
#include "ledger/runs/list.h"
#include "ledger/runs/records.h"

static const char drop_sql[] = "DELETE FROM counts WHERE what = ?1 AND started = ?2"
                               " AND ended = ?3 AND tags = ?4 RETURNING 1";
static const char add_sql[] = "INSERT INTO counts(what, started, ended, tags, amount, source)"
                              " VALUES(?1, ?2, ?3, ?4, ?5, ?6)";
static const char read_sql[] = "SELECT what, started, ended, amount, tags, source FROM counts"
                               " WHERE (?1 = '' OR what = ?1) AND ended > ?2 AND started < ?3"
                               " ORDER BY what, started, ended, tags";
static const char remove_sql[] = "DELETE FROM counts WHERE what = ?1 AND started >= ?2"
                                 " AND ended <= ?3 RETURNING 1";

static void bind_what(struct query *s, const struct ledger_count *c)
{
    bind_text(s, 1, c->what);
    bind_int(s, 2, c->from.s);
    bind_int(s, 3, c->until.s);
    bind_text(s, 4, c->tags);
}

/* Run it, and count the rows that it returns. */
static bool count_rows(struct ledger *l, struct query *s, int64_t *rows, struct error *err)
{
    int row;

    while ((row = ledger_row(l, s, "write", err)) > 0)
        ++*rows;
    return row == 0;
}

static bool put_all(struct ledger *l, const struct ledger_count *counts, size_t count,
                    int64_t *replaced, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        struct query *s = ledger_query(l, drop_sql, err);

        if (s == NULL)
            return false;
        bind_what(s, &counts[i]);
        if (!count_rows(l, s, replaced, err))
            return false;
        s = ledger_query(l, add_sql, err);
        if (s == NULL)
            return false;
        bind_what(s, &counts[i]);
        bind_amount(s, 5, &counts[i].amount);
        bind_text(s, 6, counts[i].source);
        if (!ledger_done(l, s, "write", err))
            return false;
    }
    return true;
}

bool ledger_counts_put(struct ledger *l, const struct ledger_count *counts, size_t count,
                       int64_t *replaced, struct error *err)
{
    *replaced = 0;
    return ledger_start_alone(l, err) &&
           ledger_finish(l, put_all(l, counts, count, replaced, err), err);
}

static struct query *ask(struct ledger *l, const char *sql,
                         const struct ledger_count_query *query, struct error *err)
{
    struct query *s = ledger_query(l, sql, err);

    if (s == NULL)
        return NULL;
    bind_text(s, 1, query->what);
    bind_int(s, 2, query->since.s < 0 ? -1 : query->since.s);
    bind_int(s, 3, query->until.s < 0 ? INT64_MAX : query->until.s);
    return s;
}

static bool read_count(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct ledger_count *out = to;

    out->from.s = column_int(s, 1);
    out->until.s = column_int(s, 2);
    return column_text(s, 0, arena, &out->what, err) &&
           column_amount(s, 3, &out->amount, err) &&
           column_text(s, 4, arena, &out->tags, err) &&
           column_text(s, 5, arena, &out->source, err);
}

bool ledger_counts(struct ledger *l, const struct ledger_count_query *query,
                   struct arena *arena, const struct ledger_count **out, size_t *count,
                   struct error *err)
{
    const struct ledger_list list = {sizeof **out, read_count};
    struct rows rows = {0};
    struct query *s;
    int begun = ledger_start_read(l, err);

    *out = NULL;
    *count = 0;
    if (begun <= 0)
        return begun == 0;
    s = ask(l, read_sql, query, err);
    if (!ledger_finish(l, s != NULL && ledger_list_read(l, s, &list, arena, &rows, err), err))
        return false;
    *out = rows.at;
    *count = rows.len;
    return true;
}

bool ledger_counts_remove(struct ledger *l, const struct ledger_count_query *query,
                          int64_t *removed, struct error *err)
{
    struct query *s;
    bool ok;

    *removed = 0;
    if (!ledger_start_write(l, err))
        return false;
    s = ask(l, remove_sql, query, err);
    ok = s != NULL && count_rows(l, s, removed, err);
    return ledger_finish(l, ok, err);
}
