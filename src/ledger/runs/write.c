/* Writing runs: begun, resumed by another attempt, or entered by hand; what happens to an
 * attempt; and tags set later. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "ledger/runs/members.h"
#include "ledger/runs/records.h"

/* The newest of this name and folder, whatever its state. */
static const char find_resumable_sql[] =
    "SELECT run, id, number, state, a.started, ended, at, host, boot, pid, pid_started,"
    " pid_namespace, attempt, reason FROM runs r JOIN attempts a USING(run)"
    " WHERE number = attempts AND (id = ?3 OR (CAST(?3 AS TEXT) = '' AND name = ?1 AND "
    "folder = ?2))"
    " ORDER BY r.started DESC, run DESC";
static const char add_run_sql[] =
    "INSERT INTO runs(id, name, folder, command, owner, commit_id,"
    " budget_nano, electricity_nano, storage_month_nano, estimated_cost_nano,"
    " estimated_ns, started, digest, features, constants, origin, job, attempts)"
    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1) RETURNING run";
static const char add_tag_sql[] = "INSERT INTO tags(run, key, value) VALUES(?, ?, ?)"
                                  " ON CONFLICT(run, key) DO UPDATE SET value = excluded.value";
static const char add_fact_sql[] = "INSERT INTO facts(attempt, position, fact) VALUES(?, ?, ?)";
static const char add_attempt_sql[] =
    "INSERT INTO attempts(run, number, state, started, at, host, boot, pid,"
    " pid_started, pid_namespace, offer, market, price_source, rate_nano,"
    " lost_s, attempt_id)"
    " VALUES(?, ?, 'running', ?3, ?3, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " RETURNING attempt";
/* What is given anew replaces what was known. */
static const char count_attempt_sql[] =
    "UPDATE runs SET attempts = ?2, budget_nano = coalesce(?3, budget_nano)"
    " WHERE run = ?1";
static const char close_attempt_sql[] =
    "UPDATE attempts SET state = ?2, ended = at WHERE attempt = ?1";
static const char lose_attempt_sql[] =
    "UPDATE attempts SET state = 'lost', ended = at WHERE attempt = ? AND ended IS NULL"
    " RETURNING at";
static const char last_checkpoint_sql[] =
    "SELECT max(at) FROM checkpoints WHERE run = ? AND at BETWEEN ? AND ?";
static const char add_segment_sql[] =
    "INSERT INTO segments(attempt, started, rate_nano, offer, source)"
    " VALUES(?, ?, ?, ?, ?) ON CONFLICT(attempt, started) DO UPDATE SET"
    " ended = NULL, rate_nano = excluded.rate_nano,"
    " offer = excluded.offer, source = excluded.source";
static const char drop_last_event_sql[] =
    "DELETE FROM events WHERE attempt = ? AND kind = ? AND left_out IS NOT NULL";
static const char end_segment_sql[] =
    "UPDATE segments SET ended = ?2 WHERE attempt = ?1 AND ended IS NULL"
    " AND started <= ?2";
static const char tick_sql[] = "UPDATE attempts SET " LEDGER_TOTALS_SET " WHERE attempt = ?";
static const char add_event_sql[] = "INSERT INTO events(attempt, at, kind, words, left_out)"
                                    " VALUES(?, ?, ?, ?, ?)";
static const char noticed_sql[] =
    "SELECT 1 FROM events WHERE attempt = ? AND kind = 'notice' LIMIT 1";

static const char find_key_sql[] = "SELECT attempt FROM attempts JOIN runs USING(run)"
                                   " WHERE id = ? AND number = ?";
static const char end_sql[] =
    "UPDATE attempts SET " LEDGER_TOTALS_SET ", ended = ?, state = ?, status = ?, reason = ?"
    " WHERE attempt = ?";
