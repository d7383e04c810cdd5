/* Statements that are prepared once, transactions, and values in and out. */
#include <math.h>

#include "base/buf.h"
#include "ledger/internal.h"

/* ---- the SQL of runs, in the dialect of db.h ---- */

#define SELECTED(name, kind, member) #name ","
#define SET(name, kind, member) #name "=?,"

/* What ledger_begin() found out of lost work stays when the writer does not know better. */
#define TOTALS_SET LEDGER_TOTALS(SET) "lost_s=coalesce(?,lost_s)"
#define TOTALS LEDGER_TOTALS(SELECTED) "lost_s"
#define SAMPLE \
    "at_s, cost, watts, gpu_busy, gpu_memory, cpu_cores, memory, step, loss, rate," \
    " gpu_memory_run"
#define CHECKPOINT \
    "path, at, bytes, step, metric, took_s, cost_nano, gone, best, coalesce(metric_name, '')"
#define RUN \
    "run, id, name, folder, command, owner, commit_id, budget_nano, electricity_nano," \
    " storage_month_nano, estimated_cost_nano, estimated_ns, started, attempts," \
    " origin"

static const char *const ledger_sql[SQL_COUNT] = {
    [SQL_FIND_KEY] = "SELECT attempt FROM attempts JOIN runs USING(run)"
                     " WHERE id = ? AND number = ?",
    [SQL_FIND_ATTEMPT] =
        "SELECT attempt, number, id, applied FROM attempts JOIN runs USING(run)"
        " WHERE attempt_id = ?",
    [SQL_WAITING_ATTEMPT] =
        "SELECT run, number, applied, cost_nano FROM attempts WHERE attempt_id = ?",
    [SQL_SET_APPLIED] = "UPDATE attempts SET applied = ?3 WHERE attempt = ?1 AND applied = ?2"
                        " RETURNING attempt",
    [SQL_DROP_LAST_EVENT] =
        "DELETE FROM events WHERE attempt = ? AND kind = ? AND left_out IS NOT NULL",
    [SQL_HAS_EVENT] = "SELECT 1 FROM events WHERE attempt = ? AND kind = ? LIMIT 1",
    /* The newest of this name and folder, whatever its state. */
    [SQL_FIND_RESUMABLE] =
        "SELECT run, id, number, state, a.started, ended, at, host, boot, pid, pid_started,"
        " pid_namespace, attempt FROM runs r JOIN attempts a USING(run)"
        " WHERE number = attempts AND (id = ?3 OR (CAST(?3 AS TEXT) = '' AND name = ?1 AND "
        "folder = ?2))"
        " ORDER BY r.started DESC, run DESC",
    [SQL_ADD_RUN] = "INSERT INTO runs(id, name, folder, command, owner, commit_id,"
                    " budget_nano, electricity_nano, storage_month_nano, estimated_cost_nano,"
                    " estimated_ns, started, digest, features, constants, origin, attempts)"
                    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1) RETURNING run",
    [SQL_ADD_TAG] = "INSERT INTO tags(run, key, value) VALUES(?, ?, ?)"
                    " ON CONFLICT(run, key) DO UPDATE SET value = excluded.value",
    [SQL_ADD_FACT] = "INSERT INTO facts(attempt, position, fact) VALUES(?, ?, ?)",
    [SQL_ADD_ATTEMPT] = "INSERT INTO attempts(run, number, state, started, at, host, boot, pid,"
                        " pid_started, pid_namespace, offer, market, price_source, rate_nano,"
                        " lost_s, attempt_id)"
                        " VALUES(?, ?, 'running', ?3, ?3, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                        " RETURNING attempt",
    /* What is given anew replaces what was known. */
    [SQL_COUNT_ATTEMPT] =
        "UPDATE runs SET attempts = ?2, budget_nano = coalesce(?3, budget_nano)"
        " WHERE run = ?1",
    [SQL_CLOSE_ATTEMPT] = "UPDATE attempts SET state = ?2, ended = at WHERE attempt = ?1",
    [SQL_LAST_CHECKPOINT] =
        "SELECT max(at) FROM checkpoints WHERE run = ? AND at BETWEEN ? AND ?",
    [SQL_ADD_SEGMENT] = "INSERT INTO segments(attempt, started, rate_nano, offer, source)"
                        " VALUES(?, ?, ?, ?, ?) ON CONFLICT(attempt, started) DO UPDATE SET"
                        " ended = NULL, rate_nano = excluded.rate_nano,"
                        " offer = excluded.offer, source = excluded.source",
    [SQL_END_SEGMENT] = "UPDATE segments SET ended = ?2 WHERE attempt = ?1 AND ended IS NULL"
                        " AND started <= ?2",

    [SQL_TICK] = "UPDATE attempts SET " TOTALS_SET " WHERE attempt = ?",
    [SQL_END] =
        "UPDATE attempts SET " TOTALS_SET ", ended = ?, state = ?, status = ?, reason = ?"
        " WHERE attempt = ?",
    [SQL_ADD_EVENT] = "INSERT INTO events(attempt, at, kind, words, left_out)"
                      " VALUES(?, ?, ?, ?, ?)",
    [SQL_PUT_CHECKPOINT] =
        "INSERT INTO checkpoints(run, path, number, at, bytes, step, metric, took_s,"
        " cost_nano, gone, best, metric_name)"
        " SELECT run, ?2, number, ?3, ?4, ?5, ?6, ?7, ?8, NULL, ?9, ?10"
        " FROM attempts WHERE attempt = ?1 ON CONFLICT(run, path) DO UPDATE SET"
        " number = excluded.number, at = excluded.at, bytes = excluded.bytes,"
        " step = excluded.step, metric = excluded.metric, took_s = excluded.took_s,"
        " cost_nano = excluded.cost_nano, gone = NULL, best = excluded.best,"
        " metric_name = excluded.metric_name",
    [SQL_NOT_BEST] = "UPDATE checkpoints SET best = 0 WHERE best <> 0 AND run ="
                     " (SELECT run FROM attempts WHERE attempt = ?)",
    [SQL_CHECKPOINT_GONE] =
        "UPDATE checkpoints SET gone = ?3, best = 0 WHERE path = ?2 AND run ="
        " (SELECT run FROM runs WHERE id = ?1)",

    [SQL_SAMPLE_STATE] = "SELECT sample_every FROM attempts WHERE attempt = ?",
    [SQL_SAMPLE_EVERY] = "UPDATE attempts SET sample_every = ?2 WHERE attempt = ?1",
    [SQL_ADD_SAMPLE] = "INSERT INTO samples(attempt, " SAMPLE ")"
                       " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [SQL_SET_SAMPLE] = "UPDATE samples SET at_s = ?2, cost = ?3, watts = ?4, gpu_busy = ?5,"
                       " gpu_memory = ?6, cpu_cores = ?7, memory = ?8, step = ?9, loss = ?10,"
                       " rate = ?11, gpu_memory_run = ?12 WHERE attempt = ?1 AND at_s = ?13",
    [SQL_DROP_SAMPLES] = "DELETE FROM samples WHERE attempt = ?",
    [SQL_SAMPLES] = "SELECT " SAMPLE " FROM samples WHERE attempt = ? ORDER BY at_s",

    [SQL_RUNS] = "SELECT run FROM runs WHERE started >= ?1 AND (CAST(?2 AS BIGINT) IS NULL OR"
                 " started <= CAST(?2 AS BIGINT)) ORDER BY started DESC, run DESC",
    [SQL_RUNS_OPEN] = "SELECT run FROM runs WHERE run IN"
                      " (SELECT run FROM attempts WHERE ended IS NULL)"
                      " AND started >= ?1 AND (CAST(?2 AS BIGINT) IS NULL OR"
                      " started <= CAST(?2 AS BIGINT)) ORDER BY started DESC, run DESC",
    [SQL_RUN] = "SELECT " RUN " FROM runs WHERE run = ?",
    [SQL_RUN_IDS] = "SELECT run, id FROM runs WHERE substr(id, 1, CAST(?1 AS INTEGER)) = ?2"
                    " OR substr(id, length(id) + 1 - CAST(?1 AS INTEGER)) = ?2"
                    " ORDER BY started DESC, run DESC LIMIT 4",
    [SQL_RUN_NAMED] =
        "SELECT run FROM runs WHERE name = ? ORDER BY started DESC, run DESC LIMIT 1",
    [SQL_RUN_LAST] = "SELECT run FROM runs ORDER BY started DESC, run DESC LIMIT 1",
    [SQL_NAMES] = "SELECT DISTINCT name FROM runs ORDER BY name LIMIT 10000",
    [SQL_TAGS] = "SELECT CASE value WHEN '' THEN key ELSE key || '=' || value END FROM tags"
                 " WHERE run = ? ORDER BY key",
    [SQL_FACTS] = "SELECT fact FROM facts WHERE attempt = ? ORDER BY position",
    [SQL_ATTEMPTS] =
        "SELECT attempt, number, state, status, reason, started, ended, host, boot,"
        " pid, pid_started, pid_namespace, offer, market, price_source, rate_nano, " TOTALS
        " FROM attempts WHERE run = ? ORDER BY number",
    [SQL_NOTICED] = "SELECT 1 FROM events WHERE attempt = ? AND kind = 'notice' LIMIT 1",
    [SQL_EVENTS] =
        "SELECT e.at, number, kind, words, left_out FROM events e JOIN attempts USING(attempt)"
        " JOIN runs USING(run) WHERE id = ? ORDER BY number, event",
    [SQL_CHECKPOINTS] = "SELECT " CHECKPOINT
                        " FROM checkpoints JOIN runs USING(run) WHERE id = ? ORDER BY at, path",

    [SQL_PRICES] =
        "SELECT number, s.started, s.ended, s.rate_nano, s.offer, source FROM segments s"
        " JOIN attempts USING(attempt) JOIN runs USING(run) WHERE id = ?"
        " ORDER BY number, s.started",

    /* Those that began since: the index is enough. */
    [SQL_SPENT_WHOLE] = "SELECT sum(cost_nano), count(*) - count(cost_nano) FROM attempts"
                        " WHERE ended >= ?1 AND started >= ?1",
    /* One that has just begun and reported nothing has spent nothing yet, as far as is known.
     */
    [SQL_SPENT] =
        "SELECT attempt, started, at, cost_nano FROM attempts"
        " WHERE ended >= ?1 AND started < ?1"
        " UNION ALL SELECT attempt, started, at,"
        "  CASE WHEN elapsed_ns IS NULL THEN coalesce(cost_nano, 0) ELSE cost_nano END"
        " FROM attempts WHERE ended IS NULL AND at >= ?1",
    /* The samples around a moment: what was spent just before, and just after. */
    [SQL_SPENT_BEFORE] =
        "SELECT at_s, cost FROM (SELECT at_s, cost FROM samples WHERE attempt = ?1"
        "  AND at_s <= ?2 AND cost IS NOT NULL ORDER BY at_s DESC LIMIT 1) b"
        " UNION ALL SELECT at_s, cost FROM (SELECT at_s, cost FROM samples WHERE attempt = ?1"
        "  AND at_s > ?2 AND cost IS NOT NULL ORDER BY at_s LIMIT 1) a",
};

