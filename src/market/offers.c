#include "market/offers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "market/store.h"
#include "market/trust.h"
#include "unit/time.h"

struct choice {
    usd_per_hour price;          /* unknown when it is gone, or its currency has no rate */
    const struct exchange *rate; /* that it was converted with */
    struct store_series series;
    bool found;
};

/* What was chosen for one market. */
struct known_price {
    bool any; /* some feed has it, if only as gone */
    bool old; /* seen long ago */
    bool own; /* by the user's word, which counts before all others */
    day seen;
    struct str source;
};

struct group {
    struct machine row;
    struct known_price on_demand, spot;
};

#define GROUP_NAMES 512 /* accelerators' names in the store; a power of two */

struct merger {
    const struct market_view *view;
    const struct store *store;
    struct arena *arena;
    struct store_feed *feeds; /* by their index in the store */
    struct str *sources;      /* of each feed, as a fact's source */
    struct group *at;         /* sorted by provider, region and instance */
    size_t count;
    size_t region_first; /* where the region being read starts */
    size_t *places, place_count;
    struct {
        const char *text;
        const struct accelerator *meant;
    } names[GROUP_NAMES];
};

/* Was it seen longer ago than the user calls fresh? */
static bool choose_old(const struct market_view *view, stamp seen)
{
    return (int64_t)view->today.n - day_of(seen).n > view->fresh.ns / (24 * SPAN_HOUR);
}

/* The rule: is `a`, of confidence `x`, preferred to `b`, of confidence `y`? */
static bool choose_before(const struct market_view *view, const struct store_series *a,
                          enum confidence x, const struct store_series *b, enum confidence y)
{
    bool a_old = choose_old(view, a->seen), b_old = choose_old(view, b->seen);

    if ((x == CONFIDENCE_PRIVATE) != (y == CONFIDENCE_PRIVATE))
        return x == CONFIDENCE_PRIVATE;
    if (a_old != b_old)
        return b_old;
    if (x != y && !a_old) /* of old prices the newest counts, whatever its source */
        return x < y;
    return a->seen.s > b->seen.s;
}

bool choose_doubted(unsigned doubts)
{
    return (doubts & (DOUBT_FLOOR | DOUBT_JUMP | DOUBT_HIGH | DOUBT_PEERS)) != 0;
}

/* A price that begins after today is not the one in force: go back to that one. */
static void go_back(const struct market_view *view, const struct store *store, size_t series,
                    struct store_series *s)
{
    struct arena scratch = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct error ignored = {0};
    struct points points;

    if (day_of(s->since).n <= view->today.n ||
        !store_statements(store, series, &scratch, &points, &ignored)) {
        arena_free(&scratch);
        return;
    }
    while (points.len > 1 && day_of(points.at[points.len - 1].at).n > view->today.n)
        points.len--;
    if (day_of(points.at[points.len - 1].at).n <= view->today.n) {
        const struct point *now = &points.at[points.len - 1];

        s->price = now->value == SERIES_NONE ? PRICE_NONE : now->value;
        s->since = s->seen = now->at;
        s->doubts &= ~(unsigned)DOUBT_JUMP;
    }
    arena_free(&scratch);
}

/* Can it be shown, if only as an amount that is not believed? */
static bool has_series_rate(const struct market_view *view, const struct store_series *s)
{
    return s->price == PRICE_NONE ||
           market_in_usd(view->catalog, s->price, s->currency, day_of(s->seen), NULL).nano !=
               MONEY_UNKNOWN;
}

/* 2 for a sound price, 1 for a doubtful one, 0 for one whose currency has no rate. */
static int standing_of(const struct market_view *view, const struct store_series *s)
{
    if (!has_series_rate(view, s))
        return 0;
    return choose_doubted(s->doubts) ? 1 : 2;
}

size_t choose_series(const struct market_view *view, const struct store_offer *offer,
                     enum market market, struct store_series *out)
{
    const struct store *store = view->store;
    enum confidence trust = CONFIDENCE_COUNT;
    size_t best = SIZE_MAX;
    int best_standing = 0;

    for (size_t i = offer->first_series; i < offer->first_series + offer->series_count; i++) {
        struct store_series s = store_series(store, i);
        enum confidence c;
        int standing_now;

        if (s.market != market)
            continue;
        go_back(view, store, i, &s);
        c = store_confidence(store, s.feed);
        standing_now = standing_of(view, &s);
        if (best != SIZE_MAX &&
            (standing_now < best_standing ||
             (standing_now == best_standing && !choose_before(view, &s, c, out, trust))))
            continue;
        *out = s;
        trust = c;
        best = i;
        best_standing = standing_now;
    }
    return best;
}

