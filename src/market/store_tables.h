/* store_tables.h - the feeds of the new file, and when each was read whole. */
#ifndef MARKET_STORE_TABLES_H
#define MARKET_STORE_TABLES_H

#include "market/store_edit.h"
#include "market/store_file.h"

struct new_feed {
    struct str feed, provider, from;
    enum confidence confidence;
    enum feed_scope scope;
    int64_t read, imported;
};

/* When silence about a feed's market in a region (in all of them when it is empty) began to
 * mean that there is none: by the old file and by this edit; -1 for never. */
struct new_read {
    uint32_t feed;
    struct str region;
    uint32_t market;
    int64_t past, fresh;
};

struct new_tables {
    struct new_feed *feeds; /* by name and provider */
    size_t feed_count;
    uint32_t *feed_of;      /* from the old file's index */
    struct new_read *reads; /* by feed, region, market */
    size_t read_count;
};

/* All in the edit's arena. `offers` of the edit are sorted. Sets edit_feed.index. */
bool tables_join(const struct store *old, struct store_edit *edit, stamp now,
                 struct new_tables *out, struct error *err) MUST_USE;

bool tables_write(const struct new_tables *tables, struct store_writer *w,
                  struct error *err) MUST_USE;

/* The newest complete reading that would have named such a series, before this edit or in it;
 * -1 when there is none. */
int64_t tables_silence(const struct new_tables *tables, uint32_t feed, struct str region,
                       unsigned market, bool fresh);

#endif
