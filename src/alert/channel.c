/* Alert channels: what users configure, what the ledger keeps, and where the secrets are. */
#include "alert/channel.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/characters.h"
#include "base/fs.h"
#include "doc/json_restore.h"
#include "doc/json_write.h"
#include "net/address.h"
#include "net/smtp.h"
#include "net/url.h"

static const struct field settings[] = {
    FIELD(TEXT, channel_settings, url, .help = "address of the receiver"),
    FIELD(TEXT, channel_settings, url_env, .help = "environment variable with the address"),
    FIELD(TEXT, channel_settings, url_file, .help = "file with the address"),
    FIELD(TEXT, channel_settings, key_env, .help = "environment variable with the key"),
    FIELD(TEXT, channel_settings, key_file, .help = "file with the key"),
    FIELD(TEXT, channel_settings, user, .help = "user of the mail server"),
    FIELD(TEXT, channel_settings, from, .help = "address of the sender"),
    FIELD(TEXTS, channel_settings, to, .help = "addresses of the recipients"),
    FIELD(TEXT, channel_settings, topic, .help = "ntfy topic"),
    FIELD(TEXT, channel_settings, ca, .help = "CA bundle to verify the server"),
    FIELD(TEXT, channel_settings, quiet, .help = "quiet hours"),
    FIELD(FLAG, channel_settings, quiet_all,
          .help = "quiet hours also apply to critical alerts"),
    FIELD(TEXT, channel_settings, digest, .help = "schedule of digests"),
};
static const struct field_set settings_set = FIELD_SET(struct channel_settings, settings);

static const struct field view_fields[] = {
    FIELD(TEXT, channel_view, name, .help = "name of the channel"),
    FIELD(ENUM, channel_view, kind, .names = alert_kind_names,
          .help = "kind: slack, email, ..."),
    FIELD(TEXT, channel_view, to, .help = "address, unless that is a secret"),
    FIELD(TEXT, channel_view, secret, .help = "location of the secret: a variable or a file"),
    FIELD(FLAG, channel_view, ready, .help = "secrets are available here"),
    FIELD(TEXT, channel_view, quiet, .help = "hours in which only critical alerts are sent"),
    FIELD(TEXT, channel_view, digest,
          .help = "times at which the others are sent as one message"),
};
const struct field_set channel_view_fields = FIELD_SET(struct channel_view, view_fields);

/* ---- kinds ---- */

const char *const alert_kind_names[ALERT_KINDS + 1] = {
    "slack", "discord", "teams", "pagerduty", "ntfy", "webhook", "alertmanager", "email"};

bool alert_url_secret(enum alert_kind kind)
{
    return kind == ALERT_SLACK || kind == ALERT_DISCORD || kind == ALERT_TEAMS;
}

bool alert_takes_acknowledgements(enum alert_kind kind)
{
    return kind == ALERT_PAGERDUTY || kind == ALERT_WEBHOOK;
}

static bool takes_digests(enum alert_kind kind)
{
    return kind != ALERT_PAGERDUTY && kind != ALERT_ALERTMANAGER;
}

static bool kind_parse(struct str name, enum alert_kind *out)
{
    for (int i = 0; i < ALERT_KINDS; i++)
        if (str_eq(name, str_from(alert_kind_names[i]))) {
            *out = (enum alert_kind)i;
            return true;
        }
    return false;
}

/* ---- checks ---- */

/* A value in the place of a name would be kept: it is refused, and not repeated. */
static bool check_variable(struct str name, const char *option, struct error *err)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];

        if (c == '_' || (is_letter_or_digit(c) && (i > 0 || !is_digit(c))))
            continue;
        error_set(err, ERROR_USAGE, "%s takes the name of a variable, not its value", option);
        error_hint(err, "export it, as in 'export ALERT_SECRET=...', and give %s ALERT_SECRET",
                   option);
        return false;
    }
    return name.len <= 80 || error_fail(err, ERROR_USAGE, "%s: the name is too long", option);
}

static bool check_one_source(struct str variable, struct str file, const char *what,
                             struct error *err)
{
    return variable.len == 0 || file.len == 0 ||
           error_fail(err, ERROR_USAGE, "%s: give a variable or a file, not both", what);
}

