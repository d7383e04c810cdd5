/* Recurring costs by the day, and shared amounts given to others. */
#include <stdlib.h>
#include <string.h>

#include "account/policy/allocate.h"
#include "account/policy/divide.h"

/* ---- recurring costs ---- */

/* The month, year or day that `d` is in: its first day, and the first day after. */
static void unit_around(enum policy_per per, day d, day *first, day *after)
{
    *first = *after = (day){0};
    switch (per) {
    case PER_DAY:
        *first = d;
        *after = (day){d.n + 1};
        break;
    case PER_MONTH:
        *first = day_month_start(d);
        *after = day_month_add(d, 1);
        break;
    case PER_YEAR:
        *first = day_year_start(d);
        *after = day_month_add(*first, 12);
        break;
    }
}

/* Days of a unit from `a` on until `b`: what they come to is what the unit had cost by then,
 * less what it had before, so that any cut of it adds up. */
static struct decimal part_of_cost(struct decimal cost, int64_t a, int64_t b, int64_t whole)
{
    struct decimal fine = cost;
    struct quotient before, then;
    const wide most = (wide)1 << 122;

    while (fine.scale < DIVIDE_DECIMALS && fine.coefficient < most) {
        fine.coefficient *= 10;
        fine.scale++;
    }
    before = divide_share((natural)fine.coefficient, (uint64_t)a, (uint64_t)whole);
    then = divide_share((natural)fine.coefficient, (uint64_t)b, (uint64_t)whole);
    return decimal_trim((struct decimal){(wide)(then.q - before.q), fine.scale}, cost.scale);
}

bool policy_recurring_cost(const struct allocation_policy *policy, size_t i, day since,
                           day until, struct decimal *out, struct error *err)
{
    const struct policy_recurring *r = &policy->recurring[i];
    day from = r->from, end = until;

    *out = (struct decimal){0};
    if (since.n != INT32_MIN && since.n > from.n)
        from = since;
    if (r->until.n != INT32_MIN && (end.n == INT32_MIN || end.n > r->until.n))
        end = (day){r->until.n + 1};
    while (end.n != INT32_MIN && from.n < end.n) {
        day first, after, last;

        unit_around(r->per, from, &first, &after);
        last = after.n < end.n ? after : end;
        if (!decimal_add(*out,
                         part_of_cost(r->cost.amount, from.n - first.n, last.n - first.n,
                                      after.n - first.n),
                         out))
            return error_fail(err, ERROR_INPUT,
                              "the recurring cost '%.*s' is too large to add up",
                              STR_ARG(r->name));
        from = last;
    }
    return true;
}

/* ---- shared costs ---- */

/* Amounts, growing. */
struct shares {
    struct arena *arena;
    struct share *at;
    size_t len, room;
};

/* Room for so many, and some more. */
static bool reserve_shares(struct shares *s, size_t count, struct error *err)
{
    s->room = count + count / 4 + 8;
    s->at = arena_array(s->arena, struct share, s->room, err);
    return s->at != NULL;
}

static bool add_split_share(struct shares *s, const struct share *share, struct error *err)
{
    s->at = arena_grow(s->arena, s->at, s->len, sizeof *s->at, &s->room, err);
    if (s->at == NULL)
        return false;
    s->at[s->len++] = *share;
    return true;
}

static bool add_recurring(const struct allocation_policy *policy, day since, day until,
                          struct shares *out, struct error *err)
{
    for (size_t i = 0; i < policy->recurring_count; i++) {
        const struct policy_recurring *r = &policy->recurring[i];
        struct share share = {
            .of = r->of, .on = since, .currency = r->cost.currency, .recurring = r->name};

        if (!policy_recurring_cost(policy, i, since, until, &share.amount, err) ||
            (share.amount.coefficient != 0 && !add_split_share(out, &share, err)))
            return false;
    }
    return true;
}

static bool add_all_recurring(const struct allocation_policy *policy,
                              const struct split_days *days, struct shares *out,
                              struct error *err)
{
    if (!days->each)
        return add_recurring(policy, days->since, days->until, out, err);
    for (day on = days->since; on.n < days->until.n; on.n++)
        if (!add_recurring(policy, on, (day){on.n + 1}, out, err))
            return false;
    return true;
}

