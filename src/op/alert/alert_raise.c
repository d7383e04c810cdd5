/* alert.raise - an alert from a script or a supervised run: into the queue, and sent. */
#include "op/alert/alert.h"
#include "op/alert/alert_channel.h"
#include "op/alert/alert_message.h"
#include "op/ledger_open.h"
#include "unit/severity.h"

#define PREFIX "raised/"
#define NAME_MOST 200

static const char *const severities[] = {"info", "warning", "error", "critical", NULL};

static const struct field request[] = {
    FIELD(TEXT, alert_raise_request, name, .value = "NAME", .operand = true, .required = true,
          .help = "of the event: one that fires already is not sent again"),
    FIELD(TEXT, alert_raise_request, title, .value = "TEXT", .help = "one line: what happened"),
    FIELD(TEXT, alert_raise_request, message, .value = "TEXT", .help = "and more, if any"),
    FIELD(CHOICE, alert_raise_request, severity, .value = "LEVEL", .choices = severities,
          .fallback = "warning", .help = "info, warning, error or critical"),
    FIELD(TEXTS, alert_raise_request, alert, .value = "CHANNELS", .help = "send it to these"),
    FIELD(TEXT, alert_raise_request, kind, .value = "KIND", .fallback = "event",
          .help = "what receivers sort it by"),
    FIELD(FLAG, alert_raise_request, over,
          .help = "it is over, and so is every event whose name begins with NAME/"),
};
static const struct field_set request_set = FIELD_SET(struct alert_raise_request, request);

static const struct field result[] = {
    FIELD(TEXT, alert_raise_result, name, .help = "of the event"),
    FIELD(COUNT, alert_raise_result, over, .help = "events that ended"),
    FIELD(RECORD, alert_raise_result, delivered, .row = &alert_sent_fields,
          .help = "what became of it"),
};
static const struct field_set result_set = FIELD_SET(struct alert_raise_result, result);

static bool check(const struct alert_raise_request *req, struct error *err)
{
    if (req->name.len > NAME_MOST)
        return error_fail(err, ERROR_USAGE, "the name has more than %d bytes", NAME_MOST);
    if (req->over || (req->title.len > 0 && req->alert.len > 0))
        return true;
    error_set(err, ERROR_USAGE, "an alert needs a title and a channel");
    error_hint(err, "stint alert raise backup --title 'The backup failed' --alert team");
    return false;
}

static bool dedup_of(struct op_context *ctx, struct str name, struct str *out,
                     struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 2 * NAME_MOST);

    buf_adds(&text, PREFIX);
    buf_add(&text, name);
    return buf_keep(&text, ctx->arena, out, err);
}

static bool raise_one(struct op_context *ctx, struct ledger *ledger,
                      const struct alert_raise_request *req, struct str dedup,
                      struct error *err)
{
    struct ledger_finding f = {.alert = {.dedup = dedup,
                                         .kind = req->kind,
                                         .severity = req->severity,
                                         .title = req->title,
                                         .words = req->message,
                                         .level = 1},
                               .channels = req->alert};
    const struct channel *channels;
    size_t count;

    return channels_read(ctx, ledger, &channels, &count, err) &&
           channels_check(channels, count, req->alert, err) &&
           ledger_findings(ledger, &f, 1, ctx->clock->today(ctx->clock->ctx), err);
}

/* The event of that name, and those below it. */
static bool end_all(struct op_context *ctx, struct ledger *ledger,
                    const struct alert_raise_request *req, struct str dedup, int64_t *ended,
                    struct error *err)
{
    const struct ledger_alert *firing;
    struct ledger_finding *at;
    size_t count, found = 0;

    if (!ledger_alerts(ledger, (stamp){-1}, ALERTS_FIRING, ctx->arena, &firing, &count, err) ||
        (at = arena_array(ctx->arena, struct ledger_finding, count, err)) == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct str name = firing[i].dedup;

        if (str_starts(name, dedup) && (name.len == dedup.len || name.at[dedup.len] == '/'))
            at[found++] = (struct ledger_finding){
                .alert = {.dedup = name,
                          .words = req->message.len > 0 ? req->message : STR("It is over.")},
                .over = true};
    }
    *ended = (int64_t)found;
    return ledger_findings(ledger, at, found, ctx->clock->today(ctx->clock->ctx), err);
}

static bool raise(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct alert_raise_request *req = in;
    struct alert_raise_result *res = out;
    struct ledger *ledger;
    struct str dedup;
    bool ok;

    res->name = req->name;
    res->over = 0;
    if (!check(req, err) || !dedup_of(ctx, req->name, &dedup, err))
        return false;
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    if (ledger == NULL)
        return false;
    ok = (req->over ? end_all(ctx, ledger, req, dedup, &res->over, err)
                    : raise_one(ctx, ledger, req, dedup, err)) &&
         op_alert_deliver(ctx, ledger, &res->delivered, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_alert_raise = {
    .name = "alert.raise",
    .schema = "stint.alert.raise/1",
    .changes = true,
    .summary = "raise an alert of your own",
    .request = &request_set,
    .result = &result_set,
    .run = raise,
};
