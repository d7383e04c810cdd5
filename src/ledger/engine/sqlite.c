/* The engine for SQLite: the file and its permissions, statements, transactions, backups. */
#include "ledger/engine/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/fs.h"
#include "base/stop.h"

#define SQLITE_LEDGER 0x5374696e /* "Stin": whose file it is */

struct sqlite_query {
    struct query base;
    sqlite3_stmt *s;
};

/* ---- SUM_AMOUNT(x): the exact sum of decimals stored as text ---- */

/* A running sum. SQLite's memory is aligned to 8 bytes, which is not enough for a decimal. */
struct amount_sum {
    unsigned char decimal[sizeof(struct decimal)];
    bool any;
};

static void add_to_exact_sum(sqlite3_context *ctx, int count, sqlite3_value **values)
{
    struct amount_sum *sum = sqlite3_aggregate_context(ctx, sizeof *sum);
    struct decimal so_far, more;
    struct str text;

    (void)count;
    if (sum == NULL) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    if (sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    text.at = (const char *)sqlite3_value_text(values[0]);
    text.len = (size_t)sqlite3_value_bytes(values[0]);
    if (text.at == NULL) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    memcpy(&so_far, sum->decimal, sizeof so_far); /* zeros: nothing yet */
    if (!decimal_parse(text, &more)) {
        sqlite3_result_error(ctx, "an amount is not a number", -1);
        return;
    }
    if (!decimal_add(so_far, more, &so_far)) {
        sqlite3_result_error(ctx, "a sum has more than 38 digits", -1);
        return;
    }
    memcpy(sum->decimal, &so_far, sizeof so_far);
    sum->any = true;
}

static void sum_finish(sqlite3_context *ctx)
{
    const struct amount_sum *sum = sqlite3_aggregate_context(ctx, 0);
    struct buf text = buf_new(&alloc_system, 256);
    struct decimal d;

    if (sum == NULL || !sum->any) {
        sqlite3_result_null(ctx);
        return;
    }
    memcpy(&d, sum->decimal, sizeof d);
    decimal_write(d, &text);
    if (text.failed) {
        sqlite3_result_error_nomem(ctx);
    } else {
        char *copy = sqlite3_malloc64(text.len);

        if (copy == NULL) {
            sqlite3_result_error_nomem(ctx);
        } else {
            memcpy(copy, text.at, text.len);
            sqlite3_result_text64(ctx, copy, text.len, sqlite3_free, SQLITE_UTF8);
        }
    }
    buf_free(&text);
}

/* Teach the connection SUM_AMOUNT. A code of SQLite. */
static int sqlite_add_amounts(sqlite3 *db)
{
    return sqlite3_create_function_v2(db, "SUM_AMOUNT", 1,
                                      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                      NULL, NULL, add_to_exact_sum, sum_finish, NULL);
}

/* ---- errors and statements ---- */

static bool hint_space(const char *name, struct error *err)
{
    error_hint(
        err,
        "earlier records are intact; free some space: 'df -h %.200s' shows how much is left "
        "('ulimit -f' limits files, too)",
        name);
    return false;
}

static bool fail_system(struct sqlite_database *d, int rc, const char *doing, struct error *err)
{
    int reason = sqlite3_system_errno(d->db);

    if (reason != 0)
        error_system(err, reason, "cannot %s the ledger '%s'", doing, d->base.name);
    else
        error_set(err, ERROR_SYSTEM, "cannot %s the ledger '%s': %s", doing, d->base.name,
                  sqlite3_errstr(rc));
    err->kind = ERROR_AWAY;
    return (rc == SQLITE_IOERR_WRITE || reason == ENOSPC) && hint_space(d->base.name, err);
}

/* The error of a failed call, in words a person can act on. Returns false. */
static bool sqlite_fail(struct sqlite_database *d, int rc, const char *doing, struct error *err)
{
    const char *name = d->base.name;

    if (!stop_check(err)) /* the reason for most of what fails then */
        return false;
    switch (rc & 0xff) {
    case SQLITE_NOMEM:
        return error_memory(err);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        error_set(err, ERROR_AWAY, "cannot %s the ledger '%s': another program is using it",
                  doing, name);
        error_hint(err, "try again; 'fuser -v %.200s' shows which", name);
        return false;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        error_set(err, ERROR_DAMAGED, "the ledger '%s' is damaged: %s", name,
                  d->db != NULL ? sqlite3_errmsg(d->db) : sqlite3_errstr(rc));
        error_hint(
            err, "move it away (a new one is created); recover what is left with 'stint ledger "
                 "copy --damaged OLD NEW', or 'sqlite3 OLD .recover | sqlite3 NEW'");
        return false;
    case SQLITE_READONLY:
        error_set(err, ERROR_SYSTEM, "cannot %s the ledger '%s': it is read-only", doing, name);
        error_hint(err,
                   "check the permissions of the file and its folder, or use another file with "
                   "--ledger FILE");
        return false;
    case SQLITE_FULL:
        error_set(err, ERROR_AWAY, "cannot %s the ledger '%s': no space left", doing, name);
        return hint_space(name, err);
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
    case SQLITE_PERM:
        return fail_system(d, rc, doing, err);
    default:
        return error_fail(err, ERROR_FAILED, "cannot %s the ledger '%s': %s", doing, name,
                          d->db != NULL ? sqlite3_errmsg(d->db) : sqlite3_errstr(rc));
    }
}

static struct sqlite_database *sqlite_database_of(struct query *q)
{
    return (struct sqlite_database *)q->db;
}

static sqlite3_stmt *statement_of(struct query *q)
{
    return ((struct sqlite_query *)q)->s;
}

static void sqlite_free(struct query *q)
{
    (void)sqlite3_finalize(statement_of(q));
    q->db->alloc->put(q->db->alloc->ctx, q);
}

static struct query *sqlite_prepare(struct database *db, const char *sql, struct error *err)
{
    struct sqlite_database *d = (struct sqlite_database *)db;
    struct sqlite_query *q = db->alloc->get(db->alloc->ctx, sizeof *q);
    int rc;

    if (q == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *q = (struct sqlite_query){.base = {.db = db}};
    rc = sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &q->s, NULL);
    if (rc == SQLITE_OK)
        return &q->base;
    (void)sqlite_fail(d, rc, "use", err);
    sqlite_free(&q->base);
    return NULL;
}

static int sqlite_step(struct query *q, const char *doing, struct error *err)
{
    int rc = q->failed ? SQLITE_NOMEM : sqlite3_step(statement_of(q));

    if (rc == SQLITE_ROW)
        return 1;
    if (rc != SQLITE_DONE)
        (void)sqlite_fail(sqlite_database_of(q), rc, doing, err);
    (void)sqlite3_reset(statement_of(q));
    return rc == SQLITE_DONE ? 0 : -1;
}

static void sqlite_reset(struct query *q)
{
    (void)sqlite3_reset(statement_of(q));
}

static void sqlite_clear(struct query *q)
{
    (void)sqlite3_reset(statement_of(q));
    (void)sqlite3_clear_bindings(statement_of(q));
    q->failed = false;
}

/* SQLITE_TRANSIENT, which would copy it, is a cast of -1 that compilers warn of: this copy is
 * our own. */
static int bind_word(sqlite3_stmt *s, int at, struct str word)
{
    char *copy = sqlite3_malloc64(word.len + 1);

    if (copy == NULL)
        return SQLITE_NOMEM;
    memcpy(copy, word.at, word.len);
    copy[word.len] = '\0';
    return sqlite3_bind_text64(s, at, copy, word.len, sqlite3_free, SQLITE_UTF8);
}

static int bind_value(sqlite3_stmt *s, int at, const struct value *value)
{
    struct str text =
        value->kind == VALUE_TEXT || value->kind == VALUE_BLOB ? value->text : STR("");
    const char *bytes = text.len > 0 ? text.at : "";

    switch (value->kind) {
    case VALUE_INT:
        return sqlite3_bind_int64(s, at, value->whole);
    case VALUE_REAL:
        return sqlite3_bind_double(s, at, value->real);
    case VALUE_TEXT:
        return sqlite3_bind_text64(s, at, bytes, text.len, SQLITE_STATIC, SQLITE_UTF8);
    case VALUE_WORD:
        return bind_word(s, at, value->text);
    case VALUE_BLOB:
        return sqlite3_bind_blob64(s, at, bytes, text.len, SQLITE_STATIC);
    case VALUE_NULL:
    case VALUE_AMOUNT: /* no engine gets one */
        break;
    }
    return sqlite3_bind_null(s, at);
}

static void sqlite_bind(struct query *q, int at, const struct value *value)
{
    if (bind_value(statement_of(q), at, value) == SQLITE_NOMEM)
        q->failed = true;
}

static bool sqlite_column_null(struct query *q, int at)
{
    return sqlite3_column_type(statement_of(q), at) == SQLITE_NULL;
}

static int64_t sqlite_column_int(struct query *q, int at)
{
    return sqlite3_column_int64(statement_of(q), at);
}

static double sqlite_column_real(struct query *q, int at)
{
    return sqlite3_column_double(statement_of(q), at);
}

static struct str sqlite_column_text(struct query *q, int at)
{
    const char *text = (const char *)sqlite3_column_text(statement_of(q), at);

    return (struct str){text, (size_t)sqlite3_column_bytes(statement_of(q), at)};
}

static void sqlite_column_blob(struct query *q, int at, struct buf *out)
{
    const char *bytes = sqlite3_column_blob(statement_of(q), at);

    if (bytes == NULL && sqlite3_errcode(sqlite_database_of(q)->db) == SQLITE_NOMEM)
        out->failed = ERROR_MEMORY;
    else if (bytes != NULL)
        buf_add(out, (struct str){bytes, (size_t)sqlite3_column_bytes(statement_of(q), at)});
}

/* ---- transactions, versions, backups ---- */

static const char *const transaction_sql[] = {[ENGINE_READ] = "BEGIN",
                                              [ENGINE_WRITE] = "BEGIN IMMEDIATE",
                                              [ENGINE_ALONE] = "BEGIN IMMEDIATE",
                                              "COMMIT",
                                              "ROLLBACK"};
enum { COMMIT = ENGINE_ALONE + 1, ROLLBACK };

static int run_transaction_statement(struct sqlite_database *d, size_t which)
{
    sqlite3_stmt **s = &d->transactions[which];
    int rc = SQLITE_OK;

    _Static_assert(ARRAY_LEN(transaction_sql) == ARRAY_LEN(d->transactions),
                   "one statement for each");
    if (*s == NULL)
        rc = sqlite3_prepare_v3(d->db, transaction_sql[which], -1, SQLITE_PREPARE_PERSISTENT, s,
                                NULL);
    if (rc != SQLITE_OK)
        return rc;
    rc = sqlite3_step(*s);
    (void)sqlite3_reset(*s);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Is the file that was opened still the one of that name? Asked while it is locked: who removes
 * it holds the lock as well (remove_unused). */
static bool is_same_database_file(const struct sqlite_database *d)
{
    struct stat st;

    return stat(d->base.name, &st) == 0 && st.st_dev == d->device && st.st_ino == d->inode;
}

static bool sqlite_begin(struct database *db, enum engine_begin how, struct error *err)
{
    struct sqlite_database *d = (struct sqlite_database *)db;
    int rc = run_transaction_statement(d, how);

    if (rc != SQLITE_OK)
        return sqlite_fail(d, rc, how == ENGINE_READ ? "read" : "write", err);
    if (how == ENGINE_READ || !d->unsure)
        return true;
    if (is_same_database_file(d)) {
        d->unsure = false;
        return true;
    }
    (void)run_transaction_statement(d, ROLLBACK);
    error_set(err, ERROR_AWAY, "the ledger '%s' was removed by another command that failed",
              d->base.name);
    error_hint(err, "try again");
    return false;
}

static bool sqlite_commit(struct database *db, struct error *err)
{
    struct sqlite_database *d = (struct sqlite_database *)db;
    int rc = run_transaction_statement(d, COMMIT);

    return rc == SQLITE_OK || sqlite_fail(d, rc, "write", err);
}

static void sqlite_rollback(struct database *db)
{
    struct sqlite_database *d = (struct sqlite_database *)db;

    if (sqlite3_get_autocommit(d->db) == 0 &&
        run_transaction_statement(d, ROLLBACK) != SQLITE_OK)
        (void)sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL);
}

static void sqlite_hasten(struct database *db, bool on)
{
    (void)sqlite3_exec(((struct sqlite_database *)db)->db,
                       on ? "PRAGMA synchronous=NORMAL" : "PRAGMA synchronous=FULL", NULL, NULL,
                       NULL);
}

static void sqlite_bulk_mode(struct database *db, bool on)
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

static void sqlite_shrink(struct database *db)
{
    struct sqlite_database *d = (struct sqlite_database *)db;

    if (free_share(d) > 25)
        (void)sqlite3_exec(d->db, "VACUUM", NULL, NULL, NULL);
}

static int query_int(struct sqlite_database *l, const char *sql, int *out)
{
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(l->db, sql, -1, &s, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(s);
    if (rc == SQLITE_ROW) {
        *out = sqlite3_column_int(s, 0);
        rc = SQLITE_OK;
    }
    (void)sqlite3_finalize(s);
    return rc;
}

static bool sqlite_version(struct database *db, int *out, struct error *err)
{
    struct sqlite_database *d = (struct sqlite_database *)db;
    int rc = query_int(d, "PRAGMA user_version", out);

    return rc == SQLITE_OK || sqlite_fail(d, rc, "read", err);
}

static bool sqlite_mark(struct database *db, uint64_t *out, struct error *err)
{
    struct sqlite_database *d = (struct sqlite_database *)db;
    int mark = 0, rc = query_int(d, "PRAGMA data_version", &mark);

    *out = (uint64_t)mark;
    return rc == SQLITE_OK || sqlite_fail(d, rc, "read", err);
}

/* In SQLite's transaction_sql amounts are text. */
static bool sqlite_make(struct database *db, const char *sql, struct error *err)
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
    return rc == SQLITE_OK || sqlite_fail(d, rc, "create the tables of", err);
}

static bool sqlite_set_version(struct database *db, int version, struct error *err)
{
    struct sqlite_database *d = (struct sqlite_database *)db;
    char set[96];
    int rc;

    (void)snprintf(set, sizeof set, "PRAGMA application_id=%d; PRAGMA user_version=%d",
                   SQLITE_LEDGER, version);
    rc = sqlite3_exec(d->db, set, NULL, NULL, NULL);
    return rc == SQLITE_OK || sqlite_fail(d, rc, "create the tables of", err);
}

/* The file that a copy is written to, with our rights from the start, and empty (VACUUM INTO
 * takes an empty file as it takes none). Of two programs that upgrade the ledger at once
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

/* Which version has the copy? Another program may have upgraded the ledger by then. */
static int copied_version(int fd)
{
    unsigned char at[4] = {0}; /* big-endian, at a fixed place of the header */

    if (pread(fd, at, sizeof at, 60) != (ssize_t)sizeof at)
        return -1;
    return (int)((unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3]);
}

static bool sqlite_back_up(struct database *db, int version, struct error *err)
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

/* ---- opening the file ---- */

/* Pages of the write-ahead log before they are put into their places: a program that opens the
 * ledger first must read them all, so there are few. */
#define WAL_PAGES "128"

/* Little memory: a supervisor holds the ledger open for as long as its job runs. Nothing is
 * taken from the file on trust. */
static const char settings[] = "PRAGMA foreign_keys=ON; PRAGMA synchronous=FULL;"
                               "PRAGMA cache_size=-200; PRAGMA mmap_size=0;"
                               "PRAGMA wal_autocheckpoint=" WAL_PAGES ";"
                               "PRAGMA journal_size_limit=4194304;"
                               "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;";

/* File systems of other machines, on which the memory that a write-ahead log shares is not. */
static bool is_remote(const char *path)
{
    static const unsigned long remote[] = {
        0x6969,     /* NFS */
        0x517b,     /* SMB */
        0xff534d42, /* CIFS */
        0xfe534d42, /* SMB2 */
        0x65735546, /* FUSE, such as sshfs */
        0x01021997, /* 9P */
        0x00c36400, /* Ceph */
        0x0bd00bd0, /* Lustre */
        0x47504653, /* GPFS */
        0x19830326, /* BeeGFS */
        0x5346414f, /* AFS */
        0x73757245, /* Coda */
        0x7461636f, /* OCFS2 */
        0x01161970, /* GFS2 */
    };
    struct statfs fs;

    if (statfs(path, &fs) != 0)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(remote); i++)
        if (((unsigned long)fs.f_type & 0xffffffff) == remote[i])
            return true;
    return false;
}

