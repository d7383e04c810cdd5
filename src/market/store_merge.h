/* store_merge.h - one series: stored points, new quotes and a missing entry into new points. */
#ifndef MARKET_STORE_MERGE_H
#define MARKET_STORE_MERGE_H

#include "market/store_edit.h"

struct merge {
    const struct store *old;
    struct points_room before, quoted, after, spare;
    struct days_room days;
    struct buf history; /* of the series merged last, when it must be written */
};

/* What makes a series. */
struct merge_input {
    size_t old;                       /* the series in the store; SIZE_MAX when it is new */
    const struct edit_series *quotes; /* NULL when there are none */
    int64_t gone_at;                  /* when a list left it out; -1 when none did */
    struct day_runs read[2];          /* days on which lists that would name it were read */
};

enum merge_outcome {
    MERGE_SAME,    /* the points are as they were */
    MERGE_CHANGED, /* or new */
    MERGE_GONE,    /* its price ended */
};

void merge_begin(struct merge *m, const struct store *old, const struct alloc *alloc);
void merge_end(struct merge *m);

/* Fill in price, since, seen, first, flags, points, history and DOUBT_JUMP of the row. When
 * `*write`, m->history is what its history is now. */
bool merge_series(struct merge *m, const struct merge_input *in, struct series_row *row,
                  enum merge_outcome *outcome, bool *write, struct error *err) MUST_USE;

/* Set the doubts of an offer's series, whose rows were merged. */
void doubts_set(struct series_row *rows, size_t count, double accelerators);

#endif
