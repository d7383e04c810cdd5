/* Alerts: what an evaluation found and the messages to send about it, in one transaction;
 * listed, acknowledged, and removed after a time. */
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
/* One that was not tried yet is sent in its current form. One that was postponed is looked at
 * anew: what is graver may not have to wait. */
static const char again_sql[] =
    "UPDATE deliveries SET snapshot = CASE what WHEN 'firing' THEN ?3 ELSE ?4 END,"
    " not_before = CASE answer WHEN '' THEN not_before ELSE ?5 END, answer = ''"
    " WHERE alert = ?1 AND channel = ?2 AND what IN ('firing', 'update')"
    " AND state = 'waiting' AND tries = 0 RETURNING delivery";
/* Nor does it wait for an acknowledgement of what it was before. */
static const char unseen_sql[] =
    "UPDATE deliveries SET state = 'given up', answer = 'not sent: it became worse before'"
    " WHERE alert = ?1 AND channel = ?2 AND what = 'acknowledged' AND state = 'waiting'"
    " AND tries = 0";
static const char queue_sql[] =
    "INSERT INTO deliveries(alert, channel, what, state, not_before, made, snapshot)"
    " VALUES(?1, ?2, ?3, 'waiting', ?4, ?4, ?5)";
static const char channels_sql[] =
    "SELECT channel, sum(CASE WHEN tries = 0 THEN 0 ELSE 1 END)"
    " FROM deliveries WHERE alert = ?1 GROUP BY channel ORDER BY channel";
static const char drop_sql[] =
    "UPDATE deliveries SET state = 'given up', answer = 'not sent: it was over before'"
    " WHERE alert = ?1 AND channel = ?2 AND state = 'waiting' AND tries = 0";

/* An event as the ledger has it. */
struct known_alert {
    bool found, acknowledged;
    struct ledger_alert is;
};

static int severity_rank(struct str severity)
{
    enum severity s;

    return severity_parse(severity, &s) ? (int)s : -1;
}

static bool find_alert(struct ledger *l, struct str dedup, struct arena *arena,
                       struct known_alert *out, struct error *err)
{
    struct query *s = ledger_query(l, find_sql, err);
    struct ledger_alert *a = &out->is;
    int row;
    bool ok = true;