/* One rule at work on amounts. */
struct split_work {
    const struct policy_shared *rule;
    const struct shares *in;
    bool *taken;               /* of each amount: the rule matches it */
    const struct share **pool; /* those, by currency */
    size_t pool_count;
    struct arena *arena;
    struct taker *takers; /* of one currency */
    size_t count;
    struct remainder *order; /* scratch, as long */
    struct decimal sum;      /* of what was given so far, and each taker's part of that */
    struct decimal *parts, *before;
};

static int by_share_name(const void *a, const void *b)
{
    const struct taker *x = a, *y = b;

    return str_cmp(x->name, y->name);
}

static bool has_split_pattern(struct str text)
{
    return memchr(text.at, '*', text.len) != NULL || memchr(text.at, '?', text.len) != NULL;
}

static bool takes_part(const struct policy_shared *rule, struct str name)
{
    for (size_t i = 0; i < rule->among.len; i++)
        if (str_glob(name, rule->among.at[i]))
            return true;
    return rule->among.len == 0;
}

/* What each has in this currency that is direct and not to be shared itself. */
static bool gather_usage(struct split_work *w, struct currency currency, struct error *err)
{
    struct taker *all =
        arena_array(w->arena, struct taker, w->in->len + w->rule->among.len, err);
    size_t n = 0, kept = 0;

    if (all == NULL)
        return false;
    for (size_t i = 0; i < w->in->len; i++) {
        const struct share *s = &w->in->at[i];
        struct str name = s->of.of[w->rule->over];

        if (!w->taken[i] && s->shared_by.len == 0 && name.len > 0 &&
            currency_is(s->currency, currency) && takes_part(w->rule, name))
            all[n++] = (struct taker){.name = name, .amount = s->amount};
    }
    /* Who is named takes an even part, whether it used anything or not. */
    for (size_t i = 0; w->rule->split == SPLIT_EVEN && i < w->rule->among.len; i++)
        if (!has_split_pattern(w->rule->among.at[i]))
            all[n++] = (struct taker){.name = w->rule->among.at[i]};
    if (n > 0)
        qsort(all, n, sizeof *all, by_share_name);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || !str_eq(all[kept - 1].name, all[i].name))
            all[kept++] = all[i];
        else if (!decimal_add(all[kept - 1].amount, all[i].amount, &all[kept - 1].amount))
            return error_fail(err, ERROR_INPUT, "the amounts of '%.*s' are too large to add up",
                              STR_ARG(all[i].name));
    }
    w->takers = all;
    w->count = kept;
    return true;
}

static bool gather_weights(struct split_work *w, struct error *err)
{
    w->count = w->rule->weight_count;
    w->takers = arena_array(w->arena, struct taker, w->count, err);
    for (size_t i = 0; w->takers != NULL && i < w->count; i++)
        w->takers[i] = (struct taker){.name = w->rule->weights[i].name,
                                      .amount = w->rule->weights[i].amount};
    return w->takers != NULL;
}

/* Who takes part, and by how much. None when no one has used anything. */
static bool gather_takers(struct split_work *w, struct currency currency, struct error *err)
{
    size_t kept = 0;

    if (w->rule->split == SPLIT_WEIGHTS ? !gather_weights(w, err)
                                        : !gather_usage(w, currency, err))
        return false;
    for (size_t i = 0; w->rule->split == SPLIT_EVEN && i < w->count; i++)
        w->takers[i].amount = (struct decimal){1, 0};
    takers_weigh(w->takers, w->count);
    for (size_t i = 0; i < w->count; i++)
        if (w->takers[i].weight > 0)
            w->takers[kept++] = w->takers[i];
    w->count = kept;
    w->order = arena_array(w->arena, struct remainder, kept, err);
    w->parts = arena_array(w->arena, struct decimal, kept, err);
    w->before = arena_array(w->arena, struct decimal, kept, err);
    w->sum = (struct decimal){0};
    return w->order != NULL && w->parts != NULL && w->before != NULL;
}

static bool refuse_large_split(const struct split_work *w, struct error *err)
{
    return error_fail(err, ERROR_INPUT, "the amounts of the shared cost '%.*s' are too large",
                      STR_ARG(w->rule->name));
}