/* ---- statements ---- */

struct query *ledger_statement(struct ledger *l, enum ledger_sql which, struct error *err)
{
    struct query **kept = &l->statements[which];

    if (*kept == NULL)
        *kept = l->db->engine->prepare(l->db, ledger_sql[which], err);
    else
        l->db->engine->clear(*kept);
    return *kept;
}

struct query *ledger_query(struct ledger *l, const char *sql, struct error *err)
{
    struct ledger_asked *a;

    for (a = l->asked; a != NULL; a = a->next)
        if (a->sql == sql) {
            l->db->engine->clear(a->query);
            return a->query;
        }
    a = arena_array(&l->kept, struct ledger_asked, 1, err);
    if (a == NULL)
        return NULL;
    *a = (struct ledger_asked){sql, l->db->engine->prepare(l->db, sql, err), l->asked};
    if (a->query != NULL)
        l->asked = a;
    return a->query;
}

bool ledger_done(struct ledger *l, struct query *q, const char *doing, struct error *err)
{
    int row;

    do
        row = l->db->engine->step(q, doing, err);
    while (row > 0);
    return row == 0;
}

int ledger_row(struct ledger *l, struct query *q, const char *doing, struct error *err)
{
    return l->db->engine->step(q, doing, err);
}

int64_t column_int(struct query *q, int at)
{
    return q->db->engine->column_int(q, at);
}