/* What root makes in a folder of another user is that user's: a token that root adds to the
 * ledger of a service, before the service has written to it, must not lock the service out. */
static void give_to_owner(int fd, const char *folder)
{
    struct stat is;

    if (geteuid() == 0 && stat(folder, &is) == 0 && is.st_uid != 0)
        (void)!fchown(fd, is.st_uid, is.st_gid);
}

/* An empty file that only this user may read; what SQLite makes beside it gets its rights. */
static bool make_file(const char *path, bool *made, struct error *err)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX] = {slash == path ? '/' : '.'};
    size_t len = slash != NULL ? (size_t)(slash - path) : 0;
    int fd;

    *made = false;
    if (access(path, F_OK) == 0)
        return true;
    if (len >= sizeof folder)
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", path);
    if (len > 0) {
        memcpy(folder, path, len);
        folder[len] = '\0';
        if (!fs_make_folders(folder, err))
            return false;
    }
    fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0 && errno != EEXIST) {
        error_system(err, errno, "cannot create the ledger '%s'", path);
        error_hint(err, "use another file with --ledger FILE or STINT_LEDGER");
        return false;
    }
    if (fd >= 0) {
        *made = true;
        give_to_owner(fd, folder);
        (void)close(fd);
    }
    return true;
}

/* "?", "#" and "%" mean something in an address. */
static bool escape_uri(const char *path, char *to, size_t room)
{
    size_t used = 0;

    for (; *path != '\0' && used + 4 < room; path++) {
        bool plain = strchr("?#%", *path) == NULL;

        used += (size_t)(plain ? snprintf(to + used, room - used, "%c", *path)
                               : snprintf(to + used, room - used, "%%%02x",
                                          (unsigned)(unsigned char)*path));
    }
    return *path == '\0' && used > 0;
}

