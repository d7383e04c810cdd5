#include "op/model_config.h"

#include <string.h>

#include "base/fs.h"
#include "job/arch.h"
#include "job/job.h"
#include "net/hub.h"
#include "op/context.h"

static bool keep_going(void *ctx, uint64_t done, uint64_t total)
{
    const struct op_context *op = ctx;

    (void)done;
    (void)total;
    return op->stopped == NULL || !op->stopped();
}

/* "out/my-model", as Trainer saves it: its config.json, or NULL. */
static bool folder_config(struct op_context *ctx, struct str model, char **path,
                          struct error *err)
{
    char *folder = str_dup(model, ctx->arena, err);
    char *config = folder != NULL ? fs_join(folder, "config.json", ctx->arena, err) : NULL;

    *path = config != NULL && fs_exists(config) ? config : NULL;
    return config != NULL;
}

static bool fetch_config(struct op_context *ctx, struct str model, const char *own, char **path,
                         struct error *err)
{
    const struct http_client client = {.alloc = ctx->arena->alloc,
                                       .log = ctx->messages.log,
                                       .manners = &http_default_manners,
                                       .progress = keep_going,
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

bool op_model_config(struct op_context *ctx, struct str model, bool fetch, struct str *text,
                     struct error *err)
{
    struct error unknown = {0};
    struct arch arch;
    char *path;

    *text = (struct str){0};
    if (model.len == 0 || arch_named(&ctx->catalog, model, &arch, &unknown) ||
        unknown.kind != ERROR_ABSENT || ctx->remote)
        return true;
    if (!folder_config(ctx, model, &path, err))
        return false;
    if (path == NULL && hub_names_model(model) && !hub_config(ctx, model, fetch, &path, err))
        return false;
    return path == NULL || fs_read(path, JOB_MAX, ctx->arena, text, err);
}

void op_model_hint(struct str model, bool fetch, struct error *err)
{
    if (err->kind == ERROR_ABSENT && !fetch && hub_names_model(model) &&
        memchr(model.at, '/', model.len) != NULL)
        error_hint(err, "--fetch-model asks the Hugging Face Hub for its config.json; or give "
                        "params: 7B");
}
