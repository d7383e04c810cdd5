/* Vast's offers: a market of single machines, each with its own price.
 *
 * What is kept is the cheapest verified machine of each kind, that is accelerator, number and
 * country, with that machine's reliability: a history of single machines, which come and go,
 * would be of no use. Kinds are named as the catalog names them, "4x-RTX_4090-32-65536"; the
 * numbers at the end are part of the name, not of the machine, and the same for all, so that
 * the name does not change with whichever machine is the cheapest.
 *
 * Regions are the codes of countries, as in the catalog: of "Sweden, SE" SE, of "Texas, US, NA"
 * US. "*" is an unknown place.
 *
 * The price is `dph_base`, of the machine alone: a disk is paid by its size. `dph_total` has
 * the disk that was asked for in it, and is taken where there is no other.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/characters.h"
#include "base/map.h"
#include "feed/json_walk.h"

#define MOST_KINDS ((size_t)8192)
#define NAME_ROOM 160

struct ask {
    struct walk_value gpu, count, gpu_ram, cores, effective_cores, ram, share, base, total, bid;
    struct walk_value is_bid, reliability, place, verification, verified, rentable, rented;
};

static const struct walk_member ask_members[] = {
    {"gpu_name", WALK_VALUE(struct ask, gpu)},
    {"num_gpus", WALK_VALUE(struct ask, count)},
    {"gpu_ram", WALK_VALUE(struct ask, gpu_ram)},
    {"cpu_cores", WALK_VALUE(struct ask, cores)},
    {"cpu_cores_effective", WALK_VALUE(struct ask, effective_cores)},
    {"cpu_ram", WALK_VALUE(struct ask, ram)},
    {"gpu_frac", WALK_VALUE(struct ask, share)},
    {"dph_base", WALK_VALUE(struct ask, base)},
    {"dph_total", WALK_VALUE(struct ask, total)},
    {"min_bid", WALK_VALUE(struct ask, bid)},
    {"is_bid", WALK_VALUE(struct ask, is_bid)},
    {"reliability2", WALK_VALUE(struct ask, reliability)},
    {"geolocation", WALK_VALUE(struct ask, place)},
    {"verification", WALK_VALUE(struct ask, verification)},
    {"verified", WALK_VALUE(struct ask, verified)},
    {"rentable", WALK_VALUE(struct ask, rentable)},
    {"rented", WALK_VALUE(struct ask, rented)},
    {0},
};

/* The cheapest so far of one kind, in two markets: `spot` may be another machine. */
struct kind {
    struct quote on_demand, spot; /* their texts are of the arena or the catalog */
};

struct reading {
    struct ask bare; /* of a list without an answer around it; first: ask_members fill it */
    const struct feed_reading *feed;
    struct walk_value offers;
    struct arena arena; /* of the kinds */
    struct map kinds;   /* by region and instance */
};

/* "Sweden, SE", ", US", "Denmark, DK, EU", or null. */
static struct str country_of(const struct walk_value *place)
{
    struct str rest = place->kind == JSON_STRING ? place->text : (struct str){0};

    (void)str_cut(&rest, ',');
    rest = str_trim(str_cut(&rest, ','));
    if (rest.len == 2 && is_upper(rest.at[0]) && is_upper(rest.at[1]))
        return rest;
    return STR("*");
}

/* Vast calls accelerators with more memory than their first form the same. In the catalog the
 * first has the bare name. */
static bool larger_form(struct str gpu, double gib)
{
    return gib < 1000 && ((str_starts(gpu, STR("A100 ")) && gib > 60) ||
                          (str_starts(gpu, STR("Tesla V100")) && gib > 24));
}

static void name_kind(struct str gpu, int count, double gib, char room[NAME_ROOM])
{
    size_t len = (size_t)snprintf(room, NAME_ROOM, "%dx-", count);

    for (size_t i = 0; i < gpu.len && len < NAME_ROOM - 32; i++)
        room[len++] = gpu.at[i];
    for (size_t i = 0; i < len; i++)
        room[i] = room[i] == ' ' ? '_' : room[i];
    if (larger_form(gpu, gib))
        len += (size_t)snprintf(room + len, NAME_ROOM - len, "_%.0fGB", gib);
    (void)snprintf(room + len, NAME_ROOM - len, "-32-65536");
}

/* The name with the memory is more precise than the name alone: "A100 SXM4 40GB". */
static const struct accelerator *find_vast_gpu(struct feed_known *known, struct str gpu,
                                               double gib)
{
    const struct accelerator *found = NULL;
    char name[NAME_ROOM];

    if (!isnan(gib) && gib < 1000) {
        int len = snprintf(name, sizeof name, "%.*s %.0fGB", STR_ARG(gpu), gib);

        found = feed_accelerator(known, (struct str){name, (size_t)len}, gib);
    }
    return found != NULL ? found : feed_accelerator(known, gpu, gib);
}

