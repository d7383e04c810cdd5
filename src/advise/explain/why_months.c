#include "advise/explain/why_months.h"

#include <math.h>
#include <stdlib.h>

#include "account/query/amount.h"
#include "base/characters.h"
#include "base/map.h"
#include "unit/shown.h"

#define BEFORE 0
#define NOW 1
#define ROUNDING 1e-6 /* an amount below this is what conversions rounded */
#define DETAIL_MAX ((size_t)1 << 12)

enum month_cause {
    MONTH_MORE_RUNS,
    MONTH_LONGER_RUNS,
    MONTH_MACHINES, /* hours of other machines */
    MONTH_PRICES,   /* of the same thing */
    MONTH_USE,      /* of the same service */
    MONTH_EITHER,   /* use or price: the bill has no quantities */
    MONTH_NEW,
    MONTH_GONE,
    MONTH_FIXED,
    MONTH_CREDITS,
    MONTH_RECURRING,
    MONTH_UNEXPLAINED,
    MONTH_CAUSES,
};

static const struct {
    const char *key, *more, *less, *remedy;
} month_words[MONTH_CAUSES] = {
    [MONTH_MORE_RUNS] = {"runs", "more runs", "fewer runs",
                         "'stint costs repeats' lists runs that repeat an earlier one"},
    [MONTH_LONGER_RUNS] = {"run_hours", "longer runs", "shorter runs",
                           "'stint why A B' compares two of the runs"},
    [MONTH_MACHINES] = {"machines", "more expensive machines", "less expensive machines",
                        "'stint price value' shows which machine does more for the money"},
    [MONTH_PRICES] = {"price", "higher prices", "lower prices",
                      "'stint price compare' lists what costs less now"},
    [MONTH_USE] = {"use", "more use", "less use", "'stint costs movers' lists the changes"},
    [MONTH_EITHER] = {"use_or_price", "more use or higher prices", "less use or lower prices",
                      "'stint costs movers' lists what costs more; the bill has no quantities"},
    [MONTH_NEW] = {"new", "new", "new", "'stint costs movers' lists new items"},
    [MONTH_GONE] = {"gone", "no longer used", "no longer used", "'stint costs movers'"},
    [MONTH_FIXED] = {"fixed", "taxes and purchases", "taxes and purchases",
                     "'stint costs --by charge,service' lists them"},
    [MONTH_CREDITS] = {"credits", "fewer credits", "more credits",
                       "'stint costs --by charge' lists credits"},
    [MONTH_RECURRING] = {"recurring", "recurring costs", "recurring costs",
                         "'stint allocation show' lists them"},
    [MONTH_UNEXPLAINED] = {"not_explained", "not explained", "not explained",
                           "'stint costs --by service' shows both months"},
};

/* A cause, and what adds most to it. */
struct month_part {
    struct decimal amount;
    struct decimal largest;
    struct str of;
};

struct months_work {
    const struct why_months *months;
    struct arena *arena;
    struct month_part part[MONTH_CAUSES];
    struct decimal total[USAGE_PERIODS];
};

/* ---- causes ---- */

static bool add_month_part(struct months_work *w, enum month_cause cause, struct decimal amount,
                           struct str of, struct error *err)
{
    struct month_part *p = &w->part[cause];

    if (decimal_cmp(decimal_magnitude(amount), decimal_magnitude(p->largest)) > 0) {
        p->largest = amount;
        p->of = of;
    }
    return costs_plus(&p->amount, amount, err);
}

/* Physics as money, to the nano-unit: what is rounded away is left to the part after it. */
static struct decimal decimal_of(double amount)
{
    return fabs(amount) < 9e9 ? (struct decimal){llround(amount * 1e9), 9}
                              : (struct decimal){0};
}

/* Of what was used in both months: as much of it as the quantity explains, then the price. */
static bool split_charge(struct months_work *w, const struct usage_row *row, struct error *err)
{
    double was = decimal_double(row->cost[BEFORE]);
    double more = row->quantity[NOW] - row->quantity[BEFORE];
    struct decimal use = decimal_of(was / row->quantity[BEFORE] * more), change, price;

    return costs_minus(row->cost[NOW], row->cost[BEFORE], &change, err) &&
           costs_minus(change, use, &price, err) &&
           add_month_part(w, MONTH_USE, use, row->thing, err) &&
           add_month_part(w, MONTH_PRICES, price, row->thing, err);
}

static bool split_bill_row(struct months_work *w, const struct usage_row *row,
                           struct error *err)
{
    struct decimal change;
    bool was = row->cost[BEFORE].coefficient != 0 || row->quantity[BEFORE] > 0;
    bool is = row->cost[NOW].coefficient != 0 || row->quantity[NOW] > 0;
    enum month_cause cause = MONTH_FIXED;

