/* forecast - what a month will come to. */
#include "op/budget/forecast.h"

#include <math.h>
#include <string.h>

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define AHEAD 12 /* months */

static const struct field request[] = {
    FIELD(TEXTS, forecast_request, by, .value = "LIST",
          .help = "dimensions: a forecast for each value, and one for all"),
    FIELD_AS("month", TEXT, forecast_request, ask.days.month, .value = "MONTH",
             .help = "2026-12 (default: this month)"),
    OP_WHERE(forecast_request, ask.where),
    FIELD_AS("cost", CHOICE, forecast_request, ask.cost, .value = "KIND",
             .choices = costs_kinds, .fallback = "effective",
             .help = "effective, billed, list or contracted"),
    FIELD_AS("from", CHOICE, forecast_request, ask.from, .value = "WHAT",
             .choices = costs_sources, .fallback = "all",
             .help = "all, bills, or runs as they were metered"),
    OP_CURRENCY(forecast_request, ask.currency),
    FIELD(COUNT, forecast_request, limit, .value = "N", .fallback = "20",
          .help = "show the largest N of each currency; the total has all; 0: all"),
};

#define ROW(kind, member, text) FIELD(kind, forecast_row, member, .help = (text))

#define ROW_FIELDS \
    ROW(TEXT, currency, "currency of the amounts"), \
        ROW(MONEY, spent, "spent on complete days of the month, exactly"), \
        ROW(MONEY, running, "spent on days that are not complete: not in 'spent'"), \
        ROW(MONEY, forecast, "forecast of the month"), \
        ROW(MONEY, low, "low end of the 80 % range"), \
        ROW(MONEY, high, "high end of the 80 % range"), \
        ROW(MONEY, recurring, \
            "included: recurring costs of the allocation policy on the days left"), \
        ROW(TEXT, method, "method of the forecast"), \
        ROW(COUNT, days, "days with spending that it is based on"), \
        ROW(TEXT, problem, "why there is no forecast")

static const struct field row_fields[] = {ROW_FIELDS};
static const struct field_set row_set = FIELD_SET(struct forecast_row, row_fields);

static const struct field total_fields[] = {
    ROW_FIELDS,
    ROW(MONEY, added, "sum of the forecasts of the rows"),
};
static const struct field_set total_set = FIELD_SET(struct forecast_row, total_fields);

#define BUDGET(kind, member, text) FIELD(kind, forecast_budget, member, .help = (text))

static const struct field budget_fields[] = {
    BUDGET(TEXT, name, "name of the budget"),
    BUDGET(TEXT, period, "current period: 2026-11, 2026-Q4, 2026, total"),
    BUDGET(TEXTS, where, "what it covers"),
    BUDGET(MONEY, limit, "limit of the period, with what was rolled over"),
    BUDGET(MONEY, spent, "spent in the period, with today"),
    BUDGET(MONEY, forecast, "forecast of the period"),
    BUDGET(MONEY, low, "low end of the 80 % range"),
    BUDGET(MONEY, high, "high end of the 80 % range"),
    BUDGET(NUMBER, share, "forecast over limit"),
    BUDGET(TEXT, says, "keeps to it, may be passed, will be passed or is passed; else '?'"),
    BUDGET(TEXT, problem, "why there is no forecast"),
};

static const struct field_set budget_set = FIELD_SET(struct forecast_budget, budget_fields);

static const struct field result[] = {
    FIELD(TEXTS, forecast_result, by, .help = "dimensions"),
    FIELD(TEXT, forecast_result, month, .help = "month of the forecast"),
    FIELD(TABLE, forecast_result, rows, .help = "largest first"),
    FIELD(LIST, forecast_result, totals, .row = &total_set, .help = "one for each currency"),
    FIELD(COUNT, forecast_result, others, .help = "groups that are only in the total"),
    FIELD(LIST, forecast_result, budgets, .row = &budget_set,
          .help = "current budgets, when this month was asked for"),
    FIELD(DAY, forecast_result, known_until, .help = "last complete day"),
    FIELD(COUNT, forecast_result, days_ago, .help = "days since then"),
    FIELD(COUNT, forecast_result, days_left, .help = "days of the month left"),
    FIELD(RECORD, forecast_result, basis, .row = &costs_basis_fields,
          .help = "data it is based on"),
};

