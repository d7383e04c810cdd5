/* store.h - the price store: what every offer cost, since when, by whose word.
 *
 * One file, memory-mapped: opening it reads its tables, however long the history. Checksums
 * stand in it for the tables and for each series' points, so that a damaged place is noticed
 * when it is read and the rest stays good. It is replaced whole or not at all; the one before
 * stays beside it as FILE~, from which a damaged one is mended.
 *
 * Offers are sorted by provider, region, zone, instance; an offer's series by market, feed,
 * currency.
 */
#ifndef MARKET_STORE_H
#define MARKET_STORE_H

#include "feed/feed.h"
#include "series/series.h"

/* What is wrong with a price, as bits. */
enum price_doubt {
    DOUBT_FLOOR = 1,     /* where an auction starts, or too low to be a price */
    DOUBT_JUMP = 2,      /* ten times up or down at once */
    DOUBT_SPOT_DEAR = 4, /* spot above on-demand */
    DOUBT_HIGH = 8,      /* no accelerator costs that much */
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
    char currency[4];
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
    enum feed_scope scope; /* the largest that store_edit_complete() was told */
    stamp read;            /* the date of the newest quotes */
    stamp imported;        /* when that was */
};

/* That a feed was read whole: of a region, or of all that it has. */
struct store_read {
    size_t feed;
    struct str region; /* empty: all */
    enum market market;
    stamp at;
};

struct store;

/* Open it. An absent file is an empty store. A damaged one is mended first, from what is good
 * in it and from the one before; `mended` then says so in a line (it is left empty otherwise,
 * and may be NULL when nobody listens). Never fails for damage: at worst the store is empty.
 * Fails when the file is of a newer version, or when the system or memory fails. */
struct store *store_open(const char *path, const struct alloc *alloc, struct buf *mended,
                         struct error *err) MUST_USE;
void store_close(struct store *store); /* NULL is fine */

/* A store's file that is in memory, which must outlive it. NULL with the error set when it is
 * damaged or of another version. `name` is for errors. */
struct store *store_of(struct str image, const char *name, const struct alloc *alloc,
                       struct error *err) MUST_USE;

/* Put right what store_points() or store_verify() found damaged: from the generation before, as
 * far as it goes; the newest price of each series stays in any case. `mended` as in
 * store_open(). */
bool store_mend(const char *path, const struct alloc *alloc, struct buf *mended,
                struct error *err) MUST_USE;

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

/* The first offer not before this key; offers of a provider, and of its regions, stand
 * together. */
size_t store_offer_find(const struct store *store, struct str provider, struct str region);

/* All change points of a series. False with the error set when they are damaged or memory runs
 * out. */
bool store_points(const struct store *store, size_t series, struct arena *arena,
                  struct points *out, struct error *err) MUST_USE;

/* Read everything and compare checksums: how many series are damaged. */
size_t store_verify(const struct store *store);

/* --- Writing: quotes are collected, then put into the store at once. --- */

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

/* The feed was read to its end at `at`, and tells by silence what `scope` says: series of the
 * same feed and provider (and region) that no quote confirmed are gone since then, unless they
 * were seen since. Only in markets that some quote of the feed spoke of (in that region); and a
 * machine that a quote named keeps what that quote left unsaid. Providers and regions are those
 * of the quotes: a feed without any says nothing. The silence is remembered: a machine that
 * only an older list names, read later, is gone since then too. Of a log, what was said last of
 * each series was so until `at`. Quotes since the last store_edit_feed() are meant. */
bool store_edit_complete(struct store_edit *edit, enum feed_scope scope, stamp at,
                         struct error *err) MUST_USE;

struct store_change {
    size_t quotes; /* that were given */
    size_t offers; /* that they are of; of these new: */
    size_t new_offers;
    size_t changed;   /* series with a new price or a new point in the past; new ones too */
    size_t unchanged; /* series that were confirmed */
    size_t gone;      /* series whose price ended, by a feed's word or by its silence */
    size_t doubtful;  /* of the series quoted: their newest price is doubted */
    size_t restored;  /* series that were damaged and were had from the generation before */
    size_t lost;      /* series that were damaged: only their newest price is left */
};

/* Merge it into the file, which other processes are kept from writing meanwhile; all or
 * nothing. `now` becomes the feeds' `imported`. What is damaged is mended on the way
 * (`restored`, `lost`); of damaged tables only store_open() says anything, so open it before.
 * The edit is still the caller's, and can be committed again. */
bool store_commit(struct store_edit *edit, const char *path, stamp now,
                  struct store_change *change, struct error *err) MUST_USE;

#endif
