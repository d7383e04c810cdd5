/* Shared and recurring costs, as the policy of the ledger has them. */
#include <string.h>

#include "ledger/budgets.h"
#include "op/spending_work.h"

bool spending_policy(struct op_context *ctx, struct ledger *ledger, const struct policy **out,
                     struct error *err)
{
    struct str text;
    stamp changed;

    *out = NULL;
    if (!ledger_document(ledger, "allocation", ctx->arena, &text, &changed, err))
        return false;
    if (text.len == 0)
        return true;
    *out = policy_read(text, "allocation", ctx->arena, err);
    return *out != NULL;
}

/* What is split at a time. */
struct bucket {
    const struct policy *policy;
    const struct spending_table *recorded;
    const struct split_sink *sink;
    day from, since, until; /* its first day; the days of it that count */
};

/* An amount that nobody shared is what it was: its lines, its runs, what no bill covers. Shares
 * of others have an amount alone. */
static void recall(const struct bucket *b, const struct share *share, struct spending_entry *e)
{
    const struct spending *row = spending_find(b->recorded, e);

    if (share->shared_by.len > 0 || share->recurring.len > 0 || row == NULL ||
        decimal_cmp(row->amount, share->amount) != 0)
        return;
    e->metered = row->metered;
    e->lines = row->lines;
    e->runs = row->runs;
}

static bool split_bucket(const struct bucket *b, const struct spending *rows, size_t count,
                         struct error *err)
{
    struct arena *arena = b->recorded->arena;
    struct share *in = arena_array(arena, struct share, count, err);
    struct share_list out;

    if (in == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        in[i] = (struct share){.of = rows[i].of, .amount = rows[i].amount};
        memcpy(in[i].currency, rows[i].currency, sizeof in[i].currency);
    }
    if (!policy_split(b->policy, (struct share_list){in, count}, b->since, b->until, arena,
                      &out, err))
        return false;
    for (size_t i = 0; i < out.count; i++) {
        struct spending_entry e = {
            .from = b->from, .of = &out.at[i].of, .amount = out.at[i].amount, .run = -1};

        memcpy(e.currency, out.at[i].currency, sizeof e.currency);
        recall(b, &out.at[i], &e);
        if (!b->sink->take(b->sink->ctx, &e, err))
            return false;
    }
    return true;
}

/* The first day of all that is to be told: of what was recorded, or of a recurring cost. */
static day first_of(const struct policy *policy, const struct spending_table *recorded,
                    day since)
{
    day first = {INT32_MAX};

    if (since.n != DAY_UNKNOWN.n)
        return since;
    for (size_t i = 0; i < recorded->count; i++)
        if (recorded->at[i].from.n < first.n)
            first = recorded->at[i].from;
    for (size_t i = 0; i < policy_recurring_count(policy); i++) {
        day from = policy_recurring_at(policy, i).from;

        if (from.n != DAY_UNKNOWN.n && from.n < first.n)
            first = from;
    }
    return first;
}

static day next_of(const struct spending_table *recorded, day from)
{
    int year, month, date;

    if (recorded->grain == GRAIN_DAY)
        return (day){from.n + 1};
    day_split(from, &year, &month, &date);
    return day_make(year, month + 1, 1);
}

bool spending_split(const struct policy *policy, struct spending_table *recorded, day since,
                    day until, const struct split_sink *sink, struct error *err)
{
    struct bucket b = {policy, recorded, sink, .since = first_of(policy, recorded, since)};
    size_t at = 0;

    spending_sort(recorded);
    while (b.since.n < until.n) {
        size_t count = 0;
        day next = next_of(recorded, b.since);

        b.until = next.n < until.n ? next : until;
        b.from = b.since;
        while (at + count < recorded->count && recorded->at[at + count].from.n < next.n)
            count++;
        if (!split_bucket(&b, recorded->at + at, count, err))
            return false;
        at += count;
        b.since = next;
    }
    return true;
}
