/* Events as people see them: listed, acknowledged. */
#include <string.h>

#include "doc/json_write.h"
#include "ledger/budgets.h"
#include "ledger/list.h"

#define COLUMNS \
    "alert, dedup, kind, severity, state, title, words, facts, began, changed, ended," \
    " acknowledged, acknowledged_by, updates, false_alarm, level"

static const char read_sql[] = "SELECT " COLUMNS " FROM alerts WHERE changed >= ?1"
                               " AND (?2 = 0 OR state = 'firing')"
                               " ORDER BY changed DESC, alert DESC";
static const char one_sql[] = "SELECT " COLUMNS " FROM alerts WHERE alert = ?1";
static const char seen_sql[] = "UPDATE alerts SET acknowledged = ?2, acknowledged_by = ?3,"
                               " false_alarm = ?4 WHERE alert = ?1";
/* Was the channel told of it, or is it about to be? */
static const char told_sql[] = "SELECT 1 FROM deliveries WHERE alert = ?1 AND channel = ?2"
                               " AND state <> 'given up' LIMIT 1";

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

bool ledger_alerts(struct ledger *l, stamp since, bool firing_only, struct arena *arena,
                   const struct ledger_alert **out, size_t *count, struct error *err)
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
        bind_int(s, 2, firing_only);
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
