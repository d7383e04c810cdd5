/* Alerts: what an evaluation found and the messages to send about it, in one transaction;
 * listed, acknowledged, and removed after a time. */
#include <string.h>

#include "doc/json_write.h"
#include "ledger/budgets.h"
#include "ledger/engine/list.h"
#include "unit/severity.h"

#define COLUMNS \
    "alert, dedup, kind, severity, title, words, facts, began, changed, ended," \
    " acknowledged_by, updates, false_alarm, level, state, acknowledged"

static const char find_sql[] =
    "SELECT " COLUMNS " FROM alerts WHERE dedup = ?1 AND state = 'firing'";
static const char add_sql[] =
    "INSERT INTO alerts(dedup, kind, severity, state, title, words, facts, began, changed,"
    " level) VALUES(?1, ?2, ?3, 'firing', ?4, ?5, ?6, ?7, ?7, ?8) RETURNING alert";
static const char change_sql[] =
    "UPDATE alerts SET severity = ?2, title = ?3, words = ?4, facts = ?5, level = ?6,"
    " changed = ?7, updates = ?8 WHERE alert = ?1";
static const char end_sql[] = "UPDATE alerts SET state = 'resolved', ended = ?2, changed = ?2,"
                              " words = ?3, title = ?4, facts = ?5 WHERE alert = ?1";
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
static const char channel_known_sql[] =
    "SELECT 1 FROM deliveries WHERE alert = ?1 AND channel = ?2 LIMIT 1";
static const char drop_sql[] =
    "UPDATE deliveries SET state = 'given up', answer = 'not sent: it was over before'"
    " WHERE alert = ?1 AND channel = ?2 AND state = 'waiting' AND tries = 0";

static const struct field alert_members[] = {
    MEMBER(COUNT, ledger_alert, key),
    MEMBER(TEXT, ledger_alert, dedup),
    MEMBER(TEXT, ledger_alert, kind),
    MEMBER(TEXT, ledger_alert, severity),
    MEMBER(TEXT, ledger_alert, title),
    MEMBER(TEXT, ledger_alert, words),
    MEMBER(TEXT, ledger_alert, facts),
    MEMBER(COUNT, ledger_alert, began),
    MEMBER(COUNT, ledger_alert, changed),
    MEMBER(COUNT, ledger_alert, ended),
    MEMBER(TEXT, ledger_alert, acknowledged_by),
    MEMBER(COUNT, ledger_alert, updates),
    MEMBER(FLAG, ledger_alert, false_alarm),
    MEMBER(NUMBER, ledger_alert, level),
};

static bool read_alert(struct query *q, struct arena *arena, void *to, struct error *err)
{
    struct ledger_alert *out = to;

    (void)arena;
    (void)err;
    out->firing = str_eq(column_view(q, 14), STR("firing"));
    out->acknowledged = !column_null(q, 15);
    out->acknowledged_at.s = out->acknowledged ? column_int(q, 15) : -1;
    return true;
}

static const struct ledger_list alert_list = {
    .fields = FIELD_SET(struct ledger_alert, alert_members), .read = read_alert};

static int severity_rank(struct str severity)
{
    enum severity s;

    return severity_parse(severity, &s) ? (int)s : -1;
}

/* `*out` is NULL when there is none. */
static bool find_alert(struct ledger *l, const char *sql, struct value which,
                       struct arena *arena, const struct ledger_alert **out, struct error *err)
{
    struct rows rows;
    bool ok = ledger_list_read(l, sql, VALUES(which), &alert_list, arena, &rows, err);

    *out = ok ? rows.at : NULL;
    return ok;
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
    struct buf firing = buf_new(l->alloc, BUF_MAX_OUTPUT);
    int64_t replaced = 0;
    bool ok;

    write_snapshot(a, "firing", &firing); /* of a receiver's first message */
    ok = buf_ok(&firing, err) &&
         ledger_run_counted(l, again_sql,
                            VALUES(as_int(a->key), as_text(channel), as_text(buf_text(&firing)),
                                   as_text(update), as_int(now.s)),
                            &replaced, err);
    buf_free(&firing);
    *done = replaced > 0;
    return ok;
}

