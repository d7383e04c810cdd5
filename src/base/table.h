/* table.h - rows of cells, lined up.
 *
 * On a terminal the table is made to fit: columns that may go are left out, last first, then
 * columns that may shrink are cut with "~". Elsewhere nothing is cut.
 *
 *     static const struct table_column columns[] = {{"gpu"}, {"price", .right = true}};
 *     struct table t = table_new(columns, 2, arena);
 *     table_cell(&t, "%s", name);   ... one call for each cell, row by row
 *     table_write(&t, &term, &out);
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/term.h"

#define TABLE_MAX_COLUMNS 64

struct table_column {
    const char *title;
    bool right;            /* aligned to the right, as numbers are */
    bool optional;         /* may be left out when the terminal is too narrow */
    bool shrink;           /* may be cut when it still is */
    bool hidden;           /* not shown at all: its cells are given all the same */
    enum term_style style; /* of its cells below the title; plain: that of the row */
};

struct table {
    const struct table_column *columns;
    size_t column_count;
    struct arena *arena;
    struct table_row *first, *last;
    size_t next; /* the column of the next cell */
    bool failed; /* memory ran out: table_write() writes nothing and the buffer fails */
};

/* At most TABLE_MAX_COLUMNS columns. */
struct table table_new(const struct table_column *columns, size_t count, struct arena *arena);

/* The next cell; after the last of a row, the first of the next. Control bytes become '?'. */
void table_cell(struct table *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void table_text(struct table *t, struct str text);

/* The style of the row that the last cell belongs to. */
void table_style(struct table *t, enum term_style style);

/* Will table_write() show this column on that terminal? For notes about it below. */
bool table_shows(const struct table *t, const struct term *term, size_t column);

void table_write(const struct table *t, const struct term *term, struct buf *out);

#endif