    if (row->kind == USAGE_CHARGE && row->quantity[BEFORE] > 0 && row->quantity[NOW] > 0)
        return split_charge(w, row, err);
    if (row->kind == USAGE_CREDIT)
        cause = MONTH_CREDITS;
    else if (row->kind == USAGE_CHARGE)
        cause = was && is ? MONTH_EITHER : is ? MONTH_NEW : MONTH_GONE;
    return costs_minus(row->cost[NOW], row->cost[BEFORE], &change, err) &&
           add_month_part(w, cause, change, row->thing, err);
}

/* The runs of a team and project in both months. */
struct group_sums {
    struct decimal cost[USAGE_PERIODS];
    double hours[USAGE_PERIODS];
    double at_old_prices; /* what the hours now would have cost */
};

static bool sum_group(const struct months_work *w, size_t group, struct group_sums *out,
                      struct error *err)
{
    const struct usage *usage = &w->months->usage;

    *out = (struct group_sums){0};
    for (size_t i = 0; i < usage->count; i++) {
        const struct usage_row *row = &usage->rows[i];
        int priced = row->quantity[BEFORE] > 0 ? BEFORE : NOW;

        if (row->kind != USAGE_RUNS || row->group != group)
            continue;
        for (int p = 0; p < USAGE_PERIODS; p++) {
            out->hours[p] += row->quantity[p];
            if (!costs_plus(&out->cost[p], row->cost[p], err))
                return false;
        }
        if (row->quantity[priced] > 0)
            out->at_old_prices +=
                decimal_double(row->cost[priced]) / row->quantity[priced] * row->quantity[NOW];
    }
    return true;
}

/* More runs at what one cost, longer ones at what an hour cost, other machines at their old
 * prices; what is left is what their prices changed. */
static bool split_group(struct months_work *w, size_t group, struct error *err)
{
    const struct usage_group *g = &w->months->usage.groups[group];
    double runs = (double)g->runs[BEFORE], now = (double)g->runs[NOW];
    struct group_sums s;
    struct decimal left, part[3];
    double cost, hour;

    if (!sum_group(w, group, &s, err) || !costs_minus(s.cost[NOW], s.cost[BEFORE], &left, err))
        return false;
    if (g->runs[BEFORE] == 0 || g->runs[NOW] == 0 || !(s.hours[BEFORE] > 0) ||
        !(s.hours[NOW] > 0))
        return add_month_part(w, g->runs[NOW] > 0 ? MONTH_NEW : MONTH_GONE, left, g->name, err);
    cost = decimal_double(s.cost[BEFORE]);
    hour = cost / s.hours[BEFORE];
    part[MONTH_MORE_RUNS] = decimal_of((now - runs) * cost / runs);
    part[MONTH_LONGER_RUNS] =
        decimal_of(now * (s.hours[NOW] / now - s.hours[BEFORE] / runs) * hour);
    part[MONTH_MACHINES] = decimal_of(s.at_old_prices - s.hours[NOW] * hour);
    for (int i = 0; i < 3; i++)
        if (!costs_minus(left, part[i], &left, err) ||
            !add_month_part(w, (enum month_cause)i, part[i], g->name, err))
            return false;
    return add_month_part(w, MONTH_PRICES, left, g->name, err);
}

static bool sum_month_spent(struct months_work *w, struct error *err)
{
    for (int p = 0; p < USAGE_PERIODS; p++) {
        const struct spending_answer *spent = w->months->spent[p];

        for (size_t i = 0; i < spent->count; i++)
            if (!costs_plus(&w->total[p], spent->at[i].amount, err))
                return false;
    }
    return true;
}

/* Amounts are converted to 12 decimals, by the line and by the day. */
static bool is_rounding_amount(struct decimal amount)
{
    return fabs(decimal_double(amount)) < ROUNDING;
}

/* Recurring costs are what the policy adds to what was recorded. */
static bool split_recurring(struct months_work *w, struct error *err)
{
    struct decimal of[USAGE_PERIODS], change;

    for (int p = 0; p < USAGE_PERIODS; p++)
        if (!costs_minus(w->total[p], w->months->recorded[p], &of[p], err))
            return false;
    return costs_minus(of[NOW], of[BEFORE], &change, err) &&
           (is_rounding_amount(change) ||
            add_month_part(w, MONTH_RECURRING, change, (struct str){0}, err));
}