/* Set `conflict`, when it is empty, to the price of this series, when that was seen lately and
 * is more than one per cent from what was chosen. */
static bool choose_mention(struct merger *m, usd_per_hour chosen, const struct store_series *s,
                           usd_per_hour price, struct str *conflict, struct error *err)
{
    struct buf text;

    if (conflict->len > 0 || choose_old(m->view, s->seen) || price.nano < 0 ||
        chosen.nano <= 0 || (wide)llabs(price.nano - chosen.nano) * 100 <= (wide)chosen.nano)
        return true;
    text = buf_new(m->arena->alloc, 256);
    buf_add(&text, m->feeds[s->feed].feed);
    buf_addf(&text, " says %s ", market_names[s->market]);
    usd_per_hour_write(price, &text);
    return buf_keep(&text, m->arena, conflict, err);
}

/* The price of an offer in one market. `conflict` is set, when it is empty, to what another
 * feed has that disagrees by more than one per cent. */
static bool choose_price(struct merger *m, const struct store_offer *o, enum market market,
                         struct choice *out, struct str *conflict, struct error *err)
{
    *out = (struct choice){.price = USD_PER_HOUR_UNKNOWN};
    if (choose_series(m->view, o, market, &out->series) == SIZE_MAX)
        return true;
    if (choose_doubted(out->series.doubts)) /* there is no better: not for lists of prices */
        return true;
    out->found = true;
    out->price = market_in_usd(m->view->catalog, out->series.price, out->series.currency,
                               day_of(out->series.seen), &out->rate);
    for (size_t i = o->first_series; i < o->first_series + o->series_count; i++) {
        struct store_series s = store_series(m->store, i);

        if (s.market == market && s.feed != out->series.feed && s.doubts == 0 &&
            s.price != PRICE_NONE &&
            !choose_mention(
                m, out->price, &s,
                market_in_usd(m->view->catalog, s.price, s.currency, day_of(s.seen), NULL),
                conflict, err))
            return false;
    }
    return true;
}

/* ---- all of it ---- */

#define PLACES \
    4096 /* of the instances of a region; a power of two, more when there are more offers */

static size_t pointer_hash(const void *place)
{
    uintptr_t n = (uintptr_t)place;

    return (size_t)((n ^ (n >> 15)) * UINT64_C(0x9e3779b97f4a7c15) >> 20);
}

static bool groups_begin(struct merger *m, struct error *err)
{
    size_t offers = store_offer_count(m->store);

    m->place_count = PLACES;
    while (m->place_count < 2 * offers)
        m->place_count *= 2;
    m->at = arena_array(m->arena, struct group, offers + 1, err);
    m->places = arena_array(m->arena, size_t, m->place_count, err);
    if (m->at == NULL || m->places == NULL)
        return false;
    memset(m->places, 0xff, m->place_count * sizeof m->places[0]);
    return true;
}

