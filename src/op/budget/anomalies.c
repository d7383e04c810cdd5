/* anomalies - days of unusual spending, by dimension. */
#include <math.h>

#include "doc/files.h"
#include "op/budget/anomalies.h"
#include "op/context.h"
#include "op/deliver.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "series/readings.h"
#include "series/telemetry.h"

/* ---- --values: the events of one series from a CSV file, without the ledger ---- */

#define ROW(label, kind, member, text, ...) \
    FIELD_AS(label, kind, readings_event, member, .help = (text), __VA_ARGS__)

static const struct field row_fields[] = {
    ROW("first", TIME, first, "time of its first value", ),
    ROW("last", TIME, last, "time of its last value, so far", ),
    ROW("seen", TIME, seen, "time of the value that revealed it", ),
    ROW("direction", ENUM, of.direction, "direction of the change: up or down",
        FIELD_NAMES(anomaly_directions)),
    ROW("state", ENUM, of.goes_on, "state: goes on, or over", FIELD_NAMES(anomaly_states)),
    ROW("value", NUMBER, value, "mean of its values", ),
    ROW("expected", NUMBER, expected, "expected mean", ),
    ROW("low", NUMBER, of.low, "low end of the usual range in its first hour or day", ),
    ROW("high", NUMBER, of.high, "high end of the usual range in its first hour or day", ),
    ROW("score", NUMBER, of.score,
        "distance from expected, in deviations (daily: scales of the noise)", ),
};

static const struct field_set row_set = FIELD_SET(struct readings_event, row_fields);

static const struct field fields[] = {
    FIELD(TEXT, anomaly_values, file, .help = "file that was read"),
    FIELD(TEXT, anomaly_values, method, .help = "method: daily or telemetry"),
    FIELD(NUMBER, anomaly_values, interval_s, .help = "seconds from one value to the next"),
    FIELD(COUNT, anomaly_values, together, .help = "values averaged for each test"),
    FIELD(TIME, anomaly_values, first, .help = "time of the first value"),
    FIELD(TIME, anomaly_values, last, .help = "time of the last value"),
    FIELD(COUNT, anomaly_values, values, .help = "known values"),
    FIELD(COUNT, anomaly_values, missing, .help = "rows without a value"),
    FIELD(COUNT, anomaly_values, infinite, .help = "infinite values: not judged"),
    FIELD(COUNT, anomaly_values, repeated, .help = "rows that repeat the time of another"),
    FIELD(COUNT, anomaly_values, gaps, .help = "intervals without a value: not judged"),
    FIELD(LIST, anomaly_values, events, .row = &row_set, .help = "events, newest first"),
};

static const struct field_set anomaly_values_fields = FIELD_SET(struct anomaly_values, fields);

/* ---- the request ---- */

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

/* ---- the file ---- */

struct values_file {
    struct op_context *ctx;
    struct str column;
    struct readings readings;
};

static bool read_readings_stream(void *ctx, struct file_stream *stream, bool listed,
                                 struct error *err)
{
    struct values_file *f = ctx;
    struct csv_options options = {.alloc = f->ctx->arena->alloc};
    struct csv *csv;
    bool ok;

    if (!listed) {
        error_set(err, ERROR_INPUT, "it is a folder, not a file");
        error_hint(err, "name one file; each is judged by itself");
        return false;
    }
    csv = csv_open(stream->source, &options, err);
    if (csv == NULL)
        return false;
    ok = readings_read(csv, f->column, f->ctx->arena, &f->readings, err);
    csv_close(csv);
    return ok;
}

/* What was wrong with the file, and what was done about it. */
static void warn_of_rows(const struct op_context *ctx, const char *path,
                         const struct readings *r, const struct readings_pace *pace)
{
    if (r->backward > 0)
        message_warn(&ctx->messages,
                     "%s: %zu row%s older than the one before: sorted by time (of local times, "
                     "write the UTC offset)",
                     path, r->backward, r->backward == 1 ? " is" : "s are");
    if (r->repeated > 0)
        message_warn(&ctx->messages,
                     "%s: %zu row%s the time of another: their mean is judged (of local times, "
                     "write the UTC offset)",
                     path, r->repeated, r->repeated == 1 ? " has" : "s have");
    if (r->missing > 0)
        message_warn(&ctx->messages,
                     "%s: %zu row%s no value: ignored, not counted as 0 (write 0 if it was)",
                     path, r->missing, r->missing == 1 ? " has" : "s have");
    if (r->infinite > 0)
        message_warn(&ctx->messages, "%s: %zu value%s infinite: not judged (write the number)",
                     path, r->infinite, r->infinite == 1 ? " is" : "s are");
    if (pace->method == READINGS_DAILY && r->negative > 0)
        message_warn(&ctx->messages,
                     "%s: %zu value%s negative: the daily method is meant for amounts and is "
                     "unreliable for those (hourly values may be negative)",
                     path, r->negative, r->negative == 1 ? " is" : "s are");
}

