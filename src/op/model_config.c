#include "op/model_config.h"

#include <string.h>

#include "base/fs.h"
#include "job/arch.h"
#include "job/job.h"
#include "net/hub.h"
#include "op/context.h"

static bool keep_fetching_config(void *ctx, uint64_t done, uint64_t total)
{
    const struct op_context *op = ctx;

    (void)done;
    (void)total;
    return !watch_stopped(&op->watch);
}

/* ---- paths ---- */

char *op_home_path(struct op_context *ctx, struct str path, struct error *err)
{
    const char *home = env_get("HOME");
    char *rest;

    if (home == NULL || (!str_starts(path, STR("~/")) && !str_eq(path, STR("~"))))
        return str_dup(path, ctx->arena, err);
    if (path.len <= 2)
        return str_dup(str_from(home), ctx->arena, err);
    rest = str_dup((struct str){path.at + 2, path.len - 2}, ctx->arena, err);
    return rest != NULL ? fs_join(home, rest, ctx->arena, err) : NULL;
}

bool op_model_folder(struct op_context *ctx, const char *path, enum model_folder *kind,
                     char **file, struct error *err)
{
    static const struct {
        const char *name;
        enum model_folder kind;
    } known[] = {{"adapter_config.json", FOLDER_ADAPTER}, {"config.json", FOLDER_MODEL}};

    *file = NULL;
    *kind = !ctx->remote && fs_is_folder(path) ? FOLDER_OTHER : FOLDER_NONE;
    for (size_t i = 0; *kind == FOLDER_OTHER && i < ARRAY_LEN(known); i++) {
        char *inside = fs_join(path, known[i].name, ctx->arena, err);

        if (inside == NULL)
            return false;
        if (fs_exists(inside)) {
            *file = inside;
            *kind = known[i].kind;
        }
    }
    return true;
}

/* "models/mine" beside "jobs/a.yaml" is "jobs/models/mine"; NULL where that is the same. */
static bool path_beside(struct op_context *ctx, const char *path, const char *beside,
                        char **out, struct error *err)
{
    const char *slash = beside != NULL ? strrchr(beside, '/') : NULL;
    const char *folder;

    *out = NULL;
    if (slash == NULL || path[0] == '/')
        return true;
    folder = slash == beside
                 ? "/"
                 : str_dup((struct str){beside, (size_t)(slash - beside)}, ctx->arena, err);
    *out = folder != NULL ? fs_join(folder, path, ctx->arena, err) : NULL;
    return *out != NULL;
}

static bool refuse_model_folder(struct op_context *ctx, const char *path, struct error *err)
{
    struct str text;
    bool there;

    /* one that may not be read is no folder without it */
    if (!fs_read_if(path, "config.json", JOB_MAX, ctx->arena, &text, &there, err))
        return false;
    error_set(err, ERROR_INPUT, "the folder '%s' has no config.json", path);
    error_hint(err, "name the folder that the model was saved in, or a config.json");
    return false;
}

bool op_model_file(struct op_context *ctx, struct str path, const char *beside,
                   struct str *text, struct error *err)
{
    char *here = op_home_path(ctx, path, err), *there, *inside;
    enum model_folder kind;

    if (here == NULL || (ctx->remote && !op_refuse_file(path, err)) ||
        !path_beside(ctx, here, beside, &there, err))
        return false;
    if (there != NULL && fs_exists(there))
        here = there;
    if (!op_model_folder(ctx, here, &kind, &inside, err))
        return false;
    if (kind == FOLDER_ADAPTER) /* the base model's may be beside it */
        inside = fs_join(here, "config.json", ctx->arena, err);
    if (kind == FOLDER_OTHER || (kind == FOLDER_ADAPTER && !fs_exists(inside)))
        return refuse_model_folder(ctx, here, err);
    return op_file_read(ctx, kind == FOLDER_NONE ? here : inside, JOB_MAX, text, err);
}

/* "out/my-model", as Trainer saves it, from the job's folder or from here: its config.json, or
 * NULL. */
static bool folder_config(struct op_context *ctx, struct str model, const char *beside,
                          char **path, struct error *err)
{
    char *places[2] = {NULL, str_dup(model, ctx->arena, err)};

    *path = NULL;
    if (places[1] == NULL || !path_beside(ctx, places[1], beside, &places[0], err))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(places) && *path == NULL; i++) {
        char *config =
            places[i] != NULL ? fs_join(places[i], "config.json", ctx->arena, err) : NULL;

        if (places[i] != NULL && config == NULL)
            return false;
        if (config != NULL && fs_exists(config))
            *path = config;
    }
    return true;
}

/* ---- the Hub ---- */

static bool fetch_config(struct op_context *ctx, struct str model, const char *own, char **path,
                         struct error *err)
{
    const struct http_client client = {.alloc = ctx->arena->alloc,
                                       .log = ctx->messages.log,
                                       .manners = &http_default_manners,
                                       .progress = keep_fetching_config,
                                       .progress_ctx = ctx};

    if (!hub_fetch_config(&client, model, own, ctx->arena, path, err))
        return false;
    message_note(&ctx->messages, "fetched the configuration of '%.*s'; kept as '%s'",
                 STR_ARG(model), *path);
    return true;
}

/* What the Hub's caches have, else what it answers. */
static bool hub_config(struct op_context *ctx, struct str model, bool fetch, char **path,
                       struct error *err)
{
    struct error homeless = {0};
    char *cache = settings_cache(ctx->arena, &homeless);
    char *own = cache != NULL ? fs_join(cache, "hub", ctx->arena, err) : NULL;

    if (cache != NULL && own == NULL)
        return false;
    if (!hub_cached_config(model, own, ctx->arena, path, err))
        return false;
    if (*path != NULL) {
        message_note(&ctx->messages, "'%.*s' is described by '%s'", STR_ARG(model), *path);
        return true;
    }
    if (!fetch)
        return true;
    if (own == NULL) {
        error_set(err, homeless.kind, "there is no folder to keep '%.*s' in", STR_ARG(model));
        error_hint(err, "set HOME or XDG_CACHE_HOME");
        return false;
    }
    return fetch_config(ctx, model, own, path, err);
}

bool op_model_config(struct op_context *ctx, struct str model, const char *beside, bool fetch,
                     struct str *text, struct error *err)
{
    struct error unknown = {0};
    struct arch arch;
    char *path;

    *text = (struct str){0};
    if (model.len == 0 || arch_named(&ctx->catalog, model, &arch, &unknown) ||
        unknown.kind != ERROR_ABSENT || ctx->remote)
        return true;
    if (!folder_config(ctx, model, beside, &path, err))
        return false;
    if (path == NULL && hub_names_model(model) && !hub_config(ctx, model, fetch, &path, err))
        return false;
    if (path == NULL) {
        const char *folder = str_dup(model, ctx->arena, err);

        return folder != NULL &&
               (!fs_is_folder(folder) || refuse_model_folder(ctx, folder, err));
    }
    return fs_read(path, JOB_MAX, ctx->arena, text, err);
}

void op_model_hint(struct str model, bool fetch, struct error *err)
{
    if (err->kind == ERROR_ABSENT && !fetch && hub_names_model(model) &&
        memchr(model.at, '/', model.len) != NULL)
        error_hint(err, "--fetch-model asks the Hugging Face Hub for its config.json; or give "
                        "params: 7B");
}