bool ledger_added(struct ledger *l, struct query *q, int64_t *key, struct error *err)
{
    int row = ledger_row(l, q, "write", err);

    if (row == 0)
        return error_fail(err, ERROR_FAILED, "the ledger '%s' did not take a row", l->name);
    if (row < 0)
        return false;
    *key = column_int(q, 0);
    return ledger_done(l, q, "write", err);
}

/* ---- transactions ---- */

bool ledger_finish(struct ledger *l, bool ok, struct error *err)
{
    if (l->holds > 0) /* it ends with the last of them */
        return ok;
    if (ok && l->db->engine->commit(l->db, err)) {
        l->fresh = false;
        return true;
    }
    l->open.number = 0; /* what is known of it may have been undone */
    l->db->engine->rollback(l->db);
    return false;
}

static bool start_write(struct ledger *l, enum engine_begin how, struct error *err)
{
    if (l->holds > 0)
        return error_fail(err, ERROR_FAILED, "the ledger '%s' is being read, not written",
                          l->name);
    if (!l->db->engine->begin(l->db, l->fresh ? ENGINE_ALONE : how, err))
        return false;
    if (!l->fresh)
        return true;
    if (ledger_step_up(l, ledger_steps, ledger_step_count, err))
        return true;
    return ledger_finish(l, false, err);
}

bool ledger_start_write(struct ledger *l, struct error *err)
{
    return start_write(l, ENGINE_WRITE, err);
}

bool ledger_start_alone(struct ledger *l, struct error *err)
{
    return start_write(l, ENGINE_ALONE, err);
}

