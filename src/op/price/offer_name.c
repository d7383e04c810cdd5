#include "op/price/offer_name.h"

#include <string.h>

#define MAX_PARTS 4

bool market_parse(struct str text, int *out, struct error *err)
{
    struct suggestion s = {.wanted = text};
    enum market market;

    if (market_named(text, &market)) {
        *out = (int)market;
        return true;
    }
    for (int m = 0; m < MARKET_COUNT; m++)
        suggestion_try(&s, str_from(market_names[m]));
    error_set(err, ERROR_USAGE, "there is no market '%.*s'", STR_ARG(text));
    if (!suggestion_hint(&s, err))
        error_hint(err, MARKET_HINT);
    return false;
}

bool offer_name_parse(struct str text, struct offer_name *out, struct error *err)
{
    struct str rest = str_trim(text), parts[MAX_PARTS];
    const char *colon = rest.len > 0 ? memrchr(rest.at, ':', rest.len) : NULL;
    size_t count = 0;
    bool whole;

    *out = (struct offer_name){.text = rest, .market = -1};
    if (colon != NULL) {
        size_t len = (size_t)(colon - rest.at);

        if (!market_parse((struct str){colon + 1, rest.len - len - 1}, &out->market, err))
            return false;
        rest.len = len;
    }
    whole = rest.len > 0 && rest.at[rest.len - 1] != '/';
    while (count < MAX_PARTS && rest.len > 0)
        parts[count++] = str_cut(&rest, '/');
    if (!whole || rest.len > 0) {
        error_set(err, ERROR_USAGE, "'%.*s' is not an offer", STR_ARG(text));
        error_hint(err, "write it as provider/region/instance, provider/instance or instance, "
                        "with :spot for one market");
        return false;
    }
    out->instance = parts[count - 1];
    if (count > 1)
        out->provider = parts[0];
    if (count > 2)
        out->region = parts[1];
    if (count > 3)
        out->zone = parts[2];
    return true;
}

static bool part_matches(struct str value, struct str pattern)
{
    return pattern.at == NULL || str_glob(value, pattern);
}

bool offer_name_matches(const struct offer_name *name, const struct store_offer *offer)
{
    return part_matches(offer->instance, name->instance) &&
           part_matches(offer->provider, name->provider) &&
           part_matches(offer->region, name->region) && part_matches(offer->zone, name->zone);
}

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

    if (!offer_text(o, ctx->arena, &offer, &ignored))
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

        if (!offer_name_matches(name, &o))
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
