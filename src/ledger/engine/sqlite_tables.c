/* SQLite: transactions, the version of the tables, and a copy before they are changed. */
#include "ledger/engine/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

static const char *const words[] = {[ENGINE_READ] = "BEGIN",
                                    [ENGINE_WRITE] = "BEGIN IMMEDIATE",
                                    [ENGINE_ALONE] = "BEGIN IMMEDIATE",
                                    "COMMIT",
                                    "ROLLBACK"};
enum { COMMIT = ENGINE_ALONE + 1, ROLLBACK };

static int say(struct sqlite_database *d, size_t which)
{
    sqlite3_stmt **s = &d->transactions[which];
    int rc = SQLITE_OK;

    _Static_assert(ARRAY_LEN(words) == ARRAY_LEN(d->transactions), "one statement for each");
    if (*s == NULL)
        rc = sqlite3_prepare_v3(d->db, words[which], -1, SQLITE_PREPARE_PERSISTENT, s, NULL);
    if (rc != SQLITE_OK)
        return rc;
    rc = sqlite3_step(*s);
    (void)sqlite3_reset(*s);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

bool sqlite_begin(struct database *db, enum engine_begin how, struct error *err)
{
    struct sqlite_database *d = (struct sqlite_database *)db;
    int rc = say(d, how);

    return rc == SQLITE_OK || sqlite_fail(d, rc, how == ENGINE_READ ? "read" : "write", err);
}

bool sqlite_commit(struct database *db, struct error *err)
{
    struct sqlite_database *d = (struct sqlite_database *)db;
    int rc = say(d, COMMIT);

    return rc == SQLITE_OK || sqlite_fail(d, rc, "write", err);
}

void sqlite_rollback(struct database *db)
{
    struct sqlite_database *d = (struct sqlite_database *)db;

    if (sqlite3_get_autocommit(d->db) == 0 && say(d, ROLLBACK) != SQLITE_OK)
        (void)sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL);
}

void sqlite_hasten(struct database *db, bool on)
{
    (void)sqlite3_exec(((struct sqlite_database *)db)->db,
                       on ? "PRAGMA synchronous=NORMAL" : "PRAGMA synchronous=FULL", NULL, NULL,
                       NULL);
}

void sqlite_bulk_mode(struct database *db, bool on)
{
    sqlite_hasten(db, on);
    (void)sqlite3_exec(((struct sqlite_database *)db)->db,
                       on ? "PRAGMA cache_size=-8192; PRAGMA wal_autocheckpoint=16384"
                          : "PRAGMA cache_size=-200; PRAGMA wal_autocheckpoint=256",
                       NULL, NULL, NULL);
}

