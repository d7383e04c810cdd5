#include "report/month.h"

#define TOTAL_WORK "Total monthly ML spend" /* the rows of the catalog for all work together */

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
