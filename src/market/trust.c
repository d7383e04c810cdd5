#include "market/trust.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "catalog/drift.h"
#include "catalog/price_age.h"
#include "market/book.h"
#include "market/store.h"
#include "unit/time.h"

/* ---- prices far from their peers ---- */

#define NO_CARD UINT32_MAX

/* Looking them up once takes a tenth of the time. */
static uint32_t *find_cards(const struct market_view *view, const struct machine *rows,
                            size_t count, struct error *err)
{
    const struct accelerator *first = view->catalog->tables[TABLE_ACCELERATORS].at;
    uint32_t *cards = arena_array(view->arena, uint32_t, count + 1, err);

    for (size_t i = 0; cards != NULL && i < count; i++) {
        const struct accelerator *gpu =
            rows[i].fact.current ? accelerator_named(view->catalog, rows[i].accelerator) : NULL;

        cards[i] = gpu != NULL ? (uint32_t)(gpu - first) : NO_CARD;
    }
    return cards;
}

/* What one GPU costs at a provider in a market: logarithms. */
struct level {
    struct str provider;
    uint32_t card;
    enum market market;
    double median, limit; /* what is further below the median is an outlier */
};

/* A price for one GPU among those of its provider and market. */
struct peer {
    size_t gpu, region, row;
    double price; /* its logarithm */
};

struct trusting {
    const struct market_view *view;
    struct machine *rows;
    size_t count;
    const uint32_t *cards; /* of each row: its place in the table of accelerators */
    struct peer *peers;    /* of one provider */
    double *away;
    /* Of the peers at hand: */
    double median, limit; /* logarithms: what is further below the median is an outlier */
    struct level *levels; /* not NULL: only these are wanted */
    size_t level_count;
};

static usd_per_hour price_in(const struct machine *row, enum market market)
{
    return market == MARKET_SPOT ? row->spot : row->on_demand;
}

static int by_trusted_price(const void *a, const void *b)
{
    const struct peer *x = a, *y = b;

    if (x->gpu != y->gpu)
        return x->gpu < y->gpu ? -1 : 1;
    return num_compare(x->price, y->price);
}

/* Of sorted numbers. */
static double median_of_sorted(const double *at, size_t count)
{
    return (at[(count - 1) / 2] + at[count / 2]) / 2;
}

static bool in_enough_regions(const struct peer *peers, size_t count)
{
    size_t seen[OUTLIER_REGIONS], found = 0;

    for (size_t i = 0; i < count && found < OUTLIER_REGIONS; i++) {
        bool known = false;

        for (size_t k = 0; k < found; k++)
            known |= seen[k] == peers[i].region;
        if (!known)
            seen[found++] = peers[i].region;
    }
    return found == OUTLIER_REGIONS;
}

static void measure_peers(struct trusting *t, const struct peer *peers, size_t count)
{
    t->median = (peers[(count - 1) / 2].price + peers[count / 2].price) / 2;
    for (size_t i = 0; i < count; i++)
        t->away[i] = fabs(peers[i].price - t->median);
    qsort(t->away, count, sizeof t->away[0], num_by_value);
    t->limit = fmax(log(OUTLIER_FACTOR),
                    OUTLIER_DEVIATIONS * 1.4826 * median_of_sorted(t->away, count));
}

#define SAME_LEVEL 1.5 /* a price within this factor of an earlier one confirms that */

/* Does a series have about its current price from two days? */
static bool seen_twice(const struct market_view *view, size_t series,
                       const struct store_series *s)
{
    struct arena scratch = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct error ignored = {0};
    struct points points;
    bool twice = day_of(s->seen).n > day_of(s->since).n;

    if (!twice && s->price > 0 &&
        store_points(view->store, series, &scratch, &points, &ignored))
        for (size_t i = 0; i < points.len; i++)
            twice |=
                day_of(points.at[i].at).n < day_of(s->seen).n && points.at[i].value > 0 &&
                fabs(log((double)points.at[i].value / (double)s->price)) <= log(SAME_LEVEL);
    arena_free(&scratch);
    return twice;
}

/* The offers of the store that are this machine in its region, one after the other from `*at`
 * on. */
static bool next_zone(const struct market_view *view, const struct machine *row, size_t *at,
                      struct store_offer *out)
{
    if (view->store == NULL)
        return false;
    for (; *at < store_offer_count(view->store); ++*at) {
        *out = store_offer(view->store, *at);
        if (!str_eq(out->provider, row->provider) || !str_eq(out->region, row->region))
            return false;
        if (str_eq(out->instance, row->instance)) {
            ++*at;
            return true;
        }
    }
    return false;
}

