/* records.h - rows of a CSV as records: the first line names fields of a set, in any order and
 * case, by their names or their other names.
 *
 * Values are read in the plain form. An empty one is unknown, or refused where its field is
 * required. Texts are those of the file where it has them as they are, or copies.
 */
#ifndef DOC_RECORDS_H
#define DOC_RECORDS_H

#include "base/csv.h"
#include "doc/field.h"

#define RECORDS_COLUMNS_MAX 64

struct records_shape {
    const struct field_set *set;
    const char *hint; /* what the first line is like, for those who got it wrong */
    bool others;      /* columns that are no fields are allowed, and ignored */
    bool ragged;      /* rows need not have as many cells as the first line */
};

/* Which field each column is; NULL: none. */
struct records_columns {
    const struct field *at[RECORDS_COLUMNS_MAX];
    size_t count;
};

/* The field that a column of this name is; NULL: none. */
const struct field *records_field(const struct field_set *set, struct str name);

/* The columns of the first line: none twice, and every required field. */
bool records_header(const struct records_shape *shape, const struct csv_row *header,
                    struct records_columns *out, struct error *err) MUST_USE;

/* One row of the file `text`. */
bool records_row(const struct records_shape *shape, const struct records_columns *columns,
                 const struct csv_row *row, struct str text, void *record, struct arena *arena,
                 struct error *err) MUST_USE;

/* A record, which is gone afterwards, and the row that it was read from. */
typedef bool records_each(void *ctx, const void *record, const struct csv_row *row,
                          struct error *err);

/* All rows of a file, without lines that start with '#'. Errors, those of `each` too, name the
 * file and the line. */
bool records_read(struct str text, const char *name, const struct records_shape *shape,
                  records_each *each, void *ctx, struct arena *arena,
                  struct error *err) MUST_USE;

#endif
