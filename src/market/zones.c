#include "market/zones.h"

#include <stdlib.h>

#include "catalog/allowed.h"
#include "market/trust.h"
#include "unit/time.h"

/* ---- what one offer costs now ---- */

struct price_now price_now(const struct market_view *view, const struct store_offer *offer,
                           enum market market)
{
    struct price_now now = {.price = USD_PER_HOUR_UNKNOWN};
    struct store_series best = {0};

    now.series = choose_series(view, offer, market, &best);
    if (now.series == SIZE_MAX)
        return now;
    if (best.price >= 0)
        now.price = market_in_usd(view->catalog, best.price, best.currency, day_of(best.seen),
                                  &now.rate);
    if (best.price >= 0 && now.price.nano == MONEY_UNKNOWN)
        now.foreign = best.currency;
    now.doubts = best.doubts;
    now.since = best.since;
    now.seen = best.seen;
    return now;
}

bool price_discount(const struct market_view *view, const struct store_offer *offer,
                    struct price_now *on_demand, struct price_now *spot)
{
    struct machine row = {.fact = {.current = true},
                          .provider = offer->provider,
                          .region = offer->region,
                          .zone = offer->zone,
                          .instance = offer->instance,
                          .accelerator = offer->accelerator,
                          .on_demand = on_demand->price,
                          .spot = spot->price};
    bool any = market_discount(view, &row, 1) > 0;

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

static const struct {
    enum price_doubt bit;
    const char *words;
} doubts_known[] = {
    {DOUBT_FLOOR, "a floor or too low to be a price, not what one pays"},
    {DOUBT_JUMP, "ten times up or down at once: possibly an error of the feed"},
    {DOUBT_SPOT_DEAR, "spot above on-demand: on-demand is the better buy"},
    {DOUBT_HIGH, "no accelerator costs that much: possibly a deterrent price"},
    {DOUBT_PEERS, "far below the same GPU's prices in other regions, and seen on one day only"},
};

const char *doubt_word(enum price_doubt doubt)
{
    for (size_t i = 0; i < ARRAY_LEN(doubts_known); i++)
        if (doubts_known[i].bit == doubt)
            return doubts_known[i].words;
    return "";
}

bool doubt_words(unsigned doubts, struct arena *arena, struct strs *out, struct error *err)
{
    struct str *words = arena_array(arena, struct str, ARRAY_LEN(doubts_known), err);
    size_t count = 0;

    if (words == NULL)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(doubts_known); i++)
        if (doubts & doubts_known[i].bit)
            words[count++] = str_from(doubts_known[i].words);
    *out = (struct strs){words, count};
    return true;
}

static const struct field gap_fields[] = {
    FIELD(DAY, data_gap, from, .help = "first day without data"),
    FIELD(DAY, data_gap, to, .help = "last day without data"),
};

const struct field_set data_gap_fields = FIELD_SET(struct data_gap, gap_fields);

struct data_gap data_gap_of(struct window window)
{
    return (struct data_gap){day_of(window.from), day_of((stamp){window.to.s - 1})};
}

struct window market_window(const struct store_series *series, stamp until, int64_t days)
{
    int64_t to = series->seen.s + PRICE_HOLDS;

    to = to < until.s ? to : until.s;
    return (struct window){{to - days * SECONDS_PER_DAY}, {to}};
}

/* ---- several ---- */

static bool zone_memory_fits(const struct zone_query *q, const struct store_offer *o,
                             const struct accelerator *gpu)
{
    double gb = gpu != NULL ? gpu->memory_gb : o->gpu_memory_gib * BYTES_PER_GIB / 1e9;

    return q->min_memory.n == UINT64_MAX || gb >= bytes_gb(q->min_memory); /* not when NaN */
}

static bool zone_gpu_fits(const struct zone_query *q, const struct store_offer *o,
                          const struct accelerator *gpu)
{
    return q->gpu == NULL || str_eq(o->accelerator, q->gpu->name) ||
           (q->any_form && gpu != NULL && str_eq(gpu->family, q->gpu->family));
}

static int compare_zone_machines(const void *a, const void *b)
{
    const struct store_offer *x = a, *y = b;
    int order = str_cmp(x->provider, y->provider);

    order = order != 0 ? order : str_cmp(x->region, y->region);
    order = order != 0 ? order : str_cmp(x->instance, y->instance);
    return order != 0 ? order : str_cmp(x->zone, y->zone);
}

bool zones_select(const struct market_view *view, const struct zone_query *query,
                  struct store_offer **out, size_t *count, struct error *err)
{
    size_t total = store_offer_count(view->store), n = 0;
    struct store_offer *offers = arena_array(view->arena, struct store_offer, total, err);

    if (offers == NULL)
        return false;
    for (size_t i = 0; i < total; i++) {
        struct store_offer o = store_offer(view->store, i);
        const struct accelerator *gpu;

        if (!allowed_match(query->providers, o.provider) ||
            !allowed_match(query->regions, o.region) ||
            (query->min_count >= 1 && !(o.count >= (double)query->min_count)))
            continue;
        gpu = accelerator_named(view->catalog, o.accelerator);
        if (zone_gpu_fits(query, &o, gpu) && zone_memory_fits(query, &o, gpu))
            offers[n++] = o;
    }
    qsort(offers, n, sizeof offers[0], compare_zone_machines);
    *out = offers;
    *count = n;
    return true;
}

