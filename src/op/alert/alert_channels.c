/* alert.channels, alert.remove, alert.test. */
#include <string.h>

#include "op/alert/alert.h"

static const struct field_set no_set = {.size = 1}; /* nothing is asked */

static const struct field view_fields[] = {
    FIELD(TEXT, alert_channel_view, name, .help = "of the channel"),
    FIELD(TEXT, alert_channel_view, kind, .help = "of it"),
    FIELD(TEXT, alert_channel_view, to, .help = "its address, unless that is a secret"),
    FIELD(TEXT, alert_channel_view, secret,
          .help = "where its secret is: a variable or a file"),
    FIELD(FLAG, alert_channel_view, ready, .help = "its secrets can be had here"),
    FIELD(TEXT, alert_channel_view, quiet, .help = "hours in which only the critical is sent"),
    FIELD(TEXT, alert_channel_view, digest, .help = "when the rest is sent at once"),
};
static const struct field_set view_set = FIELD_SET(struct alert_channel_view, view_fields);

static const struct field channels_fields[] = {
    FIELD(LIST, alert_channels_result, channels, .row = &view_set, .help = "by name"),
};
static const struct field_set channels_set =
    FIELD_SET(struct alert_channels_result, channels_fields);

static const struct field name_fields[] = {
    FIELD(TEXT, alert_name_request, name, .value = "NAME", .operand = true, .required = true,
          .help = "of the channel"),
};
static const struct field_set name_set = FIELD_SET(struct alert_name_request, name_fields);

static const struct field named_fields[] = {
    FIELD(TEXT, alert_name_result, name, .help = "of the channel"),
};
static const struct field_set named_set = FIELD_SET(struct alert_name_result, named_fields);

static const struct field tested_fields[] = {
    FIELD(TEXT, alert_name_result, name, .help = "of the channel"),
    FIELD(TEXT, alert_name_result, answer, .help = "what its server said"),
};
static const struct field_set tested_set = FIELD_SET(struct alert_name_result, tested_fields);

/* ---- channels ---- */

static bool keep(struct op_context *ctx, struct buf *text, struct str *out, struct error *err)
{
    bool ok = buf_ok(text, err);

    *out = (struct str){0};
    if (ok && text->len > 0) {
        out->at = str_dup(buf_text(text), ctx->arena, err);
        out->len = text->len;
        ok = out->at != NULL;
    }
    buf_free(text);
    return ok;
}

static void put_place(struct str variable, struct str file, struct buf *out)
{
    if (variable.len == 0 && file.len == 0)
        return;
    buf_adds(out, out->len > 0 ? ", " : "");
    buf_adds(out, variable.len > 0 ? "$" : "");
    buf_add(out, variable.len > 0 ? variable : file);
}

static bool show(struct op_context *ctx, const struct channel *c,
                 struct alert_channel_view *out, struct error *err)
{
    const struct channel_settings *s = &c->settings;
    struct buf to = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT),
               secret = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    struct open_channel open;
    struct error ignored = {0};
    bool told;

    *out = (struct alert_channel_view){.name = c->name,
                                       .kind = str_from(alert_kind_name(c->kind)),
                                       .quiet = s->quiet,
                                       .digest = s->digest};
    buf_add(&to, s->url);
    if (s->topic.len > 0) {
        buf_adds(&to, " topic ");
        buf_add(&to, s->topic);
    }
    for (size_t i = 0; i < s->to.len; i++) {
        buf_adds(&to, i > 0 ? "," : " to ");
        buf_add(&to, s->to.at[i]);
    }
    put_place(s->url_env, s->url_file, &secret);
    put_place(s->key_env, s->key_file, &secret);
    out->ready = channel_open(ctx, c, &open, &ignored);
    if (out->ready)
        channel_close(&open);
    told = keep(ctx, &to, &out->to, err);
    return keep(ctx, &secret, &out->secret, err) && told; /* both are freed */
}

static bool list(struct op_context *ctx, const void *request, void *result_out,
                 struct error *err)
{
    struct alert_channels_result *res = result_out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    const struct channel *channels;
    struct alert_channel_view *views = NULL;
    size_t count = 0;
    bool ok;

