/* PostgreSQL: transactions, whose tables they are, their version. All of them lie in a schema
 * of their own. */
#include "ledger/engine/postgres.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"

/* "Stin" */
#define BEGIN_ALONE "BEGIN READ WRITE; SELECT pg_advisory_xact_lock(1400400238)"

/* ---- transactions ---- */

static bool begin(struct pg_database *d, const char *words, const char *doing,
                  struct error *err)
{
    int64_t wait_ms = d->base.patience.ns / 1000000;
    char sql[256];
    bool ok;

    if (wait_ms < 1)
        wait_ms = 1; /* 0 is for ever */
    if (wait_ms > INT_MAX)
        wait_ms = INT_MAX;
    if (wait_ms == d->told_ms)
        (void)snprintf(sql, sizeof sql, "%s", words);
    else
        (void)snprintf(sql, sizeof sql, "SET lock_timeout TO %lld; %s", (long long)wait_ms,
                       words);
    ok = pg_do(d, sql, doing, err);
    if (ok)
        d->told_ms = wait_ms;
    return ok;
}

static bool gone(const struct pg_database *d)
{
    return d->conn == NULL || PQstatus(d->conn) != CONNECTION_OK;
}

bool pg_begin(struct database *db, enum engine_begin how, struct error *err)
{
    static const char *const words[] = {
        [ENGINE_READ] = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        [ENGINE_WRITE] = "BEGIN READ WRITE",
        [ENGINE_ALONE] = BEGIN_ALONE,
    };
    struct pg_database *d = (struct pg_database *)db;
    const char *doing = how == ENGINE_READ ? "read" : "write";
    bool ok;

    if (!pg_make_way(d, err) || !pg_connected(d, err))
        return false;
    ok = begin(d, words[how], doing, err);
    /* A server that has just restarted: nothing was done yet, so it can be done again. */
    if (!ok && gone(d) && pg_connected(d, err))
        ok = begin(d, words[how], doing, err);
    d->inside = true;
    if (!ok)
        pg_rollback(db);
    return ok;
}

bool pg_commit(struct database *db, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;
    PGresult *result = pg_run(d, "COMMIT", "write", err);
    bool ok = result != NULL;

    /* A transaction in which something failed is undone, and that is no error to the server. */
    if (ok && strcmp(PQcmdStatus(result), "COMMIT") != 0)
        ok = error_fail(err, ERROR_FAILED, "cannot write the ledger '%s': it was undone",
                        db->name);
    PQclear(result);
    if (ok)
        d->inside = false;
    return ok;
}

void pg_rollback(struct database *db)
{
    struct pg_database *d = (struct pg_database *)db;
    struct error ignored;

    pg_forget(d);
    if (!gone(d) && PQtransactionStatus(d->conn) != PQTRANS_IDLE)
        (void)!pg_do(d, "ROLLBACK", "write", &ignored);
    d->inside = false;
}

/* ---- whose it is ---- */

static bool is_true(const PGresult *result, int column)
{
    return PQntuples(result) > 0 && PQgetvalue(result, 0, column)[0] == 't';
}

static int64_t number(const PGresult *result, int column)
{
    int64_t value = 0;

    return PQntuples(result) > 0 && num_int(str_from(PQgetvalue(result, 0, column)), &value)
               ? value
               : 0;
}

static bool read_version(struct pg_database *d, int *version, struct error *err)
{
    PGresult *result = pg_run(d, "SELECT version FROM stint.about", "read", err);

    if (result == NULL)
        return false;
    *version = (int)number(result, 0);
    PQclear(result);
    return true;
}

bool pg_look(struct pg_database *d, int *version, struct error *err)
{
    PGresult *result = pg_run(
        d,
        "SELECT n.oid IS NOT NULL, has_schema_privilege(n.oid, 'USAGE'),"
        " (SELECT count(*) FROM pg_class WHERE relnamespace = n.oid),"
        " (SELECT count(*) FROM pg_class WHERE relnamespace = n.oid AND relname = 'about')"
        " FROM (SELECT 1) one LEFT JOIN pg_namespace n ON n.nspname = 'stint'",
        "read", err);
    bool there, usable, ours;
    int64_t tables;

    *version = 0;
    if (result == NULL)
        return false;
    there = is_true(result, 0);
    usable = is_true(result, 1);
    tables = number(result, 2);
    ours = number(result, 3) > 0;
    PQclear(result);
    if (!there || (usable && tables == 0))
        return true;
    if (!usable) {
        error_set(err, ERROR_SYSTEM, "cannot read the ledger '%s': '%.60s' has no right to it",
                  d->base.name, PQuser(d->conn));
        error_hint(err, "one of its administrators can say 'GRANT stint_reader TO %.60s'",
                   PQuser(d->conn));
        return false;
    }
    if (ours)
        return read_version(d, version, err);
    error_set(err, ERROR_INPUT, "the schema 'stint' of '%s' belongs to another program",
              d->base.name);
    error_hint(err, "name another database: --ledger postgres://HOST/DATABASE");
    return false;
}