static bool queue_message(struct ledger *l, const struct ledger_alert *a, struct str channel,
                          const char *what, stamp now, struct error *err)
{
    struct buf text = buf_new(l->alloc, BUF_MAX_OUTPUT);
    bool done = false, ok;

    write_snapshot(a, what, &text);
    ok = buf_ok(&text, err);
    if (ok && strcmp(what, "update") == 0)
        ok = ledger_run(l, unseen_sql, VALUES(as_int(a->key), as_text(channel)), err) &&
             replace_waiting(l, a, channel, buf_text(&text), now, &done, err);
    ok = ok &&
         (done || ledger_run(l, queue_sql,
                             VALUES(as_int(a->key), as_text(channel), as_text(str_from(what)),
                                    as_int(now.s), as_text(buf_text(&text))),
                             err));
    buf_free(&text);
    return ok;
}

/* A channel that was added while it fires gets it as new; the others only what is `worse`. */
static bool queue_all(struct ledger *l, const struct ledger_alert *a,
                      const struct ledger_finding *f, bool worse, stamp now, struct error *err)
{
    for (size_t i = 0; i < f->channels.len; i++) {
        struct str channel = f->channels.at[i];
        bool known;

        if (!ledger_finds(l, channel_known_sql, VALUES(as_int(a->key), as_text(channel)),
                          &known, err) ||
            ((worse || !known) &&
             !queue_message(l, a, channel, known ? "update" : "firing", now, err)))
            return false;
    }
    return true;
}

/* ---- an alert begins or changes ---- */

static struct value as_facts(const struct ledger_alert *a)
{
    return as_text(a->facts.len > 0 ? a->facts : STR("{}"));
}

static bool begin_alert(struct ledger *l, const struct ledger_finding *f, stamp now,
                        struct error *err)
{
    struct ledger_alert a = f->alert;

    if (!ledger_insert(l, add_sql,
                       VALUES(as_text(a.dedup), as_text(a.kind), as_text(a.severity),
                              as_text(a.title), as_text(a.words), as_facts(&a), as_int(now.s),
                              as_real(a.level)),
                       &a.key, err))
        return false;
    a.began = now;
    a.ended.s = -1;
    a.updates = 0;
    return queue_all(l, &a, f, true, now, err);
}

static bool continue_alert(struct ledger *l, const struct ledger_finding *f,
                           const struct ledger_alert *known, stamp now, struct error *err)
{
    const struct ledger_alert *found = &f->alert;
    struct ledger_alert a = *known;
    bool graver = severity_rank(found->severity) > severity_rank(a.severity);
    bool worse = graver || found->level > a.level;
    bool notify = worse && (graver || !known->acknowledged);

    if (now.s < a.changed.s)
        return true;
    if (found->title.len > 0) /* as it is now, worse or not */
        a.title = found->title;
    if (found->level > a.level)
        a.level = found->level;
    if (graver)
        a.severity = found->severity;
    a.words = found->words;
    a.facts = found->facts;
    a.updates += notify;
    return ledger_run(l, change_sql,
                      VALUES(as_int(a.key), as_text(a.severity), as_text(a.title),
                             as_text(a.words), as_facts(&a), as_real(a.level), as_int(now.s),
                             as_int(a.updates)),
                      err) &&
           queue_all(l, &a, f, notify, now, err);
}

/* ---- an alert ends ---- */

struct sent_to {
    struct str channel;
    bool tried;
};

static bool read_sent_to(struct query *q, struct arena *arena, void *to, struct error *err)
{
    struct sent_to *out = to;

    out->tried = column_int(q, 1) > 0;
    return column_text(q, 0, arena, &out->channel, err);
}

static bool end_alert(struct ledger *l, const struct ledger_finding *f,
                      const struct ledger_alert *known, stamp now, struct arena *arena,
                      struct error *err)
{
    /* Channels that were notified, or may have been. */
    static const struct ledger_list list = {.fields.size = sizeof(struct sent_to),
                                            .read = read_sent_to};
    struct ledger_alert a = *known;
    const struct sent_to *sent;
    struct rows rows;

