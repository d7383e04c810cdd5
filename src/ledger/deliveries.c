/* What is to be sent: taken by one sender, tried, tried again, given up. */
#include "ledger/budgets.h"
#include "ledger/engine/list.h"

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
static const char sent_sql[] = "UPDATE deliveries SET state = ?3, answer = ?4, not_before = ?5,"
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

static const struct field delivery_members[] = {
    MEMBER(COUNT, ledger_delivery, key),    MEMBER(COUNT, ledger_delivery, alert),
    MEMBER(TEXT, ledger_delivery, channel), MEMBER(TEXT, ledger_delivery, what),
    MEMBER(TEXT, ledger_delivery, state),   MEMBER(COUNT, ledger_delivery, not_before),
    MEMBER(COUNT, ledger_delivery, tries),  MEMBER(COUNT, ledger_delivery, tried),
    MEMBER(TEXT, ledger_delivery, claim),   MEMBER(TEXT, ledger_delivery, answer),
    MEMBER(COUNT, ledger_delivery, made),   MEMBER(TEXT, ledger_delivery, snapshot),
};
static const struct ledger_list delivery_list =
    LEDGER_LIST(struct ledger_delivery, delivery_members);

/* Mark it as taken by us: the claim distinguishes us from another sender that takes it when we
 * are slow. */
static bool claim_delivery(struct ledger *l, struct ledger_delivery *d, stamp now,
                           struct arena *arena, struct error *err)
{
    char id[LEDGER_ID];
    char *token;

    ledger_new_id(now, id);
    token = str_dup(str_from(id), arena, err);
    if (token == NULL)
        return false;
    d->claim = str_from(token);
    d->tries++;
    d->tried = now;
    return ledger_run(l, claim_sql, VALUES(as_int(d->key), as_text(d->claim), as_int(now.s)),
                      err);
}

static bool take_due(struct ledger *l, const struct ledger_due *due, stamp now,
                     struct arena *arena, struct ledger_delivery *out, bool *found,
                     struct error *err)
{
    struct rows rows;

    if (!ledger_list_read(l, due_sql, VALUES(as_int(due->waiting.s), as_int(due->taken.s)),
                          &delivery_list, arena, &rows, err))
        return false;
    *found = rows.len > 0;
    if (!*found)
        return true;
    *out = *(const struct ledger_delivery *)rows.at;
    return claim_delivery(l, out, now, arena, err);
}

bool ledger_delivery_take(struct ledger *l, const struct ledger_due *due, stamp now,
                          struct arena *arena, struct ledger_delivery *out, bool *found,
                          struct error *err)
{
    *found = false;
    return ledger_start_alone(l, err) &&
           ledger_finish(l, take_due(l, due, now, arena, out, found, err), err);
}

static bool take_more(struct ledger *l, const struct ledger_delivery *first, stamp now,
                      struct arena *arena, struct rows *out, struct error *err)
{
    struct ledger_delivery *copy;

    if (!ledger_list_read(l, more_sql,
                          VALUES(as_text(first->channel), as_int(now.s), as_int(LEDGER_DIGEST)),
                          &delivery_list, arena, out, err))
        return false;
    copy = arena_array(arena, struct ledger_delivery, out->len, err);
    for (size_t i = 0; copy != NULL && i < out->len; i++) {
        copy[i] = ((const struct ledger_delivery *)out->at)[i];
        if (!claim_delivery(l, &copy[i], now, arena, err))
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

static bool record_sent(struct ledger *l, const struct ledger_delivery *d, struct str state,
                        struct str answer, stamp now, stamp again, struct error *err)
{
    stamp until = again.s >= 0 ? again : now;

    return ledger_run(l, sent_sql,
                      VALUES(as_int(d->key), as_text(d->claim), as_text(state), as_text(answer),
                             as_int(until.s), as_int(now.s)),
                      err) &&
           (again.s < 0 ||
            ledger_run(l, hold_sql, VALUES(as_text(d->channel), as_int(again.s)), err));
}

bool ledger_delivery_told(struct ledger *l, const struct ledger_delivery *d, bool sent,
                          struct str answer, stamp now, stamp again, struct error *err)
{
    struct str state = sent ? STR("sent") : again.s >= 0 ? STR("waiting") : STR("given up");

    if (sent)
        again.s = -1;
    return ledger_start_write(l, err) &&
           ledger_finish(l, record_sent(l, d, state, answer, now, again, err), err);
}

bool ledger_delivery_postpone(struct ledger *l, const struct ledger_delivery *d, struct str why,
                              stamp until, struct error *err)
{
    return ledger_start_alone(l, err) &&
           ledger_finish(l,
                         ledger_run(l, back_sql,
                                    VALUES(as_int(d->key), as_text(d->claim), as_text(why),
                                           as_int(until.s)),
                                    err) &&
                             ledger_run(l, passed_sql, VALUES(as_int(d->key)), err),
                         err);
}

bool ledger_delivery_revive(struct ledger *l, stamp now, int64_t *count, struct error *err)
{
    *count = 0;
    return ledger_start_alone(l, err) &&
           ledger_finish(
               l, ledger_run_counted(l, revive_sql, VALUES(as_int(now.s)), count, err), err);
}

bool ledger_deliveries(struct ledger *l, stamp since, int64_t limit, struct arena *arena,
                       const struct ledger_delivery **out, size_t *count, struct error *err)
{
    return ledger_list_all(l, read_sql,
                           VALUES(as_int(since.s), as_int(limit > 0 ? limit : INT64_MAX)),
                           &delivery_list, arena, LIST_OUT(out, count), err);
}
