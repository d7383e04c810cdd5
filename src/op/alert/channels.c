/* alert.add, alert.channels, alert.remove, alert.test. */
#include "op/alert/alert.h"
#include "op/context.h"
#include "op/deliver.h"
#include "op/ledger_open.h"
#include "op/op.h"

/* ---- add ---- */

#define SETTING(kind, member, ...) \
    { \
        .name = #member, .type = FIELD_##kind, \
        .offset = offsetof(struct alert_add_request, settings.member), __VA_ARGS__ \
    }

static const struct field add_request[] = {
    FIELD(TEXT, alert_add_request, name, .value = "NAME", .operand = true, .required = true,
          .help = "name of the channel"),
    FIELD(ENUM, alert_add_request, kind, .value = "KIND", .operand = true, .required = true,
          .names = alert_kind_names,
          .help = "slack, discord, teams, pagerduty, ntfy, webhook, alertmanager or email"),
    SETTING(TEXT, url_env, .local = true, .value = "NAME",
            .help = "environment variable with its address"),
    SETTING(TEXT, url_file, .local = true, .value = "FILE", .help = "file with its address"),
    SETTING(TEXT, url, .value = "URL", .help = "address, if it is not a secret"),
    SETTING(TEXT, key_env, .local = true, .value = "NAME",
            .help = "environment variable with its key, token or password"),
    SETTING(TEXT, key_file, .local = true, .value = "FILE",
            .help = "file with its key, token or password"),
    SETTING(TEXT, user, .value = "NAME", .help = "email: user of the mail server"),
    SETTING(TEXT, from, .value = "ADDRESS", .help = "email: address of the sender"),
    SETTING(TEXTS, to, .value = "LIST", .help = "email: addresses of the recipients"),
    SETTING(TEXT, topic, .value = "NAME", .help = "ntfy: topic"),
    SETTING(TEXT, ca, .local = true, .value = "FILE",
            .help = "email: CA bundle to verify the mail server"),
    SETTING(TEXT, quiet, .value = "HOURS",
            .help = "send only critical alerts in these hours: '22:00-07:00 Europe/Berlin'"),
    SETTING(FLAG, quiet_all, .help = "postpone critical alerts in quiet hours, too"),
    SETTING(TEXT, digest, .value = "WHEN",
            .help = "send alerts that are not critical as one message: 'daily at 09:00 "
                    "Europe/Berlin'"),
};
static const struct field_set add_request_set =
    FIELD_SET(struct alert_add_request, add_request);

static const struct field add_result[] = {
    FIELD(TEXT, alert_add_result, name, .help = "name of the channel"),
    FIELD(ENUM, alert_add_result, kind, .names = alert_kind_names,
          .help = "kind: slack, email, ..."),
    FIELD(FLAG, alert_add_result, replaced, .help = "a channel of that name was replaced"),
    FIELD(FLAG, alert_add_result, ready, .help = "secrets are available here"),
};
static const struct field_set add_result_set = FIELD_SET(struct alert_add_result, add_result);

static bool channel_add(struct op_context *ctx, const void *request, void *result,
                        struct error *err)
{
    const struct alert_add_request *req = request;
    struct alert_add_result *res = result;
    struct channel channel = {.name = req->name, .kind = req->kind, .settings = req->settings};
    struct ledger *ledger;
    bool ok;

    if (!channel_check(&channel, ctx->arena, err) ||
        (ledger = op_ledger(ctx, LEDGER_WRITE, err)) == NULL)
        return false;
    res->name = req->name;
    res->kind = req->kind;
    ok = channel_keep(ledger, &channel, op_now(ctx), ctx->arena, &res->replaced, err);
    ledger_close(ledger);
    res->ready = ok && channel_ready(&channel, &ctx->messages, ctx->arena);
    return ok;
}

const struct op op_alert_add = {
    .name = "alert.add",
    .schema = "stint.alert.add/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "add an alert channel: Slack, email, PagerDuty, ...",
    .request = &add_request_set,
    .result = &add_result_set,
    .run = channel_add,
};

/* ---- channels ---- */

static const struct field_set no_request = {.size = 1};

static const struct field channels_result[] = {
    FIELD(LIST, alert_channels_result, channels, .row = &channel_view_fields,
          .help = "channels, by name"),
};
static const struct field_set channels_result_set =
    FIELD_SET(struct alert_channels_result, channels_result);

