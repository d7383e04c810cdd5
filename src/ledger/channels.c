#include "ledger/budgets.h"
#include "ledger/engine/list.h"

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

static const struct field channel_members[] = {
    MEMBER(TEXT, ledger_channel, name),
    MEMBER(TEXT, ledger_channel, kind),
    MEMBER(TEXT, ledger_channel, settings),
    MEMBER(COUNT, ledger_channel, made),
};
static const struct ledger_list channel_list =
    LEDGER_LIST(struct ledger_channel, channel_members);

static bool put_channel(struct ledger *l, const struct ledger_channel *c, bool *replaced,
                        struct error *err)
{
    struct query *q;

    if (!ledger_finds(l, there_sql, VALUES(as_text(c->name)), replaced, err))
        return false;
    q = ledger_query(l, put_sql, NO_VALUES, err);
    (void)query_bind_fields(q, 1, &channel_list.fields, c);
    return ledger_done(l, q, "write", err);
}

bool ledger_channel_put(struct ledger *l, const struct ledger_channel *c, bool *replaced,
                        struct error *err)
{
    return ledger_start_write(l, err) &&
           ledger_finish(l, put_channel(l, c, replaced, err), err);
}

bool ledger_channel_remove(struct ledger *l, struct str name, bool *found, struct error *err)
{
    struct values named = VALUES(as_text(name));

    return ledger_start_write(l, err) &&
           ledger_finish(l,
                         ledger_finds(l, there_sql, named, found, err) &&
                             ledger_run(l, remove_sql, named, err) &&
                             ledger_run(l, drop_sql, named, err),
                         err);
}

bool ledger_channels(struct ledger *l, struct arena *arena, const struct ledger_channel **out,
                     size_t *count, struct error *err)
{
    return ledger_list_all(l, read_sql, NO_VALUES, &channel_list, arena, LIST_OUT(out, count),
                           err);
}
