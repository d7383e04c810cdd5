/* The rules that classify have changed: things get other groups, and bills are summed up anew,
 * one by one. */
#include "ledger/bills_internal.h"

#define THINGS_MEMORY ((size_t)8 << 20)
#define DAYS_MEMORY ((size_t)16 << 20)

static const char start_state[] =
    "UPDATE bill_state SET grouping = grouping + 1, regrouping = 1 RETURNING key_0, key_1";
static const char was_broken_off[] = "SELECT regrouping FROM bill_state";
static const char end_state[] = "UPDATE bill_state SET regrouping = 0";
static const char set_groups[] =
    "UPDATE bill_blocks SET groups = ?3 WHERE bill = ?1 AND line = ?2";
static const char drop_days[] = "DELETE FROM bill_days WHERE bill = ?1 AND part < ?2";
static const char next_part[] = "SELECT max(part) + 1 FROM bill_days WHERE bill = ?1";

/* It does what an import does with things and groups, without lines. */
struct regroup {
    struct ledger_import i;
    struct block_reader blocks;
    const struct ledger_bill *bills;
    size_t bill_count;
    uint32_t *entries; /* of the things of the block that is read, in the dictionary */
    struct buf groups; /* of the block, as they are written */
    int64_t changed;
};

static bool start_regroup(struct regroup *r, bool *again, struct error *err)
{
    int64_t broken_off;
    struct query *q;
    int got;

    if (!ledger_number(r->i.l, was_broken_off, NO_VALUES, &broken_off, err))
        return false;
    *again = broken_off != 0;
    q = ledger_query(r->i.l, start_state, NO_VALUES, err);
    got = ledger_row(r->i.l, q, "write", err);
    if (got <= 0)
        return got == 0; /* no bill was ever imported */
    r->i.secret[0] = (uint64_t)column_int(q, 0);
    r->i.secret[1] = (uint64_t)column_int(q, 1);
    return ledger_done(r->i.l, q, "write", err);
}

/* What the rules say now of the things of a block: as entries, since groups may be new. */
static bool classify_block(struct regroup *r, struct error *err)
{
    const struct block *b = &r->blocks.block;
    struct bill_line line = {0};
    const struct record none = {0};

    r->entries = arena_array(&r->blocks.arena, uint32_t, b->thing_count, err);
    if (r->entries == NULL)
        return false;
    for (uint32_t n = 0; n < b->thing_count; n++) {
        struct dictionary *things = &r->i.things;
        uint32_t group = 0;
        bool added;

        block_thing(b, n, &line);
        r->entries[n] =
            dictionary_find(things, record_digest(r->i.secret, &line, &none), &added);
        if (!added)
            continue;
        if (!import_classify(&r->i, &line, &group, err) ||
            !dictionary_fresh(things, r->entries[n], things->texts.len, err))
            return false;
        things->entries[r->entries[n]].group = group;
    }
    return true;
}

/* With the groups that are new: of a block whose things moved. */
static bool write_bill_groups(struct regroup *r, int64_t bill, struct error *err)
{
    bool moved = false;

    if (!settle_groups(&r->i, err))
        return false;
    for (size_t n = 0; n < r->blocks.block.thing_count; n++) {
        struct entry *e = &r->i.things.entries[r->entries[n]];

        if (e->group == r->blocks.group[n])
            continue;
        r->blocks.group[n] = e->group;
        moved = true;
        r->changed += e->key == 0; /* it may be in many blocks */
        e->key = 1;
    }
    if (!moved)
        return true;
    buf_clear(&r->groups);
    block_write_groups(r->blocks.group, r->blocks.block.thing_count, &r->groups);
    return buf_ok(&r->groups, err) && ledger_run(r->i.l, set_groups,
                                                 VALUES(as_int(bill), as_int(r->blocks.line),
                                                        as_blob(buf_text(&r->groups))),
                                                 err);
}

/* A block in a transaction of its own. Dictionaries have room for the things of one block. */
static bool move_block(struct regroup *r, int64_t bill, int64_t *after, bool *more,
                       struct error *err)
{
    struct ledger *l = r->i.l;
    int tables = ledger_start_read(l, err), got;
    bool ok;

    *more = false;
    if (tables <= 0)
        return tables == 0;
    got = block_next(&r->blocks, bill, *after, INT64_MIN, INT64_MAX, err);
    if (r->i.things.room - r->i.things.count < BLOCK_LINES)
        dictionary_forget(&r->i.things);
    if (r->i.groups.room - r->i.groups.count < BLOCK_LINES)
        dictionary_forget(&r->i.groups);
    ok = got >= 0 && (got == 0 || classify_block(r, err));
    if (!ledger_finish(l, ok, err) || got == 0)
        return ok;
    *after = r->blocks.line;
    *more = true;
    return settle_reserve(&r->i, err) && ledger_start_write(l, err) &&
           ledger_finish(l, write_bill_groups(r, bill, err), err);
}

