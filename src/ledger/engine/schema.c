/* The tables, and the way from one version to the next. In the words of SQLite; for PostgreSQL
 * the types are translated (db.h): INTEGER PRIMARY KEY, INTEGER, REAL and AMOUNT.
 *
 * Money of runs is nano-dollars; moments are seconds since 1970 in UTC; NULL is unknown. Once
 * released, a step is never changed: the next version is a new one. */
#include "ledger/internal.h"

/* What a tick changes lies in `attempts` and `samples` alone, and no index is over it while the
 * attempt lasts: a second of a run costs two pages. */
static const char tables_of_runs[] =
    "CREATE TABLE runs("
    " run INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
    " name TEXT NOT NULL, folder TEXT NOT NULL, command TEXT NOT NULL, owner TEXT NOT NULL,"
    " commit_id TEXT NOT NULL,"
    " budget_nano INTEGER, electricity_nano INTEGER, storage_month_nano INTEGER,"
    " estimated_cost_nano INTEGER, estimated_ns INTEGER,"
    " started INTEGER NOT NULL, attempts INTEGER NOT NULL,"
    /* What a run was planned with, so that estimates can learn: JSON. `digest`: of its
     * configuration, by which one that was run already is known. `origin`: 'run', 'added', ...
     * `job`: as it was given, in JSON (job_write()). NULL: not known. */
    " features TEXT, constants TEXT, digest TEXT, origin TEXT NOT NULL DEFAULT 'run',"
    " job TEXT) STRICT;"
    "CREATE INDEX runs_by_start ON runs(started);"
    "CREATE INDEX runs_by_name ON runs(name, folder);"
    "CREATE INDEX runs_by_digest ON runs(digest) WHERE digest IS NOT NULL;"
    /* Few runs of a large ledger may have one: the index finds these. */
    "CREATE INDEX runs_with_job ON runs(started) WHERE job IS NOT NULL;"

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
    /* The longest save that was seen and the memory in use then, from which the next attempt
     * knows how long a save takes; the part of the limit kept for the last save, and why. */
    " save_s REAL, save_memory REAL, reserve_s REAL, reserve_why TEXT,"
    /* What a run pays of its machine: 'machine' (all of it, or divided with the other runs on
     * it), 'fixed', 'inside' another run. The time of the machine that it pays for so far, the
     * part of the price that it pays now, and how many runs divide it: now, and at most. */
    " pays TEXT, paid_ns INTEGER, share REAL, sharers INTEGER, sharers_most INTEGER,"
    /* Device memory of the run's own processes, where others use the device too. */
    " gpu_memory_run REAL,"
    /* What it is known by in a journal, and the number of the last of its records that was
     * added (run_journal.h). */
    " attempt_id TEXT, applied INTEGER NOT NULL DEFAULT 0,"
    /* Seconds of a step once the program is warm, those until its first step, and the mean
     * power of one board while steps are made. */
    " step_s REAL, startup_s REAL, gpu_watts REAL,"
    " UNIQUE(run, number)) STRICT;"
    "CREATE INDEX attempts_open ON attempts(run) WHERE ended IS NULL;"
    "CREATE INDEX attempts_by_end ON attempts(ended, started, cost_nano)"
    " WHERE ended IS NOT NULL;"
    "CREATE UNIQUE INDEX attempts_by_id ON attempts(attempt_id) WHERE attempt_id IS NOT NULL;";