/* Where nothing may be written beside it, a ledger whose log is empty can still be read as it
 * is: its address for that. False when there is a log. */
static bool read_only_uri(const struct sqlite_database *l, char *uri, size_t room)
{
    static const char head[] = "file:", tail[] = "?immutable=1";
    char log[PATH_MAX + 8];
    struct stat st;

    (void)snprintf(log, sizeof log, "%s-wal", l->base.name);
    if ((stat(log, &st) == 0 && st.st_size > 0) || room < sizeof head + sizeof tail ||
        !escape_uri(l->base.name, uri + sizeof head - 1, room - sizeof head - sizeof tail))
        return false;
    memcpy(uri, head, sizeof head - 1);
    memcpy(uri + strlen(uri), tail, sizeof tail);
    return true;
}

/* The number that a question is answered with. */
/* A log that is written ahead lets readers in while a run is recorded. Two programs that make
 * the ledger at the same moment keep each other from it for a moment; where there is none, the
 * ledger is as correct without it. */
static int set_journal(struct sqlite_database *l, bool fresh)
{
    const char *sql =
        is_remote(l->base.name) ? "PRAGMA journal_mode=DELETE" : "PRAGMA journal_mode=WAL";
    int64_t tries = l->base.patience.ns / 5000000;
    int rc;

    /* There is nothing yet that a journal could bring back: it need not wait for the disk. */
    if (fresh)
        (void)sqlite3_exec(l->db, "PRAGMA journal_mode=MEMORY", NULL, NULL, NULL);
    rc = sqlite3_exec(l->db, sql, NULL, NULL, NULL);
    for (int64_t i = 0; rc == SQLITE_BUSY && i < tries && i < 200; i++) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        rc = sqlite3_exec(l->db, sql, NULL, NULL, NULL);
    }
    return rc;
}

