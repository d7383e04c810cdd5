/* What a period is compared with: as many days of the one before it. */
#include "op/account/costs.h"

#define LATE 7 /* days that a bill may be behind before nobody waits for it */

/* Is there anything at all of these days, bill or run? */
static bool any_recorded(struct op_context *ctx, struct ledger *ledger,
                         const struct spending_query *query, day since, day until, bool *out,
                         struct error *err)
{
    struct spending_query all = {
        .since = since, .until = until, .grain = GRAIN_ALL, .from = query->from, .raw = true};
    struct spending_answer answer;

    *out = false;
    if (since.n >= until.n)
        return true;
    if (!op_spending(ctx, ledger, &all, &answer, err))
        return false;
    *out = answer.count > 0 || answer.unpriced > 0;
    return true;
}

/* After the newest bill only runs are known, so that days are not whole: they are left out,
 * unless bills do not come any more, and runs do. */
static bool find_end(struct op_context *ctx, struct ledger *ledger,
                     const struct spending_query *query, struct costs_days *out,
                     struct error *err)
{
    day today = op_today(ctx), billed;
    bool metered = true;

    out->until = out->asked;
    if (query->from == SPENDING_RUNS || ledger == NULL)
        return true;
    if (!spending_billed_until(ctx, ledger, &billed, err))
        return false;
    if (billed.n == DAY_UNKNOWN.n || billed.n >= out->until.n - 1)
        return true;
    if (billed.n < today.n - LATE &&
        !any_recorded(ctx, ledger, query, (day){billed.n + 1}, out->until, &metered, err))
        return false;
    if (billed.n < today.n - LATE && metered)
        return true;
    out->lacking = billed.n < query->since.n; /* not one day of it is whole */
    if (!out->lacking)
        out->until.n = billed.n + 1;
    return true;
}

bool costs_days_before(struct op_context *ctx, struct ledger *ledger,
                       const struct spending_query *query, bool month, struct costs_days *out,
                       struct error *err)
{
    int32_t count;
    bool recorded;

    *out = (struct costs_days){.asked = query->until};
    if (out->asked.n > op_today(ctx).n + 1) /* days to come */
        out->asked.n = op_today(ctx).n + 1;
    if (!find_end(ctx, ledger, query, out, err))
        return false;
    count = out->until.n - query->since.n;
    if (month)
        out->before_since = day_month_add(query->since, -1);
    else
        out->before_since.n = query->since.n - (query->until.n - query->since.n);
    out->before_until.n = out->before_since.n + count;
    /* A whole month is held against a whole one; a short one has no 31st. */
    if (month && (out->until.n == query->until.n || out->before_until.n > query->since.n))
        out->before_until = query->since;
    if (ledger == NULL || out->lacking || count <= 0)
        return true;
    if (!any_recorded(ctx, ledger, query, out->before_since, out->before_until, &recorded, err))
        return false;
    out->known = recorded;
    return true;
}

static const struct field compared[] = {
    FIELD(DAY, costs_compared, since, .help = "the first of the days before"),
    FIELD(DAY, costs_compared, until, .help = "the last of them"),
    FIELD(FLAG, costs_compared, known, .help = "something is recorded of them"),
    FIELD(FLAG, costs_compared, lacking, .help = "no bill covers the days that are asked for"),
    FIELD(DAY, costs_compared, left_out_since,
          .help = "no bill covers the days from this on: they are left out"),
};

const struct field_set costs_compared_fields = FIELD_SET(struct costs_compared, compared);

struct costs_compared costs_compared_of(const struct costs_days *days)
{
    return (struct costs_compared){
        .since = days->before_since,
        .until = {days->before_until.n - 1},
        .known = days->known,
        .lacking = days->lacking,
        .left_out_since = days->until.n < days->asked.n ? days->until : DAY_UNKNOWN};
}
