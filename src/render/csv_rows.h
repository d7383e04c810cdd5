/* csv_rows.h - records as a table for spreadsheets. The columns are fields whose names carry
 * the units: amounts are plain numbers. Unknown is an empty field. */
#ifndef RENDER_CSV_ROWS_H
#define RENDER_CSV_ROWS_H

#include "doc/field.h"

/* A text that a spreadsheet would take for a formula (=, +, -, @, a tab or CR first) gets a
 * ' before it, since anyone may have written a name or a tag. Numbers stay. Bytes
 * that are no UTF-8 become "?"; all else is exact, control characters too. */
void csv_rows_text(struct str text, struct buf *out);

/* One value: texts are joined by blanks, money and spans (in seconds) are plain numbers, times
 * as in JSON, flags yes or no. */
void csv_rows_value(const struct field *column, const void *row, struct buf *out);

/* A line of names, and a line for each record. */
void csv_rows_write(const struct field_set *columns, const struct rows *rows, struct buf *out);

#endif
