#include "market/offers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "market/choose.h"
#include "unit/time.h"

#define PLACES 4096 /* of the instances of one region; a power of two, grown when it fills */
#define NAMES 512   /* accelerators' names in the store; a power of two */

/* A region that a feed read wholly. */
struct coverage {
    struct str provider, region; /* an empty region: all of the provider */
    day read;
};

struct merger {
    struct chooser choose;
    const struct store *store;
    const struct market_view *view;
    struct arena *arena;
    struct market_counts *counts;
    struct offer *rows;
    size_t count, region_first; /* where the region being read starts */
    size_t *places, place_count;
    struct {
        const char *text;
        const struct accelerator *meant;
    } names[NAMES];
    struct store_feed *feeds;
    struct str *sources; /* of each feed, as a fact's source */
    struct coverage *covered;
    size_t covered_count;
};

static size_t hash(const void *place)
{
    uintptr_t n = (uintptr_t)place;

    return (size_t)((n ^ (n >> 15)) * UINT64_C(0x9e3779b97f4a7c15) >> 20);
}

static const struct accelerator *accelerator_of(struct merger *m, struct str name)
{
    size_t at = hash(name.at) & (NAMES - 1);

    for (size_t i = 0; i < NAMES; i++, at = (at + 1) & (NAMES - 1)) {
        if (m->names[at].text == name.at)
            return m->names[at].meant;
        if (m->names[at].text == NULL) {
            m->names[at].text = name.at;
            m->names[at].meant = accelerator_named(m->view->catalog, name);
            return m->names[at].meant;
        }
    }
    return accelerator_named(m->view->catalog, name);
}

/* The row of this instance in the region being read; made when there is none. */
static struct offer *row_of(struct merger *m, const struct store_offer *o)
{
    size_t at = hash(o->instance.at) & (m->place_count - 1);

    for (;; at = (at + 1) & (m->place_count - 1)) {
        struct offer *row;

        if (m->places[at] < m->region_first || m->places[at] >= m->count) {
            m->places[at] = m->count;
            row = &m->rows[m->count++];
            *row = (struct offer){.provider = o->provider,
                                  .region = o->region,
                                  .instance = o->instance,
                                  .accelerator = o->accelerator,
                                  .count = (int64_t)o->count,
                                  .vcpus = o->vcpus,
                                  .memory_gib = o->memory_gib,
                                  .on_demand_usd_h = USD_PER_HOUR_UNKNOWN,
                                  .spot_usd_h = USD_PER_HOUR_UNKNOWN};
            row->fact.date = DAY_UNKNOWN;
            row->fact.current = true;
            return row;
        }
        row = &m->rows[m->places[at]];
        if (row->instance.at == o->instance.at)
            return row;
    }
}

/* A row is as old as the older of its prices. */
static void stamp_row(const struct merger *m, struct offer *row, const struct choice *c)
{
    day seen = day_of(c->series.seen);

    if (row->fact.date.n == DAY_UNKNOWN.n || seen.n < row->fact.date.n)
        row->fact.date = seen;
    row->fact.source = m->sources[c->series.feed];
    if (c->rate != NULL)
        row->rate = c->rate;
}

/* There is a price, but nobody said what its currency is worth. */
static void note_foreign(struct offer *row, const struct choice *c)
{
    if (c->found && c->series.price != PRICE_NONE && c->price.nano == MONEY_UNKNOWN)
        memcpy(row->foreign, c->series.currency, sizeof row->foreign);
}

