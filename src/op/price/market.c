/* The price store, as operations see it. */
#include "base/fs.h"
#include "market/offers.h"
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
        message_warn(&ctx->messages, "%.*s", (int)mended.len, mended.at);
    buf_free(&mended);
    return ctx->store;
}

bool op_store_mend(struct op_context *ctx)
{
    struct buf mended = buf_new(ctx->arena->alloc, 1024);
    struct error ignored = {0};
    const char *path;
    bool ok;

    if (ctx->store == NULL || store_verify(ctx->store) == 0)
        return false;
    path = op_store_path(ctx, &ignored);
    op_done(ctx);
    ok = path != NULL && store_mend(path, ctx->arena->alloc, &mended, &ignored);
    if (mended.len > 0)
        message_warn(&ctx->messages, "%.*s", (int)mended.len, mended.at);
    buf_free(&mended);
    return ok;
}

void op_done(struct op_context *ctx)
{
    store_close(ctx->store);
    ctx->store = NULL;
    if (ctx->live) /* its texts were the store's */
        ctx->catalog = (struct catalog){0};
    ctx->live = false;
}

bool op_offers(struct op_context *ctx, struct error *err)
{
    struct market_view view = {&ctx->catalog, op_today(ctx), ctx->settings->stale_after};
    struct market_counts counts;
    const struct store *store;
    struct rows merged;

    if (ctx->live)
        return true;
    if (!op_catalog(ctx,
                    TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_DISCOUNTS) |
                        TABLE_BIT(TABLE_EXCHANGE),
                    err))
        return false;
    if (ctx->settings->prices.len == 0) /* nobody has a home: the built-in prices will do */
        return true;
    store = op_store(ctx, err);
    if (store == NULL || !market_merge(store, &view, ctx->arena, &merged, &counts, err))
        return false;
    ctx->catalog.tables[TABLE_OFFERS] = merged;
    ctx->live = true;
    return true;
}
