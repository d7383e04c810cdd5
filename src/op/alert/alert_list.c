/* alert.list, alert.log, alert.ack, alert.send. */
#include "base/process.h"
#include "op/alert/alert.h"
#include "op/alert/alert_message.h"
#include "op/moment.h"

static const struct field list_request[] = {
    FIELD(FLAG, alert_list_request, firing, .help = "only those that go on"),
    FIELD(TEXT, alert_list_request, since, .value = "WHEN",
          .help = "changed no longer ago than 7d, or since 2026-11-01"),
};
static const struct field_set list_request_set =
    FIELD_SET(struct alert_list_request, list_request);

static const struct field view_fields[] = {
    FIELD(COUNT, alert_view, id, .help = "to acknowledge it by"),
    FIELD(TEXT, alert_view, state, .help = "firing or resolved"),
    FIELD(TEXT, alert_view, severity, .help = "info, warning, error or critical"),
    FIELD(TEXT, alert_view, title, .help = "a line"),
    FIELD(TEXT, alert_view, words, .help = "a sentence or a few"),
    FIELD(TEXT, alert_view, kind, .help = "budget_threshold, anomaly, ..."),
    FIELD(TEXT, alert_view, dedup, .help = "what receivers know it by"),
    FIELD(TEXT, alert_view, began, .help = "in UTC"),
    FIELD(TEXT, alert_view, changed, .help = "in UTC"),
    FIELD(TEXT, alert_view, ended, .help = "in UTC; null while it goes on"),
    FIELD(TEXT, alert_view, seen_by, .help = "who acknowledged it"),
    FIELD(FLAG, alert_view, false_alarm, .help = "it was said to be one"),
    FIELD(COUNT, alert_view, updates, .help = "it was told again so often"),
};
const struct field_set alert_view_fields = FIELD_SET(struct alert_view, view_fields);

static const struct field list_result[] = {
    FIELD(LIST, alert_list_result, alerts, .row = &alert_view_fields,
          .help = "the newest first"),
    FIELD(COUNT, alert_list_result, count, .help = "of them"),
    FIELD(COUNT, alert_list_result, firing, .help = "that go on"),
    FIELD(COUNT, alert_list_result, false_alarms, .help = "that were none"),
};
static const struct field_set list_result_set =
    FIELD_SET(struct alert_list_result, list_result);

static const struct field log_request[] = {
    FIELD(TEXT, alert_log_request, since, .value = "WHEN",
          .help = "made no longer ago than 7d, or since 2026-11-01"),
    FIELD(COUNT, alert_log_request, limit, .value = "N", .fallback = "50",
          .help = "the newest N; 0: all"),
};
static const struct field_set log_request_set =
    FIELD_SET(struct alert_log_request, log_request);

static const struct field log_view[] = {
    FIELD(COUNT, alert_log_view, id, .help = "of the message"),
    FIELD(COUNT, alert_log_view, alert, .help = "that it is about"),
    FIELD(TEXT, alert_log_view, channel, .help = "that is told"),
    FIELD(TEXT, alert_log_view, what, .help = "firing, update, resolved or acknowledged"),
    FIELD(TEXT, alert_log_view, title, .help = "of it"),
    FIELD(TEXT, alert_log_view, state, .help = "waiting, sending, sent or given up"),
    FIELD(TEXT, alert_log_view, made, .help = "in UTC"),
    FIELD(COUNT, alert_log_view, tries, .help = "so far"),
    FIELD(TEXT, alert_log_view, tried, .help = "last, in UTC"),
    FIELD(TEXT, alert_log_view, next, .help = "try, in UTC; null: none"),
    FIELD(TEXT, alert_log_view, answer, .help = "that came, or why it waits"),
};
static const struct field_set log_view_set = FIELD_SET(struct alert_log_view, log_view);

static const struct field log_result[] = {
    FIELD(LIST, alert_log_result, deliveries, .row = &log_view_set, .help = "the newest first"),
    FIELD(COUNT, alert_log_result, count, .help = "of them"),
    FIELD(COUNT, alert_log_result, waiting, .help = "that are still to be sent"),
    FIELD(COUNT, alert_log_result, given_up, .help = "that will not be"),
};
static const struct field_set log_result_set = FIELD_SET(struct alert_log_result, log_result);

