/* csv.h - comma-separated values, streamed.
 *
 * Reads RFC 4180 and what is common instead: quoted commas and newlines, doubled quotes,
 * CRLF, a byte-order mark, a missing last newline, blank lines (skipped), any column order,
 * quotes inside an unquoted field (which mean themselves). Memory is bounded by the
 * longest row allowed, whatever the size of the input.
 *
 *     struct csv_options options = {.alloc = alloc};
 *     struct csv *csv = csv_open_text(text, &options, err);
 *     while (csv_next(csv, &row, err)) ... row.fields[i] ...
 *     failed = csv_failed(csv);
 *     csv_close(csv);
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/source.h"
#include "base/str.h"

#define CSV_MAX_ROW ((size_t)1 << 20) /* the default limits */
#define CSV_MAX_FIELDS ((size_t)4096)

struct csv_options {
    const struct alloc *alloc;
    size_t max_row;    /* bytes; 0 means CSV_MAX_ROW; never more than 1 GiB */
    size_t max_fields; /* 0 means CSV_MAX_FIELDS */
    bool comments;     /* lines that start with '#' are skipped */
    bool scalar;       /* never use the vector path: for tests and comparison */
};

struct csv_row {
    const struct str *fields; /* unquoted; valid until the next call */
    size_t count;
    uint64_t line; /* on which the row starts, from 1 */
};

struct csv;

/* Read from a source, or from text in memory (which is never copied and must outlive
 * the reader). NULL with the error set when memory runs out. */
struct csv *csv_open(struct source source, const struct csv_options *options,
                     struct error *err) MUST_USE;
struct csv *csv_open_text(struct str text, const struct csv_options *options,
                          struct error *err) MUST_USE;
void csv_close(struct csv *csv); /* NULL is fine */

/* The next row; false at the end, and after a failure (csv_failed() distinguishes them). Errors
 * name the line: "line 12: a quoted field is never closed". */
bool csv_next(struct csv *csv, struct csv_row *row, struct error *err) MUST_USE;
bool csv_failed(const struct csv *csv);

/* A field without blanks around it; empty where the row is shorter. */
struct str csv_cell(const struct csv_row *row, size_t at);

/* Write one field: quoted where it must be. */
void csv_write_field(struct str text, struct buf *out);

/* A column by its name (ASCII case and surrounding blanks ignored), or by the first of several
 * (the last is NULL) that is there; SIZE_MAX when absent. */
size_t csv_column(const struct csv_row *header, struct str name);
size_t csv_column_of(const struct csv_row *header, const char *const *names);

#endif
