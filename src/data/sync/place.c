#include "data/sync/place.h"

#include <string.h>

#include "base/buf.h"
#include "base/fs.h"

#define ENV_MAX 12
#define TEXT_MAX ((size_t)64 << 10)

/* The remote that is made of the environment. */
#define REMOTE "stint"
#define CONFIG "RCLONE_CONFIG_STINT_"

struct env_list {
    const char **at;
    size_t count;
    struct arena *arena;
};

static bool add_env(struct env_list *list, const char *name, struct str value,
                    struct error *err)
{
    struct buf text = buf_new(list->arena->alloc, TEXT_MAX);
    struct str kept;

    buf_adds(&text, name);
    buf_char(&text, '=');
    buf_add(&text, value);
    buf_char(&text, 0);
    if (!buf_keep(&text, list->arena, &kept, err))
        return false;
    list->at[list->count++] = kept.at;
    return true;
}

/* NAME=, the first of the variables that is set; nothing when none is. */
static bool pass_env(struct env_list *list, const char *name, const char *const *variables,
                     struct error *err)
{
    for (; *variables != NULL; variables++)
        if (env_get(*variables) != NULL)
            return add_env(list, name, str_from(env_get(*variables)), err);
    return true;
}

static const char *const s3_endpoints[] = {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", NULL};
static const char *const s3_regions[] = {"AWS_REGION", "AWS_DEFAULT_REGION", NULL};
static const char *const gs_keys[] = {"GOOGLE_APPLICATION_CREDENTIALS", NULL};
static const char *const az_accounts[] = {"AZURE_STORAGE_ACCOUNT", NULL};
static const char *const az_keys[] = {"AZURE_STORAGE_KEY", NULL};

static const char *first_env(const char *const *variables)
{
    for (; *variables != NULL; variables++)
        if (env_get(*variables) != NULL)
            return env_get(*variables);
    return NULL;
}

static bool configure_s3(struct env_list *list, struct data_place *out, struct error *err)
{
    bool elsewhere = first_env(s3_endpoints) != NULL;
    const char *region = first_env(s3_regions);

    out->provider = elsewhere ? STR("") : STR("aws");
    out->answers = true;
    out->region = str_from(elsewhere ? NULL : region);
    return add_env(list, CONFIG "TYPE", STR("s3"), err) &&
           add_env(list, CONFIG "PROVIDER", elsewhere ? STR("Other") : STR("AWS"), err) &&
           add_env(list, CONFIG "ENV_AUTH", STR("true"), err) &&
           add_env(list, CONFIG "NO_CHECK_BUCKET", STR("true"), err) &&
           /* The store checks what arrives (Content-MD5), and rclone compares the ETag of the
            * answer: asking for each object once more would double the requests. */
           add_env(list, CONFIG "NO_HEAD", STR("true"), err) &&
           pass_env(list, CONFIG "ENDPOINT", s3_endpoints, err) &&
           pass_env(list, CONFIG "REGION", s3_regions, err) &&
           /* rclone 1.60 refuses to run with it: it gets --ca-cert instead */
           (env_get("AWS_CA_BUNDLE") == NULL || add_env(list, "AWS_CA_BUNDLE", STR(""), err));
}

static bool configure_gs(struct env_list *list, struct data_place *out, struct error *err)
{
    out->provider = STR("gcp");
    out->answers = true;
    return add_env(list, CONFIG "TYPE", STR("google cloud storage"), err) &&
           add_env(list, CONFIG "BUCKET_POLICY_ONLY", STR("true"), err) &&
           pass_env(list, CONFIG "SERVICE_ACCOUNT_FILE", gs_keys, err);
}

static bool configure_az(struct env_list *list, struct data_place *out, struct error *err)
{
    const char *account = first_env(az_accounts), *sas = env_get("AZURE_STORAGE_SAS_TOKEN");
    struct buf url = buf_new(list->arena->alloc, TEXT_MAX);
    bool ok;

    out->provider = STR("azure");
    if (account == NULL || (first_env(az_keys) == NULL && sas == NULL))
        return error_fail_hint(err, ERROR_INPUT,
                               "set AZURE_STORAGE_ACCOUNT, and AZURE_STORAGE_KEY or "
                               "AZURE_STORAGE_SAS_TOKEN",
                               "'%.*s': the environment has no credentials for az://",
                               STR_ARG(out->typed));
    ok = add_env(list, CONFIG "TYPE", STR("azureblob"), err);
    if (ok && first_env(az_keys) == NULL) {
        struct str token = str_from(sas);

        (void)str_take(&token, '?');
        buf_addf(&url, "https://%s.blob.core.windows.net/?%.*s", account, (int)token.len,
                 token.at);
        ok = buf_ok(&url, err) && add_env(list, CONFIG "SAS_URL", buf_text(&url), err);
    } else if (ok) {
        ok = pass_env(list, CONFIG "ACCOUNT", az_accounts, err) &&
             pass_env(list, CONFIG "KEY", az_keys, err);
    }
    buf_free(&url);
    return ok;
}

static const struct {
    struct str scheme;
    bool (*configure)(struct env_list *list, struct data_place *out, struct error *err);
} schemes[] = {
    {{"s3://", 5}, configure_s3},
    {{"gs://", 5}, configure_gs},
    {{"az://", 5}, configure_az},
};

static struct str without_slashes(struct str text)
{
    while (text.len > 1 && text.at[text.len - 1] == '/')
        text.len--;
    return text;
}

static bool join_target(struct str head, struct str tail, struct arena *arena,
                        const char **target, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);
    struct str kept;

    buf_add(&text, head);
    buf_add(&text, tail);
    buf_char(&text, 0);
    if (!buf_keep(&text, arena, &kept, err))
        return false;
    *target = kept.at;
    return true;
}

