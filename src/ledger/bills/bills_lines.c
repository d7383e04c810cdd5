/* Lines complete, as they were imported. */
#include "ledger/bills_internal.h"

#include "base/json.h"

#define SCRATCH_MAX ((size_t)64 << 20)
/* Texts are added one after the other; where they are is known when the last one is there. */
struct span_of {
    size_t start, len;
    bool known;
};

static bool read_words(struct json *json, struct span_of *at, struct buf *scratch,
                       struct error *err)
{
    struct json_token token;
    enum focus_column column;

    if (!json_next(json, &token, err))
        return false;
    while (token.kind != JSON_END && json_next(json, &token, err)) {
        if (token.kind != JSON_KEY)
            continue;
        column = focus_find(token.text);
        if (!json_next(json, &token, err))
            return false;
        if (column == FOCUS_COUNT || token.kind != JSON_STRING)
            continue;
        at[column] = (struct span_of){scratch->len, token.text.len, true};
        buf_add(scratch, token.text);
    }
    return token.kind == JSON_END && buf_ok(scratch, err);
}

bool words_read(struct str words, struct bill_line *out, struct buf *scratch, struct error *err)
{
    struct json_options options = {.alloc = scratch->alloc, .max_token = SCRATCH_MAX};
    struct json *json = json_open_text(words, &options, err);
    struct span_of at[FOCUS_COUNT] = {0};
    bool ok;

    buf_clear(scratch);
    if (json == NULL)
        return false;
    ok = read_words(json, at, scratch, err);
    json_close(json);
    for (int i = 0; ok && i < FOCUS_COUNT; i++)
        out->of[i] =
            at[i].known ? (struct str){scratch->at + at[i].start, at[i].len} : (struct str){0};
    return ok;
}

struct lines {
    const struct ledger_line_query *query;
    bool (*each)(void *ctx, const struct ledger_bill *bill, const struct bill_line *line,
                 struct error *err);
    void *ctx;
    struct block_reader blocks;
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
static bool set_times(struct lines *r, struct error *err)
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

static bool tell_line(struct lines *l, const struct ledger_bill *bill, size_t at,
                      struct error *err)
{
    const struct record *r = &l->blocks.block.lines[at];

    if (r->start < block_since(l->query) || r->start >= block_until(l->query))
        return true;
    if (r->thing != l->thing)
        block_thing(&l->blocks.block, r->thing, &l->line);
    l->thing = r->thing;
    l->line.line = (uint64_t)l->blocks.line + at;
    l->line.start = (stamp){r->start};
    l->line.end = (stamp){r->end};
    l->line.period_start = bill->period_start;
    l->line.period_end = bill->period_end;
    set_numbers(l, r);
    return set_times(l, err) && l->each(l->ctx, bill, &l->line, err);
}

static bool tell_bill(struct lines *l, const struct ledger_bill *bill, struct error *err)
{
    int64_t after = 0;
    int got;

    while ((got = block_next(&l->blocks, bill->key, after, block_since(l->query),
                             block_until(l->query), err)) > 0) {
        l->thing = UINT32_MAX;
        for (size_t n = 0; n < l->blocks.block.count; n++)
            if (!tell_line(l, bill, n, err))
                return false;
        after = l->blocks.line;
    }
    return got == 0;
}

bool ledger_bill_lines(struct ledger *l, const struct ledger_line_query *query,
                       bool (*each)(void *ctx, const struct ledger_bill *bill,
                                    const struct bill_line *line, struct error *err),
                       void *ctx, struct error *err)
{
    struct lines r = {.query = query,
                      .each = each,
                      .ctx = ctx,
                      .blocks = block_reader_make(l),
                      .times = buf_new(l->alloc, 1024)};
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    const struct ledger_bill *bills = NULL;
    size_t count = 0;
    int tables = ledger_start_read(l, err);
    bool ok;

    if (tables <= 0)
        return tables == 0;
    ok = bills_read(l, &arena, &bills, &count, err);
    for (size_t i = 0; ok && i < count; i++)
        if (query->bill < 0 || query->bill == bills[i].key)
            ok = tell_bill(&r, &bills[i], err);
    ok = ledger_finish(l, ok, err);
    block_reader_free(&r.blocks);
    buf_free(&r.times);
    arena_free(&arena);
    return ok;
}
