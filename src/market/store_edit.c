#include "market/store_edit.h"

#include <math.h>
#include <stdlib.h>

#define PROVIDERS_MOST 1000 /* each is compared with those before it */

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
                                .arena = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE},
                                .offers = map_of(alloc, UINT32_MAX - 1),
                                .key = buf_new(alloc, 4 * (TEXT_LONGEST + 2))};
    return edit;
}

void store_edit_free(struct store_edit *edit)
{
    const struct alloc *alloc;

    if (edit == NULL)
        return;
    alloc = edit->alloc;
    map_free(&edit->offers);
    buf_free(&edit->key);
    arena_free(&edit->arena);
    alloc->put(alloc->ctx, edit);
}

bool store_edit_feed(struct store_edit *edit, const struct feed_format *format, struct str feed,
                     struct str from, struct error *err)
{
    struct edit_feed now = {.confidence = format->confidence,
                            .log = format->scope == SCOPE_LOG,
                            .round = edit->now.round + 1};

    if (feed.len == 0 || feed.len > TEXT_LONGEST || from.len > TEXT_LONGEST)
        return error_fail(err, ERROR_INPUT, "the name of a feed is empty or too long");
    if (!str_keep(feed, &edit->arena, &now.feed, err) ||
        !str_keep(from, &edit->arena, &now.from, err))
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
        if (edit->feed_count == PROVIDERS_MOST) {
            error_set(err, ERROR_INPUT, "more than %d providers: this is not a price list",
                      PROVIDERS_MOST);
            return NULL;
        }
        edit->feeds = arena_grow(&edit->arena, edit->feeds, edit->feed_count,
                                 sizeof(struct edit_feed *), &edit->feed_room, err);
        entry = arena_array(&edit->arena, struct edit_feed, 1, err);
        if (edit->feeds == NULL || entry == NULL ||
            !str_keep(provider, &edit->arena, &name, err))
            return NULL;
        *entry = (struct edit_feed){.feed = edit->now.feed, .provider = name};
        edit->feeds[edit->feed_count++] = entry;
    }
    entry->from = edit->now.from;
    entry->confidence = edit->now.confidence;
    entry->log = edit->now.log;
    entry->round = edit->now.round;
    edit->last = entry;
    return entry;
}

/* --- offers --- */

int offer_order(const struct str a[TEXT_COUNT], const struct str b[TEXT_COUNT])
{
    for (unsigned i = 0; i <= TEXT_INSTANCE; i++) {
        int order = str_cmp(a[i], b[i]);

        if (order != 0)
            return order;
    }
    return 0;
}

static int offer_pointer_order(const void *a, const void *b)
{
    const struct edit_offer *const *x = a, *const *y = b;

    return offer_order((*x)->text, (*y)->text);
}

struct edit_offer **edit_sorted(struct store_edit *edit, struct error *err)
{
    size_t count = edit->offers.count;
    struct edit_offer **sorted = arena_array(&edit->arena, struct edit_offer *, count, err);

    for (size_t i = 0; sorted != NULL && i < count; i++)
        sorted[i] = edit->offers.at[i].value;
    if (sorted != NULL && count > 1)
        qsort(sorted, count, sizeof(struct edit_offer *), offer_pointer_order);
    return sorted;
}

/* A new offer of the edit's key, in which the texts follow their lengths. */
static struct edit_offer *add_edit_offer(struct store_edit *edit, struct str *key,
                                         struct error *err)
{
    struct edit_offer *offer = arena_array(&edit->arena, struct edit_offer, 1, err);
    const char *at;

    if (offer == NULL || !str_keep(*key, &edit->arena, key, err))
        return NULL;
    at = key->at;
    for (unsigned i = 0; i <= TEXT_INSTANCE; i++) {
        offer->text[i].len = (unsigned char)at[0] | (size_t)(unsigned char)at[1] << 8;
        offer->text[i].at = at + 2;
        at += 2 + offer->text[i].len;
    }
    for (unsigned i = 0; i < NUMBER_KINDS; i++)
        offer->number[i] = NAN;
    offer->newest = -1;
    return offer;
}

