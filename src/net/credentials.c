#include "net/credentials.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/hex.h"
#include "base/str.h"

#define FILE_MAX ((size_t)64 * 1024)

/* A file that may hold a key. */
struct key_file {
    const char *path;    /* in the home folder */
    const char *section; /* NULL: none */
    const char *name;    /* of the value; NULL: the file is the key */
};

struct place {
    const char *variable; /* that holds the key */
    struct key_file files[2];
    const char *where;
};

static const struct place places[] = {
    [CREDENTIALS_AWS] = {.where =
                             "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or keep them "
                             "in ~/.aws/credentials (AWS_PROFILE chooses among profiles)"},
    [CREDENTIALS_GOOGLE] = {.variable = "GOOGLE_API_KEY",
                            .where = "set GOOGLE_API_KEY, or GOOGLE_OAUTH_ACCESS_TOKEN to what "
                                     "'gcloud auth print-access-token' prints"},
    [CREDENTIALS_LAMBDA] = {.variable = "LAMBDA_API_KEY",
                            .files = {{.path = ".lambda_cloud/lambda_keys", .name = "api_key"}},
                            .where = "set LAMBDA_API_KEY, or 'api_key = ...' in "
                                     "~/.lambda_cloud/lambda_keys"},
    [CREDENTIALS_RUNPOD] =
        {.variable = "RUNPOD_API_KEY",
         .files = {{.path = ".runpod/config.toml", .section = "default", .name = "api_key"}},
         .where = "set RUNPOD_API_KEY, or api_key under [default] in "
                  "~/.runpod/config.toml"},
    [CREDENTIALS_VAST] = {.variable = "VAST_API_KEY",
                          .files = {{.path = ".config/vastai/vast_api_key"},
                                    {.path = ".vast_api_key"}},
                          .where =
                              "set VAST_API_KEY, or keep it in ~/.config/vastai/vast_api_key"},
    [CREDENTIALS_GITHUB] = {.variable = "GITHUB_TOKEN",
                            .where = "set GITHUB_TOKEN to a token that may write comments "
                                     "(pull-requests: write)"},
    [CREDENTIALS_GITLAB] = {.variable = "GITLAB_TOKEN",
                            .where = "set GITLAB_TOKEN to a token with the scope 'api'"},
    [CREDENTIALS_HUB] = {.variable = "HF_TOKEN",
                         .files = {{.path = ".cache/huggingface/token"}},
                         .where = "set HF_TOKEN, or 'hf auth login'"},
};

/* Copy a value that a header can carry. `what` is for the error: never the value. */
static bool take_secret(struct str value, const char *what, char *to, size_t room,
                        struct error *err)
{
    if (value.len >= room)
        return error_fail(err, ERROR_INPUT, "%s is too long for a key", what);
    for (size_t i = 0; i < value.len; i++)
        if (value.at[i] <= ' ' || value.at[i] >= 0x7f)
            return error_fail(
                err, ERROR_INPUT,
                "%s contains a blank, a control character or another that keys do not have",
                what);
    if (value.len > 0)
        memcpy(to, value.at, value.len);
    to[value.len] = '\0';
    return true;
}

/* All of the file into `text`, which has FILE_MAX bytes: -1 when it cannot be read. */
static ptrdiff_t read_credentials_file(const char *path, char *text, struct error *err)
{
    int fd = fs_open(path, err);
    size_t len = 0;
    ssize_t got = 1;

    if (fd < 0)
        return -1;
    while (got != 0 && len < FILE_MAX) {
        got = read(fd, text + len, FILE_MAX - len);
        if (got < 0 && errno != EINTR)
            break;
        len += got > 0 ? (size_t)got : 0;
    }
    if (got < 0)
        error_system(err, errno, "cannot read '%s'", path);
    else if (len == FILE_MAX)
        error_set(err, ERROR_INPUT, "'%s' is too large for a file of keys", path);
    (void)close(fd);
    return got < 0 || len == FILE_MAX ? -1 : (ptrdiff_t)len;
}

static struct str unquote_value(struct str value)
{
    if (value.len >= 2 && (value.at[0] == '"' || value.at[0] == '\'') &&
        value.at[value.len - 1] == value.at[0])
        return (struct str){value.at + 1, value.len - 2};
    return value;
}

/* "name = value" under "[section]" in INI, in TOML, and in files without sections. Empty when
 * it is not there. Without a name, the first line with a text is the value. */
static struct str find_credentials_value(struct str text, struct str section, const char *name)
{
    struct str current = {0};

