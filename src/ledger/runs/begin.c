/* New runs: begun, resumed by another attempt, or entered by hand; and tags set later. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "ledger/internal.h"
#include "ledger/runs/records.h"

/* The attempt that a new one goes on from. */
struct before {
    int64_t run, attempt;
    int number;
    stamp started, ended;
    bool open; /* its end was not recorded */
    char id[LEDGER_ID];
};

static bool add_tags(struct ledger *l, int64_t run, const struct strs *tags, struct error *err)
{
    for (size_t i = 0; i < tags->len; i++) {
        struct query *s = ledger_statement(l, SQL_ADD_TAG, err);
        struct str value = tags->at[i];
        struct str key = str_cut(&value, '=');

        if (s == NULL)
            return false;
        bind_int(s, 1, run);
        bind_text(s, 2, key);
        bind_text(s, 3, value);
        if (!ledger_done(l, s, "write", err))
            return false;
    }
    return true;
}

/* Of an attempt, within a transaction (begin.c). */
static bool ledger_put_facts(struct ledger *l, int64_t attempt, const struct strs *facts,
                             struct error *err)
{
    for (size_t i = 0; i < facts->len; i++) {
        struct query *s = ledger_statement(l, SQL_ADD_FACT, err);

        if (s == NULL)
            return false;
        bind_int(s, 1, attempt);
        bind_int(s, 2, (int64_t)i);
        bind_text(s, 3, facts->at[i]);
        if (!ledger_done(l, s, "write", err))
            return false;
    }
    return true;
}

static bool add_run(struct ledger *l, const struct ledger_start *start, int64_t *run,
                    struct error *err)
{
    struct query *s = ledger_statement(l, SQL_ADD_RUN, err);

    if (s == NULL)
        return false;
    bind_text(s, 1, str_from(start->id));
    bind_text(s, 2, start->name);
    bind_text(s, 3, start->folder);
    bind_text(s, 4, start->command);
    bind_text(s, 5, start->user);
    bind_text(s, 6, start->commit);
    bind_money(s, 7, start->budget.nano);
    bind_money(s, 8, start->electricity.nano);
    bind_money(s, 9, start->storage_month.nano);
    bind_money(s, 10, start->estimated_cost.nano);
    bind_count(s, 11, start->estimated_time.ns);
    bind_int(s, 12, start->started.s);
    bind_text_or_null(s, 13, start->digest);
    bind_text_or_null(s, 14, start->features);
    bind_text_or_null(s, 15, start->constants);
    bind_text(s, 16, start->origin.len > 0 ? start->origin : STR("run"));
    return ledger_added(l, s, run, err);
}

static bool add_attempt(struct ledger *l, const struct ledger_start *start, int64_t run,
                        int number, double lost_s, int64_t *key, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_ADD_ATTEMPT, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, run);
    bind_int(s, 2, number);
    bind_int(s, 3, start->started.s);
    bind_text(s, 4, start->host);
    bind_text(s, 5, start->boot);
    bind_count(s, 6, start->pid);
    bind_count(s, 7, start->pid_started);
    bind_count(s, 8, start->pid_namespace != 0 ? start->pid_namespace : ledger_namespace());
    bind_text(s, 9, start->offer);
    bind_text(s, 10, start->market);
    bind_text(s, 11, start->price_source);
    bind_money(s, 12, start->rate.nano);
    bind_number(s, 13, lost_s);
    bind_text_or_null(s, 14, str_from(start->attempt_id));
    return ledger_added(l, s, key, err);
}

/* The price that holds from its start on. */
static bool add_segment(struct ledger *l, int64_t attempt, const struct ledger_start *start,
                        struct error *err)
{
    struct query *s = ledger_statement(l, SQL_ADD_SEGMENT, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, attempt);
    bind_int(s, 2, start->started.s);
    bind_money(s, 3, start->rate.nano);
    bind_text(s, 4, start->offer);
    bind_text(s, 5, start->price_source);
    return ledger_done(l, s, "write", err);
}

bool ledger_noticed(struct ledger *l, int64_t attempt, bool *out, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_NOTICED, err);
    int row;

    if (s == NULL)
        return false;
    bind_int(s, 1, attempt);
    row = ledger_row(l, s, "read", err);
    query_reset(s);
    *out = row > 0;
    return row >= 0;
}

