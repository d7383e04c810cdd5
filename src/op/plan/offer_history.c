#include "op/plan/offer_history.h"

#include <math.h>

#include "market/zones.h"
#include "op/context.h"
#include "op/market.h"

#define HISTORY_DAYS 182 /* as 'price history' looks for patterns */

/* The series with the current price of the offer: of its zones the cheapest, of several feeds
 * the one to believe. SIZE_MAX when there is none. */
static size_t week_series_of(const struct op_context *ctx, const struct store *store,
                             const struct week_offer *offer)
{
    struct market_view view = op_market(ctx);
    struct price_now best = {.series = SIZE_MAX};

    for (size_t i = store_offer_find(store, offer->provider, offer->region);
         i < store_offer_count(store); i++) {
        struct store_offer o = store_offer(store, i);
        struct price_now now;

        if (!str_eq(o.provider, offer->provider) || !str_eq(o.region, offer->region))
            break;
        if (!str_eq(o.instance, offer->instance))
            continue;
        now = price_now(&view, &o, offer->market);
        if (now.series != SIZE_MAX &&
            (best.series == SIZE_MAX || price_now_compare(&now, &best) < 0))
            best = now;
    }
    return best.series;
}

static bool read_offer_history(struct op_context *ctx, const struct week_offer *offer,
                               struct arena *scratch, struct offer_history *out,
                               struct error *err)
{
    stamp now = op_now(ctx);
    const struct store *store;
    struct store_series series;
    double mean;
    size_t at;

    if (ctx->settings->prices.len == 0) /* without a home there is no history */
        return true;
    store = op_store(ctx, err);
    if (store == NULL || !op_catalog(ctx, TABLE_BIT(TABLE_EXCHANGE), err))
        return false;
    at = week_series_of(ctx, store, offer);
    if (at == SIZE_MAX)
        return true;
    series = store_series(store, at);
    out->window = market_window(&series, now, HISTORY_DAYS);
    if (!store_points(store, at, scratch, &out->points, err))
        return false;
    if (out->points.len == 0)
        return true;
    mean = series_stats(out->points, market_window(&series, now, WEEK_DAYS)).mean;
    if (!isnan(mean) && currency_is(series.currency, currency_usd))
        out->mean.nano = llround(mean);
    return true;
}

bool op_offer_week(struct op_context *ctx, const struct week_offer *offer,
                   struct offer_week *out, struct error *err)
{
    struct arena scratch = {.alloc = ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct offer_history history = {.mean = USD_PER_HOUR_UNKNOWN};
    bool ok = op_catalog(ctx,
                         TABLE_BIT(TABLE_PRICE_HOURS) | TABLE_BIT(TABLE_CARBON_HOURS) |
                             TABLE_BIT(TABLE_REGIONS),
                         err) &&
              read_offer_history(ctx, offer, &scratch, &history, err) &&
              offer_week_of(&ctx->catalog, offer, &history, ctx->arena, out, err);

    arena_free(&scratch);
    return ok;
}
