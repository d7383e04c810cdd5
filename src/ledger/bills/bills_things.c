/* What bills are of: far fewer things than lines. */
#include "ledger/bills_internal.h"

#define SEEN_MEMORY ((size_t)8 << 20)

struct things {
    const struct ledger_line_query *query;
    bool (*each)(void *ctx, const struct ledger_bill *bill, const struct bill_line *thing,
                 struct error *err);
    void *ctx;
    struct block_reader blocks;
    struct dictionary seen; /* of this bill */
    uint64_t secret[2];
};

static bool tell_thing(struct things *r, const struct ledger_bill *bill, uint32_t thing,
                       struct error *err)
{
    struct bill_line line = {.period_start = bill->period_start,
                             .period_end = bill->period_end};
    const struct record none = {0};
    bool added;

    block_thing(&r->blocks.block, thing, &line);
    if (r->seen.count == r->seen.room) /* too many to remember: some are reported again */
        dictionary_forget(&r->seen);
    (void)dictionary_find(&r->seen, record_digest(r->secret, &line, &none), &added);
    return !added || r->each(r->ctx, bill, &line, err);
}

/* Those of the block that lines of the time that is asked for are of. */
static bool tell_block(struct things *r, const struct ledger_bill *bill, struct error *err)
{
    const struct block *b = &r->blocks.block;
    bool *seen = arena_array(&r->blocks.arena, bool, b->thing_count, err);

    if (seen == NULL)
        return false;
    for (size_t n = 0; n < b->count; n++) {
        const struct record *line = &b->lines[n];

        if (seen[line->thing] || line->start < block_since(r->query) ||
            line->start >= block_until(r->query))
            continue;
        seen[line->thing] = true;
        if (!tell_thing(r, bill, line->thing, err))
            return false;
    }
    return true;
}

static bool tell_bill(struct things *r, const struct ledger_bill *bill, struct error *err)
{
    int64_t after = 0;
    int got;

    dictionary_forget(&r->seen);
    while ((got = block_next(&r->blocks, bill->key, after, block_since(r->query),
                             block_until(r->query), err)) > 0) {
        if (!tell_block(r, bill, err))
            return false;
        after = r->blocks.line;
    }
    return got == 0;
}

bool ledger_bill_things(struct ledger *l, const struct ledger_line_query *query,
                        bool (*each)(void *ctx, const struct ledger_bill *bill,
                                     const struct bill_line *thing, struct error *err),
                        void *ctx, struct error *err)
{
    struct things r = {
        .query = query, .each = each, .ctx = ctx, .blocks = block_reader_make(l)};
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    const struct ledger_bill *bills = NULL;
    size_t count = 0;
    int tables = ledger_start_read(l, err);
    bool ok;

    if (tables <= 0)
        return tables == 0;
    r.secret[0] = (uint64_t)(uintptr_t)&r;
    ok = dictionary_make(&r.seen, l->alloc, SEEN_MEMORY, err) &&
         bills_read(l, &arena, &bills, &count, err);
    for (size_t i = 0; ok && i < count; i++)
        if (query->bill < 0 || query->bill == bills[i].key)
            ok = tell_bill(&r, &bills[i], err);
    ok = ledger_finish(l, ok, err);
    dictionary_free(&r.seen);
    block_reader_free(&r.blocks);
    arena_free(&arena);
    return ok;
}