/* Its supervisor is gone: record that. */
static bool close_lost(struct ledger *l, const struct before *b, struct error *err)
{
    struct query *s;
    bool noticed;

    if (!ledger_noticed(l, b->attempt, &noticed, err))
        return false;
    s = ledger_statement(l, SQL_CLOSE_ATTEMPT, err);
    if (s == NULL)
        return false;
    bind_int(s, 1, b->attempt);
    bind_text(s, 2, noticed ? STR("preempted") : STR("lost"));
    if (!ledger_done(l, s, "write", err))
        return false;
    s = ledger_statement(l, SQL_END_SEGMENT, err);
    if (s == NULL)
        return false;
    bind_int(s, 1, b->attempt);
    bind_int(s, 2, b->ended.s);
    return ledger_done(l, s, "write", err);
}

/* Does the supervisor of this row of SQL_FIND_RESUMABLE live? Its texts are the row's. */
static bool row_alive(const struct ledger *l, struct query *s)
{
    struct ledger_supervisor who = {
        .pid = column_count(s, 9),
        .pid_started = column_count(s, 10),
        .namespace = column_count(s, 11),
        .host = str_from(column_word(s, 7)),
        .boot = str_from(column_word(s, 8)),
        .heard = {column_int(s, 6)},
    };

    return ledger_alive(&who, l->clock->today(l->clock->ctx));
}

/* The run that was named, or the newest of this name and folder if it ended badly. 1, 0 when
 * there is none, or -1. One that is still under way is passed over: two may run at a time. */
static int find_before(struct ledger *l, const struct ledger_start *start, struct before *out,
                       struct error *err)
{
    struct query *s = ledger_statement(l, SQL_FIND_RESUMABLE, err);
    int row;

    if (s == NULL)
        return -1;
    bind_text(s, 1, start->name);
    bind_text(s, 2, start->folder);
    bind_text(s, 3, str_from(start->resume_id));
    while ((row = ledger_row(l, s, "read", err)) > 0) {
        const char *id = column_word(s, 1);
        struct str state = str_from(column_word(s, 3));

        *out = (struct before){.run = column_int(s, 0),
                               .number = (int)column_int(s, 2),
                               .started = {column_int(s, 4)},
                               .ended = {column_int(s, 6)},
                               .open = str_eq(state, STR("running")),
                               .attempt = column_int(s, 12)};
        if (id == NULL || strlen(id) != LEDGER_ID - 1 || (out->open && row_alive(l, s)))
            continue;
        if (start->resume_id[0] == '\0' && str_eq(state, STR("done")))
            row = 0; /* the newest of this name ended well: this is another run */
        memcpy(out->id, id, LEDGER_ID);
        break;
    }
    query_reset(s);
    return row;
}

/* Seconds of work of the attempt before that no checkpoint holds. */
static bool lost_work(struct ledger *l, const struct before *b, double *out, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_LAST_CHECKPOINT, err);
    int64_t saved;
    int row;

    if (s == NULL)
        return false;
    bind_int(s, 1, b->run);
    bind_int(s, 2, b->started.s);
    bind_int(s, 3, b->ended.s);
    row = ledger_row(l, s, "read", err);
    if (row < 0)
        return false;
    saved = row > 0 ? column_count(s, 0) : -1;
    query_reset(s);
    *out = (double)(b->ended.s - (saved >= 0 ? saved : b->started.s));
    return true;
}

static bool continue_run(struct ledger *l, const struct before *b, struct ledger_start *start,
                         double *lost_s, struct error *err)
{
    struct query *s;

    if (!lost_work(l, b, lost_s, err) || (b->open && !close_lost(l, b, err)))
        return false;
    s = ledger_statement(l, SQL_COUNT_ATTEMPT, err);
    if (s == NULL)
        return false;
    bind_int(s, 1, b->run);
    bind_int(s, 2, b->number + 1);
    bind_money(s, 3, start->budget.nano);
    memcpy(start->id, b->id, LEDGER_ID);
    return ledger_done(l, s, "write", err);
}

/* All rows of an attempt but those of the run. */
static bool add_attempt_rows(struct ledger *l, const struct ledger_start *start, int64_t run,
                             int number, double lost_s, struct error *err)
{
    int64_t key;

    if (!add_attempt(l, start, run, number, lost_s, &key, err) ||
        !add_tags(l, run, &start->tags, err) || !ledger_put_facts(l, key, &start->facts, err) ||
        !add_segment(l, key, start, err))
        return false;
    l->open = (struct ledger_open_attempt){.number = number, .key = key};
    memcpy(l->open.id, start->id, LEDGER_ID);
    memcpy(l->open.attempt_id, start->attempt_id, LEDGER_ID);
    return true;
}

static bool begin_attempt(struct ledger *l, struct ledger_start *start, int *attempt,
                          struct error *err)
{
    struct before b = {0};
    int found =
        start->resume || start->resume_id[0] != '\0' ? find_before(l, start, &b, err) : 0;
    int64_t run = b.run;
    double lost_s = NAN;

