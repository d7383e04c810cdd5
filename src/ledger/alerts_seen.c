/* Events as people see them: listed, acknowledged, forgotten after a time. */
#include <string.h>

#include "doc/json_write.h"
#include "ledger/budgets.h"
#include "ledger/runs/list.h"

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
/* Was the channel told of it, or is it about to be? */
static const char told_sql[] = "SELECT 1 FROM deliveries WHERE alert = ?1 AND channel = ?2"
                               " AND state <> 'given up' LIMIT 1";

/* The oldest that are over and told. */
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

static bool tell_seen(struct ledger *l, const struct ledger_alert *a, struct strs channels,
                      stamp now, struct error *err)
{
    for (size_t i = 0; i < channels.len; i++) {
        struct query *s = ledger_query(l, told_sql, err);
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

static bool acknowledge(struct ledger *l, const struct ledger_alert *a,
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

static bool see(struct ledger *l, int64_t key, const struct ledger_seen *seen, stamp now,
                bool *found, struct error *err)
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
        ok = acknowledge(l, a, seen, now, err) &&
             (a->acknowledged || !a->firing || tell_seen(l, a, seen->channels, now, err));
    }
    arena_free(&arena);
    return ok;
}

bool ledger_alert_acknowledge(struct ledger *l, int64_t key, const struct ledger_seen *seen,
                              stamp now, bool *found, struct error *err)
{
    *found = false;
    return ledger_start_alone(l, err) &&
           ledger_finish(l, see(l, key, seen, now, found, err), err);
}

static bool forget(struct ledger *l, stamp before, struct error *err)
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
    return ledger_start_alone(l, err) && ledger_finish(l, forget(l, before, err), err);
}