/* The offer that a quote is about, added when it is new. */
static struct edit_offer *offer_of(struct store_edit *edit, const struct quote *quote,
                                   struct error *err)
{
    const struct str text[] = {quote->provider, quote->region, quote->zone, quote->instance};
    struct map_entry *entry;
    bool added;

    buf_clear(&edit->key);
    for (unsigned i = 0; i <= TEXT_INSTANCE; i++) {
        buf_char(&edit->key, (char)(text[i].len & 255));
        buf_char(&edit->key, (char)(text[i].len >> 8));
        buf_add(&edit->key, text[i]);
    }
    if (!buf_ok(&edit->key, err))
        return NULL;
    entry = map_find(&edit->offers, buf_text(&edit->key));
    if (entry == NULL) {
        struct str key = buf_text(&edit->key);
        struct edit_offer *offer = add_edit_offer(edit, &key, err);

        entry = offer != NULL ? map_add(&edit->offers, key, &added, err) : NULL;
        if (entry == NULL)
            return NULL;
        entry->value = offer;
    }
    return entry->value;
}

/* The newer quote's numbers win; what neither knows stays unknown. */
static bool describe_edit_offer(struct store_edit *edit, struct edit_offer *offer,
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
        !str_keep(quote->accelerator, &edit->arena, accelerator, err))
        return false;
    if (newer)
        offer->newest = quote->at.s;
    return true;
}

/* --- series --- */

static struct edit_series *edit_series_of(struct store_edit *edit, struct edit_offer *offer,
                                          uint8_t market, struct currency currency,
                                          struct error *err)
{
    struct edit_series **at = &offer->series, *series;

    for (; *at != NULL; at = &(*at)->next)
        if ((*at)->market == market && (*at)->feed == edit->last &&
            currency_is((*at)->currency, currency))
            return *at;
    series = arena_array(&edit->arena, struct edit_series, 1, err);
    if (series == NULL)
        return NULL;
    series->feed = edit->last;
    series->market = market;
    series->currency = currency;
    *at = series;
    return series;
}

static bool add_edit_days(struct store_edit *edit, struct edit_series *series,
                          struct day_run run, struct error *err)
{
    struct edit_days *days = series->days;

    if (days == NULL || run.first > days->run.last + 1 || run.last < days->run.first - 1) {
        days = arena_array(&edit->arena, struct edit_days, 1, err);
        if (days == NULL)
            return false;
        *days = (struct edit_days){series->days, run};
        series->days = days;
        return true;
    }
    if (run.first < days->run.first)
        days->run.first = run.first;
    if (run.last > days->run.last)
        days->run.last = run.last;
    return true;
}

/* That a quote of this day is about the series. The quotes of a log are points of their own. */
static bool note_day(struct store_edit *edit, struct edit_series *series, day on,
                     struct error *err)
{
    if (series->round != edit->now.round || on.n < series->round_from)
        series->round_from = on.n;
    series->round = edit->now.round;
    return edit->now.log || add_edit_days(edit, series, (struct day_run){on.n, on.n}, err);
}

/* Of a run of equal values only its ends are kept: a price list that is read every day has
 * little news. */
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

/* --- logs --- */

/* That a log has a quote of this day. */
static bool note_log_day(struct store_edit *edit, struct edit_feed *feed, day on,
                         struct error *err)
{
    if (!edit->now.log)
        return true;
    if (feed->log_days == NULL)
        feed->log_days = arena_array(&edit->arena, struct day_set, 1, err);
    if (feed->log_days == NULL)
        return false;
    day_set_add(feed->log_days, on.n);
    return true;
}

/* On which days a log that ends on this day reported. A provider's own is complete: what it
 * does not name stayed as it was. One that was collected has days without. */
static bool cover_log(struct store_edit *edit, struct edit_feed *feed, int32_t until,
                      struct error *err)
{
    struct day_run *all;