static const char put_checkpoint_sql[] =
    "INSERT INTO checkpoints(run, path, number, at, bytes, step, metric, took_s,"
    " cost_nano, gone, best, metric_name)"
    " SELECT run, ?2, number, ?3, ?4, ?5, ?6, ?7, ?8, NULL, ?9, ?10"
    " FROM attempts WHERE attempt = ?1 ON CONFLICT(run, path) DO UPDATE SET"
    " number = excluded.number, at = excluded.at, bytes = excluded.bytes,"
    " step = excluded.step, metric = excluded.metric, took_s = excluded.took_s,"
    " cost_nano = excluded.cost_nano, gone = NULL, best = excluded.best,"
    " metric_name = excluded.metric_name";
static const char not_best_sql[] = "UPDATE checkpoints SET best = 0 WHERE best <> 0 AND run ="
                                   " (SELECT run FROM attempts WHERE attempt = ?)";
static const char checkpoint_gone_sql[] =
    "UPDATE checkpoints SET gone = ?3, best = 0 WHERE path = ?2 AND run ="
    " (SELECT run FROM runs WHERE id = ?1)";

/* The attempt that a new one goes on from. */
struct before {
    int64_t run, attempt;
    int number;
    stamp started, ended;
    bool open;     /* its end was not recorded */
    bool detached; /* its process went on, unmetered */
    char id[LEDGER_ID];
};

static bool add_run_tags(struct ledger *l, int64_t run, const struct strs *tags,
                         struct error *err)
{
    for (size_t i = 0; i < tags->len; i++) {
        struct str value = tags->at[i], key = str_cut(&value, '=');

        if (!ledger_run(l, add_tag_sql, VALUES(as_int(run), as_text(key), as_text(value)), err))
            return false;
    }
    return true;
}

static bool add_attempt_facts(struct ledger *l, int64_t attempt, const struct strs *facts,
                              struct error *err)
{
    for (size_t i = 0; i < facts->len; i++)
        if (!ledger_run(l, add_fact_sql,
                        VALUES(as_int(attempt), as_int((int64_t)i), as_text(facts->at[i])),
                        err))
            return false;
    return true;
}

static bool add_started_run(struct ledger *l, const struct ledger_start *start, int64_t *run,
                            struct error *err)
{
    return ledger_insert(
        l, add_run_sql,
        VALUES(as_text(str_from(start->id)), as_text(start->name), as_text(start->folder),
               as_text(start->command), as_text(start->user), as_text(start->commit),
               as_money(start->budget.nano), as_money(start->electricity.nano),
               as_money(start->storage_month.nano), as_money(start->estimated_cost.nano),
               as_count(start->estimated_time.ns), as_int(start->started.s),
               as_text_or_null(start->digest), as_text_or_null(start->features),
               as_text_or_null(start->constants),
               as_text(start->origin.len > 0 ? start->origin : STR("run")),
               as_text_or_null(start->job.len <= LEDGER_JOB_MAX ? start->job : STR(""))),
        run, err);
}

static bool add_started_attempt(struct ledger *l, const struct ledger_start *start, int64_t run,
                                int number, double lost_s, int64_t *key, struct error *err)
{
    return ledger_insert(
        l, add_attempt_sql,
        VALUES(as_int(run), as_int(number), as_int(start->started.s), as_text(start->host),
               as_text(start->boot), as_count(start->pid), as_count(start->pid_started),
               as_count(start->pid_namespace != 0 ? start->pid_namespace : ledger_namespace()),
               as_text(start->offer), as_text(start->market), as_text(start->price_source),
               as_money(start->rate.nano), as_number(lost_s),
               as_text_or_null(str_from(start->attempt_id))),
        key, err);
}

/* The price that holds from its start on. */
static bool add_segment(struct ledger *l, int64_t attempt, const struct ledger_start *start,
                        struct error *err)
{
    return ledger_run(l, add_segment_sql,
                      VALUES(as_int(attempt), as_int(start->started.s),
                             as_money(start->rate.nano), as_text(start->offer),
                             as_text(start->price_source)),
                      err);
}

bool ledger_noticed(struct ledger *l, int64_t attempt, bool *out, struct error *err)
{
    return ledger_finds(l, noticed_sql, VALUES(as_int(attempt)), out, err);
}

