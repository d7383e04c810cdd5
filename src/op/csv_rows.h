/* csv_rows.h - records as a table for spreadsheets. The columns are fields whose names carry
 * the units: amounts are plain numbers. Unknown is an empty field. */
#ifndef OP_CSV_ROWS_H
#define OP_CSV_ROWS_H

#include "doc/field.h"

/* A text as spreadsheets are to have it: one that they would take for a formula (=, +, -, @, a
 * tab or CR first) gets a ' before it, since names and tags are written by anybody. Numbers
 * stay. */
void csv_rows_text(struct str text, struct buf *out);

/* One value: a text, a list of texts (joined by blanks), a number, a day, money. */
void csv_rows_value(const struct field *column, const void *row, struct buf *out);

/* A line of names, and a line for each record. */
void csv_rows_write(const struct field_set *columns, const struct rows *rows, struct buf *out);

#endif