/* The store keeps each text once, so that its place is its identity. */
static const struct accelerator *accelerator_of(struct merger *m, struct str name)
{
    size_t at = pointer_hash(name.at) & (GROUP_NAMES - 1);

    for (size_t i = 0; i < GROUP_NAMES; i++, at = (at + 1) & (GROUP_NAMES - 1)) {
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

/* The group of this instance in the region being read; made when there is none. */
static struct group *offer_group_of(struct merger *m, const struct store_offer *o)
{
    size_t at = pointer_hash(o->instance.at) & (m->place_count - 1);

    for (;; at = (at + 1) & (m->place_count - 1)) {
        struct group *group;

        if (m->places[at] < m->region_first || m->places[at] >= m->count) {
            m->places[at] = m->count;
            group = &m->at[m->count++];
            group->row = (struct machine){.provider = o->provider,
                                          .region = o->region,
                                          .instance = o->instance,
                                          .count = (int64_t)o->count,
                                          .vcpus = o->vcpus,
                                          .memory_gib = o->memory_gib,
                                          .on_demand = USD_PER_HOUR_UNKNOWN,
                                          .spot = USD_PER_HOUR_UNKNOWN,
                                          .spot_date = DAY_UNKNOWN};
            group->row.fact.date = DAY_UNKNOWN;
            group->row.fact.current = true;
            return group;
        }
        group = &m->at[m->places[at]];
        if (group->row.instance.at == o->instance.at)
            return group;
    }
}

/* Does a zone's choice take the place of what the group has? The user's own word comes first;
 * of equals the cheaper zone is meant. */
static bool is_better_price(const struct known_price *known, usd_per_hour had,
                            const struct choice *c, bool own, bool old)
{
    if (!known->any || own != known->own)
        return !known->any || own;
    if (old != known->old)
        return known->old;
    return usd_per_hour_compare(c->price, had) < 0;
}

/* Take a zone's price into the group. True when it is the group's price now. */
static bool take_price_choice(struct merger *m, struct known_price *known, usd_per_hour *price,
                              struct machine *row, const struct choice *c)
{
    bool own, old;

    if (!c->found)
        return false;
    own = m->feeds[c->series.feed].confidence == CONFIDENCE_PRIVATE;
    old = choose_old(m->view, c->series.seen);
    if (c->series.price != PRICE_NONE && c->price.nano == MONEY_UNKNOWN) {
        row->foreign = c->series.currency;
        return false; /* no exchange rate: others may have a price */
    }
    if (!is_better_price(known, *price, c, own, old))
        return false;
    *price = c->price;
    *known = (struct known_price){.any = true,
                                  .own = own,
                                  .old = old,
                                  .seen = day_of(c->series.seen),
                                  .source = m->sources[c->series.feed]};
    if (c->rate != NULL)
        row->rate = c->rate;
    return true;
}

/* The user's price of a region and a feed's of its zones: they are not averaged, and not
 * hidden. */
static bool mention_difference(struct merger *m, struct group *group,
                               const struct known_price *known, usd_per_hour price,
                               const struct choice *c, struct error *err)
{
    if (!known->own || !c->found || price.nano <= 0 ||
        m->feeds[c->series.feed].confidence == CONFIDENCE_PRIVATE)
        return true;
    return choose_mention(m, price, &c->series, c->price, &group->row.conflict, err);
}

/* Offers in the order of the store; then the end of each region. */
static bool groups_add(struct merger *m, const struct store_offer *o, struct error *err)
{
    const struct accelerator *a = accelerator_of(m, o->accelerator);
    struct choice on_demand, spot;
    struct str conflict = {0};
    struct group *group;

    if (a == NULL || o->count < 1 || o->count != floor(o->count)) {
        return true;
    }
    if (!choose_price(m, o, MARKET_ON_DEMAND, &on_demand, &conflict, err) ||
        !choose_price(m, o, MARKET_SPOT, &spot, &conflict, err))
        return false;
    if (!on_demand.found && !spot.found)
        return true;
    group = offer_group_of(m, o);
    group->row.accelerator = a->name;
    if (conflict.len > 0 && group->row.conflict.len == 0)
        group->row.conflict = conflict;
    (void)take_price_choice(m, &group->on_demand, &group->row.on_demand, &group->row,
                            &on_demand);
    if (take_price_choice(m, &group->spot, &group->row.spot, &group->row, &spot))
        group->row.spot_zone = o->zone.len > 0 ? o->zone : (struct str){0};
    return mention_difference(m, group, &group->on_demand, group->row.on_demand, &on_demand,
                              err) &&
           mention_difference(m, group, &group->spot, group->row.spot, &spot, err);
}

static int by_group_instance(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    return str_cmp(x->row.instance, y->row.instance);
}

/* "spot in use1-az6": of the zones of a region, the cheapest. */
#define SPOT_IN "spot in "

bool offer_note_zone(struct machine *row, struct arena *arena, struct error *err)
{
    struct str zone = row->spot_zone;
    size_t room = sizeof SPOT_IN + zone.len;
    char *text;

    if (zone.len == 0)
        return true;
    text = arena_array(arena, char, room, err);
    if (text == NULL)
        return false;
    (void)snprintf(text, room, SPOT_IN "%.*s", (int)zone.len, zone.at);
    row->fact.notes = (struct str){text, room - 1};
    return true;
}

/* Rows of tables have the zone in their note. */
static struct str zone_of_note(const struct machine *row)
{
    struct str notes = row->fact.notes, start = STR(SPOT_IN);

    return str_starts(notes, start) ? (struct str){notes.at + start.len, notes.len - start.len}
                                    : (struct str){0};
}

static bool groups_end_region(struct merger *m, struct error *err)
{
    size_t count = m->count - m->region_first;

    if (count > 1)
        qsort(m->at + m->region_first, count, sizeof m->at[0], by_group_instance);
    for (; m->region_first < m->count; m->region_first++) {
        struct group *group = &m->at[m->region_first];
        const struct known_price *first =
            group->on_demand.any ? &group->on_demand : &group->spot;

        if (!offer_note_zone(&group->row, m->arena, err))
            return false;
        group->row.fact.date = first->seen;
        group->row.fact.source = first->source;
        group->row.spot_date = group->spot.any ? group->spot.seen : DAY_UNKNOWN;
        group->row.spot_source = group->spot.source;
    }
    return true;
}

/* ---- all of it ---- */

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
            if (!groups_end_region(m, err))
                return false;
            provider = o.provider.at;
            region = o.region.at;
        }
        if (!groups_add(m, &o, err))
            return false;
    }
    return groups_end_region(m, err);
}