    if (found < 0)
        return false;
    *attempt = found > 0 ? b.number + 1 : 1;
    if (found > 0 ? !continue_run(l, &b, start, &lost_s, err) : !add_run(l, start, &run, err))
        return false;
    return add_attempt_rows(l, start, run, *attempt, lost_s, err);
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
    found = find_before(l, start, &b, err);
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
    struct query *s = ledger_statement(l, SQL_FIND_RESUMABLE, err);
    int row;

    if (s == NULL)
        return -1;
    bind_text(s, 1, (struct str){0});
    bind_text(s, 2, (struct str){0});
    bind_text(s, 3, str_from(id));
    row = ledger_row(l, s, "read", err);
    if (row > 0) {
        *out = (struct before){.run = column_int(s, 0),
                               .number = (int)column_int(s, 2),
                               .started = {column_int(s, 4)},
                               .ended = {column_int(s, 6)},
                               .open = str_eq(str_from(column_word(s, 3)), STR("running")) &&
                                       !row_alive(l, s),
                               .attempt = column_int(s, 12)};
        memcpy(out->id, id, LEDGER_ID);
    }
    query_reset(s);
    return row;
}

bool ledger_begin_known(struct ledger *l, struct ledger_start *start, struct error *err)
{
    struct before b = {0};
    int found = find_last(l, start->id, &b, err);
    int64_t run = b.run;
    double lost_s = NAN;

    if (found < 0)
        return false;
    if (found > 0 ? !continue_run(l, &b, start, &lost_s, err) : !add_run(l, start, &run, err))
        return false;
    return add_attempt_rows(l, start, run, found > 0 ? b.number + 1 : 1, lost_s, err);
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
            ledger_finish(l, begin_attempt(l, start, attempt, err), err);
    if (db->engine->hasten != NULL)
        db->engine->hasten(db, false);
    if (!begun)
        memcpy(start->id, id, LEDGER_ID);
    return begun;
}

#define WORDS_MAX 4096

static const char run_sql[] =
    "SELECT r.run, max(a.attempt) FROM runs r JOIN attempts a ON a.run = r.run"
    " WHERE r.id = ?1 GROUP BY r.run";
static const char tag_sql[] = "SELECT value FROM tags WHERE run = ?1 AND key = ?2";
static const char drop_tag_sql[] = "DELETE FROM tags WHERE run = ?1 AND key = ?2";
static const char add_attempt_sql[] =
    "INSERT INTO attempts(run, number, state, status, reason, started, ended, host, boot,"
    " offer, market, price_source, rate_nano, at) VALUES(?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, '',"
    " ?8, ?9, ?10, ?11, ?6) RETURNING attempt";
static const char overlap_sql[] =
    "SELECT r.id FROM runs r JOIN attempts a ON a.run = r.run WHERE r.name = ?1"
    " AND a.offer = ?2 AND a.started < ?4 AND coalesce(a.ended, a.at) > ?3"
    " ORDER BY a.started LIMIT 1";

/* ---- tags that are set later ---- */

static bool read_tag(struct ledger *l, int64_t run, struct str key, struct arena *arena,
                     struct str *out, struct error *err)
{
    struct query *s = ledger_query(l, tag_sql, err);
    int row;

    *out = (struct str){0};
    if (s == NULL)
        return false;
    bind_int(s, 1, run);
    bind_text(s, 2, key);
    row = ledger_row(l, s, "read", err);
    if (row > 0 && !column_text(s, 0, arena, out, err))
        row = -1;
    query_reset(s);
    return row >= 0;
}

static bool put_tag(struct ledger *l, int64_t run, struct str key, struct str value,
                    struct error *err)
{
    struct query *s = value.len > 0 ? ledger_statement(l, SQL_ADD_TAG, err)
                                    : ledger_query(l, drop_tag_sql, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, run);
    bind_text(s, 2, key);
    if (value.len > 0)
        bind_text(s, 3, value);
    return ledger_done(l, s, "write", err);
}

static bool add_event(struct ledger *l, int64_t attempt, stamp now, struct str words,
                      struct error *err)
{
    struct query *s = ledger_statement(l, SQL_ADD_EVENT, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, attempt);
    bind_int(s, 2, now.s);
    bind_text(s, 3, STR("tags"));
    bind_text(s, 4, words);
    return ledger_done(l, s, "write", err);
}

static bool find_run_keys(struct ledger *l, const char *id, int64_t *run, int64_t *attempt,
                          struct error *err)
{
    struct query *s = ledger_query(l, run_sql, err);
    int row;