static bool check_secrets(const struct channel_settings *s, struct error *err)
{
    if (!check_variable(s->url_env, "--url-env", err) ||
        !check_variable(s->key_env, "--key-env", err) ||
        !check_one_source(s->url_env, s->url_file, "address", err) ||
        !check_one_source(s->key_env, s->key_file, "key", err))
        return false;
    return s->url.len == 0 || (s->url_env.len == 0 && s->url_file.len == 0) ||
           error_fail(err, ERROR_USAGE, "the address is given twice");
}

/* A name is looked up when a message is sent, and refused then. */
static bool check_host(struct str host, struct error *err)
{
    return !address_text_is_metadata(host) ||
           error_fail(err, ERROR_INPUT, "'%.*s' is a link-local address, which is refused",
                      STR_ARG(host));
}

static bool check_url(enum alert_kind kind, const struct channel_settings *s, struct error *err)
{
    bool given = s->url.len > 0 || s->url_env.len > 0 || s->url_file.len > 0, tls, loopback;
    struct url parts;

    if (s->url.len > 0 && alert_url_secret(kind)) {
        error_set(err, ERROR_USAGE,
                  "the address of a %s channel is a secret, and is not kept in the ledger",
                  alert_kind_names[kind]);
        error_hint(err,
                   "put it in a variable (export ALERT_URL=...) and give --url-env ALERT_URL, "
                   "or in a file and give --url-file");
        return false;
    }
    if (!given && kind != ALERT_PAGERDUTY) {
        error_set(err, ERROR_USAGE, "a %s channel needs %s", alert_kind_names[kind],
                  alert_url_secret(kind) ? "--url-env NAME or --url-file FILE" : "--url URL");
        error_hint(err, "'stint alert add --help' has an example");
        return false;
    }
    if (s->url.len == 0)
        return true;
    if (kind == ALERT_EMAIL ? smtp_url_ok(s->url, &tls, &loopback, err)
                            : url_parse(s->url, &parts, err) && check_host(parts.host, err))
        return true;
    err->kind = ERROR_USAGE;
    error_context(err, "--url");
    return false;
}

static bool check_mail(const struct channel_settings *s, struct error *err)
{
    if (s->from.len == 0 || s->to.len == 0)
        return error_fail(err, ERROR_USAGE,
                          "an email channel needs --from ADDRESS and --to ADDRESS");
    if (!smtp_address_ok(s->from))
        return error_fail(err, ERROR_USAGE, "--from: '%.*s' is not a mail address",
                          STR_ARG(s->from));
    for (size_t i = 0; i < s->to.len; i++)
        if (!smtp_address_ok(s->to.at[i]))
            return error_fail(err, ERROR_USAGE, "--to: '%.*s' is not a mail address",
                              STR_ARG(s->to.at[i]));
    if (s->to.len > 50)
        return error_fail(err, ERROR_USAGE, "--to: more than 50 addresses: use a mailing list");
    if ((s->user.len > 0) != (s->key_env.len > 0 || s->key_file.len > 0))
        return error_fail(err, ERROR_USAGE,
                          "--user and its password (--key-env or --key-file) go together");
    return true;
}

static bool check_topic(const struct channel_settings *s, struct arena *arena,
                        struct error *err)
{
    struct alert_channel ntfy = {.topic = s->topic};
    struct str base, topic;

    if (s->url.len == 0)
        return true;
    ntfy.url = str_dup(s->url, arena, err);
    if (ntfy.url == NULL)
        return false;
    alert_ntfy_address(&ntfy, &base, &topic);
    return topic.len > 0 || error_fail(err, ERROR_USAGE, "an ntfy channel needs --topic NAME");
}

static bool check_key(enum alert_kind kind, const struct channel_settings *s, struct error *err)
{
    bool given = s->key_env.len > 0 || s->key_file.len > 0;

    if (kind == ALERT_PAGERDUTY && !given) {
        error_set(err, ERROR_USAGE, "a pagerduty channel needs its routing key");
        error_hint(err, "export PAGERDUTY_KEY=... and give --key-env PAGERDUTY_KEY");
        return false;
    }
    return !alert_url_secret(kind) || !given ||
           error_fail(err, ERROR_USAGE, "a %s channel has no key: its address is the secret",
                      alert_kind_names[kind]);
}

