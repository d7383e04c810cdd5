/* What is known of a run besides its totals: events and checkpoints. */
#include "ledger/internal.h"

/* Ask for the rows of a run, and how many there are, so that they can be given room at once. */
static sqlite3_stmt *rows_of(struct ledger *l, enum statement which, const char *id,
                             size_t *count, struct error *err)
{
    sqlite3_stmt *s = ledger_statement(l, which, err);
    int row;

    *count = 0;
    if (s == NULL)
        return NULL;
    bind_text(s, 1, str_from(id));
    while ((row = ledger_row(l, s, "read", err)) > 0)
        ++*count;
    return row == 0 ? s : NULL;
}

static bool column_event(sqlite3_stmt *s, struct arena *arena, struct ledger_happening *out,
                         struct error *err)
{
    out->at.s = sqlite3_column_int64(s, 0);
    out->attempt = sqlite3_column_int(s, 1);
    return column_text(s, 2, arena, &out->kind, err) &&
           column_text(s, 3, arena, &out->text, err);
}

static bool column_checkpoint(sqlite3_stmt *s, struct arena *arena,
                              struct ledger_checkpoint *out, struct error *err)
{
    out->at.s = sqlite3_column_int64(s, 1);
    out->bytes = column_number(s, 2);
    out->step = column_number(s, 3);
    out->metric = column_number(s, 4);
    out->took_s = column_number(s, 5);
    out->cost.nano = column_money(s, 6);
    out->kept = sqlite3_column_int(s, 7) != 0;
    out->best = sqlite3_column_int(s, 8) != 0;
    return column_text(s, 0, arena, &out->path, err);
}

static bool read_events(struct ledger *l, const char *id, struct arena *arena,
                        const struct ledger_happening **out, size_t *count, struct error *err)
{
    sqlite3_stmt *s = rows_of(l, SQL_EVENTS, id, count, err);
    struct ledger_happening *list =
        s != NULL ? arena_array(arena, struct ledger_happening, *count, err) : NULL;
    int row = 1;

    for (size_t i = 0; list != NULL && row > 0 && i < *count; i++) {
        row = ledger_row(l, s, "read", err);
        if (row > 0 && !column_event(s, arena, &list[i], err))
            row = -1;
    }
    (void)sqlite3_reset(s);
    *out = list;
    return list != NULL && row > 0;
}

static bool read_checkpoints(struct ledger *l, const char *id, struct arena *arena,
                             const struct ledger_checkpoint **out, size_t *count,
                             struct error *err)
{
    sqlite3_stmt *s = rows_of(l, SQL_CHECKPOINTS, id, count, err);
    struct ledger_checkpoint *list =
        s != NULL ? arena_array(arena, struct ledger_checkpoint, *count, err) : NULL;
    int row = 1;

    for (size_t i = 0; list != NULL && row > 0 && i < *count; i++) {
        row = ledger_row(l, s, "read", err);
        if (row > 0 && !column_checkpoint(s, arena, &list[i], err))
            row = -1;
    }
    (void)sqlite3_reset(s);
    *out = list;
    return list != NULL && row > 0;
}

/* Rows are counted, then read: both at the same moment of the ledger. */
static bool start_read(struct ledger *l, size_t *count, bool *tables, struct error *err)
{
    *count = 0;
    return ledger_has_tables(l, tables, err) &&
           (!*tables || ledger_exec(l, SQL_BEGIN_READ, "read", err));
}

bool ledger_events(struct ledger *l, const char *id, struct arena *arena,
                   const struct ledger_happening **out, size_t *count, struct error *err)
{
    bool tables;

    if (!start_read(l, count, &tables, err))
        return false;
    return !tables || ledger_finish(l, read_events(l, id, arena, out, count, err), err);
}

bool ledger_checkpoints(struct ledger *l, const char *id, struct arena *arena,
                        const struct ledger_checkpoint **out, size_t *count, struct error *err)
{
    bool tables;

    if (!start_read(l, count, &tables, err))
        return false;
    return !tables || ledger_finish(l, read_checkpoints(l, id, arena, out, count, err), err);
}
