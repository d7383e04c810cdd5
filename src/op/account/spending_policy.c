/* Shared and recurring costs, as the policy of the ledger has them. */
#include <string.h>

#include "op/account/spending_work.h"

/* An amount that nobody shared has its lines (its runs are counted as they are read, but for
 * what a rule would have shared); shares of others have an amount alone. */
static bool deliver(const struct spending_splits *s, const struct share *share,
                    struct error *err)
{
    const struct spending *row = share->of_row;
    struct spending_entry e = {.from = share->on,
                               .of = &share->of,
                               .amount = share->amount,
                               .run = -1,
                               .how = {share->shared_by, share->recurring, share->kept_by}};

    memcpy(e.currency, share->currency, sizeof e.currency);
    if (share->metered)
        e.metered = share->amount;
    if (share->shared_by.len == 0 && row != NULL) {
        e.lines = share->metered ? 0 : row->lines;
        e.runs = share->kept_by.len > 0 && share->metered ? row->runs : 0;
    }
    return s->take(s->ctx, &e, err);
}

/* What bills have of a row, and what runs have that no bill covers, go apart: so it stays known
 * of every part which of the two it is. Returns how many there are, 1 or 2. */
static size_t put_row(const struct spending *row, struct share out[static 2], struct error *err)
{
    struct share share = {.of = row->of, .on = row->from, .of_row = row};
    struct decimal less = {-row->metered.coefficient, row->metered.scale};
    size_t n = 0;

    memcpy(share.currency, row->currency, sizeof share.currency);
    if (!decimal_add(row->amount, less, &share.amount)) {
        error_set(err, ERROR_INPUT, "the costs in %s do not fit in 38 digits", row->currency);
        return 0;
    }
    if (row->lines > 0 || share.amount.coefficient != 0)
        out[n++] = share;
    if (row->runs > 0 || row->metered.coefficient != 0 || n == 0) {
        share.amount = row->metered;
        share.metered = true;
        out[n++] = share;
    }
    return n;
}

static bool split_rows(const struct spending_splits *s, const struct split_days *days,
                       const struct spending *rows, size_t count, struct arena *arena,
                       struct error *err)
{
    struct share *in = arena_array(arena, struct share, 2 * count, err);
    struct share_list out;
    size_t n = 0;

    if (in == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t parts = put_row(&rows[i], &in[n], err);

        if (parts == 0)
            return false;
        n += parts;
    }
    if (!policy_split(s->policy, (struct share_list){in, n}, days, arena, &out, err))
        return false;
    for (size_t i = 0; i < out.count; i++)
        if (!deliver(s, &out.at[i], err))
            return false;
    return true;
}

/* Shares are many times what was recorded, and only needed until they are delivered. */
static bool split_month(const struct spending_splits *s, const struct split_days *days,
                        const struct spending *rows, size_t count, struct error *err)
{
    struct arena arena = {.alloc = s->recorded->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    bool ok = split_rows(s, days, rows, count, &arena, err);

    arena_free(&arena);
    return ok;
}

/* The first day of all that is to be told: of what was recorded, or of a recurring cost. */
static day first_of(const struct spending_splits *s)
{
    day first = {INT32_MAX};

    if (s->since.n != DAY_UNKNOWN.n)
        return s->since;
    if (s->recorded->count > 0)
        first = s->recorded->at[0].from;
    for (size_t i = 0; i < policy_recurring_count(s->policy); i++) {
        day from = policy_recurring_at(s->policy, i).from;

        if (from.n != DAY_UNKNOWN.n && from.n < first.n)
            first = from;
    }
    return first;
}

bool spending_split(const struct spending_splits *s, struct error *err)
{
    const struct spending_table *recorded = s->recorded;
    struct split_days days = {.each = recorded->grain == GRAIN_DAY, .unsplit = s->unsplit};
    size_t at = 0;

    spending_sort(s->recorded);
    days.since = first_of(s);
    while (days.since.n < s->today.n + 1 || at < recorded->count) {
        day next = day_month_add(days.since, 1);
        size_t count = 0;

        if (s->until.n != DAY_UNKNOWN.n && days.since.n >= s->until.n)
            break;
        days.until = next.n <= s->today.n ? next : (day){s->today.n + 1};
        if (s->until.n != DAY_UNKNOWN.n && days.until.n > s->until.n)
            days.until = s->until;
        while (at + count < recorded->count && recorded->at[at + count].from.n < next.n)
            count++;
        if (!split_month(s, &days, recorded->at + at, count, err))
            return false;
        at += count;
        days.since = next;
    }
    return true;
}