static bool check_schedule(struct channel *c, struct arena *arena, struct error *err)
{
    const struct channel_settings *s = &c->settings;

    if (s->digest.len > 0 && !takes_digests(c->kind))
        return error_fail(err, ERROR_USAGE, "%s groups alerts itself and takes no --digest",
                          alert_kind_names[c->kind]);
    if (s->quiet_all && s->quiet.len == 0)
        return error_fail(err, ERROR_USAGE, "--quiet-all needs --quiet HOURS");
    return (c->kind != ALERT_EMAIL || check_mail(s, err)) &&
           quiet_parse(s->quiet, arena, &c->quiet, err) &&
           digest_parse(s->digest, arena, &c->digest, err);
}

static bool make_absolute(struct str *path, struct arena *arena, struct error *err)
{
    char folder[PATH_MAX];
    char *name, *absolute;

    if (path->len == 0 || path->at[0] == '/')
        return true;
    if (getcwd(folder, sizeof folder) == NULL)
        return error_fail(err, ERROR_SYSTEM, "cannot find the current folder");
    name = str_dup(*path, arena, err);
    absolute = name != NULL ? fs_join(folder, name, arena, err) : NULL;
    *path = str_from(absolute);
    return absolute != NULL;
}

bool channel_check(struct channel *c, struct arena *arena, struct error *err)
{
    struct channel_settings *s = &c->settings;

    return ledger_plain_name(c->name, "channel", err) && check_secrets(s, err) &&
           check_url(c->kind, s, err) && check_key(c->kind, s, err) &&
           (c->kind != ALERT_NTFY || check_topic(s, arena, err)) &&
           check_schedule(c, arena, err) && make_absolute(&s->url_file, arena, err) &&
           make_absolute(&s->key_file, arena, err) && make_absolute(&s->ca, arena, err);
}

/* ---- in the ledger ---- */

bool channel_keep(struct ledger *ledger, const struct channel *c, stamp now,
                  struct arena *arena, bool *replaced, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct ledger_channel row = {
        .name = c->name, .kind = str_from(alert_kind_names[c->kind]), .made = now};
    bool ok;

    json_write_record(&settings_set, &c->settings, NULL, &text);
    row.settings = buf_text(&text);
    ok = buf_ok(&text, err) && ledger_channel_put(ledger, &row, replaced, err);
    buf_free(&text);
    return ok;
}

static bool channel_read(const struct ledger_channel *from, struct arena *arena,
                         struct channel *out, struct error *err)
{
    const struct node *root;

    out->name = from->name;
    if (!kind_parse(from->kind, &out->kind))
        return error_fail(err, ERROR_INPUT, "a newer Stint added it: kind '%.*s'",
                          STR_ARG(from->kind));
    root = json_read(from->settings, "settings", arena, err);
    return root != NULL &&
           json_restore(&settings_set, root, "settings", &out->settings, arena, err) &&
           quiet_parse(out->settings.quiet, arena, &out->quiet, err) &&
           digest_parse(out->settings.digest, arena, &out->digest, err);
}

bool channels_read(struct ledger *ledger, struct arena *arena, const struct channel **out,
                   size_t *count, struct error *err)
{
    const struct ledger_channel *rows = NULL;
    struct channel *list;

    *out = NULL;
    *count = 0;
    if (ledger == NULL)
        return true;
    if (!ledger_channels(ledger, arena, &rows, count, err))
        return false;
    list = arena_array(arena, struct channel, *count, err);
    for (size_t i = 0; list != NULL && i < *count; i++)
        if (!channel_read(&rows[i], arena, &list[i], err)) {
            error_context(err, "channel '%.*s'", STR_ARG(rows[i].name));
            return false;
        }
    *out = list;
    return list != NULL;
}

const struct channel *channel_find(const struct channel *channels, size_t count,
                                   struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < count; i++) {
        if (str_eq(channels[i].name, name))
            return &channels[i];
        suggestion_try(&s, channels[i].name);
    }
    error_set(err, ERROR_ABSENT, "there is no channel '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err,
                   "'stint alert channels' lists them; 'stint alert add %.*s KIND ...' "
                   "adds it",
                   STR_ARG(name));
    return NULL;
}

bool channels_check(struct ledger *ledger, struct strs names, struct arena *arena,
                    struct error *err)
{
    const struct channel *channels;
    size_t count;