    if (feed->confidence == CONFIDENCE_CATALOG) {
        day_set_add(feed->log_days, until);
        if (!observed_log_days(feed->log_days, &edit->arena, &feed->covered, err))
            return false;
    } else {
        all = arena_array(&edit->arena, struct day_run, 1, err);
        if (all == NULL)
            return false;
        *all = (struct day_run){0, until};
        feed->covered = (struct day_runs){all, 1};
    }
    *feed->log_days = (struct day_set){0}; /* the next round begins anew */
    return true;
}

/* The days from its first quote on that the log reports on. */
static bool add_covered_days(struct store_edit *edit, struct edit_series *s, int32_t until,
                             struct error *err)
{
    for (size_t i = 0; i < s->feed->covered.len; i++) {
        struct day_run run = s->feed->covered.at[i];

        run.first = run.first > s->round_from ? run.first : s->round_from;
        run.last = run.last < until ? run.last : until;
        if (run.first <= run.last && !add_edit_days(edit, s, run, err))
            return false;
    }
    return true;
}

bool store_edit_quote(struct store_edit *edit, const struct quote *quote, struct error *err)
{
    struct edit_offer *offer;
    struct edit_feed *feed;

    if (!quote_good(quote, err))
        return false;
    feed = feed_of(edit, quote->provider, err);
    if (feed == NULL || !note_log_day(edit, feed, day_of(quote->at), err))
        return false;
    offer = offer_of(edit, quote, err);
    if (offer == NULL || !describe_edit_offer(edit, offer, quote, err) ||
        edit_series_of(edit, offer, SERIES_NO_MARKET, currency_none, err) == NULL)
        return false;
    for (unsigned m = 0; m < MARKET_COUNT; m++) {
        struct edit_series *series;
        struct pending point = {.when = quote->at.s * 2 + ((quote->flags & QUOTE_FLOOR) != 0),
                                .value = quote->price[m]};

        if (point.value == PRICE_UNSAID)
            continue;
        if (point.value == PRICE_NONE)
            point.value = SERIES_NONE;
        series = edit_series_of(edit, offer, (uint8_t)m, quote->currency, err);
        if (series == NULL || !add_pending(edit, series, point, err) ||
            !note_day(edit, series, day_of(quote->at), err))
            return false;
    }
    if (quote->at.s > feed->newest)
        feed->newest = quote->at.s;
    edit->quotes++;
    return true;
}

/* The newest of a series' prices; of two for one moment, the later quote. */
static struct pending newest_of(const struct edit_series *series)
{
    struct pending newest = series->first->at[0];

    for (const struct edit_chunk *c = series->first; c != NULL; c = c->next)
        for (uint32_t i = 0; i < c->used; i++)
            if (pending_at(c->at[i]) >= pending_at(newest))
                newest = c->at[i];
    return newest;
}

/* At the end of a log, the last price of each of its series was still in force. */
static bool end_log(struct store_edit *edit, int64_t at, struct error *err)
{
    for (size_t i = 0; i < edit->feed_count; i++)
        if (edit->feeds[i]->round == edit->now.round && edit->feeds[i]->log_days != NULL &&
            !cover_log(edit, edit->feeds[i], day_of((stamp){at}).n, err))
            return false;
    for (size_t i = 0; i < edit->offers.count; i++) {
        const struct edit_offer *offer = edit->offers.at[i].value;

        for (struct edit_series *s = offer->series; s != NULL; s = s->next) {
            int32_t until = day_of((stamp){at}).n;
            struct pending last;

            if (s->round != edit->now.round || s->first == NULL)
                continue;
            if (!add_covered_days(edit, s, until, err))
                return false;
            last = newest_of(s);
            if (last.value == SERIES_NONE || pending_at(last) >= at)
                continue;
            last.when = at * 2 + (last.when & 1);
            if (!add_pending(edit, s, last, err))
                return false;
        }
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
    return scope != SCOPE_LOG || end_log(edit, at.s, err);
}