bool ledger_put_totals(struct ledger *l, int64_t attempt, const struct ledger_totals *totals,
                       struct error *err)
{
    struct query *q = ledger_query(l, tick_sql, NO_VALUES, err);

    query_bind(q, query_bind_fields(q, 1, &ledger_totals_members, totals), as_int(attempt));
    return ledger_done(l, q, "write", err);
}

static bool end_segment(struct ledger *l, int64_t attempt, stamp at, struct error *err)
{
    return ledger_run(l, end_segment_sql, VALUES(as_int(attempt), as_int(at.s)), err);
}

bool ledger_put_event(struct ledger *l, int64_t attempt, const struct ledger_happening *event,
                      struct error *err)
{
    struct query *q;

    /* The last of its kind takes the place of the one that was. */
    if (event->left_out >= 0 &&
        !ledger_run(l, drop_last_event_sql, VALUES(as_int(attempt), as_text(event->kind)), err))
        return false;
    q = ledger_query(l, add_event_sql, VALUES(as_int(attempt)), err);
    (void)query_bind_fields(q, 2, &ledger_event_members, event);
    return ledger_done(l, q, "write", err);
}

/* Its supervisor is gone: record that. */
static bool close_lost(struct ledger *l, const struct before *b, struct error *err)
{
    bool noticed;

    return ledger_noticed(l, b->attempt, &noticed, err) &&
           ledger_run(
               l, close_attempt_sql,
               VALUES(as_int(b->attempt), as_text(noticed ? STR("preempted") : STR("lost"))),
               err) &&
           end_segment(l, b->attempt, b->ended, err);
}

bool ledger_close_open(struct ledger *l, struct error *err)
{
    struct query *q = ledger_query(l, lose_attempt_sql, VALUES(as_int(l->open.key)), err);
    int row = ledger_row(l, q, "write", err);
    stamp at = {row > 0 ? column_int(q, 0) : 0};

    if (row <= 0) /* its end is known */
        return row == 0;
    return ledger_done(l, q, "write", err) && end_segment(l, l->open.key, at, err);
}

/* Does the supervisor of this row of find_resumable_sql live? Its texts are the row's. */
static bool row_alive(const struct ledger *l, struct query *q)
{
    struct ledger_supervisor who = column_supervisor(q, 6);

    return ledger_alive(&who, l->clock->today(l->clock->ctx));
}

static struct before column_before(struct query *q)
{
    return (struct before){.run = column_int(q, 0),
                           .number = (int)column_int(q, 2),
                           .started = {column_int(q, 4)},
                           .ended = {column_int(q, 6)},
                           .open = str_eq(column_view(q, 3), STR("running")),
                           .attempt = column_int(q, 12),
                           .detached = str_eq(column_view(q, 13), STR(LEDGER_DETACHED))};
}

/* The run that was named, or the newest of this name and folder if it ended badly. 1, 0 when
 * there is none, or -1. One that is still under way is passed over: two may run at a time. */
static int find_previous_attempt(struct ledger *l, const struct ledger_start *start,
                                 struct before *out, struct error *err)
{
    struct query *q = ledger_query(l, find_resumable_sql,
                                   VALUES(as_text(start->name), as_text(start->folder),
                                          as_text(str_from(start->resume_id))),
                                   err);
    int row;

    while ((row = ledger_row(l, q, "read", err)) > 0) {
        const char *id = column_word(q, 1);

        *out = column_before(q);
        if (id == NULL || strlen(id) != LEDGER_ID - 1 || (out->open && row_alive(l, q)))
            continue;
        if (start->resume_id[0] == '\0' && str_eq(column_view(q, 3), STR("done")))
            row = 0; /* the newest of this name ended well: this is another run */
        memcpy(out->id, id, LEDGER_ID);
        break;
    }
    query_reset(q);
    return row;
}