/* What the file says of itself, at one moment. */
struct label {
    int version, application, tables;
};

static int read_label(struct sqlite_database *l, struct label *out)
{
    int rc = sqlite3_exec(l->db, "BEGIN", NULL, NULL, NULL);

    if (rc == SQLITE_OK)
        rc = query_int(l, "PRAGMA user_version", &out->version);
    if (rc == SQLITE_OK)
        rc = query_int(l, "PRAGMA application_id", &out->application);
    if (rc == SQLITE_OK && out->version == 0)
        rc = query_int(l, "SELECT count(*) FROM sqlite_schema", &out->tables);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(l->db, "COMMIT", NULL, NULL, NULL);
    return rc;
}

/* Whose file is it? */
static bool is_our_database(const struct sqlite_database *l, const struct label *label,
                            struct error *err)
{
    if (label->version == 0 ? label->tables == 0 : label->application == SQLITE_LEDGER)
        return true;
    error_set(err, ERROR_DAMAGED, "'%s' is another program's SQLite file", l->base.name);
    error_hint(err, "use another file with --ledger FILE or STINT_LEDGER");
    return false;
}

static bool is_database_there(const char *path, struct error *err)
{
    struct stat st;

    if (stat(path, &st) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return ledger_none(path, err);
        error_system(err, errno, "cannot open the ledger '%s'", path);
        return false;
    }
    if (S_ISREG(st.st_mode))
        return true;
    return error_fail(err, ERROR_DAMAGED, "the ledger '%s' is not a file", path);
}

