/* Statements that are prepared once, values in and out of them, and errors in words. */
#include "ledger/internal.h"

#include <math.h>
#include <string.h>

static bool fail_system(struct ledger *l, int rc, const char *doing, struct error *err)
{
    int reason = sqlite3_system_errno(l->db);

    if (reason != 0)
        error_system(err, reason, "cannot %s the ledger '%s'", doing, l->path);
    else
        error_set(err, ERROR_SYSTEM, "cannot %s the ledger '%s': %s", doing, l->path,
                  sqlite3_errstr(rc));
    return false;
}

bool ledger_fail(struct ledger *l, int rc, const char *doing, struct error *err)
{
    switch (rc & 0xff) {
    case SQLITE_NOMEM:
        return error_memory(err);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        error_set(err, ERROR_FAILED, "cannot %s the ledger '%s': another program is at it",
                  doing, l->path);
        error_hint(err, "try again; 'fuser -v %.200s' shows who has it open", l->path);
        return false;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        error_set(err, ERROR_INPUT, "the ledger '%s' is damaged: %s", l->path,
                  l->db != NULL ? sqlite3_errmsg(l->db) : sqlite3_errstr(rc));
        error_hint(err, "move it away (a new one is made), and save what is left with "
                        "'sqlite3 OLD .recover | sqlite3 NEW'");
        return false;
    case SQLITE_READONLY:
        error_set(err, ERROR_SYSTEM, "cannot %s the ledger '%s': it may not be written to",
                  doing, l->path);
        error_hint(err, "look at the rights of the file and its folder, or give another with "
                        "--ledger FILE");
        return false;
    case SQLITE_FULL:
        error_set(err, ERROR_SYSTEM, "cannot %s the ledger '%s': no space is left", doing,
                  l->path);
        return false;
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
    case SQLITE_PERM:
        return fail_system(l, rc, doing, err);
    default:
        return error_fail(err, ERROR_FAILED, "cannot %s the ledger '%s': %s", doing, l->path,
                          l->db != NULL ? sqlite3_errmsg(l->db) : sqlite3_errstr(rc));
    }
}

sqlite3_stmt *ledger_statement(struct ledger *l, enum statement which, struct error *err)
{
    sqlite3_stmt **kept = &l->statements[which];
    int rc;

    if (*kept != NULL) {
        (void)sqlite3_reset(*kept);
        return *kept;
    }
    rc =
        sqlite3_prepare_v3(l->db, ledger_sql[which], -1, SQLITE_PREPARE_PERSISTENT, kept, NULL);
    if (rc != SQLITE_OK)
        (void)ledger_fail(l, rc, "use", err);
    return *kept;
}

bool ledger_done(struct ledger *l, sqlite3_stmt *s, const char *doing, struct error *err)
{
    int rc;

    do
        rc = sqlite3_step(s);
    while (rc == SQLITE_ROW);
    if (rc != SQLITE_DONE)
        (void)ledger_fail(l, rc, doing, err);
    (void)sqlite3_reset(s);
    return rc == SQLITE_DONE;
}

bool ledger_exec(struct ledger *l, enum statement which, const char *doing, struct error *err)
{
    sqlite3_stmt *s = ledger_statement(l, which, err);

    return s != NULL && ledger_done(l, s, doing, err);
}

int ledger_row(struct ledger *l, sqlite3_stmt *s, const char *doing, struct error *err)
{
    int rc = sqlite3_step(s);

    if (rc == SQLITE_ROW)
        return 1;
    if (rc != SQLITE_DONE)
        (void)ledger_fail(l, rc, doing, err);
    (void)sqlite3_reset(s);
    return rc == SQLITE_DONE ? 0 : -1;
}

bool ledger_start_write(struct ledger *l, struct error *err)
{
    if (!ledger_exec(l, SQL_BEGIN_WRITE, "write", err))
        return false;
    if (!l->fresh)
        return true;
    if (ledger_step_up(l, ledger_steps, ledger_step_count, err))
        return true;
    return ledger_finish(l, false, err);
}

bool ledger_finish(struct ledger *l, bool ok, struct error *err)
{
    struct error ignored;

    if (ok && ledger_exec(l, SQL_COMMIT, "write", err)) {
        l->fresh = false;
        return true;
    }
    l->open.number = 0; /* what is known of it may have been undone */
    if (sqlite3_get_autocommit(l->db) == 0 && !ledger_exec(l, SQL_ROLLBACK, "write", &ignored))
        (void)sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

int ledger_start_read(struct ledger *l, struct error *err)
{
    bool tables;

    if (!ledger_has_tables(l, &tables, err))
        return -1;
    if (!tables)
        return 0;
    return ledger_exec(l, SQL_BEGIN_READ, "read", err) ? 1 : -1;
}

bool ledger_has_tables(struct ledger *l, bool *out, struct error *err)
{
    int version = LEDGER_VERSION;

    if (l->fresh && !ledger_version(l, &version, err))
        return false;
    l->fresh = version == 0; /* another program may have begun it */
    *out = !l->fresh;
    return true;
}

/* A value that cannot be bound for want of memory stays NULL, or the step fails: either way the
 * step says so, since the statement's own memory comes from the same place. Text is not copied:
 * it outlives the step. */
void bind_money(sqlite3_stmt *s, int at, int64_t nano)
{
    if (nano == MONEY_UNKNOWN)
        (void)sqlite3_bind_null(s, at);
    else
        (void)sqlite3_bind_int64(s, at, nano);
}

void bind_number(sqlite3_stmt *s, int at, double value)
{
    if (isnan(value))
        (void)sqlite3_bind_null(s, at);
    else
        (void)sqlite3_bind_double(s, at, value);
}

void bind_count(sqlite3_stmt *s, int at, int64_t value)
{
    if (value < 0)
        (void)sqlite3_bind_null(s, at);
    else
        (void)sqlite3_bind_int64(s, at, value);
}

void bind_text(sqlite3_stmt *s, int at, struct str text)
{
    (void)sqlite3_bind_text64(s, at, text.len > 0 ? text.at : "", text.len, SQLITE_STATIC,
                              SQLITE_UTF8);
}

int64_t column_money(sqlite3_stmt *s, int at)
{
    return sqlite3_column_type(s, at) == SQLITE_NULL ? MONEY_UNKNOWN
                                                     : sqlite3_column_int64(s, at);
}

double column_number(sqlite3_stmt *s, int at)
{
    return sqlite3_column_type(s, at) == SQLITE_NULL ? NAN : sqlite3_column_double(s, at);
}

int64_t column_count(sqlite3_stmt *s, int at)
{
    return sqlite3_column_type(s, at) == SQLITE_NULL ? -1 : sqlite3_column_int64(s, at);
}

bool column_text(sqlite3_stmt *s, int at, struct arena *arena, struct str *out,
                 struct error *err)
{
    const unsigned char *text = sqlite3_column_text(s, at);
    int len = sqlite3_column_bytes(s, at);
    char *copy;

    if (text == NULL && sqlite3_column_type(s, at) != SQLITE_NULL)
        return error_memory(err);
    copy = str_dup((struct str){(const char *)text, (size_t)len}, arena, err);
    *out = (struct str){copy, (size_t)len};
    return copy != NULL;
}
