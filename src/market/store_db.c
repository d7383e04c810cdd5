/* SQLite: the file, its tables, rows in, and errors with what to do. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "market/store_internal.h"

#define APPLICATION 0x53747072 /* "Stpr": whose file it is */
#define VERSION 1
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

/* A rollback journal, not a log that is written ahead: commands that read for some milliseconds
 * neither make nor remove files beside the database, so that a folder that is read-only or on
 * another machine will do. Pages that change stay in memory until the end, so that readers wait
 * only then. Nothing is taken from the file on trust, and none of it is mapped: a file that is
 * cut short while it is read is an error, not a signal. */
static const char settings[] = "PRAGMA cache_size=-400; PRAGMA cache_spill=OFF;"
                               "PRAGMA mmap_size=0; PRAGMA trusted_schema=OFF;"
                               "PRAGMA cell_size_check=ON;";

/* Places are blobs of many offers: reading 40,000 rows would take longer than most commands. */
static const char tables[] =
    "CREATE TABLE names (id INTEGER PRIMARY KEY CHECK (id = 1), data BLOB NOT NULL) STRICT;"
    "CREATE TABLE feed (id INTEGER PRIMARY KEY, feed TEXT NOT NULL, provider TEXT NOT NULL,"
    " source TEXT NOT NULL, confidence INTEGER NOT NULL, scope INTEGER NOT NULL,"
    " read INTEGER NOT NULL, imported INTEGER NOT NULL, UNIQUE (feed, provider)) STRICT;"
    "CREATE TABLE reading (feed INTEGER NOT NULL, region TEXT NOT NULL,"
    " market INTEGER NOT NULL, at INTEGER NOT NULL, days BLOB NOT NULL,"
    " PRIMARY KEY (feed, region, market)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE place (id INTEGER PRIMARY KEY, provider TEXT NOT NULL, region TEXT NOT NULL,"
    " offers INTEGER NOT NULL, series INTEGER NOT NULL, data BLOB NOT NULL,"
    " UNIQUE (provider, region)) STRICT;"
    "CREATE TABLE history (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;"
    "PRAGMA application_id=" TEXT(APPLICATION) "; PRAGMA user_version=" TEXT(VERSION);

/* --- errors --- */

bool db_damaged(const char *name, const char *how, struct error *err)
{
    error_set(err, ERROR_DAMAGED, "the price store '%s' is damaged: %s", name, how);
    error_hint(err, STORE_DAMAGED_HINT);
    return false;
}

/* Describe a failed call. Returns false. */
static bool db_fail(sqlite3 *db, int rc, const char *name, struct error *err)
{
    int reason = db != NULL ? sqlite3_system_errno(db) : 0;

    switch (rc & 0xff) {
    case SQLITE_NOMEM:
        return error_memory(err);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return db_damaged(name, db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(rc), err);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        error_set(err, ERROR_FAILED,
                  "another program has been using the price store '%s' for %d seconds", name,
                  STORE_PATIENCE);
        error_hint(err, "try again; 'fuser -v %.200s' shows which", name);
        return false;
    case SQLITE_FULL:
        return error_fail(err, ERROR_SYSTEM, "cannot write '%s': no space left on the disk",
                          name);
    case SQLITE_READONLY:
        return error_fail(err, ERROR_SYSTEM, "cannot write '%s': it is read-only", name);
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
    case SQLITE_PERM:
        if (reason != 0)
            error_system(err, reason, "cannot use the price store '%s'", name);
        else
            error_set(err, ERROR_SYSTEM, "cannot use the price store '%s': %s", name,
                      sqlite3_errstr(rc));
        return false;
    default:
        return error_fail(err, ERROR_FAILED, "cannot use the price store '%s': %s", name,
                          db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(rc));
    }
}

/* --- statements --- */

bool db_run(sqlite3 *db, const char *sql, const char *name, struct error *err)
{
    int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);

    return rc == SQLITE_OK || db_fail(db, rc, name, err);
}

