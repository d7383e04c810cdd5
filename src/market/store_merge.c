/* What is known of a series are words: at this moment the price was that. The old file gives
 * its change points and the last confirmation, quotes give one each, a feed's silence gives
 * one. Sorted by time, the later told winning over the earlier told, and without those that
 * change nothing, they are the new points. So the order of imports does not matter, and
 * importing twice changes nothing. */
#include "market/store_merge.h"

#include <string.h>

#include "base/crc.h"

void merge_begin(struct merge *m, const struct store *old, const struct store_paths *paths,
                 const struct alloc *alloc)
{
    *m = (struct merge){.old = old, .paths = paths, .encoded = buf_new(alloc, UINT32_MAX)};
    m->before.alloc = m->word.alloc = m->after.alloc = m->spare.alloc = alloc;
}

void merge_end(struct merge *m)
{
    points_room_free(&m->before);
    points_room_free(&m->word);
    points_room_free(&m->after);
    points_room_free(&m->spare);
    buf_free(&m->encoded);
    store_close(m->previous);
}

static bool add_point(struct points_room *room, int64_t at, int64_t value, struct error *err)
{
    if (!points_room_for(room, 1, err))
        return false;
    room->at[room->len++] = (struct point){{at}, value};
    return true;
}

/* --- the old points, or what can be had of them --- */

/* The same series in the generation before; false when it is not there or damaged too. */
static bool find_previous(const struct merge *m, const struct series_row *row,
                          struct series_row *found)
{
    struct store_offer wanted = store_offer(m->old, row->offer);
    struct store_feed feed = store_feed(m->old, row->feed);
    size_t i = store_offer_find(m->previous, wanted.provider, wanted.region);

    for (; i < m->previous->offers; i++) {
        struct store_offer offer = store_offer(m->previous, i);

        if (!str_eq(offer.provider, wanted.provider) || !str_eq(offer.region, wanted.region))
            return false;
        if (!str_eq(offer.zone, wanted.zone) || !str_eq(offer.instance, wanted.instance))
            continue;
        for (size_t s = 0; s < offer.series_count; s++) {
            struct store_feed its;

            *found = store_series_row(m->previous, offer.first_series + s);
            its = store_feed(m->previous, found->feed);
            if (found->market == row->market && str_eq(its.feed, feed.feed) &&
                memcmp(found->currency, row->currency, 4) == 0)
                return series_intact(m->previous, found);
        }
    }
    return false;
}

/* False when it may be there and cannot be read: what it holds must not be taken for lost. */
static bool open_previous(struct merge *m, struct error *err)
{
    struct error why = {0};

    if (m->looked_for_previous)
        return true;
    if (store_load(m->paths->previous, m->before.alloc, &m->previous, &why) != STORE_GOOD)
        m->previous = NULL;
    m->looked_for_previous = true;
    if (why.kind != ERROR_MEMORY && why.kind != ERROR_SYSTEM)
        return true;
    *err = why;
    return false;
}

/* The tables are good, so the newest price is known whatever happened to the points; the rest
 * comes from the generation before, up to then. */
static bool salvage(struct merge *m, const struct series_row *row, struct error *err)
{
    struct series_row found;
    bool good = false;

    if (!open_previous(m, err))
        return false;
    if (m->previous != NULL && find_previous(m, row, &found) &&
        !series_decode(m->previous, &found, &m->before, &good, err))
        return false;
    while (m->before.len > 0 && m->before.at[m->before.len - 1].at.s >= row->since)
        m->before.len--;
    m->restored += good;
    m->lost += !good;
    return add_point(&m->before, row->since, row->price, err);
}

/* --- the words --- */

/* Stable, so that the later told stays behind the earlier told. */
static bool sort_words(struct points_room *words, struct points_room *spare, struct error *err)
{
    size_t len = words->len;

    spare->len = 0;
    if (!points_room_for(spare, len, err))
        return false;
    for (size_t width = 1; width < len; width *= 2) {
        struct point *from = words->at, *to = spare->at;
        struct points_room swap = *words;

        for (size_t start = 0; start < len; start += 2 * width) {
            size_t a = start, middle = start + width < len ? start + width : len;
            size_t b = middle, end = start + 2 * width < len ? start + 2 * width : len;

            for (size_t i = start; i < end; i++) {
                bool first = b == end || (a < middle && from[a].at.s >> 1 <= from[b].at.s >> 1);

                to[i] = from[first ? a++ : b++];
            }
        }
        *words = *spare;
        *spare = swap;
        words->len = len;
    }
    return true;
}

/* The quotes and the silence, oldest first, one for each moment; `at` still has the flag. */
static bool take_words(struct merge *m, const struct merge_input *in, struct error *err)
{
    bool sorted = true;
    size_t kept = 0;

    m->word.len = 0;
    for (const struct edit_chunk *c = in->quotes != NULL ? in->quotes->first : NULL; c != NULL;
         c = c->next) {
        if (!points_room_for(&m->word, c->used, err))
            return false;
        for (uint32_t i = 0; i < c->used; i++) {
            struct point *to = &m->word.at[m->word.len];

            *to = (struct point){{c->at[i].when}, c->at[i].value};
            sorted = sorted && (m->word.len == 0 || to[-1].at.s >> 1 <= to->at.s >> 1);
            m->word.len++;
        }
    }
    if (in->gone_at >= 0) {
        sorted = sorted &&
                 (m->word.len == 0 || m->word.at[m->word.len - 1].at.s >> 1 <= in->gone_at);
        if (!add_point(&m->word, in->gone_at * 2, SERIES_NONE, err))
            return false;
    }
    if (!sorted && !sort_words(&m->word, &m->spare, err))
        return false;
    for (size_t i = 0; i < m->word.len; i++) {
        if (kept > 0 && m->word.at[kept - 1].at.s >> 1 == m->word.at[i].at.s >> 1)
            kept--;
        m->word.at[kept++] = m->word.at[i];
    }
    m->word.len = kept;
    return true;
}