/* From where its zones are looked for. */
static size_t first_zone(const struct market_view *view, const struct machine *row)
{
    return view->store != NULL ? store_offer_find(view->store, row->provider, row->region) : 0;
}

static bool is_confirmed(const struct market_view *view, const struct machine *row,
                         enum market market)
{
    size_t at = first_zone(view, row);
    struct store_offer offer;

    while (next_zone(view, row, &at, &offer)) {
        struct store_series s;
        size_t series = choose_series(view, &offer, market, &s);

        if (series != SIZE_MAX && s.price != PRICE_NONE &&
            (market != MARKET_SPOT || row->spot_zone.len == 0 ||
             str_eq(row->spot_zone, offer.zone)) &&
            seen_twice(view, series, &s))
            return true;
    }
    return false;
}

/* Another zone of the region whose spot price is like that of its peers: take its price. */
static bool take_other_zone(struct trusting *t, struct machine *row, bool *taken,
                            struct error *err)
{
    const struct market_view *view = t->view;
    size_t at = first_zone(view, row);
    double share =
        row->list_spot.nano > 0 ? (double)row->spot.nano / (double)row->list_spot.nano : 1;
    usd_per_hour least = USD_PER_HOUR_UNKNOWN;
    struct store_offer offer;

    while (next_zone(view, row, &at, &offer)) {
        struct store_series s;
        usd_per_hour price;

        if (choose_series(view, &offer, MARKET_SPOT, &s) == SIZE_MAX || s.price == PRICE_NONE ||
            choose_doubted(s.doubts))
            continue;
        price = market_in_usd(view->catalog, s.price, s.currency, day_of(s.seen), NULL);
        if (price.nano <= 0 ||
            t->median - log(usd_per_hour_double(price) / (double)row->count) > t->limit)
            continue;
        if (usd_per_hour_compare(price, least) >= 0)
            continue;
        least = price;
        row->spot_zone = offer.zone;
        row->spot_date = day_of(s.seen);
    }
    *taken = least.nano != MONEY_UNKNOWN;
    if (!*taken)
        return true;
    if (row->list_spot.nano > 0)
        row->list_spot = least;
    row->spot = usd_per_hour_scaled(least, share);
    return offer_note_zone(row, view->arena, err);
}

/* Logarithms, for one GPU. */
static bool is_high_price(double price, double median, double limit)
{
    return price - median >= fmax(log(HIGH_FACTOR), limit);
}

static bool judge_peer(struct trusting *t, const struct peer *peer, enum market market,
                       struct error *err)
{
    struct machine *row = &t->rows[peer->row];
    bool sound = false;

    row->trust[market].high = is_high_price(peer->price, t->median, t->limit);
    if (t->median - peer->price <= t->limit || is_confirmed(t->view, row, market))
        return true;
    if (market == MARKET_SPOT && !take_other_zone(t, row, &sound, err))
        return false;
    row->trust[market].outlier = !sound;
    return true;
}

/* The rows from `first` to `end` are of one provider. */
static bool judge_provider(struct trusting *t, size_t first, size_t end, enum market market,
                           struct error *err)
{
    size_t count = 0, region = 0;

    for (size_t i = first; i < end; i++) {
        const struct machine *row = &t->rows[i];
        usd_per_hour price = price_in(row, market);

        region += i > first && !str_eq(row->region, t->rows[i - 1].region);
        if (t->cards[i] != NO_CARD && price.nano > 0 && row->count > 0)
            t->peers[count++] = (struct peer){
                .gpu = t->cards[i],
                .region = region,
                .row = i,
                .price = log(usd_per_hour_double(price) / (double)row->count),
            };
    }
    if (count > 1)
        qsort(t->peers, count, sizeof t->peers[0], by_trusted_price);
    for (size_t i = 0, len; i < count; i += len) {
        for (len = 1; i + len < count && t->peers[i + len].gpu == t->peers[i].gpu;)
            len++;
        if (!in_enough_regions(t->peers + i, len))
            continue;
        measure_peers(t, t->peers + i, len);
        if (t->levels != NULL) {
            t->levels[t->level_count++] = (struct level){.provider = t->rows[first].provider,
                                                         .card = (uint32_t)t->peers[i].gpu,
                                                         .market = market,
                                                         .median = t->median,
                                                         .limit = t->limit};
            continue;
        }
        for (size_t k = 0; k < len; k++)
            if (!judge_peer(t, &t->peers[i + k], market, err))
                return false;
    }
    return true;
}

