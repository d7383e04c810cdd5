#include "market/offers.h"

#include <string.h>

#include "market/groups.h"
#include "unit/time.h"

struct merger {
    const struct store *store;
    const struct market_view *view;
    struct arena *arena;
    struct market_counts *counts;
    struct grouper groups;
    struct store_feed *feeds;
    struct str *sources; /* of each feed, as a fact's source */
};

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
    }
    return true;
}

static bool read_store(struct merger *m, struct error *err)
{
    const char *provider = NULL, *region = NULL;

    for (size_t i = 0; i < store_offer_count(m->store); i++) {
        struct store_offer o = store_offer(m->store, i);

        if (o.provider.at != provider || o.region.at != region) {
            if (!groups_end_region(&m->groups, err))
                return false;
            provider = o.provider.at;
            region = o.region.at;
        }
        if (!groups_add(&m->groups, &o, err))
            return false;
    }
    m->counts->offers = m->groups.count;
    return groups_end_region(&m->groups, err);
}

/* Did a feed read everything about the place of this row, since? */
static bool covered_since(const struct merger *m, const struct machine *row)
{
    for (size_t i = 0; i < store_read_count(m->store); i++) {
        struct store_read r = store_read(m->store, i);

        if (r.market == MARKET_ON_DEMAND && day_of(r.at).n >= row->fact.date.n &&
            str_eq(m->feeds[r.feed].provider, row->provider) &&
            (r.region.len == 0 || str_eq(r.region, row->region)))
            return true;
    }
    return false;
}

static int compare_keys(const struct machine *a, const struct machine *b)
{
    int order = str_cmp(a->provider, b->provider);

    if (order == 0)
        order = str_cmp(a->region, b->region);
    if (order == 0)
        order = str_cmp(a->zone, b->zone);
    return order != 0 ? order : str_cmp(a->instance, b->instance);
}

/* What no feed speaks of is as the built-in row says, and as old as that. */
static void fill_in(const struct machine *fact, struct group *ours)
{
    if (!ours->on_demand.any && fact->on_demand.nano != MONEY_UNKNOWN) {
        ours->row.on_demand = fact->on_demand;
        ours->row.fact.date = fact->fact.date;
        ours->row.fact.source = fact->fact.source;
    }
    if (!ours->spot.any && fact->spot.nano != MONEY_UNKNOWN) {
        ours->row.spot = fact->spot;
        ours->row.spot_date = fact->fact.date;
        ours->row.spot_source = fact->fact.source;
    }
}

/* The newer of a row's prices. */
static day newest(const struct group *ours)
{
    return ours->row.spot_date.n > ours->row.fact.date.n ? ours->row.spot_date
                                                         : ours->row.fact.date;
}

/* The store's row and the catalog's of the same key: which holds now? */
static void settle(struct machine *fact, struct group *ours)
{
    if (!fact->fact.current)
        return;
    if (fact->fact.layer > 0 || fact->fact.date.n > newest(ours).n) {
        ours->row.fact.current = false;
    } else {
        fill_in(fact, ours);
        fact->fact.current = false;
    }
}

/* Both lists are sorted by key; so is what comes out. */
static bool interleave(struct merger *m, struct rows *out, struct error *err)
{
    const struct rows *facts = &m->view->catalog->tables[TABLE_OFFERS];
    struct group *ours = m->groups.at;
    size_t f = 0, s = 0, n = 0, count = m->groups.count;
    struct machine *all = arena_array(m->arena, struct machine, facts->len + count + 1, err);

    if (all == NULL)
        return false;
    while (f < facts->len || s < count) {
        const struct machine *fact = &((const struct machine *)facts->at)[f];
        int order = f == facts->len ? 1 : s == count ? -1 : compare_keys(fact, &ours[s].row);

        if (order <= 0) {
            all[n] = *fact;
            if (order == 0)
                settle(&all[n], &ours[s]);
            else if (fact->fact.layer == 0 && covered_since(m, fact))
                all[n].fact.current = false;
            f++;
        } else {
            all[n] = ours[s++].row;
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
    struct merger m = {.store = store, .view = view, .arena = arena, .counts = counts};

    *counts = (struct market_counts){0};
    if (!read_feeds(&m, err))
        return false;
    m.groups.choose = (struct chooser){store, view, m.feeds, counts, arena};
    m.groups.sources = m.sources;
    return groups_begin(&m.groups, err) && read_store(&m, err) && interleave(&m, out, err);
}

const struct machine *market_offer_find(const struct rows *rows, struct str provider,
                                        struct str region, struct str instance)
{
    const struct machine *at = rows->at,
                         key = {.provider = provider, .region = region, .instance = instance};
    size_t low = 0, high = rows->len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_keys(&at[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < rows->len && compare_keys(&at[low], &key) == 0; low++)
        if (at[low].fact.current)
            return &at[low];
    return NULL;
}
