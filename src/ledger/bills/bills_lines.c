/* What bills have, as it was imported: complete lines, and what they are of, which are far
 * fewer things than lines. */
#include "ledger/bills_internal.h"

#define SEEN_MEMORY ((size_t)8 << 20)

/* Bills, block by block: for all that reads lines. */
struct walk {
    const struct ledger_line_query *query;
    bool (*each)(void *ctx, const struct ledger_bill *bill, const struct bill_line *line,
                 struct error *err);
    void *ctx;
    struct block_reader blocks;
};

/* Times as block_next() wants them. */
static int64_t block_since(const struct ledger_line_query *query)
{
    return query->since.n == DAY_UNKNOWN.n ? INT64_MIN : query->since.n * SECONDS_PER_DAY;
}

static int64_t block_until(const struct ledger_line_query *query)
{
    return query->until.n == DAY_UNKNOWN.n ? INT64_MAX : query->until.n * SECONDS_PER_DAY;
}

static bool walk_wants(const struct walk *w, const struct record *line)
{
    return line->start >= block_since(w->query) && line->start < block_until(w->query);
}

static bool walk_bill(struct walk *w, const struct ledger_bill *bill,
                      bool (*block)(struct walk *w, const struct ledger_bill *bill,
                                    struct error *err),
                      struct error *err)
{
    int64_t after = 0;
    int got;

    while ((got = block_next(&w->blocks, bill->key, after, block_since(w->query),
                             block_until(w->query), err)) > 0) {
        if (!block(w, bill, err))
            return false;
        after = w->blocks.line;
    }
    return got == 0;
}

/* `begin`, which may be NULL, is called before the blocks of each bill. */
static bool walk_bills(struct walk *w, void (*begin)(struct walk *w),
                       bool (*block)(struct walk *w, const struct ledger_bill *bill,
                                     struct error *err),
                       struct error *err)
{
    struct ledger *l = w->blocks.l;
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    const struct ledger_bill *bills = NULL;
    size_t count = 0;
    int tables = ledger_start_read(l, err);
    bool ok;

    if (tables <= 0)
        return tables == 0;
    ok = bills_read(l, &arena, &bills, &count, err);
    for (size_t i = 0; ok && i < count; i++) {
        if (w->query->bill >= 0 && w->query->bill != bills[i].key)
            continue;
        if (begin != NULL)
            begin(w);
        ok = walk_bill(w, &bills[i], block, err);
    }
    ok = ledger_finish(l, ok, err);
    block_reader_free(&w->blocks);
    arena_free(&arena);
    return ok;
}

/* ---- lines ---- */

struct lines {
    struct walk walk;
    struct buf times; /* of the current line */
    char numbers[BILL_NUMBERS][DECIMAL_ROOM];
    struct bill_line line;
    uint32_t thing; /* of the block that its words are of; UINT32_MAX: none */
};

/* Unit prices that are no plain numbers are among the words. */
static void set_numbers(struct lines *l, const struct record *r)
{
    struct bill_line *line = &l->line;
    struct decimal number[BILL_NUMBERS];

    for (int n = 0; n < BILL_NUMBERS; n++) {
        struct str *text = &line->of[bill_number_columns[n]];

        if (record_number(r, n, &number[n]))
            *text = decimal_text(number[n], l->numbers[n]);
        else if (n < BILL_LIST_UNIT || text->at == l->numbers[n])
            *text = (struct str){0};
    }
    line->billed = number[BILL_BILLED];
    line->effective = number[BILL_EFFECTIVE];
    line->list = number[BILL_LIST];
    line->contracted = number[BILL_CONTRACTED];
    line->list_known = (r->known >> BILL_LIST & 1) != 0;
    line->contracted_known = (r->known >> BILL_CONTRACTED & 1) != 0;
}

