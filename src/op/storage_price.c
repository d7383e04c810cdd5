#include "op/storage_price.h"

#include "op/context.h"

static bool describe_storage_price(struct op_context *ctx, const struct storage *s,
                                   struct str *out, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 512);

    buf_add(&text, s->provider);
    buf_char(&text, ' ');
    buf_add(&text, s->product);
    buf_adds(&text, ", ");
    day_write(s->fact.date, &text);
    return buf_keep(&text, ctx->arena, out, err);
}

bool op_storage_price(struct op_context *ctx, struct str provider, const char *tier,
                      usd_per_gb *price, struct str *source, struct error *err)
{
    const struct rows *table = &ctx->catalog.tables[TABLE_STORAGE];

    *source = STR("as given");
    if (price->nano != MONEY_UNKNOWN)
        return true;
    *source = (struct str){0};
    if (!op_catalog(ctx, TABLE_BIT(TABLE_STORAGE), err) ||
        (provider.len > 0 &&
         !catalog_check_patterns(&ctx->catalog, TABLE_BIT(TABLE_STORAGE), "provider",
                                 (struct strs){&provider, 1}, err)))
        return false;
    if (provider.len == 0 && ctx->settings->providers.len > 0)
        provider = ctx->settings->providers.at[0];
    for (size_t i = 0; i < table->len; i++) {
        const struct storage *s = CATALOG_ROW(&ctx->catalog, TABLE_STORAGE, storage, i);

        if (!str_eq(s->tier, str_from(tier)) ||
            (provider.len > 0 && !str_eq_nocase(s->provider, provider)))
            continue;
        *price = s->usd_gb_month;
        return describe_storage_price(ctx, s, source, err);
    }
    return true;
}
