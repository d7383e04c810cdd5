/* What is to be sent: taken by one sender, tried, tried again, given up. */
#include "ledger/budgets.h"
#include "ledger/runs/list.h"

#define COLUMNS \
    "d.delivery, d.alert, d.channel, d.what, d.state, d.not_before, d.tries, d.tried," \
    " d.claimed, d.answer, d.made, d.snapshot"

/* Messages of an alert are sent in order. */
#define IN_ORDER \
    " NOT EXISTS(SELECT 1 FROM deliveries e WHERE e.alert = d.alert" \
    " AND e.channel = d.channel AND e.delivery < d.delivery" \
    " AND e.state IN ('waiting', 'sending'))"

static const char due_sql[] =
    "SELECT " COLUMNS " FROM deliveries d WHERE ((d.state = 'waiting' AND d.not_before <= ?1)"
    " OR (d.state = 'sending' AND d.tried <= ?2)) AND" IN_ORDER
    " ORDER BY d.not_before, d.delivery LIMIT 1";
static const char more_sql[] =
    "SELECT " COLUMNS " FROM deliveries d WHERE d.state = 'waiting' AND d.channel = ?1"
    " AND d.not_before <= ?2 ORDER BY d.delivery LIMIT ?3";
static const char claim_sql[] =
    "UPDATE deliveries SET state = 'sending', claimed = ?2, tried = ?3, tries = tries + 1"
    " WHERE delivery = ?1";
static const char told_sql[] = "UPDATE deliveries SET state = ?3, answer = ?4, not_before = ?5,"
                               " tried = ?6 WHERE delivery = ?1 AND claimed = ?2"
                               " AND state = 'sending'";
static const char hold_sql[] = "UPDATE deliveries SET not_before = ?2 WHERE channel = ?1"
                               " AND state = 'waiting' AND not_before < ?2";
static const char back_sql[] = "UPDATE deliveries SET state = 'waiting', answer = ?3,"
                               " not_before = ?4, tries = tries - 1 WHERE delivery = ?1"
                               " AND claimed = ?2 AND state = 'sending'";
/* What became worse while it was taken is sent with its update, which does not wait for it. */
static const char passed_sql[] =
    "UPDATE deliveries SET state = 'given up', answer = 'not sent: it became worse before'"
    " WHERE delivery = ?1 AND state = 'waiting' AND EXISTS(SELECT 1 FROM deliveries e"
    " WHERE e.alert = deliveries.alert AND e.channel = deliveries.channel"
    " AND e.delivery > deliveries.delivery AND e.what = 'update' AND e.state = 'waiting')";
static const char revive_sql[] =
    "UPDATE deliveries SET state = 'waiting', not_before = ?1, made = ?1"
    " WHERE state = 'given up' AND tries > 0 RETURNING delivery";
static const char read_sql[] = "SELECT " COLUMNS " FROM deliveries d WHERE d.made >= ?1"
                               " ORDER BY d.delivery DESC LIMIT ?2";

static bool column_delivery(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct ledger_delivery *out = to;

    *out = (struct ledger_delivery){.key = column_int(s, 0),
                                    .alert = column_count(s, 1),
                                    .not_before = {column_int(s, 5)},
                                    .tries = column_int(s, 6),
                                    .tried = {column_count(s, 7)},
                                    .made = {column_int(s, 10)}};
    return column_text(s, 2, arena, &out->channel, err) &&
           column_text(s, 3, arena, &out->what, err) &&
           column_text(s, 4, arena, &out->state, err) &&
           column_text(s, 8, arena, &out->claim, err) &&
           column_text(s, 9, arena, &out->answer, err) &&
           column_text(s, 11, arena, &out->snapshot, err);
}

static const struct ledger_list delivery_list = {sizeof(struct ledger_delivery),
                                                 column_delivery};

/* Mark it as taken by us: the claim distinguishes us from another sender that takes it when we are slow. */
static bool claim(struct ledger *l, struct ledger_delivery *d, stamp now, struct arena *arena,
                  struct error *err)
{
    struct query *s = ledger_query(l, claim_sql, err);
    char id[LEDGER_ID];
    char *token;

    ledger_new_id(now, id);
    token = str_dup(str_from(id), arena, err);
    if (s == NULL || token == NULL)
        return false;
    d->claim = str_from(token);
    d->tries++;
    d->tried = now;
    bind_int(s, 1, d->key);
    bind_text(s, 2, d->claim);
    bind_int(s, 3, now.s);
    return ledger_done(l, s, "write", err);
}

static bool take(struct ledger *l, const struct ledger_due *due, stamp now, struct arena *arena,
                 struct ledger_delivery *out, bool *found, struct error *err)
{
    struct query *s = ledger_query(l, due_sql, err);
    struct rows rows;

    if (s == NULL)
        return false;
    bind_int(s, 1, due->waiting.s);
    bind_int(s, 2, due->taken.s);
    if (!ledger_list_read(l, s, &delivery_list, arena, &rows, err))
        return false;
    *found = rows.len > 0;
    if (!*found)
        return true;
    *out = *(const struct ledger_delivery *)rows.at;
    return claim(l, out, now, arena, err);
}

