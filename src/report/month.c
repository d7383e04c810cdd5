#include "report/month.h"

#define TOTAL_WORK "Total monthly ML spend" /* the rows of the catalog for all work together */

static const char *const month_names[] = {"January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December"};

bool month_name(day first, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);
    int year, month, date;

    day_split(first, &year, &month, &date);
    buf_addf(&text, "%s %d", month_names[month - 1], year);
    return buf_keep(&text, arena, out, err);
}

/* Most of the money: amounts of several currencies cannot be compared, so by lines and runs. */
void month_find_currency(struct month *m)
{
    const struct spending_answer *all = &m->spent[MONTH_TEAM].spent;
    int64_t most = -1;

    m->currency = currency_usd;
    for (size_t i = 0; i < all->count; i++) {
        int64_t count = 0;

        for (size_t k = 0; k < all->count; k++)
            if (currency_is(all->at[k].currency, all->at[i].currency))
                count += all->at[k].lines + all->at[k].runs;
        if (count > most) {
            most = count;
            m->currency = all->at[i].currency;
        }
    }
}

const struct costs_total *month_total(const struct month *m)
{
    const struct costs_total *totals = m->spent[MONTH_TEAM].totals.at;

    for (size_t i = 0; i < m->spent[MONTH_TEAM].totals.len; i++)
        if (currency_is(totals[i].amount.currency, m->currency))
            return &totals[i];
    return NULL;
}

static bool same_conditions(struct strs a, struct strs b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (!str_eq_nocase(a.at[i], b.at[i]))
            return false;
    return true;
}

const struct budget_view *month_budget(const struct month *m)
{
    const struct budget_view *views = m->budgets.at;

    for (size_t i = 0; i < m->budgets.len; i++)
        if (views[i].first_day.n == m->first.n && views[i].last_day.n == m->after.n - 1 &&
            currency_is(views[i].limit.currency, m->currency) &&
            same_conditions(views[i].budget.scope, m->query.where))
            return &views[i];
    return NULL;
}

const struct spend *month_band(const struct month *m, const struct money *amount)
{
    const struct rows *rows = &m->catalog->tables[TABLE_SPEND];
    const struct spend *at = rows->at, *in = NULL;

    if (!currency_is(amount->currency, currency_usd))
        return NULL;
    for (size_t i = 0; i < rows->len; i++)
        if (str_eq(at[i].workload, STR(TOTAL_WORK)) &&
            decimal_double(amount->amount) >= usd_double(at[i].low_usd_month) &&
            (in == NULL || at[i].low_usd_month.nano > in->low_usd_month.nano))
            in = &at[i];
    return in;
}