static bool move_things(struct regroup *r, struct error *err)
{
    for (size_t n = 0; n < r->bill_count; n++) {
        int64_t after = 0;
        bool more = true;

        while (more)
            if (!move_block(r, r->bills[n].key, &after, &more, err))
                return false;
    }
    return true;
}

static bool sum_block(struct regroup *r, struct error *err)
{
    const struct block *b = &r->blocks.block;

    for (size_t n = 0; n < b->count; n++) {
        const struct record *line = &b->lines[n];
        struct day_sum sum = {.sum = line->amounts,
                              .day = day_of((stamp){line->start}).n,
                              .group = r->blocks.group[line->thing],
                              .lines = 1};

        if (!days_add(&r->i.days, &sum, err))
            return false;
    }
    return true;
}

/* The sums of a bill's lines; when there is no room for more they are written, if they may be:
 * else not `all` are summed up. */
static bool take_bill(struct regroup *r, const struct ledger_bill *bill, bool may_write,
                      bool *all, struct error *err)
{
    struct day_sums *days = &r->i.days;
    int64_t after = 0;
    int got;

    *all = true;
    while ((got = block_next(&r->blocks, bill->key, after, INT64_MIN, INT64_MAX, err)) > 0) {
        if (days->room - days->count < r->blocks.block.count) {
            *all = may_write;
            if (!may_write)
                return true;
            if (!days_write(days, r->i.l, &bill->key, err))
                return false;
        }
        if (!sum_block(r, err))
            return false;
        after = r->blocks.line;
    }
    return got == 0;
}

/* New parts in place of the old ones. */
static bool put_bill(struct regroup *r, const struct ledger_bill *bill, bool all,
                     struct error *err)
{
    int64_t part;

    if (!ledger_number(r->i.l, next_part, VALUES(as_int(bill->key)), &part, err))
        return false;
    r->i.days.part = part;
    return (all || take_bill(r, bill, true, &all, err)) &&
           days_write(&r->i.days, r->i.l, &bill->key, err) &&
           ledger_run(r->i.l, drop_days, VALUES(as_int(bill->key), as_int(part)), err) &&
           days_merge(r->i.l, bill->key, &r->i.days, DAYS_MEMORY, err);
}

/* Lines do not change: they are read while others write, unless their sums are too many to be
 * kept in memory. A bill that was removed meanwhile has none. */
static bool sum_up_bill(struct regroup *r, const struct ledger_bill *bill, struct error *err)
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
    for (size_t n = 0; n < r->bill_count; n++)
        if (!sum_up_bill(r, &r->bills[n], err))
            return false;
    return true;
}

static bool end_regroup(struct regroup *r, struct error *err)
{
    return ledger_start_write(r->i.l, err) &&
           ledger_finish(r->i.l, ledger_run(r->i.l, end_state, NO_VALUES, err), err);
}

static bool run_regroup(struct regroup *r, struct error *err)
{
    const struct alloc *alloc = r->i.l->alloc;
    bool again = false;

    if (!dictionary_make(&r->i.groups, alloc, DAYS_MEMORY / 4, err) ||
        !dictionary_make(&r->i.things, alloc, THINGS_MEMORY, err) ||
        !days_make(&r->i.days, alloc, DAYS_MEMORY, err) || !ledger_start_write(r->i.l, err) ||
        !ledger_finish(r->i.l, start_regroup(r, &again, err), err) ||
        !ledger_bills(r->i.l, &r->i.arena, &r->bills, &r->bill_count, err) ||
        !move_things(r, err))
        return false;
    return (r->changed == 0 && !again) || sum_bills(r, err) ? end_regroup(r, err) : false;
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
                          .blocks = block_reader_make(l),
                          .groups = buf_new(l->alloc, (size_t)64 << 20)};
    ledger_bulk_mode(l, true);
    ok = run_regroup(r, err);
    ledger_bulk_mode(l, false);
    *changed = r->changed;
    dictionary_free(&r->i.groups);
    dictionary_free(&r->i.things);
    days_free(&r->i.days);
    block_reader_free(&r->blocks);
    buf_free(&r->groups);
    arena_free(&r->i.arena);
    l->alloc->put(l->alloc->ctx, r);
    return ok;
}
