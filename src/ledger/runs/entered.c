/* Runs that were not run under `stint run`, and tags that were set later. */
#include "ledger/internal.h"
#include "ledger/runs/records.h"

#include <string.h>

#include "base/buf.h"

#define WORDS_MAX 4096

static const char run_sql[] =
    "SELECT r.run, max(a.attempt) FROM runs r JOIN attempts a ON a.run = r.run"
    " WHERE r.id = ?1 GROUP BY r.run";
static const char tag_sql[] = "SELECT value FROM tags WHERE run = ?1 AND key = ?2";
static const char drop_tag_sql[] = "DELETE FROM tags WHERE run = ?1 AND key = ?2";
static const char add_run_sql[] =
    "INSERT INTO runs(id, name, folder, command, owner, commit_id, started, attempts, origin)"
    " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, ?8) RETURNING run";
static const char add_attempt_sql[] =
    "INSERT INTO attempts(run, number, state, status, reason, started, ended, host, boot,"
    " offer, market, price_source, rate_nano, at) VALUES(?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, '',"
    " ?8, ?9, ?10, ?11, ?6) RETURNING attempt";
static const char overlap_sql[] =
    "SELECT r.id FROM runs r JOIN attempts a ON a.run = r.run WHERE r.name = ?1"
    " AND a.offer = ?2 AND a.started < ?4 AND coalesce(a.ended, a.at) > ?3"
    " ORDER BY a.started LIMIT 1";

/* ---- tags ---- */

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

static bool find_run(struct ledger *l, const char *id, int64_t *run, int64_t *attempt,
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
static void tell(struct str key, struct str before, struct str after, struct buf *out)
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
    bool ok = find_run(l, id, &run, &attempt, err);

    for (size_t i = 0; ok && i < tags.len; i++) {
        struct str value = tags.at[i], key = str_cut(&value, '='), before;

        ok = read_tag(l, run, key, arena, &before, err);
        if (!ok || str_eq(before, value))
            continue;
        tell(key, before, value, &words);
        ++*changed;
        ok = put_tag(l, run, key, value, err);
    }
    if (ok && *changed > 0) /* longer words than anybody reads are kept as far as they go */
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

/* ---- runs ---- */

static bool insert_run(struct ledger *l, const struct ledger_start *start, int64_t *run,
                       struct error *err)
{
    struct query *s = ledger_query(l, add_run_sql, err);

    if (s == NULL)
        return false;
    bind_text(s, 1, str_from(start->id));
    bind_text(s, 2, start->name);
    bind_text(s, 3, start->folder);
    bind_text(s, 4, start->command);
    bind_text(s, 5, start->user);
    bind_text(s, 6, start->commit);
    bind_int(s, 7, start->started.s);
    bind_text(s, 8, start->origin);
    return ledger_added(l, s, run, err);
}

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
    if (!ledger_done(l, s, "write", err))
        return false;
    s = ledger_statement(l, SQL_ADD_SEGMENT, err);
    if (s == NULL)
        return false;
    bind_int(s, 1, attempt);
    bind_int(s, 2, start->started.s);
    bind_money(s, 3, start->rate.nano);
    bind_text(s, 4, start->offer);
    bind_text(s, 5, start->price_source);
    if (!ledger_done(l, s, "write", err))
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

/* The same work twice is one time too many. */
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

    /* Alone: of two who add the same at once, one is told. */
    return ledger_start_alone(l, err) &&
           ledger_finish(l,
                         check_overlap(l, start, totals->at, err) &&
                             insert_run(l, start, &run, err) &&
                             insert_attempt(l, run, start, ending, totals->at, &attempt, err) &&
                             insert_rest(l, run, attempt, start, totals, err),
                         err);
}