static bool split_months(struct months_work *w, struct decimal *difference, struct error *err)
{
    const struct usage *usage = &w->months->usage;
    struct decimal left;

    if (!sum_month_spent(w, err) ||
        !costs_minus(w->total[NOW], w->total[BEFORE], difference, err) ||
        !split_recurring(w, err))
        return false;
    for (size_t i = 0; i < usage->count; i++)
        if (usage->rows[i].kind != USAGE_RUNS && !split_bill_row(w, &usage->rows[i], err))
            return false;
    for (size_t i = 0; i < usage->group_count; i++)
        if (!split_group(w, i, err))
            return false;
    left = *difference;
    for (int i = 0; i < MONTH_UNEXPLAINED; i++)
        if (!costs_minus(left, w->part[i].amount, &left, err))
            return false;
    w->part[MONTH_UNEXPLAINED].amount = left;
    return true;
}

/* ---- in words ---- */

static void write_signed_amount(struct decimal amount, struct currency currency,
                                struct buf *out)
{
    struct money m = {decimal_trim(amount, 0), currency};

    if (amount.coefficient > 0)
        buf_char(out, '+');
    money_write_cents(&m, out);
}

static bool make_month_part(const struct months_work *w, enum month_cause cause,
                            struct why_part *out, struct error *err)
{
    const struct month_part *p = &w->part[cause];
    struct buf text = buf_new(w->arena->alloc, DETAIL_MAX);

    *out =
        (struct why_part){.cause = str_from(month_words[cause].key),
                          .name = str_from(p->amount.coefficient > 0 ? month_words[cause].more
                                                                     : month_words[cause].less),
                          .amount = costs_money(p->amount, w->months->currency)};
    if (cause == MONTH_RECURRING)
        buf_adds(&text, "of the allocation policy");
    if (cause == MONTH_UNEXPLAINED)
        buf_adds(&text, is_rounding_amount(p->amount) ? "rounding of converted amounts"
                                                      : "cost without a recorded quantity");
    buf_add(&text, p->of);
    if (p->of.len > 0 && decimal_cmp(p->largest, p->amount) != 0) {
        buf_adds(&text, ": ");
        write_signed_amount(p->largest, w->months->currency, &text);
    }
    return buf_keep(&text, w->arena, &out->detail, err);
}

static bool make_months_advice(const struct months_work *w, struct str *out, struct error *err)
{
    struct buf text = buf_new(w->arena->alloc, DETAIL_MAX);
    const struct month_part *most = NULL;
    size_t cause = 0;

    for (size_t i = 0; i < MONTH_CAUSES; i++) {
        const struct month_part *p = &w->part[i];

        if (p->amount.coefficient > 0 &&
            (most == NULL || decimal_cmp(p->amount, most->amount) > 0)) {
            most = p;
            cause = i;
        }
    }
    if (most == NULL ||
        decimal_double(most->amount) < WHY_SMALL * decimal_double(w->total[NOW])) {
        buf_addf(&text, "nothing to do: no part adds more than %s of the cost",
                 percent_text(WHY_SMALL).text);
        return buf_keep(&text, w->arena, out, err);
    }
    buf_adds(&text, month_words[cause].more);
    if (most->of.len > 0) {
        buf_adds(&text, " (");
        buf_add(&text, most->of);
        buf_char(&text, ')');
    }
    buf_adds(&text, ", ");
    write_signed_amount(most->amount, w->months->currency, &text);
    buf_adds(&text, ": ");
    buf_adds(&text, month_words[cause].remedy);
    return buf_keep(&text, w->arena, out, err);
}

struct sorted_part {
    struct decimal amount;
    enum month_cause cause;
};

static int by_month_part_size(const void *a, const void *b)
{
    const struct sorted_part *x = a, *y = b;
    int order = decimal_cmp(decimal_magnitude(y->amount), decimal_magnitude(x->amount));

    return order != 0 ? order : (int)x->cause - (int)y->cause;
}

static bool make_parts(const struct months_work *w, struct rows *out, struct error *err)
{
    struct why_part *parts = arena_array(w->arena, struct why_part, MONTH_CAUSES, err);
    struct sorted_part order[MONTH_CAUSES];
    size_t count = 0;

    if (parts == NULL)
        return false;
    for (int i = 0; i < MONTH_UNEXPLAINED; i++)
        if (w->part[i].amount.coefficient != 0)
            order[count++] = (struct sorted_part){w->part[i].amount, (enum month_cause)i};
    if (count > 1)
        qsort(order, count, sizeof *order, by_month_part_size);
    if (w->part[MONTH_UNEXPLAINED].amount.coefficient != 0)
        order[count++].cause = MONTH_UNEXPLAINED;
    for (size_t i = 0; i < count; i++)
        if (!make_month_part(w, order[i].cause, &parts[i], err))
            return false;
    *out = (struct rows){parts, count};
    return true;
}

/* ---- by dimension ---- */

struct months_groups {
    const struct months_work *w;
    struct map keys; /* numbers are places in the list */
    struct why_group *at;
    size_t count, room;
    struct buf key;
};

