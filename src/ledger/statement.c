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

/* The statement of SQLite behind a query. */
static sqlite3_stmt *stmt(struct query *q)
{
    return (sqlite3_stmt *)(void *)q;
}

static struct query *prepare(struct ledger *l, const char *sql, struct error *err)
{
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v3(l->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL);

    if (rc != SQLITE_OK)
        (void)ledger_fail(l, rc, "use", err);
    return (struct query *)(void *)s;
}

struct query *ledger_statement(struct ledger *l, enum statement which, struct error *err)
{
    struct query **kept = &l->statements[which];

    if (*kept == NULL)
        *kept = prepare(l, ledger_sql[which], err);
    else
        query_reset(*kept);
    return *kept;
}

struct query *ledger_query(struct ledger *l, const char *sql, struct error *err)
{
    for (size_t i = 0; i < l->asked_count; i++)
        if (l->asked[i].sql == sql) {
            query_reset(l->asked[i].query);
            return l->asked[i].query;
        }
    if (l->asked_count == LEDGER_ASKED) {
        error_set(err, ERROR_FAILED, "the ledger keeps no more than %d statements",
                  LEDGER_ASKED);
        return NULL;
    }
    l->asked[l->asked_count] = (struct ledger_asked){sql, prepare(l, sql, err)};
    return l->asked[l->asked_count].query == NULL ? NULL : l->asked[l->asked_count++].query;
}

bool ledger_done(struct ledger *l, struct query *s, const char *doing, struct error *err)
{
    int rc;

    do
        rc = sqlite3_step(stmt(s));
    while (rc == SQLITE_ROW);
    if (rc != SQLITE_DONE)
        (void)ledger_fail(l, rc, doing, err);
    (void)sqlite3_reset(stmt(s));
    return rc == SQLITE_DONE;
}

bool ledger_exec(struct ledger *l, enum statement which, const char *doing, struct error *err)
{
    struct query *s = ledger_statement(l, which, err);

    return s != NULL && ledger_done(l, s, doing, err);
}

int ledger_row(struct ledger *l, struct query *s, const char *doing, struct error *err)
{
    int rc = sqlite3_step(stmt(s));

    if (rc == SQLITE_ROW)
        return 1;
    if (rc != SQLITE_DONE)
        (void)ledger_fail(l, rc, doing, err);
    (void)sqlite3_reset(stmt(s));
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

bool ledger_start_alone(struct ledger *l, struct error *err)
{
    return ledger_start_write(l, err);
}

int64_t ledger_last_key(const struct ledger *l)
{
    return sqlite3_last_insert_rowid(l->db);
}

void query_reset(struct query *q)
{
    (void)sqlite3_reset(stmt(q));
}

/* A value that cannot be bound for want of memory stays NULL, or the step fails: either way the
 * step says so, since the statement's own memory comes from the same place. */
void bind_int(struct query *q, int at, int64_t value)
{
    (void)sqlite3_bind_int64(stmt(q), at, value);
}

void bind_real(struct query *q, int at, double value)
{
    (void)sqlite3_bind_double(stmt(q), at, value);
}

void bind_null(struct query *q, int at)
{
    (void)sqlite3_bind_null(stmt(q), at);
}

void bind_money(struct query *q, int at, int64_t nano)
{
    if (nano == MONEY_UNKNOWN)
        bind_null(q, at);
    else
        bind_int(q, at, nano);
}

void bind_number(struct query *q, int at, double value)
{
    if (isnan(value))
        bind_null(q, at);
    else
        bind_real(q, at, value);
}

void bind_count(struct query *q, int at, int64_t value)
{
    if (value < 0)
        bind_null(q, at);
    else
        bind_int(q, at, value);
}

void bind_text(struct query *q, int at, struct str text)
{
    (void)sqlite3_bind_text64(stmt(q), at, text.len > 0 ? text.at : "", text.len, SQLITE_STATIC,
                              SQLITE_UTF8);
}

void bind_text_or_null(struct query *q, int at, struct str text)
{
    if (text.len == 0)
        bind_null(q, at);
    else
        bind_text(q, at, text);
}

bool column_null(struct query *q, int at)
{
    return sqlite3_column_type(stmt(q), at) == SQLITE_NULL;
}

int64_t column_int(struct query *q, int at)
{
    return sqlite3_column_int64(stmt(q), at);
}

double column_real(struct query *q, int at)
{
    return sqlite3_column_double(stmt(q), at);
}

const char *column_word(struct query *q, int at)
{
    return (const char *)sqlite3_column_text(stmt(q), at);
}

struct str column_view(struct query *q, int at)
{
    const char *text = column_word(q, at);

    return (struct str){text, (size_t)sqlite3_column_bytes(stmt(q), at)};
}

int64_t column_money(struct query *q, int at)
{
    return column_null(q, at) ? MONEY_UNKNOWN : column_int(q, at);
}

double column_number(struct query *q, int at)
{
    return column_null(q, at) ? NAN : column_real(q, at);
}

int64_t column_count(struct query *q, int at)
{
    return column_null(q, at) ? -1 : column_int(q, at);
}

bool column_text(struct query *q, int at, struct arena *arena, struct str *out,
                 struct error *err)
{
    struct str text = column_view(q, at);
    char *copy;

    if (text.at == NULL && !column_null(q, at))
        return error_memory(err);
    copy = str_dup(text, arena, err);
    *out = (struct str){copy, text.len};
    return copy != NULL;
}