static struct kind *new_kind(struct reading *r, const struct quote *q, struct error *err)
{
    struct kind *kind = arena_array(&r->arena, struct kind, 1, err);

    if (kind == NULL)
        return NULL;
    kind->on_demand = *q;
    if (!str_keep(q->instance, &r->arena, &kind->on_demand.instance, err) ||
        !str_keep(q->region, &r->arena, &kind->on_demand.region, err) ||
        !str_keep(q->accelerator, &r->arena, &kind->on_demand.accelerator, err))
        return NULL;
    for (int m = 0; m < MARKET_COUNT; m++)
        kind->on_demand.price[m] = PRICE_UNSAID;
    kind->spot = kind->on_demand;
    return kind;
}

/* The kind that the quote is of; a new one when there was none. */
static struct kind *find_vast_kind(struct reading *r, const struct quote *q, struct error *err)
{
    char room[NAME_ROOM + 8];
    struct str key = {room, 0};
    struct map_entry *e;

    /* A region is a country's two letters or "*", an instance has at most NAME_ROOM bytes. */
    key.len = (size_t)snprintf(room, sizeof room, "%.*s/%.*s", (int)q->region.len, q->region.at,
                               (int)q->instance.len, q->instance.at);
    e = map_find(&r->kinds, key);
    if (e != NULL)
        return e->value;
    if (r->kinds.count == MOST_KINDS) {
        error_set(err, ERROR_INPUT, "there are more than %zu kinds of machine in it",
                  MOST_KINDS);
        return NULL;
    }
    e = str_keep(key, &r->arena, &key, err) ? map_add(&r->kinds, key, NULL, err) : NULL;
    if (e != NULL)
        e->value = new_kind(r, q, err);
    return e != NULL ? e->value : NULL;
}

/* Keep the cheaper, with all that belongs to its machine; any price beats none, and none
 * silence. */
static void keep_cheaper(struct quote *kept, const struct quote *q, enum market market,
                         int64_t price, unsigned flags)
{
    struct quote better = *q;

    if (price == PRICE_UNSAID || (kept->price[market] != PRICE_UNSAID && price < 0))
        return;
    /* What one pays is more useful than where bids start. */
    if (kept->price[market] >= 0 &&
        (kept->flags != flags ? flags != 0 : kept->price[market] <= price))
        return;
    better.instance = kept->instance;
    better.region = kept->region;
    better.accelerator = kept->accelerator;
    better.price[market] = price;
    better.flags = flags;
    *kept = better;
}

static double vast_share(const struct walk_value *all, const struct walk_value *share)
{
    double part = walk_number(share);

    return walk_number(all) * (part > 0 && part <= 1 ? part : 1);
}

/* The machine of an offer. Cores and memory are of the complete host, the accelerators
 * of this offer a share of its own. */
static void describe_vast_machine(const struct ask *ask, struct quote *q)
{
    q->vcpus = walk_number(&ask->effective_cores);
    if (isnan(q->vcpus))
        q->vcpus = vast_share(&ask->cores, &ask->share);
    q->memory_gib = vast_share(&ask->ram, &ask->share) / 1024;
    q->reliability = walk_number(&ask->reliability);
    if (!(q->reliability >= 0 && q->reliability <= 1))
        q->reliability = NAN;
}

/* A machine that one can rent now, by a host whom Vast has checked. */
static bool is_wanted_ask(const struct ask *ask, double count)
{
    return walk_name(&ask->gpu).len > 0 && count >= 1 && count <= 1024 &&
           count == floor(count) && ask->rentable.kind != JSON_FALSE &&
           ask->rented.kind != JSON_TRUE && ask->verified.kind != JSON_FALSE &&
           (ask->verification.kind != JSON_STRING || walk_is(&ask->verification, "verified"));
}

static bool take_ask(struct reading *r, const struct ask *ask, struct quote *q, int64_t price,
                     int64_t bid, struct error *err)
{
    struct kind *kind = find_vast_kind(r, q, err);

    if (kind == NULL)
        return false;
    describe_vast_machine(ask, q);
    /* An answer about interruptible machines has the price to bid now. One about machines on
     * demand has just where bids for them start: others may have bid more. */
    if (ask->is_bid.kind == JSON_TRUE) {
        keep_cheaper(&kind->spot, q, MARKET_SPOT, bid >= 0 ? bid : price, 0);
        return true;
    }
    keep_cheaper(&kind->on_demand, q, MARKET_ON_DEMAND, price, 0);
    keep_cheaper(&kind->spot, q, MARKET_SPOT, bid, bid >= 0 ? QUOTE_FLOOR : 0);
    return true;
}

