/* store_edit.h - quotes collected for the store, in memory: 16 bytes a price. */
#ifndef MARKET_STORE_EDIT_H
#define MARKET_STORE_EDIT_H

#include "base/map.h"
#include "market/store_internal.h"

/* A feed and provider that this edit has quotes of. */
struct edit_feed {
    struct str feed, provider, from;
    enum confidence confidence;
    enum feed_scope scope; /* of its readings: SCOPE_ROWS for one page of several */
    int64_t newest;        /* of its quotes */
    bool log;      /* its format is one: quotes are changes, and days between are known */
    bool complete; /* read to its end at `complete_at`: what is not named is gone */
    enum feed_scope complete_scope;
    int64_t complete_at;
    unsigned round;           /* of store_edit_feed(): its quotes came since then */
    struct day_set *log_days; /* of a log: the days with a quote in this round */
    struct day_runs covered;  /* of a log that was read to its end: the days it reports on */
    int64_t row;              /* in the database; set by the commit */
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

/* Days on which quotes came, the newest run first. */
struct edit_days {
    struct edit_days *next;
    struct day_run run;
};

/* The market of a series that only records that a quote of this feed named the machine. */
#define SERIES_NO_MARKET MARKET_COUNT

struct edit_series {
    struct edit_series *next;
    struct edit_feed *feed;
    uint8_t market; /* enum market or SERIES_NO_MARKET */
    struct currency currency;
    unsigned round;     /* of store_edit_feed(), in which it was last quoted */
    int32_t round_from; /* the first day quoted in that round */
    struct edit_days *days;
    size_t count;
    size_t run; /* of equal values at the end, each not before the last */
    struct edit_chunk *first, *last;
};

struct edit_offer {
    struct str text[TEXT_COUNT];
    double number[NUMBER_KINDS];
    int64_t newest; /* of its quotes */
    struct edit_series *series;
};

struct store_edit {
    const struct alloc *alloc;
    struct arena arena;
    struct map offers; /* struct edit_offer, by provider, region, zone and instance */
    struct buf key;    /* of the offer at hand */
    struct edit_feed **feeds;
    size_t feed_count, feed_room;
    struct edit_feed now; /* the feed whose quotes come, with its round */
    struct edit_feed *last;
    size_t quotes;
};

/* By provider, region, zone, instance. */
int offer_order(const struct str a[TEXT_COUNT], const struct str b[TEXT_COUNT]);

/* The offers in this order, in the edit's arena: `edit->offers.count` of them. */
struct edit_offer **edit_sorted(struct store_edit *edit, struct error *err) MUST_USE;

#endif
