/* Which providers and regions are meant, and whether there is anything to look at. */
#include "op/price/market_view.h"

static struct str place_of(const struct store_offer *o, bool region)
{
    return region ? o->region : o->provider;
}

/* One that matches nothing in the store may still be in the catalog, which has the better words
 * for one that is nowhere. */
static bool check(struct op_context *ctx, const struct store *store, bool region,
                  struct strs wanted, struct error *err)
{
    const unsigned tables = TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_PROVIDERS) |
                            (region ? TABLE_BIT(TABLE_REGIONS) : 0);

    for (size_t w = 0; w < wanted.len; w++) {
        bool found = false;

        for (size_t i = 0; i < store_offer_count(store) && !found; i++) {
            struct store_offer o = store_offer(store, i);

            found = str_glob(place_of(&o, region), wanted.at[w]);
        }
        if (!found &&
            (!op_catalog(ctx, tables, err) ||
             !catalog_check_patterns(&ctx->catalog, tables, region ? "region" : "provider",
                                     (struct strs){&wanted.at[w], 1}, err)))
            return false;
    }
    return true;
}

bool market_providers(struct op_context *ctx, const struct store *store, struct strs asked,
                      struct strs *out, struct error *err)
{
    struct buf names = buf_new(ctx->arena->alloc, 400);

    *out = asked;
    if (asked.len > 0)
        return check(ctx, store, false, asked, err);
    *out = ctx->settings->providers;
    if (out->len == 0)
        return true;
    field_write(field_find(&settings_fields, STR("providers")), ctx->settings, &names);
    message_note(&ctx->messages, "only your providers (%.*s); --provider '*' shows all",
                 (int)names.len, names.at != NULL ? names.at : "...");
    buf_free(&names);
    return true;
}

bool market_regions(struct op_context *ctx, const struct store *store, struct strs asked,
                    struct error *err)
{
    return check(ctx, store, true, asked, err);
}

const struct store *market_filled(struct op_context *ctx, struct error *err)
{
    const struct store *store = op_store(ctx, err);

    if (store == NULL || store_series_count(store) > 0)
        return store;
    error_set(err, ERROR_ABSENT, "no prices are kept yet");
    error_hint(
        err,
        "'stint price fetch skypilot' gets today's, 'stint price import FILE' reads a file");
    return NULL;
}
