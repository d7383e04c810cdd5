/* Events: what an evaluation found out, and who is to be told of it, in one transaction. */
#include <string.h>

#include "doc/json_write.h"
#include "ledger/budgets.h"
#include "ledger/runs/list.h"
#include "unit/severity.h"

static const char find_sql[] =
    "SELECT alert, severity, title, words, level, began, changed, updates, acknowledged, kind,"
    " facts FROM alerts WHERE dedup = ?1 AND state = 'firing'";
static const char add_sql[] =
    "INSERT INTO alerts(dedup, kind, severity, state, title, words, facts, began, changed,"
    " level) VALUES(?1, ?2, ?3, 'firing', ?4, ?5, ?6, ?7, ?7, ?8) RETURNING alert";
static const char change_sql[] =
    "UPDATE alerts SET severity = ?2, title = ?3, words = ?4, facts = ?5, level = ?6,"
    " changed = ?7, updates = ?8 WHERE alert = ?1";
static const char end_sql[] = "UPDATE alerts SET state = 'resolved', ended = ?2, changed = ?2,"
                              " words = ?3 WHERE alert = ?1";
/* One that nobody tried to send yet is told as it is now. One that was postponed is looked at
 * anew: what is graver may not have to wait. */
static const char again_sql[] =
    "UPDATE deliveries SET snapshot = CASE what WHEN 'firing' THEN ?3 ELSE ?4 END,"
    " not_before = CASE answer WHEN '' THEN not_before ELSE ?5 END, answer = ''"
    " WHERE alert = ?1 AND channel = ?2 AND what IN ('firing', 'update')"
    " AND state = 'waiting' AND tries = 0 RETURNING delivery";
/* Nor does it wait for a word that somebody saw what it was before. */
static const char unseen_sql[] =
    "UPDATE deliveries SET state = 'given up', answer = 'not sent: it became worse before'"
    " WHERE alert = ?1 AND channel = ?2 AND what = 'acknowledged' AND state = 'waiting'"
    " AND tries = 0";
static const char queue_sql[] =
    "INSERT INTO deliveries(alert, channel, what, state, not_before, made, snapshot)"
    " VALUES(?1, ?2, ?3, 'waiting', ?4, ?4, ?5)";
static const char told_sql[] =
    "SELECT channel, sum(CASE WHEN tries = 0 THEN 0 ELSE 1 END)"
    " FROM deliveries WHERE alert = ?1 GROUP BY channel ORDER BY channel";
static const char drop_sql[] =
    "UPDATE deliveries SET state = 'given up', answer = 'not sent: it was over before'"
    " WHERE alert = ?1 AND channel = ?2 AND state = 'waiting' AND tries = 0";

/* An event as the ledger has it. */
struct known {
    bool found, acknowledged;
    struct ledger_alert is;
};

static int rank(struct str severity)
{
    enum severity s;

    return severity_parse(severity, &s) ? (int)s : -1;
}

static bool find(struct ledger *l, struct str dedup, struct arena *arena, struct known *out,
                 struct error *err)
{
    struct query *s = ledger_query(l, find_sql, err);
    struct ledger_alert *a = &out->is;
    int row;
    bool ok = true;

    *out = (struct known){0};
    if (s == NULL)
        return false;
    bind_text(s, 1, dedup);
    row = ledger_row(l, s, "read", err);
    if (row > 0) {
        out->found = true;
        out->acknowledged = !column_null(s, 8);
        *a = (struct ledger_alert){.key = column_int(s, 0),
                                   .dedup = dedup,
                                   .level = column_real(s, 4),
                                   .began = {column_int(s, 5)},
                                   .changed = {column_int(s, 6)},
                                   .ended = {-1},
                                   .updates = column_int(s, 7)};
        ok = column_text(s, 1, arena, &a->severity, err) &&
             column_text(s, 2, arena, &a->title, err) &&
             column_text(s, 3, arena, &a->words, err) &&
             column_text(s, 9, arena, &a->kind, err) &&
             column_text(s, 10, arena, &a->facts, err);
        query_reset(s);
    }
    return row >= 0 && ok;
}

/* ---- what is to be sent ---- */