/* Quotes that only confirm what the old file says move `seen` and need no points read. */
static bool only_confirms(const struct merge_input *in, struct series_row *row)
{
    int64_t seen = in->old->seen;
    uint8_t flags = in->old->flags;
    const struct edit_chunk *c = in->quotes != NULL ? in->quotes->first : NULL;

    for (; c != NULL; c = c->next)
        for (uint32_t i = 0; i < c->used; i++) {
            if (c->at[i].value != in->old->price || pending_at(c->at[i]) < in->old->since)
                return false;
            if (pending_at(c->at[i]) >= seen) {
                seen = pending_at(c->at[i]);
                flags = (uint8_t)(c->at[i].when & QUOTE_FLOOR);
            }
        }
    if (in->gone_at >= 0 && in->old->price != SERIES_NONE)
        return false;
    row->seen = in->gone_at > seen ? in->gone_at : seen;
    row->flags = flags;
    return true;
}

/* --- together --- */

/* Old points and words into new points; the newest of all words is what the row says. */
static bool interleave(struct merge *m, struct series_row *row, uint8_t old_flags,
                       struct error *err)
{
    size_t i = 0, j = 0;

    m->after.len = 0;
    if (!points_room_for(&m->after, m->before.len + m->word.len, err))
        return false;
    while (i < m->before.len || j < m->word.len) {
        int64_t old_at = i < m->before.len ? m->before.at[i].at.s : INT64_MAX;
        int64_t new_at = j < m->word.len ? m->word.at[j].at.s >> 1 : INT64_MAX;
        int64_t at = new_at <= old_at ? new_at : old_at;
        int64_t value;

        if (new_at <= old_at) {
            row->flags = (uint8_t)(m->word.at[j].at.s & QUOTE_FLOOR);
            value = m->word.at[j++].value;
        } else {
            row->flags = old_flags; /* which matters for the newest word only */
            value = m->before.at[i].value;
        }
        i += old_at <= new_at;
        row->seen = at;
        if (m->after.len == 0 || m->after.at[m->after.len - 1].value != value)
            m->after.at[m->after.len++] = (struct point){{at}, value};
    }
    return true;
}

static bool encode(struct merge *m, struct series_row *row, struct str *encoded,
                   struct error *err)
{
    const struct point *last = &m->after.at[m->after.len - 1];

    buf_clear(&m->encoded);
    points_encode(m->after.at, m->after.len, &m->encoded);
    if (!buf_ok(&m->encoded, err))
        return false;
    *encoded = buf_text(&m->encoded);
    row->price = last->value;
    row->since = last->at.s;
    row->first = m->after.at[0].at.s;
    row->points = (uint32_t)m->after.len;
    row->size = (uint32_t)encoded->len;
    row->crc = crc32c(0, encoded->at, encoded->len);
    row->doubts = doubts_jump(m->after.at, m->after.len);
    return true;
}

static void take_old(const struct merge *m, const struct series_row *old,
                     struct series_row *row, struct str *encoded)
{
    row->price = old->price;
    row->since = old->since;
    row->first = old->first;
    row->points = old->points;
    row->size = old->size;
    row->crc = old->crc;
    row->doubts = old->doubts & DOUBT_JUMP;
    *encoded = store_encoded(m->old, old);
}

bool merge_series(struct merge *m, const struct merge_input *in, struct series_row *row,
                  struct str *encoded, enum merge_outcome *outcome, struct error *err)
{
    const struct series_row *old = in->old;
    bool intact = old != NULL && series_intact(m->old, old);
    size_t had;

    *outcome = MERGE_SAME;
    if (intact && only_confirms(in, row)) {
        take_old(m, old, row, encoded);
        return true;
    }
    m->before.len = 0;
    if (intact && !series_decode(m->old, old, &m->before, &intact, err))
        return false;
    if (old != NULL && !intact && !salvage(m, old, err))
        return false;
    had = m->before.len;
    if (old != NULL && old->seen > m->before.at[had - 1].at.s &&
        !add_point(&m->before, old->seen, old->price, err))
        return false;
    if (!take_words(m, in, err))
        return false;
    if (!interleave(m, row, old != NULL ? old->flags : 0, err))
        return false;
    if (intact && m->after.len == had &&
        memcmp(m->after.at, m->before.at, had * sizeof *m->after.at) == 0) {
        take_old(m, old, row, encoded);
        return true;
    }
    *outcome = MERGE_CHANGED;
    if (old != NULL && old->price != SERIES_NONE &&
        m->after.at[m->after.len - 1].value == SERIES_NONE)
        *outcome = MERGE_GONE;
    return encode(m, row, encoded, err);
}
