/* store_pack.h - the blobs of the price database.
 *
 * Each starts with a CRC-32C of the rest. Numbers are variable-length integers of 7 bits a
 * byte, low first, unless stated otherwise. README.md has the layouts.
 */
#ifndef MARKET_STORE_PACK_H
#define MARKET_STORE_PACK_H

#include "base/buf.h"
#include "base/map.h"
#include "market/store.h"

#define STAMP_LATEST QUOTE_LATEST
#define PRICE_HIGHEST QUOTE_HIGHEST /* what the encoding has room for */
#define TEXT_LONGEST QUOTE_TEXT_LONGEST

enum offer_text {
    TEXT_PROVIDER,
    TEXT_REGION,
    TEXT_ZONE,
    TEXT_INSTANCE,
    TEXT_ACCELERATOR,
    TEXT_COUNT,
};

enum offer_number {
    NUMBER_COUNT,
    NUMBER_GPU_MEMORY,
    NUMBER_VCPUS,
    NUMBER_MEMORY,
    NUMBER_RELIABILITY,
    NUMBER_KINDS,
};

/* The texts from the zone on are names, which a store has once each. */
#define NAME_FIRST TEXT_ZONE
#define NAME_KINDS (TEXT_COUNT - NAME_FIRST)

struct offer_row {
    uint32_t name[NAME_KINDS];
    uint32_t place;
    uint32_t first, count; /* its series */
    double number[NUMBER_KINDS];
};

struct series_row {
    int64_t price; /* SERIES_NONE when it is gone */
    int64_t since, seen, first;
    int64_t history; /* its row; 0 when its only point is `first` and it has no other days */
    uint32_t offer;
    uint32_t feed; /* in a blob the row of the feed, in an open store its index */
    uint32_t points;
    uint8_t market, doubts;
    uint8_t flags; /* enum quote_flag, of the newest quote */
    struct currency currency;
};

/* --- arrays that are used again and again --- */

struct points_room {
    const struct alloc *alloc;
    struct point *at;
    size_t len, capacity;
};

bool points_room_for(struct points_room *room, size_t more, struct error *err) MUST_USE;
void points_room_free(struct points_room *room);

struct days_room {
    const struct alloc *alloc;
    struct day_run *at;
    size_t len, capacity;
};

/* Add days to those that are there; `*more` becomes true when one of them was not. */
bool day_runs_add(struct days_room *room, struct day_run run, bool *more,
                  struct error *err) MUST_USE;
bool day_runs_cover(struct day_runs days, struct day_run run); /* all of the run */
void days_room_free(struct days_room *room);

/* Put any runs in order, and join those that touch: how many are left. */
size_t day_runs_join(struct day_run *at, size_t len);

/* --- days: how many runs; for each the days since the one before, and its length less one
 * --- */

void day_runs_pack(struct day_runs days, struct buf *out);
bool day_runs_unpack(struct str blob, struct days_room *out, bool *good,
                     struct error *err) MUST_USE;

/* --- a history: days that its points do not show, how many points, and these --- */

/* `len` points, at least one. Times rise; values are 0 to PRICE_HIGHEST or SERIES_NONE, and no
 * two neighbors are equal. */
void history_pack(const struct point *at, size_t len, struct day_runs days, struct buf *out);

/* What is in such a blob. */
struct history {
    size_t count; /* of points */
    struct str points;
};

/* Look into it, and add its days to the room, which may be NULL. `good` is false when it makes
 * no sense. Fails only for memory. The points are for points_unpack(). */
bool history_open(struct str blob, struct days_room *days, struct history *out, bool *good,
                  struct error *err) MUST_USE;

/* Points alone, without a checksum. */
void points_pack(const struct point *at, size_t len, struct buf *out);
/* False when the bytes are not exactly `count` points. `out` may be NULL to check only. */
bool points_unpack(struct str packed, size_t count, struct point *out);

/* --- names: how many; each its length and its bytes --- */

/* All keys of the map, whose numbers are what places have of them. */
void names_pack(const struct map *names, struct buf *out);
/* The number of a name, which is added when it is new: its bytes must outlive the map. */
bool name_number(struct map *names, struct str name, uint32_t *out, struct error *err) MUST_USE;
/* Copies, in the arena. */
bool names_unpack(struct str blob, struct arena *arena, struct str **out, size_t *count,
                  bool *good, struct error *err) MUST_USE;

/* --- a place: the offers of a provider in a region, with their current prices --- */

struct place_writer {
    struct buf *out;
    uint32_t offers, series;
};

void place_begin(struct place_writer *w, struct buf *out);
/* `number` are NaN where unknown. */
void place_add(struct place_writer *w, const uint32_t name[NAME_KINDS],
               const double number[NUMBER_KINDS], const struct series_row *rows, size_t count);
void place_end(struct place_writer *w);

struct place_reader {
    const unsigned char *at, *end;
    uint32_t offers, series; /* left */
    size_t names;            /* that there are */
};

/* False when the blob is damaged. */
bool place_open(struct str blob, size_t names, struct place_reader *out);
/* The next offer, but for `place` and `first`; then as many series as it has, but for `offer`.
 * False when they make no sense. */
bool place_offer(struct place_reader *r, struct offer_row *out);
bool place_series(struct place_reader *r, struct series_row *out);
/* Was that all? */
bool place_done(const struct place_reader *r);

#endif
