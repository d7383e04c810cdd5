#include "account/query/before.h"

#define LATE 7 /* days that a bill may be late */

/* Is there anything at all of these days, bill or run? */
static bool any_recorded(const struct account_source *account,
                         const struct spending_query *query, day since, day until, bool *out,
                         struct error *err)
{
    struct spending_query all = {
        .since = since, .until = until, .grain = GRAIN_ALL, .from = query->from, .raw = true};
    struct spending_answer answer;

    *out = false;
    if (since.n >= until.n)
        return true;
    if (!account_spending(account, &all, &answer, err))
        return false;
    *out = answer.count > 0 || answer.unpriced > 0;
    return true;
}

/* After the newest bill only runs are known, so that days are incomplete: they are left out,
 * unless bills have stopped coming and runs have not. */
static bool find_answer_end(const struct account_source *account,
                            const struct spending_query *query, struct costs_days *out,
                            struct error *err)
{
    day today = account->today, billed;
    bool metered = true;

    out->until = out->asked;
    if (query->from == SPENDING_RUNS || account->ledger == NULL)
        return true;
    if (!account_billed_until(account, &billed, err))
        return false;
    if (billed.n == DAY_UNKNOWN.n || billed.n >= out->until.n - 1)
        return true;
    if (billed.n < today.n - LATE &&
        !any_recorded(account, query, (day){billed.n + 1}, out->until, &metered, err))
        return false;
    if (billed.n < today.n - LATE && metered)
        return true;
    out->lacking = billed.n < query->since.n; /* not one day of it is complete */
    if (!out->lacking)
        out->until.n = billed.n + 1;
    return true;
}

bool account_days_before(const struct account_source *account,
                         const struct spending_query *query, bool month, struct costs_days *out,
                         struct error *err)
{
    int32_t count;
    bool recorded;

    *out = (struct costs_days){.asked = query->until};
    if (out->asked.n > account->today.n + 1) /* days to come */
        out->asked.n = account->today.n + 1;
    if (!find_answer_end(account, query, out, err))
        return false;
    count = out->until.n - query->since.n;
    if (month)
        out->before_since = day_month_add(query->since, -1);
    else
        out->before_since.n = query->since.n - (query->until.n - query->since.n);
    out->before_until.n = out->before_since.n + count;
    /* A complete month is compared with a complete one; a short one has no 31st. */
    if (month && (out->until.n == query->until.n || out->before_until.n > query->since.n))
        out->before_until = query->since;
    if (account->ledger == NULL || out->lacking || count <= 0)
        return true;
    if (!any_recorded(account, query, out->before_since, out->before_until, &recorded, err))
        return false;
    out->known = recorded;
    return true;
}

static const struct field compared[] = {
    FIELD(DAY, costs_compared, since, .help = "first day of the comparison period"),
    FIELD(DAY, costs_compared, until, .help = "last day of the comparison period"),
    FIELD(FLAG, costs_compared, known, .help = "data exists for the comparison period"),
    FIELD_AS("no_bills", FLAG, costs_compared, lacking,
             .help = "no bill covers the requested days"),
    FIELD(DAY, costs_compared, left_out_since,
          .help = "first of the days left out because no bill covers them"),
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