#define BUSY_NS 5000000  /* between two tries while another program writes */
#define STEPS_EACH 10000 /* of SQLite's machine between two looks at stop_asked() */

static void set_patience(struct database *db, span patience)
{
    db->patience = patience;
}

/* Another program writes: try again for as long as there is patience. */
static int wait_for_writer(void *ctx, int tries)
{
    struct sqlite_database *d = ctx;
    instant now = clock_system.now(clock_system.ctx);

    if (tries == 0)
        d->waits_since = now;
    if (stop_asked() || now.ns - d->waits_since.ns >= d->base.patience.ns)
        return 0;
    (void)nanosleep(&(struct timespec){.tv_nsec = BUSY_NS}, NULL);
    return 1;
}

static int is_asked_to_stop(void *ctx)
{
    (void)ctx;
    return stop_asked();
}

static int open_sqlite_file(struct sqlite_database *l, const char *name, int flags, bool writer,
                            struct label *label)
{
    int rc = sqlite3_open_v2(name, &l->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                             NULL);

    if (rc != SQLITE_OK)
        return rc;
    (void)sqlite3_busy_handler(l->db, wait_for_writer, l);
    sqlite3_progress_handler(l->db, STEPS_EACH, is_asked_to_stop, NULL);
    (void)sqlite3_db_config(l->db, SQLITE_DBCONFIG_LOOKASIDE, NULL, 256, 100);
    (void)sqlite3_db_config(l->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    /* A run that ends must not wait until its log is put into place: readers do that. */
    (void)sqlite3_db_config(l->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, writer, NULL);
    if (l->alone) /* before anything is read */
        (void)sqlite3_exec(l->db, "PRAGMA locking_mode=EXCLUSIVE", NULL, NULL, NULL);
    rc = sqlite3_exec(l->db, settings, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite_add_amounts(l->db);
    return rc == SQLITE_OK ? read_label(l, label) : rc;
}

/* A full disk: readers of a log share an index of it beside the file, for which there is no
 * room when nobody else has it open. */
static bool is_index_refused(int rc)
{
    return rc == SQLITE_IOERR_SHMSIZE || rc == SQLITE_IOERR_SHMMAP ||
           rc == SQLITE_IOERR_SHMOPEN || rc == SQLITE_FULL;
}

static bool attach_as(struct sqlite_database *l, enum ledger_mode mode, int *version,
                      struct error *err)
{
    struct label label = {0};
    struct stat st;
    char uri[PATH_MAX + 64];
    int rc =
        open_sqlite_file(l, l->base.name, SQLITE_OPEN_READWRITE, mode != LEDGER_READ, &label);

    if (mode == LEDGER_READ &&
        ((rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY) &&
        read_only_uri(l, uri, sizeof uri)) {
        (void)sqlite3_close(l->db);
        l->db = NULL;
        rc = open_sqlite_file(l, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, false, &label);
    } else if (mode == LEDGER_READ && is_index_refused(rc)) {
        (void)sqlite3_close(l->db);
        l->db = NULL;
        l->alone = true; /* the index is in memory then */
        rc = open_sqlite_file(l, l->base.name, SQLITE_OPEN_READWRITE, true, &label);
    }
    *version = label.version;
    l->unsure = true;
    if (stat(l->base.name, &st) == 0) {
        l->device = st.st_dev;
        l->inode = st.st_ino;
    }
    return rc == SQLITE_OK ? is_our_database(l, &label, err) : sqlite_fail(l, rc, "open", err);
}

/* Has no table a row? An import that failed or was stopped leaves its own state, and groups
 * without lines, which alone mean nothing. */
static bool is_blank_database(struct sqlite_database *l)
{
    static const char names[] = "SELECT name FROM sqlite_schema WHERE type = 'table'"
                                " AND name NOT IN ('bill_state', 'bill_groups')";
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(l->db, names, -1, &s, NULL), rows = 0;

    while (rc == SQLITE_OK && rows == 0 && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        char sql[160];

        (void)snprintf(sql, sizeof sql,
                       "SELECT count(*) FROM (SELECT 1 FROM \"%.100s\" LIMIT 1)",
                       (const char *)sqlite3_column_text(s, 0));
        rc = query_int(l, sql, &rows);
    }
    (void)sqlite3_finalize(s);
    return rc == SQLITE_DONE && rows == 0;
}

/* A command that failed before it wrote anything leaves no file. Another may have opened it
 * in the meantime: it is removed only while nothing is in it and it is locked; the other
 * then finds that it is gone (sqlite_begin). */
static void remove_unused(struct sqlite_database *l)
{
    static const char *const beside[] = {"", "-wal", "-shm"};
    char path[PATH_MAX + 8];

    sqlite_rollback(&l->base);
    (void)sqlite3_busy_timeout(l->db, 0);
    if (sqlite3_exec(l->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
        return;
    if (is_blank_database(l))
        for (size_t i = 0; i < ARRAY_LEN(beside); i++) {
            (void)snprintf(path, sizeof path, "%s%s", l->base.name, beside[i]);
            (void)unlink(path);
        }
    (void)sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
}

static void close_database(struct database *db)
{
    struct sqlite_database *l = (struct sqlite_database *)db;

    if (l->made && l->db != NULL)
        remove_unused(l);
    for (size_t i = 0; i < ARRAY_LEN(l->transactions); i++)
        (void)sqlite3_finalize(l->transactions[i]);
    (void)sqlite3_close(l->db);
    db->alloc->put(db->alloc->ctx, l);
}

static bool make_ready_to_write(struct database *db, bool fresh, struct error *err)
{
    struct sqlite_database *l = (struct sqlite_database *)db;
    int rc;

    if (sqlite3_db_readonly(l->db, "main") == 1)
        return sqlite_fail(l, SQLITE_READONLY, "write", err);
    rc = set_journal(l, fresh);
    return rc == SQLITE_OK || (rc & 0xff) == SQLITE_BUSY || sqlite_fail(l, rc, "open", err);
}

static struct database *open_sqlite(const struct engine_options *options, int *version,
                                    struct error *err)
{
    const struct alloc *alloc = options->alloc;
    bool makes = options->mode == LEDGER_WRITE || options->mode == LEDGER_ADMIN, made = false;
    struct sqlite_database *l;

    if (makes && !make_file(options->address, &made, err))
        return NULL;
    if (!is_database_there(options->address, err))
        return NULL;
    l = alloc->get(alloc->ctx, sizeof *l);
    if (l == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *l = (struct sqlite_database){
        .base = {&engine_sqlite, alloc, options->name, options->patience},
        .made = made && options->mode != LEDGER_ADMIN};
    if (attach_as(l, options->mode, version, err))
        return &l->base;
    close_database(&l->base);
    return NULL;
}

const struct engine engine_sqlite = {
    .open = open_sqlite,
    .close = close_database,
    .patience = set_patience,
    .ready = make_ready_to_write,
    .prepare = sqlite_prepare,
    .free = sqlite_free,
    .step = sqlite_step,
    .reset = sqlite_reset,
    .clear = sqlite_clear,
    .bind = sqlite_bind,
    .column_null = sqlite_column_null,
    .column_int = sqlite_column_int,
    .column_real = sqlite_column_real,
    .column_text = sqlite_column_text,
    .column_blob = sqlite_column_blob,
    .begin = sqlite_begin,
    .commit = sqlite_commit,
    .rollback = sqlite_rollback,
    .hasten = sqlite_hasten,
    .bulk_mode = sqlite_bulk_mode,
    .version = sqlite_version,
    .make = sqlite_make,
    .set_version = sqlite_set_version,
    .mark = sqlite_mark,
    .back_up = sqlite_back_up,
    .shrink = sqlite_shrink,
};

void ledger_own_process(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
