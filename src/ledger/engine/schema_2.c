/* Version 2: bills, and what is done with them. In the words of SQLite; for PostgreSQL the
 * types are translated (db.h): INTEGER PRIMARY KEY, INTEGER, REAL and AMOUNT. */
#include "ledger/internal.h"

const char ledger_version_2_bills[] =
    /* A word of PostgreSQL's own. */
    "ALTER TABLE runs RENAME COLUMN user TO owner;"
    /* What a run was planned with, so that estimates can learn: JSON. `digest`: of its
     * configuration, by which one that was run already is known. */
    "ALTER TABLE runs ADD COLUMN features TEXT;"
    "ALTER TABLE runs ADD COLUMN constants TEXT;"
    "ALTER TABLE runs ADD COLUMN digest TEXT;"
    "ALTER TABLE runs ADD COLUMN origin TEXT NOT NULL DEFAULT 'run';" /* or 'added' */
    "CREATE INDEX runs_by_digest ON runs(digest) WHERE digest IS NOT NULL;"

    "CREATE TABLE imports("
    " import INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, began INTEGER NOT NULL,"
    " heard INTEGER NOT NULL, finished INTEGER,"
    " owner TEXT NOT NULL, host TEXT NOT NULL, boot TEXT NOT NULL,"
    " pid INTEGER NOT NULL, pid_started INTEGER NOT NULL,"
    " pid_namespace INTEGER NOT NULL) STRICT;"

    /* One row. The key of the digests below is the ledger's own, so that nobody who writes a
     * bill can make two things look like one; keys of things and groups are given out here, so
     * that many rows can be copied in without asking for each. `grouping` counts changes of the
     * rules that classify; `regrouping`: one is under way, or was broken off. */
    "CREATE TABLE bill_state("
    " one INTEGER PRIMARY KEY CHECK(one = 1), key_0 INTEGER NOT NULL, key_1 INTEGER NOT NULL,"
    " next_thing INTEGER NOT NULL, next_grp INTEGER NOT NULL,"
    " grouping INTEGER NOT NULL, regrouping INTEGER NOT NULL) STRICT;"

    "CREATE TABLE bills("
    " bill INTEGER PRIMARY KEY, import INTEGER NOT NULL REFERENCES imports,"
    /* 'gone': replaced or removed; its lines are being swept away. */
    " state TEXT NOT NULL CHECK(state IN ('loading', 'current', 'gone')),"
    " provider TEXT NOT NULL, account TEXT NOT NULL, currency TEXT NOT NULL,"
    " period_start INTEGER NOT NULL, period_end INTEGER NOT NULL,"
    " amounts TEXT NOT NULL CHECK(amounts IN ('both', 'amortised')),"
    /* There is one of the other kind for this account and period: it has the effective cost,
     * this one ('both') what was billed and the list prices. */
    " paired INTEGER NOT NULL DEFAULT 0,"
    " format TEXT NOT NULL, version TEXT NOT NULL, files TEXT NOT NULL,"
    " first_day INTEGER, last_day INTEGER, lines INTEGER NOT NULL DEFAULT 0,"
    " billed AMOUNT, effective AMOUNT) STRICT;"
    "CREATE INDEX bills_by_period ON bills(provider, account, period_start);"

    /* Two imports at once may both add the same group or thing: digests need not be unique. */
    "CREATE TABLE bill_groups("
    " grp INTEGER PRIMARY KEY, digest_0 INTEGER NOT NULL, digest_1 INTEGER NOT NULL"
    /* One column for each dimension: bill/dimension.h. */
    ", provider TEXT NOT NULL, service TEXT NOT NULL, category TEXT NOT NULL,"
    " account TEXT NOT NULL, sub_account TEXT NOT NULL, region TEXT NOT NULL,"
    " charge TEXT NOT NULL, pricing TEXT NOT NULL, instance TEXT NOT NULL,"
    " gpu TEXT NOT NULL, tier TEXT NOT NULL, team TEXT NOT NULL, project TEXT NOT NULL,"
    " environment TEXT NOT NULL, experiment TEXT NOT NULL, cost_centre TEXT NOT NULL,"
    " model TEXT NOT NULL, phase TEXT NOT NULL, owner TEXT NOT NULL) STRICT;"
    "CREATE INDEX bill_groups_by_digest ON bill_groups(digest_0);"

    /* What is paid for: every column of FOCUS that does not vary from line to line and has a
     * value, as one JSON object of texts. */
    "CREATE TABLE bill_things("
    " thing INTEGER PRIMARY KEY, digest_0 INTEGER NOT NULL, digest_1 INTEGER NOT NULL,"
    " grp INTEGER NOT NULL, resource TEXT NOT NULL, words TEXT NOT NULL) STRICT;"
    "CREATE INDEX bill_things_by_digest ON bill_things(digest_0);"
    "CREATE INDEX bill_things_by_resource ON bill_things(resource) WHERE resource <> '';"

    "CREATE TABLE bill_lines("
    " bill INTEGER NOT NULL, line INTEGER NOT NULL, thing INTEGER NOT NULL,"
    " started INTEGER NOT NULL, ended INTEGER NOT NULL,"
    " billed AMOUNT, effective AMOUNT, list AMOUNT, contracted AMOUNT,"
    " pricing_quantity AMOUNT, consumed_quantity AMOUNT, pricing_effective AMOUNT,"
    " commitment_quantity AMOUNT,"
    " PRIMARY KEY(bill, line)) STRICT, WITHOUT ROWID;"

    /* Days count from 1970. Several rows for the same day and group add up: `part`. */
    "CREATE TABLE bill_days("
    " bill INTEGER NOT NULL, day INTEGER NOT NULL, grp INTEGER NOT NULL,"
    " part INTEGER NOT NULL, billed AMOUNT, effective AMOUNT, list AMOUNT, contracted AMOUNT,"
    " lines INTEGER NOT NULL, PRIMARY KEY(bill, day, grp, part)) STRICT, WITHOUT ROWID;"

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

const char ledger_version_2_budgets[] =
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

    /* One row for each event, however often it is told. */
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
    " WHERE state IN ('waiting', 'sending');"

    /* Corrections that were learnt, one for each kind of run: what an estimate is multiplied
     * by, and the estimator's `constants` that it was learnt with. */
    "CREATE TABLE corrections("
    " gpu TEXT NOT NULL, framework TEXT NOT NULL, factor REAL NOT NULL, low REAL NOT NULL,"
    " high REAL NOT NULL, runs INTEGER NOT NULL, constants TEXT NOT NULL,"
    " made INTEGER NOT NULL, PRIMARY KEY(gpu, framework)) STRICT, WITHOUT ROWID;";
