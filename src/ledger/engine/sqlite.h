/* sqlite.h - an open SQLite ledger: for sqlite.c, and for tests that look into the file. */
#ifndef LEDGER_ENGINE_SQLITE_H
#define LEDGER_ENGINE_SQLITE_H

#include <sqlite3.h>
#include <sys/types.h>

#include "ledger/engine/engine.h"

struct sqlite_database {
    struct database base;
    sqlite3 *db;
    instant waits_since;           /* for another program that writes */
    sqlite3_stmt *transactions[5]; /* prepared once: two of them for each second of a run */
    bool made;    /* this opening made the file: it is removed if nothing is written to it */
    bool alone;   /* no other program can open it meanwhile: its index is in our memory */
    bool unsure;  /* whether the file is still there: who made it may have removed it */
    dev_t device; /* which file it was */
    ino_t inode;
};

#endif
