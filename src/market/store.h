/* store.h - the price store: what every offer cost, since when, and by which feed.
 *
 * A SQLite database. Opening it reads all current prices into memory; histories stay in the
 * database and are read when asked for. Every blob has a checksum, so that a damaged price is
 * an error, not a price.
 *
 * Offers are sorted by provider, region, zone, instance; an offer's series by market, feed,
 * currency.
 */
#ifndef MARKET_STORE_H
#define MARKET_STORE_H

#include "base/message.h"
#include "doc/field.h"
#include "feed/feed.h"
#include "series/observed.h"
#include "unit/time.h"

/* Why a price is doubtful, as bits. */
enum price_doubt {
    DOUBT_FLOOR = 1,     /* where an auction starts, or too low to be a price */
    DOUBT_JUMP = 2,      /* ten times up or down at once */
    DOUBT_SPOT_DEAR = 4, /* spot above on-demand */
    DOUBT_HIGH = 8,      /* no accelerator costs that much */
    DOUBT_PEERS = 16,    /* far below its peers, seen on one day only: never stored (trust.h) */
};

struct store_offer {
    struct str provider, region, zone, instance, accelerator;
    double count, gpu_memory_gib, vcpus, memory_gib, reliability;
    size_t first_series, series_count;
};

struct store_series {
    size_t offer;
    enum market market;
    size_t feed; /* index of its feed */
    struct currency currency;
    unsigned doubts;   /* of the current price: enum price_doubt */
    int64_t price;     /* the current one, billionths; PRICE_NONE when it is gone */
    stamp since, seen; /* since when it is that, and when that was last confirmed */
    stamp first;       /* the oldest point */
    size_t points;     /* how many change points */
};

/* Where prices came from. One for each feed and provider. */
struct store_feed {
    struct str feed;     /* "skypilot" */
    struct str provider; /* "aws" */
    struct str from;     /* the file or address last read */
    enum confidence confidence;
    enum feed_scope scope; /* the largest given to store_edit_complete() */
    stamp read;            /* the date of the newest quotes */
    stamp imported;        /* when that was */
};

/* The last time that a feed was read completely: for a region, or for everything it has. */
struct store_read {
    size_t feed;
    struct str region; /* empty: all */
    enum market market;
    stamp at;
};

struct store;

/* Open it. An absent file is an empty store. A damaged one is an empty store, too, with a
 * warning and what to type: prices are a cache, and no command fails for want of them. Fails
 * when the file is of a newer version or of another program, or when the system or memory
 * fails. What others write after this is not seen. */
struct store *store_open(const char *path, const struct alloc *alloc,
                         const struct messages *messages, struct error *err) MUST_USE;
void store_close(struct store *store); /* NULL is fine */

/* Is it empty because the file is damaged? */
bool store_is_damaged(const struct store *store);

/* What to type when it is damaged. */
#define STORE_DAMAGED_HINT \
    "delete it and run 'stint price fetch --all', or import your files again"

size_t store_offer_count(const struct store *store);
size_t store_series_count(const struct store *store);
size_t store_feed_count(const struct store *store);
size_t store_read_count(const struct store *store);

/* Texts live as long as the store. */
struct store_offer store_offer(const struct store *store, size_t i);
struct store_series store_series(const struct store *store, size_t i);
struct store_feed store_feed(const struct store *store, size_t i);
struct store_read store_read(const struct store *store, size_t i);
enum confidence store_confidence(const struct store *store, size_t feed);

/* The first offer that does not come before this key. */
size_t store_offer_find(const struct store *store, struct str provider, struct str region);

/* For who reads many histories: keep the database as it is from here to there, which takes one
 * lock, not thousands. Others who write wait meanwhile: not for long, please. */
void store_hold(const struct store *store);
void store_release(const struct store *store);

/* What a series cost when, with days without data as SERIES_UNKNOWN (series/observed.h): for
 * all that is computed from prices over time. False with the error set when they are damaged or
 * memory runs out. */
bool store_points(const struct store *store, size_t series, struct arena *arena,
                  struct points *out, struct error *err) MUST_USE;

/* The change points alone, as they are stored: the price in force at a moment is the last one
 * that anybody saw. */
bool store_statements(const struct store *store, size_t series, struct arena *arena,
                      struct points *out, struct error *err) MUST_USE;

/* The days on which the feed of a series is known to have reported on it: it quoted a price, or
 * a complete list left the machine out, or a log of changes covered the day. On all other days
 * nothing was observed, whatever held then by store_statements(). */
bool store_observed(const struct store *store, size_t series, struct arena *arena,
                    struct day_runs *out, struct error *err) MUST_USE;

/* --- Writing: quotes are collected, then stored in one transaction. --- */

struct store_edit;

struct store_edit *store_edit_new(const struct alloc *alloc, struct error *err) MUST_USE;
void store_edit_free(struct store_edit *edit); /* NULL is fine */

/* The quotes that follow are from this feed (the provider of each is its own; `from` as in
 * struct store_feed, without secrets). */
bool store_edit_feed(struct store_edit *edit, const struct feed_format *format, struct str feed,
                     struct str from, struct error *err) MUST_USE;

/* Any order, any number of times; of two quotes for one series and moment the later call wins.
 * A quote that repeats the price in force adds no point and moves `seen`; an older one goes
 * where it belongs, and the newest price stays what it was. Of the machine itself, the newest
 * quote's known facts win. What makes no sense (no name, a date before 1970, a negative price)
 * is ERROR_INPUT. */
bool store_edit_quote(struct store_edit *edit, const struct quote *quote,
                      struct error *err) MUST_USE;

/* The feed was read to its end at `at`, and `scope` is what it means when a machine is
 * missing: series of the same feed and provider (and region) that no quote confirmed are gone
 * since then, unless they were seen later. This holds only in markets that some quote of the
 * feed has a price for (in that region); and a machine that a quote named keeps the prices that
 * the quote leaves out. Providers and regions are those of the quotes. The reading is
 * remembered: a machine that only an older list names, imported later, is gone since then too.
 * In a log, the last price of each series held until `at`. This is about the quotes since the
 * last store_edit_feed(). */
bool store_edit_complete(struct store_edit *edit, enum feed_scope scope, stamp at,
                         struct error *err) MUST_USE;

struct store_change {
    int64_t quotes; /* in the edit */
    int64_t offers; /* that they are of; of these new: */
    int64_t new_offers;
    int64_t changed;   /* series with a new price or a new point in the past; new ones too */
    int64_t unchanged; /* series that were confirmed */
    int64_t gone;      /* series that ended: quoted so, or missing from a complete list */
    int64_t doubtful;  /* of the series quoted: their newest price is doubtful */
};

extern const struct field_set store_change_fields;

void store_change_add(const struct store_change *from, struct store_change *to);

/* Merge it into the database, all or nothing; others who write wait meanwhile, and so do we.
 * `now` becomes the feeds' `imported`. A damaged database is an error, and stays as it is. The
 * edit is still the caller's, and can be committed again. */
bool store_commit(struct store_edit *edit, const char *path, stamp now,
                  struct store_change *change, struct error *err) MUST_USE;

/* A store in memory alone, with what the edit has: for prices that are not kept. */
struct store *store_of_edit(struct store_edit *edit, stamp now, const struct alloc *alloc,
                            struct error *err) MUST_USE;

#endif
