#include "account/costs/spot.h"

#define ROW(kind, member, text) FIELD(kind, costs_spot_row, member, .help = (text))

static const struct field row_fields[] = {
    FIELD_AS("currency", CURRENCY, costs_spot_row, amount.currency,
             .help = "currency of the amounts"),
    ROW(MONEY, amount, "cost of machines"),
    ROW(SHARE, spot, "spot share"),
    ROW(SHARE, committed, "committed share: reserved, savings plans, committed use"),
    ROW(SHARE, on_demand, "on-demand share"),
    ROW(SHARE, other, "other share: own machines, and costs that bills do not classify"),
    ROW(MONEY, saved, "saved by spot against list prices; null: no bill has them"),
    ROW(MONEY, saved_by_commitments,
        "saved by commitments against list prices; null: no bill has them"),
    ROW(MONEY, unknown, "spot cost without a list price: its savings are unknown"),
    ROW(MONEY, unknown_committed,
        "committed cost without a list price: its savings are unknown"),
};

const struct field_set costs_spot_row_fields = FIELD_SET(struct costs_spot_row, row_fields);

struct spot_work {
    const struct account_source *account;
    const struct costs_by *by;
    struct spending_query *query;
    /* The same lines of bills: what they really cost, what was invoiced, at list prices. */
    struct spending_answer cost, invoiced, list;
    struct spot_costs *out; /* `spent`: bills and runs */
};

/* What one way of paying saved: on lines with a list price, and what was paid for those
 * without. */
struct saving {
    struct decimal amount, unknown;
    bool known, any;
};

/* Of a group: the amount by pricing, and what two of them saved. */
struct parts {
    struct decimal all, spot, committed, on_demand, other;
    struct saving by_spot, by_commitments;
};

static bool is_pricing(const struct spending *s, const char *pricing)
{
    return str_eq_nocase(s->of.of[DIMENSION_pricing], str_from(pricing));
}

static bool of_group(const struct spot_work *w, const struct costs_group *g,
                     const struct spending *s)
{
    if (!currency_is(g->currency, s->currency))
        return false;
    for (size_t i = 0; i < w->by->count; i++)
        if (!str_eq_nocase(g->of.of[w->by->at[i]], s->of.of[w->by->at[i]]))
            return false;
    return true;
}

static bool add_paid(const struct spot_work *w, const struct costs_group *g, struct parts *p,
                     struct error *err)
{
    for (size_t i = 0; i < w->out->spent.count; i++) {
        const struct spending *s = &w->out->spent.at[i];
        struct decimal *part = is_pricing(s, "spot")        ? &p->spot
                               : is_pricing(s, "committed") ? &p->committed
                               : is_pricing(s, "on-demand") ? &p->on_demand
                                                            : &p->other;

        if (!of_group(w, g, s))
            continue;
        if (!costs_plus(&p->all, s->amount, err) || !costs_plus(part, s->amount, err))
            return false;
        if (part != &p->spot || s->metered.coefficient == 0)
            continue;
        p->by_spot.any = true;
        if (!costs_plus(&p->by_spot.unknown, s->metered, err))
            return false;
    }
    return true;
}

static bool same_lines(const struct spending *a, const struct spending *b)
{
    if (!currency_is(a->currency, b->currency))
        return false;
    for (size_t d = 0; d < DIMENSION_COUNT; d++)
        if (!str_eq_nocase(a->of.of[d], b->of.of[d]))
            return false;
    return true;
}

/* What the same lines come to in another answer: as a rule in the same place of it. */
static struct decimal amount_in(const struct spending_answer *answer, size_t place,
                                const struct spending *of)
{
    if (place < answer->count && same_lines(&answer->at[place], of))
        return answer->at[place].amount;
    for (size_t i = 0; i < answer->count; i++)
        if (same_lines(&answer->at[i], of))
            return answer->at[i].amount;
    return (struct decimal){0};
}

/* List prices less what was paid. A line without a list price has the invoiced amount there:
 * neither spot nor a commitment ever costs exactly that. */
static bool add_saved(const struct spot_work *w, const struct costs_group *g, struct parts *p,
                      struct error *err)
{
    for (size_t i = 0; i < w->list.count; i++) {
        const struct spending *list = &w->list.at[i];
        struct saving *to = is_pricing(list, "spot")        ? &p->by_spot
                            : is_pricing(list, "committed") ? &p->by_commitments
                                                            : NULL;
        struct decimal cost, saved;

        if (to == NULL || !of_group(w, g, list))
            continue;
        to->any = true;
        cost = amount_in(&w->cost, i, list);
        if (decimal_cmp(list->amount, amount_in(&w->invoiced, i, list)) == 0) {
            if (!costs_plus(&to->unknown, cost, err))
                return false;
            continue;
        }
        to->known = true;
        if (!costs_minus(list->amount, cost, &saved, err) ||
            !costs_plus(&to->amount, saved, err))
            return false;
    }
    return true;
}

