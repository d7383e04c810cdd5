/* A report of a month: its questions. Attempts of runs are read once for all of them. */

#include "account/query/charges.h"
#include "op/context.h"
#include "op/findings.h"
#include "op/ledger_open.h"
#include "op/report/report.h"
#include "op/spending.h"
#include "report/month.h"

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

static bool find_month_days(const struct op_context *ctx, const struct costs_ask *ask,
                            struct month *m, struct error *err)
{
    day today = op_today(ctx);

    if (!costs_query(ctx, ask, 1, &m->query, err))
        return false;
    m->first = m->query.since;
    m->after = m->query.until = day_month_add(m->first, 1);
    if (m->first.n > today.n)
        return error_fail(err, ERROR_USAGE, "--month: '%.*s' has not started",
                          STR_ARG(ask->days.month));
    m->running = today.n < m->after.n;
    m->last = m->running ? today : (day){m->after.n - 1};
    return month_name(m->first, ctx->arena, &m->name, err) &&
           month_name(day_month_add(m->first, -1), ctx->arena, &m->name_before, err);
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
static bool read_month_budgets(const struct op_context *ctx,
                               const struct account_source *account, struct month *m,
                               struct error *err)
{
    stamp now = op_now(ctx), end = {m->after.n * SECONDS_PER_DAY - 1};
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

static bool refuse_empty_month(const struct month *m, struct error *err)
{
    error_set(err, ERROR_ABSENT, "nothing was recorded in %.*s%s", STR_ARG(m->name),
              m->query.where.len > 0 ? " that matches" : "");
    error_hint(err, "'stint run -- COMMAND' records runs, 'stint import FILE' cloud bills");
    return false;
}

static bool read_answers(struct op_context *ctx, const struct costs_ask *ask,
                         struct ledger *ledger, struct month *m, struct error *err)
{
    struct account_source account = op_account(ctx, ledger), quiet;
    const struct spending_answer *spent = &m->spent[MONTH_TEAM].spent;
    struct costs_basis basis;

    if (ledger == NULL)
        return refuse_empty_month(m, err);
    if (!account_remember(&account, (day){m->first.n - HISTORY}, err) ||
        !read_month_parts(&account, m, err))
        return false;
    costs_basis_of(ctx, ledger, &m->query, ask, spent, &basis);
    m->unpriced = basis.unpriced;
    m->billed_until = basis.billed_until;
    if (spent->count == 0 && spent->unpriced == 0)
        return refuse_empty_month(m, err);
    month_find_currency(m);
    quiet = account;
    quiet.messages = (struct messages){0};
    m->catalog = account_catalog(&account, TABLE_BIT(TABLE_SPEND), err);
    return m->catalog != NULL && read_month_days(&quiet, m, err) &&
           read_movers(&quiet, m, err) && read_forecast(&quiet, m, err) &&
           read_month_budgets(ctx, &quiet, m, err) && read_anomalies(&quiet, m, err) &&
           read_machines(&quiet, m, err);
}

/* ERROR_ABSENT when nothing was recorded. */
static bool read_month(struct op_context *ctx, const struct costs_ask *ask, struct month *out,
                       struct error *err)
{
    struct ledger *ledger = NULL;
    bool ok;

    *out = (struct month){.cost = ask->cost};
    if (!find_month_days(ctx, ask, out, err))
        return false;
    /* First, since it gives back the memory that it needs. */
    if (ask->where.len == 0 &&
        !op_findings_of_period(ctx, out->first, out->last, &out->advice, err))
        return false;
    if (!op_ledger_there(ctx, &ledger, err))
        return false;
    ok = read_answers(ctx, ask, ledger, out, err);
    ledger_close(ledger);
    return ok;
}

/* "2026-10": of "last" the month before this one. */
static bool month_text(const struct op_context *ctx, struct str asked, struct str *out,
                       struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 32);
    int year, month, date;

    if (!str_eq(asked, STR("last"))) {
        *out = asked;
        return true;
    }
    day_split(day_month_add(op_today(ctx), -1), &year, &month, &date);
    buf_addf(&text, "%04d-%02d", year, month);
    return buf_keep(&text, ctx->arena, out, err);
}

bool op_report_month(struct op_context *ctx, const struct report_request *req,
                     struct report *report, struct error *err)
{
    struct costs_ask ask = {.where = req->where,
                            .cost = STR("effective"),
                            .from = STR("all"),
                            .currency = req->currency};
    struct month *m = arena_array(ctx->arena, struct month, 1, err);
    struct buf folder = buf_new(ctx->arena->alloc, 64);

    if (m == NULL || !month_text(ctx, req->month, &ask.days.month, err) ||
        !read_month(ctx, &ask, m, err))
        return false;
    report->demo = ctx->demo;
    buf_addf(&folder, "cost_report/%.*s", STR_ARG(ask.days.month));
    return buf_keep(&folder, ctx->arena, &report->folder, err) && month_report(m, report, err);
}
