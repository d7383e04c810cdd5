/* The tables, and the way from one version to the next. */
#include "ledger/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"

/* Version 1. Money is nano-dollars; moments are seconds since 1970 in UTC; NULL is unknown.
 * What a tick changes lies in `attempts` and `samples` alone, and no index is over it while the
 * attempt lasts: a second of a run costs two pages. Once released, a step is never changed: the
 * next version is a new one. */
static const char version_1[] =
    "CREATE TABLE runs("
    " run INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
    " name TEXT NOT NULL, folder TEXT NOT NULL, command TEXT NOT NULL, user TEXT NOT NULL,"
    " commit_id TEXT NOT NULL,"
    " budget_nano INTEGER, electricity_nano INTEGER, storage_month_nano INTEGER,"
    " estimated_cost_nano INTEGER, estimated_ns INTEGER,"
    " started INTEGER NOT NULL, attempts INTEGER NOT NULL) STRICT;"
    "CREATE INDEX runs_by_start ON runs(started);"
    "CREATE INDEX runs_by_name ON runs(name, folder);"

    "CREATE TABLE tags("
    " run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,"
    " key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(run, key)) STRICT, WITHOUT ROWID;"
    "CREATE INDEX tags_by_value ON tags(key, value);"

    "CREATE TABLE attempts("
    " attempt INTEGER PRIMARY KEY,"
    " run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, number INTEGER NOT NULL,"
    " state TEXT NOT NULL CHECK(state IN"
    "  ('running', 'done', 'failed', 'stopped', 'preempted', 'lost')),"
    " status INTEGER, reason TEXT NOT NULL DEFAULT '',"
    " started INTEGER NOT NULL, ended INTEGER,"
    " host TEXT NOT NULL, boot TEXT NOT NULL,"
    " pid INTEGER, pid_started INTEGER, pid_namespace INTEGER,"
    " offer TEXT NOT NULL, market TEXT NOT NULL, price_source TEXT NOT NULL,"
    " rate_nano INTEGER, sample_every REAL NOT NULL DEFAULT 0,"
    " at INTEGER NOT NULL, elapsed_ns INTEGER,"
    " cost_nano INTEGER, compute_nano INTEGER, setup_nano INTEGER, storage_nano INTEGER,"
    " transfer_nano INTEGER, extra_nano INTEGER,"
    " phase_setup_nano INTEGER, phase_data_nano INTEGER, phase_train_nano INTEGER,"
    " phase_evaluate_nano INTEGER, phase_checkpoint_nano INTEGER, phase_idle_nano INTEGER,"
    " joules REAL, gpu_joules REAL, cpu_joules REAL, energy_method TEXT, energy_error REAL,"
    " grams REAL, cpu_s REAL, memory_peak REAL, bytes_read REAL, bytes_written REAL,"
    " bytes_received REAL, bytes_sent REAL, gpu_busy REAL, gpu_memory_peak REAL,"
    " gpu_memory_total REAL, gpus INTEGER, gpu TEXT, score REAL, seed_score REAL,"
    " step REAL, steps REAL, loss REAL, best REAL, checkpoint_bytes REAL, lost_s REAL,"
    " UNIQUE(run, number)) STRICT;"
    "CREATE INDEX attempts_open ON attempts(run) WHERE ended IS NULL;"
    "CREATE INDEX attempts_by_end ON attempts(ended, started, cost_nano)"
    " WHERE ended IS NOT NULL;"

    "CREATE TABLE facts("
    " attempt INTEGER NOT NULL REFERENCES attempts ON DELETE CASCADE,"
    " position INTEGER NOT NULL, fact TEXT NOT NULL,"
    " PRIMARY KEY(attempt, position)) STRICT, WITHOUT ROWID;"

    "CREATE TABLE segments("
    " attempt INTEGER NOT NULL REFERENCES attempts ON DELETE CASCADE,"
    " started INTEGER NOT NULL, ended INTEGER, rate_nano INTEGER,"
    " offer TEXT NOT NULL, source TEXT NOT NULL,"
    " PRIMARY KEY(attempt, started)) STRICT, WITHOUT ROWID;"

    "CREATE TABLE samples("
    " attempt INTEGER NOT NULL REFERENCES attempts ON DELETE CASCADE,"
    " at_s REAL NOT NULL, cost REAL, watts REAL, gpu_busy REAL, gpu_memory REAL,"
    " cpu_cores REAL, memory REAL, step REAL, loss REAL, rate REAL,"
    " PRIMARY KEY(attempt, at_s)) STRICT, WITHOUT ROWID;"

    "CREATE TABLE events("
    " event INTEGER PRIMARY KEY,"
    " attempt INTEGER NOT NULL REFERENCES attempts ON DELETE CASCADE,"
    " at INTEGER NOT NULL, kind TEXT NOT NULL, words TEXT NOT NULL) STRICT;"
    "CREATE INDEX events_by_attempt ON events(attempt, event);"

    "CREATE TABLE checkpoints("
    " run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, path TEXT NOT NULL,"
    " number INTEGER NOT NULL, at INTEGER NOT NULL, bytes REAL, step REAL, metric REAL,"
    " took_s REAL, cost_nano INTEGER, gone INTEGER, best INTEGER NOT NULL,"
    " PRIMARY KEY(run, path)) STRICT, WITHOUT ROWID;";

