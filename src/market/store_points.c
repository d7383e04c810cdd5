/* The points of a series as bytes: for each the time since the one before and the change of the
 * value, as variable-length numbers in the largest units that fit the series: days and
 * hundredths of a cent, say. Two to four bytes a point.
 *
 * unit of time (low half: 0 second, 1 minute, 2 hour, 3 day) and of value (high half: 10^n
 * nano) the first moment, in seconds; for the others how many units after the one before 0:
 * there is no price; else 1 + the zigzagged change, in units, against the last price (or 0)
 */
#include <string.h>

#include "base/crc.h"
#include "market/store_internal.h"

#define VARINT_LONGEST 10

static const int64_t time_units[] = {1, 60, 3600, 86400};
static const int64_t value_units[] = {1,      10,      100,      1000,      10000,
                                      100000, 1000000, 10000000, 100000000, 1000000000};

/* --- memory --- */

bool points_room_for(struct points_room *room, size_t more, struct error *err)
{
    size_t capacity = room->capacity > 0 ? room->capacity : 256;
    struct point *grown;

    if (more <= room->capacity - room->len)
        return true;
    while (capacity < room->len + more)
        capacity *= 2;
    grown = room->alloc->get(room->alloc->ctx, capacity * sizeof *grown);
    if (grown == NULL)
        return error_memory(err);
    if (room->len > 0)
        memcpy(grown, room->at, room->len * sizeof *grown);
    if (room->at != NULL)
        room->alloc->put(room->alloc->ctx, room->at);
    room->at = grown;
    room->capacity = capacity;
    return true;
}

void points_room_free(struct points_room *room)
{
    if (room->at != NULL)
        room->alloc->put(room->alloc->ctx, room->at);
    *room = (struct points_room){.alloc = room->alloc};
}

/* --- writing --- */

static size_t put_varint(char *at, uint64_t value)
{
    size_t len = 0;

    for (; value >= 0x80; value >>= 7)
        at[len++] = (char)(value | 0x80);
    at[len++] = (char)value;
    return len;
}

void points_encode(const struct point *at, size_t len, struct buf *out)
{
    unsigned time = ARRAY_LEN(time_units) - 1, value = ARRAY_LEN(value_units) - 1;
    int64_t before = 0, last = 0;
    char room[1 + 2 * VARINT_LONGEST];
    size_t used = 1;

    for (size_t i = 0; i < len; i++) {
        while (i > 0 && (at[i].at.s - at[i - 1].at.s) % time_units[time] != 0)
            time--;
        while (at[i].value != SERIES_NONE && at[i].value % value_units[value] != 0)
            value--;
    }
    room[0] = (char)(time | value << 4);
    for (size_t i = 0; i < len; i++, used = 0) {
        int64_t gap = at[i].at.s - before;

        used += put_varint(room + used, (uint64_t)(i > 0 ? gap / time_units[time] : gap));
        before = at[i].at.s;
        if (at[i].value == SERIES_NONE) {
            room[used++] = 0;
        } else {
            int64_t change = (at[i].value - last) / value_units[value];

            used += put_varint(room + used,
                               1 + ((uint64_t)change << 1 ^ (change < 0 ? UINT64_MAX : 0)));
            last = at[i].value;
        }
        buf_add(out, (struct str){room, used});
    }
}

/* --- reading --- */

struct reader {
    const unsigned char *at, *end;
};

static inline bool take_varint(struct reader *r, uint64_t *out)
{
    uint64_t value = 0;

    for (unsigned shift = 0; r->at < r->end && shift < 63; shift += 7) {
        unsigned char c = *r->at++;

        value |= (uint64_t)(c & 0x7f) << shift;
        if (c < 0x80) {
            *out = value;
            return true;
        }
    }
    return false;
}

/* One point after the one before. `last` is the last price there was. */
static inline bool take_point(struct reader *r, int64_t time_unit, int64_t value_unit,
                              struct point *point, int64_t *last)
{
    uint64_t gap, code;
    int64_t change, step;

    if (!take_varint(r, &gap) || !take_varint(r, &code))
        return false;
    if (gap > (uint64_t)STAMP_LATEST ||
        __builtin_mul_overflow((int64_t)gap, time_unit, &step) ||
        step > STAMP_LATEST - point->at.s)
        return false;
    point->at.s += step;
    if (code == 0) {
        point->value = SERIES_NONE;
        return true;
    }
    code--;
    change = (int64_t)(code >> 1) ^ -(int64_t)(code & 1);
    if (__builtin_mul_overflow(change, value_unit, &change) ||
        __builtin_add_overflow(*last, change, last) || *last < 0 || *last > PRICE_HIGHEST)
        return false;
    point->value = *last;
    return true;
}

bool points_decode(struct str encoded, size_t count, struct point *out)
{
    struct reader r = {(const unsigned char *)encoded.at,
                       (const unsigned char *)encoded.at + encoded.len};
    struct point point = {0};
    int64_t last = 0, before = -1, time_unit, value_unit;

    if (encoded.len == 0 || (*r.at & 15) >= ARRAY_LEN(time_units) ||
        *r.at >> 4 >= ARRAY_LEN(value_units))
        return false;
    time_unit = time_units[*r.at & 15];
    value_unit = value_units[*r.at >> 4];
    r.at++;
    for (size_t i = 0; i < count; i++) {
        if (!take_point(&r, i > 0 ? time_unit : 1, value_unit, &point, &last) ||
            point.at.s <= before)
            return false;
        before = point.at.s;
        if (out != NULL)
            out[i] = point;
    }
    return r.at == r.end;
}

bool series_intact(const struct store *store, const struct series_row *row)
{
    struct str encoded = store_encoded(store, row);

    return crc32c(0, encoded.at, encoded.len) == row->crc;
}

bool series_decode(const struct store *store, const struct series_row *row,
                   struct points_room *room, bool *good, struct error *err)
{
    if (!points_room_for(room, row->points, err))
        return false;
    *good = points_decode(store_encoded(store, row), row->points, room->at + room->len);
    if (*good)
        room->len += row->points;
    return true;
}

bool store_points(const struct store *store, size_t series, struct arena *arena,
                  struct points *out, struct error *err)
{
    struct series_row row = store_series_row(store, series);
    struct store_offer offer;
    struct point *at;

    if (series_intact(store, &row)) {
        at = arena_array(arena, struct point, row.points, err);
        if (at == NULL)
            return false;
        if (points_decode(store_encoded(store, &row), row.points, at)) {
            *out = (struct points){at, row.points};
            return true;
        }
    }
    offer = store_offer(store, row.offer);
    return error_fail(err, ERROR_INPUT, "the prices of %.*s %.*s %.*s in '%s' are damaged",
                      STR_ARG(offer.provider), STR_ARG(offer.region), STR_ARG(offer.instance),
                      store->name);
}

size_t store_verify(const struct store *store)
{
    size_t bad = 0;

    for (size_t i = 0; i < store->series; i++) {
        struct series_row row = store_series_row(store, i);

        bad += !series_intact(store, &row) ||
               !points_decode(store_encoded(store, &row), row.points, NULL);
    }
    return bad;
}
