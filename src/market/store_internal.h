/* store_internal.h - what the files of the price store share. */
#ifndef MARKET_STORE_INTERNAL_H
#define MARKET_STORE_INTERNAL_H

#include <sqlite3.h>

#include "market/store_pack.h"

struct place_row {
    struct str provider, region;
    struct str blob; /* for a commit; else only while the store is read */
};

struct feed_row {
    int64_t id; /* its row, above 0: what places and readings name it by */
    struct store_feed is;
};

struct reading_row {
    struct store_read is;
    struct day_runs days; /* on which it was read completely */
};

struct store {
    const struct alloc *alloc;
    struct arena arena;
    sqlite3 *db; /* for histories; NULL when the store is empty */
    sqlite3_stmt *history;
    struct str *names;
    struct place_row *places;
    struct feed_row *feeds;
    struct reading_row *readings;
    struct offer_row *offers;
    struct series_row *series;
    size_t name_count, place_count, feed_count, reading_count, offer_count, series_count;
    bool damaged;
    char name[]; /* what errors call it */
};

/* --- store.c --- */

/* Read what the database holds, in a transaction of the caller's; for a commit with the blobs
 * of its places. */
struct store *store_read_database(sqlite3 *db, const char *name, bool blobs,
                                  const struct alloc *alloc, struct error *err) MUST_USE;

struct str store_text(const struct store *store, const struct offer_row *row,
                      enum offer_text which);

/* The history of a series, added to the rooms. */
bool store_history(const struct store *store, size_t series, struct points_room *points,
                   struct days_room *days, struct error *err) MUST_USE;

/* --- store_db.c --- */

#define STORE_PATIENCE 10 /* seconds to wait for others who use the database */

/* Open a database that exists. */
bool db_open(const char *path, sqlite3 **out, struct error *err) MUST_USE;

/* Make the file, for this user only, and its folder when they are missing. */
bool db_make_file(const char *path, struct error *err) MUST_USE;

/* Put the tables into a database that has none, in a transaction of the caller's. */
bool db_make_tables(sqlite3 *db, const char *name, struct error *err) MUST_USE;

/* Has it our tables? `empty` when it has none at all. False with the error set when it is newer
 * than this program, or another program's. */
bool db_check(sqlite3 *db, const char *name, bool *empty, struct error *err) MUST_USE;

/* Fails with ERROR_DAMAGED. */
bool db_damaged(const char *name, const char *how, struct error *err);

bool db_run(sqlite3 *db, const char *sql, const char *name, struct error *err) MUST_USE;
bool db_prepare(sqlite3 *db, const char *sql, const char *name, sqlite3_stmt **out,
                struct error *err) MUST_USE;
/* 1 for a row, 0 at the end, -1 with the error set. */
int db_step(sqlite3_stmt *statement, const char *name, struct error *err) MUST_USE;

/* Valid until the next step. */
struct str db_column(sqlite3_stmt *statement, int at);

/* --- writing a row: store_db.c --- */

struct db_writer {
    sqlite3 *db;
    const char *name;
    sqlite3_stmt *names, *feed, *reading, *place, *history;
};

bool db_writer_begin(struct db_writer *w, sqlite3 *db, const char *name,
                     struct error *err) MUST_USE;
void db_writer_end(struct db_writer *w);
bool db_write_names(struct db_writer *w, struct str blob, struct error *err) MUST_USE;
bool db_write_feed(struct db_writer *w, const struct feed_row *row, struct error *err) MUST_USE;
/* `feed` is a feed's row; `days` a blob of day_runs_pack(). */
bool db_write_reading(struct db_writer *w, int64_t feed, struct str region, unsigned market,
                      int64_t at, struct str days, struct error *err) MUST_USE;
bool db_write_place(struct db_writer *w, struct str provider, struct str region,
                    const struct place_writer *place, struct error *err) MUST_USE;
bool db_write_history(struct db_writer *w, int64_t id, struct str blob,
                      struct error *err) MUST_USE;

#endif