static struct why_group *find_group(struct months_groups *g, enum dimension d, struct str value,
                                    struct error *err)
{
    struct currency currency = g->w->months->currency;
    struct map_entry *e;
    struct why_group *group;
    bool added;

    buf_clear(&g->key);
    buf_addf(&g->key, "%d ", (int)d);
    for (size_t i = 0; i < value.len; i++)
        buf_char(&g->key, to_lower(value.at[i]));
    if (!buf_ok(&g->key, err))
        return NULL;
    e = map_add(&g->keys, buf_text(&g->key), &added, err);
    if (e == NULL || !added)
        return e != NULL ? &g->at[e - g->keys.at] : NULL;
    g->at = arena_grow(g->w->arena, g->at, g->count, sizeof *g->at, &g->room, err);
    if (g->at == NULL || !str_keep(e->key, g->w->arena, &e->key, err))
        return NULL;
    group = &g->at[g->count++];
    *group = (struct why_group){.dimension = str_from(dimension_name(d)),
                                .before = {.currency = currency},
                                .amount = {.currency = currency},
                                .change = {.currency = currency}};
    if (value.len > 0 && !str_keep(value, g->w->arena, &group->value, err))
        return NULL;
    return group;
}

static bool add_spent(struct months_groups *g, int period, struct error *err)
{
    const struct spending_answer *spent = g->w->months->spent[period];

    for (size_t i = 0; i < spent->count; i++)
        for (int d = 0; d < DIMENSION_COUNT; d++) {
            struct why_group *group;

            if ((g->w->months->by >> d & 1) == 0)
                continue;
            group = find_group(g, (enum dimension)d, spent->at[i].of.of[d], err);
            if (group == NULL ||
                !costs_plus(period == NOW ? &group->amount.amount : &group->before.amount,
                            spent->at[i].amount, err))
                return false;
        }
    return true;
}

static int larger_group(const void *a, const void *b)
{
    const struct why_group *x = a, *y = b;
    int order = (int)dimension_find(x->dimension) - (int)dimension_find(y->dimension);

    order = order != 0 ? order
                       : decimal_cmp(decimal_magnitude(y->change.amount),
                                     decimal_magnitude(x->change.amount));
    return order != 0 ? order : str_cmp(x->value, y->value);
}

/* Changes, without the groups that have none; sorted. */
static bool close_groups(struct months_groups *g, struct error *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < g->count; i++) {
        struct why_group *group = &g->at[i];

        if (!costs_minus(group->amount.amount, group->before.amount, &group->change.amount,
                         err))
            return false;
        group->before.amount = decimal_trim(group->before.amount, 0);
        group->amount.amount = decimal_trim(group->amount.amount, 0);
        group->change.amount = decimal_trim(group->change.amount, 0);
        if (group->change.amount.coefficient != 0)
            g->at[kept++] = *group;
    }
    g->count = kept;
    if (kept > 1)
        qsort(g->at, kept, sizeof *g->at, larger_group);
    return true;
}

static bool make_month_groups(const struct months_work *w, struct rows *out, struct error *err)
{
    struct months_groups g = {.w = w,
                              .keys = map_in_arena(w->arena),
                              .key = buf_new(w->arena->alloc, (size_t)1 << 20)};
    bool ok = add_spent(&g, BEFORE, err) && add_spent(&g, NOW, err) && close_groups(&g, err);

    buf_free(&g.key);
    *out = (struct rows){g.at, g.count};
    return ok;
}

bool why_explain_months(const struct why_months *months, struct arena *arena,
                        struct why_explained *out, struct rows *groups, struct error *err)
{
    struct months_work w = {.months = months, .arena = arena};
    struct decimal difference;

    *out = (struct why_explained){0};
    if (!split_months(&w, &difference, err))
        return false;
    out->from = costs_money(w.total[BEFORE], months->currency);
    out->to = costs_money(w.total[NOW], months->currency);
    out->difference = costs_money(difference, months->currency);
    return make_parts(&w, &out->parts, err) && make_months_advice(&w, &out->advice, err) &&
           make_month_groups(&w, groups, err);
}

static const struct field group_fields[] = {
    FIELD(TEXT, why_group, dimension, .help = "dimension of the value"),
    FIELD(TEXT, why_group, value, .empty_unknown = true,
          .help = "value of the dimension; null: not set"),
    FIELD(MONEY, why_group, before, .help = "amount in the first month"),
    FIELD(MONEY, why_group, amount, .help = "amount in the second month"),
    FIELD(MONEY, why_group, change, .help = "change; the values of a dimension add up"),
};

const struct field_set why_group_fields = FIELD_SET(struct why_group, group_fields);