/* What each taker's part of all so far grows by. Both add up: the parts to the amount, and the
 * parts that one gets to its part of the total, however the total is divided. */
static bool give(struct split_work *w, const struct share *share, struct shares *out,
                 struct error *err)
{
    struct share part = *share;

    if (w->count == 0) {
        part.kept_by = w->rule->name;
        return add_split_share(out, &part, err);
    }
    if (!decimal_add(w->sum, share->amount, &w->sum))
        return refuse_large_split(w, err);
    w->sum = decimal_trim(w->sum, 0); /* a sum has one way to be divided */
    divide_exactly(w->sum, w->takers, w->count, w->order, w->parts);
    part.shared_by = w->rule->name;
    part.kept_by = (struct str){0};
    for (size_t i = 0; i < w->count; i++) {
        struct decimal less = {-w->before[i].coefficient, w->before[i].scale};

        w->before[i] = w->parts[i];
        part.of.of[w->rule->over] = w->takers[i].name;
        if (!decimal_add(w->parts[i], less, &part.amount))
            return refuse_large_split(w, err);
        part.amount = decimal_trim(part.amount, share->amount.scale);
        if (part.amount.coefficient != 0 && !add_split_share(out, &part, err))
            return false;
    }
    return true;
}

/* By currency, then by what it is, billed before metered, then by day: a month comes to the
 * same as its days. */
static int in_pool(const void *a, const void *b)
{
    const struct share *x = *(const struct share *const *)a;
    const struct share *y = *(const struct share *const *)b;
    int order = currency_compare(x->currency, y->currency);

    for (int d = 0; d < DIMENSION_COUNT && order == 0; d++)
        order = str_cmp(x->of.of[d], y->of.of[d]);
    order = order != 0 ? order : (int)x->metered - (int)y->metered;
    order = order != 0 ? order : (x->on.n > y->on.n) - (x->on.n < y->on.n);
    return order != 0 ? order : (x > y) - (x < y);
}

static bool give_shared_costs(struct split_work *w, struct shares *out, struct error *err)
{
    struct currency currency = currency_none;

    qsort(w->pool, w->pool_count, sizeof(struct share *), in_pool);
    for (size_t i = 0; i < w->pool_count; i++) {
        const struct share *share = w->pool[i];

        if (i == 0 || !currency_is(currency, share->currency)) {
            currency = share->currency;
            if (!gather_takers(w, currency, err))
                return false;
        }
        if (!give(w, share, out, err))
            return false;
    }
    return true;
}

static bool apply_split_rule(const struct allocation_policy *policy, size_t rule,
                             struct shares *all, struct error *err)
{
    struct split_work w = {.rule = &policy->shared[rule],
                           .in = all,
                           .arena = all->arena,
                           .taken = arena_array(all->arena, bool, all->len, err),
                           .pool =
                               arena_array(all->arena, const struct share *, all->len, err)};
    struct shares out = {.arena = all->arena};

    if (w.taken == NULL || w.pool == NULL)
        return false;
    for (size_t i = 0; i < all->len; i++) {
        w.taken[i] = policy_shared_matches(policy, rule, &all->at[i].of);
        if (w.taken[i])
            w.pool[w.pool_count++] = &all->at[i];
    }
    if (w.pool_count == 0)
        return true;
    if (!reserve_shares(&out, all->len, err))
        return false;
    for (size_t i = 0; i < all->len; i++)
        if (!w.taken[i] && !add_split_share(&out, &all->at[i], err))
            return false;
    if (!give_shared_costs(&w, &out, err))
        return false;
    *all = out;
    return true;
}

bool policy_split(const struct allocation_policy *policy, struct share_list in,
                  const struct split_days *days, struct arena *arena, struct share_list *out,
                  struct error *err)
{
    struct shares all = {.arena = arena};

    if (!reserve_shares(&all, in.count, err))
        return false;
    for (size_t i = 0; i < in.count; i++)
        if (!add_split_share(&all, &in.at[i], err))
            return false;
    if (!add_all_recurring(policy, days, &all, err))
        return false;
    for (size_t i = 0; i < policy->shared_count && !days->unsplit; i++)
        if (!apply_split_rule(policy, i, &all, err))
            return false;
    *out = (struct share_list){all.at, all.len};
    return true;
}
