/* The price store, as operations see it. */
#include "base/fs.h"
#include "market/store.h"
#include "op/op.h"

const char *op_store_path(struct op_context *ctx, struct error *err)
{
    const char *folder;

    if (ctx->settings->prices.len == 0) /* there is no home: let the error say so */
        return settings_cache(ctx->arena, err);
    folder = str_dup(ctx->settings->prices, ctx->arena, err);
    return folder != NULL ? fs_join(folder, "prices.store", ctx->arena, err) : NULL;
}

const struct store *op_store(struct op_context *ctx, struct error *err)
{
    struct buf mended = buf_new(ctx->arena->alloc, 1024);
    const char *path = NULL;

    if (ctx->store == NULL) {
        path = op_store_path(ctx, err);
        ctx->store = path != NULL ? store_open(path, ctx->arena->alloc, &mended, err) : NULL;
    }
    if (mended.len > 0)
        op_say(ctx, VOICE_WARN, "%.*s", (int)mended.len, mended.at);
    buf_free(&mended);
    return ctx->store;
}

void op_done(struct op_context *ctx)
{
    store_close(ctx->store);
    ctx->store = NULL;
}