static bool judge_all_prices(struct trusting *t, struct error *err)
{
    t->peers = arena_array(t->view->arena, struct peer, t->count + 1, err);
    t->away = arena_array(t->view->arena, double, t->count + 1, err);
    t->cards = find_cards(t->view, t->rows, t->count, err);
    if (t->peers == NULL || t->away == NULL || t->cards == NULL)
        return false;
    for (size_t i = 0, end; i < t->count; i = end) {
        for (end = i + 1; end < t->count && str_eq(t->rows[end].provider, t->rows[i].provider);)
            end++;
        if (!judge_provider(t, i, end, MARKET_ON_DEMAND, err) ||
            !judge_provider(t, i, end, MARKET_SPOT, err))
            return false;
    }
    return true;
}

/* ---- prices and their age ---- */

struct aging {
    const struct market_view *view;
    struct drift drift;
    const uint32_t *cards;             /* of the rows */
    const struct drift_curve **curves; /* by accelerator, of the provider at hand */
    struct str provider;
    int64_t fresh; /* days */
};

/* Rows of one provider are together, and have few accelerators. */
static const struct drift_curve *aging_curve_of(struct aging *a, const struct machine *row,
                                                uint32_t card, enum market market)
{
    size_t cards = a->view->catalog->tables[TABLE_ACCELERATORS].len;

    if (!str_eq(a->provider, row->provider)) {
        a->provider = row->provider;
        for (size_t i = 0; i < cards; i++)
            a->curves[i] = NULL;
    }
    if (a->curves[card] == NULL)
        a->curves[card] =
            drift_find(&a->drift, row->provider, row->accelerator, market == MARKET_SPOT);
    return a->curves[card];
}

static void age_row(struct aging *a, struct machine *row, uint32_t card, enum market market)
{
    struct price_trust *trust = &row->trust[market];
    int64_t age;

    trust->date = machine_price_date(row, market);
    age = (int64_t)a->view->today.n - trust->date.n;
    trust->width = drift_width(aging_curve_of(a, row, card, market), age);
    trust->unchanged = drift_unchanged(aging_curve_of(a, row, card, market), age);
    trust->stale = age > a->fresh;
    trust->old = row->fact.layer == 0 &&
                 price_too_old(provider_find(a->view->catalog, row->provider), age);
}

static bool age_rows(struct aging *a, struct machine *rows, size_t count, enum market market,
                     struct error *err)
{
    size_t cards = a->view->catalog->tables[TABLE_ACCELERATORS].len;

    a->provider = (struct str){0};
    a->curves = arena_array(a->view->arena, const struct drift_curve *, cards + 1, err);
    for (size_t i = 0; a->curves != NULL && i < count; i++)
        if (a->cards[i] != NO_CARD && price_in(&rows[i], market).nano != MONEY_UNKNOWN)
            age_row(a, &rows[i], a->cards[i], market);
    return a->curves != NULL;
}

static void rank_rows(struct machine *rows, size_t count, const uint32_t *cards)
{
    for (int market = MARKET_ON_DEMAND; market <= MARKET_SPOT; market++) {
        struct price_ages ages = {0};

        for (size_t i = 0; i < count; i++)
            if (cards[i] != NO_CARD &&
                price_in(&rows[i], (enum market)market).nano != MONEY_UNKNOWN)
                price_ages_see(&ages, &rows[i].trust[market]);
        for (size_t i = 0; i < count; i++)
            if (cards[i] != NO_CARD)
                price_trust_rank(&rows[i].trust[market], &ages);
    }
}

bool trust_rank(const struct market_view *view, struct machine *machines, size_t count,
                struct error *err)
{
    uint32_t *cards = arena_array(view->arena, uint32_t, count + 1, err);
    const struct accelerator *first = view->catalog->tables[TABLE_ACCELERATORS].at;

    if (cards == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        cards[i] = machines[i].gpu != NULL && str_eq(machines[i].kind, STR("cloud"))
                       ? (uint32_t)(machines[i].gpu - first)
                       : NO_CARD;
    rank_rows(machines, count, cards);
    return true;
}

bool trust_rows(const struct market_view *view, struct machine *rows, size_t count,
                struct error *err)
{
    struct trusting t = {.view = view, .rows = rows, .count = count};
    struct aging a = {.view = view, .fresh = view->fresh.ns / (24 * SPAN_HOUR)};