/* Seconds of work of the attempt before that no checkpoint holds. */
static bool read_lost_work(struct ledger *l, const struct before *b, double *out,
                           struct error *err)
{
    struct query *q =
        ledger_query(l, last_checkpoint_sql,
                     VALUES(as_int(b->run), as_int(b->started.s), as_int(b->ended.s)), err);
    int row = ledger_row(l, q, "read", err);
    int64_t saved;

    if (row < 0)
        return false;
    saved = row > 0 ? column_count(q, 0) : -1;
    query_reset(q);
    *out = (double)(b->ended.s - (saved >= 0 ? saved : b->started.s));
    return true;
}

static bool continue_run(struct ledger *l, const struct before *b, struct ledger_start *start,
                         double *lost_s, struct error *err)
{
    memcpy(start->id, b->id, LEDGER_ID);
    /* Of a process that went on, what was lost is not known. */
    return (b->detached || read_lost_work(l, b, lost_s, err)) &&
           (!b->open || close_lost(l, b, err)) &&
           ledger_run(
               l, count_attempt_sql,
               VALUES(as_int(b->run), as_int(b->number + 1), as_money(start->budget.nano)),
               err);
}

int ledger_find_resumable(struct ledger *l, struct ledger_start *start, struct error *err)
{
    struct before b = {0};
    int found = find_previous_attempt(l, start, &b, err);

    if (found > 0)
        memcpy(start->id, b.id, LEDGER_ID);
    return found;
}

bool ledger_resumable(struct ledger *l, struct ledger_start *start, int *attempt,
                      struct error *err)
{
    bool wanted = start->resume || start->resume_id[0] != '\0';
    int begun = wanted ? ledger_start_read(l, err) : 0;
    struct before b = {0};
    int found;

    *attempt = 1;
    if (begun <= 0)
        return begun == 0;
    found = find_previous_attempt(l, start, &b, err);
    if (!ledger_finish(l, found >= 0, err))
        return false;
    if (found > 0) {
        *attempt = b.number + 1;
        memcpy(start->id, b.id, LEDGER_ID);
    }
    return true;
}

/* The last attempt at the run of this id, whatever became of it. 1, 0 when there is no such
 * run, or -1. */
static int find_last(struct ledger *l, const char *id, struct before *out, struct error *err)
{
    struct query *q = ledger_query(
        l, find_resumable_sql,
        VALUES(as_text((struct str){0}), as_text((struct str){0}), as_text(str_from(id))), err);
    int row = ledger_row(l, q, "read", err);

    if (row > 0) {
        *out = column_before(q);
        out->open = out->open && !row_alive(l, q);
        memcpy(out->id, id, LEDGER_ID);
    }
    query_reset(q);
    return row;
}

/* The rows of a new run, or of the attempt after `b`. */
static bool add_run_start(struct ledger *l, struct ledger_start *start, const struct before *b,
                          bool found, int number, struct error *err)
{
    int64_t run = b->run, key;
    double lost_s = NAN;

    if (found ? !continue_run(l, b, start, &lost_s, err)
              : !add_started_run(l, start, &run, err))
        return false;
    if (!add_started_attempt(l, start, run, number, lost_s, &key, err) ||
        !add_run_tags(l, run, &start->tags, err) ||
        !add_attempt_facts(l, key, &start->facts, err) || !add_segment(l, key, start, err))
        return false;
    l->open = (struct ledger_open_attempt){.number = number, .key = key};
    memcpy(l->open.id, start->id, LEDGER_ID);
    memcpy(l->open.attempt_id, start->attempt_id, LEDGER_ID);
    return true;
}

bool ledger_begin_known(struct ledger *l, struct ledger_start *start, struct error *err)
{
    struct before b = {0};
    int found = find_last(l, start->id, &b, err);

    return found >= 0 && add_run_start(l, start, &b, found > 0, b.number + 1, err);
}

static bool begin_ledger_attempt(struct ledger *l, struct ledger_start *start, int *attempt,
                                 struct error *err)
{
    struct before b = {0};
    int found = start->resume || start->resume_id[0] != '\0'
                    ? find_previous_attempt(l, start, &b, err)
                    : 0;

