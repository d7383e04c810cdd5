/* import.h - price lists from files into the price store: all of them, or none.
 *
 *     struct import *import = import_begin(&view, &query, err);
 *     for each file: import_list(import, format, &file, err);
 *     import_commit(import, path, &change, err);
 *     import_end(import, ok, err);
 */
#ifndef MARKET_IMPORT_H
#define MARKET_IMPORT_H

#include "market/offers.h"
#include "market/price_pack.h"
#include "market/store.h"

struct import_query {
    struct str provider; /* whose prices; empty: as the format or the path has it */
    struct str feed;     /* under which they are stored; empty: the format's */
    day date;            /* of prices without one; unknown: as the path or the file has it */
    bool skip_bad;       /* leave out rows that cannot be read */
    stamp now;
};

struct price_file {
    const char *name;
    stamp modified;
    struct source source;
};

/* What was read from one file. */
struct imported_file {
    struct str file, format, feed, provider;
    int64_t rows, quotes, ignored, bad;
    day date; /* of its prices: the newest */
};

extern const struct field_set imported_file_fields;

struct import;

/* Needs TABLE_OFFERS and TABLE_PROVIDERS. NULL with the error set when memory runs out. */
struct import *import_begin(const struct market_view *view, const struct import_query *query,
                            struct error *err) MUST_USE;

/* Read a file; nothing is stored yet. */
bool import_list(struct import *import, const struct feed_format *format,
                 const struct price_file *file, struct error *err) MUST_USE;

/* Read a price pack, whose text is complete, if it is one to trust. */
bool import_pack(struct import *import, struct str text, const struct price_file *file,
                 const struct price_pack_trust *trust, struct error *err) MUST_USE;

/* Store what was read. */
bool import_commit(struct import *import, const char *path, struct store_change *change,
                   struct error *err) MUST_USE;

/* Free it, and warn of what may not be what was meant. `ok` is false when something failed,
 * with the error set. */
void import_end(struct import *import, bool ok, struct error *err);

/* The files so far: struct imported_file, in the view's arena. */
struct rows import_files(const struct import *import);

/* Whose prices a path names: ".../aws/vms.csv", "aws_history.csv.xz"; empty when it does
 * not. */
struct str import_provider(const struct catalog *catalog, struct str path);

/* The date in a path: "gpu_offers_2026-08-22.csv"; false when there is none. */
bool import_date(struct str path, stamp *out) MUST_USE;

#endif
