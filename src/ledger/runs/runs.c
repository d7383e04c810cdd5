/* Runs as they are read: each with its attempts, and what they come to together. */
#include "ledger/internal.h"

#include <string.h>

/* A list that grows in an arena. */
struct list {
    struct arena *arena;
    void *at;
    size_t len, room, size;
};

static void *list_add(struct list *list, struct error *err)
{
    list->at = arena_grow(list->arena, list->at, list->len, list->size, &list->room, err);
    if (list->at == NULL)
        return NULL;
    return (unsigned char *)list->at + list->size * list->len++;
}

/* Texts of the first column. */
static bool read_texts(struct ledger *l, enum statement which, int64_t key, struct arena *arena,
                       struct strs *out, struct error *err)
{
    struct list list = {.arena = arena, .size = sizeof(struct str)};
    struct query *s = ledger_statement(l, which, err);
    int row;

    if (s == NULL)
        return false;
    bind_int(s, 1, key);
    while ((row = ledger_row(l, s, "read", err)) > 0) {
        struct str *text = list_add(&list, err);

        if (text == NULL || !column_text(s, 0, arena, text, err)) {
            query_reset(s);
            return false;
        }
    }
    *out = (struct strs){list.at, list.len};
    return row == 0;
}

/* One attempt, as it is stored, and who watched over it. */
struct stored {
    struct ledger_attempt attempt;
    struct ledger_supervisor who;
    struct str market;
    int64_t key;
};

static bool column_attempt(struct query *s, struct arena *arena, struct stored *out,
                           struct error *err)
{
    struct ledger_attempt *a = &out->attempt;
    const char *state = column_word(s, 2);

    if (state == NULL)
        return error_memory(err);
    if (!ledger_state_parse(str_from(state), &a->state)) /* the table's CHECK forbids it */
        return error_fail(err, ERROR_INPUT, "a run of the ledger has an unknown state");
    out->key = column_int(s, 0);
    a->number = (int)column_int(s, 1);
    a->status = (int)column_count(s, 3);
    a->started.s = column_int(s, 5);
    a->ended.s = column_count(s, 6);
    out->who.pid = column_count(s, 9);
    out->who.pid_started = column_count(s, 10);
    out->who.namespace = column_count(s, 11);
    a->rate.nano = column_money(s, 15);
    if (!column_text(s, 4, arena, &a->reason, err) ||
        !column_text(s, 7, arena, &a->host, err) ||
        !column_text(s, 8, arena, &out->who.boot, err) ||
        !column_text(s, 12, arena, &a->offer, err) ||
        !column_text(s, 13, arena, &out->market, err) ||
        !column_text(s, 14, arena, &a->price_source, err) ||
        !column_totals(s, 16, arena, &a->totals, err))
        return false;
    out->who.host = a->host;
    out->who.heard = a->totals.at;
    return true;
}

static bool read_attempts(struct ledger *l, int64_t run, struct list *list, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_ATTEMPTS, err);
    int row;

    if (s == NULL)
        return false;
    bind_int(s, 1, run);
    while ((row = ledger_row(l, s, "read", err)) > 0) {
        struct stored *stored = list_add(list, err);

        if (stored == NULL || !column_attempt(s, list->arena, stored, err)) {
            query_reset(s);
            return false;
        }
    }
    return row == 0;
}

/* An attempt that says it runs: does it? */
static bool find_out(struct ledger *l, struct stored *stored, struct error *err)
{
    bool noticed;

    if (stored->attempt.state != RUN_RUNNING ||
        ledger_alive(&stored->who, l->clock->today(l->clock->ctx)))
        return true;
    if (!ledger_noticed(l, stored->key, &noticed, err))
        return false;
    stored->attempt.state = noticed ? RUN_PREEMPTED : RUN_LOST;
    return true;
}

/* What the run is by its attempts. */
static bool join_attempts(struct ledger *l, const struct list *list, struct ledger_run *out,
                          struct error *err)
{
    struct stored *stored = list->at;
    struct ledger_attempt *attempts =
        arena_array(list->arena, struct ledger_attempt, list->len, err);
    const struct stored *last = list->len > 0 ? &stored[list->len - 1] : NULL;

    if (attempts == NULL)
        return false;
    if (last == NULL)
        return error_fail(err, ERROR_INPUT, "the ledger '%s' has a run without an attempt",
                          l->name);
    for (size_t i = 0; i < list->len; i++) {
        if (!find_out(l, &stored[i], err))
            return false;
        attempts[i] = stored[i].attempt;
        out->preemptions += attempts[i].state == RUN_PREEMPTED;
    }
    out->attempts = attempts;
    out->attempt_count = (int)list->len;
    ledger_sum(attempts, out->attempt_count, &out->totals);
    out->state = last->attempt.state;
    out->status = last->attempt.status;
    out->reason = last->attempt.reason;
    out->ended = last->attempt.ended;
    out->heard = last->who.heard;
    out->start.host = stored[0].attempt.host;
    out->start.offer = stored[0].attempt.offer;
    out->start.market = stored[0].market;
    out->start.price_source = stored[0].attempt.price_source;
    out->start.rate = stored[0].attempt.rate;
    out->start.boot = stored[0].who.boot;
    out->start.pid = last->who.pid;
    out->start.pid_started = last->who.pid_started;
    return read_texts(l, SQL_FACTS, last->key, list->arena, &out->start.facts, err);
}

