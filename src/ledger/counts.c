/* What was made of what was paid. */
#include "ledger/engine/list.h"
#include "ledger/runs/records.h"

static const char drop_sql[] = "DELETE FROM counts WHERE what = ?1 AND started = ?2"
                               " AND ended = ?3 AND tags = ?4 RETURNING 1";
static const char add_sql[] = "INSERT INTO counts(what, started, ended, tags, amount, source)"
                              " VALUES(?1, ?2, ?3, ?4, ?5, ?6)";
static const char read_sql[] = "SELECT what, started, ended, tags, amount, source FROM counts"
                               " WHERE (?1 = '' OR what = ?1) AND ended > ?2 AND started < ?3"
                               " ORDER BY what, started, ended, tags";
static const char remove_sql[] = "DELETE FROM counts WHERE what = ?1 AND started >= ?2"
                                 " AND ended <= ?3 RETURNING 1";

static const struct field count_members[] = {
    MEMBER(TEXT, ledger_count, what),      MEMBER(COUNT, ledger_count, from),
    MEMBER(COUNT, ledger_count, until),    MEMBER(TEXT, ledger_count, tags),
    MEMBER(DECIMAL, ledger_count, amount), MEMBER(TEXT, ledger_count, source),
};
static const struct ledger_list count_list = LEDGER_LIST(struct ledger_count, count_members);

static bool put_ledger_count(struct ledger *l, const struct ledger_count *c, int64_t *replaced,
                             struct error *err)
{
    struct query *add;
    int64_t dropped;

    if (!ledger_run_counted(
            l, drop_sql,
            VALUES(as_text(c->what), as_int(c->from.s), as_int(c->until.s), as_text(c->tags)),
            &dropped, err))
        return false;
    *replaced += dropped;
    add = ledger_query(l, add_sql, NO_VALUES, err);
    (void)query_bind_fields(add, 1, &count_list.fields, c);
    return ledger_done(l, add, "write", err);
}

static bool put_ledger_counts(struct ledger *l, const struct ledger_count *counts, size_t count,
                              int64_t *replaced, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!put_ledger_count(l, &counts[i], replaced, err))
            return false;
    return true;
}

bool ledger_counts_put(struct ledger *l, const struct ledger_count *counts, size_t count,
                       int64_t *replaced, struct error *err)
{
    *replaced = 0;
    return ledger_start_alone(l, err) &&
           ledger_finish(l, put_ledger_counts(l, counts, count, replaced, err), err);
}

/* What, since when and until when, as both statements take them. */
#define WITHIN(query) \
    VALUES(as_text((query)->what), as_int((query)->since.s < 0 ? -1 : (query)->since.s), \
           as_int((query)->until.s < 0 ? INT64_MAX : (query)->until.s))

bool ledger_counts(struct ledger *l, const struct ledger_count_query *query,
                   struct arena *arena, const struct ledger_count **out, size_t *count,
                   struct error *err)
{
    return ledger_list_all(l, read_sql, WITHIN(query), &count_list, arena, LIST_OUT(out, count),
                           err);
}

bool ledger_counts_remove(struct ledger *l, const struct ledger_count_query *query,
                          int64_t *removed, struct error *err)
{
    *removed = 0;
    return ledger_start_write(l, err) &&
           ledger_finish(l, ledger_run_counted(l, remove_sql, WITHIN(query), removed, err),
                         err);
}
