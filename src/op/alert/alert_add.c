/* alert.add - a channel: checked, and kept without its secrets. */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "doc/json_write.h"
#include "net/smtp.h"
#include "net/url.h"
#include "op/alert/alert.h"

static const char *const kinds[] = {"slack",   "discord",      "teams", "pagerduty", "ntfy",
                                    "webhook", "alertmanager", "email", NULL};

#define SETTING(kind, member, ...) \
    { \
        .name = #member, .type = FIELD_##kind, \
        .offset = offsetof(struct alert_add_request, settings.member), __VA_ARGS__ \
    }

static const struct field request[] = {
    FIELD(TEXT, alert_add_request, name, .value = "NAME", .operand = true, .required = true,
          .help = "what you call it"),
    FIELD(CHOICE, alert_add_request, kind, .value = "KIND", .operand = true, .required = true,
          .choices = kinds,
          .help = "slack, discord, teams, pagerduty, ntfy, webhook, alertmanager or email"),
    SETTING(TEXT, url_env, .value = "NAME", .help = "the variable that has its address"),
    SETTING(TEXT, url_file, .value = "FILE", .help = "the file that has its address"),
    SETTING(TEXT, url, .value = "URL", .help = "its address, where that is no secret"),
    SETTING(TEXT, key_env, .value = "NAME",
            .help = "the variable that has its key, token or password"),
    SETTING(TEXT, key_file, .value = "FILE", .help = "the file that has it"),
    SETTING(TEXT, user, .value = "NAME", .help = "of the mail server"),
    SETTING(TEXT, from, .value = "ADDRESS", .help = "that mails come from"),
    SETTING(TEXTS, to, .value = "LIST", .help = "addresses that mails go to"),
    SETTING(TEXT, topic, .value = "NAME", .help = "of ntfy"),
    SETTING(TEXT, ca, .value = "FILE", .help = "certificates that its mail server is known by"),
    SETTING(TEXT, quiet, .value = "HOURS",
            .help = "when only what is critical is sent: '22:00-07:00 Europe/Berlin'"),
    SETTING(FLAG, quiet_all, .help = "not even that"),
    SETTING(TEXT, digest, .value = "WHEN",
            .help = "all that is less than critical at once: 'daily at 09:00 Europe/Berlin'"),
};
static const struct field_set request_set = FIELD_SET(struct alert_add_request, request);

static const struct field result[] = {
    FIELD(TEXT, alert_add_result, name, .help = "of the channel"),
    FIELD(TEXT, alert_add_result, kind, .help = "of it"),
    FIELD(FLAG, alert_add_result, replaced, .help = "there was one of that name"),
    FIELD(FLAG, alert_add_result, ready, .help = "its secrets can be had here"),
};
static const struct field_set result_set = FIELD_SET(struct alert_add_result, result);

/* ---- checks ---- */

/* A value in the place of a name would be kept: it is refused, and not repeated. */
static bool check_variable(struct str name, const char *option, struct error *err)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];

        if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
            (i > 0 && c >= '0' && c <= '9'))
            continue;
        error_set(err, ERROR_USAGE, "%s takes the name of a variable, not its value", option);
        error_hint(err, "export it, as in 'export ALERT_SECRET=...', and give %s ALERT_SECRET",
                   option);
        return false;
    }
    return name.len <= 80 || error_fail(err, ERROR_USAGE, "%s: too long a name", option);
}

static bool one_of(struct str a, struct str b, const char *what, struct error *err)
{
    return a.len == 0 || b.len == 0 ||
           error_fail(err, ERROR_USAGE, "%s: a variable or a file, not both", what);
}

static bool check_secrets(const struct channel_settings *s, struct error *err)
{
    if (!check_variable(s->url_env, "--url-env", err) ||
        !check_variable(s->key_env, "--key-env", err) ||
        !one_of(s->url_env, s->url_file, "the address", err) ||
        !one_of(s->key_env, s->key_file, "the key", err))
        return false;
    return s->url.len == 0 || (s->url_env.len == 0 && s->url_file.len == 0) ||
           error_fail(err, ERROR_USAGE, "the address is given twice");
}

static bool check_url(enum alert_kind kind, const struct channel_settings *s, struct error *err)
{
    bool given = s->url.len > 0 || s->url_env.len > 0 || s->url_file.len > 0, tls, loopback;
    struct url parts;

    if (s->url.len > 0 && alert_url_secret(kind)) {
        error_set(err, ERROR_USAGE,
                  "the address of a %s channel is a secret, and is not kept in the ledger",
                  alert_kind_name(kind));
        error_hint(err,
                   "put it in a variable (export ALERT_URL=...) and give --url-env ALERT_URL, "
                   "or in a file and give --url-file");
        return false;
    }
    if (!given && kind != ALERT_PAGERDUTY) {
        error_set(err, ERROR_USAGE, "a %s channel needs %s", alert_kind_name(kind),
                  alert_url_secret(kind) ? "--url-env NAME or --url-file FILE" : "--url URL");
        error_hint(err, "'stint alert add --help' has an example");
        return false;
    }
    if (s->url.len == 0)
        return true;
    if (kind == ALERT_EMAIL ? smtp_url_ok(s->url, &tls, &loopback, err)
                            : url_parse(s->url, &parts, err))
        return true;
    err->kind = ERROR_USAGE;
    error_context(err, "--url");
    return false;
}