struct forecast_work {
    struct op_context *ctx;
    struct account_source account;
    const struct forecast_request *request;
    struct forecast_result *result;
    struct daily_costs days;
    day from, until; /* of the month */
};

/* The month, and the days that a forecast of it goes by. */
static bool find_month(struct forecast_work *w, struct error *err)
{
    day today = op_today(w->ctx), first;

    w->from = day_month_start(today);
    w->until = day_month_add(today, 1);
    if (!costs_query(w->ctx, &w->request->ask, 1, &w->days.query, err))
        return false;
    if (w->request->ask.days.month.len > 0) {
        w->from = w->days.query.since;
        w->until = w->days.query.until;
    }
    if (w->from.n > day_month_add(today, AHEAD).n) {
        error_set(err, ERROR_USAGE, "--month: '%.*s' is more than a year ahead",
                  STR_ARG(w->request->ask.days.month));
        error_hint(err, "leave it out for this month");
        return false;
    }
    first = w->from.n < today.n ? w->from : today;
    w->days.query.since = (day){first.n - FORECAST_HISTORY};
    /* Until when days are whole is told from all of them. */
    w->days.query.until = (day){w->until.n > today.n ? w->until.n : today.n + 1};
    return costs_period_name(COSTS_MONTH, w->from, w->ctx->arena, &w->result->month, err);
}

/* Groups of a currency as one: ranges do not add up, so that a total is forecast by itself. */
static bool make_row(struct forecast_work *w, size_t from, size_t count,
                     struct forecast_row *row, struct error *err)
{
    const struct costs_group *groups = &w->days.groups.at[from];
    const char *currency = groups[0].currency;
    struct forecast_scope of = {groups, count, w->from, w->until};
    struct period_forecast p;

    if (!forecast_period(&w->account, &w->days, &of, &p, err))
        return false;
    *row = (struct forecast_row){
        .currency = str_from(currency),
        .spent = costs_money(p.spent, currency),
        .running = costs_money(p.running, currency),
        .forecast = forecast_money(p.forecast, currency),
        .low = forecast_money(p.low, currency),
        .high = forecast_money(p.high, currency),
        .recurring = costs_money(p.recurring, currency),
        .method = str_from(p.method),
        .problem = p.problem,
        .days = p.days,
    };
    costs_values(&w->days.by, &groups[0].of, row->value);
    return true;
}

/* What the rows of a currency that have a forecast come to; unknown while some are not shown,
 * since they would be missed. */
static bool add_rows(const struct forecast_row *rows, size_t count, size_t of,
                     struct forecast_row *total, struct error *err)
{
    struct decimal sum = {0, 2};

    if (count == 0 || count < of)
        return true;
    for (size_t i = 0; i < count; i++)
        if (rows[i].problem.len == 0 && !costs_plus(&sum, rows[i].forecast.amount, err))
            return false;
    total->added = costs_money(sum, total->spent.currency);
    return true;
}

static bool forecast_rows(struct forecast_work *w, struct error *err)
{
    struct costs_groups *groups = &w->days.groups;
    struct forecast_row *rows =
        arena_array(w->ctx->arena, struct forecast_row, groups->count, err);
    struct forecast_row *totals =
        rows != NULL ? arena_array(w->ctx->arena, struct forecast_row, groups->count, err)
                     : NULL;
    size_t count = 0, total_count = 0;
    int64_t limit = w->request->limit;

    if (totals == NULL)
        return false;
    for (size_t at = 0, of; at < groups->count; at += of) {
        size_t before = count;

        for (of = 0; at + of < groups->count &&
                     strcmp(groups->at[at].currency, groups->at[at + of].currency) == 0;
             of++)
            if (w->days.by.count > 0 && (limit <= 0 || (int64_t)of < limit)) {
                if (!make_row(w, at + of, 1, &rows[count++], err))
                    return false;
            } else {
                w->result->others += w->days.by.count > 0;
            }
        if (!make_row(w, at, of, &totals[total_count], err) ||
            !add_rows(rows + before, count - before, of, &totals[total_count++], err))
            return false;
    }
    w->result->rows.at = rows;
    w->result->rows.len = count;
    w->result->totals = (struct rows){totals, total_count};
    return true;
}