    *attempt = found > 0 ? b.number + 1 : 1;
    return found >= 0 && add_run_start(l, start, &b, found > 0, *attempt, err);
}

bool ledger_begin(struct ledger *l, struct ledger_start *start, int *attempt, struct error *err)
{
    struct database *db = l->db;
    char id[LEDGER_ID];
    bool begun;

    memcpy(id, start->id, LEDGER_ID);
    /* The command is not to wait for the disk: the first tick, or the end of a short run,
     * writes this down with its own. A power cut in between loses a run of less than a
     * second. */
    if (db->engine->hasten != NULL)
        db->engine->hasten(db, true);
    begun = ledger_start_alone(l, err) &&
            ledger_finish(l, begin_ledger_attempt(l, start, attempt, err), err);
    if (db->engine->hasten != NULL)
        db->engine->hasten(db, false);
    if (!begun)
        memcpy(start->id, id, LEDGER_ID);
    return begun;
}

/* ---- what happens to an attempt ---- */

bool ledger_open_attempt(struct ledger *l, const char *id, int attempt, struct error *err)
{
    struct query *q;
    bool tables;
    int row = 0;

    if (l->open.number == attempt && strcmp(l->open.id, id) == 0)
        return true;
    l->open.number = 0;
    if (!ledger_has_tables(l, &tables, err))
        return false;
    if (tables) {
        q = ledger_query(l, find_key_sql, VALUES(as_text(str_from(id)), as_int(attempt)), err);
        row = ledger_row(l, q, "read", err);
    }
    if (row <= 0)
        return row == 0 && error_fail(err, ERROR_ABSENT,
                                      "there is no attempt %d at a run '%.40s'", attempt, id);
    l->open =
        (struct ledger_open_attempt){.number = attempt, .key = column_int(q, 0), .count = -1};
    query_reset(q);
    (void)snprintf(l->open.id, sizeof l->open.id, "%s", id);
    return true;
}

bool ledger_put_checkpoint(struct ledger *l, const struct ledger_checkpoint *checkpoint,
                           struct error *err)
{
    struct values attempt = VALUES(as_int(l->open.key));
    struct query *q;

    if (checkpoint->best && !ledger_run(l, not_best_sql, attempt, err))
        return false;
    q = ledger_query(l, put_checkpoint_sql, attempt, err);
    (void)query_bind_fields(q, 2, &ledger_checkpoint_members, checkpoint);
    return ledger_done(l, q, "write", err);
}

bool ledger_put_gone(struct ledger *l, const char *id, struct str path, stamp when,
                     struct error *err)
{
    return ledger_run(l, checkpoint_gone_sql,
                      VALUES(as_text(str_from(id)), as_text(path), as_int(when.s)), err);
}

bool ledger_checkpoint_gone(struct ledger *l, const char *id, struct str path, stamp when,
                            struct error *err)
{
    bool tables;

    if (!ledger_has_tables(l, &tables, err))
        return false;
    return !tables || ledger_put_gone(l, id, path, when, err);
}

bool ledger_put_end(struct ledger *l, const struct ledger_ending *ending,
                    const struct ledger_totals *totals, struct error *err)
{
    struct query *q = ledger_query(l, end_sql, NO_VALUES, err);
    int at = query_bind_fields(q, 1, &ledger_totals_members, totals);

    query_bind(q, at, as_int(totals->at.s));
    query_bind(q, at + 1, as_text(str_from(ledger_state_name(ending->state))));
    query_bind(q, at + 2, as_count(ending->status));
    query_bind(q, at + 3, as_text(str_from(ending->reason)));
    query_bind(q, at + 4, as_int(l->open.key));
    return ledger_done(l, q, "write", err) && end_segment(l, l->open.key, totals->at, err);
}

#define WORDS_MAX 4096

static const char run_sql[] =
    "SELECT r.run, max(a.attempt) FROM runs r JOIN attempts a ON a.run = r.run"
    " WHERE r.id = ?1 GROUP BY r.run";