    if (!channels_read(ledger, arena, &channels, &count, err))
        return false;
    for (size_t i = 0; i < names.len; i++)
        if (channel_find(channels, count, names.at[i], err) == NULL)
            return false;
    return true;
}

/* ---- secrets ---- */

/* A value that a header can carry. `what` names it in errors, never the value. */
static bool keep_secret(struct str value, const char *what, char to[static CREDENTIAL_MAX],
                        struct error *err)
{
    value = str_trim(value);
    if (value.len == 0)
        return error_fail(err, ERROR_ABSENT, "%s is empty", what);
    if (value.len >= CREDENTIAL_MAX)
        return error_fail(err, ERROR_INPUT, "%s is too long", what);
    for (size_t i = 0; i < value.len; i++)
        if (value.at[i] <= ' ' || value.at[i] >= 0x7f)
            return error_fail(err, ERROR_INPUT,
                              "%s contains a blank or another invalid character", what);
    memcpy(to, value.at, value.len);
    to[value.len] = '\0';
    return true;
}

/* The first line of a file; read with a buffer of our own, which is wiped. */
static bool secret_from_file(struct str file, struct arena *arena,
                             char to[static CREDENTIAL_MAX], struct error *err)
{
    char text[CREDENTIAL_MAX + 2], what[128];
    char *path = str_dup(file, arena, err);
    int fd = path != NULL ? fs_open(path, err) : -1;
    struct str rest;
    ssize_t len;
    bool ok;

    if (fd < 0)
        return false;
    (void)snprintf(what, sizeof what, "the file '%.*s'", STR_ARG(file));
    len = read(fd, text, sizeof text);
    (void)close(fd);
    if (len < 0)
        return error_fail(err, ERROR_SYSTEM, "cannot read %s", what);
    rest = (struct str){text, (size_t)len};
    ok = keep_secret(str_cut(&rest, '\n'), what, to, err);
    explicit_bzero(text, sizeof text);
    return ok;
}

static bool find_secret(struct str variable, struct str file, struct arena *arena,
                        char to[static CREDENTIAL_MAX], struct error *err)
{
    char name[128];
    const char *value;

    if (variable.len == 0)
        return secret_from_file(file, arena, to, err);
    str_copy(variable, name, sizeof name);
    value = env_get(name);
    if (value == NULL) {
        error_set(err, ERROR_ABSENT, "the variable %s is not set", name);
        error_hint(err, "set it where this runs (in a crontab too), or name a file with "
                        "--url-file or --key-file");
        return false;
    }
    return keep_secret(str_from(value), name, to, err);
}

/* The addresses with commas between them. */
static bool join_addresses(struct strs texts, struct arena *arena, struct str *out,
                           struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    for (size_t i = 0; i < texts.len; i++) {
        buf_adds(&text, i > 0 ? "," : "");
        buf_add(&text, texts.at[i]);
    }
    return buf_keep(&text, arena, out, err);
}

static bool c_text(struct str text, struct arena *arena, const char **out, struct error *err)
{
    *out = NULL;
    return text.len == 0 || (*out = str_dup(text, arena, err)) != NULL;
}

bool channel_open(const struct channel *channel, struct arena *arena, struct open_channel *out,
                  struct error *err)
{
    const struct channel_settings *s = &channel->settings;
    bool ok;

    *out =
        (struct open_channel){.to = {.name = channel->name,
                                     .kind = channel->kind,
                                     .topic = s->topic,
                                     .from = s->from,
                                     .url_secret = s->url_env.len > 0 || s->url_file.len > 0}};
    ok = c_text(s->url, arena, &out->to.url, err) &&
         c_text(s->user, arena, &out->to.user, err) && c_text(s->ca, arena, &out->to.ca, err) &&
         join_addresses(s->to, arena, &out->to.to, err);
    if (ok && out->to.url_secret) {
        out->to.url = out->url;
        ok = find_secret(s->url_env, s->url_file, arena, out->url, err);
    }
    if (ok && (s->key_env.len > 0 || s->key_file.len > 0)) {
        out->to.key = out->key;
        ok = find_secret(s->key_env, s->key_file, arena, out->key, err);
    }
    if (!ok)
        channel_close(out);
    return ok;
}