static const char tables_of_attempts[] =
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
    " gpu_memory_run REAL,"
    /* Each device's use: lists of numbers in JSON, by `device`. */
    " device_busy TEXT, device_memory TEXT, device_watts TEXT,"
    " PRIMARY KEY(attempt, at_s)) STRICT, WITHOUT ROWID;"

    /* `device` counts from 0; `number` is the vendor's. */
    "CREATE TABLE devices("
    " attempt INTEGER NOT NULL REFERENCES attempts ON DELETE CASCADE,"
    " device INTEGER NOT NULL, number INTEGER, id TEXT NOT NULL, name TEXT NOT NULL,"
    " used INTEGER NOT NULL, memory_total REAL, memory_peak REAL,"
    " PRIMARY KEY(attempt, device)) STRICT, WITHOUT ROWID;"

    "CREATE TABLE events("
    " event INTEGER PRIMARY KEY,"
    " attempt INTEGER NOT NULL REFERENCES attempts ON DELETE CASCADE,"
    " at INTEGER NOT NULL, kind TEXT NOT NULL, words TEXT NOT NULL,"
    /* The last event of its kind, and how many before it were left out; NULL: any other. */
    " left_out INTEGER) STRICT;"
    "CREATE INDEX events_by_attempt ON events(attempt, event);"

    "CREATE TABLE checkpoints("
    " run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, path TEXT NOT NULL,"
    " number INTEGER NOT NULL, at INTEGER NOT NULL, bytes REAL, step REAL, metric REAL,"
    " took_s REAL, cost_nano INTEGER, gone INTEGER, best INTEGER NOT NULL,"
    " metric_name TEXT," /* by which it was rated */
    " PRIMARY KEY(run, path)) STRICT, WITHOUT ROWID;"

    /* Every metric of an attempt: how many values, of them no numbers (`odd`), the first, last,
     * lowest and highest with their steps. `times` (seconds), `steps` (-1: not known) and
     * `vals` are lists of numbers in JSON, of the same length: at most 256. */
    "CREATE TABLE metrics("
    " attempt INTEGER NOT NULL REFERENCES attempts ON DELETE CASCADE, name TEXT NOT NULL,"
    " told INTEGER NOT NULL, odd INTEGER NOT NULL, first REAL, last REAL, last_step REAL,"
    " low REAL, low_step REAL, high REAL, high_step REAL,"
    " times TEXT NOT NULL, steps TEXT NOT NULL, vals TEXT NOT NULL,"
    " PRIMARY KEY(attempt, name)) STRICT, WITHOUT ROWID;";

static const char tables_of_bills[] =
    "CREATE TABLE imports("
    " import INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, began INTEGER NOT NULL,"
    " heard INTEGER NOT NULL, finished INTEGER,"
    " owner TEXT NOT NULL, host TEXT NOT NULL, boot TEXT NOT NULL,"
    " pid INTEGER NOT NULL, pid_started INTEGER NOT NULL,"
    " pid_namespace INTEGER NOT NULL) STRICT;"

    /* One row. The key of the digests below is the ledger's own, so that no one who writes a
     * bill can make two groups look like one; keys of groups are given out here, so that
     * many rows can be copied in without asking for each. `grouping` counts changes of the
     * rules that classify; `regrouping`: one is under way, or was broken off. */
    "CREATE TABLE bill_state("
    " one INTEGER PRIMARY KEY CHECK(one = 1), key_0 INTEGER NOT NULL, key_1 INTEGER NOT NULL,"
    " next_grp INTEGER NOT NULL,"
    " grouping INTEGER NOT NULL, regrouping INTEGER NOT NULL) STRICT;"

    "CREATE TABLE bills("
    " bill INTEGER PRIMARY KEY, import INTEGER NOT NULL REFERENCES imports,"
    /* 'gone': replaced or removed; its lines are being swept away. */
    " state TEXT NOT NULL CHECK(state IN ('loading', 'current', 'gone')),"
    " provider TEXT NOT NULL, account TEXT NOT NULL, currency TEXT NOT NULL,"
    " period_start INTEGER NOT NULL, period_end INTEGER NOT NULL,"
    " amounts TEXT NOT NULL CHECK(amounts IN ('both', 'amortized')),"
    /* There is one of the other kind for this account and period: it has the effective cost,
     * this one ('both') what was billed and the list prices. */
    " paired INTEGER NOT NULL DEFAULT 0,"
    " format TEXT NOT NULL, version TEXT NOT NULL, files TEXT NOT NULL,"
    " first_day INTEGER, last_day INTEGER, lines INTEGER NOT NULL DEFAULT 0,"
    " billed AMOUNT, effective AMOUNT,"
    /* 1: sums by service and day or the like, without resources, as Cost Explorer and BigQuery
     * answer and consoles download. It is the same money as the detailed bill of that time. */
    " coarse INTEGER NOT NULL DEFAULT 0,"
    /* A sample of what its charges are for, to distinguish another part of a delivery from the
     * same one delivered again: see bills_meet.c. */
    " marks TEXT NOT NULL DEFAULT '') STRICT;"
    "CREATE INDEX bills_by_period ON bills(provider, account, period_start);"

    /* Two imports at once may both add the same group: digests need not be unique. `names`: of
     * its dimensions (bill/dimension.h), each ended by a byte of 0. */
    "CREATE TABLE bill_groups("
    " grp INTEGER PRIMARY KEY, digest_0 INTEGER NOT NULL, digest_1 INTEGER NOT NULL,"
    " names BLOB NOT NULL) STRICT;"
    "CREATE INDEX bill_groups_by_digest ON bill_groups(digest_0);"

    /* Days count from 1970. `sums`: of groups, some thousand of a day in one value, of which
     * `grp` is the first: bills_pages.c says how; the amounts and lines are theirs together.
     * Sums of the same day and group in several parts add up. */
    "CREATE TABLE bill_days("
    " bill INTEGER NOT NULL, day INTEGER NOT NULL, part INTEGER NOT NULL,"
    " grp INTEGER NOT NULL,"
    " billed AMOUNT, effective AMOUNT, list AMOUNT, contracted AMOUNT,"
    " lines INTEGER NOT NULL, sums BLOB NOT NULL,"
    " PRIMARY KEY(bill, day, part, grp)) STRICT;"

    /* Lines of a bill, some thousand in one value: bills_block.c says how. `line` is the number
     * of the first, which start from `first` to `last`; sums are of its lines, a list or
     * contracted cost that is not known being what was billed. `groups`: of its things. */
    "CREATE TABLE bill_blocks("
    " bill INTEGER NOT NULL, line INTEGER NOT NULL, lines INTEGER NOT NULL,"
    " first INTEGER NOT NULL, last INTEGER NOT NULL,"
    " billed AMOUNT, effective AMOUNT, list AMOUNT, contracted AMOUNT,"
    " groups BLOB NOT NULL, content BLOB NOT NULL, PRIMARY KEY(bill, line)) STRICT;";

