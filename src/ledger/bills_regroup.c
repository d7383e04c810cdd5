/* The rules that classify have changed: things get other groups, and bills are summed up anew,
 * one by one. */
#include "ledger/bills_internal.h"

#define THINGS 512 /* looked at in one transaction */
#define LINES 16384
#define DAYS_MEMORY ((size_t)16 << 20)

static const char start_state[] =
    "UPDATE bill_state SET grouping = grouping + 1, regrouping = 1 RETURNING key_0, key_1";
static const char was_broken_off[] = "SELECT regrouping FROM bill_state";
static const char end_state[] = "UPDATE bill_state SET regrouping = 0";
static const char next_things[] =
    "SELECT thing, grp, words FROM bill_things WHERE thing > ?1 ORDER BY thing LIMIT ?2";
static const char set_group[] = "UPDATE bill_things SET grp = ?2 WHERE thing = ?1";
static const char read_lines[] =
    "SELECT l.started, t.grp, l.billed, l.effective, l.list, l.contracted"
    " FROM bill_lines l JOIN bill_things t ON t.thing = l.thing"
    " WHERE l.bill = ?1 AND l.line > ?2 AND l.line <= ?3";
static const char drop_days[] = "DELETE FROM bill_days WHERE bill = ?1 AND part < ?2";
static const char next_part[] = "SELECT max(part) + 1 FROM bill_days WHERE bill = ?1";

/* A thing of a batch, with the group that it is to have. */
struct moved {
    int64_t thing, was;
    uint32_t entry;
};

/* It does what an import does with things and groups, without lines. */
struct regroup {
    struct ledger_import i;
    struct moved things[THINGS];
    size_t count;
    int64_t last, changed;
    struct buf scratch;
};

static bool start(struct regroup *r, bool *again, struct error *err)
{
    struct query *q = ledger_query(r->i.l, was_broken_off, err);
    int got = q != NULL ? ledger_row(r->i.l, q, "read", err) : -1;

    if (got < 0)
        return false;
    *again = got > 0 && column_int(q, 0) != 0;
    query_reset(q);
    q = ledger_query(r->i.l, start_state, err);
    got = q != NULL ? ledger_row(r->i.l, q, "write", err) : -1;
    if (got <= 0)
        return got == 0; /* no bill was ever imported */
    r->i.secret[0] = (uint64_t)column_int(q, 0);
    r->i.secret[1] = (uint64_t)column_int(q, 1);
    return ledger_done(r->i.l, q, "write", err);
}

/* The next things, and what the rules say of them now. */
static bool read_things(struct regroup *r, struct error *err)
{
    struct query *q = ledger_query(r->i.l, next_things, err);
    struct bill_line line = {0};
    int got = -1;

    r->count = 0;
    if (q == NULL)
        return false;
    bind_int(q, 1, r->last);
    bind_int(q, 2, THINGS);
    while (r->count < THINGS && (got = ledger_row(r->i.l, q, "read", err)) > 0) {
        struct moved *m = &r->things[r->count++];

        m->thing = r->last = column_int(q, 0);
        m->was = column_int(q, 1);
        if (!words_read(column_view(q, 2), &line, &r->scratch, err) ||
            !import_classify(&r->i, &line, &m->entry, err)) {
            query_reset(q);
            return false;
        }
    }
    query_reset(q);
    return got >= 0;
}

static bool write_things(struct regroup *r, struct error *err)
{
    if (!settle_groups(&r->i, err))
        return false;
    for (size_t n = 0; n < r->count; n++) {
        const struct moved *m = &r->things[n];
        int64_t group = r->i.groups.entries[m->entry].key;
        struct query *q;

        if (group == m->was)
            continue;
        q = ledger_query(r->i.l, set_group, err);
        if (q == NULL)
            return false;
        bind_int(q, 1, m->thing);
        bind_int(q, 2, group);
        if (!ledger_done(r->i.l, q, "write", err))
            return false;
        r->changed++;
    }
    return true;
}

static bool move_things(struct regroup *r, struct error *err)
{
    struct ledger *l = r->i.l;

    do {
        int tables = ledger_start_read(l, err);

        if (tables <= 0)
            return tables == 0;
        if (!ledger_finish(l, read_things(r, err), err) || !settle_reserve(&r->i, err) ||
            !ledger_start_write(l, err) || !ledger_finish(l, write_things(r, err), err))
            return false;
        if (dictionary_spent(&r->i.groups))
            dictionary_forget(&r->i.groups);
    } while (r->count > 0);
    return true;
}

static bool add_row(struct regroup *r, struct query *q, struct error *err)
{
    struct day_sum sum = {
        .day = day_of((stamp){column_int(q, 0)}).n, .group = column_int(q, 1), .lines = 1};

    for (int n = 0; n < BILL_AMOUNTS; n++) {
        struct decimal amount;

        if (!column_amount(q, column_null(q, 2 + n) ? 2 : 2 + n, &amount, err))
            return false;
        amounts_set(&sum.sum, n, amount);
    }
    return days_add(&r->i.days, &sum, err);
}