/* Did a feed read everything about the place of this row, since? */
static bool covered_since(const struct merger *m, const struct machine *row)
{
    for (size_t i = 0; m->store != NULL && i < store_read_count(m->store); i++) {
        struct store_read r = store_read(m->store, i);

        if (r.market == MARKET_ON_DEMAND && day_of(r.at).n >= row->fact.date.n &&
            str_eq(m->feeds[r.feed].provider, row->provider) &&
            (r.region.len == 0 || str_eq(r.region, row->region)))
            return true;
    }
    return false;
}

static int compare_offer_keys(const struct machine *a, const struct machine *b)
{
    int order = str_cmp(a->provider, b->provider);

    if (order == 0)
        order = str_cmp(a->region, b->region);
    if (order == 0)
        order = str_cmp(a->zone, b->zone);
    return order != 0 ? order : str_cmp(a->instance, b->instance);
}

/* What no feed has is as in the built-in row, and as old as that. */
static void fill_in_machine(const struct machine *fact, struct group *ours)
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
static day newest_date(const struct group *ours)
{
    return ours->row.spot_date.n > ours->row.fact.date.n ? ours->row.spot_date
                                                         : ours->row.fact.date;
}

/* The store's row and the catalog's of the same key: which holds now? */
static void settle_offer_rows(struct machine *fact, struct group *ours)
{
    if (!fact->fact.current)
        return;
    if (fact->fact.layer > 0 || fact->fact.date.n > newest_date(ours).n) {
        ours->row.fact.current = false;
    } else {
        fill_in_machine(fact, ours);
        fact->fact.current = false;
    }
}

/* What a provider has taken out of service is no offer, however long a feed goes on with it. */
static void leave_out_retired(const struct market_view *view, struct machine *rows,
                              size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (machine_is_retired(view->catalog, &rows[i], view->today))
            rows[i].fact.current = false;
}

/* Both lists are sorted by key; so is what comes out. */
static bool merge_rows(struct merger *m, struct rows *out, struct error *err)
{
    const struct rows *facts = &m->view->catalog->tables[TABLE_OFFERS];
    struct group *ours = m->at;
    size_t f = 0, s = 0, n = 0, count = m->count;
    struct machine *all = arena_array(m->arena, struct machine, facts->len + count + 1, err);

    if (all == NULL)
        return false;
    while (f < facts->len || s < count) {
        const struct machine *fact = &((const struct machine *)facts->at)[f];
        int order = f == facts->len ? 1
                    : s == count    ? -1
                                    : compare_offer_keys(fact, &ours[s].row);

        if (order <= 0) {
            all[n] = *fact;
            all[n].spot_zone = zone_of_note(fact);
            if (order == 0)
                settle_offer_rows(&all[n], &ours[s]);
            else if (fact->fact.layer == 0 && covered_since(m, fact))
                all[n].fact.current = false;
            f++;
        } else {
            all[n] = ours[s++].row;
        }
        n++;
    }
    leave_out_retired(m->view, all, n);
    (void)market_discount(m->view, all, n);
    *out = (struct rows){all, n};
    return trust_rows(m->view, all, n, err);
}

bool market_merge(const struct market_view *view, struct rows *out, struct error *err)
{
    struct merger m = {.view = view, .store = view->store, .arena = view->arena};

    return (view->store == NULL ||
            (read_feeds(&m, err) && groups_begin(&m, err) && read_store(&m, err))) &&
           merge_rows(&m, out, err);
}

const struct machine *market_offer_find(const struct rows *rows, struct str provider,
                                        struct str region, struct str instance)
{
    const struct machine *at = rows->at,
                         key = {.provider = provider, .region = region, .instance = instance};
    size_t low = 0, high = rows->len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_offer_keys(&at[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < rows->len && compare_offer_keys(&at[low], &key) == 0; low++)
        if (at[low].fact.current)
            return &at[low];
    return NULL;
}