/* None when there is no ledger yet. */
static bool read_channels(struct op_context *ctx, const struct channel **out, size_t *count,
                          struct error *err)
{
    struct ledger *ledger;
    bool ok;

    if (!op_ledger_there(ctx, &ledger, err))
        return false;
    ok = channels_read(ledger, ctx->arena, out, count, err);
    ledger_close(ledger);
    return ok;
}

static bool channels_list(struct op_context *ctx, const void *request, void *result,
                          struct error *err)
{
    struct alert_channels_result *res = result;
    const struct channel *channels;
    struct channel_view *views;
    size_t count;

    (void)request;
    if (!read_channels(ctx, &channels, &count, err))
        return false;
    views = arena_array(ctx->arena, struct channel_view, count, err);
    for (size_t i = 0; views != NULL && i < count; i++)
        if (!channel_describe(&channels[i], ctx->arena, &views[i], err))
            return false;
    res->channels = (struct rows){views, count};
    return views != NULL;
}

const struct op op_alert_channels = {
    .name = "alert.channels",
    .schema = "stint.alert.channels/1",
    .summary = "list alert channels",
    .remote = OP_ADMIN,
    .request = &no_request,
    .result = &channels_result_set,
    .run = channels_list,
};

/* ---- remove ---- */

static const struct field name_request[] = {
    FIELD(TEXT, alert_name_request, name, .value = "NAME", .operand = true, .required = true,
          .help = "name of the channel"),
};
static const struct field_set name_request_set =
    FIELD_SET(struct alert_name_request, name_request);

static const struct field remove_result[] = {
    FIELD(TEXT, alert_name_result, name, .help = "name of the channel"),
};
static const struct field_set remove_result_set =
    FIELD_SET(struct alert_name_result, remove_result);

static bool warn_if_used(struct op_context *ctx, struct ledger *ledger, struct str name,
                         struct error *err)
{
    const struct ledger_budget *budgets;
    size_t count;

    if (!ledger_budgets(ledger, ctx->arena, &budgets, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < budgets[i].channels.len; k++)
            if (str_eq(budgets[i].channels.at[k], name))
                message_warn(&ctx->messages, "the budget '%.*s' still uses it",
                             STR_ARG(budgets[i].name));
    return true;
}

static bool channel_remove(struct op_context *ctx, const void *request, void *result,
                           struct error *err)
{
    const struct alert_name_request *req = request;
    struct alert_name_result *res = result;
    struct ledger *ledger = op_ledger(ctx, LEDGER_CHANGE, err);
    bool found, ok;

    if (ledger == NULL)
        return false;
    ok = ledger_channel_remove(ledger, req->name, &found, err) &&
         (found || channels_check(ledger, (struct strs){&req->name, 1}, ctx->arena, err)) &&
         warn_if_used(ctx, ledger, req->name, err);
    ledger_close(ledger);
    res->name = req->name;
    return ok;
}

const struct op op_alert_remove = {
    .name = "alert.remove",
    .schema = "stint.alert.remove/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "remove an alert channel",
    .request = &name_request_set,
    .result = &remove_result_set,
    .run = channel_remove,
};

/* ---- test ---- */

static const struct field test_result[] = {
    FIELD(TEXT, alert_name_result, name, .help = "name of the channel"),
    FIELD(TEXT, alert_name_result, answer, .help = "answer of its server"),
};
static const struct field_set test_result_set =
    FIELD_SET(struct alert_name_result, test_result);

static bool channel_test(struct op_context *ctx, const void *request, void *result,
                         struct error *err)
{
    const struct alert_name_request *req = request;
    struct alert_name_result *res = result;
    struct alert_sender with = op_sender(ctx, NULL);
    const struct channel *channels, *channel;
    size_t count;

    res->name = req->name;
    if (!read_channels(ctx, &channels, &count, err))
        return false;
    channel = channel_find(channels, count, req->name, err);
    return channel != NULL && alert_send_test(&with, channel, &res->answer, err);
}

const struct op op_alert_test = {
    .name = "alert.test",
    .schema = "stint.alert.test/1",
    .remote = OP_ADMIN,
    .changes = true,
    .summary = "send a test message to a channel",
    .request = &name_request_set,
    .result = &test_result_set,
    .run = channel_test,
};