    a.ended = now;
    if (f->alert.words.len > 0)
        a.words = f->alert.words;
    if (f->alert.title.len > 0) { /* as it is now, not as it was at its worst */
        a.title = f->alert.title;
        a.facts = f->alert.facts;
    }
    if (now.s < a.changed.s)
        return true;
    if (!ledger_list_read(l, channels_sql, VALUES(as_int(a.key)), &list, arena, &rows, err) ||
        !ledger_run(l, end_sql,
                    VALUES(as_int(a.key), as_int(now.s), as_text(a.words), as_text(a.title),
                           as_facts(&a)),
                    err))
        return false;
    sent = rows.at;
    for (size_t i = 0; i < rows.len; i++) {
        if (sent[i].tried ? !queue_message(l, &a, sent[i].channel, "resolved", now, err)
                          : !ledger_run(l, drop_sql,
                                        VALUES(as_int(a.key), as_text(sent[i].channel)), err))
            return false;
    }
    return true;
}

static bool record_finding(struct ledger *l, const struct ledger_finding *f, stamp now,
                           struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    const struct ledger_alert *known;
    bool ok = find_alert(l, find_sql, as_text(f->alert.dedup), &arena, &known, err);

    if (ok && f->over)
        ok = known == NULL || end_alert(l, f, known, now, &arena, err);
    else if (ok)
        ok =
            known != NULL ? continue_alert(l, f, known, now, err) : begin_alert(l, f, now, err);
    arena_free(&arena);
    return ok;
}

void ledger_findings_over(struct ledger_finding *at, size_t *count, struct str question,
                          const struct ledger_alert *known, size_t known_count)
{
    size_t found = *count;

    for (size_t i = 0; i < known_count; i++) {
        bool over = known[i].firing && str_starts(known[i].dedup, question);

        for (size_t k = 0; k < found && over; k++)
            over = !str_eq(at[k].alert.dedup, known[i].dedup);
        if (over)
            at[(*count)++] = (struct ledger_finding){
                .alert = {.dedup = known[i].dedup,
                          .words = STR("It no longer shows in the figures.")},
                .over = true};
    }
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

bool ledger_alerts(struct ledger *l, stamp since, enum ledger_alerts_which which,
                   struct arena *arena, const struct ledger_alert **out, size_t *count,
                   struct error *err)
{
    return ledger_list_all(l, read_sql, VALUES(as_int(since.s), as_int(which)), &alert_list,
                           arena, LIST_OUT(out, count), err);
}

static bool queue_acknowledged(struct ledger *l, const struct ledger_alert *a,
                               struct strs channels, stamp now, struct error *err)
{
    for (size_t i = 0; i < channels.len; i++) {
        bool notified;

        if (!ledger_finds(l, channel_has_sql, VALUES(as_int(a->key), as_text(channels.at[i])),
                          &notified, err) ||
            (notified && !queue_message(l, a, channels.at[i], "acknowledged", now, err)))
            return false;
    }
    return true;
}

static bool acknowledge_alert(struct ledger *l, int64_t key, const struct ledger_seen *seen,
                              stamp now, bool *found, struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    const struct ledger_alert *a;
    bool ok = find_alert(l, one_sql, as_int(key), &arena, &a, err);

    *found = a != NULL;
    if (a != NULL)
        ok = ledger_run(l, seen_sql,
                        VALUES(as_int(key), as_int(now.s), as_text(seen->by),
                               as_int(seen->false_alarm || a->false_alarm)),
                        err) &&
             (a->acknowledged || !a->firing ||
              queue_acknowledged(l, a, seen->channels, now, err));
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

bool ledger_alerts_forget(struct ledger *l, stamp before, struct error *err)
{
    struct values oldest = VALUES(as_int(before.s), as_int(LEDGER_FORGET));

    return ledger_start_alone(l, err) &&
           ledger_finish(l,
                         ledger_run(l, forget_sent_sql, oldest, err) &&
                             ledger_run(l, forget_sql, oldest, err),
                         err);
}