static const char tag_sql[] = "SELECT value FROM tags WHERE run = ?1 AND key = ?2";
static const char drop_tag_sql[] = "DELETE FROM tags WHERE run = ?1 AND key = ?2";
static const char insert_attempt_sql[] =
    "INSERT INTO attempts(run, number, state, status, reason, started, ended, host, boot,"
    " offer, market, price_source, rate_nano, at) VALUES(?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, '',"
    " ?8, ?9, ?10, ?11, ?6) RETURNING attempt";
static const char overlap_sql[] =
    "SELECT r.id FROM runs r JOIN attempts a ON a.run = r.run WHERE r.name = ?1"
    " AND a.offer = ?2 AND a.started < ?4 AND coalesce(a.ended, a.at) > ?3"
    " ORDER BY a.started LIMIT 1";

/* ---- tags that are set later ---- */

static bool read_run_tag(struct ledger *l, int64_t run, struct str key, struct arena *arena,
                         struct str *out, struct error *err)
{
    struct query *s = ledger_query(l, tag_sql, VALUES(as_int(run), as_text(key)), err);
    int row = ledger_row(l, s, "read", err);

    *out = (struct str){0};
    if (row > 0 && !column_text(s, 0, arena, out, err))
        row = -1;
    query_reset(s);
    return row >= 0;
}

static bool put_run_tag(struct ledger *l, int64_t run, struct str key, struct str value,
                        struct error *err)
{
    return value.len > 0 ? ledger_run(l, add_tag_sql,
                                      VALUES(as_int(run), as_text(key), as_text(value)), err)
                         : ledger_run(l, drop_tag_sql, VALUES(as_int(run), as_text(key)), err);
}

static bool find_run_keys(struct ledger *l, const char *id, int64_t *run, int64_t *attempt,
                          struct error *err)
{
    struct query *s = ledger_query(l, run_sql, VALUES(as_text(str_from(id))), err);
    int row = ledger_row(l, s, "read", err);

    if (row > 0) {
        *run = column_int(s, 0);
        *attempt = column_int(s, 1);
    }
    query_reset(s);
    return row > 0 ||
           (row == 0 && error_fail(err, ERROR_ABSENT, "there is no run '%.40s'", id));
}

/* "team: vision -> nlp; phase: -> train". */
static void describe_change(struct str key, struct str before, struct str after,
                            struct buf *out)
{
    buf_adds(out, out->len > 0 ? "; " : "");
    buf_add(out, key);
    buf_adds(out, ": ");
    buf_add(out, before);
    buf_adds(out, before.len > 0 ? " -> " : "-> ");
    buf_add(out, after);
}

static bool set_run_tags(struct ledger *l, const char *id, struct strs tags, stamp now,
                         struct arena *arena, int64_t *changed, struct error *err)
{
    struct buf words = buf_new(l->alloc, WORDS_MAX);
    int64_t run = -1, attempt = -1;
    bool ok = find_run_keys(l, id, &run, &attempt, err);

    for (size_t i = 0; ok && i < tags.len; i++) {
        struct str value = tags.at[i], key = str_cut(&value, '='), before;

        ok = read_run_tag(l, run, key, arena, &before, err);
        if (!ok || str_eq(before, value))
            continue;
        describe_change(key, before, value, &words);
        ++*changed;
        ok = put_run_tag(l, run, key, value, err);
    }
    if (ok && *changed > 0) /* long texts are cut */
        ok = ledger_put_event(
            l, attempt,
            &(struct ledger_happening){
                .at = now, .kind = STR("tags"), .text = buf_text(&words), .left_out = -1},
            err);
    buf_free(&words);
    return ok;
}

bool ledger_tags_set(struct ledger *l, const char *id, struct strs tags, stamp now,
                     int64_t *changed, struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    bool ok;

    *changed = 0;
    ok = ledger_start_write(l, err) &&
         ledger_finish(l, set_run_tags(l, id, tags, now, &arena, changed, err), err);
    arena_free(&arena);
    return ok;
}