/* Unknown when there is something, and nothing is known of it. */
static struct money saved_money(const struct saving *s, struct currency currency)
{
    if (s->any && !s->known)
        return (struct money){0};
    return costs_money(s->amount, currency);
}

/* What is above zero of it, by which shares go. */
static bool used_of(const struct parts *p, struct decimal *out, struct error *err)
{
    const struct decimal *const parts[] = {&p->spot, &p->committed, &p->on_demand, &p->other};

    *out = (struct decimal){0};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (parts[i]->coefficient > 0 && !costs_plus(out, *parts[i], err))
            return false;
    return true;
}

static bool make_spot_cost_row(const struct spot_work *w, const struct costs_group *g,
                               struct costs_spot_row *out, struct error *err)
{
    struct parts p = {0};
    struct decimal used;

    if (!add_paid(w, g, &p, err) || !add_saved(w, g, &p, err) || !used_of(&p, &used, err))
        return false;
    *out = (struct costs_spot_row){
        .amount = costs_money(p.all, g->currency),
        .spot = costs_share(p.spot, used),
        .committed = costs_share(p.committed, used),
        .on_demand = costs_share(p.on_demand, used),
        .other = costs_share(p.other, used),
        .saved = saved_money(&p.by_spot, g->currency),
        .saved_by_commitments = saved_money(&p.by_commitments, g->currency),
        .unknown = costs_money(p.by_spot.unknown, g->currency),
        .unknown_committed = costs_money(p.by_commitments.unknown, g->currency)};
    costs_values(w->by, &g->of, out->value);
    return true;
}

static bool make_spot_cost_rows(const struct spot_work *of, const struct costs_by *by,
                                struct rows *out, struct error *err)
{
    struct costs_groups groups = {.arena = of->account->arena, .by = by};
    struct costs_spot_row *rows;
    struct spot_work w = *of;

    w.by = by;
    if (!costs_groups_make(&w.out->spent, NULL, &groups, err))
        return false;
    costs_groups_sort(&groups, SORT_COST);
    rows = arena_array(w.account->arena, struct costs_spot_row, groups.count, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < groups.count; i++)
        if (!make_spot_cost_row(&w, &groups.at[i], &rows[i], err))
            return false;
    *out = (struct rows){rows, groups.count};
    return true;
}

/* What was paid for the same lines in three ways: as they were recorded, since shares that a
 * policy moves have no list price, and finely, since some bills have no list prices. */
static bool read_spending(struct spot_work *w, struct error *err)
{
    static const enum dimension fine[] = {DIMENSION_provider,    DIMENSION_account,
                                          DIMENSION_sub_account, DIMENSION_service,
                                          DIMENSION_instance,    DIMENSION_region};
    struct spending_query bills = *w->query;

    bills.from = SPENDING_BILLS;
    for (size_t i = 0; i < ARRAY_LEN(fine); i++)
        bills.by |= UINT64_C(1) << fine[i];
    if (!account_spending(w->account, w->query, &w->out->spent, err) ||
        !account_spending(w->account, &bills, &w->cost, err))
        return false;
    bills.quiet = true; /* the same lines again: no message twice */
    bills.cost = COST_BILLED;
    if (!account_spending(w->account, &bills, &w->invoiced, err))
        return false;
    bills.cost = COST_LIST;
    return account_spending(w->account, &bills, &w->list, err) &&
           account_credits(w->account, w->query, &w->out->credits, err);
}

bool account_spot(const struct account_source *account, const struct costs_by *by,
                  struct spending_query *query, struct spot_costs *out, struct error *err)
{
    static const struct costs_by nothing;
    struct spot_work w = {.account = account, .by = by, .query = query, .out = out};
    struct rows rows = {0};

    *out = (struct spot_costs){0};
    query->by = by->bits | DIMENSION_BIT(pricing);
    query->raw = true;
    query->credits = CREDITS_OUT;
    if (!read_spending(&w, err) || !make_spot_cost_rows(&w, by, &rows, err) ||
        !make_spot_cost_rows(&w, &nothing, &out->totals, err))
        return false;
    out->rows.at = rows.at;
    out->rows.len = rows.len;
    return costs_row_fields(by, offsetof(struct costs_spot_row, value), &costs_spot_row_fields,
                            account->arena, &out->rows.row, err);
}