static const char tables_of_account[] =
    /* Named texts that hold for all who use the ledger: 'allocation' (YAML). */
    "CREATE TABLE documents("
    " name TEXT PRIMARY KEY, words TEXT NOT NULL, changed INTEGER NOT NULL,"
    " owner TEXT NOT NULL) STRICT;"

    /* What was made of what was paid: predictions, requests, tokens. `tags`: JSON, an object of
     * texts by key, so that equal tags are equal texts. */
    "CREATE TABLE counts("
    " row INTEGER PRIMARY KEY, what TEXT NOT NULL, started INTEGER NOT NULL,"
    " ended INTEGER NOT NULL, amount AMOUNT NOT NULL, tags TEXT NOT NULL,"
    " source TEXT NOT NULL, UNIQUE(what, started, ended, tags, source)) STRICT;"

    "CREATE TABLE rates("
    " day INTEGER NOT NULL, currency TEXT NOT NULL, usd AMOUNT NOT NULL,"
    " source TEXT NOT NULL, PRIMARY KEY(day, currency)) STRICT, WITHOUT ROWID;";

static const char tables_of_budgets[] =
    "CREATE TABLE budgets("
    " budget INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, amount AMOUNT NOT NULL,"
    " currency TEXT NOT NULL, period TEXT NOT NULL"
    "  CHECK(period IN ('month', 'quarter', 'year', 'total')),"
    " scope TEXT NOT NULL, thresholds TEXT NOT NULL, forecast_thresholds TEXT NOT NULL,"
    " channels TEXT NOT NULL, rollover INTEGER NOT NULL, stops INTEGER NOT NULL,"
    " zone TEXT NOT NULL, first_day INTEGER, last_day INTEGER,"
    " made INTEGER NOT NULL, changed INTEGER NOT NULL, owner TEXT NOT NULL) STRICT;"

    /* Where alerts go. Secrets are not here: `settings` (JSON) says where they are. */
    "CREATE TABLE channels("
    " channel INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,"
    " settings TEXT NOT NULL, made INTEGER NOT NULL) STRICT;"

    /* One row for each event, however often it is reported. */
    "CREATE TABLE alerts("
    " alert INTEGER PRIMARY KEY, dedup TEXT NOT NULL, kind TEXT NOT NULL,"
    " severity TEXT NOT NULL CHECK(severity IN ('info', 'warning', 'error', 'critical')),"
    " state TEXT NOT NULL CHECK(state IN ('firing', 'resolved')),"
    " title TEXT NOT NULL, words TEXT NOT NULL, facts TEXT NOT NULL,"
    " began INTEGER NOT NULL, changed INTEGER NOT NULL, ended INTEGER,"
    " level REAL NOT NULL DEFAULT 0,"
    " acknowledged INTEGER, acknowledged_by TEXT, updates INTEGER NOT NULL DEFAULT 0,"
    " false_alarm INTEGER NOT NULL DEFAULT 0) STRICT;"
    "CREATE UNIQUE INDEX alerts_firing ON alerts(dedup) WHERE state = 'firing';"

    /* What is to be sent, and what became of it. */
    "CREATE TABLE deliveries("
    " delivery INTEGER PRIMARY KEY, alert INTEGER REFERENCES alerts, channel TEXT NOT NULL,"
    " what TEXT NOT NULL CHECK(what IN ('firing', 'update', 'resolved', 'acknowledged',"
    "  'test')),"
    " state TEXT NOT NULL CHECK(state IN ('waiting', 'sending', 'sent', 'given up')),"
    " not_before INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0, tried INTEGER,"
    " claimed TEXT NOT NULL DEFAULT '', answer TEXT NOT NULL DEFAULT '',"
    " made INTEGER NOT NULL, snapshot TEXT NOT NULL) STRICT;"
    "CREATE INDEX deliveries_waiting ON deliveries(not_before)"
    " WHERE state IN ('waiting', 'sending');";

