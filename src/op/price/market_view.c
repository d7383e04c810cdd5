#include "op/price/market_view.h"

#include <stdlib.h>
#include <string.h>

#include "market/choose.h"
#include "unit/time.h"

static const struct {
    enum price_doubt bit;
    const char *words;
} doubts_known[] = {
    {DOUBT_FLOOR, "a floor or too low to be a price, not what one pays"},
    {DOUBT_JUMP, "ten times up or down at once: maybe a mistake of the feed"},
    {DOUBT_SPOT_DEAR, "spot above on-demand: on-demand is the better buy"},
    {DOUBT_HIGH, "no accelerator costs that much: maybe a price to keep people away"},
};

static struct market_view view_of(const struct op_context *ctx)
{
    return (struct market_view){&ctx->catalog, op_today(ctx), ctx->settings->stale_after};
}

struct price_now price_now(const struct op_context *ctx, const struct store *store,
                           const struct store_offer *offer, enum market market)
{
    struct price_now now = {.price = USD_PER_HOUR_UNKNOWN};
    struct market_view view = view_of(ctx);
    struct store_series best = {0};

    now.series = choose_series(&view, store, offer, market, &best);
    if (now.series == SIZE_MAX)
        return now;
    if (best.price >= 0)
        now.price = market_in_usd(&ctx->catalog, best.price, best.currency, day_of(best.seen),
                                  &now.rate);
    if (best.price >= 0 && now.price.nano == MONEY_UNKNOWN)
        memcpy(now.foreign, best.currency, sizeof now.foreign);
    now.doubts = best.doubts;
    now.since = best.since;
    now.seen = best.seen;
    return now;
}

bool price_discount(const struct op_context *ctx, const struct store_offer *offer,
                    struct price_now *on_demand, struct price_now *spot)
{
    struct market_view view = view_of(ctx);
    struct machine row = {.fact = {.current = true},
                          .provider = offer->provider,
                          .region = offer->region,
                          .zone = offer->zone,
                          .instance = offer->instance,
                          .accelerator = offer->accelerator,
                          .on_demand = on_demand->price,
                          .spot = spot->price};
    bool any = market_discount(&view, &row, 1) > 0;

    on_demand->price = row.on_demand;
    spot->price = row.spot;
    return any;
}

int price_now_compare(const struct price_now *a, const struct price_now *b)
{
    bool known = a->price.nano != MONEY_UNKNOWN && b->price.nano != MONEY_UNKNOWN;

    if (known && choose_doubted(a->doubts) != choose_doubted(b->doubts))
        return choose_doubted(a->doubts) ? 1 : -1;
    return usd_per_hour_compare(a->price, b->price);
}

const char *doubt_word(enum price_doubt doubt)
{
    for (size_t i = 0; i < ARRAY_LEN(doubts_known); i++)
        if (doubts_known[i].bit == doubt)
            return doubts_known[i].words;
    return "";
}

bool doubt_words(const struct op_context *ctx, unsigned doubts, struct strs *out,
                 struct error *err)
{
    struct str *words = arena_array(ctx->arena, struct str, ARRAY_LEN(doubts_known), err);
    size_t count = 0;

    if (words == NULL)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(doubts_known); i++)
        if (doubts & doubts_known[i].bit)
            words[count++] = str_from(doubts_known[i].words);
    *out = (struct strs){words, count};
    return true;
}

bool stamp_text(stamp at, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);

    *out = (struct str){0};
    if (at.s <= 0)
        return true;
    if (at.s % SECONDS_PER_DAY == 0)
        day_write(day_of(at), &text);
    else
        stamp_write(at, &text);
    return buf_keep(&text, arena, out, err);
}

struct money money_of(int64_t nano, const char currency[static 4])
{
    struct money m = {.amount = {.coefficient = nano, .scale = 9}};

    if (nano < 0)
        return (struct money){0};
    m.amount = decimal_trim(m.amount, 0);
    memcpy(m.currency, currency, sizeof m.currency);
    return m;
}

struct str confidence_word(enum confidence c)
{
    return c == CONFIDENCE_OFFICIAL  ? STR("official")
           : c == CONFIDENCE_PRIVATE ? STR("private")
                                     : STR("catalog");
}

struct window market_window(const struct store_series *series, stamp until, int64_t days)
{
    int64_t to = series->seen.s + PRICE_HOLDS;

    to = to < until.s ? to : until.s;
    return (struct window){{to - days * SECONDS_PER_DAY}, {to}};
}

static bool memory_fits(const struct op_context *ctx, const struct market_filter *f,
                        const struct store_offer *o)
{
    const struct accelerator *a = accelerator_named(&ctx->catalog, o->accelerator);
    double gb = a != NULL ? a->memory_gb : o->gpu_memory_gib * BYTES_PER_GIB / 1e9;

    return f->min_memory.n == UINT64_MAX || gb >= bytes_gb(f->min_memory); /* not when NaN */
}

static bool gpu_fits(const struct op_context *ctx, const struct market_filter *f,
                     const struct store_offer *o)
{
    const struct accelerator *a;

    if (f->gpu == NULL || str_eq(o->accelerator, f->gpu->name))
        return true;
    a = f->any_form ? accelerator_named(&ctx->catalog, o->accelerator) : NULL;
    return a != NULL && str_eq(a->family, f->gpu->family);
}

static int compare_machines(const void *a, const void *b)
{
    const struct store_offer *x = a, *y = b;
    int order = str_cmp(x->provider, y->provider);

    order = order != 0 ? order : str_cmp(x->region, y->region);
    order = order != 0 ? order : str_cmp(x->instance, y->instance);
    return order != 0 ? order : str_cmp(x->zone, y->zone);
}

bool market_select(struct op_context *ctx, const struct store *store,
                   const struct market_filter *filter, struct store_offer **out, size_t *count,
                   struct error *err)
{
    size_t total = store_offer_count(store), n = 0;
    struct store_offer *offers = arena_array(ctx->arena, struct store_offer, total, err);

    if (offers == NULL)
        return false;
    for (size_t i = 0; i < total; i++) {
        struct store_offer o = store_offer(store, i);

        if (strs_match(filter->providers, o.provider) &&
            strs_match(filter->regions, o.region) &&
            (filter->min_count < 1 || o.count >= (double)filter->min_count) &&
            gpu_fits(ctx, filter, &o) && memory_fits(ctx, filter, &o))
            offers[n++] = o;
    }
    qsort(offers, n, sizeof offers[0], compare_machines);
    *out = offers;
    *count = n;
    return true;
}

size_t market_same_machine(const struct store_offer *offers, size_t count)
{
    size_t n = 1;

    while (n < count && str_eq(offers[n].provider, offers[0].provider) &&
           str_eq(offers[n].region, offers[0].region) &&
           str_eq(offers[n].instance, offers[0].instance))
        n++;
    return n;
}