static bool read_days(struct forecast_work *w, struct ledger *ledger, struct error *err)
{
    struct forecast_result *res = w->result;
    struct spending_query month;

    if (!daily_costs_read(&w->account, &w->days, err))
        return false;
    month = w->days.query;
    month.since = w->from;
    month.until = w->until;
    costs_basis_of(w->ctx, ledger, &month, &w->request->ask, &w->days.answer, &res->basis);
    res->known_until = (day){w->days.end.n - 1};
    res->days_ago = op_today(w->ctx).n - res->known_until.n;
    if (w->until.n > w->days.end.n)
        res->days_left = w->until.n - (w->days.end.n > w->from.n ? w->days.end.n : w->from.n);
    return true;
}

static const char *verdict(const struct budget_state *s)
{
    double limit = decimal_double(s->limit);

    return decimal_cmp(s->spent, s->limit) > 0 ? "is passed"
           : isnan(s->forecast)                ? "?"
           : s->low > limit                    ? "will be passed"
           : s->high > limit                   ? "may be passed"
                                               : "keeps to it";
}

/* Not under conditions: budgets have their own. */
static bool compare_budgets(struct forecast_work *w, struct error *err)
{
    struct budget_state *states;
    struct forecast_budget *out;
    size_t count, kept = 0;

    if (w->request->ask.days.month.len > 0 || w->request->ask.where.len > 0)
        return true;
    if (!budgets_evaluate(&w->account, w->ctx->clock->today(w->ctx->clock->ctx), &states,
                          &count, err) ||
        (out = arena_array(w->ctx->arena, struct forecast_budget, count, err)) == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct budget_state *s = &states[i];
        const char *currency = s->budget->amount.currency;
        char *period;

        if (s->problem.kind != ERROR_NONE) {
            out[kept++] = (struct forecast_budget){.name = s->budget->name,
                                                   .where = s->budget->scope,
                                                   .limit = s->budget->amount,
                                                   .share = NAN,
                                                   .says = STR("?"),
                                                   .problem = str_from(s->problem.text)};
            continue;
        }
        if ((period = str_dup(str_from(s->period.name), w->ctx->arena, err)) == NULL)
            return false;
        out[kept++] = (struct forecast_budget){
            .name = s->budget->name,
            .period = str_from(period),
            .problem = s->no_forecast,
            .where = s->budget->scope,
            .limit = costs_money(s->limit, currency),
            .spent = costs_money(s->spent, currency),
            .forecast = forecast_money(s->forecast, currency),
            .low = forecast_money(s->low, currency),
            .high = forecast_money(s->high, currency),
            .share = s->limit.coefficient > 0 ? s->forecast / decimal_double(s->limit) : NAN,
            .says = str_from(verdict(s)),
        };
    }
    w->result->budgets = (struct rows){out, kept};
    return true;
}

static bool forecast_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct forecast_work w = {.ctx = ctx, .request = in, .result = out};
    struct ledger *ledger = NULL;
    bool ok;

    w.result->days_left = w.result->days_ago = w.result->others = 0;
    if (!costs_by(w.request->by, &w.days.by, err))
        return false;
    if (w.days.by.grain != COSTS_WHOLE)
        return error_fail(err, ERROR_USAGE,
                          "--by: a forecast covers a month: give dimensions only");
    if (!costs_by_names(&w.days.by, ctx->arena, &w.result->by, err) ||
        !costs_row_fields(&w.days.by, offsetof(struct forecast_row, value), &row_set,
                          ctx->arena, &w.result->rows.row, err) ||
        !find_month(&w, err) || !op_ledger_there(ctx, &ledger, err))
        return false;
    w.account = op_account(ctx, ledger);
    ok = read_days(&w, ledger, err) && forecast_rows(&w, err) && compare_budgets(&w, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_forecast = {
    .name = "forecast",
    .schema = "stint.forecast/1",
    .summary = "forecast the cost of a month, with a range",
    .request = &(const struct field_set)FIELD_SET(struct forecast_request, request),
    .result = &(const struct field_set)FIELD_SET(struct forecast_result, result),
    .run = forecast_run,
};