static const struct field ack_request[] = {
    FIELD(COUNT, alert_ack_request, id, .value = "ID", .operand = true, .required = true,
          .help = "as 'stint alert list' shows it"),
    FIELD(FLAG, alert_ack_request, false_alarm, .help = "it was none: counted as such"),
};
static const struct field_set ack_request_set =
    FIELD_SET(struct alert_ack_request, ack_request);

static const struct field ack_result[] = {
    FIELD(COUNT, alert_ack_result, id, .help = "of the alert"),
    FIELD(FLAG, alert_ack_result, false_alarm, .help = "it was said to be none"),
    FIELD(RECORD, alert_ack_result, delivered, .row = &alert_sent_fields,
          .help = "who was told"),
};
static const struct field_set ack_result_set = FIELD_SET(struct alert_ack_result, ack_result);

static const struct field send_request[] = {
    FIELD(FLAG, alert_send_request, given_up, .help = "try those that were given up once more"),
};
static const struct field_set send_request_set =
    FIELD_SET(struct alert_send_request, send_request);

/* ---- list ---- */

bool alert_view_make(struct op_context *ctx, const struct ledger_alert *a,
                     struct alert_view *out, struct error *err)
{
    *out = (struct alert_view){.id = a->key,
                               .state = a->firing ? STR("firing") : STR("resolved"),
                               .severity = a->severity,
                               .title = a->title,
                               .words = a->words,
                               .kind = a->kind,
                               .dedup = a->dedup,
                               .seen_by = ledger_known(a->acknowledged_by),
                               .false_alarm = a->false_alarm,
                               .updates = a->updates};
    return ledger_when(a->began, ctx->arena, &out->began, err) &&
           ledger_when(a->changed, ctx->arena, &out->changed, err) &&
           ledger_when(a->ended, ctx->arena, &out->ended, err);
}

static bool list(struct op_context *ctx, const void *request_in, void *result_out,
                 struct error *err)
{
    const struct alert_list_request *req = request_in;
    struct alert_list_result *res = result_out;
    const struct ledger_alert *alerts = NULL;
    struct alert_view *views;
    struct ledger *ledger;
    size_t count = 0;
    stamp since;
    bool ok;

