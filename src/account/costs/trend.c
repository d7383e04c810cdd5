#include "account/costs/trend.h"

#include <math.h>

#define ROW(kind, member, text) FIELD(kind, costs_trend_row, member, .help = (text))

static const struct field row_fields[] = {
    ROW(TEXT, month, "the month"),
    ROW(CURRENCY, currency, "currency of the amounts"),
    ROW(MONEY, amount, "exact amount"),
    ROW(MONEY, metered, "part from runs that no bill covers yet"),
    ROW(MONEY, change, "change from the month before"),
    ROW(NUMBER, percent, "change as a share of the month before"),
    ROW(COUNT, days, "days of the running month that count"),
    ROW(COUNT, others, "groups combined in this row"),
};

static const struct field_set row_set = FIELD_SET(struct costs_trend_row, row_fields);

struct trend_work {
    const struct account_source *account;
    const struct costs_by *by;
    int64_t months, limit;
    struct spending_query *query;
    struct costs_groups groups;
    struct spending_answer recorded; /* by month, everything */
    struct costs_trend_row *rows;
    size_t count;
    struct cost_trend *out;
};

/* Months with anything recorded, whatever is asked for: the others are unknown. */
static bool read_recorded(struct trend_work *w, struct error *err)
{
    struct spending_query all = {.since = w->query->since,
                                 .until = w->query->until,
                                 .grain = GRAIN_MONTH,
                                 .from = w->query->from,
                                 .raw = true};

    return account_spending(w->account, &all, &w->recorded, err);
}

static bool is_month_recorded(const struct trend_work *w, day month)
{
    for (size_t i = 0; i < w->recorded.count; i++)
        if (w->recorded.at[i].from.n == month.n)
            return true;
    return false;
}

/* The same days of the month before the running one go where `before` of a group is. */
static bool gather_trend_groups(struct trend_work *w, struct error *err)
{
    struct spending_query same_days = *w->query, running = *w->query;
    struct spending_answer before = {0};
    struct costs_days days;

    running.since = w->out->running;
    running.until = day_month_add(running.since, 1);
    if (!account_days_before(w->account, &running, true, &days, err))
        return false;
    w->out->before = costs_compared_of(&days);
    w->out->running_days = days.until.n - running.since.n;
    w->query->until = days.until;
    costs_set_grain(COSTS_MONTH, w->query);
    costs_set_grain(COSTS_WHOLE, &same_days);
    same_days.since = days.before_since;
    same_days.until = days.before_until;
    if (!account_spending(w->account, w->query, &w->out->spent, err) ||
        !read_recorded(w, err) ||
        (days.known && !account_spending(w->account, &same_days, &before, err)))
        return false;
    w->groups = (struct costs_groups){.arena = w->account->arena, .by = w->by};
    if (!costs_groups_make(&w->out->spent, &before, &w->groups, err))
        return false;
    costs_groups_sort(&w->groups, SORT_COST);
    return costs_groups_limit(&w->groups, w->limit, err);
}

/* The amount of a month; nothing when the group was not there. */
static const struct spending *cell_of_month(const struct costs_group *g, day month)
{
    static const struct spending none;

    for (size_t i = 0; i < g->cell_count; i++)
        if (g->cells[i].from.n == month.n)
            return &g->cells[i];
    return &none;
}

static bool add_trend_row(struct trend_work *w, size_t group, day month, struct error *err)
{
    const struct costs_group *g = &w->groups.at[group];
    bool running = month.n == w->out->running.n, known = is_month_recorded(w, month);
    const struct spending *now = cell_of_month(g, month);
    day last = day_month_add(month, -1);
    struct decimal before = running ? g->before : cell_of_month(g, last)->amount, change;
    struct costs_trend_row *row = &w->rows[w->count++];

    *row = (struct costs_trend_row){.percent = NAN,
                                    .days = running ? w->out->running_days : -1,
                                    .others = (int64_t)g->others,
                                    .group = group};
    if (known || now->amount.coefficient != 0) { /* a lease is there without a bill */
        row->amount = costs_money(now->amount, g->currency);
        row->metered = costs_money(now->metered, g->currency);
    }
    row->currency = g->currency;
    if (g->others == 0)
        costs_values(w->by, &g->of, row->value);
    if (known && (running ? w->out->before.known : is_month_recorded(w, last))) {
        if (!costs_minus(now->amount, before, &change, err))
            return false;
        row->change = costs_money(change, g->currency);
        row->percent = costs_percent(change, before);
    }
    return costs_period_name(COSTS_MONTH, month, w->account->arena, &row->month, err);
}

/* The first in which there was anything. One more month is asked for than is shown. */
static day first_month(const struct trend_work *w)
{
    day first = w->out->running;

    for (size_t i = 0; i < w->groups.count; i++)
        if (w->groups.at[i].cell_count > 0 && w->groups.at[i].cells[0].from.n < first.n)
            first = w->groups.at[i].cells[0].from;
    return first;
}

static bool make_trend_rows(struct trend_work *w, struct error *err)
{
    day known = first_month(w), first = w->query->since;
    day running = w->out->running;

    w->rows = arena_array(w->account->arena, struct costs_trend_row,
                          w->groups.count * (size_t)w->months, err);
    if (w->rows == NULL)
        return false;
    if (first.n < known.n)
        first = known;
    for (size_t i = 0; i < w->groups.count; i++)
        for (day month = first; month.n <= running.n; month = day_month_add(month, 1))
            if (!add_trend_row(w, i, month, err))
                return false;
    w->out->rows.at = w->rows;
    w->out->rows.len = w->count;
    return costs_row_fields(w->by, offsetof(struct costs_trend_row, value), &row_set,
                            w->account->arena, &w->out->rows.row, err);
}

bool account_trend(const struct account_source *account, const struct costs_by *by,
                   int64_t months, int64_t limit, struct spending_query *query,
                   struct cost_trend *out, struct error *err)
{
    struct trend_work w = {.account = account,
                           .by = by,
                           .months = months,
                           .limit = limit,
                           .query = query,
                           .out = out};

    *out = (struct cost_trend){.running = day_month_start(account->today)};
    query->by = by->bits;
    query->since = day_month_add(account->today, -(int)months);
    if (!gather_trend_groups(&w, err))
        return false;
    query->since = day_month_add(query->since, 1); /* the month before the first is not shown */
    return make_trend_rows(&w, err);
}
