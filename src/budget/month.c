/* The questions of a month. */
#include "budget/month.h"

#include "account/query/charges.h"

#define GROUPS 15        /* of a table */
#define MOVERS 12        /* of a currency */
#define HISTORY 330      /* days before it that anomalies and forecasts look at */
#define LEAST_A_DAY 20.0 /* dollars, of an anomaly, and share of what was expected: */
#define LEAST_SHARE 0.2

static const enum dimension dimensions[MONTH_BYS] = {
    [MONTH_TEAM] = DIMENSION_team,
    [MONTH_PROJECT] = DIMENSION_project,
    [MONTH_SERVICE] = DIMENSION_service,
    [MONTH_GPU] = DIMENSION_gpu,
};

static struct costs_by by_dimension(enum dimension d)
{
    return (struct costs_by){.at = {d}, .count = 1, .bits = UINT64_C(1) << d};
}

/* ---- its days ---- */

bool month_name(day first, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);
    int year, month, date;

    day_split(first, &year, &month, &date);
    buf_addf(&text, "%s %d", month_names[month - 1], year);
    return buf_keep(&text, arena, out, err);
}

/* Most of the money is what figures show: amounts of several currencies cannot be compared, so
 * by lines and runs. */
static void find_month_currency(struct month *m)
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

bool month_begin(const struct spending_query *query, day today, struct arena *arena,
                 struct month *out, struct error *err)
{
    *out = (struct month){.query = *query, .first = query->since};
    out->after = out->query.until = day_month_add(out->first, 1);
    out->running = today.n < out->after.n;
    out->last = out->running ? today : (day){out->after.n - 1};
    return month_name(out->first, arena, &out->name, err) &&
           month_name(day_month_add(out->first, -1), arena, &out->name_before, err);
}

/* ---- spending ---- */

static bool read_month_parts(const struct account_source *account, struct month *m,
                             struct error *err)
{
    struct account_source quiet = *account;

    for (int i = 0; i < MONTH_BYS; i++) {
        struct costs_question q = {
            .by = by_dimension(dimensions[i]), .query = m->query, .limit = GROUPS};

        m->by[i] = q.by;
        if (!account_breakdown(i == 0 ? account : &quiet, &q, &m->spent[i], err))
            return false;
        quiet.messages = (struct messages){0}; /* the next would only repeat them */
    }
    return true;
}

static bool read_month_days(const struct account_source *account, struct month *m,
                            struct error *err)
{
    struct spending_query days = m->query, before = m->query, projects = m->query;

    days.grain = before.grain = GRAIN_DAY;
    days.by = DIMENSION_BIT(team);
    before.since = day_month_add(m->first, -1);
    before.until = m->first;
    projects.grain = GRAIN_ALL;
    projects.by = DIMENSION_BIT(team) | DIMENSION_BIT(project);
    return account_spending(account, &days, &m->days, err) &&
           account_spending(account, &before, &m->days_before, err) &&
           account_spending(account, &projects, &m->projects, err);
}

/* ---- what follows from it ---- */

static bool read_forecast(const struct account_source *account, struct month *m,
                          struct error *err)
{
    struct daily_costs days = {.query = m->query, .by = m->by[MONTH_TEAM]};

    return !m->running ||
           account_forecast(account, &days, m->first, m->after, GROUPS, &m->forecast, err);
}

/* As they were when the month ended, or are now. */
static bool read_month_budgets(const struct account_source *account, stamp now, struct month *m,
                               struct error *err)
{
    stamp end = {m->after.n * SECONDS_PER_DAY - 1};
    struct budget_state *states;
    struct budget_view *views;
    size_t count;

    if (!budgets_evaluate(account, now.s < end.s ? now : end, &states, &count, err))
        return false;
    views = arena_array(account->arena, struct budget_view, count, err);
    if (views == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!budget_view_make(&states[i], account->arena, &views[i], err))
            return false;
    m->budgets = (struct rows){views, count};
    return true;
}

static bool read_anomalies(const struct account_source *account, struct month *m,
                           struct error *err)
{
    struct daily_costs days = {.query = m->query, .by = m->by[MONTH_SERVICE]};
    const struct anomaly_options options = {.least = LEAST_A_DAY, .share = LEAST_SHARE};

    return account_anomalies(account, &days, &options, &m->anomalies, err);
}

static bool read_movers(const struct account_source *account, struct month *m,
                        struct error *err)
{
    struct spending_query query = m->query;

    query.by = DIMENSION_BIT(team) | DIMENSION_BIT(project) | DIMENSION_BIT(service) |
               DIMENSION_BIT(gpu);
    return account_movers(account, &query, true, MOVERS, &m->movers, err);
}

static bool read_machines(const struct account_source *account, struct month *m,
                          struct error *err)
{
    struct str *where = arena_array(account->arena, struct str, m->query.where.len + 1, err);
    struct spending_query query = m->query;
    const struct costs_by all = {0};

    if (where == NULL)
        return false;
    for (size_t i = 0; i < query.where.len; i++)
        where[i] = query.where.at[i];
    where[query.where.len] = STR("category=Compute");
    query.where = (struct strs){where, query.where.len + 1};
    return account_gpus(account, &m->by[MONTH_TEAM], &m->query, &m->gpus, err) &&
           account_spot(account, &all, &query, &m->spot, err);
}

static bool refuse_empty_month(const struct month *m, struct error *err)
{
    error_set(err, ERROR_ABSENT, "nothing was recorded in %.*s%s", STR_ARG(m->name),
              m->query.where.len > 0 ? " that matches" : "");
    error_hint(err, "'stint run -- COMMAND' records runs, 'stint import FILE' cloud bills");
    return false;
}

bool month_read(const struct account_source *source, stamp now, struct month *m,
                struct error *err)
{
    const struct spending_answer *spent = &m->spent[MONTH_TEAM].spent;
    struct account_source account = *source, quiet;

    if (account.ledger == NULL)
        return refuse_empty_month(m, err);
    if (!account_remember(&account, (day){m->first.n - HISTORY}, err) ||
        !read_month_parts(&account, m, err))
        return false;
    m->unpriced = spent->unpriced;
    m->billed_until = spent->billed_until;
    if (spent->count == 0 && spent->unpriced == 0)
        return refuse_empty_month(m, err);
    find_month_currency(m);
    quiet = account;
    quiet.messages = (struct messages){0};
    return read_month_days(&quiet, m, err) && read_movers(&quiet, m, err) &&
           read_forecast(&quiet, m, err) && read_month_budgets(&quiet, now, m, err) &&
           read_anomalies(&quiet, m, err) && read_machines(&quiet, m, err);
}
