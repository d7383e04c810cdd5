#include "account/costs/breakdown.h"

static const struct field total_list[] = {
    FIELD_AS("currency", CURRENCY, costs_total, amount.currency,
             .help = "currency of the amounts"),
    FIELD(MONEY, costs_total, amount, .help = "exact amount of all groups"),
    FIELD(MONEY, costs_total, metered, .help = "part from runs that no bill covers yet"),
    FIELD(MONEY, costs_total, before, .help = "exact amount in the days before"),
    FIELD(MONEY, costs_total, change, .help = "change from the days before"),
    FIELD(COUNT, costs_total, groups, .help = "number of groups"),
    FIELD(COUNT, costs_total, lines, .help = "bill lines"),
};

const struct field_set costs_total_fields = FIELD_SET(struct costs_total, total_list);

#define ROW(kind, member, text) FIELD(kind, costs_row, member, .help = (text))

static const struct field row_list[] = {
    ROW(TEXT, period, "name of the period"),
    FIELD_AS("currency", CURRENCY, costs_row, amount.currency,
             .help = "currency of the amounts"),
    ROW(MONEY, amount, "exact amount"),
    ROW(MONEY, metered, "part from runs that no bill covers yet"),
    ROW(SHARE, share, "share of the total"),
    ROW(COUNT, lines, "bill lines"),
    ROW(COUNT, runs, "number of runs in it"),
    ROW(COUNT, others, "groups combined in this row"),
    ROW(MONEY, before, "amount of the group in the days before"),
    ROW(MONEY, change, "change from the days before"),
};

static const struct field_set row_set = FIELD_SET(struct costs_row, row_list);

struct breakdown_work {
    const struct account_source *account;
    struct costs_question *question;
    struct costs_groups groups;
    struct cost_breakdown *out;
};

/* The same question about as many days before. The one that was asked may end earlier then. */
static bool spending_before(struct breakdown_work *w, struct spending_answer *out,
                            struct error *err)
{
    struct spending_query query = w->question->query;
    struct costs_days days;

    if (!account_days_before(w->account, &query, w->question->month, &days, err))
        return false;
    w->question->query.until = days.until;
    w->out->compared = true;
    w->out->before = costs_compared_of(&days);
    query.since = days.before_since;
    query.until = days.before_until;
    costs_set_grain(COSTS_WHOLE, &query);
    return !days.known || account_spending(w->account, &query, out, err);
}

static bool gather_cost_groups(struct breakdown_work *w, struct error *err)
{
    struct costs_question *q = w->question;
    struct spending_answer before = {0};

    q->query.by = q->by.bits;
    costs_set_grain(q->by.grain, &q->query);
    if ((q->sort == SORT_CHANGE && !spending_before(w, &before, err)) ||
        !account_spending(w->account, &q->query, &w->out->spent, err))
        return false;
    w->groups = (struct costs_groups){.arena = w->account->arena, .by = &q->by};
    return costs_groups_make(&w->out->spent, w->out->before.known ? &before : NULL, &w->groups,
                             err);
}

static bool add_cost_total(struct costs_total *t, const struct costs_group *g, bool compared,
                           struct error *err)
{
    t->groups++;
    t->lines += g->lines;
    for (size_t i = 0; i < g->cell_count; i++)
        if (g->cells[i].amount.coefficient > 0 &&
            !costs_plus(&t->used, g->cells[i].amount, err))
            return false;
    return costs_plus(&t->amount.amount, g->amount, err) &&
           costs_plus(&t->metered.amount, g->metered, err) &&
           (!compared || (costs_plus(&t->before.amount, g->before, err) &&
                          costs_plus(&t->change.amount, g->change, err)));
}

static bool is_currency_of(const struct costs_total *t, const struct costs_group *g)
{
    return currency_is(t->amount.currency, g->currency);
}

