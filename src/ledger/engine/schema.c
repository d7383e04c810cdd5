/* The tables, and the way from one version to the next. */
#include "ledger/internal.h"

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
    {1, version_1, NULL},
    {2, ledger_version_2_bills, NULL},
    {2, ledger_version_2_budgets, NULL},
    {3, ledger_version_3_saves, NULL},
    {3, ledger_version_3_bills, NULL},
    {3, ledger_version_3_shares, NULL},
    {3, ledger_version_3_metrics, NULL},
    {3, ledger_version_3_blocks, ledger_pack_lines},
    {3, ledger_version_3_drop, NULL},
    {3, ledger_version_3_journal, NULL},
};
const size_t ledger_step_count = ARRAY_LEN(ledger_steps);

bool ledger_version(struct ledger *l, int *version, struct error *err)
{
    return l->db->engine->version(l->db, version, err);
}

bool ledger_step_up(struct ledger *l, const struct ledger_step *steps, size_t count,
                    struct error *err)
{
    const struct engine *engine = l->db->engine;
    int version = 0;

    if (!ledger_version(l, &version, err)) /* another program may have done it by now */
        return false;
    for (size_t i = 0; i < count; i++)
        if (steps[i].version > version &&
            (!engine->make(l->db, steps[i].sql, err) ||
             (steps[i].convert != NULL && !steps[i].convert(l, err)) ||
             !engine->set_version(l->db, steps[i].version, err)))
            return false;
    return true;
}

bool ledger_migrate(struct ledger *l, const struct ledger_step *steps, size_t count,
                    struct error *err)
{
    const struct engine *engine = l->db->engine;
    int version = 0;

    if (!ledger_version(l, &version, err))
        return false;
    if (count > 0 && version >= steps[count - 1].version) /* another program was faster */
        return true;
    if (engine->back_up != NULL && !engine->back_up(l->db, version, err))
        return false;
    if (!engine->begin(l->db, ENGINE_ALONE, err))
        return false;
    if (!ledger_finish(l, ledger_step_up(l, steps, count, err), err))
        return false;
    if (engine->shrink != NULL)
        engine->shrink(l->db);
    return true;
}
