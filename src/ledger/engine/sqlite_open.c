/* SQLite: the file, its rights, how it is journalled, whose it is. */
#include "ledger/engine/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"

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

/* An empty file that only this user may read; what SQLite makes beside it gets its rights. */
static bool make_file(const char *path, struct error *err)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t len = slash != NULL ? (size_t)(slash - path) : 0;
    int fd;

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
        error_system(err, errno, "cannot make the ledger '%s'", path);
        error_hint(err, "name another place with --ledger FILE or STINT_LEDGER");
        return false;
    }
    if (fd >= 0)
        (void)close(fd);
    return true;
}

/* "?", "#" and "%" mean something in an address. */
static bool escape(const char *path, char *to, size_t room)
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
 * stands: its address for that. False when there is a log. */
static bool standing(const struct sqlite_database *l, char *uri, size_t room)
{
    static const char head[] = "file:", tail[] = "?immutable=1";
    char log[PATH_MAX + 8];
    struct stat st;

    (void)snprintf(log, sizeof log, "%s-wal", l->base.name);
    if ((stat(log, &st) == 0 && st.st_size > 0) || room < sizeof head + sizeof tail ||
        !escape(l->base.name, uri + sizeof head - 1, room - sizeof head - sizeof tail))
        return false;
    memcpy(uri, head, sizeof head - 1);
    memcpy(uri + strlen(uri), tail, sizeof tail);
    return true;
}

/* The number that a question is answered with. */
static int ask(struct sqlite_database *l, const char *sql, int *out)
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

/* A log that is written ahead lets readers in while a run is recorded. Two programs that make
 * the ledger at the same moment keep each other from it for a moment; where it cannot be had,
 * the ledger is as right without it. */
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
        rc = ask(l, "PRAGMA user_version", &out->version);
    if (rc == SQLITE_OK)
        rc = ask(l, "PRAGMA application_id", &out->application);
    if (rc == SQLITE_OK && out->version == 0)
        rc = ask(l, "SELECT count(*) FROM sqlite_schema", &out->tables);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(l->db, "COMMIT", NULL, NULL, NULL);
    return rc;
}

/* Whose file is it? */
static bool is_ours(const struct sqlite_database *l, const struct label *label,
                    struct error *err)
{
    if (label->version == 0 ? label->tables == 0 : label->application == SQLITE_LEDGER)
        return true;
    error_set(err, ERROR_INPUT, "'%s' is a SQLite file of another program", l->base.name);
    error_hint(err, "name another place with --ledger FILE or STINT_LEDGER");
    return false;
}

static bool is_there(const char *path, struct error *err)
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
    return error_fail(err, ERROR_INPUT, "the ledger '%s' is not a file", path);
}

static void set_patience(struct database *db, span patience)
{
    int64_t wait_ms = patience.ns / 1000000;

    db->patience = patience;
    (void)sqlite3_busy_timeout(((struct sqlite_database *)db)->db,
                               wait_ms > INT_MAX ? INT_MAX : (int)wait_ms);
}

static int attach(struct sqlite_database *l, const char *name, int flags, bool writer,
                  struct label *label)
{
    int rc = sqlite3_open_v2(name, &l->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                             NULL);

    if (rc != SQLITE_OK)
        return rc;
    set_patience(&l->base, l->base.patience);
    (void)sqlite3_db_config(l->db, SQLITE_DBCONFIG_LOOKASIDE, NULL, 256, 100);
    (void)sqlite3_db_config(l->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    /* A run that ends must not wait until its log is put into place: readers do that. */
    (void)sqlite3_db_config(l->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, writer, NULL);
    rc = sqlite3_exec(l->db, settings, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite_add_amounts(l->db);
    return rc == SQLITE_OK ? read_label(l, label) : rc;
}

static bool attach_as(struct sqlite_database *l, enum ledger_mode mode, int *version,
                      struct error *err)
{
    struct label label = {0};
    char uri[PATH_MAX + 64];
    int rc = attach(l, l->base.name, SQLITE_OPEN_READWRITE, mode != LEDGER_READ, &label);

    if (mode == LEDGER_READ &&
        ((rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY) &&
        standing(l, uri, sizeof uri)) {
        (void)sqlite3_close(l->db);
        l->db = NULL;
        rc = attach(l, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, false, &label);
    }
    *version = label.version;
    return rc == SQLITE_OK ? is_ours(l, &label, err) : sqlite_fail(l, rc, "open", err);
}

static void close_database(struct database *db)
{
    struct sqlite_database *l = (struct sqlite_database *)db;

    for (size_t i = 0; i < ARRAY_LEN(l->transactions); i++)
        (void)sqlite3_finalize(l->transactions[i]);
    (void)sqlite3_close(l->db);
    db->alloc->put(db->alloc->ctx, l);
}

static struct database *open_database(const struct engine_options *options, int *version,
                                      struct error *err)
{
    const struct alloc *alloc = options->alloc;
    struct sqlite_database *l;

    if (options->mode != LEDGER_READ && !make_file(options->address, err))
        return NULL;
    if (!is_there(options->address, err))
        return NULL;
    l = alloc->get(alloc->ctx, sizeof *l);
    if (l == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *l = (struct sqlite_database){
        .base = {&engine_sqlite, alloc, options->name, options->patience}};
    if (attach_as(l, options->mode, version, err))
        return &l->base;
    close_database(&l->base);
    return NULL;
}

static bool ready_to_write(struct database *db, bool fresh, struct error *err)
{
    struct sqlite_database *l = (struct sqlite_database *)db;
    int rc;

    if (sqlite3_db_readonly(l->db, "main") == 1)
        return sqlite_fail(l, SQLITE_READONLY, "write", err);
    rc = set_journal(l, fresh);
    return rc == SQLITE_OK || (rc & 0xff) == SQLITE_BUSY || sqlite_fail(l, rc, "open", err);
}

void ledger_own_process(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

const struct engine engine_sqlite = {
    .open = open_database,
    .close = close_database,
    .patience = set_patience,
    .ready = ready_to_write,
    .prepare = sqlite_prepare,
    .free = sqlite_free,
    .step = sqlite_step,
    .reset = sqlite_reset,
    .clear = sqlite_clear,
    .bind_int = sqlite_bind_int,
    .bind_real = sqlite_bind_real,
    .bind_text = sqlite_bind_text,
    .bind_word = sqlite_bind_word,
    .bind_blob = sqlite_bind_blob,
    .bind_null = sqlite_bind_null,
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
    .back_up = sqlite_back_up,
    .shrink = sqlite_shrink,
};