const struct ledger_step ledger_steps[] = {
    {1, version_1}, {2, ledger_version_2_bills}, {2, ledger_version_2_budgets}};
const size_t ledger_step_count = ARRAY_LEN(ledger_steps);

bool ledger_version(struct ledger *l, int *version, struct error *err)
{
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(l->db, "PRAGMA user_version", -1, &s, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(s);
    if (rc == SQLITE_ROW)
        *version = sqlite3_column_int(s, 0);
    (void)sqlite3_finalize(s);
    return rc == SQLITE_ROW || ledger_fail(l, rc, "read", err);
}

/* A step in SQLite's words: amounts are text. */
static int take_step(struct ledger *l, const char *sql)
{
    static const char amount[] = "AMOUNT";
    struct buf text = buf_new(l->alloc, BUF_MAX_OUTPUT);
    int rc;

    for (const char *next; (next = strstr(sql, amount)) != NULL;
         sql = next + sizeof amount - 1) {
        buf_add(&text, (struct str){sql, (size_t)(next - sql)});
        buf_adds(&text, "TEXT");
    }
    buf_adds(&text, sql);
    buf_char(&text, '\0');
    rc = text.failed ? SQLITE_NOMEM : sqlite3_exec(l->db, buf_text(&text).at, NULL, NULL, NULL);
    buf_free(&text);
    return rc;
}

bool ledger_step_up(struct ledger *l, const struct ledger_step *steps, size_t count,
                    struct error *err)
{
    char set[96];
    int version = 0, rc = SQLITE_OK;

    if (!ledger_version(l, &version, err)) /* another program may have done it by now */
        return false;
    for (size_t i = 0; rc == SQLITE_OK && i < count; i++) {
        if (steps[i].version <= version)
            continue;
        rc = take_step(l, steps[i].sql);
        (void)snprintf(set, sizeof set, "PRAGMA application_id=%d; PRAGMA user_version=%d",
                       LEDGER_APPLICATION, steps[i].version);
        if (rc == SQLITE_OK)
            rc = sqlite3_exec(l->db, set, NULL, NULL, NULL);
    }
    return rc == SQLITE_OK || ledger_fail(l, rc, "make the tables of", err);
}

/* VACUUM INTO takes an empty file as it takes none; so the copy has our rights from the
 * start. */
static bool copy_to(struct ledger *l, const char *path, struct error *err)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    sqlite3_stmt *s = NULL;
    int rc;

    if (fd < 0) {
        error_system(err, errno, "cannot back the ledger up to '%s'", path);
        return false;
    }
    rc = sqlite3_prepare_v2(l->db, "VACUUM INTO ?", -1, &s, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(s, 1, path, -1, SQLITE_STATIC);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(s);
    (void)sqlite3_finalize(s);
    if (rc == SQLITE_DONE && fsync(fd) != 0)
        rc = SQLITE_IOERR_FSYNC;
    (void)close(fd);
    if (rc == SQLITE_DONE)
        return true;
    (void)unlink(path);
    return ledger_fail(l, rc, "back up", err);
}

static bool back_up(struct ledger *l, int version, struct error *err)
{
    char path[PATH_MAX], temporary[PATH_MAX + 8];
    int len = snprintf(path, sizeof path, "%s.v%d.bak", l->path, version);

    if (len < 0 || (size_t)len >= sizeof path)
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", l->path);
    (void)snprintf(temporary, sizeof temporary, "%s.tmp", path);
    if (!copy_to(l, temporary, err))
        return false;
    if (rename(temporary, path) == 0)
        return true;
    error_system(err, errno, "cannot back the ledger up to '%s'", path);
    (void)unlink(temporary);
    return false;
}

bool ledger_migrate(struct ledger *l, const struct ledger_step *steps, size_t count,
                    struct error *err)
{
    int version = 0;

    if (!ledger_version(l, &version, err) || !back_up(l, version, err))
        return false;
    if (!ledger_exec(l, SQL_BEGIN_WRITE, "write", err))
        return false;
    return ledger_finish(l, ledger_step_up(l, steps, count, err), err);
}