/* Times as FOCUS writes them. */
static bool set_line_times(struct lines *r, struct error *err)
{
    static const enum focus_column columns[] = {FOCUS_ChargePeriodStart, FOCUS_ChargePeriodEnd,
                                                FOCUS_BillingPeriodStart,
                                                FOCUS_BillingPeriodEnd};
    const stamp times[] = {r->line.start, r->line.end, r->line.period_start,
                           r->line.period_end};
    size_t ends[ARRAY_LEN(columns) + 1] = {0};

    buf_clear(&r->times);
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        stamp_write(times[i], &r->times);
        ends[i + 1] = r->times.len;
    }
    if (!buf_ok(&r->times, err))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        r->line.of[columns[i]] = (struct str){r->times.at + ends[i], ends[i + 1] - ends[i]};
    return true;
}

static bool give_bill_line(struct lines *l, const struct ledger_bill *bill, size_t at,
                           struct error *err)
{
    const struct block_reader *blocks = &l->walk.blocks;
    const struct record *r = &blocks->block.lines[at];

    if (!walk_wants(&l->walk, r))
        return true;
    if (r->thing != l->thing)
        block_thing(&blocks->block, r->thing, &l->line);
    l->thing = r->thing;
    l->line.line = (uint64_t)blocks->line + at;
    l->line.start = (stamp){r->start};
    l->line.end = (stamp){r->end};
    l->line.period_start = bill->period_start;
    l->line.period_end = bill->period_end;
    set_numbers(l, r);
    return set_line_times(l, err) && l->walk.each(l->walk.ctx, bill, &l->line, err);
}

static bool lines_of_block(struct walk *w, const struct ledger_bill *bill, struct error *err)
{
    struct lines *l = (struct lines *)w;

    l->thing = UINT32_MAX;
    for (size_t n = 0; n < w->blocks.block.count; n++)
        if (!give_bill_line(l, bill, n, err))
            return false;
    return true;
}

bool ledger_bill_lines(struct ledger *l, const struct ledger_line_query *query,
                       bool (*each)(void *ctx, const struct ledger_bill *bill,
                                    const struct bill_line *line, struct error *err),
                       void *ctx, struct error *err)
{
    struct lines r = {.walk = {query, each, ctx, block_reader_make(l)},
                      .times = buf_new(l->alloc, 1024)};
    bool ok = walk_bills(&r.walk, NULL, lines_of_block, err);

    buf_free(&r.times);
    return ok;
}

/* ---- things ---- */

struct things {
    struct walk walk;
    struct dictionary seen; /* of this bill */
    uint64_t secret[2];
};

static bool each_thing(struct things *t, const struct ledger_bill *bill, uint32_t thing,
                       struct error *err)
{
    struct bill_line line = {.period_start = bill->period_start,
                             .period_end = bill->period_end};
    const struct record none = {0};
    bool added;

    block_thing(&t->walk.blocks.block, thing, &line);
    if (t->seen.count == t->seen.room) /* too many to remember: some are reported again */
        dictionary_forget(&t->seen);
    (void)dictionary_find(&t->seen, record_digest(t->secret, &line, &none), &added);
    return !added || t->walk.each(t->walk.ctx, bill, &line, err);
}

/* The things of the block that have a line in the requested time. */
static bool things_of_block(struct walk *w, const struct ledger_bill *bill, struct error *err)
{
    const struct block *b = &w->blocks.block;
    bool *seen = arena_array(&w->blocks.arena, bool, b->thing_count, err);

    if (seen == NULL)
        return false;
    for (size_t n = 0; n < b->count; n++) {
        const struct record *line = &b->lines[n];

        if (seen[line->thing] || !walk_wants(w, line))
            continue;
        seen[line->thing] = true;
        if (!each_thing((struct things *)w, bill, line->thing, err))
            return false;
    }
    return true;
}

static void forget_things(struct walk *w)
{
    dictionary_forget(&((struct things *)w)->seen);
}

bool ledger_bill_things(struct ledger *l, const struct ledger_line_query *query,
                        bool (*each)(void *ctx, const struct ledger_bill *bill,
                                     const struct bill_line *thing, struct error *err),
                        void *ctx, struct error *err)
{
    struct things t = {.walk = {query, each, ctx, block_reader_make(l)}};
    bool ok;

    t.secret[0] = (uint64_t)(uintptr_t)&t;
    ok = dictionary_make(&t.seen, l->alloc, SEEN_MEMORY, err) &&
         walk_bills(&t.walk, forget_things, things_of_block, err);
    dictionary_free(&t.seen);
    return ok;
}
