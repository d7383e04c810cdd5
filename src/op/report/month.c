/* The questions about a month. Attempts of runs are read once for all of them. */
#include "op/report/month.h"

#include "account/query/charges.h"
#include "op/context.h"
#include "op/ledger_open.h"

#define GROUPS 15        /* of a table */
#define MOVERS 12        /* of a currency */
#define HISTORY 330      /* days before it that anomalies and forecasts look at */
#define LEAST_A_DAY 20.0 /* dollars, of an anomaly, and share of what was expected: */
#define LEAST_SHARE 0.2
#define TOTAL_WORK "Total monthly ML spend" /* the rows of the catalog for all work together */

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

static const char *const month_names[] = {"January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December"};

static bool name_month(day first, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);
    int year, month, date;

    day_split(first, &year, &month, &date);
    buf_addf(&text, "%s %d", month_names[month - 1], year);
    return buf_keep(&text, arena, out, err);
}

static bool find_days(const struct op_context *ctx, struct month *m, struct error *err)
{
    day today = op_today(ctx);

    if (!costs_query(ctx, &m->ask, 1, &m->query, err))
        return false;
    m->first = m->query.since;
    m->after = m->query.until = day_month_add(m->first, 1);
    if (m->first.n > today.n)
        return error_fail(err, ERROR_USAGE, "--month: '%.*s' has not begun",
                          STR_ARG(m->ask.days.month));
    m->running = today.n < m->after.n;
    m->last = m->running ? today : (day){m->after.n - 1};
    return name_month(m->first, ctx->arena, &m->name, err) &&
           name_month(day_month_add(m->first, -1), ctx->arena, &m->name_before, err);
}

/* ---- spending ---- */

static bool read_parts(const struct account_source *account, struct month *m, struct error *err)
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

static bool read_days(const struct account_source *account, struct month *m, struct error *err)
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
static bool read_budgets(const struct op_context *ctx, const struct account_source *account,
                         struct month *m, struct error *err)
{
    stamp now = ctx->clock->today(ctx->clock->ctx), end = {m->after.n * SECONDS_PER_DAY - 1};
    struct budget_state *states;
    struct budget_view *views;
    size_t count;

    if (!budgets_evaluate(account, now.s < end.s ? now : end, &states, &count, err))
        return false;
    views = arena_array(ctx->arena, struct budget_view, count, err);
    if (views == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!budget_view_make(&states[i], ctx->arena, &views[i], err))
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

/* Most of the money: amounts of several currencies cannot be compared, so by lines and runs. */
static void find_currency(struct month *m)
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

static bool refuse_empty(const struct month *m, struct error *err)
{
    error_set(err, ERROR_ABSENT, "nothing was recorded in %.*s%s", STR_ARG(m->name),
              m->query.where.len > 0 ? " that matches" : "");
    error_hint(err, "'stint run -- COMMAND' records runs, 'stint import FILE' cloud bills");
    return false;
}

static bool read_answers(struct op_context *ctx, struct ledger *ledger, struct month *m,
                         struct error *err)
{
    struct account_source account = op_account(ctx, ledger), quiet;
    const struct spending_answer *spent = &m->spent[MONTH_TEAM].spent;

    if (ledger == NULL)
        return refuse_empty(m, err);
    if (!account_remember(&account, (day){m->first.n - HISTORY}, err) ||
        !read_parts(&account, m, err))
        return false;
    costs_basis_of(ctx, ledger, &m->query, &m->ask, spent, &m->basis);
    if (spent->count == 0 && spent->unpriced == 0)
        return refuse_empty(m, err);
    find_currency(m);
    quiet = account;
    quiet.messages = (struct messages){0};
    m->catalog = account_catalog(&account, TABLE_BIT(TABLE_SPEND), err);
    return m->catalog != NULL && read_days(&quiet, m, err) && read_movers(&quiet, m, err) &&
           read_forecast(&quiet, m, err) && read_budgets(ctx, &quiet, m, err) &&
           read_anomalies(&quiet, m, err) && read_machines(&quiet, m, err);
}

bool month_read(struct op_context *ctx, const struct costs_ask *ask, struct month *out,
                struct error *err)
{
    struct ledger *ledger = NULL;
    bool ok;

    *out = (struct month){.ask = *ask};
    if (!find_days(ctx, out, err))
        return false;
    /* First, since it gives back the memory that it needs. */
    if (ask->where.len == 0 &&
        !advise_shown_period(ctx, out->first, out->last, &out->advice, err))
        return false;
    if (!op_ledger_there(ctx, &ledger, err))
        return false;
    ok = read_answers(ctx, ledger, out, err);
    ledger_close(ledger);
    return ok;
}

/* ---- for its document ---- */

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