bool pg_version(struct database *db, int *out, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;

    return pg_connected(d, err) && pg_look(d, out, err);
}

/* ---- rights ---- */

static bool ask_right(struct pg_database *d, const char *sql, bool *out, struct error *err)
{
    PGresult *result = pg_run(d, sql, "read", err);

    if (result == NULL)
        return false;
    *out = is_true(result, 0);
    PQclear(result);
    return true;
}

bool pg_ready(struct database *db, bool fresh, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;
    bool may = false;

    if (fresh) {
        if (!ask_right(d,
                       "SELECT coalesce((SELECT has_schema_privilege(oid, 'CREATE')"
                       " FROM pg_namespace WHERE nspname = 'stint'),"
                       " has_database_privilege(current_database(), 'CREATE'))",
                       &may, err))
            return false;
        if (may)
            return true;
        error_set(err, ERROR_SYSTEM,
                  "the ledger '%s' has no tables yet, and '%.60s' may not make them", db->name,
                  PQuser(d->conn));
        error_hint(err,
                   "'stint ledger init' makes them, as one who may: 'GRANT CREATE ON "
                   "DATABASE %.60s TO %.60s'",
                   PQdb(d->conn), PQuser(d->conn));
        return false;
    }
    if (!ask_right(d,
                   "SELECT has_table_privilege('stint.runs', 'INSERT') AND"
                   " has_table_privilege('stint.runs', 'UPDATE')",
                   &may, err))
        return false;
    if (may)
        return true;
    error_set(err, ERROR_SYSTEM, "cannot write the ledger '%s': '%.60s' may only read it",
              db->name, PQuser(d->conn));
    error_hint(err, "one of its administrators can say 'GRANT stint_writer TO %.60s'",
               PQuser(d->conn));
    return false;
}

/* ---- versions ---- */

/* The schema, if it is not there. If it is, its owner makes the tables, where that is a group
 * of which we are one: so that every administrator can change them later. */
static bool be_owner(struct pg_database *d, struct error *err)
{
    static const char sql[] =
        "SELECT quote_ident(pg_get_userbyid(nspowner)),"
        " nspowner <> (SELECT oid FROM pg_roles WHERE rolname = current_user) AND"
        " pg_has_role(nspowner, 'MEMBER') FROM pg_namespace WHERE nspname = 'stint'";
    PGresult *result = pg_run(d, sql, "read", err);
    char set[160] = "";

    if (result == NULL)
        return false;
    if (PQntuples(result) == 0)
        (void)snprintf(set, sizeof set,
                       "CREATE SCHEMA stint; CREATE TABLE stint.about("
                       "program TEXT NOT NULL, version BIGINT NOT NULL)");
    else if (is_true(result, 1))
        (void)snprintf(set, sizeof set, "SET LOCAL ROLE %.100s", PQgetvalue(result, 0, 0));
    PQclear(result);
    return set[0] == '\0' || pg_do(d, set, "make the tables of", err);
}

bool pg_make(struct database *db, const char *sql, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;
    struct buf text = buf_new(db->alloc, BUF_MAX_OUTPUT);
    int values;
    bool ok;

    pg_translate(sql, true, &text, &values);
    buf_char(&text, '\0');
    ok = buf_ok(&text, err) && be_owner(d, err) &&
         pg_do(d, buf_text(&text).at, "make the tables of", err);
    buf_free(&text);
    return ok;
}

bool pg_set_version(struct database *db, int version, struct error *err)
{
    char sql[160];

    (void)snprintf(sql, sizeof sql,
                   "DELETE FROM stint.about; INSERT INTO stint.about(program, version)"
                   " VALUES('stint', %d)",
                   version);
    return pg_do((struct pg_database *)db, sql, "make the tables of", err);
}

bool pg_next_keys(struct database *db, const char *table, const char *key, struct error *err)
{
    char sql[512];

    (void)snprintf(sql, sizeof sql,
                   "SELECT setval(pg_get_serial_sequence('stint.%.60s', '%.60s'),"
                   " coalesce(max(%.60s), 0) + 1, false) FROM stint.%.60s",
                   table, key, key, table);
    return pg_do((struct pg_database *)db, sql, "write", err);
}
