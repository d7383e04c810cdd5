#include "ledger/budgets.h"
#include "ledger/runs/list.h"

static const char there_sql[] = "SELECT 1 FROM channels WHERE name = ?1";
static const char put_sql[] =
    "INSERT INTO channels(name, kind, settings, made) VALUES(?1, ?2, ?3, ?4)"
    " ON CONFLICT(name) DO UPDATE SET kind = excluded.kind, settings = excluded.settings";
static const char remove_sql[] = "DELETE FROM channels WHERE name = ?1";
/* What waits for it has nowhere to go any more. */
static const char drop_sql[] = "UPDATE deliveries SET state = 'given up',"
                               " answer = 'not sent: the channel was removed'"
                               " WHERE channel = ?1 AND state = 'waiting'";
static const char read_sql[] = "SELECT name, kind, settings, made FROM channels ORDER BY name";

static bool is_there(struct ledger *l, struct str name, bool *out, struct error *err)
{
    struct query *s = ledger_query(l, there_sql, err);
    int row;

    if (s == NULL)
        return false;
    bind_text(s, 1, name);
    row = ledger_row(l, s, "read", err);
    query_reset(s);
    *out = row > 0;
    return row >= 0;
}

static bool put(struct ledger *l, const struct ledger_channel *c, bool *replaced,
                struct error *err)
{
    struct query *s;

    if (!is_there(l, c->name, replaced, err) || (s = ledger_query(l, put_sql, err)) == NULL)
        return false;
    bind_text(s, 1, c->name);
    bind_text(s, 2, c->kind);
    bind_text(s, 3, c->settings);
    bind_int(s, 4, c->made.s);
    return ledger_done(l, s, "write", err);
}

bool ledger_channel_put(struct ledger *l, const struct ledger_channel *c, bool *replaced,
                        struct error *err)
{
    return ledger_start_write(l, err) && ledger_finish(l, put(l, c, replaced, err), err);
}

static bool run_named(struct ledger *l, const char *sql, struct str name, struct error *err)
{
    struct query *s = ledger_query(l, sql, err);

    if (s == NULL)
        return false;
    bind_text(s, 1, name);
    return ledger_done(l, s, "write", err);
}

bool ledger_channel_remove(struct ledger *l, struct str name, bool *found, struct error *err)
{
    return ledger_start_write(l, err) &&
           ledger_finish(l,
                         is_there(l, name, found, err) && run_named(l, remove_sql, name, err) &&
                             run_named(l, drop_sql, name, err),
                         err);
}

static bool column_channel(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct ledger_channel *out = to;

    out->made.s = column_int(s, 3);
    return column_text(s, 0, arena, &out->name, err) &&
           column_text(s, 1, arena, &out->kind, err) &&
           column_text(s, 2, arena, &out->settings, err);
}

bool ledger_channels(struct ledger *l, struct arena *arena, const struct ledger_channel **out,
                     size_t *count, struct error *err)
{
    static const struct ledger_list list = {sizeof **out, column_channel};
    struct rows rows;
    bool ok = ledger_list_all(l, read_sql, &list, arena, &rows, err);

    *out = rows.at;
    *count = rows.len;
    return ok;
}
