/* Lines whole, as they were imported. */
#include "ledger/bills_internal.h"

#include "base/json.h"

#define SCRATCH_MAX ((size_t)64 << 20)
#define LINES 8192 /* asked for at once: an engine may hold them all in memory */

static const char read_lines[] =
    "SELECT l.line, l.thing, t.words, l.started, l.ended, l.billed, l.effective, l.list,"
    " l.contracted, l.pricing_quantity, l.consumed_quantity, l.pricing_effective,"
    " l.commitment_quantity FROM bill_lines l JOIN bill_things t ON t.thing = l.thing"
    " WHERE l.bill = ?1 AND l.started >= ?2 AND l.started < ?3 AND l.line > ?4"
    " AND l.line <= ?5 ORDER BY l.line";

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
    struct ledger *l;
    const struct ledger_line_query *query;
    bool (*each)(void *ctx, const struct ledger_bill *bill, const struct bill_line *line,
                 struct error *err);
    void *ctx;
    struct arena arena;
    struct buf words, times; /* of the line that is told */
    struct bill_line line;
    int64_t thing; /* that its words are of */
};

static bool set_amounts(struct query *q, struct bill_line *line, struct error *err)
{
    static const enum focus_column columns[] = {FOCUS_BilledCost,
                                                FOCUS_EffectiveCost,
                                                FOCUS_ListCost,
                                                FOCUS_ContractedCost,
                                                FOCUS_PricingQuantity,
                                                FOCUS_ConsumedQuantity,
                                                FOCUS_PricingCurrencyEffectiveCost,
                                                FOCUS_CommitmentDiscountQuantity};

    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        line->of[columns[i]] =
            !column_null(q, 5 + (int)i) ? column_view(q, 5 + (int)i) : (struct str){0};
    line->list_known = !column_null(q, 7);
    line->contracted_known = !column_null(q, 8);
    if (!column_amount(q, 5, &line->billed, err) ||
        !column_amount(q, 6, &line->effective, err) || !column_amount(q, 7, &line->list, err) ||
        !column_amount(q, 8, &line->contracted, err))
        return false;
    if (!line->list_known)
        line->list = line->billed;
    if (!line->contracted_known)
        line->contracted = line->billed;
    return true;
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

static bool tell_line(struct lines *r, struct query *q, const struct ledger_bill *bill,
                      struct error *err)
{
    int64_t thing = column_int(q, 1);

    if (thing != r->thing && !words_read(column_view(q, 2), &r->line, &r->words, err))
        return false;
    r->thing = thing;
    r->line.line = (uint64_t)column_int(q, 0);
    r->line.start = (stamp){column_int(q, 3)};
    r->line.end = (stamp){column_int(q, 4)};
    r->line.period_start = bill->period_start;
    r->line.period_end = bill->period_end;
    return set_amounts(q, &r->line, err) && set_times(r, err) &&
           r->each(r->ctx, bill, &r->line, err);
}

static bool tell_some(struct lines *r, const struct ledger_bill *bill, int64_t after,
                      struct error *err)
{
    const struct ledger_line_query *wanted = r->query;
    struct query *q = ledger_query(r->l, read_lines, err);
    int got;

    if (q == NULL)
        return false;
    bind_int(q, 1, bill->key);
    bind_int(q, 2,
             wanted->since.n == DAY_UNKNOWN.n ? INT64_MIN : wanted->since.n * SECONDS_PER_DAY);
    bind_int(q, 3,
             wanted->until.n == DAY_UNKNOWN.n ? INT64_MAX : wanted->until.n * SECONDS_PER_DAY);
    bind_int(q, 4, after);
    bind_int(q, 5, after + LINES);
    while ((got = ledger_row(r->l, q, "read", err)) > 0)
        if (!tell_line(r, q, bill, err)) {
            query_reset(q);
            return false;
        }
    return got == 0;
}

static bool tell_bill(struct lines *r, const struct ledger_bill *bill, struct error *err)
{
    const struct ledger_line_query *wanted = r->query;

    if ((wanted->since.n != DAY_UNKNOWN.n && bill->last_day.n < wanted->since.n) ||
        (wanted->until.n != DAY_UNKNOWN.n && bill->first_day.n >= wanted->until.n))
        return true;
    for (int64_t line = 0; line < bill->lines; line += LINES)
        if (!tell_some(r, bill, line, err))
            return false;
    return true;
}

bool ledger_bill_lines(struct ledger *l, const struct ledger_line_query *query,
                       bool (*each)(void *ctx, const struct ledger_bill *bill,
                                    const struct bill_line *line, struct error *err),
                       void *ctx, struct error *err)
{
    struct lines r = {.l = l,
                      .query = query,
                      .each = each,
                      .ctx = ctx,
                      .arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE},
                      .words = buf_new(l->alloc, SCRATCH_MAX),
                      .times = buf_new(l->alloc, 1024)};
    struct ledger_bill *bills = NULL;
    size_t count = 0;
    int tables = ledger_start_read(l, err);
    bool ok;

    if (tables <= 0)
        return tables == 0;
    ok = bills_read(l, &r.arena, &bills, &count, err);
    for (size_t i = 0; ok && i < count; i++)
        if (query->bill < 0 || query->bill == bills[i].key)
            ok = tell_bill(&r, &bills[i], err);
    ok = ledger_finish(l, ok, err);
    buf_free(&r.words);
    buf_free(&r.times);
    arena_free(&r.arena);
    return ok;
}
