/* alert.list, alert.log, alert.ack, alert.send, alert.raise. */
#include "op/alert/alert.h"
#include "op/context.h"
#include "op/deliver.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "unit/moment.h"

static const struct field list_request[] = {
    FIELD(FLAG, alert_list_request, firing, .help = "show only firing alerts"),
    FIELD(TEXT, alert_list_request, since, .value = "WHEN",
          .help = "show only alerts that changed since then: 7d, 2026-11-01"),
};
static const struct field_set list_request_set =
    FIELD_SET(struct alert_list_request, list_request);

static const struct field list_result[] = {
    FIELD(LIST, alert_list_result, alerts, .row = &ledger_alert_fields,
          .help = "alerts, newest first"),
    FIELD(COUNT, alert_list_result, count, .help = "number of alerts"),
    FIELD(COUNT, alert_list_result, firing, .help = "number of firing alerts"),
    FIELD(COUNT, alert_list_result, false_alarms, .help = "number of false alarms"),
};
static const struct field_set list_result_set =
    FIELD_SET(struct alert_list_result, list_result);

static const struct field log_request[] = {
    FIELD(TEXT, alert_log_request, since, .value = "WHEN",
          .help = "show only messages made since then: 7d, 2026-11-01"),
    FIELD(COUNT, alert_log_request, limit, .value = "N", .fallback = "50",
          .help = "show the newest N; 0: all"),
};
static const struct field_set log_request_set =
    FIELD_SET(struct alert_log_request, log_request);

static const struct field log_result[] = {
    FIELD(LIST, alert_log_result, deliveries, .row = &alert_log_fields,
          .help = "messages, newest first"),
    FIELD(COUNT, alert_log_result, count, .help = "number of messages"),
    FIELD(COUNT, alert_log_result, waiting, .help = "number of messages still to be sent"),
    FIELD(COUNT, alert_log_result, given_up, .help = "number of messages given up"),
};
static const struct field_set log_result_set = FIELD_SET(struct alert_log_result, log_result);

static const struct field ack_request[] = {
    FIELD(COUNT, alert_ack_request, id, .value = "ID", .operand = true, .required = true,
          .help = "ID of the alert, as shown by 'stint alert list'"),
    FIELD(FLAG, alert_ack_request, false_alarm, .help = "mark it as a false alarm"),
};
static const struct field_set ack_request_set =
    FIELD_SET(struct alert_ack_request, ack_request);

static const struct field ack_result[] = {
    FIELD(COUNT, alert_ack_result, id, .help = "id of the alert"),
    FIELD(FLAG, alert_ack_result, false_alarm, .help = "marked as a false alarm"),
    FIELD(RECORD, alert_ack_result, delivered, .row = &alert_sent_fields,
          .help = "messages sent"),
};
static const struct field_set ack_result_set = FIELD_SET(struct alert_ack_result, ack_result);

static const struct field send_request[] = {
    FIELD(FLAG, alert_send_request, given_up, .help = "retry messages that were given up"),
};
static const struct field_set send_request_set =
    FIELD_SET(struct alert_send_request, send_request);

/* ---- list ---- */

static bool alerts_list(struct op_context *ctx, const void *request_in, void *result_out,
                        struct error *err)
{
    const struct alert_list_request *req = request_in;
    struct alert_list_result *res = result_out;
    const struct ledger_alert *alerts = NULL;
    struct ledger *ledger;
    size_t count = 0;
    stamp since;
    bool ok;