    (void)request;
    if (ledger == NULL && err->kind != ERROR_ABSENT)
        return false;
    *err = (struct error){0};
    ok = channels_read(ctx, ledger, &channels, &count, err);
    ledger_close(ledger);
    views = ok ? arena_array(ctx->arena, struct alert_channel_view, count, err) : NULL;
    for (size_t i = 0; views != NULL && i < count; i++)
        if (!show(ctx, &channels[i], &views[i], err))
            return false;
    res->channels = (struct rows){views, count};
    return views != NULL;
}

/* ---- remove ---- */

static bool still_used(struct op_context *ctx, struct ledger *ledger, struct str name,
                       struct error *err)
{
    const struct ledger_budget *budgets;
    size_t count;

    if (!ledger_budgets(ledger, ctx->arena, &budgets, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < budgets[i].channels.len; k++)
            if (str_eq(budgets[i].channels.at[k], name))
                message_warn(&ctx->messages, "the budget '%.*s' still names it",
                             STR_ARG(budgets[i].name));
    return true;
}

static bool remove_channel(struct op_context *ctx, const void *request_in, void *result_out,
                           struct error *err)
{
    const struct alert_name_request *req = request_in;
    struct alert_name_result *res = result_out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_WRITE, err);
    const struct channel *channels;
    size_t count;
    bool found, ok;

    if (ledger == NULL)
        return false;
    ok = ledger_channel_remove(ledger, req->name, &found, err);
    if (ok && !found)
        ok = channels_read(ctx, ledger, &channels, &count, err) &&
             channel_find(channels, count, req->name, err) != NULL;
    ok = ok && still_used(ctx, ledger, req->name, err);
    ledger_close(ledger);
    res->name = req->name;
    return ok;
}

/* ---- test ---- */

static bool send_test(struct op_context *ctx, const struct channel *channel,
                      struct alert_name_result *res, struct error *err)
{
    struct http_client client = {
        .alloc = ctx->arena->alloc, .log = ctx->messages.log, .manners = &alert_manners};
    stamp now = ctx->clock->today(ctx->clock->ctx);
    struct alert_message m = {.id = STR("test"),
                              .dedup = STR("stint/test"),
                              .type = STR("test"),
                              .what = ALERT_TEST,
                              .title = STR("A test of Stint"),
                              .words = STR("Alerts about money will come here."),
                              .began = now,
                              .ended = {-1}};
    struct alert_outcome outcome = {0};
    struct open_channel open;
    char *answer;
    bool taken;

    if (!channel_open(ctx, channel, &open, err))
        return false;
    taken = alert_send(&client, &open.to, &m, now, &outcome);
    if (taken && channel->kind == ALERT_PAGERDUTY) { /* nobody is to be woken for long */
        struct alert_outcome second;

        m.what = ALERT_RESOLVED;
        (void)alert_send(&client, &open.to, &m, now, &second);
    }
    channel_close(&open);
    if (!taken) {
        error_set(err, ERROR_FAILED, "'%.*s' was not told: %s", STR_ARG(channel->name),
                  outcome.answer);
        return false;
    }
    answer = str_dup(str_from(outcome.answer), ctx->arena, err);
    res->answer = str_from(answer);
    return answer != NULL;
}

static bool test(struct op_context *ctx, const void *request_in, void *result_out,
                 struct error *err)
{
    const struct alert_name_request *req = request_in;
    struct alert_name_result *res = result_out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    const struct channel *channels, *channel;
    size_t count = 0;
    bool ok;

    if (ledger == NULL && err->kind != ERROR_ABSENT)
        return false;
    *err = (struct error){0};
    ok = channels_read(ctx, ledger, &channels, &count, err);
    ledger_close(ledger);
    channel = ok ? channel_find(channels, count, req->name, err) : NULL;
    if (channel == NULL)
        return false;
    res->name = req->name;
    return send_test(ctx, channel, res, err);
}

const struct op op_alert_channels = {
    .name = "alert.channels",
    .schema = "stint.alert.channels/1",
    .summary = "list alert channels",
    .request = &no_set,
    .result = &channels_set,
    .run = list,
};

const struct op op_alert_remove = {
    .name = "alert.remove",
    .schema = "stint.alert.remove/1",
    .changes = true,
    .summary = "remove an alert channel",
    .request = &name_set,
    .result = &named_set,
    .run = remove_channel,
};

const struct op op_alert_test = {
    .name = "alert.test",
    .schema = "stint.alert.test/1",
    .changes = true,
    .summary = "send a test message to a channel",
    .request = &name_set,
    .result = &tested_set,
    .run = test,
};
