/* PostgreSQL: rows by the block. */
#include "ledger/engine/postgres.h"

#include <limits.h>

bool pg_copy_start(struct database *db, const char *sql, struct error *err)
{
    return pg_do((struct pg_database *)db, sql, "write", err);
}

bool pg_copy_put(struct database *db, struct str rows, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;

    while (rows.len > 0) {
        int len = rows.len > INT_MAX ? INT_MAX : (int)rows.len;

        if (d->conn == NULL || PQputCopyData(d->conn, rows.at, len) != 1)
            return pg_fail(d, NULL, "write", err);
        rows.at += len;
        rows.len -= (size_t)len;
    }
    return true;
}

bool pg_copy_end(struct database *db, bool ok, struct error *err)
{
    struct pg_database *d = (struct pg_database *)db;
    bool failed = false;
    PGresult *result;

    if (d->conn == NULL || PQputCopyEnd(d->conn, ok ? NULL : "given up") != 1)
        return pg_fail(d, NULL, "write", err);
    while (d->conn != NULL && (result = pg_result(d)) != NULL) {
        if (PQresultStatus(result) != PGRES_COMMAND_OK && !failed) {
            failed = true;
            (void)pg_fail(d, result, "write", err);
        }
        PQclear(result);
    }
    return !failed && (d->conn != NULL || pg_fail(d, NULL, "write", err));
}