static bool read_vast_offer(struct reading *r, const struct ask *ask, struct error *err)
{
    struct quote q = quote_blank();
    const struct accelerator *a;
    double count;
    int64_t price, total, bid;
    struct str gpu = walk_name(&ask->gpu);
    char name[NAME_ROOM];

    r->feed->summary->rows++;
    count = walk_number(&ask->count);
    if (!is_wanted_ask(ask, count))
        return feed_ignore(r->feed);
    if (!walk_price(&ask->base, &price) || !walk_price(&ask->total, &total) ||
        !walk_price(&ask->bid, &bid))
        return feed_refuse(r->feed, 0, err,
                           "an offer of %.*s: one of its prices cannot be read", STR_ARG(gpu));
    q.provider = STR("vast");
    q.at = r->feed->date;
    q.count = count;
    q.gpu_memory_gib = walk_number(&ask->gpu_ram) / 1024;
    q.region = country_of(&ask->place);
    name_kind(gpu, (int)count, q.gpu_memory_gib, name);
    q.instance = str_from(name);
    a = find_vast_gpu(r->feed->known, gpu, q.gpu_memory_gib);
    q.accelerator = a != NULL ? a->name : gpu;
    return take_ask(r, ask, &q, price >= 0 ? price : total, bid, err);
}

static bool read_ask(struct walk *walk, void *record, const struct walk_value *value,
                     struct error *err)
{
    struct ask ask;
    bool object;

    return walk_element(walk, value, ask_members, &ask, &object, err) &&
           read_vast_offer(record, &ask, err);
}

/* An offer of a bare list. */
static bool finish_bare_vast(struct walk *walk, void *record, struct error *err)
{
    struct reading *r = record;

    if (r->bare.gpu.kind == JSON_END)
        return walk_missing(walk, "'gpu_name' of an offer", err);
    return read_vast_offer(r, &r->bare, err);
}

static const struct walk_member answer_members[] = {
    {"offers", .each = read_ask, WALK_VALUE(struct reading, offers)},
    {"msg", .each = walk_refusal},
    {"error", .each = walk_refusal},
    {0},
};

static bool finish_vast_answer(struct walk *walk, void *record, struct error *err)
{
    const struct reading *r = record;

    return r->offers.kind != JSON_END || walk_missing(walk, "list 'offers'", err);
}

/* Spot first: of what is in the machine and how reliable it is, the last word is that of the
 * machine on demand. */
static bool give_kinds(const struct reading *r, struct error *err)
{
    for (size_t i = 0; i < r->kinds.count; i++) {
        const struct kind *kind = r->kinds.at[i].value;

        if (kind->spot.price[MARKET_SPOT] != PRICE_UNSAID &&
            !feed_give(r->feed, 0, &kind->spot, err))
            return false;
        if (kind->on_demand.price[MARKET_ON_DEMAND] != PRICE_UNSAID &&
            !feed_give(r->feed, 0, &kind->on_demand, err))
            return false;
    }
    return true;
}

static bool read_with(const struct walk_member *members, walk_done *done,
                      const struct feed_reading *feed, struct error *err)
{
    struct reading r = {.feed = feed,
                        .arena = {.alloc = feed->alloc, .block_size = ARENA_BLOCK_SIZE}};
    bool ok;

    r.kinds = map_in_arena(&r.arena);
    ok = walk_read(feed, members, done, &r, err) && give_kinds(&r, err);
    arena_free(&r.arena);
    return ok;
}

static bool read_vast(const struct feed_reading *feed, struct error *err)
{
    return read_with(answer_members, finish_vast_answer, feed, err);
}

static bool read_vast_list(const struct feed_reading *feed, struct error *err)
{
    return read_with(ask_members, finish_bare_vast, feed, err);
}

const struct feed_format feed_vast = {
    .name = "vast",
    .feed = "vast-api",
    .provider = "vast",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_PROVIDER,
    .json = (const char *const[]){"offers", "gpu_name", "num_gpus", NULL},
    .read = read_vast,
};

/* A search has the offers that were searched for, and others may exist. */
const struct feed_format feed_vast_list = {
    .name = "vast-list",
    .feed = "vast-api",
    .provider = "vast",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_ROWS,
    .json = (const char *const[]){"gpu_name", "num_gpus", NULL},
    .array = true,
    .read = read_vast_list,
};