/* The message as it is now; budgets.h says what is in it. */
static void write_snapshot(const struct ledger_alert *a, const char *what, struct buf *out)
{
    long long nth = a->updates + (a->ended.s >= 0);

    buf_addf(out, "{\"id\":\"%lld.%lld.%s%lld\",\"dedup\":", (long long)a->key,
             (long long)a->began.s, strcmp(what, "acknowledged") == 0 ? "a" : "", nth);
    json_write_text(a->dedup, out);
    buf_adds(out, ",\"kind\":");
    json_write_text(a->kind, out);
    buf_addf(out, ",\"what\":\"%s\",\"severity\":", what);
    json_write_text(a->severity, out);
    buf_adds(out, ",\"title\":");
    json_write_text(a->title, out);
    buf_adds(out, ",\"words\":");
    json_write_text(a->words, out);
    buf_addf(out, ",\"began\":%lld,\"ended\":", (long long)a->began.s);
    if (a->ended.s >= 0)
        buf_addf(out, "%lld", (long long)a->ended.s);
    else
        buf_adds(out, "null");
    buf_adds(out, ",\"detail\":");
    buf_add(out, a->facts.len > 0 ? a->facts : STR("{}"));
    buf_char(out, '}');
}

/* What still waits to be told of it becomes this; `done` is false when nothing does. */
static bool replace_waiting(struct ledger *l, const struct ledger_alert *a, struct str channel,
                            struct str update, stamp now, bool *done, struct error *err)
{
    struct query *s = ledger_query(l, again_sql, err);
    struct buf firing = buf_new(l->alloc, BUF_MAX_OUTPUT);
    int row = -1;

    *done = false;
    write_snapshot(a, "firing", &firing); /* of a receiver's first message */
    if (s != NULL && buf_ok(&firing, err)) {
        bind_int(s, 1, a->key);
        bind_text(s, 2, channel);
        bind_text(s, 3, buf_text(&firing));
        bind_text(s, 4, update);
        bind_int(s, 5, now.s);
        while ((row = ledger_row(l, s, "write", err)) > 0)
            *done = true;
    }
    buf_free(&firing);
    return row == 0;
}

static bool drop(struct ledger *l, const char *sql, int64_t alert, struct str channel,
                 struct error *err)
{
    struct query *s = ledger_query(l, sql, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, alert);
    bind_text(s, 2, channel);
    return ledger_done(l, s, "write", err);
}

static bool add_delivery(struct ledger *l, int64_t alert, struct str channel, const char *what,
                         stamp now, struct str snapshot, struct error *err)
{
    struct query *s = ledger_query(l, queue_sql, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, alert);
    bind_text(s, 2, channel);
    bind_text(s, 3, str_from(what));
    bind_int(s, 4, now.s);
    bind_text(s, 5, snapshot);
    return ledger_done(l, s, "write", err);
}

bool ledger_queue(struct ledger *l, const struct ledger_alert *a, struct str channel,
                  const char *what, stamp now, struct error *err)
{
    struct buf text = buf_new(l->alloc, BUF_MAX_OUTPUT);
    bool done = false, ok;

    write_snapshot(a, what, &text);
    ok = buf_ok(&text, err);
    if (ok && strcmp(what, "update") == 0)
        ok = drop(l, unseen_sql, a->key, channel, err) &&
             replace_waiting(l, a, channel, buf_text(&text), now, &done, err);
    ok = ok && (done || add_delivery(l, a->key, channel, what, now, buf_text(&text), err));
    buf_free(&text);
    return ok;
}

static bool queue_all(struct ledger *l, const struct ledger_alert *a,
                      const struct ledger_finding *f, const char *what, stamp now,
                      struct error *err)
{
    for (size_t i = 0; i < f->channels.len; i++)
        if (!ledger_queue(l, a, f->channels.at[i], what, now, err))
            return false;
    return true;
}

/* ---- it is so ---- */

static bool begin(struct ledger *l, const struct ledger_finding *f, stamp now,
                  struct error *err)
{
    struct ledger_alert a = f->alert;
    struct query *s = ledger_query(l, add_sql, err);

