#include "market/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/time.h"

#define PLACES \
    4096 /* of the instances of a region; a power of two, more when there are more offers */

static size_t hash(const void *place)
{
    uintptr_t n = (uintptr_t)place;

    return (size_t)((n ^ (n >> 15)) * UINT64_C(0x9e3779b97f4a7c15) >> 20);
}

bool groups_begin(struct grouper *g, struct error *err)
{
    size_t offers = store_offer_count(g->choose.store);

    g->place_count = PLACES;
    while (g->place_count < 2 * offers)
        g->place_count *= 2;
    g->at = arena_array(g->choose.arena, struct group, offers + 1, err);
    g->places = arena_array(g->choose.arena, size_t, g->place_count, err);
    if (g->at == NULL || g->places == NULL)
        return false;
    memset(g->places, 0xff, g->place_count * sizeof g->places[0]);
    return true;
}

/* The store keeps each text once, so that its place is its identity. */
static const struct accelerator *accelerator_of(struct grouper *g, struct str name)
{
    size_t at = hash(name.at) & (GROUP_NAMES - 1);

    for (size_t i = 0; i < GROUP_NAMES; i++, at = (at + 1) & (GROUP_NAMES - 1)) {
        if (g->names[at].text == name.at)
            return g->names[at].meant;
        if (g->names[at].text == NULL) {
            g->names[at].text = name.at;
            g->names[at].meant = accelerator_named(g->choose.view->catalog, name);
            return g->names[at].meant;
        }
    }
    return accelerator_named(g->choose.view->catalog, name);
}

/* The group of this instance in the region being read; made when there is none. */
static struct group *group_of(struct grouper *g, const struct store_offer *o)
{
    size_t at = hash(o->instance.at) & (g->place_count - 1);

    for (;; at = (at + 1) & (g->place_count - 1)) {
        struct group *group;

        if (g->places[at] < g->region_first || g->places[at] >= g->count) {
            g->places[at] = g->count;
            group = &g->at[g->count++];
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
        group = &g->at[g->places[at]];
        if (group->row.instance.at == o->instance.at)
            return group;
    }
}

/* Does a zone's choice take the place of what the group has? The user's own word comes first;
 * of equals the cheaper zone is meant. */
static bool better(const struct known_price *known, usd_per_hour had, const struct choice *c,
                   bool own, bool old)
{
    if (!known->any || own != known->own)
        return !known->any || own;
    if (old != known->old)
        return known->old;
    return usd_per_hour_compare(c->price, had) < 0;
}

/* Take a zone's price into the group. True when it is the group's price now. */
static bool take(struct grouper *g, struct known_price *known, usd_per_hour *price,
                 struct machine *row, const struct choice *c)
{
    bool own, old;

    if (!c->found)
        return false;
    own = g->choose.feeds[c->series.feed].confidence == CONFIDENCE_PRIVATE;
    old = choose_old(g->choose.view, c->series.seen);
    if (c->series.price != PRICE_NONE && c->price.nano == MONEY_UNKNOWN) {
        memcpy(row->foreign, c->series.currency, sizeof row->foreign);
        return false; /* no exchange rate: others may have a price */
    }
    if (!better(known, *price, c, own, old))
        return false;
    *price = c->price;
    *known = (struct known_price){.any = true,
                                  .own = own,
                                  .old = old,
                                  .seen = day_of(c->series.seen),
                                  .source = g->sources[c->series.feed]};
    if (c->rate != NULL)
        row->rate = c->rate;
    return true;
}

/* The user's price of a region and a feed's of its zones: they are not averaged, and not
 * hidden. */
static bool differ(struct grouper *g, struct group *group, const struct known_price *known,
                   usd_per_hour price, const struct choice *c, struct error *err)
{
    if (!known->own || !c->found || price.nano <= 0 ||
        g->choose.feeds[c->series.feed].confidence == CONFIDENCE_PRIVATE)
        return true;
    return choose_mention(&g->choose, price, &c->series, c->price, &group->row.conflict, err);
}

bool groups_add(struct grouper *g, const struct store_offer *o, struct error *err)
{
    const struct accelerator *a = accelerator_of(g, o->accelerator);
    struct choice on_demand, spot;
    struct str conflict = {0};
    struct group *group;

    if (a == NULL || o->count < 1 || o->count != floor(o->count)) {
        g->choose.counts->unknown += a == NULL;
        g->choose.counts->parts += a != NULL;
        return true;
    }
    if (!choose_price(&g->choose, o, MARKET_ON_DEMAND, &on_demand, &conflict, err) ||
        !choose_price(&g->choose, o, MARKET_SPOT, &spot, &conflict, err))
        return false;
    if (!on_demand.found && !spot.found)
        return true;
    group = group_of(g, o);
    group->row.accelerator = a->name;
    if (conflict.len > 0 && group->row.conflict.len == 0)
        group->row.conflict = conflict;
    (void)take(g, &group->on_demand, &group->row.on_demand, &group->row, &on_demand);
    if (take(g, &group->spot, &group->row.spot, &group->row, &spot))
        group->row.spot_zone = o->zone.len > 0 ? o->zone : (struct str){0};
    return differ(g, group, &group->on_demand, group->row.on_demand, &on_demand, err) &&
           differ(g, group, &group->spot, group->row.spot, &spot, err);
}

static int by_instance(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    return str_cmp(x->row.instance, y->row.instance);
}

/* "spot in use1-az6": of the zones of a region, the cheapest. */
static bool note_zone(struct grouper *g, struct machine *row, struct error *err)
{
    static const char start[] = "spot in ";
    struct str zone = row->spot_zone;
    char *text;

    if (zone.len == 0)
        return true;
    text = arena_array(g->choose.arena, char, sizeof start + zone.len, err);
    if (text == NULL)
        return false;
    memcpy(text, start, sizeof start - 1);
    memcpy(text + sizeof start - 1, zone.at, zone.len);
    row->fact.notes = (struct str){text, sizeof start - 1 + zone.len};
    return true;
}

bool groups_end_region(struct grouper *g, struct error *err)
{
    size_t count = g->count - g->region_first;

    if (count > 1)
        qsort(g->at + g->region_first, count, sizeof g->at[0], by_instance);
    for (; g->region_first < g->count; g->region_first++) {
        struct group *group = &g->at[g->region_first];
        const struct known_price *first =
            group->on_demand.any ? &group->on_demand : &group->spot;

        if (!note_zone(g, &group->row, err))
            return false;
        group->row.fact.date = first->seen;
        group->row.fact.source = first->source;
        group->row.spot_date = group->spot.any ? group->spot.seen : DAY_UNKNOWN;
        group->row.spot_source = group->spot.source;
        g->choose.counts->conflicts += group->row.conflict.len > 0;
    }
    return true;
}
