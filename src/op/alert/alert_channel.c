#include "op/alert/alert_channel.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "doc/json_restore.h"

static const struct field settings[] = {
    FIELD(TEXT, channel_settings, url, .help = "of the receiver"),
    FIELD(TEXT, channel_settings, url_env, .help = "the variable that has it"),
    FIELD(TEXT, channel_settings, url_file, .help = "the file that has it"),
    FIELD(TEXT, channel_settings, key_env, .help = "the variable that has the key"),
    FIELD(TEXT, channel_settings, key_file, .help = "the file that has the key"),
    FIELD(TEXT, channel_settings, user, .help = "of the mail server"),
    FIELD(TEXT, channel_settings, from, .help = "address of the sender"),
    FIELD(TEXTS, channel_settings, to, .help = "addresses of receivers"),
    FIELD(TEXT, channel_settings, topic, .help = "of ntfy"),
    FIELD(TEXT, channel_settings, ca, .help = "file of certificates to trust"),
    FIELD(TEXT, channel_settings, quiet, .help = "hours"),
    FIELD(FLAG, channel_settings, quiet_all, .help = "also for what is critical"),
    FIELD(TEXT, channel_settings, digest, .help = "when"),
};

const struct field_set channel_settings_fields = FIELD_SET(struct channel_settings, settings);

static bool read_one(struct op_context *ctx, const struct ledger_channel *from,
                     struct channel *out, struct error *err)
{
    const struct node *root;

    out->name = from->name;
    if (!alert_kind_parse(from->kind, &out->kind))
        return error_fail(err, ERROR_INPUT, "a newer Stint made it: kind '%.*s'",
                          STR_ARG(from->kind));
    root = json_read(from->settings, "settings", ctx->arena, err);
    return root != NULL &&
           json_restore(&channel_settings_fields, root, "settings", &out->settings, ctx->arena,
                        err) &&
           quiet_parse(ctx, out->settings.quiet, &out->quiet, err) &&
           digest_parse(ctx, out->settings.digest, &out->digest, err);
}

bool channels_read(struct op_context *ctx, struct ledger *ledger, const struct channel **out,
                   size_t *count, struct error *err)
{
    const struct ledger_channel *rows = NULL;
    struct channel *list;

    *out = NULL;
    *count = 0;
    if (ledger == NULL)
        return true;
    if (!ledger_channels(ledger, ctx->arena, &rows, count, err))
        return false;
    list = arena_array(ctx->arena, struct channel, *count, err);
    for (size_t i = 0; list != NULL && i < *count; i++)
        if (!read_one(ctx, &rows[i], &list[i], err)) {
            error_context(err, "the channel '%.*s'", STR_ARG(rows[i].name));
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
                   "makes it",
                   STR_ARG(name));
    return NULL;
}

bool channels_check(const struct channel *channels, size_t count, struct strs names,
                    struct error *err)
{
    for (size_t i = 0; i < names.len; i++)
        if (channel_find(channels, count, names.at[i], err) == NULL)
            return false;
    return true;
}

bool op_plain_name(struct str name, const char *what, struct error *err)
{
    bool ok = name.len > 0 && name.len <= 40;

    for (size_t i = 0; ok && i < name.len; i++) {
        char c = name.at[i];

        ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             (i > 0 && (c == '-' || c == '_' || c == '.'));
    }
    if (ok)
        return true;
    error_set(err, ERROR_USAGE, "'%.*s' is no name for a %s", STR_ARG(name), what);
    error_hint(err, "letters, digits, '-', '_' and '.', at most 40");
    return false;
}

/* ---- secrets ---- */

/* A value that a header can carry. `what` names it in errors, never the value. */
static bool take(struct str value, const char *what, char to[static CREDENTIAL_MAX],
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
                              "%s has a blank or another character that none has", what);
    memcpy(to, value.at, value.len);
    to[value.len] = '\0';
    return true;
}

/* The first line of a file; read with a buffer of our own, which is wiped. */
static bool from_file(struct op_context *ctx, struct str file, char to[static CREDENTIAL_MAX],
                      struct error *err)
{
    char text[CREDENTIAL_MAX + 2], what[128];
    char *path = str_dup(file, ctx->arena, err);
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
    ok = take(str_cut(&rest, '\n'), what, to, err);
    explicit_bzero(text, sizeof text);
    return ok;
}

static bool secret(struct op_context *ctx, struct str variable, struct str file,
                   char to[static CREDENTIAL_MAX], struct error *err)
{
    char name[128];
    const char *value;

    if (variable.len == 0)
        return from_file(ctx, file, to, err);
    (void)snprintf(name, sizeof name, "%.*s", STR_ARG(variable));
    value = env_get(name);
    if (value == NULL) {
        error_set(err, ERROR_ABSENT, "the variable %s is not set", name);
        error_hint(err, "set it where this runs (in a crontab too), or name a file with "
                        "--url-file or --key-file");
        return false;
    }
    return take(str_from(value), name, to, err);
}

/* The addresses with commas between them. */
static bool join(struct op_context *ctx, struct strs texts, struct str *out, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);

    for (size_t i = 0; i < texts.len; i++) {
        buf_adds(&text, i > 0 ? "," : "");
        buf_add(&text, texts.at[i]);
    }
    return buf_keep(&text, ctx->arena, out, err);
}

static bool c_text(struct op_context *ctx, struct str text, const char **out, struct error *err)
{
    *out = NULL;
    return text.len == 0 || (*out = str_dup(text, ctx->arena, err)) != NULL;
}

bool channel_open(struct op_context *ctx, const struct channel *channel,
                  struct open_channel *out, struct error *err)
{
    const struct channel_settings *s = &channel->settings;
    bool ok;

    *out =
        (struct open_channel){.to = {.name = channel->name,
                                     .kind = channel->kind,
                                     .topic = s->topic,
                                     .from = s->from,
                                     .url_secret = s->url_env.len > 0 || s->url_file.len > 0}};
    ok = c_text(ctx, s->url, &out->to.url, err) && c_text(ctx, s->user, &out->to.user, err) &&
         c_text(ctx, s->ca, &out->to.ca, err) && join(ctx, s->to, &out->to.to, err);
    if (ok && out->to.url_secret) {
        out->to.url = out->url;
        ok = secret(ctx, s->url_env, s->url_file, out->url, err);
    }
    if (ok && (s->key_env.len > 0 || s->key_file.len > 0)) {
        out->to.key = out->key;
        ok = secret(ctx, s->key_env, s->key_file, out->key, err);
    }
    if (!ok)
        channel_close(out);
    return ok;
}

void channel_close(struct open_channel *channel)
{
    explicit_bzero(channel, sizeof *channel);
}

static void say_rights(struct op_context *ctx, struct str file)
{
    struct error ignored = {0};
    char *path = file.len > 0 ? str_dup(file, ctx->arena, &ignored) : NULL;
    struct stat is;

    if (path != NULL && stat(path, &is) == 0 && (is.st_mode & 077) != 0)
        message_warn(&ctx->messages, "others can read '%s': 'chmod 600' it", path);
}

bool channel_say(struct op_context *ctx, const struct channel *channel)
{
    struct open_channel open;
    struct error err = {0};
    bool ok = channel_open(ctx, channel, &open, &err);

    if (ok)
        channel_close(&open);
    else
        message_warn(&ctx->messages, "%s: nothing can be sent to '%.*s' from here", err.text,
                     STR_ARG(channel->name));
    say_rights(ctx, channel->settings.url_file);
    say_rights(ctx, channel->settings.key_file);
    return ok;
}