size_t zones_same_machine(const struct store_offer *offers, size_t count)
{
    size_t n = 1;

    while (n < count && str_eq(offers[n].provider, offers[0].provider) &&
           str_eq(offers[n].region, offers[0].region) &&
           str_eq(offers[n].instance, offers[0].instance))
        n++;
    return n;
}

bool zones_filled(const struct store *store, struct error *err)
{
    if (store_series_count(store) > 0)
        return true;
    error_set(err, ERROR_ABSENT, "no prices are kept yet");
    error_hint(err, "'stint price fetch skypilot' gets today's, 'stint price import FILE' "
                    "reads a file");
    return false;
}

bool zones_have(const struct store *store, bool region, struct str pattern)
{
    for (size_t i = 0; i < store_offer_count(store); i++) {
        struct store_offer o = store_offer(store, i);

        if (str_glob(region ? o.region : o.provider, pattern))
            return true;
    }
    return false;
}

/* ---- by name ---- */

/* A price, and what it counts for when offers are compared. */
struct judged {
    struct price_now now;
    struct price_now counted;
    enum market market;
};

static struct judged judge_price(const struct market_view *view, const struct truster *truster,
                                 const struct store_offer *offer, enum market market)
{
    struct judged j = {.now = price_now(view, offer, market), .market = market};

    j.counted = j.now;
    if (truster != NULL && j.now.series != SIZE_MAX && market <= MARKET_SPOT) {
        struct price_trust trust =
            truster_judge(truster, offer, j.now.series, j.now.price, j.now.seen, market);

        j.counted.price = rate_with_premium(j.now.price, trust.premium);
        j.counted.doubts |= trust.outlier ? DOUBT_PEERS : 0;
    }
    return j;
}

/* Its best price in the market that counts. */
static struct judged best_price(const struct market_view *view, const struct truster *truster,
                                const struct store_offer *offer, int market)
{
    struct judged spot, on_demand;

    if (market >= 0)
        return judge_price(view, truster, offer, (enum market)market);
    spot = judge_price(view, truster, offer, MARKET_SPOT);
    on_demand = judge_price(view, truster, offer, MARKET_ON_DEMAND);
    return price_now_compare(&spot.counted, &on_demand.counted) < 0 ? spot : on_demand;
}

/* Of two without a price, the one that had one last. */
static bool is_better_zone_price(const struct judged *a, const struct judged *b)
{
    int order = price_now_compare(&a->counted, &b->counted);

    return order != 0 ? order < 0
                      : a->now.price.nano == MONEY_UNKNOWN && a->now.seen.s > b->now.seen.s;
}

static bool refuse_absent_zone_offer(const struct store *store, const struct offer_name *name,
                                     struct error *err)
{
    struct suggestion s = {.wanted = name->instance};
    size_t of_instance = 0;

    for (size_t i = 0; i < store_offer_count(store); i++) {
        struct store_offer o = store_offer(store, i);

        of_instance += str_glob(o.instance, name->instance);
        suggestion_try(&s, o.instance);
    }
    error_set(err, ERROR_ABSENT, "the price store has no price of '%.*s'", STR_ARG(name->text));
    if (of_instance > 0)
        error_hint(err, "'%.*s' has prices elsewhere: leave out the provider and region",
                   STR_ARG(name->instance));
    else if (!suggestion_hint(&s, err))
        error_hint(err, "'stint price doctor' lists what is stored, 'stint price fetch --all' "
                        "gets more");
    return false;
}

static void note_zone_choice(const struct market_view *view, const struct offer_name *name,
                             const struct store_offer *o, const struct price_now *now,
                             const char *of, size_t others)
{
    struct buf text = buf_new(view->arena->alloc, 400);
    struct error ignored = {0};
    struct str offer;

    if (!machine_name(o->provider, o->region, o->zone, o->instance, view->arena, &offer,
                      &ignored))
        return;
    usd_per_hour_write(now->price, &text);
    if (now->price.nano == MONEY_UNKNOWN)
        message_note(view->messages, "'%.*s' means %.*s, one of %zu", STR_ARG(name->text),
                     STR_ARG(offer), others);
    else
        message_note(view->messages, "'%.*s' means %.*s, the cheapest of %zu now (%.*s, %s)",
                     STR_ARG(name->text), STR_ARG(offer), others, (int)text.len,
                     text.at != NULL ? text.at : "", of);
    buf_free(&text);
}

bool zones_find(const struct market_view *view, const struct truster *truster,
                const struct offer_name *name, struct store_offer *out, struct error *err)
{
    struct judged best = {0};
    size_t found = 0;

    for (size_t i = 0; i < store_offer_count(view->store); i++) {
        struct store_offer o = store_offer(view->store, i);
        struct judged now;

        if (!offer_name_means(name, o.provider, o.region, o.zone, o.instance, o.accelerator,
                              o.count))
            continue;
        now = best_price(view, truster, &o, name->market);
        if (found++ > 0 && !is_better_zone_price(&now, &best))
            continue;
        best = now;
        *out = o;
    }
    if (found == 0)
        return refuse_absent_zone_offer(view->store, name, err);
    if (found > 1)
        note_zone_choice(view, name, out, &best.now, market_names[best.market], found);
    return true;
}
