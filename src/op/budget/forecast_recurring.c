/* Recurring costs of the allocation policy: known by the day, of days to come as of others. */
#include <string.h>

#include "account/policy/ledger_policy.h"
#include "account/query/condition.h"
#include "account/query/sums.h"
#include "op/budget/forecast.h"
#include "op/spending.h"

struct ahead {
    struct op_context *ctx;
    struct ledger *ledger;
    const struct policy *policy;
    const struct spending_query *query;
    struct condition *where;
    uint64_t needed; /* dimensions */
    struct converter converter;
    struct spending_sums sums;
    struct share_list use; /* who uses what, for costs that are shared, of this month: */
    day use_of;
    day end;
};

static day earlier(day a, day b)
{
    return a.n < b.n ? a : b;
}

/* As the answer has them: the policy says of each amount whether it is one. */
static bool ask_past(struct op_context *ctx, struct ledger *ledger,
                     const struct spending_query *query, day end, struct spending_answer *out,
                     struct error *err)
{
    struct spending_query past = *query;
    struct spending_sums sums = {.arena = ctx->arena, .by = query->by, .grain = GRAIN_DAY};
    struct spending_answer answer;

    past.until = query->until.n != DAY_UNKNOWN.n ? earlier(query->until, end) : end;
    past.how = past.quiet = true;
    if (!op_spending(ctx, ledger, &past, &answer, err))
        return false;
    for (size_t i = 0; i < answer.count; i++) {
        const struct spending *s = &answer.at[i];
        struct spending_entry e = {
            .from = s->from, .of = &s->of, .amount = s->amount, .run = -1};

        memcpy(e.currency, s->currency, sizeof e.currency);
        if (s->how.recurring.len > 0 && !spending_sums_add(&sums, &e, err))
            return false;
    }
    spending_sums_sort(&sums);
    *out = (struct spending_answer){.at = sums.at, .count = sums.count};
    return true;
}

/* What was recorded in a month, by all that the policy looks at. */
static bool ask_use(struct ahead *a, day month, struct error *err)
{
    struct spending_query query = {.since = month,
                                   .until = day_month_add(month, 1),
                                   .grain = GRAIN_ALL,
                                   .by = a->needed,
                                   .cost = a->query->cost,
                                   .raw = true,
                                   .quiet = true};
    struct spending_answer answer;
    struct share *in;

    if (!op_spending(a->ctx, a->ledger, &query, &answer, err) ||
        (in = arena_array(a->ctx->arena, struct share, answer.count, err)) == NULL)
        return false;
    for (size_t i = 0; i < answer.count; i++) {
        in[i] =
            (struct share){.of = answer.at[i].of, .on = month, .amount = answer.at[i].amount};
        memcpy(in[i].currency, answer.at[i].currency, sizeof in[i].currency);
    }
    a->use = (struct share_list){in, answer.count};
    a->use_of = month;
    return true;
}

/* A month that nothing is recorded of yet goes by the one before it. */
static bool find_use(struct ahead *a, day month, struct error *err)
{
    day of = earlier(month, day_month_start(op_today(a->ctx)));

    if (policy_shared_count(a->policy) == 0)
        return true;
    if (a->use_of.n != of.n && !ask_use(a, of, err))
        return false;
    if (a->use.count > 0)
        return true;
    if (!ask_use(a, day_month_add(of, -1), err))
        return false;
    a->use_of = of;
    return true;
}

static bool take(struct ahead *a, const struct share *share, struct error *err)
{
    struct spending_entry e = {
        .from = share->on, .of = &share->of, .amount = share->amount, .run = -1};

    if (share->recurring.len == 0 || share->on.n < a->end.n ||
        !conditions_hold(a->where, a->query->where.len, &share->of))
        return true;
    memcpy(e.currency, share->currency, sizeof e.currency);
    if (a->query->currency.len > 0) {
        if (!converter_apply(&a->converter, earlier(share->on, op_today(a->ctx)), e.currency,
                             &e.amount, err))
            return false;
        memcpy(e.currency, a->converter.to, sizeof e.currency);
    }
    return spending_sums_add(&a->sums, &e, err);
}

/* Whole months, of which the days before `end` are left out: shares are of months. */
static bool take_month(struct ahead *a, day month, struct error *err)
{
    struct split_days days = {.since = month,
                              .until = earlier(day_month_add(month, 1), a->query->until),
                              .each = true};
    struct share_list shares;

    if (!find_use(a, month, err) ||
        !policy_split(a->policy, a->use, &days, a->ctx->arena, &shares, err))
        return false;
    for (size_t i = 0; i < shares.count; i++)
        if (!take(a, &shares.at[i], err))
            return false;
    return true;
}

static bool look_ahead(struct ahead *a, struct spending_answer *out, struct error *err)
{
    struct account_source account = op_account(a->ctx, a->ledger);
    const struct spending_query *q = a->query;

    if (!conditions_parse(q->where, a->ctx->arena, &a->where, err) ||
        !converter_open(&account, q->currency, q->since, q->until, &a->converter, err))
        return false;
    a->needed = q->by | policy_split_by(a->policy);
    for (size_t i = 0; i < q->where.len; i++)
        a->needed |= UINT64_C(1) << a->where[i].of;
    a->sums = (struct spending_sums){.arena = a->ctx->arena, .by = q->by, .grain = GRAIN_DAY};
    for (day m = day_month_start(a->end); m.n < q->until.n; m = day_month_add(m, 1))
        if (!take_month(a, m, err))
            return false;
    spending_sums_sort(&a->sums);
    *out = (struct spending_answer){.at = a->sums.at, .count = a->sums.count};
    return true;
}

bool spend_recurring(struct op_context *ctx, struct ledger *ledger,
                     const struct spending_query *query, day end, struct spending_answer *past,
                     struct spending_answer *ahead, struct error *err)
{
    struct ahead a = {.ctx = ctx,
                      .ledger = ledger,
                      .query = query,
                      .use_of = DAY_UNKNOWN,
                      .end = query->since.n > end.n ? query->since : end};

    *past = *ahead = (struct spending_answer){0};
    if (ledger == NULL || query->from != SPENDING_ALL || query->raw)
        return true;
    if (!ledger_policy_read(ledger, ctx->arena, &a.policy, err))
        return false;
    if (a.policy == NULL || policy_recurring_count(a.policy) == 0)
        return true;
    return ask_past(ctx, ledger, query, end, past, err) &&
           (query->until.n == DAY_UNKNOWN.n || look_ahead(&a, ahead, err));
}