static const char tables_of_learning[] =
    /* Corrections that were learned with the estimator's `constants`. `what` is corrected:
     * 'step', 'memory', 'power', or 'startup', whose factor is a number of seconds; an empty
     * framework, model or setting means any. */
    "CREATE TABLE corrections("
    " what TEXT NOT NULL, gpu TEXT NOT NULL, framework TEXT NOT NULL, model TEXT NOT NULL,"
    " setting TEXT NOT NULL, factor REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL,"
    " runs INTEGER NOT NULL, constants TEXT NOT NULL, made INTEGER NOT NULL,"
    " PRIMARY KEY(what, gpu, framework, model, setting)) STRICT, WITHOUT ROWID;";

static const struct ledger_step steps[] = {
    {1, tables_of_runs, NULL},    {1, tables_of_attempts, NULL}, {1, tables_of_bills, NULL},
    {1, tables_of_account, NULL}, {1, tables_of_budgets, NULL},  {1, tables_of_learning, NULL},
};

const struct ledger_schema ledger_schema = {steps, ARRAY_LEN(steps)};

int ledger_newest(const struct ledger_schema *schema)
{
    return schema->steps[schema->count - 1].version;
}

bool ledger_version(struct ledger *l, int *version, struct error *err)
{
    return l->db->engine->version(l->db, version, err);
}

bool ledger_step_up(struct ledger *l, struct error *err)
{
    const struct engine *engine = l->db->engine;
    const struct ledger_step *step = l->schema->steps;
    int version = 0;

    if (!ledger_version(l, &version, err)) /* another program may have done it by now */
        return false;
    for (size_t i = 0; i < l->schema->count; i++, step++)
        if (step->version > version && (!engine->make(l->db, step->sql, err) ||
                                        (step->convert != NULL && !step->convert(l, err)) ||
                                        !engine->set_version(l->db, step->version, err)))
            return false;
    return true;
}

bool ledger_migrate(struct ledger *l, struct error *err)
{
    const struct engine *engine = l->db->engine;
    int version = 0;

    if (!ledger_version(l, &version, err))
        return false;
    if (version >= ledger_newest(l->schema)) /* another program was faster */
        return true;
    if (engine->back_up != NULL && !engine->back_up(l->db, version, err))
        return false;
    if (!engine->begin(l->db, ENGINE_ALONE, err))
        return false;
    if (!ledger_finish(l, ledger_step_up(l, err), err))
        return false;
    if (engine->shrink != NULL)
        engine->shrink(l->db);
    return true;
}
