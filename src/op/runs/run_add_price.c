/* What an offer cost at a time that is past, by the history of the price store. */
#include <string.h>

#include "market/zones.h"
#include "op/market.h"
#include "op/runs/run_add.h"
#include "series/series.h"

/* Each price for as long as it held. */
static bool add_up(struct points points, struct window window, struct price_then *out)
{
    stamp at = window.from;
    size_t next = series_start(points, window);
    struct stretch s;

    out->cost = (usd){0};
    while (series_next(points, window, &next, &at, &s)) {
        usd part;

        if (s.value == PRICE_NONE ||
            !usd_for((usd_per_hour){s.value}, (span){(s.to.s - s.from.s) * 1000000000}, &part))
            return false;
        out->cost = usd_add(out->cost, part);
        if (out->prices == 0 || s.value != out->last.nano)
            out->prices++;
        out->last = (usd_per_hour){s.value};
        if (out->first.nano == MONEY_UNKNOWN)
            out->first = out->last;
    }
    return out->prices > 0 && at.s >= window.to.s && out->cost.nano != MONEY_UNKNOWN;
}

static bool look(struct op_context *ctx, const struct store *store,
                 const struct store_offer *offer, enum market market, struct window window,
                 struct price_then *out, struct error *err)
{
    struct market_view view = op_market(ctx);
    struct price_now now = price_now(&view, offer, market);
    struct store_series series;
    struct price_then then = {.first = USD_PER_HOUR_UNKNOWN, .last = USD_PER_HOUR_UNKNOWN};
    struct points points;

    if (now.series == SIZE_MAX)
        return true;
    series = store_series(store, now.series);
    /* In dollars, known when it began, and still told when it ended. */
    if (strncmp(series.currency, "USD", 3) != 0 || series.first.s > window.from.s ||
        series.seen.s + PRICE_HOLDS < window.to.s)
        return true;
    if (!store_points(store, now.series, ctx->arena, &points, err))
        return false;
    if (!add_up(points, window, &then))
        return true;
    then.feed = store_feed(store, series.feed).feed;
    *out = then;
    return true;
}

bool price_then(struct op_context *ctx, const struct run_price *now, stamp start, stamp end,
                struct price_then *out, struct error *err)
{
    const struct store *store;
    struct offer_name name;
    int market;

    *out = (struct price_then){
        .cost = USD_UNKNOWN, .first = USD_PER_HOUR_UNKNOWN, .last = USD_PER_HOUR_UNKNOWN};
    if (now->how != RUN_PRICE_OFFER || now->offer.len == 0)
        return true;
    store = op_store(ctx, err);
    if (store == NULL || !offer_name_parse(now->offer, &name, err) ||
        !market_parse(now->market, &market, err))
        return false;
    for (size_t i = store_offer_find(store, now->provider, now->region);
         i < store_offer_count(store); i++) {
        struct store_offer offer = store_offer(store, i);

        if (!str_eq(offer.provider, now->provider) || !str_eq(offer.region, now->region))
            break;
        if (offer_name_matches(&name, offer.provider, offer.region, offer.zone, offer.instance))
            return look(ctx, store, &offer, (enum market)market, (struct window){start, end},
                        out, err);
    }
    return true;
}
