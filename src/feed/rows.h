/* rows.h - price lists as CSV, row by row: columns by their names, in any order. */
#ifndef FEED_ROWS_H
#define FEED_ROWS_H

#include "base/csv.h"
#include "feed/feed.h"

#define ROWS_TEXT_MAX 255 /* bytes of a name: longer ones are no names */
#define ROWS_COLUMNS_MAX 24

/* The columns of a format. */
struct rows_shape {
    const char *const *names;
    size_t count, required; /* the first `required` must be there */
    bool short_cells;       /* a cell has at most ROWS_TEXT_MAX bytes */
    bool comments;          /* lines that start with '#' are skipped */
    /* Instead of the names: where each column is, SIZE_MAX where it is absent. */
    bool (*header)(const struct csv_row *header, size_t *columns, struct error *err);
};

/* A row: `cells` are without blanks around them; that of an absent column has no address.
 * False, with the error set, ends the reading. */
typedef bool rows_each(const struct feed_reading *feed, const struct str *cells, uint64_t line,
                       void *ctx, struct error *err);

/* Read all rows. One with too few or too many cells is given to the sink as bad. */
bool rows_read(const struct feed_reading *feed, const struct rows_shape *shape, rows_each *each,
               void *ctx, struct error *err) MUST_USE;

/* A number of at least 0; an empty cell is NaN. `name` is the column's. */
bool rows_number(const char *name, struct str cell, double *out, struct error *err) MUST_USE;

/* Whose prices these are must be given: the rows do not have it. */
bool rows_provider(const struct feed_reading *feed, struct error *err) MUST_USE;

/* Does the first line of the text name all of these columns (the last is NULL)? */
bool rows_header_has(struct str head, const char *const *columns);

/* The next name of a header that is not parsed: without blanks and quotes. */
struct str rows_header_next(struct str *header);

#endif