/* One for each currency; groups are sorted by currency. */
static bool make_cost_totals(struct breakdown_work *w, struct error *err)
{
    const struct costs_groups *g = &w->groups;
    struct costs_total *totals =
        arena_array(w->account->arena, struct costs_total, g->count, err);
    bool compared = w->out->before.known;
    size_t count = 0;

    if (totals == NULL)
        return false;
    for (size_t i = 0; i < g->count; i++) {
        struct costs_total *t = count > 0 ? &totals[count - 1] : NULL;

        if (t == NULL || !is_currency_of(t, &g->at[i])) {
            t = &totals[count++];
            *t = (struct costs_total){.amount =
                                          costs_money((struct decimal){0}, g->at[i].currency)};
            t->metered = t->amount;
            if (compared)
                t->before = t->change = t->amount;
        }
        if (!add_cost_total(t, &g->at[i], compared, err))
            return false;
    }
    for (size_t i = 0; i < count; i++) {
        totals[i].amount = costs_money(totals[i].amount.amount, totals[i].amount.currency);
        totals[i].metered = costs_money(totals[i].metered.amount, totals[i].metered.currency);
    }
    w->out->totals = (struct rows){totals, count};
    return true;
}

static const struct costs_total *total_of_group(const struct breakdown_work *w,
                                                const struct costs_group *g)
{
    const struct costs_total *totals = w->out->totals.at;
    size_t i = 0;

    while (!is_currency_of(&totals[i], g))
        i++;
    return &totals[i];
}

static bool make_cost_row(const struct breakdown_work *w, size_t group,
                          const struct spending *cell, struct costs_row *out, struct error *err)
{
    const struct costs_group *g = &w->groups.at[group];

    *out = (struct costs_row){.amount = costs_money(cell->amount, g->currency),
                              .metered = costs_money(cell->metered, g->currency),
                              .share = costs_share(cell->amount, total_of_group(w, g)->used),
                              .lines = cell->lines,
                              .runs = cell->runs,
                              .others = (int64_t)g->others,
                              .from = cell->from,
                              .group = group};
    if (g->others == 0)
        costs_values(&w->question->by, &g->of, out->value);
    if (w->out->before.known) {
        out->before = costs_money(g->before, g->currency);
        out->change = costs_money(g->change, g->currency);
    }
    return cell->from.n == DAY_UNKNOWN.n ||
           costs_period_name(w->question->by.grain, cell->from, w->account->arena, &out->period,
                             err);
}

static bool make_cost_rows(struct breakdown_work *w, struct error *err)
{
    static const struct spending nothing = {.from = {INT32_MIN}}; /* of a group that is gone */
    struct table_rows *out = &w->out->rows;
    struct costs_row *rows;
    size_t count = 0;

    for (size_t i = 0; i < w->groups.count; i++)
        count += w->groups.at[i].cell_count + (w->groups.at[i].cell_count == 0);
    rows = arena_array(w->account->arena, struct costs_row, count, err);
    if (rows == NULL || !costs_row_fields(&w->question->by, offsetof(struct costs_row, value),
                                          &row_set, w->account->arena, &out->row, err))
        return false;
    count = 0;
    for (size_t i = 0; i < w->groups.count; i++) {
        const struct costs_group *g = &w->groups.at[i];

        for (size_t k = 0; k < g->cell_count; k++)
            if (!make_cost_row(w, i, &g->cells[k], &rows[count++], err))
                return false;
        if (g->cell_count == 0 && !make_cost_row(w, i, &nothing, &rows[count++], err))
            return false;
    }
    out->at = rows;
    out->len = count;
    return true;
}

bool account_breakdown(const struct account_source *account, struct costs_question *question,
                       struct cost_breakdown *out, struct error *err)
{
    struct breakdown_work w = {.account = account, .question = question, .out = out};

    *out = (struct cost_breakdown){
        .before = {.since = DAY_UNKNOWN, .until = DAY_UNKNOWN, .left_out_since = DAY_UNKNOWN}};
    if (!gather_cost_groups(&w, err))
        return false;
    costs_groups_sort(&w.groups, question->sort == SORT_CHANGE && !out->before.known
                                     ? SORT_COST
                                     : question->sort);
    return make_cost_totals(&w, err) && costs_groups_limit(&w.groups, question->limit, err) &&
           make_cost_rows(&w, err);
}
