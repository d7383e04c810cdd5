/* Named texts for all who use the ledger. */
#include "ledger/budgets.h"
#include "ledger/engine/list.h"

static const char read_sql[] = "SELECT words, changed FROM documents WHERE name = ?1";
static const char put_sql[] =
    "INSERT INTO documents(name, words, changed, owner) VALUES(?1, ?2, ?3, ?4)"
    " ON CONFLICT(name) DO UPDATE SET words = excluded.words, changed = excluded.changed,"
    " owner = excluded.owner";
static const char list_sql[] =
    "SELECT name, words, owner, changed FROM documents WHERE name LIKE ?1 ORDER BY name";
static const char remove_sql[] = "DELETE FROM documents WHERE name = ?1";

static bool read_ledger_document(struct ledger *l, const char *name, struct arena *arena,
                                 struct str *out, stamp *changed, struct error *err)
{
    struct query *q = ledger_query(l, read_sql, VALUES(as_text(str_from(name))), err);
    int row = ledger_row(l, q, "read", err);

    if (row > 0) {
        changed->s = column_int(q, 1);
        if (!column_text(q, 0, arena, out, err))
            row = -1;
    }
    query_reset(q);
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
    return ledger_finish(l, read_ledger_document(l, name, arena, out, changed, err), err);
}

bool ledger_document_put(struct ledger *l, const char *name, struct str text, struct str owner,
                         stamp now, struct error *err)
{
    struct value key = as_text(str_from(name));

    return ledger_start_write(l, err) &&
           ledger_finish(
               l,
               text.len > 0
                   ? ledger_run(l, put_sql,
                                VALUES(key, as_text(text), as_int(now.s), as_text(owner)), err)
                   : ledger_run(l, remove_sql, VALUES(key), err),
               err);
}

bool ledger_documents(struct ledger *l, const char *prefix, struct arena *arena,
                      const struct ledger_document **out, size_t *count, struct error *err)
{
    static const struct field members[] = {
        MEMBER(TEXT, ledger_document, name),
        MEMBER(TEXT, ledger_document, text),
        MEMBER(TEXT, ledger_document, owner),
        MEMBER(COUNT, ledger_document, changed),
    };
    static const struct ledger_list list = LEDGER_LIST(struct ledger_document, members);
    struct buf pattern = buf_new(arena->alloc, 256);
    struct str text;

    buf_adds(&pattern, prefix);
    buf_char(&pattern, '%');
    return buf_keep(&pattern, arena, &text, err) &&
           ledger_list_all(l, list_sql, VALUES(as_text(text)), &list, arena,
                           LIST_OUT(out, count), err);
}
