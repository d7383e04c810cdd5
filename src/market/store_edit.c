#include "market/store_edit.h"

#define PROVIDERS_MOST 1000 /* each is compared with those before it */

#include <math.h>
#include <string.h>

#include "base/decimal.h"

#define CHUNK_FIRST 2
#define CHUNK_LARGEST 256

/* --- the edit --- */

struct store_edit *store_edit_new(const struct alloc *alloc, struct error *err)
{
    struct store_edit *edit = alloc->get(alloc->ctx, sizeof *edit);

    if (edit == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *edit = (struct store_edit){.alloc = alloc,
                                .arena = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE}};
    return edit;
}

void store_edit_free(struct store_edit *edit)
{
    const struct alloc *alloc;

    if (edit == NULL)
        return;
    alloc = edit->alloc;
    arena_free(&edit->arena);
    if (edit->offers != NULL)
        alloc->put(alloc->ctx, edit->offers);
    if (edit->slots != NULL)
        alloc->put(alloc->ctx, edit->slots);
    if (edit->feeds != NULL)
        alloc->put(alloc->ctx, edit->feeds);
    alloc->put(alloc->ctx, edit);
}

bool store_edit_feed(struct store_edit *edit, const struct feed_format *format, struct str feed,
                     struct str from, struct error *err)
{
    struct edit_feed now = {.confidence = format->confidence, .round = edit->now.round + 1};

    if (feed.len == 0 || feed.len > TEXT_LONGEST || from.len > TEXT_LONGEST)
        return error_fail(err, ERROR_INPUT, "the name of a feed is empty or too long");
    if (!edit_keep(edit, feed, &now.feed, err) || !edit_keep(edit, from, &now.from, err))
        return false;
    edit->now = now;
    edit->last = NULL;
    return true;
}

/* The entry of the feed whose quotes come, for this provider. */
static struct edit_feed *feed_of(struct store_edit *edit, struct str provider,
                                 struct error *err)
{
    struct edit_feed *entry = NULL;
    struct str name;

    if (edit->last != NULL && str_eq(edit->last->provider, provider))
        return edit->last;
    for (size_t i = 0; i < edit->feed_count && entry == NULL; i++)
        if (str_eq(edit->feeds[i]->feed, edit->now.feed) &&
            str_eq(edit->feeds[i]->provider, provider))
            entry = edit->feeds[i];
    if (entry == NULL) {
        void *feeds = edit->feeds;

        if (edit->feed_count == PROVIDERS_MOST) {
            error_set(err, ERROR_INPUT, "more than %d providers: this is no price list",
                      PROVIDERS_MOST);
            return NULL;
        }
        if (edit->feed_count == edit->feed_capacity &&
            !grow_array(edit->alloc, &feeds, &edit->feed_capacity, sizeof(struct edit_feed *),
                        err))
            return NULL;
        edit->feeds = feeds;
        entry = arena_array(&edit->arena, struct edit_feed, 1, err);
        if (entry == NULL || !edit_keep(edit, provider, &name, err))
            return NULL;
        *entry = (struct edit_feed){.feed = edit->now.feed, .provider = name};
        edit->feeds[edit->feed_count++] = entry;
    }
    entry->from = edit->now.from;
    entry->confidence = edit->now.confidence;
    entry->round = edit->now.round;
    edit->last = entry;
    return entry;
}

/* Of two quotes the newer one's numbers stand; what neither knows stays unknown. */
static bool describe(struct store_edit *edit, struct edit_offer *offer,
                     const struct quote *quote, struct error *err)
{
    const double number[NUMBER_KINDS] = {
        [NUMBER_COUNT] = quote->count,
        [NUMBER_GPU_MEMORY] = quote->gpu_memory_gib,
        [NUMBER_VCPUS] = quote->vcpus,
        [NUMBER_MEMORY] = quote->memory_gib,
        [NUMBER_RELIABILITY] = quote->reliability,
    };
    struct str *accelerator = &offer->text[TEXT_ACCELERATOR];
    bool newer = quote->at.s >= offer->newest;

    for (unsigned i = 0; i < NUMBER_KINDS; i++)
        if (!isnan(number[i]) && (newer || isnan(offer->number[i])))
            offer->number[i] = number[i];
    if (quote->accelerator.len > 0 && (newer || accelerator->len == 0) &&
        !str_eq(*accelerator, quote->accelerator) &&
        !edit_keep(edit, quote->accelerator, accelerator, err))
        return false;
    if (newer)
        offer->newest = quote->at.s;
    return true;
}

/* --- series --- */