/* Of the pages those that hold nothing, as a share of 100. */
static int free_share(struct sqlite_database *d)
{
    static const char sql[] = "SELECT freelist_count * 100 / page_count"
                              " FROM pragma_freelist_count, pragma_page_count";
    sqlite3_stmt *s = NULL;
    int share = 0;

    if (sqlite3_prepare_v2(d->db, sql, -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW)
        share = sqlite3_column_int(s, 0);
    (void)sqlite3_finalize(s);
    return share;
}

void sqlite_shrink(struct database *db)
{
    struct sqlite_database *d = (struct sqlite_database *)db;

    if (free_share(d) > 25)
        (void)sqlite3_exec(d->db, "VACUUM", NULL, NULL, NULL);
}

bool sqlite_version(struct database *db, int *out, struct error *err)
{
    struct sqlite_database *d = (struct sqlite_database *)db;
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(d->db, "PRAGMA user_version", -1, &s, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(s);
    if (rc == SQLITE_ROW)
        *out = sqlite3_column_int(s, 0);
    (void)sqlite3_finalize(s);
    return rc == SQLITE_ROW || sqlite_fail(d, rc, "read", err);
}

/* In SQLite's words amounts are text. */
bool sqlite_make(struct database *db, const char *sql, struct error *err)
{
    static const char amount[] = "AMOUNT";
    struct sqlite_database *d = (struct sqlite_database *)db;
    struct buf text = buf_new(db->alloc, BUF_MAX_OUTPUT);
    int rc;

    for (const char *next; (next = strstr(sql, amount)) != NULL;
         sql = next + sizeof amount - 1) {
        buf_add(&text, (struct str){sql, (size_t)(next - sql)});
        buf_adds(&text, "TEXT");
    }
    buf_adds(&text, sql);
    buf_char(&text, '\0');
    rc = text.failed ? SQLITE_NOMEM : sqlite3_exec(d->db, buf_text(&text).at, NULL, NULL, NULL);
    buf_free(&text);
    return rc == SQLITE_OK || sqlite_fail(d, rc, "make the tables of", err);
}

bool sqlite_set_version(struct database *db, int version, struct error *err)
{
    struct sqlite_database *d = (struct sqlite_database *)db;
    char set[96];
    int rc;

    (void)snprintf(set, sizeof set, "PRAGMA application_id=%d; PRAGMA user_version=%d",
                   SQLITE_LEDGER, version);
    rc = sqlite3_exec(d->db, set, NULL, NULL, NULL);
    return rc == SQLITE_OK || sqlite_fail(d, rc, "make the tables of", err);
}

/* The file that a copy is written to, with our rights from the start, and empty (VACUUM INTO
 * takes an empty file as it takes none). Of two programs that take the ledger forward at once
 * the second waits until the first has renamed its copy. -1 with the error set. */
static int take_temporary(const char *path, struct error *err)
{
    for (;;) {
        int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
        struct stat ours, there;

        if (fd < 0 || flock(fd, LOCK_EX) != 0 || fstat(fd, &ours) != 0) {
            error_system(err, errno, "cannot back the ledger up to '%s'", path);
            if (fd >= 0)
                (void)close(fd);
            return -1;
        }
        if (stat(path, &there) == 0 && ours.st_ino == there.st_ino && ftruncate(fd, 0) == 0)
            return fd;
        (void)close(fd);
    }
}

static int vacuum_into(struct sqlite_database *d, const char *path)
{
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(d->db, "VACUUM INTO ?", -1, &s, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(s, 1, path, -1, SQLITE_STATIC);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(s);
    (void)sqlite3_finalize(s);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Which version has the copy? Another program may have taken the ledger forward by then. */
static int copied_version(int fd)
{
    unsigned char at[4] = {0}; /* big-endian, at a fixed place of the header */

    if (pread(fd, at, sizeof at, 60) != (ssize_t)sizeof at)
        return -1;
    return (int)((unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3]);
}

bool sqlite_back_up(struct database *db, int version, struct error *err)
{
    struct sqlite_database *d = (struct sqlite_database *)db;
    char path[PATH_MAX], temporary[PATH_MAX + 8];
    int len = snprintf(path, sizeof path, "%s.v%d.bak", db->name, version);
    int fd, rc;
    bool ok, kept;

    if (len < 0 || (size_t)len >= sizeof path)
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", db->name);
    (void)snprintf(temporary, sizeof temporary, "%s.tmp", path);
    fd = take_temporary(temporary, err);
    if (fd < 0)
        return false;
    rc = vacuum_into(d, temporary);
    if (rc == SQLITE_OK && fsync(fd) != 0)
        rc = SQLITE_IOERR_FSYNC;
    ok = rc == SQLITE_OK || sqlite_fail(d, rc, "back up", err);
    kept = ok && copied_version(fd) == version && rename(temporary, path) == 0;
    if (ok && !kept && copied_version(fd) == version) {
        error_system(err, errno, "cannot back the ledger up to '%s'", path);
        ok = false;
    }
    if (!kept)
        (void)unlink(temporary);
    (void)close(fd);
    return ok;
}
