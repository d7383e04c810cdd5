/* sqlite.h - what the files of the SQLite engine share. */
#ifndef LEDGER_ENGINE_SQLITE_H
#define LEDGER_ENGINE_SQLITE_H

#include <sqlite3.h>

#include "ledger/engine/engine.h"

#define SQLITE_LEDGER 0x5374696e /* "Stin": whose file it is */

struct sqlite_database {
    struct database base;
    sqlite3 *db;
    sqlite3_stmt *transactions[5]; /* prepared once: two of them for each second of a run */
};

struct sqlite_query {
    struct query base;
    sqlite3_stmt *s;
};

/* The error of a failed call, in words a person can act on. Returns false. */
bool sqlite_fail(struct sqlite_database *d, int rc, const char *doing, struct error *err);

/* ---- sqlite_statement.c ---- */

struct query *sqlite_prepare(struct database *db, const char *sql, struct error *err) MUST_USE;
void sqlite_free(struct query *q);
int sqlite_step(struct query *q, const char *doing, struct error *err) MUST_USE;
void sqlite_reset(struct query *q);
void sqlite_clear(struct query *q);
void sqlite_bind_int(struct query *q, int at, int64_t value);
void sqlite_bind_real(struct query *q, int at, double value);
void sqlite_bind_text(struct query *q, int at, struct str text);
void sqlite_bind_word(struct query *q, int at, struct str word);
void sqlite_bind_null(struct query *q, int at);
void sqlite_bind_blob(struct query *q, int at, struct str bytes);
bool sqlite_column_null(struct query *q, int at);
int64_t sqlite_column_int(struct query *q, int at);
double sqlite_column_real(struct query *q, int at);
struct str sqlite_column_text(struct query *q, int at);
void sqlite_column_blob(struct query *q, int at, struct buf *out);

/* ---- sqlite_tables.c ---- */

bool sqlite_begin(struct database *db, enum engine_begin how, struct error *err) MUST_USE;
bool sqlite_commit(struct database *db, struct error *err) MUST_USE;
void sqlite_rollback(struct database *db);
void sqlite_hasten(struct database *db, bool on);
void sqlite_bulk_mode(struct database *db, bool on);
void sqlite_shrink(struct database *db);
bool sqlite_version(struct database *db, int *out, struct error *err) MUST_USE;
bool sqlite_make(struct database *db, const char *sql, struct error *err) MUST_USE;
bool sqlite_set_version(struct database *db, int version, struct error *err) MUST_USE;
bool sqlite_back_up(struct database *db, int version, struct error *err) MUST_USE;

/* ---- sqlite_amount.c ---- */

/* Teach the connection SUM_AMOUNT. A code of SQLite. */
int sqlite_add_amounts(sqlite3 *db) MUST_USE;

#endif
