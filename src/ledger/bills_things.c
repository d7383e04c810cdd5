/* What bills are of: far fewer things than lines. */
#include "ledger/bills_internal.h"

#define SCRATCH_MAX ((size_t)64 << 20)

static const char read_things[] =
    "SELECT t.words FROM bill_things t WHERE t.thing IN (SELECT l.thing FROM bill_lines l"
    " WHERE l.bill = ?1 AND l.started >= ?2 AND l.started < ?3) ORDER BY t.thing";

struct things {
    struct ledger *l;
    const struct ledger_line_query *query;
    bool (*each)(void *ctx, const struct ledger_bill *bill, const struct bill_line *thing,
                 struct error *err);
    void *ctx;
    struct buf words; /* of the thing that is told */
};

static bool tell_bill(struct things *r, const struct ledger_bill *bill, struct error *err)
{
    struct bill_line thing = {.period_start = bill->period_start,
                              .period_end = bill->period_end};
    struct query *q = ledger_query(r->l, read_things, err);
    day since = r->query->since, until = r->query->until;
    int row;

    if (q == NULL)
        return false;
    bind_int(q, 1, bill->key);
    bind_int(q, 2, since.n == DAY_UNKNOWN.n ? INT64_MIN : since.n * SECONDS_PER_DAY);
    bind_int(q, 3, until.n == DAY_UNKNOWN.n ? INT64_MAX : until.n * SECONDS_PER_DAY);
    while ((row = ledger_row(r->l, q, "read", err)) > 0)
        if (!words_read(column_view(q, 0), &thing, &r->words, err) ||
            !r->each(r->ctx, bill, &thing, err)) {
            query_reset(q);
            return false;
        }
    return row == 0;
}

bool ledger_bill_things(struct ledger *l, const struct ledger_line_query *query,
                        bool (*each)(void *ctx, const struct ledger_bill *bill,
                                     const struct bill_line *thing, struct error *err),
                        void *ctx, struct error *err)
{
    struct things r = {.l = l,
                       .query = query,
                       .each = each,
                       .ctx = ctx,
                       .words = buf_new(l->alloc, SCRATCH_MAX)};
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct ledger_bill *bills = NULL;
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
    buf_free(&r.words);
    arena_free(&arena);
    return ok;
}