    if (s == NULL)
        return false;
    bind_text(s, 1, a.dedup);
    bind_text(s, 2, a.kind);
    bind_text(s, 3, a.severity);
    bind_text(s, 4, a.title);
    bind_text(s, 5, a.words);
    bind_text(s, 6, a.facts.len > 0 ? a.facts : STR("{}"));
    bind_int(s, 7, now.s);
    bind_real(s, 8, a.level);
    if (!ledger_added(l, s, &a.key, err))
        return false;
    a.began = now;
    a.ended.s = -1;
    a.updates = 0;
    return queue_all(l, &a, f, "firing", now, err);
}

static bool write_change(struct ledger *l, const struct ledger_alert *a, stamp now,
                         struct error *err)
{
    struct query *s = ledger_query(l, change_sql, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, a->key);
    bind_text(s, 2, a->severity);
    bind_text(s, 3, a->title);
    bind_text(s, 4, a->words);
    bind_text(s, 5, a->facts.len > 0 ? a->facts : STR("{}"));
    bind_real(s, 6, a->level);
    bind_int(s, 7, now.s);
    bind_int(s, 8, a->updates);
    return ledger_done(l, s, "write", err);
}

static bool go_on(struct ledger *l, const struct ledger_finding *f, const struct known *known,
                  stamp now, struct error *err)
{
    const struct ledger_alert *found = &f->alert;
    struct ledger_alert a = known->is;
    bool graver = rank(found->severity) > rank(a.severity);
    bool worse = graver || found->level > a.level;
    bool tell = worse && (graver || !known->acknowledged);

    if (now.s < a.changed.s)
        return true;
    if (worse) {
        a.title = found->title;
        a.level = found->level > a.level ? found->level : a.level;
    }
    if (graver)
        a.severity = found->severity;
    a.words = found->words;
    a.facts = found->facts;
    a.updates += tell;
    return write_change(l, &a, now, err) && (!tell || queue_all(l, &a, f, "update", now, err));
}

/* ---- it is over ---- */

struct told {
    struct str channel;
    bool tried;
};

static bool column_told(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct told *out = to;

    out->tried = column_int(s, 1) > 0;
    return column_text(s, 0, arena, &out->channel, err);
}

/* Who was told of it, or may have been. */
static bool those_told(struct ledger *l, int64_t alert, struct arena *arena, struct rows *out,
                       struct error *err)
{
    static const struct ledger_list list = {sizeof(struct told), column_told};
    struct query *s = ledger_query(l, told_sql, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, alert);
    return ledger_list_read(l, s, &list, arena, out, err);
}

static bool end(struct ledger *l, const struct ledger_finding *f, const struct known *known,
                stamp now, struct arena *arena, struct error *err)
{
    struct ledger_alert a = known->is;
    const struct told *told;
    struct rows rows;
    struct query *s;

    a.ended = now;
    if (f->alert.words.len > 0)
        a.words = f->alert.words;
    if (now.s < a.changed.s)
        return true;
    if (!those_told(l, a.key, arena, &rows, err) || (s = ledger_query(l, end_sql, err)) == NULL)
        return false;
    bind_int(s, 1, a.key);
    bind_int(s, 2, now.s);
    bind_text(s, 3, a.words);
    if (!ledger_done(l, s, "write", err))
        return false;
    told = rows.at;
    for (size_t i = 0; i < rows.len; i++) {
        if (told[i].tried ? !ledger_queue(l, &a, told[i].channel, "resolved", now, err)
                          : !drop(l, drop_sql, a.key, told[i].channel, err))
            return false;
    }
    return true;
}

static bool take_finding(struct ledger *l, const struct ledger_finding *f, stamp now,
                         struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct known known;
    bool ok = find(l, f->alert.dedup, &arena, &known, err);

    if (ok && f->over)
        ok = !known.found || end(l, f, &known, now, &arena, err);
    else if (ok)
        ok = known.found ? go_on(l, f, &known, now, err) : begin(l, f, now, err);
    arena_free(&arena);
    return ok;
}

bool ledger_findings(struct ledger *l, const struct ledger_finding *findings, size_t count,
                     stamp now, struct error *err)
{
    bool ok = true;

    if (count == 0)
        return true;
    if (!ledger_start_alone(l, err))
        return false;
    for (size_t i = 0; ok && i < count; i++)
        ok = take_finding(l, &findings[i], now, err);
    return ledger_finish(l, ok, err);
}