    if (s == NULL)
        return false;
    bind_text(s, 1, str_from(id));
    row = ledger_row(l, s, "read", err);
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

static bool set_tags(struct ledger *l, const char *id, struct strs tags, stamp now,
                     struct arena *arena, int64_t *changed, struct error *err)
{
    struct buf words = buf_new(l->alloc, WORDS_MAX);
    int64_t run = -1, attempt = -1;
    bool ok = find_run_keys(l, id, &run, &attempt, err);

    for (size_t i = 0; ok && i < tags.len; i++) {
        struct str value = tags.at[i], key = str_cut(&value, '='), before;

        ok = read_tag(l, run, key, arena, &before, err);
        if (!ok || str_eq(before, value))
            continue;
        describe_change(key, before, value, &words);
        ++*changed;
        ok = put_tag(l, run, key, value, err);
    }
    if (ok && *changed > 0) /* long texts are cut */
        ok = add_event(l, attempt, now, buf_text(&words), err);
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
         ledger_finish(l, set_tags(l, id, tags, now, &arena, changed, err), err);
    arena_free(&arena);
    return ok;
}

/* ---- runs entered by hand ---- */

static bool insert_attempt(struct ledger *l, int64_t run, const struct ledger_start *start,
                           const struct ledger_ending *ending, stamp ended, int64_t *attempt,
                           struct error *err)
{
    struct query *s = ledger_query(l, add_attempt_sql, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, run);
    bind_text(s, 2, str_from(ledger_state_name(ending->state)));
    bind_int(s, 3, ending->status);
    bind_text(s, 4, str_from(ending->reason));
    bind_int(s, 5, start->started.s);
    bind_int(s, 6, ended.s);
    bind_text(s, 7, start->host);
    bind_text(s, 8, start->offer);
    bind_text(s, 9, start->market);
    bind_text(s, 10, start->price_source);
    bind_money(s, 11, start->rate.nano);
    return ledger_added(l, s, attempt, err);
}

static bool insert_rest(struct ledger *l, int64_t run, int64_t attempt,
                        const struct ledger_start *start, const struct ledger_totals *totals,
                        struct error *err)
{
    struct query *s = ledger_statement(l, SQL_TICK, err);

    if (s == NULL)
        return false;
    bind_int(s, bind_totals(s, 1, totals), attempt);
    if (!ledger_done(l, s, "write", err) || !add_segment(l, attempt, start, err))
        return false;
    s = ledger_statement(l, SQL_END_SEGMENT, err);
    if (s == NULL)
        return false;
    bind_int(s, 1, attempt);
    bind_int(s, 2, totals->at.s);
    if (!ledger_done(l, s, "write", err))
        return false;
    for (size_t i = 0; i < start->tags.len; i++) {
        struct str value = start->tags.at[i], key = str_cut(&value, '=');

        if (!put_tag(l, run, key, value, err))
            return false;
    }
    return ledger_put_facts(l, attempt, &start->facts, err);
}

/* The same work must not be recorded twice. */
static bool check_overlap(struct ledger *l, const struct ledger_start *start, stamp until,
                          struct error *err)
{
    struct query *s = ledger_query(l, overlap_sql, err);
    int row;

    if (s == NULL)
        return false;
    bind_text(s, 1, start->name);
    bind_text(s, 2, start->offer);
    bind_int(s, 3, start->started.s);
    bind_int(s, 4, until.s);
    row = ledger_row(l, s, "read", err);
    if (row > 0) {
        struct str text = column_view(s, 0);
        char id[LEDGER_ID] = "";

        memcpy(id, text.at, text.len < LEDGER_ID ? text.len : LEDGER_ID - 1);
        error_set(err, ERROR_INPUT, "'%.*s' is recorded for that time already (%.*s)",
                  STR_ARG(start->name), STR_ARG(ledger_short(id)));
        error_hint(err, "give it another --name when it is other work");
    }
    query_reset(s);
    return row == 0;
}

bool ledger_run_add(struct ledger *l, const struct ledger_start *start,
                    const struct ledger_ending *ending, const struct ledger_totals *totals,
                    struct error *err)
{
    int64_t run = -1, attempt = -1;
    struct ledger_start bare = *start; /* nothing was predicted, and no limit set */

    bare.budget = bare.estimated_cost = USD_UNKNOWN;
    bare.electricity.nano = bare.storage_month.nano = MONEY_UNKNOWN;
    bare.estimated_time.ns = -1;
    /* Alone: of two that add the same at the same time, one fails. */
    return ledger_start_alone(l, err) &&
           ledger_finish(l,
                         check_overlap(l, start, totals->at, err) &&
                             add_run(l, &bare, &run, err) &&
                             insert_attempt(l, run, start, ending, totals->at, &attempt, err) &&
                             insert_rest(l, run, attempt, start, totals, err),
                         err);
}