bool ledger_delivery_take(struct ledger *l, const struct ledger_due *due, stamp now,
                          struct arena *arena, struct ledger_delivery *out, bool *found,
                          struct error *err)
{
    *found = false;
    return ledger_start_alone(l, err) &&
           ledger_finish(l, take(l, due, now, arena, out, found, err), err);
}

static bool take_more(struct ledger *l, const struct ledger_delivery *first, stamp now,
                      struct arena *arena, struct rows *out, struct error *err)
{
    struct query *s = ledger_query(l, more_sql, err);
    struct ledger_delivery *copy;

    if (s == NULL)
        return false;
    bind_text(s, 1, first->channel);
    bind_int(s, 2, now.s);
    bind_int(s, 3, LEDGER_DIGEST);
    if (!ledger_list_read(l, s, &delivery_list, arena, out, err))
        return false;
    copy = arena_array(arena, struct ledger_delivery, out->len, err);
    for (size_t i = 0; copy != NULL && i < out->len; i++) {
        copy[i] = ((const struct ledger_delivery *)out->at)[i];
        if (!claim(l, &copy[i], now, arena, err))
            return false;
    }
    out->at = copy;
    return copy != NULL;
}

bool ledger_delivery_take_more(struct ledger *l, const struct ledger_delivery *first, stamp now,
                               struct arena *arena, const struct ledger_delivery **out,
                               size_t *count, struct error *err)
{
    struct rows rows = {0};
    bool ok = ledger_start_alone(l, err) &&
              ledger_finish(l, take_more(l, first, now, arena, &rows, err), err);

    *out = rows.at;
    *count = ok ? rows.len : 0;
    return ok;
}

static bool hold_channel(struct ledger *l, struct str channel, stamp until, struct error *err)
{
    struct query *s = ledger_query(l, hold_sql, err);

    if (s == NULL)
        return false;
    bind_text(s, 1, channel);
    bind_int(s, 2, until.s);
    return ledger_done(l, s, "write", err);
}

static bool record_sent(struct ledger *l, const struct ledger_delivery *d, struct str state,
                        struct str answer, const stamp when[static 2], struct error *err)
{
    struct query *s = ledger_query(l, told_sql, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, d->key);
    bind_text(s, 2, d->claim);
    bind_text(s, 3, state);
    bind_text(s, 4, answer);
    bind_int(s, 5, when[1].s >= 0 ? when[1].s : when[0].s);
    bind_int(s, 6, when[0].s);
    return ledger_done(l, s, "write", err) &&
           (when[1].s < 0 || hold_channel(l, d->channel, when[1], err));
}

bool ledger_delivery_told(struct ledger *l, const struct ledger_delivery *d, bool sent,
                          struct str answer, stamp now, stamp again, struct error *err)
{
    struct str state = sent ? STR("sent") : again.s >= 0 ? STR("waiting") : STR("given up");
    const stamp when[2] = {now, !sent ? again : (stamp){-1}};

    return ledger_start_write(l, err) &&
           ledger_finish(l, record_sent(l, d, state, answer, when, err), err);
}

static bool give_back(struct ledger *l, const struct ledger_delivery *d, struct str why,
                      stamp until, struct error *err)
{
    struct query *s = ledger_query(l, back_sql, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, d->key);
    bind_text(s, 2, d->claim);
    bind_text(s, 3, why);
    bind_int(s, 4, until.s);
    if (!ledger_done(l, s, "write", err) || (s = ledger_query(l, passed_sql, err)) == NULL)
        return false;
    bind_int(s, 1, d->key);
    return ledger_done(l, s, "write", err);
}

bool ledger_delivery_postpone(struct ledger *l, const struct ledger_delivery *d, struct str why,
                              stamp until, struct error *err)
{
    return ledger_start_alone(l, err) &&
           ledger_finish(l, give_back(l, d, why, until, err), err);
}

static bool revive(struct ledger *l, stamp now, int64_t *count, struct error *err)
{
    struct query *s = ledger_query(l, revive_sql, err);
    int row;

    if (s == NULL)
        return false;
    bind_int(s, 1, now.s);
    while ((row = ledger_row(l, s, "write", err)) > 0)
        ++*count;
    return row == 0;
}

bool ledger_delivery_revive(struct ledger *l, stamp now, int64_t *count, struct error *err)
{
    *count = 0;
    return ledger_start_alone(l, err) && ledger_finish(l, revive(l, now, count, err), err);
}

bool ledger_deliveries(struct ledger *l, stamp since, int64_t limit, struct arena *arena,
                       const struct ledger_delivery **out, size_t *count, struct error *err)
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
        bind_int(s, 2, limit > 0 ? limit : INT64_MAX);
    }
    if (!ledger_finish(
            l, s != NULL && ledger_list_read(l, s, &delivery_list, arena, &rows, err), err))
        return false;
    *out = rows.at;
    *count = rows.len;
    return true;
}
