/* book.h - the catalog's offers as a price store in memory: what single zones cost, while
 * nothing has been fetched or imported. */
#ifndef MARKET_BOOK_H
#define MARKET_BOOK_H

#include "base/buf.h"
#include "catalog/catalog.h"

struct store; /* market/store.h */
struct store_feed;

/* All rows of TABLE_OFFERS but those that TABLE_RETIRED has, at their dates and at list prices:
 * the feed is "built-in", or "catalog" for the user's own rows, and its source that of the
 * newest row. NULL with the error set. */
struct store *market_book(const struct catalog *catalog, stamp now, const struct alloc *alloc,
                          struct error *err) MUST_USE;

/* Is it the feed of the user's own rows? */
bool book_has_own(const struct store_feed *feed);

/* How old the built-in prices are: the day that most of the current ones are from. */
struct book_dates {
    day newest, usual; /* DAY_UNKNOWN without any */
    size_t of_usual, total;
};

/* Of TABLE_OFFERS, without the user's own rows. */
bool market_book_dates(const struct catalog *catalog, struct arena *arena,
                       struct book_dates *out, struct error *err) MUST_USE;

/* "644 of 689 from 2026-08-22 (85 days old), the newest from 2026-11-09". */
void book_dates_write(const struct book_dates *dates, day today, struct buf *out);

#endif