static bool check_mail(const struct channel_settings *s, struct error *err)
{
    if (s->from.len == 0 || s->to.len == 0) {
        error_set(err, ERROR_USAGE, "an email channel needs --from ADDRESS and --to ADDRESS");
        return false;
    }
    if (!smtp_address_ok(s->from))
        return error_fail(err, ERROR_USAGE, "--from: '%.*s' is no address of a mail box",
                          STR_ARG(s->from));
    for (size_t i = 0; i < s->to.len; i++)
        if (!smtp_address_ok(s->to.at[i]))
            return error_fail(err, ERROR_USAGE, "--to: '%.*s' is no address of a mail box",
                              STR_ARG(s->to.at[i]));
    if (s->to.len > 50)
        return error_fail(err, ERROR_USAGE, "--to: more than 50 addresses: name a list");
    if ((s->user.len > 0) != (s->key_env.len > 0 || s->key_file.len > 0))
        return error_fail(err, ERROR_USAGE,
                          "--user and its password (--key-env or --key-file) go together");
    return true;
}

static bool check_rest(struct op_context *ctx, enum alert_kind kind,
                       const struct channel_settings *s, struct error *err)
{
    struct alert_channel ntfy = {.topic = s->topic};
    struct quiet_hours quiet;
    struct digest_times digest;
    struct str base, topic;

    if (kind == ALERT_PAGERDUTY && s->key_env.len == 0 && s->key_file.len == 0) {
        error_set(err, ERROR_USAGE, "a pagerduty channel needs its routing key");
        error_hint(err, "export PAGERDUTY_KEY=... and give --key-env PAGERDUTY_KEY");
        return false;
    }
    if (kind == ALERT_NTFY && s->url.len > 0) {
        ntfy.url = str_dup(s->url, ctx->arena, err);
        if (ntfy.url == NULL)
            return false;
        alert_ntfy_address(&ntfy, &base, &topic);
        if (topic.len == 0)
            return error_fail(err, ERROR_USAGE, "an ntfy channel needs --topic NAME");
    }
    if (alert_url_secret(kind) && (s->key_env.len > 0 || s->key_file.len > 0))
        return error_fail(err, ERROR_USAGE,
                          "a %s channel has no key: its address is the secret",
                          alert_kind_name(kind));
    if (s->digest.len > 0 && !alert_takes_digests(kind))
        return error_fail(err, ERROR_USAGE, "%s groups alerts by itself: it gets no digest",
                          alert_kind_name(kind));
    if (s->quiet_all && s->quiet.len == 0)
        return error_fail(err, ERROR_USAGE, "--quiet-all needs --quiet HOURS");
    return (kind != ALERT_EMAIL || check_mail(s, err)) &&
           quiet_parse(ctx, s->quiet, &quiet, err) &&
           digest_parse(ctx, s->digest, &digest, err);
}

/* Who sends may be in another folder. */
static bool make_absolute(struct op_context *ctx, struct str *path, struct error *err)
{
    char folder[PATH_MAX];
    char *name, *whole;

    if (path->len == 0 || path->at[0] == '/')
        return true;
    if (getcwd(folder, sizeof folder) == NULL)
        return error_fail(err, ERROR_SYSTEM, "cannot tell which folder this is");
    name = str_dup(*path, ctx->arena, err);
    whole = name != NULL ? fs_join(folder, name, ctx->arena, err) : NULL;
    *path = str_from(whole);
    return whole != NULL;
}

static bool put(struct op_context *ctx, const struct alert_add_request *req,
                const struct channel_settings *settings, bool *replaced, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    struct ledger_channel row = {
        .name = req->name, .kind = req->kind, .made = ctx->clock->today(ctx->clock->ctx)};
    struct ledger *ledger = op_ledger(ctx, LEDGER_WRITE, err);
    bool ok = ledger != NULL;

    json_write_record(&channel_settings_fields, settings, NULL, &text);
    row.settings = buf_text(&text);
    ok = ok && buf_ok(&text, err) && ledger_channel_put(ledger, &row, replaced, err);
    buf_free(&text);
    ledger_close(ledger);
    return ok;
}

static bool add(struct op_context *ctx, const void *request_in, void *result_out,
                struct error *err)
{
    const struct alert_add_request *req = request_in;
    struct alert_add_result *res = result_out;
    struct channel channel = {.name = req->name, .settings = req->settings};
    struct channel_settings *s = &channel.settings;

    if (!op_plain_name(req->name, "channel", err))
        return false;
    if (!alert_kind_parse(req->kind, &channel.kind))
        return error_fail(err, ERROR_USAGE, "there is no kind '%.*s'", STR_ARG(req->kind));
    if (!check_secrets(s, err) || !check_url(channel.kind, s, err) ||
        !check_rest(ctx, channel.kind, s, err) || !make_absolute(ctx, &s->url_file, err) ||
        !make_absolute(ctx, &s->key_file, err) || !make_absolute(ctx, &s->ca, err))
        return false;
    res->name = req->name;
    res->kind = req->kind;
    if (!put(ctx, req, s, &res->replaced, err))
        return false;
    res->ready = channel_say(ctx, &channel);
    return true;
}

const struct op op_alert_add = {
    .name = "alert.add",
    .schema = "stint.alert.add/1",
    .changes = true,
    .summary = "add an alert channel: Slack, email, PagerDuty, ...",
    .request = &request_set,
    .result = &result_set,
    .run = add,
};
