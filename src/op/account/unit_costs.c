/* unit-costs - what one experiment, model update, prediction or unit of improvement cost. */
#include "op/account/unit_costs.h"

#include "alert/channel.h"
#include "base/num.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define DAYS 90
#define MONTHS 12
#define RISE 0.2 /* that is reported by default */

static const char *const grains[] = {"day", "month", NULL};

static const struct field request[] = {
    FIELD(CHOICE, unit_costs_request, of, .value = "UNIT", .operand = true, .required = true,
          .choices = unit_kinds, .help = "unit: experiment, update, prediction or improvement"),
    COSTS_ASK(unit_costs_request, "90d"),
    FIELD(TEXT, unit_costs_request, what, .value = "WHAT", .fallback = "predictions",
          .help = "name of the counts: see 'stint counts'"),
    FIELD(COUNT, unit_costs_request, limit, .value = "N", .fallback = "20",
          .help = "the most expensive N (of improvements the cheapest; with --by the newest); "
                  "0: all"),
    FIELD(CHOICE, unit_costs_request, by, .value = "PERIOD", .choices = grains,
          .help = "day or month: unit cost in each, and its change"),
    FIELD(TEXT, unit_costs_request, rise, .value = "PERCENT",
          .help = "report a unit cost that rose by more than this (default: 20%)"),
    FIELD(TEXTS, unit_costs_request, alert, .local = true, .value = "CHANNELS",
          .help = "send an alert for such a rise to these channels, once per rise"),
    OP_CSV(unit_costs_request),
};

static const struct field result[] = {
    FIELD(TEXT, unit_costs_result, of,
          .help = "unit: experiment, update, prediction or improvement"),
    FIELD(TEXT, unit_costs_result, by, .help = "period: day or month; null: all of the time"),
    FIELD_AS("rows", TABLE, unit_costs_result, costs.rows, .help = "rows, one for each unit"),
    FIELD_AS("trends", LIST, unit_costs_result, costs.trends, .row = &unit_trend_fields,
             .help = "trends, with --by"),
    FIELD(SHARE, unit_costs_result, rise, .help = "rise above which it is reported"),
    FIELD_AS("count", COUNT, unit_costs_result, costs.count,
             .help = "units in total, shown or not"),
    FIELD_AS("mean", NUMBER, unit_costs_result, costs.mean,
             .help = "mean unit cost; null in several currencies"),
    FIELD_AS("median", NUMBER, unit_costs_result, costs.median,
             .help = "median unit cost; null in several currencies"),
    FIELD_AS("mean_currency", CURRENCY, unit_costs_result, costs.mean_currency,
             .help = "currency of the mean and the median"),
    FIELD_AS("without", LIST, unit_costs_result, costs.without, .row = &costs_apart_fields,
             .help = "cost that belongs to no unit: it has no tag"),
    FIELD_AS("unknown", COUNT, unit_costs_result, costs.unknown,
             .help = "runs without a metric or a cost"),
    FIELD(RECORD, unit_costs_result, basis, .row = &costs_basis_fields,
          .help = "data it is based on"),
    OP_CSV_WRITTEN(unit_costs_result),
    FIELD(FLAG, unit_costs_result, alerted, .help = "alerts were evaluated"),
    FIELD(RECORD, unit_costs_result, delivered, .row = &alert_sent_fields,
          .help = "results of sending the alerts"),
};

/* The request as a question. */
static bool read_question(const struct op_context *ctx, const struct unit_costs_request *req,
                          struct unit_question *q, struct error *err)
{
    bool rises = req->rise.len > 0 || req->alert.len > 0;

    *q = (struct unit_question){.what = req->what, .limit = req->limit, .rise = RISE};
    while (!str_eq(req->of, str_from(unit_kinds[q->kind])))
        q->kind++;
    if (req->by.len > 0 || rises) /* a rise is one from month to month, unless --by day */
        q->grain = str_eq(req->by, STR("day")) ? COSTS_DAY : COSTS_MONTH;
    if (req->rise.len > 0 && !num_percent(req->rise, &q->rise)) {
        error_set(err, ERROR_USAGE, "--rise: '%.*s' is not a percentage", STR_ARG(req->rise));
        error_hint(err, "write it as --rise 15%%");
        return false;
    }
    if (!costs_query(&req->ask, op_today(ctx), q->grain == COSTS_MONTH ? 1 : DAYS, &q->query,
                     err))
        return false;
    if (q->grain == COSTS_MONTH && req->ask.days.since.len == 0 && req->ask.days.month.len == 0)
        q->query.since = day_month_add(day_month_start(q->query.since), 1 - MONTHS);
    return true;
}

static bool send_unit_alerts(struct op_context *ctx, struct ledger *ledger,
                             const struct unit_question *q, struct strs channels,
                             struct unit_costs_result *out, struct error *err)
{
    const struct ledger_alert *firing;
    size_t firing_count;
    struct rows found;

    out->alerted = true;
    return channels_check(ledger, channels, ctx->arena, err) &&
           ledger_alerts(ledger, (stamp){-1}, ALERTS_FIRING, ctx->arena, &firing, &firing_count,
                         err) &&
           unit_costs_findings(q, &out->costs, channels, (struct rows){firing, firing_count},
                               ctx->arena, &found, err) &&
           ledger_findings(ledger, found.at, found.len, op_now(ctx), err) &&
           op_deliver(ctx, ledger, &out->delivered, err);
}

static bool unit_costs_run(struct op_context *ctx, const void *in, void *result_out,
                           struct error *err)
{
    const struct unit_costs_request *req = in;
    struct unit_costs_result *out = result_out;
    struct account_source account;
    struct ledger *ledger = NULL;
    struct unit_question q;
    bool ok;

    if (!read_question(ctx, req, &q, err) ||
        !op_ledger_alerting(ctx, req->alert.len > 0, &ledger, err))
        return false;
    account = op_account(ctx, ledger);
    out->of = req->of;
    out->kind = q.kind;
    out->rise = q.rise;
    out->by = q.grain != COSTS_WHOLE ? str_from(costs_grain_name(q.grain)) : (struct str){0};
    ok = account_unit_costs(&account, &q, &out->costs, err) &&
         (req->alert.len == 0 || send_unit_alerts(ctx, ledger, &q, req->alert, out, err));
    costs_basis_of(ctx, ledger, &q.query, &req->ask, &out->costs.spent, &out->basis);
    ledger_close(ledger);
    out->csv = req->csv;
    return ok && op_csv(ctx, req->csv, NULL, &out->costs.rows, err);
}

const struct op op_unit_costs = {
    .name = "unit_costs",
    .schema = "stint.unit_costs/1",
    .summary = "show the cost of one experiment, update or prediction",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct unit_costs_request, request),
    .result = &(const struct field_set)FIELD_SET(struct unit_costs_result, result),
    .run = unit_costs_run,
};
