/* A report of a month: what is found in its runs, and the answers to its questions. */

#include "op/context.h"
#include "op/findings.h"
#include "op/ledger_open.h"
#include "op/report/report.h"
#include "op/spending.h"
#include "report/month.h"

static bool find_report_month(const struct op_context *ctx, const struct costs_ask *ask,
                              struct month *m, struct error *err)
{
    struct spending_query query;

    if (!costs_query(ask, op_today(ctx), 1, &query, err))
        return false;
    if (query.since.n > op_today(ctx).n)
        return error_fail(err, ERROR_USAGE, "--month: '%.*s' has not started",
                          STR_ARG(ask->days.month));
    return month_begin(&query, op_today(ctx), ctx->arena, m, err);
}

/* ERROR_ABSENT when nothing was recorded. */
static bool read_month(struct op_context *ctx, const struct costs_ask *ask, struct month *out,
                       struct report_findings *advice, struct error *err)
{
    struct account_source account;
    struct ledger *ledger = NULL;
    bool ok;

    if (!find_report_month(ctx, ask, out, err))
        return false;
    out->cost = ask->cost;
    /* First, since it gives back the memory that it needs. */
    if (ask->where.len == 0 && !op_findings_of_period(ctx, out->first, out->last, advice, err))
        return false;
    if (!op_catalog(ctx, TABLE_BIT(TABLE_SPEND), err) || !op_ledger_there(ctx, &ledger, err))
        return false;
    out->catalog = &ctx->catalog;
    account = op_account(ctx, ledger);
    ok = month_read(&account, op_now(ctx), out, err);
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
    struct report_findings advice = {0};
    struct buf folder = buf_new(ctx->arena->alloc, 64);

    if (m == NULL || !month_text(ctx, req->month, &ask.days.month, err) ||
        !read_month(ctx, &ask, m, &advice, err))
        return false;
    report->demo = ctx->demo;
    buf_addf(&folder, "cost_report/%.*s", STR_ARG(ask.days.month));
    return buf_keep(&folder, ctx->arena, &report->folder, err) &&
           month_report(m, &advice, report, err);
}
