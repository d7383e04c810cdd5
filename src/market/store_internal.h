/* store_internal.h - what the files of the price store share. */
#ifndef MARKET_STORE_INTERNAL_H
#define MARKET_STORE_INTERNAL_H

#include "market/store.h"
#include "market/store_format.h"

#define STAMP_LATEST QUOTE_LATEST
#define PRICE_HIGHEST QUOTE_HIGHEST /* what the encoding has room for */

struct store {
    const struct alloc *alloc;
    const unsigned char *base; /* NULL when the store is empty */
    size_t size;
    bool mapped;
    struct {
        const unsigned char *at;
        size_t size;
    } section[SECTION_COUNT];
    size_t feeds, reads, offers, series;
    char name[]; /* what errors call it */
};

/* --- store.c --- */

enum store_state {
    STORE_GOOD,
    STORE_ABSENT,
    STORE_DAMAGED, /* the error says how */
    STORE_REFUSED, /* the error says why: it is newer than we are, or the system refused */
};

enum store_state store_load(const char *path, const struct alloc *alloc, struct store **out,
                            struct error *err);
struct store *store_empty(const char *name, const struct alloc *alloc, struct error *err);

struct str store_text(const struct store *store, uint32_t ref);
struct read_row store_read_row(const struct store *store, size_t i);
struct offer_row store_offer_row(const struct store *store, size_t i);
struct series_row store_series_row(const struct store *store, size_t i);
struct str store_encoded(const struct store *store, const struct series_row *row);

/* --- store_points.c --- */

/* An array of points that is used again and again. */
struct points_room {
    const struct alloc *alloc;
    struct point *at;
    size_t len, capacity;
};

bool points_room_for(struct points_room *room, size_t more, struct error *err) MUST_USE;
void points_room_free(struct points_room *room);

/* `len` points, at least one, as bytes. Times rise; values are 0 to PRICE_HIGHEST or
 * SERIES_NONE, and no two neighbours are equal. */
void points_encode(const struct point *at, size_t len, struct buf *out);

/* False when the bytes are not exactly `count` points. `out` may be NULL to check only. */
bool points_decode(struct str encoded, size_t count, struct point *out);

/* Are the points of a series what was written? By the checksum: nothing is decoded. */
bool series_intact(const struct store *store, const struct series_row *row);

/* The points of a series, added to the room; nothing is added when they make no sense, and then
 * `good` is false. Fails only for memory. */
bool series_decode(const struct store *store, const struct series_row *row,
                   struct points_room *room, bool *good, struct error *err) MUST_USE;

/* --- store_doubts.c --- */

/* Set the doubts of an offer's series. `jump` of each stands in its row already, as
 * DOUBT_JUMP. */
void doubts_set(struct series_row *rows, size_t count, double accelerators);

/* DOUBT_JUMP, or 0: the newest point against the one before. */
uint8_t doubts_jump(const struct point *at, size_t len);

#endif