/* ---- runs entered by hand ---- */

static bool insert_attempt(struct ledger *l, int64_t run, const struct ledger_start *start,
                           const struct ledger_ending *ending, stamp ended, int64_t *attempt,
                           struct error *err)
{
    return ledger_insert(l, insert_attempt_sql,
                         VALUES(as_int(run),
                                as_text(str_from(ledger_state_name(ending->state))),
                                as_count(ending->status), as_text(str_from(ending->reason)),
                                as_int(start->started.s), as_int(ended.s), as_text(start->host),
                                as_text(start->offer), as_text(start->market),
                                as_text(start->price_source), as_money(start->rate.nano)),
                         attempt, err);
}

static bool insert_rest(struct ledger *l, int64_t run, int64_t attempt,
                        const struct ledger_start *start, const struct ledger_totals *totals,
                        struct error *err)
{
    if (!ledger_put_totals(l, attempt, totals, err) || !add_segment(l, attempt, start, err) ||
        !end_segment(l, attempt, totals->at, err))
        return false;
    for (size_t i = 0; i < start->tags.len; i++) {
        struct str value = start->tags.at[i], key = str_cut(&value, '=');

        if (!put_run_tag(l, run, key, value, err))
            return false;
    }
    return add_attempt_facts(l, attempt, &start->facts, err);
}

/* The same work must not be recorded twice. */
static bool check_overlap(struct ledger *l, const struct ledger_start *start, stamp until,
                          struct error *err)
{
    struct query *s = ledger_query(l, overlap_sql,
                                   VALUES(as_text(start->name), as_text(start->offer),
                                          as_int(start->started.s), as_int(until.s)),
                                   err);
    int row = ledger_row(l, s, "read", err);

    if (row > 0) {
        struct str text = column_view(s, 0);
        char id[LEDGER_ID] = "";

        memcpy(id, text.at, text.len < LEDGER_ID ? text.len : LEDGER_ID - 1);
        error_set(err, ERROR_INPUT, "'%.*s' is recorded for that time already (%.*s)",
                  STR_ARG(start->name), STR_ARG(ledger_short(id)));
        error_hint(err, "use another --name for a different job");
    }
    query_reset(s);
    return row == 0;
}

/* A run with one attempt that is over. */
static bool insert_past(struct ledger *l, const struct ledger_start *start,
                        const struct ledger_ending *ending, const struct ledger_totals *totals,
                        struct error *err)
{
    int64_t run = -1, attempt = -1;
    struct ledger_start bare = *start; /* nothing was predicted, and no limit set */

    bare.budget = bare.estimated_cost = USD_UNKNOWN;
    bare.electricity.nano = bare.storage_month.nano = MONEY_UNKNOWN;
    bare.estimated_time.ns = -1;
    return add_started_run(l, &bare, &run, err) &&
           insert_attempt(l, run, start, ending, totals->at, &attempt, err) &&
           insert_rest(l, run, attempt, start, totals, err);
}

bool ledger_run_add(struct ledger *l, const struct ledger_start *start,
                    const struct ledger_ending *ending, const struct ledger_totals *totals,
                    struct error *err)
{
    /* Alone: of two that add the same at the same time, one fails. */
    return ledger_start_alone(l, err) &&
           ledger_finish(l,
                         check_overlap(l, start, totals->at, err) &&
                             insert_past(l, start, ending, totals, err),
                         err);
}

/* ---- runs of other programs' records ---- */

static const char past_sql[] =
    "SELECT r.run, a.attempt, r.id, a.cost_nano FROM runs r JOIN attempts a"
    " ON a.run = r.run WHERE r.digest = ? ORDER BY r.run, a.number LIMIT 1";
static const char update_run_sql[] =
    "UPDATE runs SET name = ?2, command = ?3, owner = ?4, commit_id = ?5 WHERE run = ?1";