bool db_prepare(sqlite3 *db, const char *sql, const char *name, sqlite3_stmt **out,
                struct error *err)
{
    int rc = sqlite3_prepare_v2(db, sql, -1, out, NULL);

    return rc == SQLITE_OK || db_fail(db, rc, name, err);
}

int db_step(sqlite3_stmt *statement, const char *name, struct error *err)
{
    int rc = sqlite3_step(statement);

    if (rc == SQLITE_ROW)
        return 1;
    if (rc != SQLITE_DONE)
        (void)db_fail(sqlite3_db_handle(statement), rc, name, err);
    (void)sqlite3_reset(statement);
    return rc == SQLITE_DONE ? 0 : -1;
}

/* What is bound must last until the statement is used again. A failure leaves NULL, which the
 * tables refuse. */
static void db_bind_text(sqlite3_stmt *statement, int at, struct str text)
{
    (void)sqlite3_bind_text64(statement, at, text.len > 0 ? text.at : "", text.len,
                              SQLITE_STATIC, SQLITE_UTF8);
}

static void db_bind_blob(sqlite3_stmt *statement, int at, struct str blob)
{
    (void)sqlite3_bind_blob64(statement, at, blob.len > 0 ? blob.at : "", blob.len,
                              SQLITE_STATIC);
}

struct str db_column(sqlite3_stmt *statement, int at)
{
    const char *blob = sqlite3_column_blob(statement, at);

    return (struct str){blob, blob != NULL ? (size_t)sqlite3_column_bytes(statement, at) : 0};
}

/* The number that a question is answered with. */
static bool ask_number(sqlite3 *db, const char *sql, const char *name, int *out,
                       struct error *err)
{
    sqlite3_stmt *statement = NULL;
    bool ok = db_prepare(db, sql, name, &statement, err) && db_step(statement, name, err) >= 0;

    if (ok)
        *out = sqlite3_column_int(statement, 0);
    (void)sqlite3_finalize(statement);
    return ok;
}

/* --- the file --- */

bool db_open(const char *path, sqlite3 **out, struct error *err)
{
    int rc = sqlite3_open_v2(
        path, out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);

    if (rc == SQLITE_OK) {
        (void)sqlite3_busy_timeout(*out, STORE_PATIENCE * 1000);
        (void)sqlite3_db_config(*out, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        rc = sqlite3_exec(*out, settings, NULL, NULL, NULL);
    }
    if (rc == SQLITE_OK)
        return true;
    (void)db_fail(*out, rc, path, err);
    (void)sqlite3_close(*out);
    *out = NULL;
    return false;
}

bool db_make_file(const char *path, struct error *err)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t len = slash != NULL ? (size_t)(slash - path) : 0;
    int fd;

    if (access(path, F_OK) == 0)
        return true;
    if (strlen(path) >= sizeof folder - sizeof "-journal")
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", path);
    if (len > 0) {
        memcpy(folder, path, len);
        folder[len] = '\0';
        if (!fs_make_folders(folder, err))
            return false;
    }
    fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0 && errno != EEXIST) {
        error_system(err, errno, "cannot make the price store '%s'", path);
        return false;
    }
    if (fd >= 0)
        (void)close(fd);
    return true;
}

bool db_make_tables(sqlite3 *db, const char *name, struct error *err)
{
    return db_run(db, tables, name, err);
}

bool db_check(sqlite3 *db, const char *name, bool *empty, struct error *err)
{
    int version = 0, application = 0, count = 0;

    if (!ask_number(db, "PRAGMA user_version", name, &version, err) ||
        !ask_number(db, "PRAGMA application_id", name, &application, err) ||
        (version == 0 &&
         !ask_number(db, "SELECT count(*) FROM sqlite_schema", name, &count, err)))
        return false;
    *empty = version == 0 && count == 0;
    if (*empty || (application == APPLICATION && version == VERSION))
        return true;
    if (application != APPLICATION) {
        error_set(err, ERROR_INPUT, "'%s' is a SQLite file of another program", name);
        error_hint(err, "give another folder for prices with --prices DIR");
        return false;
    }
    error_set(err, ERROR_INPUT,
              "the price store '%s' has version %d; this program supports version %d", name,
              version, VERSION);
    error_hint(err, "use the newer stint that wrote it, or move the file away");
    return false;
}