static bool parse_url(size_t scheme, struct arena *arena, struct data_place *out,
                      struct error *err)
{
    struct str path = {out->typed.at + schemes[scheme].scheme.len,
                       out->typed.len - schemes[scheme].scheme.len};
    struct env_list list = {arena_array(arena, const char *, ENV_MAX + 1, err), 0, arena};

    out->kind = DATA_PLACE_STORE;
    if (path.len == 0 || path.at[0] == '/')
        return error_fail_hint(err, ERROR_INPUT, "name it: s3://bucket/folder",
                               "'%.*s' has no bucket", STR_ARG(out->typed));
    if (list.at == NULL || !schemes[scheme].configure(&list, out, err))
        return false;
    out->env = list.at;
    return join_target(STR(REMOTE ":"), path, arena, &out->target, err);
}

/* What is before a colon that comes before every slash: a host or a remote. */
static bool has_host(struct str text, struct str *host, struct str *path)
{
    struct str rest = text;

    *host = str_cut(&rest, ':');
    *path = rest;
    return host->len < text.len && memchr(host->at, '/', host->len) == NULL;
}

bool data_place_may_be_remote(struct str text)
{
    struct str host, path;

    return has_host(text, &host, &path) && host.len > 0 && !str_starts(path, STR("//")) &&
           memchr(host.at, '@', host.len) == NULL;
}

/* "s3:/bucket" lacks a slash; a host of that name is written with its user. */
static bool is_scheme(struct str host)
{
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (schemes[i].scheme.len == host.len + 3 && str_starts(schemes[i].scheme, host))
            return true;
    return false;
}

static bool parse_ssh(struct str host, struct str path, struct arena *arena,
                      struct data_place *out, struct error *err)
{
    out->kind = DATA_PLACE_SSH;
    if (host.at[0] == '-')
        return error_fail_hint(err, ERROR_INPUT, "a folder is written as ./-name",
                               "'%.*s' is not the name of a host", STR_ARG(host));
    if (str_starts(path, STR(":")) || str_starts(path, STR("//")) || is_scheme(host))
        return error_fail_hint(
            err, ERROR_INPUT,
            "write HOST:FOLDER, s3://BUCKET/FOLDER, gs://, az:// or a remote "
            "of rclone",
            "'%.*s' is not a place for data", STR_ARG(out->typed));
    /* A path without a slash begins at home, where ~ is for the shell alone. */
    if (str_eq(path, STR("~")))
        path = STR("");
    else if (str_starts(path, STR("~/")))
        path = (struct str){path.at + 2, path.len - 2};
    if (path.len == 0)
        path = STR(".");
    return join_target((struct str){host.at, host.len + 1}, path, arena, &out->target, err);
}

static bool parse_remote(struct arena *arena, struct data_place *out, struct error *err)
{
    static const char *const none[] = {"AWS_CA_BUNDLE=", NULL};

    out->kind = DATA_PLACE_STORE;
    out->env = env_get("AWS_CA_BUNDLE") != NULL ? none : NULL;
    return join_target(out->typed, STR(""), arena, &out->target, err);
}

bool data_place_parse(struct str text, struct strs remotes, struct arena *arena,
                      struct data_place *out, struct error *err)
{
    struct str host, path;

    *out = (struct data_place){.typed = without_slashes(text)};
    if (text.len == 0 || memchr(text.at, 0, text.len) != NULL)
        return error_fail_hint(err, ERROR_USAGE, "'.' is the folder that you are in",
                               "the name of a place is empty");
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (str_starts(text, schemes[i].scheme)) {
            /* "s3://" itself has nothing to lose */
            if (out->typed.len < schemes[i].scheme.len)
                out->typed = text;
            return parse_url(i, arena, out, err);
        }
    if (!has_host(out->typed, &host, &path))
        return join_target(out->typed, STR(""), arena, &out->target, err);
    for (size_t i = 0; i < remotes.len; i++)
        if (str_eq(remotes.at[i], host))
            return parse_remote(arena, out, err);
    return host.len == 0 ? parse_remote(arena, out, err)
                         : parse_ssh(host, path, arena, out, err);
}

const char *data_place_join(const struct data_place *place, const char *name,
                            struct arena *arena, struct error *err)
{
    struct str target = str_from(place->target);
    struct buf text = buf_new(arena->alloc, TEXT_MAX);
    struct str kept;

    buf_add(&text, target);
    if (!str_ends(target, STR("/")) && !str_ends(target, STR(":")))
        buf_char(&text, '/');
    buf_adds(&text, name);
    buf_char(&text, 0);
    return buf_keep(&text, arena, &kept, err) ? kept.at : NULL;
}
