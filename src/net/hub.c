#include "net/hub.h"

#include <string.h>

#include "base/buf.h"
#include "base/characters.h"
#include "base/fs.h"
#include "doc/node.h"
#include "net/credentials.h"

#define HOME "https://huggingface.co"
#define NAME_MAX_BYTES 200
#define REVISION_MAX 200 /* bytes of refs/main */

bool hub_names_model(struct str text)
{
    size_t slashes = 0;

    if (text.len == 0 || text.len > NAME_MAX_BYTES)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i], before = i > 0 ? text.at[i - 1] : '/';

        slashes += c == '/';
        /* No part begins with a dot: no path leads out of a folder. */
        if (before == '/' && !is_letter_or_digit(c))
            return false;
        if (!is_letter_or_digit(c) && strchr("-_./", c) == NULL)
            return false;
    }
    return slashes <= 1 && text.at[text.len - 1] != '/';
}

/* ---- the cache ---- */

/* "models--org--name", the folder that the library gives a model. */
static char *model_folder(struct str model, struct arena *arena, struct error *err)
{
    struct buf name = buf_new(arena->alloc, NAME_MAX_BYTES * 2 + 16);
    struct str kept;

    buf_adds(&name, "models--");
    for (size_t i = 0; i < model.len; i++) {
        if (model.at[i] == '/')
            buf_adds(&name, "--");
        else
            buf_char(&name, model.at[i]);
    }
    return buf_keep(&name, arena, &kept, err) ? str_dup(kept, arena, err) : NULL;
}

/* Where the library keeps its cache: the first of these that is set. */
static bool cache_folder(struct arena *arena, char **out, struct error *err)
{
    static const struct {
        const char *variable, *below;
    } places[] = {
        {"HF_HUB_CACHE", NULL},
        {"HUGGINGFACE_HUB_CACHE", NULL},
        {"HF_HOME", "hub"},
        {"XDG_CACHE_HOME", "huggingface/hub"},
        {"HOME", ".cache/huggingface/hub"},
    };

    *out = NULL;
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        const char *folder = env_get(places[i].variable);

        if (folder == NULL)
            continue;
        *out = places[i].below != NULL ? fs_join(folder, places[i].below, arena, err)
                                       : str_dup(str_from(folder), arena, err);
        return *out != NULL;
    }
    return true;
}

static char *join_hub_path(char *folder, const char *name, struct arena *arena,
                           struct error *err)
{
    return folder != NULL ? fs_join(folder, name, arena, err) : NULL;
}

/* The snapshot that refs/main names. */
static bool library_config(const char *folder, struct arena *arena, char **path,
                           struct error *err)
{
    struct error missing = {0};
    char *ref = fs_join(folder, "refs/main", arena, err), *revision, *config;
    struct str text;

    if (ref == NULL)
        return false;
    if (!fs_read(ref, REVISION_MAX, arena, &text, &missing))
        return missing.kind != ERROR_MEMORY || (*err = missing, false);
    text = str_trim(str_cut(&text, '\n'));
    for (size_t i = 0; i < text.len; i++)
        if (!is_letter_or_digit(text.at[i]))
            return true; /* no revision: not the library's */
    if (text.len == 0)
        return true;
    revision = str_dup(text, arena, err);
    config = revision == NULL ? NULL : fs_join(folder, "snapshots", arena, err);
    config =
        join_hub_path(join_hub_path(config, revision, arena, err), "config.json", arena, err);
    if (config == NULL)
        return false;
    if (fs_exists(config))
        *path = config;
    return true;
}

bool hub_cached_config(struct str model, const char *own, struct arena *arena, char **path,
                       struct error *err)
{
    char *name = model_folder(model, arena, err), *cache, *folder;

    *path = NULL;
    if (name == NULL || !cache_folder(arena, &cache, err))
        return false;
    if (cache != NULL) {
        folder = fs_join(cache, name, arena, err);
        if (folder == NULL || !library_config(folder, arena, path, err))
            return false;
    }
    if (*path != NULL || own == NULL)
        return true;
    folder = fs_join(own, name, arena, err);
    folder = join_hub_path(folder, "config.json", arena, err);
    if (folder == NULL)
        return false;
    *path = fs_exists(folder) ? folder : NULL;
    return true;
}

/* ---- the Hub ---- */

static char *config_address(struct str model, struct arena *arena, struct error *err)
{
    const char *set = env_get("HF_ENDPOINT");
    struct str base = str_from(set != NULL ? set : HOME), kept;
    struct buf address = buf_new(arena->alloc, 4096);

    while (base.len > 0 && base.at[base.len - 1] == '/')
        base.len--;
    buf_add(&address, base);
    buf_char(&address, '/');
    buf_add(&address, model);
    buf_adds(&address, "/resolve/main/config.json");
    return buf_keep(&address, arena, &kept, err) ? str_dup(kept, arena, err) : NULL;
}

static bool keep_config(struct str model, const char *own, struct str text, struct arena *arena,
                        char **path, struct error *err)
{
    char *name = model_folder(model, arena, err);
    char *folder = name != NULL ? fs_join(own, name, arena, err) : NULL;

    *path = join_hub_path(folder, "config.json", arena, err);
    return *path != NULL && fs_make_folders(folder, err) && fs_put(*path, text, err);
}

/* A page of a proxy or a mirror is not kept. */
static bool check_hub_config(struct str text, const char *address, struct arena *arena,
                             struct error *err)
{
    struct error why = {0};

    if (json_read_python(text, address, arena, &why) != NULL)
        return true;
    *err = why;
    if (why.kind == ERROR_INPUT)
        error_hint(err, "is HF_ENDPOINT, or a proxy, right?");
    return false;
}

/* A model that is private, gated or not there is refused with 401, 403 or 404. */
static void explain_hub_refusal(int status, struct str model, struct error *err)
{
    if (status == 401 || status == 403 || status == 404) {
        error_set(err, ERROR_ABSENT, "the Hub shows no model '%.*s'", STR_ARG(model));
        error_hint(err, "is the name right? of private and gated models: %s",
                   credentials_where(CREDENTIALS_HUB));
    }
}

bool hub_fetch_config(const struct http_client *client, struct str model, const char *own,
                      struct arena *arena, char **path, struct error *err)
{
    struct http_response response = {.fd = -1};
    struct credentials keys;
    struct error none = {0};
    char bearer[CREDENTIAL_MAX + 8];
    bool known = credentials_find(CREDENTIALS_HUB, &keys, &none);
    struct http_header header = {"Authorization", bearer, true};
    struct http_request request = {.url = config_address(model, arena, err),
                                   .headers = &header,
                                   .header_count = known,
                                   .max_body = HUB_CONFIG_MAX};
    struct str text = {0};
    bool ok =
        request.url != NULL && (known || none.kind == ERROR_ABSENT || (*err = none, false));

    (void)snprintf(bearer, sizeof bearer, "Bearer %s", known ? keys.secret : "");
    if (ok && !http_get(client, &request, &response, err)) {
        explain_hub_refusal(response.status, model, err);
        ok = false;
    }
    ok = ok && response.fd >= 0 &&
         fs_read_from(response.fd, request.url, HUB_CONFIG_MAX, arena, &text, err) &&
         check_hub_config(text, request.url, arena, err) &&
         keep_config(model, own, text, arena, path, err);
    http_response_close(&response);
    explicit_bzero(bearer, sizeof bearer);
    credentials_wipe(&keys);
    return ok;
}
