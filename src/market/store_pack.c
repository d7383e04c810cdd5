#include "market/store_pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc.h"

#define CHECKSUM 4
#define VARINT_LONGEST 10
#define PLACE_HEAD (CHECKSUM + 8)
#define INTEGER_HIGHEST 1e15 /* a double holds integers up to there */

static const int64_t time_units[] = {1, 60, 3600, 86400};
static const int64_t value_units[] = {1,      10,      100,      1000,      10000,
                                      100000, 1000000, 10000000, 100000000, 1000000000};

/* --- bytes --- */

static uint32_t get_packed_u32(const void *from)
{
    const unsigned char *at = from;

    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

static void put32(void *to, uint32_t value)
{
    unsigned char *at = to;

    for (unsigned i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

static size_t put_varint(char *at, uint64_t value)
{
    size_t len = 0;

    for (; value >= 0x80; value >>= 7)
        at[len++] = (char)(value | 0x80);
    at[len++] = (char)value;
    return len;
}

static void add_varint(struct buf *out, uint64_t value)
{
    char room[VARINT_LONGEST];

    buf_add(out, (struct str){room, put_varint(room, value)});
}

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

/* Room for the checksum of what is added next. */
static size_t begin_blob(struct buf *out)
{
    buf_pad(out, '\0', CHECKSUM);
    return out->len;
}

static void end_blob(struct buf *out, size_t start)
{
    if (out->failed == ERROR_NONE)
        put32(out->at + start - CHECKSUM, crc32c(0, out->at + start, out->len - start));
}

static bool open_blob(struct str blob, struct reader *out)
{
    if (blob.len < CHECKSUM ||
        get_packed_u32(blob.at) != crc32c(0, blob.at + CHECKSUM, blob.len - CHECKSUM))
        return false;
    out->at = (const unsigned char *)blob.at + CHECKSUM;
    out->end = (const unsigned char *)blob.at + blob.len;
    return true;
}

/* Twice the room, until `wanted` fit. */
static bool grow_room(const struct alloc *alloc, void **at, size_t len, size_t *capacity,
                      size_t wanted, size_t size, struct error *err)
{
    size_t room = *capacity > 0 ? *capacity : 16;
    void *grown;

    if (wanted <= *capacity)
        return true;
    while (room < wanted)
        room *= 2;
    grown = alloc->get(alloc->ctx, room * size);
    if (grown == NULL)
        return error_memory(err);
    if (len > 0)
        memcpy(grown, *at, len * size);
    if (*at != NULL)
        alloc->put(alloc->ctx, *at);
    *at = grown;
    *capacity = room;
    return true;
}

/* --- days --- */

static bool days_room_for(struct days_room *room, size_t more, struct error *err)
{
    void *at = room->at;
    bool ok = grow_room(room->alloc, &at, room->len, &room->capacity, room->len + more,
                        sizeof *room->at, err);

    room->at = at;
    return ok;
}

void days_room_free(struct days_room *room)
{
    if (room->at != NULL)
        room->alloc->put(room->alloc->ctx, room->at);
    *room = (struct days_room){.alloc = room->alloc};
}

bool day_runs_cover(struct day_runs days, struct day_run run)
{
    size_t low = 0, high = days.len;

    while (low < high) { /* the first that does not end before */
        size_t middle = low + (high - low) / 2;

        if (days.at[middle].last < run.first)
            low = middle + 1;
        else
            high = middle;
    }
    return low < days.len && days.at[low].first <= run.first && run.last <= days.at[low].last;
}

static int run_order(const void *a, const void *b)
{
    const struct day_run *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

size_t day_runs_join(struct day_run *at, size_t len)
{
    size_t kept = 0;

    if (len > 1)
        qsort(at, len, sizeof *at, run_order);
    for (size_t i = 0; i < len; i++) {
        if (kept == 0 || at[i].first > at[kept - 1].last + 1)
            at[kept++] = at[i];
        else if (at[i].last > at[kept - 1].last)
            at[kept - 1].last = at[i].last;
    }
    return kept;
}

bool day_runs_add(struct days_room *room, struct day_run run, bool *more, struct error *err)
{
    if (day_runs_cover((struct day_runs){room->at, room->len}, run))
        return true;
    if (!days_room_for(room, 1, err))
        return false;
    room->at[room->len++] = run;
    room->len = day_runs_join(room->at, room->len);
    *more = true;
    return true;
}

static void add_packed_days(struct day_runs days, struct buf *out)
{
    int32_t before = 0;

    add_varint(out, days.len);
    for (size_t i = 0; i < days.len; i++) {
        add_varint(out, (uint64_t)(days.at[i].first - before));
        add_varint(out, (uint64_t)(days.at[i].last - days.at[i].first));
        before = days.at[i].last;
    }
}

/* Added to the room, which may be NULL. */
static bool take_packed_days(struct reader *r, struct days_room *out, bool *good,
                             struct error *err)
{
    const uint64_t latest = STAMP_LATEST / SECONDS_PER_DAY;
    uint64_t count, gap, length, before = 0;

    *good = take_varint(r, &count) && count <= (uint64_t)(r->end - r->at) / 2;
    if (*good && out != NULL && !days_room_for(out, (size_t)count, err))
        return false;
    for (uint64_t i = 0; *good && i < count; i++) {
        *good = take_varint(r, &gap) && take_varint(r, &length) && gap <= latest &&
                length <= latest && before + gap + length <= latest && (i == 0 || gap > 1);
        if (!*good)
            break;
        if (out != NULL)
            out->at[out->len + i] =
                (struct day_run){(int32_t)(before + gap), (int32_t)(before + gap + length)};
        before += gap + length;
    }
    if (*good && out != NULL)
        out->len += (size_t)count;
    return true;
}

void day_runs_pack(struct day_runs days, struct buf *out)
{
    size_t start = begin_blob(out);

    add_packed_days(days, out);
    end_blob(out, start);
}

bool day_runs_unpack(struct str blob, struct days_room *out, bool *good, struct error *err)
{
    struct reader r;

    *good = open_blob(blob, &r);
    if (*good && !take_packed_days(&r, out, good, err))
        return false;
    *good = *good && r.at == r.end;
    return true;
}

/* --- points: for each the time since the one before and the change of the value, in the
 * largest units that fit the series: days and hundredths of a cent, for example. Two to four
 * bytes a point.
 *
 * The first byte has the units: of time in the low half (0 second, 1 minute, 2 hour, 3 day), of
 * value in the high half (10^n nano). The first time is in seconds. A value is 0 for none, else
 * 1 + the zigzagged change against the last price (or 0). --- */

bool points_room_for(struct points_room *room, size_t more, struct error *err)
{
    void *at = room->at;
    bool ok = grow_room(room->alloc, &at, room->len, &room->capacity, room->len + more,
                        sizeof *room->at, err);

    room->at = at;
    return ok;
}

void points_room_free(struct points_room *room)
{
    if (room->at != NULL)
        room->alloc->put(room->alloc->ctx, room->at);
    *room = (struct points_room){.alloc = room->alloc};
}

void points_pack(const struct point *at, size_t len, struct buf *out)
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

bool points_unpack(struct str packed, size_t count, struct point *out)
{
    struct reader r = {(const unsigned char *)packed.at,
                       (const unsigned char *)packed.at + packed.len};
    struct point point = {0};
    int64_t last = 0, before = -1, time_unit, value_unit;

    if (packed.len == 0 || (*r.at & 15) >= ARRAY_LEN(time_units) ||
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

/* --- a history --- */

void history_pack(const struct point *at, size_t len, struct day_runs days, struct buf *out)
{
    size_t start = begin_blob(out);

    add_packed_days(days, out);
    add_varint(out, len);
    points_pack(at, len, out);
    end_blob(out, start);
}

bool history_open(struct str blob, struct days_room *days, struct history *out, bool *good,
                  struct error *err)
{
    struct reader r;
    uint64_t count;

    *good = open_blob(blob, &r);
    if (*good && !take_packed_days(&r, days, good, err))
        return false;
    *good =
        *good && take_varint(&r, &count) && count > 0 && count <= (uint64_t)(r.end - r.at) / 2;
    if (*good)
        *out = (struct history){(size_t)count, {(const char *)r.at, (size_t)(r.end - r.at)}};
    return true;
}

/* --- names --- */

bool name_number(struct map *names, struct str name, uint32_t *out, struct error *err)
{
    const struct map_entry *entry = map_add(names, name, NULL, err);

    if (entry != NULL)
        *out = (uint32_t)(entry - names->at);
    return entry != NULL;
}

void names_pack(const struct map *names, struct buf *out)
{
    size_t start = begin_blob(out);

    add_varint(out, names->count);
    for (size_t i = 0; i < names->count; i++) {
        add_varint(out, names->at[i].key.len);
        buf_add(out, names->at[i].key);
    }
    end_blob(out, start);
}

bool names_unpack(struct str blob, struct arena *arena, struct str **out, size_t *count,
                  bool *good, struct error *err)
{
    struct reader r;
    uint64_t names, len;
    const char *copy;

    *good = open_blob(blob, &r) && take_varint(&r, &names) && names <= blob.len;
    if (!*good)
        return true;
    *count = (size_t)names;
    *out = arena_array(arena, struct str, *count, err);
    copy = str_dup((struct str){(const char *)r.at, (size_t)(r.end - r.at)}, arena, err);
    if (*out == NULL || copy == NULL)
        return false;
    r.end = (const unsigned char *)copy + (r.end - r.at);
    r.at = (const unsigned char *)copy;
    for (size_t i = 0; i < *count; i++) {
        *good = take_varint(&r, &len) && len <= (uint64_t)(r.end - r.at);
        if (!*good)
            return true;
        (*out)[i] = (struct str){(const char *)r.at, (size_t)len};
        r.at += len;
    }
    *good = r.at == r.end;
    return true;
}

/* --- a place --- */

void place_begin(struct place_writer *w, struct buf *out)
{
    *w = (struct place_writer){.out = out};
    buf_pad(out, '\0', PLACE_HEAD);
}

static bool is_integer(double value)
{
    return value >= 0 && value <= INTEGER_HIGHEST && value == (double)(uint64_t)value;
}

/* Two bits for each number, low first: 0 unknown, 1 an integer, 2 eight bytes (IEEE). */
static void add_numbers(struct buf *out, const double number[NUMBER_KINDS])
{
    uint64_t kinds = 0;

    for (unsigned i = 0; i < NUMBER_KINDS; i++)
        if (!isnan(number[i]))
            kinds |= (is_integer(number[i]) ? UINT64_C(1) : UINT64_C(2)) << 2 * i;
    add_varint(out, kinds);
    for (unsigned i = 0; i < NUMBER_KINDS; i++) {
        unsigned char ieee[8];
        uint64_t bits;

        if ((kinds >> 2 * i & 3) == 1)
            add_varint(out, (uint64_t)number[i]);
        if ((kinds >> 2 * i & 3) != 2)
            continue;
        memcpy(&bits, &number[i], sizeof bits);
        put32(ieee, (uint32_t)bits);
        put32(ieee + 4, (uint32_t)(bits >> 32));
        buf_add(out, (struct str){(const char *)ieee, sizeof ieee});
    }
}

static bool take_packed_numbers(struct reader *r, double number[NUMBER_KINDS])
{
    uint64_t kinds, value;

    if (!take_varint(r, &kinds) || kinds >> 2 * NUMBER_KINDS != 0)
        return false;
    for (unsigned i = 0; i < NUMBER_KINDS; i++) {
        switch (kinds >> 2 * i & 3) {
        case 0:
            number[i] = NAN;
            break;
        case 1:
            if (!take_varint(r, &value) || value > (uint64_t)INTEGER_HIGHEST)
                return false;
            number[i] = (double)value;
            break;
        case 2:
            if (r->end - r->at < 8)
                return false;
            value = get_packed_u32(r->at) | (uint64_t)get_packed_u32(r->at + 4) << 32;
            memcpy(&number[i], &value, sizeof value);
            r->at += 8;
            break;
        default:
            return false;
        }
    }
    return true;
}

/* Market, flag and doubts in a byte; currency 3 bytes; feed; price (0: gone, else one more);
 * last seen; how long the price had been in force then; how long before that it was first seen;
 * points; row of its history. */
static void add_packed_series(struct buf *out, const struct series_row *row)
{
    buf_char(out, (char)(row->market | (row->flags & 1) << 3 | row->doubts << 4));
    buf_add(out, (struct str){row->currency.code, 3});
    add_varint(out, row->feed);
    add_varint(out, row->price == SERIES_NONE ? 0 : (uint64_t)row->price + 1);
    add_varint(out, (uint64_t)row->seen);
    add_varint(out, (uint64_t)(row->seen - row->since));
    add_varint(out, (uint64_t)(row->since - row->first));
    add_varint(out, row->points);
    add_varint(out, (uint64_t)row->history);
}

void place_add(struct place_writer *w, const uint32_t name[NAME_KINDS],
               const double number[NUMBER_KINDS], const struct series_row *rows, size_t count)
{
    for (unsigned i = 0; i < NAME_KINDS; i++)
        add_varint(w->out, name[i]);
    add_numbers(w->out, number);
    add_varint(w->out, count);
    for (size_t i = 0; i < count; i++)
        add_packed_series(w->out, &rows[i]);
    w->offers++;
    w->series += (uint32_t)count;
}

void place_end(struct place_writer *w)
{
    if (w->out->failed != ERROR_NONE)
        return;
    put32(w->out->at + CHECKSUM, w->offers);
    put32(w->out->at + CHECKSUM + 4, w->series);
    put32(w->out->at, crc32c(0, w->out->at + CHECKSUM, w->out->len - CHECKSUM));
}

bool place_open(struct str blob, size_t names, struct place_reader *out)
{
    struct reader r;

    if (blob.len < PLACE_HEAD || !open_blob(blob, &r))
        return false;
    *out = (struct place_reader){r.at + 8, r.end, get_packed_u32(r.at),
                                 get_packed_u32(r.at + 4), names};
    /* So few bytes cannot be so many: nothing is allocated for what is not there. */
    return out->offers <= blob.len / 5 && out->series <= blob.len / 11;
}

bool place_offer(struct place_reader *p, struct offer_row *out)
{
    struct reader r = {p->at, p->end};
    uint64_t name, count;

    if (p->offers == 0)
        return false;
    *out = (struct offer_row){0};
    for (unsigned i = 0; i < NAME_KINDS; i++) {
        if (!take_varint(&r, &name) || name >= p->names)
            return false;
        out->name[i] = (uint32_t)name;
    }
    if (!take_packed_numbers(&r, out->number) || !take_varint(&r, &count) || count > p->series)
        return false;
    out->count = (uint32_t)count;
    p->offers--;
    p->at = r.at;
    return true;
}

bool place_series(struct place_reader *p, struct series_row *out)
{
    struct reader r = {p->at, p->end};
    uint64_t feed, price, seen, held, before, points, history;

    if (p->series == 0 || r.end - r.at < 4)
        return false;
    *out = (struct series_row){
        .market = *r.at & 7, .flags = *r.at >> 3 & 1, .doubts = (uint8_t)(*r.at >> 4)};
    memcpy(out->currency.code, r.at + 1, 3);
    r.at += 4;
    if (!take_varint(&r, &feed) || !take_varint(&r, &price) || !take_varint(&r, &seen) ||
        !take_varint(&r, &held) || !take_varint(&r, &before) || !take_varint(&r, &points) ||
        !take_varint(&r, &history))
        return false;
    if (out->market >= MARKET_COUNT || feed > UINT32_MAX ||
        price > (uint64_t)PRICE_HIGHEST + 1 || seen > (uint64_t)STAMP_LATEST || held > seen ||
        before > seen - held || points == 0 || points > UINT32_MAX || history > INT64_MAX ||
        (history == 0 && (points > 1 || before > 0)))
        return false;
    out->feed = (uint32_t)feed;
    out->price = price == 0 ? SERIES_NONE : (int64_t)price - 1;
    out->seen = (int64_t)seen;
    out->since = out->seen - (int64_t)held;
    out->first = out->since - (int64_t)before;
    out->points = (uint32_t)points;
    out->history = (int64_t)history;
    p->series--;
    p->at = r.at;
    return true;
}

bool place_done(const struct place_reader *r)
{
    return r->offers == 0 && r->series == 0 && r->at == r->end;
}
