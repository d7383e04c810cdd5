#include "op/price/offer_name.h"

/* Its best price in the market that counts. */
static struct price_now best_price(const struct op_context *ctx, const struct store *store,
                                   const struct store_offer *offer, int market, enum market *of)
{
    struct price_now spot, on_demand;

    *of = market >= 0 ? (enum market)market : MARKET_SPOT;
    if (market >= 0)
        return price_now(ctx, store, offer, (enum market)market);
    spot = price_now(ctx, store, offer, MARKET_SPOT);
    on_demand = price_now(ctx, store, offer, MARKET_ON_DEMAND);
    if (price_now_compare(&spot, &on_demand) < 0)
        return spot;
    *of = MARKET_ON_DEMAND;
    return on_demand;
}

/* Of two without a price, the one that had one last. */
static bool better(const struct price_now *a, const struct price_now *b)
{
    int order = price_now_compare(a, b);

    return order != 0 ? order < 0 : a->price.nano == MONEY_UNKNOWN && a->seen.s > b->seen.s;
}

static bool absent(const struct store *store, const struct offer_name *name, struct error *err)
{
    struct suggestion s = {.wanted = name->instance};
    size_t of_instance = 0;

    for (size_t i = 0; i < store_offer_count(store); i++) {
        struct store_offer o = store_offer(store, i);

        of_instance += str_glob(o.instance, name->instance);
        suggestion_try(&s, o.instance);
    }
    error_set(err, ERROR_ABSENT, "no price of '%.*s' is kept", STR_ARG(name->text));
    if (of_instance > 0)
        error_hint(
            err, "'%.*s' has prices elsewhere: leave out the provider and region to see where",
            STR_ARG(name->instance));
    else if (!suggestion_hint(&s, err))
        error_hint(
            err,
            "'stint price doctor' tells what is kept, 'stint price fetch --all' gets more");
    return false;
}

static void say_choice(const struct op_context *ctx, const struct offer_name *name,
                       const struct store_offer *o, const struct price_now *now, const char *of,
                       size_t others)
{
    struct buf text = buf_new(ctx->arena->alloc, 400);
    struct error ignored = {0};
    struct str offer;

    if (!machine_name(o->provider, o->region, o->zone, o->instance, ctx->arena, &offer,
                      &ignored))
        return;
    usd_per_hour_write(now->price, &text);
    if (now->price.nano == MONEY_UNKNOWN)
        message_note(&ctx->messages, "'%.*s' means %.*s, one of %zu", STR_ARG(name->text),
                     STR_ARG(offer), others);
    else
        message_note(&ctx->messages, "'%.*s' means %.*s, the cheapest of %zu now (%.*s, %s)",
                     STR_ARG(name->text), STR_ARG(offer), others, (int)text.len,
                     text.at != NULL ? text.at : "", of);
    buf_free(&text);
}

bool offer_name_find(struct op_context *ctx, const struct store *store,
                     const struct offer_name *name, struct store_offer *out, struct error *err)
{
    struct price_now best = {0};
    enum market of = MARKET_SPOT;
    size_t found = 0;

    if (!op_catalog(ctx, TABLE_BIT(TABLE_EXCHANGE), err))
        return false;
    for (size_t i = 0; i < store_offer_count(store); i++) {
        struct store_offer o = store_offer(store, i);
        struct price_now now;
        enum market market;

        if (!offer_name_matches(name, o.provider, o.region, o.zone, o.instance))
            continue;
        now = best_price(ctx, store, &o, name->market, &market);
        if (found++ > 0 && !better(&now, &best))
            continue;
        best = now;
        of = market;
        *out = o;
    }
    if (found == 0)
        return absent(store, name, err);
    if (found > 1)
        say_choice(ctx, name, out, &best, market_names[of], found);
    return true;
}