/* --- rows --- */

bool db_writer_begin(struct db_writer *w, sqlite3 *db, const char *name, struct error *err)
{
    *w = (struct db_writer){.db = db, .name = name};
    return db_prepare(db, "INSERT OR REPLACE INTO names VALUES (1, ?)", name, &w->names, err) &&
           db_prepare(db, "INSERT OR REPLACE INTO feed VALUES (?, ?, ?, ?, ?, ?, ?, ?)", name,
                      &w->feed, err) &&
           db_prepare(db, "INSERT OR REPLACE INTO reading VALUES (?, ?, ?, ?, ?)", name,
                      &w->reading, err) &&
           db_prepare(db,
                      "INSERT INTO place (provider, region, offers, series, data)"
                      " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                      " offers = excluded.offers, series = excluded.series,"
                      " data = excluded.data",
                      name, &w->place, err) &&
           db_prepare(db, "INSERT OR REPLACE INTO history VALUES (?, ?)", name, &w->history,
                      err);
}

void db_writer_end(struct db_writer *w)
{
    (void)sqlite3_finalize(w->names);
    (void)sqlite3_finalize(w->feed);
    (void)sqlite3_finalize(w->reading);
    (void)sqlite3_finalize(w->place);
    (void)sqlite3_finalize(w->history);
}

bool db_write_names(struct db_writer *w, struct str blob, struct error *err)
{
    db_bind_blob(w->names, 1, blob);
    return db_step(w->names, w->name, err) == 0;
}

bool db_write_feed(struct db_writer *w, const struct feed_row *row, struct error *err)
{
    (void)sqlite3_bind_int64(w->feed, 1, row->id);
    db_bind_text(w->feed, 2, row->is.feed);
    db_bind_text(w->feed, 3, row->is.provider);
    db_bind_text(w->feed, 4, row->is.from);
    (void)sqlite3_bind_int(w->feed, 5, (int)row->is.confidence);
    (void)sqlite3_bind_int(w->feed, 6, (int)row->is.scope);
    (void)sqlite3_bind_int64(w->feed, 7, row->is.read.s);
    (void)sqlite3_bind_int64(w->feed, 8, row->is.imported.s);
    return db_step(w->feed, w->name, err) == 0;
}

bool db_write_reading(struct db_writer *w, int64_t feed, struct str region, unsigned market,
                      int64_t at, struct str days, struct error *err)
{
    (void)sqlite3_bind_int64(w->reading, 1, feed);
    db_bind_text(w->reading, 2, region);
    (void)sqlite3_bind_int(w->reading, 3, (int)market);
    (void)sqlite3_bind_int64(w->reading, 4, at);
    db_bind_blob(w->reading, 5, days);
    return db_step(w->reading, w->name, err) == 0;
}

bool db_write_place(struct db_writer *w, struct str provider, struct str region,
                    const struct place_writer *place, struct error *err)
{
    db_bind_text(w->place, 1, provider);
    db_bind_text(w->place, 2, region);
    (void)sqlite3_bind_int64(w->place, 3, place->offers);
    (void)sqlite3_bind_int64(w->place, 4, place->series);
    db_bind_blob(w->place, 5, buf_text(place->out));
    return db_step(w->place, w->name, err) == 0;
}

bool db_write_history(struct db_writer *w, int64_t id, struct str blob, struct error *err)
{
    (void)sqlite3_bind_int64(w->history, 1, id);
    db_bind_blob(w->history, 2, blob);
    return db_step(w->history, w->name, err) == 0;
}
