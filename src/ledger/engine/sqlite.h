/* sqlite.h - an open SQLite ledger: for sqlite.c, and for tests that look into the file. */
#ifndef LEDGER_ENGINE_SQLITE_H
#define LEDGER_ENGINE_SQLITE_H

#include <sqlite3.h>

#include "ledger/engine/engine.h"

struct sqlite_database {
    struct database base;
    sqlite3 *db;
    sqlite3_stmt *transactions[5]; /* prepared once: two of them for each second of a run */
};

#endif