void channel_close(struct open_channel *channel)
{
    explicit_bzero(channel, sizeof *channel);
}

static bool has_channel_secrets(const struct channel *channel, struct arena *arena,
                                struct error *err)
{
    struct open_channel open;
    bool ok = channel_open(channel, arena, &open, err);

    if (ok)
        channel_close(&open);
    return ok;
}

static void warn_of_readers(struct str file, const struct messages *messages,
                            struct arena *arena)
{
    struct error ignored = {0};
    char *path = file.len > 0 ? str_dup(file, arena, &ignored) : NULL;
    struct stat is;

    if (path != NULL && stat(path, &is) == 0 && (is.st_mode & 077) != 0)
        message_warn(messages, "other users can read '%s': run 'chmod 600' on it", path);
}

bool channel_ready(const struct channel *channel, const struct messages *messages,
                   struct arena *arena)
{
    struct error err = {0};
    bool ok = has_channel_secrets(channel, arena, &err);

    if (!ok)
        message_warn(messages, "%s: '%.*s' cannot be used from here", err.text,
                     STR_ARG(channel->name));
    warn_of_readers(channel->settings.url_file, messages, arena);
    warn_of_readers(channel->settings.key_file, messages, arena);
    return ok;
}

/* ---- shown ---- */

static void put_source(struct str variable, struct str file, struct buf *out)
{
    if (variable.len == 0 && file.len == 0)
        return;
    buf_adds(out, out->len > 0 ? ", " : "");
    buf_adds(out, variable.len > 0 ? "$" : "");
    buf_add(out, variable.len > 0 ? variable : file);
}

/* Empty is unknown. */
static bool keep_known(struct buf *text, struct arena *arena, struct str *out,
                       struct error *err)
{
    if (!buf_keep(text, arena, out, err))
        return false;
    if (out->len == 0)
        *out = (struct str){0};
    return true;
}

bool channel_describe(const struct channel *c, struct arena *arena, struct channel_view *out,
                      struct error *err)
{
    const struct channel_settings *s = &c->settings;
    struct buf to = buf_new(arena->alloc, BUF_MAX_OUTPUT),
               secret = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct error ignored = {0};
    bool kept;

    *out = (struct channel_view){.name = c->name,
                                 .kind = c->kind,
                                 .ready = has_channel_secrets(c, arena, &ignored),
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
    put_source(s->url_env, s->url_file, &secret);
    put_source(s->key_env, s->key_file, &secret);
    kept = keep_known(&to, arena, &out->to, err);
    return keep_known(&secret, arena, &out->secret, err) && kept; /* both are freed */
}

bool channels_for_acknowledgement(struct ledger *ledger, struct arena *arena, struct strs *out,
                                  struct error *err)
{
    const struct channel *channels;
    struct str *names;
    size_t count, kept = 0;

    if (!channels_read(ledger, arena, &channels, &count, err))
        return false;
    names = arena_array(arena, struct str, count, err);
    for (size_t i = 0; names != NULL && i < count; i++)
        if (alert_takes_acknowledgements(channels[i].kind))
            names[kept++] = channels[i].name;
    *out = (struct strs){names, kept};
    return names != NULL;
}

static bool has_address(const struct channel *c, struct str address)
{
    for (size_t i = 0; c->kind == ALERT_EMAIL && i < c->settings.to.len; i++)
        if (str_eq_nocase(c->settings.to.at[i], address))
            return true;
    return false;
}

const struct channel *channel_of_address(const struct channel *channels, size_t count,
                                         struct str address, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (has_address(&channels[i], address))
            return &channels[i];
    error_set(err, ERROR_ABSENT, "no alert channel sends mail to '%.*s'", STR_ARG(address));
    error_hint(err,
               "stint alert add finance email --url smtp://HOST:587 --from ADDRESS --to %.*s",
               STR_ARG(address));
    return NULL;
}

bool channel_takes_reports(const struct channel *c, struct error *err)
{
    if (c->kind != ALERT_PAGERDUTY && c->kind != ALERT_ALERTMANAGER)
        return true;
    error_set(err, ERROR_USAGE, "'%.*s' is for incidents (%s): a report is none",
              STR_ARG(c->name), alert_kind_names[c->kind]);
    error_hint(err, "'stint alert channels' lists others");
    return false;
}