static bool check_pace(const struct anomalies_request *req, const struct readings_pace *pace,
                       struct error *err)
{
    bool least = !currency_unset(req->least.currency);

    if (pace->method == READINGS_DAILY || (!least && isnan(req->share)))
        return true;
    error_set(err, ERROR_USAGE, "--%s is for daily values: these come more often",
              least ? "min-difference" : "share");
    error_hint(err, "leave it out; --threshold N sets how far out an hour must be");
    return false;
}

/* ---- the answer ---- */

static bool make_reading_rows(struct op_context *ctx, const struct readings_found *found,
                              int64_t limit, struct anomalies_result *out, struct error *err)
{
    size_t count = limit > 0 && (int64_t)found->len > limit ? (size_t)limit : found->len;
    struct readings_event *rows = arena_array(ctx->arena, struct readings_event, count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        rows[i] = found->at[found->len - 1 - i];
    for (size_t i = 0; i < found->len; i++)
        out->events.going_on += found->at[i].of.goes_on;
    out->values.events = (struct rows){rows, count};
    out->count = (int64_t)found->len;
    return true;
}

static void fill_anomalies_result(const struct readings *r, const struct readings_pace *pace,
                                  struct anomalies_result *out)
{
    struct anomaly_values *v = &out->values;
    bool daily = pace->method == READINGS_DAILY;

    out->events.series = 1;
    out->events.too_short = pace->too_short;
    out->events.known_until = day_of(r->at[r->len - 1].at);
    v->method = daily ? STR("daily") : STR("telemetry");
    v->interval_s = pace->interval;
    v->together = daily ? 1 : (int64_t)telemetry_together(pace->interval);
    v->values = (int64_t)(r->len - r->missing - r->infinite);
    v->missing = (int64_t)r->missing;
    v->infinite = (int64_t)r->infinite;
    v->repeated = (int64_t)r->repeated;
    v->gaps = (int64_t)pace->empty;
    v->first = r->at[0].at;
    v->last = r->at[r->len - 1].at;
}

/* The sensitivity that a request asks for. */
static struct anomaly_options anomalies_options(const struct anomalies_request *req)
{
    return (struct anomaly_options){.least = decimal_double(req->least.amount),
                                    .share = isnan(req->share) ? 0.2 : req->share,
                                    .threshold = isnan(req->threshold) ? 0 : req->threshold};
}

static bool judge_file(struct op_context *ctx, const struct anomalies_request *req,
                       const char *path, struct anomalies_result *out, struct error *err)
{
    const struct anomaly_options options = anomalies_options(req);
    struct values_file f = {.ctx = ctx, .column = req->column};
    struct file_visitor visitor = {
        .file = read_readings_stream, .ctx = &f, .arena = ctx->arena, .watch = ctx->watch};
    struct readings_found found;
    struct readings_pace pace;

    if (!files_visit(path, &visitor, err) ||
        !readings_pace(&f.readings, ctx->arena, &pace, err))
        return false;
    if (!check_pace(req, &pace, err))
        return false;
    warn_of_rows(ctx, path, &f.readings, &pace);
    fill_anomalies_result(&f.readings, &pace, out);
    return readings_judge(&f.readings, &pace, &options, ctx->arena, &found, err) &&
           make_reading_rows(ctx, &found, req->limit, out, err);
}

/* Judge the series of the file that the request names. */
static bool anomalies_values(struct op_context *ctx, const struct anomalies_request *req,
                             struct anomalies_result *out, struct error *err)
{
    const char *path;

    if (!check_anomalies_request(req, err) ||
        (path = str_dup(req->values, ctx->arena, err)) == NULL)
        return false;
    if (!judge_file(ctx, req, path, out, err)) {
        if (err->kind == ERROR_INPUT)
            error_place(err, path);
        return false;
    }
    out->values.file = req->values;
    out->csv = req->csv;
    return op_csv(ctx, req->csv, NULL,
                  &(struct table_rows){&row_set, out->values.events.at, out->values.events.len},
                  err);
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

    if (!costs_by_dimensions(ctx, req->by, "service", &days.by, &res->by, err) ||
        !costs_query(ctx, &req->ask, DAYS, &days.query, err) ||
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