static struct edit_series *series_of(struct store_edit *edit, struct edit_offer *offer,
                                     uint8_t market, const char currency[4], struct error *err)
{
    struct edit_series **at = &offer->series, *series;

    for (; *at != NULL; at = &(*at)->next)
        if ((*at)->market == market && (*at)->feed == edit->last &&
            memcmp((*at)->currency, currency, 4) == 0) {
            (*at)->round = edit->now.round;
            return *at;
        }
    series = arena_array(&edit->arena, struct edit_series, 1, err);
    if (series == NULL)
        return NULL;
    series->feed = edit->last;
    series->market = market;
    series->round = edit->now.round;
    memcpy(series->currency, currency, 4);
    *at = series;
    return series;
}

/* Of a run of equal values only its ends are kept: a price list read every day says little that
 * is new. */
static bool add_pending(struct store_edit *edit, struct edit_series *series,
                        struct pending point, struct error *err)
{
    struct edit_chunk *chunk = series->last;
    struct pending *last = chunk != NULL ? &chunk->at[chunk->used - 1] : NULL;

    if (last == NULL || last->value != point.value || pending_at(*last) > pending_at(point))
        series->run = 1;
    else if (series->run++ >= 2) {
        *last = point;
        return true;
    }
    if (chunk == NULL || chunk->used == chunk->room) {
        uint32_t room = chunk == NULL                 ? CHUNK_FIRST
                        : chunk->room < CHUNK_LARGEST ? chunk->room * 2
                                                      : CHUNK_LARGEST;

        chunk = arena_get(&edit->arena, 1, sizeof *chunk + room * sizeof point,
                          alignof(struct edit_chunk), err);
        if (chunk == NULL)
            return false;
        chunk->room = room;
        if (series->last != NULL)
            series->last->next = chunk;
        else
            series->first = chunk;
        series->last = chunk;
    }
    chunk->at[chunk->used++] = point;
    series->count++;
    return true;
}

bool store_edit_quote(struct store_edit *edit, const struct quote *quote, struct error *err)
{
    const struct str text[TEXT_COUNT] = {quote->provider, quote->region, quote->zone,
                                         quote->instance};
    struct edit_offer *offer;
    struct edit_feed *feed;

    if (!quote_good(quote, err))
        return false;
    feed = feed_of(edit, quote->provider, err);
    offer = feed != NULL ? edit_offer_of(edit, text, err) : NULL;
    if (offer == NULL || !describe(edit, offer, quote, err) ||
        series_of(edit, offer, MARKET_ANY, "\0\0\0", err) == NULL)
        return false;
    for (unsigned m = 0; m < MARKET_COUNT; m++) {
        struct edit_series *series;
        struct pending point = {.when = quote->at.s * 2 + ((quote->flags & QUOTE_FLOOR) != 0),
                                .value = quote->price[m]};

        if (point.value == PRICE_UNSAID)
            continue;
        if (point.value == PRICE_NONE)
            point.value = SERIES_NONE;
        series = series_of(edit, offer, (uint8_t)m, quote->currency, err);
        if (series == NULL || !add_pending(edit, series, point, err))
            return false;
    }
    if (quote->at.s > feed->newest)
        feed->newest = quote->at.s;
    edit->quotes++;
    return true;
}

/* The newest of a series' prices; of two for one moment, what was told later. */
static struct pending newest_of(const struct edit_series *series)
{
    struct pending newest = series->first->at[0];

    for (const struct edit_chunk *c = series->first; c != NULL; c = c->next)
        for (uint32_t i = 0; i < c->used; i++)
            if (pending_at(c->at[i]) >= pending_at(newest))
                newest = c->at[i];
    return newest;
}

/* A log is over: the newest that it said of each series held until then. */
static bool hold(struct store_edit *edit, int64_t at, struct error *err)
{
    for (size_t i = 0; i < edit->count; i++)
        for (struct edit_series *s = edit->offers[i]->series; s != NULL; s = s->next) {
            struct pending last;

            if (s->round != edit->now.round || s->first == NULL)
                continue;
            last = newest_of(s);
            if (last.value == SERIES_NONE || pending_at(last) >= at)
                continue;
            last.when = at * 2 + (last.when & 1);
            if (!add_pending(edit, s, last, err))
                return false;
        }
    return true;
}

bool store_edit_complete(struct store_edit *edit, enum feed_scope scope, stamp at,
                         struct error *err)
{
    if (at.s < 0 || at.s > STAMP_LATEST)
        return error_fail(err, ERROR_INPUT,
                          "the price list is dated before 1970 or after 9999");
    for (size_t i = 0; i < edit->feed_count && scope != SCOPE_ROWS; i++) {
        struct edit_feed *feed = edit->feeds[i];

        if (feed->round != edit->now.round)
            continue;
        if (scope > feed->scope)
            feed->scope = scope;
        if (scope == SCOPE_LOG)
            continue;
        if (!feed->complete || scope > feed->complete_scope)
            feed->complete_scope = scope;
        if (!feed->complete || at.s > feed->complete_at)
            feed->complete_at = at.s;
        feed->complete = true;
    }
    return scope != SCOPE_LOG || hold(edit, at.s, err);
}
