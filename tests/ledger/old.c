/* old.c - a ledger of version 1, as the first release wrote it, with a few runs: for tests of
 * the upgrade. old FILE */
#include <sqlite3.h>
#include <stdio.h>

#include "ledger/internal.h"

static const char runs[] =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
    " INSERT INTO runs(run, id, name, folder, command, user, commit_id, started, attempts)"
    " SELECT i, printf('019b%04x-0000-7000-8000-%012x', i, i), 'run ' || i, '/home/ann', "
    "'train',"
    "  'ann', 'c0ffee', 1790000000 + i, 1 FROM n;"
    "INSERT INTO attempts(attempt, run, number, state, status, started, ended, host, boot, "
    "offer,"
    "  market, price_source, at, elapsed_ns, cost_nano)"
    " SELECT run, run, 1, 'done', 0, started, started + 60, 'box', 'b', 'aws/x/y', 'spot', "
    "'list',"
    "  started + 60, 60000000000, run * 1000000007 FROM runs;"
    "PRAGMA journal_mode=WAL; PRAGMA application_id=1400138094; PRAGMA user_version=1";

int main(int argc, char **argv)
{
    sqlite3 *db = NULL;

    if (argc == 2 && sqlite3_open(argv[1], &db) == SQLITE_OK &&
        sqlite3_exec(db, ledger_steps[0].sql, NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_exec(db, runs, NULL, NULL, NULL) == SQLITE_OK)
        return sqlite3_close(db) != SQLITE_OK;
    (void)fprintf(stderr, "old FILE: %s\n", db != NULL ? sqlite3_errmsg(db) : "no FILE");
    return 1;
}
