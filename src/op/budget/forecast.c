/* forecast - what a month will come to. */
#include "op/budget/forecast.h"

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define AHEAD 12 /* months */

static const struct field request[] = {
    FIELD(TEXTS, forecast_request, by, .value = "LIST",
          .help = "dimensions; a forecast for each value, and one for all"),
    FIELD_AS("month", TEXT, forecast_request, ask.days.month, .value = "MONTH",
             .help = "month: 2026-12 (default: this month)"),
    COSTS_ASK_WHAT(forecast_request),
    FIELD(COUNT, forecast_request, limit, .value = "N", .fallback = "20",
          .help = "show the largest N of each currency; the total has all; 0: all"),
};

static const struct field result[] = {
    FIELD(TEXTS, forecast_result, by, .help = "dimensions"),
    FIELD(TEXT, forecast_result, month, .help = "month of the forecast"),
    FIELD_AS("rows", TABLE, forecast_result, forecast.rows, .help = "rows, largest first"),
    FIELD_AS("totals", LIST, forecast_result, forecast.totals, .row = &forecast_total_fields,
             .help = "totals, one for each currency"),
    FIELD_AS("others", COUNT, forecast_result, forecast.others,
             .help = "groups only in the total"),
    FIELD(LIST, forecast_result, budgets, .row = &budget_outlook_fields,
          .help = "current budgets, if this month was requested"),
    FIELD_AS("known_until", DAY, forecast_result, forecast.known_until,
             .help = "last complete day"),
    FIELD_AS("days_ago", COUNT, forecast_result, forecast.days_ago, .help = "days since then"),
    FIELD_AS("days_left", COUNT, forecast_result, forecast.days_left,
             .help = "days of the month left"),
    FIELD(RECORD, forecast_result, basis, .row = &costs_basis_fields,
          .help = "data it is based on"),
};

/* The first day of the month, and the first day after it. */
static bool find_month(const struct op_context *ctx, const struct costs_ask *ask,
                       struct spending_query *out, struct error *err)
{
    day today = op_today(ctx);

    if (!costs_query(ask, op_today(ctx), 1, out, err))
        return false;
    if (ask->days.month.len == 0) {
        out->since = day_month_start(today);
        out->until = day_month_add(today, 1);
    }
    if (out->since.n <= day_month_add(today, AHEAD).n)
        return true;
    error_set(err, ERROR_USAGE, "--month: '%.*s' is more than a year ahead",
              STR_ARG(ask->days.month));
    error_hint(err, "leave it out for this month");
    return false;
}

static bool forecast_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct forecast_request *req = in;
    struct forecast_result *res = out;
    /* Budgets have conditions of their own. */
    bool budgets = req->ask.days.month.len == 0 && req->ask.where.len == 0;
    struct account_source account;
    struct spending_query month;
    struct ledger *ledger = NULL;
    struct daily_costs days = {0};
    bool ok;

    if (!costs_by_dimensions(req->by, NULL, ctx->arena, &days.by, &res->by, err) ||
        !find_month(ctx, &req->ask, &month, err) ||
        !costs_period_name(COSTS_MONTH, month.since, ctx->arena, &res->month, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    account = op_account(ctx, ledger);
    days.query = month;
    ok = account_forecast(&account, &days, month.since, month.until, req->limit, &res->forecast,
                          err) &&
         (!budgets || budgets_outlook(&account, op_now(ctx), &res->budgets, err));
    costs_basis_of(ctx, ledger, &month, &req->ask, &days.answer, &res->basis);
    ledger_close(ledger);
    return ok;
}

const struct op op_forecast = {
    .name = "forecast",
    .schema = "stint.forecast/1",
    .summary = "forecast the cost of a month, with a range",
    .remote = OP_READ,
    .team = OP_TEAM_WHERE,
    .request = &(const struct field_set)FIELD_SET(struct forecast_request, request),
    .result = &(const struct field_set)FIELD_SET(struct forecast_result, result),
    .run = forecast_run,
};