static bool add_offer(struct merger *m, const struct store_offer *o, struct error *err)
{
    const struct accelerator *a = accelerator_of(m, o->accelerator);
    struct choice on_demand, spot;
    struct str conflict = {0};
    struct offer *row;

    if (a == NULL || o->count < 1 || o->count != floor(o->count)) {
        m->counts->unknown += a == NULL;
        m->counts->parts += a != NULL;
        return true;
    }
    if (!choose_price(&m->choose, o, MARKET_ON_DEMAND, &on_demand, &conflict, err) ||
        !choose_price(&m->choose, o, MARKET_SPOT, &spot, &conflict, err))
        return false;
    if (!on_demand.found && !spot.found)
        return true;
    row = row_of(m, o);
    row->accelerator = a->name;
    if (conflict.len > 0 && row->conflict.len == 0)
        row->conflict = conflict;
    note_foreign(row, &on_demand);
    note_foreign(row, &spot);
    if (spot.found && usd_per_hour_compare(spot.price, row->spot_usd_h) < 0) {
        row->spot_usd_h = spot.price;
        row->fact.notes = o->zone.len > 0 ? o->zone : (struct str){0}; /* a sentence later */
        stamp_row(m, row, &spot);
    }
    if (on_demand.found && usd_per_hour_compare(on_demand.price, row->on_demand_usd_h) < 0) {
        row->on_demand_usd_h = on_demand.price;
        stamp_row(m, row, &on_demand);
    }
    if (row->fact.date.n ==
        DAY_UNKNOWN.n) /* gone everywhere: the row says so, and since when */
        stamp_row(m, row, on_demand.found ? &on_demand : &spot);
    return true;
}

static int by_instance(const void *a, const void *b)
{
    const struct offer *x = a, *y = b;

    return str_cmp(x->instance, y->instance);
}

/* "spot in use1-az6": of the zones of a region, the cheapest. */
static bool note_zone(struct merger *m, struct offer *row, struct error *err)
{
    static const char start[] = "spot in ";
    struct str zone = row->fact.notes;
    char *text;

    if (zone.len == 0)
        return true;
    text = arena_array(m->arena, char, sizeof start + zone.len, err);
    if (text == NULL)
        return false;
    memcpy(text, start, sizeof start - 1);
    memcpy(text + sizeof start - 1, zone.at, zone.len);
    row->fact.notes = (struct str){text, sizeof start - 1 + zone.len};
    return true;
}

static bool end_region(struct merger *m, struct error *err)
{
    struct offer *rows = m->rows + m->region_first;
    size_t count = m->count - m->region_first;

    if (count > 1)
        qsort(rows, count, sizeof rows[0], by_instance);
    for (size_t i = 0; i < count; i++) {
        if (!note_zone(m, &rows[i], err))
            return false;
        m->counts->conflicts += rows[i].conflict.len > 0;
    }
    m->region_first = m->count;
    return true;
}

/* Which regions the feeds that were read wholly are about. */
static void cover(struct merger *m, const struct store_offer *o)
{
    for (size_t i = o->first_series; i < o->first_series + o->series_count; i++) {
        const struct store_feed *feed = &m->feeds[store_series(m->store, i).feed];
        struct coverage *last = m->covered_count > 0 ? &m->covered[m->covered_count - 1] : NULL;
        day read = day_of(feed->read);

        if (feed->scope != SCOPE_REGIONS)
            continue;
        if (last == NULL || last->region.at != o->region.at ||
            last->provider.at != o->provider.at)
            m->covered[m->covered_count++] = (struct coverage){o->provider, o->region, read};
        else if (read.n > last->read.n)
            last->read = read;
    }
}

static bool read_store(struct merger *m, struct error *err)
{
    const char *provider = NULL, *region = NULL;

    for (size_t i = 0; i < store_offer_count(m->store); i++) {
        struct store_offer o = store_offer(m->store, i);

        if (o.provider.at != provider || o.region.at != region) {
            if (!end_region(m, err))
                return false;
            provider = o.provider.at;
            region = o.region.at;
        }
        cover(m, &o);
        if (!add_offer(m, &o, err))
            return false;
    }
    m->counts->offers = m->count;
    return end_region(m, err);
}