    while (text.len > 0) {
        struct str line = str_trim(str_cut(&text, '\n'));

        if (line.len == 0 || line.at[0] == '#' || line.at[0] == ';')
            continue;
        if (name == NULL)
            return line;
        if (line.at[0] == '[') {
            line = (struct str){line.at + 1, line.len - 1};
            current = str_trim(str_cut(&line, ']'));
        } else if (str_eq(current, section) &&
                   str_eq(str_trim(str_cut(&line, '=')), str_from(name))) {
            return unquote_value(str_trim(line));
        }
    }
    return (struct str){0};
}

/* "HOME/path"; false without a home. */
static bool in_home(const char *path, char *to, size_t room)
{
    const char *home = env_get("HOME");
    int len = home == NULL ? -1 : snprintf(to, room, "%s/%s", home, path);

    return len > 0 && (size_t)len < room;
}

static bool credential_absent(enum credentials_of whose, struct error *err)
{
    error_set(err, ERROR_ABSENT, "there is no key");
    error_hint(err, "%s", places[whose].where);
    return false;
}

/* The key in one of the files that a provider's own tools write. */
static bool from_files(enum credentials_of whose, char *text, struct credentials *out,
                       struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(places[whose].files); i++) {
        const struct key_file *file = &places[whose].files[i];
        char path[PATH_MAX], what[PATH_MAX + 32];
        struct error problem = {0};
        struct str value;
        ptrdiff_t len;

        if (file->path == NULL || !in_home(file->path, path, sizeof path))
            continue;
        len = read_credentials_file(path, text, &problem);
        if (len < 0 && problem.kind == ERROR_ABSENT)
            continue;
        if (len < 0) {
            *err = problem;
            return false;
        }
        value = find_credentials_value((struct str){text, (size_t)len}, str_from(file->section),
                                       file->name);
        if (value.len == 0)
            continue;
        (void)snprintf(what, sizeof what, "the key in '%s'", path);
        return take_secret(value, what, out->secret, sizeof out->secret, err);
    }
    return credential_absent(whose, err);
}

/* --- AWS --------------------------------------------------------------------------------- */

static bool aws_profile(struct str text, const char *path, struct credentials *out,
                        struct error *err)
{
    const char *profile = env_get("AWS_PROFILE");
    struct str section = str_from(profile == NULL ? "default" : profile);
    struct str id = find_credentials_value(text, section, "aws_access_key_id"),
               secret = find_credentials_value(text, section, "aws_secret_access_key"),
               token = find_credentials_value(text, section, "aws_session_token");
    char what[PATH_MAX + 64];

    if (id.len == 0 || secret.len == 0) {
        error_set(err, ERROR_ABSENT, "'%s' has no keys for the profile '%.*s'", path,
                  STR_ARG(section));
        error_hint(err, "%s", places[CREDENTIALS_AWS].where);
        return false;
    }
    (void)snprintf(what, sizeof what, "a key of the profile '%.*s' in '%s'", STR_ARG(section),
                   path);
    return take_secret(id, what, out->id, sizeof out->id, err) &&
           take_secret(secret, what, out->secret, sizeof out->secret, err) &&
           take_secret(token, what, out->token, sizeof out->token, err);
}

static bool find_aws(char *text, struct credentials *out, struct error *err)
{
    const char *id = env_get("AWS_ACCESS_KEY_ID"), *secret = env_get("AWS_SECRET_ACCESS_KEY"),
               *path = env_get("AWS_SHARED_CREDENTIALS_FILE");
    bool named = path != NULL || env_get("AWS_PROFILE") != NULL;
    char usual[PATH_MAX];
    ptrdiff_t len;

    if (id != NULL && secret != NULL)
        return take_secret(str_from(id), "AWS_ACCESS_KEY_ID", out->id, sizeof out->id, err) &&
               take_secret(str_from(secret), "AWS_SECRET_ACCESS_KEY", out->secret,
                           sizeof out->secret, err) &&
               take_secret(str_from(env_get("AWS_SESSION_TOKEN")), "AWS_SESSION_TOKEN",
                           out->token, sizeof out->token, err);
    if (path == NULL) {
        if (!in_home(".aws/credentials", usual, sizeof usual))
            return credential_absent(CREDENTIALS_AWS, err);
        path = usual;
    }
    len = read_credentials_file(path, text, err);
    if (len >= 0)
        return aws_profile((struct str){text, (size_t)len}, path, out, err);
    if (err->kind != ERROR_ABSENT)
        return false;
    if (!named) /* none was named */
        return credential_absent(CREDENTIALS_AWS, err);
    error_hint(err, "%s", places[CREDENTIALS_AWS].where);
    return false;
}