bool ledger_has_tables(struct ledger *l, bool *out, struct error *err)
{
    int version = LEDGER_VERSION;

    if (l->fresh && !ledger_version(l, &version, err))
        return false;
    l->fresh = version == 0; /* another program may have begun it */
    *out = !l->fresh;
    return true;
}

int ledger_start_read(struct ledger *l, struct error *err)
{
    bool tables;

    if (l->holds > 0)
        return l->held_empty ? 0 : 1;
    if (!ledger_has_tables(l, &tables, err))
        return -1;
    if (!tables)
        return 0;
    return l->db->engine->begin(l->db, ENGINE_READ, err) ? 1 : -1;
}

bool ledger_hold(struct ledger *l, struct error *err)
{
    int begun = l != NULL ? ledger_start_read(l, err) : 1;

    if (begun < 0)
        return false;
    if (l != NULL) {
        l->held_empty = begun == 0;
        l->holds++;
    }
    return true;
}

void ledger_release(struct ledger *l)
{
    if (l != NULL && --l->holds == 0 && !l->held_empty)
        l->db->engine->rollback(l->db); /* nothing was written: it only ends */
}

/* ---- values ---- */

void query_reset(struct query *q)
{
    if (q != NULL)
        q->db->engine->reset(q);
}

void bind_int(struct query *q, int at, int64_t value)
{
    q->db->engine->bind_int(q, at, value);
}

void bind_real(struct query *q, int at, double value)
{
    q->db->engine->bind_real(q, at, value);
}

void bind_null(struct query *q, int at)
{
    q->db->engine->bind_null(q, at);
}

void bind_blob(struct query *q, int at, struct str bytes)
{
    q->db->engine->bind_blob(q, at, bytes);
}

void bind_text(struct query *q, int at, struct str text)
{
    q->db->engine->bind_text(q, at, text);
}

void bind_money(struct query *q, int at, int64_t nano)
{
    if (nano == MONEY_UNKNOWN)
        bind_null(q, at);
    else
        bind_int(q, at, nano);
}

void bind_number(struct query *q, int at, double value)
{
    if (isnan(value))
        bind_null(q, at);
    else
        bind_real(q, at, value);
}

void bind_count(struct query *q, int at, int64_t value)
{
    if (value < 0)
        bind_null(q, at);
    else
        bind_int(q, at, value);
}

void bind_text_or_null(struct query *q, int at, struct str text)
{
    if (text.len == 0)
        bind_null(q, at);
    else
        bind_text(q, at, text);
}

void bind_amount(struct query *q, int at, const struct decimal *amount)
{
    struct buf text;

    if (amount == NULL) {
        bind_null(q, at);
        return;
    }
    text = buf_new(q->db->alloc, 256);
    decimal_write(*amount, &text);
    if (text.failed)
        q->failed = true;
    else
        q->db->engine->bind_word(q, at, buf_text(&text));
    buf_free(&text);
}

bool column_null(struct query *q, int at)
{
    return q->db->engine->column_null(q, at);
}

double column_real(struct query *q, int at)
{
    return q->db->engine->column_real(q, at);
}

const char *column_word(struct query *q, int at)
{
    return q->db->engine->column_text(q, at).at;
}

struct str column_view(struct query *q, int at)
{
    return q->db->engine->column_text(q, at);
}

int64_t column_money(struct query *q, int at)
{
    return column_null(q, at) ? MONEY_UNKNOWN : column_int(q, at);
}

double column_number(struct query *q, int at)
{
    return column_null(q, at) ? NAN : column_real(q, at);
}

int64_t column_count(struct query *q, int at)
{
    return column_null(q, at) ? -1 : column_int(q, at);
}

bool column_text(struct query *q, int at, struct arena *arena, struct str *out,
                 struct error *err)
{
    struct str text = column_view(q, at);
    char *copy;

    if (text.at == NULL && !column_null(q, at))
        return error_memory(err);
    copy = str_dup(text, arena, err);
    *out = (struct str){copy, text.len};
    return copy != NULL;
}

bool column_amount(struct query *q, int at, struct decimal *out, struct error *err)
{
    struct str text = column_view(q, at);

    *out = (struct decimal){0};
    if (column_null(q, at))
        return true;
    if (text.at == NULL)
        return error_memory(err);
    return decimal_parse(text, out) ||
           error_fail(err, ERROR_INPUT,
                      "the ledger '%s' has an amount '%.*s' that is no number", q->db->name,
                      STR_ARG(text));
}

bool column_blob(struct query *q, int at, struct buf *out, struct error *err)
{
    buf_clear(out);
    q->db->engine->column_blob(q, at, out);
    if (out->failed == ERROR_INPUT)
        return error_fail(err, ERROR_INPUT, "the ledger '%s' has bytes that cannot be read",
                          q->db->name);
    return buf_ok(out, err);
}
