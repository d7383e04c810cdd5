/* store_merge.h - one series of the new file, from the old file, the quotes and a feed's
 * silence. */
#ifndef MARKET_STORE_MERGE_H
#define MARKET_STORE_MERGE_H

#include "market/store_edit.h"
#include "market/store_file.h"

struct merge {
    const struct store *old;
    const struct store_paths *paths;
    struct store *previous; /* FILE~, opened when something in the file is damaged */
    bool looked_for_previous;
    size_t restored, lost; /* damaged series that FILE~ had, and that it had not */
    struct points_room before, word, after, spare;
    struct buf encoded;
};

/* What makes a series. */
struct merge_input {
    const struct series_row *old;     /* NULL when it is new */
    const struct edit_series *quotes; /* NULL when there are none */
    int64_t gone_at;                  /* when a feed was silent about it; -1 when none was */
};

enum merge_outcome {
    MERGE_SAME,    /* no point more or less */
    MERGE_CHANGED, /* or new */
    MERGE_GONE,    /* its price ended */
};

void merge_begin(struct merge *m, const struct store *old, const struct store_paths *paths,
                 const struct alloc *alloc);
void merge_end(struct merge *m);

/* Fill in price, since, seen, first, flags, points, size, crc and DOUBT_JUMP of the row,
 * which has offer, feed, market and currency; and the points as encoded, valid until the next
 * call. */
bool merge_series(struct merge *m, const struct merge_input *in, struct series_row *row,
                  struct str *encoded, enum merge_outcome *outcome, struct error *err) MUST_USE;

#endif