/* "skypilot (aws/vms.csv)": whose word it is, and what was read. */
static bool read_feeds(struct merger *m, struct error *err)
{
    size_t count = store_feed_count(m->store);

    m->feeds = arena_array(m->arena, struct store_feed, count + 1, err);
    m->sources = arena_array(m->arena, struct str, count + 1, err);
    if (m->feeds == NULL || m->sources == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct store_feed *feed = &m->feeds[i];
        size_t room;
        char *text;

        *feed = store_feed(m->store, i);
        room = feed->feed.len + feed->from.len + 4;
        text = arena_array(m->arena, char, room, err);
        if (text == NULL)
            return false;
        (void)snprintf(text, room, "%.*s (%.*s)", (int)feed->feed.len, feed->feed.at,
                       (int)feed->from.len, feed->from.at);
        m->sources[i] = (struct str){text, room - 1};
        if (feed->scope == SCOPE_PROVIDER)
            m->covered[m->covered_count++] =
                (struct coverage){feed->provider, {0}, day_of(feed->read)};
    }
    return true;
}

/* Did a feed read everything about the place of this row, since? */
static bool covered_since(const struct merger *m, const struct offer *row)
{
    for (size_t i = 0; i < m->covered_count; i++) {
        const struct coverage *c = &m->covered[i];

        if (c->read.n >= row->fact.date.n && str_eq(c->provider, row->provider) &&
            (c->region.len == 0 || str_eq(c->region, row->region)))
            return true;
    }
    return false;
}

static int compare_keys(const struct offer *a, const struct offer *b)
{
    int order = str_cmp(a->provider, b->provider);

    if (order == 0)
        order = str_cmp(a->region, b->region);
    if (order == 0)
        order = str_cmp(a->zone, b->zone);
    return order != 0 ? order : str_cmp(a->instance, b->instance);
}

/* The store's row and the catalog's of the same key: which holds now? */
static void settle(struct offer *fact, struct offer *ours)
{
    if (!fact->fact.current)
        return;
    if (fact->fact.layer > 0 || fact->fact.date.n > ours->fact.date.n)
        ours->fact.current = false;
    else
        fact->fact.current = false;
}

/* Both lists are sorted by key; so is what comes out. */
static bool interleave(struct merger *m, struct rows *out, struct error *err)
{
    const struct rows *facts = &m->view->catalog->tables[TABLE_OFFERS];
    struct offer *all = arena_array(m->arena, struct offer, facts->len + m->count + 1, err);
    size_t f = 0, s = 0, n = 0;

    if (all == NULL)
        return false;
    while (f < facts->len || s < m->count) {
        const struct offer *fact = &((const struct offer *)facts->at)[f];
        int order = f == facts->len ? 1 : s == m->count ? -1 : compare_keys(fact, &m->rows[s]);

        if (order <= 0) {
            all[n] = *fact;
            if (order == 0)
                settle(&all[n], &m->rows[s]);
            else if (fact->fact.layer == 0 && covered_since(m, fact))
                all[n].fact.current = false;
            f++;
        } else {
            all[n] = m->rows[s++];
        }
        n++;
    }
    m->counts->discounted = market_discount(m->view, all, n);
    *out = (struct rows){all, n};
    return true;
}

bool market_merge(const struct store *store, const struct market_view *view,
                  struct arena *arena, struct rows *out, struct market_counts *counts,
                  struct error *err)
{
    size_t offers = store_offer_count(store);
    struct merger m = {
        .store = store, .view = view, .arena = arena, .counts = counts, .place_count = PLACES};

    *counts = (struct market_counts){0};
    while (m.place_count < 2 * offers)
        m.place_count *= 2;
    m.rows = arena_array(arena, struct offer, offers + 1, err);
    m.places = arena_array(arena, size_t, m.place_count, err);
    m.covered = arena_array(arena, struct coverage, offers + store_feed_count(store) + 1, err);
    if (m.rows == NULL || m.places == NULL || m.covered == NULL)
        return false;
    memset(m.places, 0xff, m.place_count * sizeof m.places[0]);
    if (!read_feeds(&m, err))
        return false;
    m.choose = (struct chooser){store, view, m.feeds, counts, arena};
    return read_store(&m, err) && interleave(&m, out, err);
}
