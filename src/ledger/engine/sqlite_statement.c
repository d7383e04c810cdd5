/* SQLite: statements, values in and out of them, and errors in words. */
#include "ledger/engine/sqlite.h"

#include <string.h>

static bool hint_space(const char *name, struct error *err)
{
    error_hint(err,
               "what was kept before is whole; 'df -h %.200s' shows what is left ('ulimit -f' "
               "limits files, too): make room",
               name);
    return false;
}

static bool fail_system(struct sqlite_database *d, int rc, const char *doing, struct error *err)
{
    int reason = sqlite3_system_errno(d->db);

    if (reason != 0)
        error_system(err, reason, "cannot %s the ledger '%s'", doing, d->base.name);
    else
        error_set(err, ERROR_SYSTEM, "cannot %s the ledger '%s': %s", doing, d->base.name,
                  sqlite3_errstr(rc));
    return rc == SQLITE_IOERR_WRITE && hint_space(d->base.name, err);
}

bool sqlite_fail(struct sqlite_database *d, int rc, const char *doing, struct error *err)
{
    const char *name = d->base.name;

    switch (rc & 0xff) {
    case SQLITE_NOMEM:
        return error_memory(err);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        error_set(err, ERROR_FAILED, "cannot %s the ledger '%s': another program is at it",
                  doing, name);
        error_hint(err, "try again; 'fuser -v %.200s' shows who has it open", name);
        return false;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        error_set(err, ERROR_INPUT, "the ledger '%s' is damaged: %s", name,
                  d->db != NULL ? sqlite3_errmsg(d->db) : sqlite3_errstr(rc));
        error_hint(err,
                   "move it away (a new one is made); save what is left with 'stint ledger "
                   "copy --damaged OLD NEW', or 'sqlite3 OLD .recover | sqlite3 NEW'");
        return false;
    case SQLITE_READONLY:
        error_set(err, ERROR_SYSTEM, "cannot %s the ledger '%s': it may not be written to",
                  doing, name);
        error_hint(err, "look at the rights of the file and its folder, or give another with "
                        "--ledger FILE");
        return false;
    case SQLITE_FULL:
        error_set(err, ERROR_SYSTEM, "cannot %s the ledger '%s': no space is left", doing,
                  name);
        return hint_space(name, err);
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
    case SQLITE_PERM:
        return fail_system(d, rc, doing, err);
    default:
        return error_fail(err, ERROR_FAILED, "cannot %s the ledger '%s': %s", doing, name,
                          d->db != NULL ? sqlite3_errmsg(d->db) : sqlite3_errstr(rc));
    }
}

static struct sqlite_database *database_of(struct query *q)
{
    return (struct sqlite_database *)q->db;
}

static sqlite3_stmt *stmt(struct query *q)
{
    return ((struct sqlite_query *)q)->s;
}

struct query *sqlite_prepare(struct database *db, const char *sql, struct error *err)
{
    struct sqlite_database *d = (struct sqlite_database *)db;
    struct sqlite_query *q = db->alloc->get(db->alloc->ctx, sizeof *q);
    int rc;

    if (q == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *q = (struct sqlite_query){.base = {.db = db}};
    rc = sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &q->s, NULL);
    if (rc == SQLITE_OK)
        return &q->base;
    (void)sqlite_fail(d, rc, "use", err);
    sqlite_free(&q->base);
    return NULL;
}

void sqlite_free(struct query *q)
{
    (void)sqlite3_finalize(stmt(q));
    q->db->alloc->put(q->db->alloc->ctx, q);
}

int sqlite_step(struct query *q, const char *doing, struct error *err)
{
    int rc = q->failed ? SQLITE_NOMEM : sqlite3_step(stmt(q));

    if (rc == SQLITE_ROW)
        return 1;
    if (rc != SQLITE_DONE)
        (void)sqlite_fail(database_of(q), rc, doing, err);
    (void)sqlite3_reset(stmt(q));
    return rc == SQLITE_DONE ? 0 : -1;
}

void sqlite_reset(struct query *q)
{
    (void)sqlite3_reset(stmt(q));
}

void sqlite_clear(struct query *q)
{
    (void)sqlite3_reset(stmt(q));
    (void)sqlite3_clear_bindings(stmt(q));
    q->failed = false;
}

static void bound(struct query *q, int rc)
{
    if (rc == SQLITE_NOMEM)
        q->failed = true;
}

void sqlite_bind_int(struct query *q, int at, int64_t value)
{
    bound(q, sqlite3_bind_int64(stmt(q), at, value));
}

void sqlite_bind_real(struct query *q, int at, double value)
{
    bound(q, sqlite3_bind_double(stmt(q), at, value));
}

void sqlite_bind_null(struct query *q, int at)
{
    bound(q, sqlite3_bind_null(stmt(q), at));
}

void sqlite_bind_text(struct query *q, int at, struct str text)
{
    bound(q, sqlite3_bind_text64(stmt(q), at, text.len > 0 ? text.at : "", text.len,
                                 SQLITE_STATIC, SQLITE_UTF8));
}

void sqlite_bind_blob(struct query *q, int at, struct str bytes)
{
    bound(q, sqlite3_bind_blob64(stmt(q), at, bytes.len > 0 ? bytes.at : "", bytes.len,
                                 SQLITE_STATIC));
}

void sqlite_bind_word(struct query *q, int at, struct str word)
{
    /* SQLITE_TRANSIENT, which is a cast of -1 that compilers warn of: this copy is our own. */
    char *copy = sqlite3_malloc64(word.len + 1);

    if (copy == NULL) {
        q->failed = true;
        return;
    }
    memcpy(copy, word.at, word.len);
    copy[word.len] = '\0';
    bound(q, sqlite3_bind_text64(stmt(q), at, copy, word.len, sqlite3_free, SQLITE_UTF8));
}

bool sqlite_column_null(struct query *q, int at)
{
    return sqlite3_column_type(stmt(q), at) == SQLITE_NULL;
}

int64_t sqlite_column_int(struct query *q, int at)
{
    return sqlite3_column_int64(stmt(q), at);
}

double sqlite_column_real(struct query *q, int at)
{
    return sqlite3_column_double(stmt(q), at);
}

struct str sqlite_column_text(struct query *q, int at)
{
    const char *text = (const char *)sqlite3_column_text(stmt(q), at);

    return (struct str){text, (size_t)sqlite3_column_bytes(stmt(q), at)};
}

void sqlite_column_blob(struct query *q, int at, struct buf *out)
{
    const char *bytes = sqlite3_column_blob(stmt(q), at);

    if (bytes == NULL && sqlite3_errcode(database_of(q)->db) == SQLITE_NOMEM)
        out->failed = ERROR_MEMORY;
    else if (bytes != NULL)
        buf_add(out, (struct str){bytes, (size_t)sqlite3_column_bytes(stmt(q), at)});
}
