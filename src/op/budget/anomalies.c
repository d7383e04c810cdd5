/* anomalies - days of unusual spending, by dimension. */
#include <math.h>

#include "op/budget/anomalies.h"
#include "op/context.h"
#include "op/deliver.h"
#include "op/ledger_open.h"
#include "op/op.h"

/* ---- --values: a CSV file instead of the ledger ---- */

static bool refuse_option(const char *option, struct error *err)
{
    error_set(err, ERROR_USAGE, "--values and --%s exclude each other", option);
    error_hint(err, "--values judges the one series of a file, all of it, without the ledger");
    return false;
}

static bool check_anomalies_request(const struct anomalies_request *req, struct error *err)
{
    const struct {
        const char *option;
        bool given;
    } of_ledger[] = {
        {"by", req->by.len > 0},
        {"since", req->ask.days.since.len > 0},
        {"until", req->ask.days.until.len > 0},
        {"month", req->ask.days.month.len > 0},
        {"where", req->ask.where.len > 0},
        {"cost", !str_eq(req->ask.cost, STR("effective"))},
        {"from", !str_eq(req->ask.from, STR("all"))},
        {"currency", req->ask.currency.len > 0},
        {"alert", req->alert.len > 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(of_ledger); i++)
        if (of_ledger[i].given)
            return refuse_option(of_ledger[i].option, err);
    return true;
}

/* The sensitivity that a request asks for. */
static struct anomaly_options anomalies_options(const struct anomalies_request *req)
{
    return (struct anomaly_options){.least = decimal_double(req->least.amount),
                                    .share = isnan(req->share) ? 0.2 : req->share,
                                    .threshold = isnan(req->threshold) ? 0 : req->threshold};
}

/* Judge the series of the file that the request names. */
static bool anomalies_values(struct op_context *ctx, const struct anomalies_request *req,
                             struct anomalies_result *out, struct error *err)
{
    struct values_question q = {.column = req->column,
                                .options = anomalies_options(req),
                                .daily_only = !currency_unset(req->least.currency)
                                                  ? "min-difference"
                                              : !isnan(req->share) ? "share"
                                                                   : NULL,
                                .messages = &ctx->messages,
                                .watch = ctx->watch};
    struct rows *events = &out->values.events;

    if (!check_anomalies_request(req, err) ||
        (q.path = str_dup(req->values, ctx->arena, err)) == NULL ||
        !anomaly_values_judge(&q, ctx->arena, &out->values, &out->events, err))
        return false;
    out->count = (int64_t)events->len;
    if (req->limit > 0 && out->count > req->limit)
        events->len = (size_t)req->limit;
    out->values.file = req->values;
    out->csv = req->csv;
    return op_csv(ctx, req->csv, NULL,
                  &(struct table_rows){&readings_event_fields, events->at, events->len}, err);
}

/* ---- the ledger ---- */

#define DAYS 90                         /* by default */
#define LEAST ((struct decimal){20, 0}) /* dollars a day, by default */

static const struct field request[] = {
    FIELD(TEXTS, anomalies_request, by, .value = "LIST",
          .help = "dimensions; each value is judged separately (default: service)"),
    COSTS_ASK(anomalies_request, "90d"),
    FIELD_AS("min_difference", MONEY, anomalies_request, least, .value = "AMOUNT",
             .help = "smallest difference per day (default: 20usd; with --values: 0)"),
    FIELD(SHARE, anomalies_request, share, .value = "SHARE",
          .help = "smallest difference as a share of the expected value (default: 20%)"),
    FIELD(NUMBER, anomalies_request, threshold, .value = "N", .positive = true,
          .help =
              "smallest distance in scales of the noise (default: 5.8; 4 deviations for "
              "values more often than daily); lower values find more, with more false alarms"),
    FIELD(TEXTS, anomalies_request, alert, .local = true, .value = "CHANNELS",
          .help = "send each event to these channels once"),
    FIELD(TEXT, anomalies_request, values, .local = true, .value = "FILE",
          .help = "CSV file of values to judge (time,value) instead of the ledger; -: "
                  "standard input"),
    FIELD(TEXT, anomalies_request, column, .local = true, .value = "NAME",
          .help = "column of FILE with the values (default: value, cost, amount or mean)"),
    FIELD(COUNT, anomalies_request, limit, .value = "N", .fallback = "20",
          .help = "show the newest N; 0: all"),
    OP_CSV(anomalies_request),
};

static const struct field result[] = {
    FIELD(TEXTS, anomalies_result, by, .help = "dimensions"),
    FIELD_AS("rows", TABLE, anomalies_result, events.rows, .help = "events, newest first"),
    FIELD(COUNT, anomalies_result, count, .help = "number of events"),
    FIELD_AS("ongoing", COUNT, anomalies_result, events.going_on, .help = "ongoing events"),
    FIELD_AS("series", COUNT, anomalies_result, events.series,
             .help = "series that were checked"),
    FIELD_AS("too_short", COUNT, anomalies_result, events.too_short,
             .help = "series with fewer than 28 days: not judged"),
    FIELD(COUNT, anomalies_result, alerts, .help = "alerts about anomalies in these days"),
    FIELD(COUNT, anomalies_result, false_alarms, .help = "alerts marked as false alarms"),
    FIELD_AS("known_until", DAY, anomalies_result, events.known_until,
             .help = "last complete day"),
    FIELD(RECORD, anomalies_result, basis, .row = &costs_basis_fields,
          .help = "data it is based on"),
    FIELD(FLAG, anomalies_result, alerted, .help = "alerts were requested"),
    FIELD(RECORD, anomalies_result, delivered, .row = &alert_sent_fields,
          .help = "messages sent"),
    FIELD(RECORD, anomalies_result, values, .row = &anomaly_values_fields, .sparse = true,
          .help = "results with --values: method and events"),
    FIELD(TEXT, anomalies_result, csv, .sparse = true,
          .help = "file the events were written to"),
};

static bool send_anomaly_alerts(struct op_context *ctx, const struct account_source *account,
                                const struct anomalies_request *req, day since,
                                struct anomalies_result *res, struct error *err)
{
    const struct anomaly_question question = {.by = res->by,
                                              .where = req->ask.where,
                                              .channels = req->alert,
                                              .least = req->least.amount};

    if (account->ledger != NULL &&
        !anomalies_counted(account, since, &res->alerts, &res->false_alarms, err))
        return false;
    if (req->alert.len == 0)
        return true;
    res->alerted = true;
    return channels_check(account->ledger, question.channels, ctx->arena, err) &&
           anomalies_alert(account, op_now(ctx), &question, res->events.rows.at,
                           res->events.rows.len, err) &&
           op_deliver(ctx, account->ledger, &res->delivered, err);
}

/* The events that are asked for; alerts are of all of them. */
static bool judge_ledger(struct op_context *ctx, struct ledger *ledger,
                         const struct anomalies_request *req, struct daily_costs *days,
                         struct anomalies_result *res, struct error *err)
{
    const struct anomaly_options options = anomalies_options(req);
    struct account_source account = op_account(ctx, ledger);
    struct spending_query asked = days->query;
    struct table_rows *rows = &res->events.rows;

    if (!account_anomalies(&account, days, &options, &res->events, err) ||
        !send_anomaly_alerts(ctx, &account, req, asked.since, res, err))
        return false;
    costs_basis_of(ctx, ledger, &asked, &req->ask, &days->answer, &res->basis);
    res->count = (int64_t)rows->len;
    if (req->limit > 0 && res->count > req->limit)
        rows->len = (size_t)req->limit;
    res->csv = req->csv;
    return op_csv(ctx, res->csv, NULL, rows, err);
}

static bool anomalies_ledger(struct op_context *ctx, const struct anomalies_request *req,
                             struct anomalies_result *res, struct error *err)
{
    struct ledger *ledger = NULL;
    struct daily_costs days = {0};
    bool ok;

    if (!costs_by_dimensions(req->by, "service", ctx->arena, &days.by, &res->by, err) ||
        !costs_query(&req->ask, op_today(ctx), DAYS, &days.query, err) ||
        !op_ledger_alerting(ctx, req->alert.len > 0, &ledger, err))
        return false;
    ok = judge_ledger(ctx, ledger, req, &days, res, err);
    ledger_close(ledger);
    return ok;
}

static bool anomalies_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct anomalies_request asked = *(const struct anomalies_request *)in;
    struct anomalies_result *res = out;

    res->count = 0;
    res->events = (struct anomaly_events){.known_until = DAY_UNKNOWN};
    res->alerts = res->false_alarms = 0;
    if (asked.values.len > 0)
        return anomalies_values(ctx, &asked, res, err);
    if (asked.column.len > 0)
        return error_fail(err, ERROR_USAGE,
                          "--column names one of a file: give that with --values FILE");
    if (currency_unset(asked.least.currency))
        asked.least = costs_money(LEAST, currency_usd);
    return anomalies_ledger(ctx, &asked, res, err);
}

const struct op op_anomalies = {
    .name = "anomalies",
    .schema = "stint.anomalies/1",
    .remote = OP_READ,
    .team = OP_TEAM_WHERE,
    .changes = true,
    .summary = "list days of unusual spending and their likely causes",
    .request = &(const struct field_set)FIELD_SET(struct anomalies_request, request),
    .result = &(const struct field_set)FIELD_SET(struct anomalies_result, result),
    .run = anomalies_run,
};