static bool column_run(struct query *s, struct arena *arena, struct ledger_start *out,
                       struct error *err)
{
    const char *id = column_word(s, 1);

    if (id == NULL)
        return error_memory(err);
    if (strlen(id) != LEDGER_ID - 1)
        return error_fail(err, ERROR_INPUT, "the ledger has a run with the id '%.40s'", id);
    memcpy(out->id, id, LEDGER_ID);
    out->budget.nano = column_money(s, 7);
    out->electricity.nano = column_money(s, 8);
    out->storage_month.nano = column_money(s, 9);
    out->estimated_cost.nano = column_money(s, 10);
    out->estimated_time.ns = column_count(s, 11);
    out->started.s = column_int(s, 12);
    return column_text(s, 2, arena, &out->name, err) &&
           column_text(s, 3, arena, &out->folder, err) &&
           column_text(s, 4, arena, &out->command, err) &&
           column_text(s, 5, arena, &out->user, err) &&
           column_text(s, 6, arena, &out->commit, err) &&
           column_text(s, 14, arena, &out->origin, err);
}

bool ledger_read_run(struct ledger *l, int64_t key, struct arena *arena, struct ledger_run *out,
                     struct error *err)
{
    struct list attempts = {.arena = arena, .size = sizeof(struct stored)};
    struct query *s = ledger_statement(l, SQL_RUN, err);
    int row;

    if (s == NULL)
        return false;
    *out = (struct ledger_run){0};
    bind_int(s, 1, key);
    row = ledger_row(l, s, "read", err);
    if (row == 0)
        return error_fail(err, ERROR_ABSENT, "the run is no longer in the ledger");
    if (row < 0 || !column_run(s, arena, &out->start, err)) {
        query_reset(s);
        return false;
    }
    query_reset(s);
    return read_texts(l, SQL_TAGS, key, arena, &out->start.tags, err) &&
           read_attempts(l, key, &attempts, err) && join_attempts(l, &attempts, out, err);
}

static bool has_tag(const struct ledger_start *start, struct str pattern)
{
    for (size_t i = 0; i < start->tags.len; i++)
        if (str_glob(start->tags.at[i], pattern))
            return true;
    return false;
}

static bool wanted(const struct ledger_query *q, const struct ledger_run *run)
{
    for (size_t i = 0; i < q->tags.len; i++)
        if (!has_tag(&run->start, q->tags.at[i]))
            return false;
    return (q->name.len == 0 || str_glob(run->start.name, q->name)) &&
           (q->state.len == 0 || str_eq(q->state, str_from(ledger_state_name(run->state))));
}

static bool read_runs(struct ledger *l, const struct ledger_query *q, struct list *list,
                      struct error *err)
{
    /* What runs has not ended: of all that ever ran there is no need to look at the rest. */
    bool open = str_eq(q->state, str_from(ledger_state_name(RUN_RUNNING)));
    struct query *s = ledger_statement(l, open ? SQL_RUNS_OPEN : SQL_RUNS, err);
    int row = 0;

    if (s == NULL)
        return false;
    bind_int(s, 1, q->since.s < 0 ? INT64_MIN : q->since.s);
    bind_count(s, 2, q->until.s);
    while ((q->limit <= 0 || list->len < (size_t)q->limit) &&
           (row = ledger_row(l, s, "read", err)) > 0) {
        struct ledger_run run, *kept;

        if (!ledger_read_run(l, column_int(s, 0), list->arena, &run, err)) {
            row = -1;
            break;
        }
        if (!wanted(q, &run))
            continue;
        kept = list_add(list, err);
        if (kept == NULL) {
            row = -1;
            break;
        }
        *kept = run;
    }
    query_reset(s);
    return row >= 0;
}

bool ledger_runs(struct ledger *l, const struct ledger_query *query, struct arena *arena,
                 const struct ledger_run **out, size_t *count, struct error *err)
{
    struct list list = {.arena = arena, .size = sizeof(struct ledger_run)};
    int begun = ledger_start_read(l, err);

    *out = NULL;
    *count = 0;
    if (begun <= 0)
        return begun == 0;
    if (!ledger_finish(l, read_runs(l, query, &list, err), err))
        return false;
    *out = list.at;
    *count = list.len;
    return true;
}
