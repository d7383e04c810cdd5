/* store_edit.h - quotes on their way into the store. */
#ifndef MARKET_STORE_EDIT_H
#define MARKET_STORE_EDIT_H

#include "market/store_internal.h"

/* A feed and provider that this edit has quotes of. */
struct edit_feed {
    struct str feed, provider, from;
    enum confidence confidence;
    enum feed_scope scope; /* as its readings came out: of one page of several, SCOPE_ROWS */
    int64_t newest;        /* of its quotes */
    bool complete;         /* read to its end at `complete_at`: what is not named is gone */
    enum feed_scope complete_scope;
    int64_t complete_at;
    unsigned round; /* of store_edit_feed(): its quotes came since then */
    uint32_t index; /* in the new file */
};

/* A price and when it was so, with the quote's QUOTE_FLOOR in the lowest bit of the time. */
struct pending {
    int64_t when, value;
};

static inline int64_t pending_at(struct pending p)
{
    return p.when >> 1;
}

struct edit_chunk {
    struct edit_chunk *next;
    uint32_t used, room;
    struct pending at[];
};

/* That a quote of this feed named the machine, whichever markets it spoke of. */
#define MARKET_ANY MARKET_COUNT

struct edit_series {
    struct edit_series *next;
    struct edit_feed *feed;
    uint8_t market; /* enum market or MARKET_ANY */
    char currency[4];
    unsigned round; /* of store_edit_feed(), in which it was last spoken of */
    size_t count;
    size_t run; /* of equal values at the end, each not before the last */
    struct edit_chunk *first, *last;
};

struct edit_offer {
    struct str text[TEXT_COUNT];
    double number[NUMBER_KINDS];
    uint64_t hash;
    int64_t newest; /* of its quotes */
    struct edit_series *series;
};

struct store_edit {
    const struct alloc *alloc;
    struct arena arena;
    struct edit_offer **offers;
    size_t count, capacity;
    uint32_t *slots; /* of a hash table: index of an offer + 1; 0 is free */
    size_t slot_count;
    struct edit_feed **feeds;
    size_t feed_count, feed_capacity;
    struct edit_feed now; /* the feed whose quotes come, with its round */
    struct edit_feed *last;
    size_t quotes;
};

/* --- store_index.c --- */

/* By provider, region, zone, instance. */
int offer_order(const struct str a[TEXT_COUNT], const struct str b[TEXT_COUNT]);

/* Twice the room. */
bool grow_array(const struct alloc *alloc, void **array, size_t *capacity, size_t element,
                struct error *err) MUST_USE;

/* A copy in the edit's arena. */
bool edit_keep(struct store_edit *edit, struct str text, struct str *out,
               struct error *err) MUST_USE;

/* The offer of these texts (no accelerator), made when it is not there. */
struct edit_offer *edit_offer_of(struct store_edit *edit, const struct str text[TEXT_COUNT],
                                 struct error *err) MUST_USE;

/* Put the offers in order. */
void edit_sort(struct store_edit *edit);

#endif
