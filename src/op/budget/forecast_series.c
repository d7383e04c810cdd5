/* Spending as series of days. */
#include <math.h>
#include <string.h>

#include "op/budget/forecast.h"

#define LATE 7     /* days that a bill may be behind before nobody waits for it, ... */
#define MONTHLY 40 /* ... or, when most was billed: it may come once a month */
#define WEEKS 28   /* days that bills are held against runs by */

/* Does anything metered stand after the newest bill? */
static bool metered_after(const struct spending_answer *answer, day bill)
{
    for (size_t i = 0; i < answer->count; i++)
        if (answer->at[i].from.n > bill.n && answer->at[i].metered.coefficient != 0)
            return true;
    return false;
}

/* Did bills have more a day, before the newest of them ends, than runs have since? As numbers:
 * it is only asked which is likelier, a bill that is to come or none. */
static bool mostly_billed(const struct spending_answer *answer, day bill, day today)
{
    double billed = 0, metered = 0;

    for (size_t i = 0; i < answer->count; i++) {
        const struct spending *s = &answer->at[i];

        if (s->from.n > bill.n && s->from.n < today.n)
            metered += decimal_double(s->metered);
        else if (s->from.n > bill.n - WEEKS && s->from.n <= bill.n && s->lines > 0)
            billed += decimal_double(s->amount) - decimal_double(s->metered);
    }
    return billed / WEEKS > metered / (today.n - bill.n - 1);
}

/* After the newest bill only runs are known. Days are whole again when bills do not come, and
 * runs do. */
static day whole_until(const struct op_context *ctx, const struct spend_days *d)
{
    day today = op_today(ctx), bill = d->answer.billed_until;

    if (bill.n == DAY_UNKNOWN.n || bill.n >= today.n - 1 || d->query.from == SPENDING_RUNS)
        return today;
    if (bill.n >= today.n - LATE || !metered_after(&d->answer, bill) ||
        (bill.n >= today.n - MONTHLY && mostly_billed(&d->answer, bill, today)))
        return (day){bill.n + 1};
    return today;
}

/* One answer after the other; of the second only what is after a day. */
static bool join(struct op_context *ctx, const struct spending_answer *a,
                 const struct spending_answer *b, day after, struct spending_answer *out,
                 struct error *err)
{
    struct spending *at = arena_array(ctx->arena, struct spending, a->count + b->count, err);
    size_t n = 0;

    if (at == NULL)
        return false;
    for (size_t i = 0; i < a->count; i++)
        at[n++] = a->at[i];
    for (size_t i = 0; i < b->count; i++)
        if (after.n == DAY_UNKNOWN.n || b->at[i].from.n > after.n)
            at[n++] = b->at[i];
    *out = (struct spending_answer){.at = at, .count = n};
    return true;
}

/* What is recurring today, or was, is in the answer; what comes later is not. */
static bool make_groups(struct op_context *ctx, struct ledger *ledger, struct spend_days *d,
                        struct error *err)
{
    struct spending_answer past, ahead, all;

    d->groups = d->recurring = (struct costs_groups){.arena = ctx->arena, .by = &d->by};
    if (!spend_recurring(ctx, ledger, &d->query, d->end, &past, &ahead, err) ||
        !join(ctx, &d->answer, &ahead, op_today(ctx), &all, err) ||
        !costs_groups_make(&all, NULL, &d->groups, err) ||
        !join(ctx, &past, &ahead, DAY_UNKNOWN, &all, err) ||
        !costs_groups_make(&all, NULL, &d->recurring, err))
        return false;
    costs_groups_sort(&d->groups, SORT_COST);
    return true;
}

bool spend_days(struct op_context *ctx, struct ledger *ledger, struct spend_days *d,
                struct error *err)
{
    d->query.grain = GRAIN_DAY;
    d->query.by = d->by.bits;
    if (!op_spending(ctx, ledger, &d->query, &d->answer, err))
        return false;
    d->end = d->first = whole_until(ctx, d);
    if (!make_groups(ctx, ledger, d, err))
        return false;
    for (size_t i = 0; i < d->groups.count; i++) {
        day first = spend_first(d, &d->groups.at[i], DAY_UNKNOWN);

        if (first.n != DAY_UNKNOWN.n && first.n < d->first.n)
            d->first = first;
    }
    return true;
}

const struct costs_group *spend_recurring_of(const struct spend_days *d,
                                             const struct costs_group *group)
{
    for (size_t i = 0; i < d->recurring.count; i++) {
        const struct costs_group *r = &d->recurring.at[i];
        bool same = memcmp(r->currency, group->currency, sizeof r->currency) == 0;

        for (size_t k = 0; k < d->by.count && same; k++)
            same = str_eq_nocase(r->of.of[d->by.at[k]], group->of.of[d->by.at[k]]);
        if (same)
            return r;
    }
    return NULL;
}

day spend_first(const struct spend_days *d, const struct costs_group *group, day since)
{
    const struct costs_group *r = spend_recurring_of(d, group);
    size_t at = 0;

    for (size_t i = 0; i < group->cell_count; i++) {
        const struct spending *s = &group->cells[i];

        if (s->from.n < since.n)
            continue;
        while (r != NULL && at < r->cell_count && r->cells[at].from.n < s->from.n)
            at++;
        if (r == NULL || at == r->cell_count || r->cells[at].from.n != s->from.n ||
            s->lines > 0 || s->runs > 0)
            return s->from;
        /* Equal to the last digit where there is nothing else; of days that are not whole the
         * shares are not known that well. */
        if (s->from.n < d->end.n && decimal_cmp(r->cells[at].amount, s->amount) != 0)
            return s->from;
    }
    return DAY_UNKNOWN;
}

static void add_cells(const struct costs_group *group, double sign, day first, day end,
                      double *amounts)
{
    for (size_t i = 0; i < group->cell_count; i++) {
        day on = group->cells[i].from;

        if (on.n >= first.n && on.n < end.n)
            amounts[on.n - first.n] += sign * decimal_double(group->cells[i].amount);
    }
}

bool spend_series(struct op_context *ctx, const struct spend_days *d,
                  const struct costs_group *group, day first, struct daily *out,
                  struct error *err)
{
    const struct costs_group *recurring = spend_recurring_of(d, group);
    double *amounts;

    *out = (struct daily){.first = first};
    if (d->end.n <= first.n)
        return true;
    out->len = (size_t)(d->end.n - first.n);
    amounts = arena_array(ctx->arena, double, out->len, err);
    if (amounts == NULL)
        return false;
    add_cells(group, 1, first, d->end, amounts);
    if (recurring != NULL)
        add_cells(recurring, -1, first, d->end, amounts);
    out->amount = amounts;
    return true;
}

struct money spend_about(double amount, const char currency[static 4])
{
    struct money m = {.currency = ""};

    if (isnan(amount) || fabs(amount) > 1e15)
        return m;
    m.amount = (struct decimal){(wide)llround(amount * 100), 2};
    memcpy(m.currency, currency, sizeof m.currency);
    return m;
}