static const char update_attempt_sql[] =
    "UPDATE attempts SET host = ?2, offer = ?3, market = ?4, price_source = ?5, rate_nano = ?6"
    " WHERE attempt = ?1";
static const char keep_tag_sql[] = "INSERT INTO tags(run, key, value) VALUES(?, ?, ?)"
                                   " ON CONFLICT(run, key) DO NOTHING";
static const char drop_facts_sql[] = "DELETE FROM facts WHERE attempt = ?";
static const char drop_metrics_sql[] = "DELETE FROM metrics WHERE attempt = ?";

struct past {
    int64_t run, attempt;
    char id[LEDGER_ID];
    usd cost;
};

/* 1, 0 when there is none, -1 with the error set. */
static int find_past_run(struct ledger *l, struct str digest, struct past *out,
                         struct error *err)
{
    struct query *q = ledger_query(l, past_sql, VALUES(as_text(digest)), err);
    int row = ledger_row(l, q, "read", err);

    if (row > 0) {
        *out = (struct past){
            .run = column_int(q, 0), .attempt = column_int(q, 1), .cost = {column_money(q, 3)}};
        str_copy(column_view(q, 2), out->id, sizeof out->id);
    }
    query_reset(q);
    return row;
}

/* Tags that were set here stay as they are. */
static bool keep_tags(struct ledger *l, int64_t run, struct strs tags, struct error *err)
{
    for (size_t i = 0; i < tags.len; i++) {
        struct str value = tags.at[i], key = str_cut(&value, '=');

        if (!ledger_run(l, keep_tag_sql, VALUES(as_int(run), as_text(key), as_text(value)),
                        err))
            return false;
    }
    return true;
}

static bool put_past_price(struct ledger *l, const struct past *p,
                           const struct ledger_start *start, struct error *err)
{
    return ledger_run(l, update_attempt_sql,
                      VALUES(as_int(p->attempt), as_text(start->host), as_text(start->offer),
                             as_text(start->market), as_text(start->price_source),
                             as_money(start->rate.nano)),
                      err) &&
           add_segment(l, p->attempt, start, err);
}

static bool update_past(struct ledger *l, const struct past *p,
                        const struct ledger_past_run *run, struct error *err)
{
    const struct ledger_start *start = &run->start;
    struct ledger_totals totals = run->totals;

    if (totals.cost.nano == MONEY_UNKNOWN)
        totals.cost = totals.compute = p->cost;
    else if (!put_past_price(l, p, start, err))
        return false;
    return ledger_run(l, update_run_sql,
                      VALUES(as_int(p->run), as_text(start->name), as_text(start->command),
                             as_text(start->user), as_text(start->commit)),
                      err) &&
           ledger_put_end(l, &run->ending, &totals, err) &&
           keep_tags(l, p->run, start->tags, err) &&
           ledger_run(l, drop_facts_sql, VALUES(as_int(p->attempt)), err) &&
           add_attempt_facts(l, p->attempt, &start->facts, err) &&
           ledger_run(l, drop_metrics_sql, VALUES(as_int(p->attempt)), err);
}

static bool record_past(struct ledger *l, const struct ledger_past_run *run, bool *added,
                        struct error *err)
{
    struct past p = {0};
    int found = find_past_run(l, run->start.digest, &p, err);

    *added = found == 0;
    if (found < 0 ||
        (found == 0 && !insert_past(l, &run->start, &run->ending, &run->totals, err)) ||
        !ledger_open_attempt(l, found > 0 ? p.id : run->start.id, 1, err) ||
        (found > 0 && !update_past(l, &p, run, err)))
        return false;
    for (size_t i = 0; i < run->metric_count; i++)
        if (!ledger_put_metric(l, &run->metrics[i], err))
            return false;
    return true;
}

bool ledger_run_record(struct ledger *l, const struct ledger_past_run *run, bool *added,
                       struct error *err)
{
    bool ok =
        ledger_start_alone(l, err) && ledger_finish(l, record_past(l, run, added, err), err);

    l->open.number = 0; /* the next one may be another run */
    return ok;
}