static bool take_rows(struct regroup *r, int64_t bill, int64_t after, struct error *err)
{
    struct query *q = ledger_query(r->i.l, read_lines, err);
    int got = 0;

    if (q == NULL)
        return false;
    bind_int(q, 1, bill);
    bind_int(q, 2, after);
    bind_int(q, 3, after + LINES);
    while ((got = ledger_row(r->i.l, q, "read", err)) > 0)
        if (!add_row(r, q, err)) {
            query_reset(q);
            return false;
        }
    return got == 0;
}

/* The sums of a bill's lines; when there is no room for more they are written, if they may be:
 * else not `all` are summed up. */
static bool take_bill(struct regroup *r, const struct ledger_bill *bill, bool may_write,
                      bool *all, struct error *err)
{
    struct day_sums *days = &r->i.days;

    *all = true;
    for (int64_t line = 0; line < bill->lines; line += LINES) {
        if (days->room - days->count < LINES) {
            *all = may_write;
            if (!may_write)
                return true;
            if (!days_write(days, r->i.l, &bill->key, err))
                return false;
        }
        if (!take_rows(r, bill->key, line, err))
            return false;
    }
    return true;
}

/* New parts in place of the old ones. */
static bool put_bill(struct regroup *r, const struct ledger_bill *bill, bool all,
                     struct error *err)
{
    struct query *q = ledger_query(r->i.l, next_part, err);
    int64_t part;

    if (q == NULL)
        return false;
    bind_int(q, 1, bill->key);
    if (ledger_row(r->i.l, q, "read", err) <= 0)
        return false;
    part = r->i.days.part = column_null(q, 0) ? 0 : column_int(q, 0);
    query_reset(q);
    if ((!all && !take_bill(r, bill, true, &all, err)) ||
        !days_write(&r->i.days, r->i.l, &bill->key, err) ||
        (q = ledger_query(r->i.l, drop_days, err)) == NULL)
        return false;
    bind_int(q, 1, bill->key);
    bind_int(q, 2, part);
    return ledger_done(r->i.l, q, "write", err);
}

/* Lines do not change: they are read while others write, unless their sums are too many to be
 * kept in memory. A bill that was removed meanwhile has none. */
static bool sum_up(struct regroup *r, const struct ledger_bill *bill, struct error *err)
{
    bool all = false;
    int tables = ledger_start_read(r->i.l, err);

    if (tables <= 0)
        return tables == 0; /* nothing to sum */
    if (!ledger_finish(r->i.l, take_bill(r, bill, false, &all, err), err))
        return false;
    if (!all)
        days_forget(&r->i.days);
    return ledger_start_write(r->i.l, err) &&
           ledger_finish(r->i.l, put_bill(r, bill, all, err), err);
}

static bool sum_bills(struct regroup *r, struct error *err)
{
    const struct ledger_bill *bills = NULL;
    size_t count = 0;

    if (!ledger_bills(r->i.l, &r->i.arena, &bills, &count, err))
        return false;
    for (size_t n = 0; n < count; n++)
        if (!sum_up(r, &bills[n], err))
            return false;
    return true;
}

static bool end(struct regroup *r, struct error *err)
{
    struct query *q;

    if (!ledger_start_write(r->i.l, err))
        return false;
    q = ledger_query(r->i.l, end_state, err);
    return ledger_finish(r->i.l, q != NULL && ledger_done(r->i.l, q, "write", err), err);
}

static bool work(struct regroup *r, struct error *err)
{
    bool again = false;

    if (!dictionary_make(&r->i.groups, r->i.l->alloc, DAYS_MEMORY / 4, err) ||
        !days_make(&r->i.days, r->i.l->alloc, DAYS_MEMORY, err) ||
        !ledger_start_write(r->i.l, err) ||
        !ledger_finish(r->i.l, start(r, &again, err), err) || !move_things(r, err))
        return false;
    return (r->changed == 0 && !again) || sum_bills(r, err) ? end(r, err) : false;
}

bool ledger_regroup(struct ledger *l, const struct ledger_import_options *options,
                    int64_t *changed, struct error *err)
{
    struct regroup *r = l->alloc->get(l->alloc->ctx, sizeof *r);
    bool ok;

    if (r == NULL)
        return error_memory(err);
    *r = (struct regroup){.i = {.l = l,
                                .options = *options,
                                .arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE}},
                          .scratch = buf_new(l->alloc, (size_t)64 << 20)};
    ledger_bulk_mode(l, true);
    ok = work(r, err);
    ledger_bulk_mode(l, false);
    *changed = r->changed;
    dictionary_free(&r->i.groups);
    days_free(&r->i.days);
    buf_free(&r->scratch);
    arena_free(&r->i.arena);
    l->alloc->put(l->alloc->ctx, r);
    return ok;
}