    *res = (struct alert_list_result){0};
    if (!moment_parse(op_now(ctx), "since", req->since, &since, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    ok = ledger == NULL ||
         ledger_alerts(ledger, since, req->firing ? ALERTS_FIRING : ALERTS_CHANGED, ctx->arena,
                       &alerts, &count, err);
    ledger_close(ledger);
    for (size_t i = 0; ok && i < count; i++) {
        res->firing += alerts[i].firing;
        res->false_alarms += alerts[i].false_alarm;
    }
    res->alerts = (struct rows){alerts, count};
    res->count = (int64_t)count;
    return ok;
}

/* ---- log ---- */

static bool messages_list(struct op_context *ctx, const void *request_in, void *result_out,
                          struct error *err)
{
    const struct alert_log_request *req = request_in;
    struct alert_log_result *res = result_out;
    const struct ledger_delivery *deliveries = NULL;
    struct alert_log_view *views;
    struct ledger *ledger;
    size_t count = 0;
    stamp since;
    bool ok;

    *res = (struct alert_log_result){0};
    if (!moment_parse(op_now(ctx), "since", req->since, &since, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    ok = ledger == NULL ||
         ledger_deliveries(ledger, since, req->limit, ctx->arena, &deliveries, &count, err);
    ledger_close(ledger);
    views = ok ? arena_array(ctx->arena, struct alert_log_view, count, err) : NULL;
    for (size_t i = 0; views != NULL && i < count; i++) {
        if (!alert_log_view_make(&deliveries[i], ctx->arena, &views[i], err))
            return false;
        res->waiting += str_eq(deliveries[i].state, STR("waiting")) ||
                        str_eq(deliveries[i].state, STR("sending"));
        res->given_up += str_eq(deliveries[i].state, STR("given up"));
    }
    res->deliveries = (struct rows){views, count};
    res->count = (int64_t)count;
    return views != NULL;
}

/* ---- ack, send ---- */

/* The operation did not do all that was asked when messages failed. */
static void set_status(struct op_context *ctx, const struct alert_sent *sent)
{
    if (sent->waiting > 0 || sent->given_up > 0)
        ctx->partly = true;
}

static bool alerts_acknowledge(struct op_context *ctx, const void *request_in, void *result_out,
                               struct error *err)
{
    const struct alert_ack_request *req = request_in;
    struct alert_ack_result *res = result_out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_CHANGE, err);
    struct ledger_seen seen;
    bool found = false, ok;

    if (ledger == NULL)
        return false;
    seen = (struct ledger_seen){.by = op_user(ctx), .false_alarm = req->false_alarm};
    ok = channels_for_acknowledgement(ledger, ctx->arena, &seen.channels, err) &&
         ledger_alert_acknowledge(ledger, req->id, &seen, op_now(ctx), &found, err);
    if (ok && !found) {
        error_set(err, ERROR_ABSENT, "there is no alert %lld", (long long)req->id);
        error_hint(err, "'stint alert list' shows them");
        ok = false;
    }
    *res = (struct alert_ack_result){.id = req->id, .false_alarm = req->false_alarm};
    ok = ok && op_deliver(ctx, ledger, &res->delivered, err);
    ledger_close(ledger);
    set_status(ctx, &res->delivered);
    return ok;
}

static bool messages_send(struct op_context *ctx, const void *request_in, void *result_out,
                          struct error *err)
{
    const struct alert_send_request *req = request_in;
    struct alert_sent *res = result_out;
    struct ledger *ledger;
    int64_t revived;
    bool ok;

    *res = (struct alert_sent){0};
    if (!op_ledger_change(ctx, &ledger, err))
        return false;
    if (ledger == NULL)
        return true; /* there is nothing to send */
    ok = (!req->given_up || ledger_delivery_revive(ledger, op_now(ctx), &revived, err)) &&
         op_deliver(ctx, ledger, res, err);
    ledger_close(ledger);
    set_status(ctx, res);
    return ok;
}

const struct op op_alert_list = {
    .name = "alert.list",
    .schema = "stint.alert.list/1",
    .summary = "list alerts",
    .remote = OP_READ,
    .request = &list_request_set,
    .result = &list_result_set,
    .run = alerts_list,
};

const struct op op_alert_log = {
    .name = "alert.log",
    .schema = "stint.alert.log/1",
    .summary = "list sent messages and their delivery status",
    .remote = OP_READ,
    .request = &log_request_set,
    .result = &log_result_set,
    .run = messages_list,
};

const struct op op_alert_ack = {
    .name = "alert.ack",
    .schema = "stint.alert.ack/1",
    .remote = OP_WRITE,
    .changes = true,
    .summary = "acknowledge an alert",
    .request = &ack_request_set,
    .result = &ack_result_set,
    .run = alerts_acknowledge,
};

const struct op op_alert_send = {
    .name = "alert.send",
    .schema = "stint.alert.send/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "send queued messages that are due",
    .request = &send_request_set,
    .result = &alert_sent_fields,
    .run = messages_send,
};

/* ---- raise ---- */

static const struct field raise_request[] = {
    FIELD(TEXT, alert_event, name, .value = "NAME", .operand = true, .required = true,
          .help = "name of the event; one that is already firing is not sent again"),
    FIELD(TEXT, alert_event, title, .value = "TEXT",
          .help = "title: what happened, in one line"),
    FIELD(TEXT, alert_event, message, .value = "TEXT", .help = "details of the event"),
    FIELD(CHOICE, alert_event, severity, .value = "LEVEL", .choices = severity_names,
          .fallback = "warning", .help = "info, warning, error or critical"),
    FIELD(TEXTS, alert_event, alert, .value = "CHANNELS", .help = "channels to send it to"),
    FIELD(TEXT, alert_event, kind, .value = "KIND", .fallback = "event",
          .help = "kind of the event, for receivers"),
    FIELD_AS("resolve", FLAG, alert_event, over,
             .help = "end the event, and all whose names begin with NAME/"),
};
static const struct field_set raise_request_set = FIELD_SET(struct alert_event, raise_request);

static const struct field raise_result[] = {
    FIELD(TEXT, alert_raise_result, name, .help = "name of the event"),
    FIELD_AS("resolved", COUNT, alert_raise_result, over, .help = "events that ended"),
    FIELD(RECORD, alert_raise_result, delivered, .row = &alert_sent_fields,
          .help = "messages sent"),
};
static const struct field_set raise_result_set =
    FIELD_SET(struct alert_raise_result, raise_result);

static bool alert_raise(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct alert_event *event = in;
    struct alert_raise_result *res = out;
    struct alert_sender with = {.arena = ctx->arena, .clock = ctx->clock};
    bool ok;

    res->name = event->name;
    if (!alert_event_check(event, err))
        return false;
    with.ledger = op_ledger(ctx, event->over ? LEDGER_CHANGE : LEDGER_WRITE, err);
    ok = with.ledger != NULL && alert_event_raise(&with, event, &res->over, err) &&
         op_deliver(ctx, with.ledger, &res->delivered, err);
    ledger_close(with.ledger);
    return ok;
}

const struct op op_alert_raise = {
    .name = "alert.raise",
    .schema = "stint.alert.raise/1",
    .remote = OP_WRITE,
    .changes = true,
    .summary = "raise an alert of your own",
    .request = &raise_request_set,
    .result = &raise_result_set,
    .run = alert_raise,
};