    *out = (struct known_alert){0};
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

/* ---- messages to send ---- */

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

/* A message about it that still waits becomes this; `done` is false when nothing does. */
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

static bool drop_waiting(struct ledger *l, const char *sql, int64_t alert, struct str channel,
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

static bool ledger_queue(struct ledger *l, const struct ledger_alert *a, struct str channel,
                         const char *what, stamp now, struct error *err)
{
    struct buf text = buf_new(l->alloc, BUF_MAX_OUTPUT);
    bool done = false, ok;

    write_snapshot(a, what, &text);
    ok = buf_ok(&text, err);
    if (ok && strcmp(what, "update") == 0)
        ok = drop_waiting(l, unseen_sql, a->key, channel, err) &&
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

/* ---- an alert begins or changes ---- */

static bool begin_alert(struct ledger *l, const struct ledger_finding *f, stamp now,
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

static bool continue_alert(struct ledger *l, const struct ledger_finding *f,
                           const struct known_alert *known, stamp now, struct error *err)
{
    const struct ledger_alert *found = &f->alert;
    struct ledger_alert a = known->is;
    bool graver = severity_rank(found->severity) > severity_rank(a.severity);
    bool worse = graver || found->level > a.level;
    bool notify = worse && (graver || !known->acknowledged);

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
    a.updates += notify;
    return write_change(l, &a, now, err) &&
           (!notify || queue_all(l, &a, f, "update", now, err));
}

/* ---- an alert ends ---- */

struct sent_to {
    struct str channel;
    bool tried;
};

static bool column_sent_to(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct sent_to *out = to;

    out->tried = column_int(s, 1) > 0;
    return column_text(s, 0, arena, &out->channel, err);
}

/* Channels that were notified, or may have been. */
static bool channels_sent_to(struct ledger *l, int64_t alert, struct arena *arena,
                             struct rows *out, struct error *err)
{
    static const struct ledger_list list = {sizeof(struct sent_to), column_sent_to};
    struct query *s = ledger_query(l, channels_sql, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, alert);
    return ledger_list_read(l, s, &list, arena, out, err);
}

static bool end_alert(struct ledger *l, const struct ledger_finding *f,
                      const struct known_alert *known, stamp now, struct arena *arena,
                      struct error *err)
{
    struct ledger_alert a = known->is;
    const struct sent_to *sent;
    struct rows rows;
    struct query *s;

    a.ended = now;
    if (f->alert.words.len > 0)
        a.words = f->alert.words;
    if (now.s < a.changed.s)
        return true;
    if (!channels_sent_to(l, a.key, arena, &rows, err) ||
        (s = ledger_query(l, end_sql, err)) == NULL)
        return false;
    bind_int(s, 1, a.key);
    bind_int(s, 2, now.s);
    bind_text(s, 3, a.words);
    if (!ledger_done(l, s, "write", err))
        return false;
    sent = rows.at;
    for (size_t i = 0; i < rows.len; i++) {
        if (sent[i].tried ? !ledger_queue(l, &a, sent[i].channel, "resolved", now, err)
                          : !drop_waiting(l, drop_sql, a.key, sent[i].channel, err))
            return false;
    }
    return true;
}

static bool record_finding(struct ledger *l, const struct ledger_finding *f, stamp now,
                           struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct known_alert known;
    bool ok = find_alert(l, f->alert.dedup, &arena, &known, err);

    if (ok && f->over)
        ok = !known.found || end_alert(l, f, &known, now, &arena, err);
    else if (ok)
        ok = known.found ? continue_alert(l, f, &known, now, err) : begin_alert(l, f, now, err);
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
        ok = record_finding(l, &findings[i], now, err);
    return ledger_finish(l, ok, err);
}

/* ---- listing, acknowledging, removing ---- */

#define COLUMNS \
    "alert, dedup, kind, severity, state, title, words, facts, began, changed, ended," \
    " acknowledged, acknowledged_by, updates, false_alarm, level"

static const char read_sql[] =
    "SELECT " COLUMNS " FROM alerts WHERE (state = 'firing' OR ?2 <> 1)"
    " AND (changed >= ?1 OR (?2 = 2 AND state = 'firing'))"
    " ORDER BY changed DESC, alert DESC";
static const char one_sql[] = "SELECT " COLUMNS " FROM alerts WHERE alert = ?1";
static const char seen_sql[] = "UPDATE alerts SET acknowledged = ?2, acknowledged_by = ?3,"
                               " false_alarm = ?4 WHERE alert = ?1";
/* Was the channel notified, or is it about to be? */
static const char channel_has_sql[] =
    "SELECT 1 FROM deliveries WHERE alert = ?1 AND channel = ?2"
    " AND state <> 'given up' LIMIT 1";

/* The oldest that are over and sent. */
#define LONG_OVER \
    "(SELECT alert FROM alerts WHERE state = 'resolved' AND ended < ?1 AND alert NOT IN" \
    " (SELECT alert FROM deliveries WHERE state IN ('waiting', 'sending')" \
    " AND alert IS NOT NULL) ORDER BY ended, alert LIMIT ?2)"
static const char forget_sent_sql[] = "DELETE FROM deliveries WHERE alert IN " LONG_OVER;
static const char forget_sql[] = "DELETE FROM alerts WHERE alert IN " LONG_OVER;

static bool column_alert(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct ledger_alert *out = to;
    struct str state = column_view(s, 4);

    *out = (struct ledger_alert){.key = column_int(s, 0),
                                 .firing = str_eq(state, STR("firing")),
                                 .began = {column_int(s, 8)},
                                 .changed = {column_int(s, 9)},
                                 .ended = {column_count(s, 10)},
                                 .acknowledged = !column_null(s, 11),
                                 .updates = column_int(s, 13),
                                 .false_alarm = column_int(s, 14) != 0,
                                 .level = column_real(s, 15)};
    return column_text(s, 1, arena, &out->dedup, err) &&
           column_text(s, 2, arena, &out->kind, err) &&
           column_text(s, 3, arena, &out->severity, err) &&
           column_text(s, 5, arena, &out->title, err) &&
           column_text(s, 6, arena, &out->words, err) &&
           column_text(s, 7, arena, &out->facts, err) &&
           column_text(s, 12, arena, &out->acknowledged_by, err);
}

static const struct ledger_list alert_list = {sizeof(struct ledger_alert), column_alert};

bool ledger_alerts(struct ledger *l, stamp since, enum ledger_alerts_which which,
                   struct arena *arena, const struct ledger_alert **out, size_t *count,
                   struct error *err)
{
    struct rows rows = {0};
    struct query *s;
    int begun = ledger_start_read(l, err);

    *out = NULL;
    *count = 0;
    if (begun <= 0)
        return begun == 0;
    s = ledger_query(l, read_sql, err);
    if (s != NULL) {
        bind_int(s, 1, since.s);
        bind_int(s, 2, which);
    }
    if (!ledger_finish(l, s != NULL && ledger_list_read(l, s, &alert_list, arena, &rows, err),
                       err))
        return false;
    *out = rows.at;
    *count = rows.len;
    return true;
}

static bool queue_acknowledged(struct ledger *l, const struct ledger_alert *a,
                               struct strs channels, stamp now, struct error *err)
{
    for (size_t i = 0; i < channels.len; i++) {
        struct query *s = ledger_query(l, channel_has_sql, err);
        int row;

        if (s == NULL)
            return false;
        bind_int(s, 1, a->key);
        bind_text(s, 2, channels.at[i]);
        row = ledger_row(l, s, "read", err);
        query_reset(s);
        if (row < 0 ||
            (row > 0 && !ledger_queue(l, a, channels.at[i], "acknowledged", now, err)))
            return false;
    }
    return true;
}

static bool write_acknowledged(struct ledger *l, const struct ledger_alert *a,
                               const struct ledger_seen *seen, stamp now, struct error *err)
{
    struct query *s = ledger_query(l, seen_sql, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, a->key);
    bind_int(s, 2, now.s);
    bind_text(s, 3, seen->by);
    bind_int(s, 4, seen->false_alarm || a->false_alarm);
    return ledger_done(l, s, "write", err);
}

static bool acknowledge_alert(struct ledger *l, int64_t key, const struct ledger_seen *seen,
                              stamp now, bool *found, struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct query *s = ledger_query(l, one_sql, err);
    const struct ledger_alert *a;
    struct rows rows = {0};
    bool ok = false;

    if (s != NULL) {
        bind_int(s, 1, key);
        ok = ledger_list_read(l, s, &alert_list, &arena, &rows, err);
    }
    *found = rows.len > 0;
    if (ok && *found) {
        a = rows.at;
        ok = write_acknowledged(l, a, seen, now, err) &&
             (a->acknowledged || !a->firing ||
              queue_acknowledged(l, a, seen->channels, now, err));
    }
    arena_free(&arena);
    return ok;
}

bool ledger_alert_acknowledge(struct ledger *l, int64_t key, const struct ledger_seen *seen,
                              stamp now, bool *found, struct error *err)
{
    *found = false;
    return ledger_start_alone(l, err) &&
           ledger_finish(l, acknowledge_alert(l, key, seen, now, found, err), err);
}

static bool forget_alerts(struct ledger *l, stamp before, struct error *err)
{
    static const char *const steps[] = {forget_sent_sql, forget_sql};

    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        struct query *s = ledger_query(l, steps[i], err);

        if (s == NULL)
            return false;
        bind_int(s, 1, before.s);
        bind_int(s, 2, LEDGER_FORGET);
        if (!ledger_done(l, s, "write", err))
            return false;
    }
    return true;
}

bool ledger_alerts_forget(struct ledger *l, stamp before, struct error *err)
{
    return ledger_start_alone(l, err) && ledger_finish(l, forget_alerts(l, before, err), err);
}