    for (size_t i = 0; i < count; i++)
        rows[i].trust[MARKET_ON_DEMAND] = rows[i].trust[MARKET_SPOT] =
            (struct price_trust){.unchanged = NAN};
    drift_read(view->catalog, &a.drift);
    if (!judge_all_prices(&t, err))
        return false;
    a.cards = t.cards;
    if (!age_rows(&a, rows, count, MARKET_ON_DEMAND, err) ||
        !age_rows(&a, rows, count, MARKET_SPOT, err))
        return false;
    rank_rows(rows, count, t.cards);
    return true;
}

/* ---- single offers ---- */

struct truster {
    struct market_view view;
    struct drift drift;
    const struct level *levels; /* by provider, market and accelerator */
    size_t level_count;
};

struct truster *truster_new(const struct market_view *view, const struct machine *rows,
                            size_t count, struct error *err)
{
    struct trusting t = {.view = view, .count = count};
    struct truster *made = arena_array(view->arena, struct truster, 1, err);

    t.rows = arena_array(view->arena, struct machine, count + 1, err);
    t.levels = arena_array(view->arena, struct level, 2 * count + 1, err);
    if (made == NULL || t.rows == NULL || t.levels == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        t.rows[i] = rows[i];
    if (!judge_all_prices(&t, err))
        return NULL;
    made->view = *view;
    drift_read(view->catalog, &made->drift);
    made->levels = t.levels;
    made->level_count = t.level_count;
    return made;
}

static const struct level *trust_level_of(const struct truster *t, struct str provider,
                                          uint32_t card, enum market market)
{
    for (size_t i = 0; i < t->level_count; i++)
        if (t->levels[i].card == card && t->levels[i].market == market &&
            str_eq(t->levels[i].provider, provider))
            return &t->levels[i];
    return NULL;
}

usd_per_hour truster_peers(const struct truster *truster, struct str provider, struct str gpu,
                           enum market market)
{
    const struct catalog *catalog = truster->view.catalog;
    const struct accelerator *card = accelerator_named(catalog, gpu),
                             *first = catalog->tables[TABLE_ACCELERATORS].at;
    const struct level *level =
        card != NULL ? trust_level_of(truster, provider, (uint32_t)(card - first), market)
                     : NULL;

    return level == NULL ? USD_PER_HOUR_UNKNOWN
                         : (usd_per_hour){llround(exp(level->median) * 1e9)};
}

/* A row of the user's own tables, in the book. */
static bool is_own_series(const struct market_view *view, size_t series)
{
    struct store_feed feed;

    if (series == SIZE_MAX)
        return false;
    feed = store_feed(view->store, store_series(view->store, series).feed);
    return book_has_own(&feed);
}

struct price_trust truster_judge(const struct truster *truster, const struct store_offer *offer,
                                 size_t series, usd_per_hour price, stamp seen,
                                 enum market market)
{
    const struct market_view *view = &truster->view;
    const struct accelerator *gpu = accelerator_named(view->catalog, offer->accelerator),
                             *first = view->catalog->tables[TABLE_ACCELERATORS].at;
    int64_t age = (int64_t)view->today.n - day_of(seen).n;
    struct price_trust trust = {.date = day_of(seen), .unchanged = NAN};
    const struct drift_curve *curve;
    const struct level *level;
    double each;

    if (gpu == NULL || price.nano <= 0 || !(offer->count > 0))
        return trust;
    curve = drift_find(&truster->drift, offer->provider, gpu->name, market == MARKET_SPOT);
    trust.width = drift_width(curve, age);
    trust.unchanged = drift_unchanged(curve, age);
    trust.stale = age > view->fresh.ns / (24 * SPAN_HOUR);
    level = trust_level_of(truster, offer->provider, (uint32_t)(gpu - first), market);
    each = log(usd_per_hour_double(price) / offer->count);
    trust.high = level != NULL && is_high_price(each, level->median, level->limit);
    if (level != NULL && series != SIZE_MAX && level->median - each > level->limit) {
        struct store_series s = store_series(view->store, series);

        trust.outlier = !seen_twice(view, series, &s);
    }
    trust.old = !is_own_series(view, series) &&
                price_too_old(provider_find(view->catalog, offer->provider), age);
    price_trust_rank(&trust, &(struct price_ages){0});
    return trust;
}