    *res = (struct alert_list_result){0};
    if (!op_moment(ctx, "since", req->since, &since, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    ok = ledger == NULL ||
         ledger_alerts(ledger, since, req->firing ? ALERTS_FIRING : ALERTS_CHANGED, ctx->arena,
                       &alerts, &count, err);
    ledger_close(ledger);
    views = ok ? arena_array(ctx->arena, struct alert_view, count, err) : NULL;
    for (size_t i = 0; views != NULL && i < count; i++) {
        if (!alert_view_make(ctx, &alerts[i], &views[i], err))
            return false;
        res->firing += alerts[i].firing;
        res->false_alarms += alerts[i].false_alarm;
    }
    res->alerts = (struct rows){views, count};
    res->count = (int64_t)count;
    return views != NULL;
}

/* ---- log ---- */

static bool show_delivery(struct op_context *ctx, const struct ledger_delivery *d,
                          struct alert_log_view *out, struct error *err)
{
    bool waits = str_eq(d->state, STR("waiting"));
    struct alert_message message = {0};
    struct error ignored = {0};

    if (!alert_message_read(ctx, d, &message, &ignored) && ignored.kind == ERROR_MEMORY)
        return error_memory(err);
    *out = (struct alert_log_view){.id = d->key,
                                   .alert = d->alert,
                                   .channel = d->channel,
                                   .what = d->what,
                                   .title = message.title,
                                   .state = d->state,
                                   .tries = d->tries,
                                   .answer = ledger_known(d->answer)};
    return ledger_when(d->made, ctx->arena, &out->made, err) &&
           ledger_when(d->tries > 0 ? d->tried : (stamp){-1}, ctx->arena, &out->tried, err) &&
           ledger_when(waits ? d->not_before : (stamp){-1}, ctx->arena, &out->next, err);
}

static bool show_log(struct op_context *ctx, const void *request_in, void *result_out,
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
    if (!op_moment(ctx, "since", req->since, &since, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    ok = ledger == NULL ||
         ledger_deliveries(ledger, since, req->limit, ctx->arena, &deliveries, &count, err);
    ledger_close(ledger);
    views = ok ? arena_array(ctx->arena, struct alert_log_view, count, err) : NULL;
    for (size_t i = 0; views != NULL && i < count; i++) {
        if (!show_delivery(ctx, &deliveries[i], &views[i], err))
            return false;
        res->waiting +=
            str_eq(views[i].state, STR("waiting")) || str_eq(views[i].state, STR("sending"));
        res->given_up += str_eq(views[i].state, STR("given up"));
    }
    res->deliveries = (struct rows){views, count};
    res->count = (int64_t)count;
    return views != NULL;
}

/* ---- ack, send ---- */

static void note_failures(struct op_context *ctx, const struct alert_sent *sent)
{
    if (sent->waiting > 0 || sent->given_up > 0)
        ctx->partly = true;
}

/* The channels that make sense of an acknowledgement. */
static bool those_who_understand(struct op_context *ctx, struct ledger *ledger,
                                 struct strs *out, struct error *err)
{
    const struct channel *channels;
    struct str *names;
    size_t count, kept = 0;

    if (!channels_read(ctx, ledger, &channels, &count, err))
        return false;
    names = arena_array(ctx->arena, struct str, count, err);
    for (size_t i = 0; names != NULL && i < count; i++)
        if (alert_takes_acknowledgements(channels[i].kind))
            names[kept++] = channels[i].name;
    *out = (struct strs){names, kept};
    return names != NULL;
}

static bool ack(struct op_context *ctx, const void *request_in, void *result_out,
                struct error *err)
{
    const struct alert_ack_request *req = request_in;
    struct alert_ack_result *res = result_out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_WRITE, err);
    struct ledger_seen seen;
    bool found = false, ok;

    if (ledger == NULL)
        return false;
    seen =
        (struct ledger_seen){.by = process_user(ctx->arena), .false_alarm = req->false_alarm};
    ok = those_who_understand(ctx, ledger, &seen.channels, err) &&
         ledger_alert_acknowledge(ledger, req->id, &seen, ctx->clock->today(ctx->clock->ctx),
                                  &found, err);
    if (ok && !found) {
        error_set(err, ERROR_ABSENT, "there is no alert %lld", (long long)req->id);
        error_hint(err, "'stint alert list' shows them");
        ok = false;
    }
    *res = (struct alert_ack_result){.id = req->id, .false_alarm = req->false_alarm};
    ok = ok && op_alert_deliver(ctx, ledger, &res->delivered, err);
    ledger_close(ledger);
    note_failures(ctx, &res->delivered);
    return ok;
}

static bool send_due(struct op_context *ctx, const void *request_in, void *result_out,
                     struct error *err)
{
    const struct alert_send_request *req = request_in;
    struct alert_sent *res = result_out;
    struct ledger *ledger;
    int64_t revived;
    bool ok;

    *res = (struct alert_sent){0};
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    if (ledger == NULL)
        return false;
    ok = (!req->given_up ||
          ledger_delivery_revive(ledger, ctx->clock->today(ctx->clock->ctx), &revived, err)) &&
         op_alert_deliver(ctx, ledger, res, err);
    ledger_close(ledger);
    note_failures(ctx, res);
    return ok;
}

const struct op op_alert_list = {
    .name = "alert.list",
    .schema = "stint.alert.list/1",
    .summary = "list alerts",
    .request = &list_request_set,
    .result = &list_result_set,
    .run = list,
};

const struct op op_alert_log = {
    .name = "alert.log",
    .schema = "stint.alert.log/1",
    .summary = "list sent messages and their delivery status",
    .request = &log_request_set,
    .result = &log_result_set,
    .run = show_log,
};

const struct op op_alert_ack = {
    .name = "alert.ack",
    .schema = "stint.alert.ack/1",
    .changes = true,
    .summary = "acknowledge an alert",
    .request = &ack_request_set,
    .result = &ack_result_set,
    .run = ack,
};

const struct op op_alert_send = {
    .name = "alert.send",
    .schema = "stint.alert.send/1",
    .changes = true,
    .summary = "send queued messages that are due",
    .request = &send_request_set,
    .result = &alert_sent_fields,
    .run = send_due,
};
