/* Named texts for all who use the ledger. */
#include "ledger/budgets.h"
#include "ledger/internal.h"

static const char read_sql[] = "SELECT words, changed FROM documents WHERE name = ?1";
static const char put_sql[] =
    "INSERT INTO documents(name, words, changed, owner) VALUES(?1, ?2, ?3, ?4)"
    " ON CONFLICT(name) DO UPDATE SET words = excluded.words, changed = excluded.changed,"
    " owner = excluded.owner";
static const char remove_sql[] = "DELETE FROM documents WHERE name = ?1";

static bool read_document(struct ledger *l, const char *name, struct arena *arena,
                          struct str *out, stamp *changed, struct error *err)
{
    struct query *s = ledger_query(l, read_sql, err);
    int row;

    if (s == NULL)
        return false;
    bind_text(s, 1, str_from(name));
    row = ledger_row(l, s, "read", err);
    if (row > 0) {
        changed->s = column_int(s, 1);
        if (!column_text(s, 0, arena, out, err))
            row = -1;
        query_reset(s);
    }
    return row >= 0;
}

bool ledger_document(struct ledger *l, const char *name, struct arena *arena, struct str *out,
                     stamp *changed, struct error *err)
{
    int begun = ledger_start_read(l, err);

    *out = (struct str){0};
    *changed = (stamp){-1};
    if (begun <= 0)
        return begun == 0;
    return ledger_finish(l, read_document(l, name, arena, out, changed, err), err);
}

static bool put_document(struct ledger *l, const char *name, struct str text, struct str owner,
                         stamp now, struct error *err)
{
    struct query *s = ledger_query(l, text.len > 0 ? put_sql : remove_sql, err);

    if (s == NULL)
        return false;
    bind_text(s, 1, str_from(name));
    if (text.len > 0) {
        bind_text(s, 2, text);
        bind_int(s, 3, now.s);
        bind_text(s, 4, owner);
    }
    return ledger_done(l, s, "write", err);
}

bool ledger_document_put(struct ledger *l, const char *name, struct str text, struct str owner,
                         stamp now, struct error *err)
{
    return ledger_start_write(l, err) &&
           ledger_finish(l, put_document(l, name, text, owner, now, err), err);
}