bool credentials_find(enum credentials_of whose, struct credentials *out, struct error *err)
{
    const struct place *place = &places[whose];
    const char *value = place->variable == NULL ? NULL : env_get(place->variable);
    char text[FILE_MAX];
    bool ok;

    *out = (struct credentials){.bearer = false};
    if (value != NULL)
        return take_secret(str_from(value), place->variable, out->secret, sizeof out->secret,
                           err);
    if (whose == CREDENTIALS_GOOGLE) {
        value = env_get("GOOGLE_OAUTH_ACCESS_TOKEN");
        out->bearer = value != NULL;
        return value == NULL ? credential_absent(whose, err)
                             : take_secret(str_from(value), "GOOGLE_OAUTH_ACCESS_TOKEN",
                                           out->secret, sizeof out->secret, err);
    }
    ok =
        whose == CREDENTIALS_AWS ? find_aws(text, out, err) : from_files(whose, text, out, err);
    explicit_bzero(text, sizeof text);
    if (!ok)
        credentials_wipe(out);
    return ok;
}

static bool basic_login(const char *user, const char *password, struct credentials *out,
                        struct error *err)
{
    struct buf plain = buf_new(&alloc_system, CREDENTIAL_MAX / 2);
    struct buf header = buf_new(&alloc_system, CREDENTIAL_MAX - 1);
    bool ok;

    buf_adds(&plain, user);
    buf_char(&plain, ':');
    buf_adds(&plain, password);
    buf_adds(&header, "Basic ");
    base64_write(buf_text(&plain), &header);
    ok = plain.failed == ERROR_NONE && header.failed == ERROR_NONE;
    if (ok)
        str_copy(buf_text(&header), out->secret, sizeof out->secret);
    if (plain.at != NULL)
        explicit_bzero(plain.at, plain.len);
    if (header.at != NULL)
        explicit_bzero(header.at, header.len);
    buf_free(&plain);
    buf_free(&header);
    return ok || error_fail(err, ERROR_INPUT, "MLFLOW_TRACKING_PASSWORD is too long for a key");
}

bool credentials_mlflow(struct credentials *out, struct error *err)
{
    const char *token = env_get("MLFLOW_TRACKING_TOKEN");
    const char *user = env_get("MLFLOW_TRACKING_USERNAME");
    const char *password = env_get("MLFLOW_TRACKING_PASSWORD");
    static const char scheme[] = "Bearer ";

    *out = (struct credentials){.bearer = token != NULL};
    if (token == NULL)
        return user == NULL || basic_login(user, password != NULL ? password : "", out, err);
    memcpy(out->secret, scheme, sizeof scheme);
    return take_secret(str_from(token), "MLFLOW_TRACKING_TOKEN",
                       out->secret + sizeof scheme - 1, sizeof out->secret - sizeof scheme + 1,
                       err);
}

const char *credentials_where(enum credentials_of whose)
{
    return places[whose].where;
}

void credentials_wipe(struct credentials *credentials)
{
    explicit_bzero(credentials, sizeof *credentials);
}

/* --- hiding ------------------------------------------------------------------------------ */

#define SHORTEST_KEY 4
#define SHORTEST_CUT 8 /* a cut key that is shorter reveals little, and is a word by chance */

/* One character of a secret, itself or as %XX: how many bytes of the text it takes; 0: not
 * there. */
static size_t same_character(struct str text, char c)
{
    char code[4];

    if (text.len >= 1 && text.at[0] == c)
        return 1;
    (void)snprintf(code, sizeof code, "%%%02X", (unsigned)(unsigned char)c);
    if (text.len >= 3 && str_eq_nocase((struct str){text.at, 3}, (struct str){code, 3}))
        return 3;
    return 0;
}

/* How many bytes at the start of the text are the secret, or enough of it. */
static size_t mention_source(struct str text, struct str secret)
{
    size_t enough = secret.len < SHORTEST_CUT ? secret.len : SHORTEST_CUT, at = 0, matched = 0;

    while (matched < secret.len) {
        size_t n =
            same_character((struct str){text.at + at, text.len - at}, secret.at[matched]);

        if (n == 0)
            break;
        at += n;
        matched++;
    }
    return matched >= enough ? at : 0;
}

size_t secret_hide(char *text, size_t len, const char *secret)
{
    struct str hidden = str_from(secret);
    size_t to = 0, from = 0;

    if (hidden.len < SHORTEST_KEY)
        return len;
    while (from < len) {
        size_t n = mention_source((struct str){text + from, len - from}, hidden);

        if (n == 0) {
            text[to++] = text[from++];
            continue;
        }
        memset(text + to, '*', 3);
        to += 3;
        from += n;
    }
    return to;
}

void credentials_hide(const struct credentials *credentials, char *text)
{
    const char *const secrets[] = {credentials->secret, credentials->token, credentials->id};

    for (size_t i = 0; i < ARRAY_LEN(secrets); i++)
        text[secret_hide(text, strlen(text), secrets[i])] = '\0';
}
