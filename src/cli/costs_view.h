/* costs_view.h - how amounts of bills look: to the cent, in their currency. */
#ifndef CLI_COSTS_VIEW_H
#define CLI_COSTS_VIEW_H

#include "cli/view.h"
#include "op/account/costs.h"

/* As money_write_cents(): "$68,321.32", "1,200.00 EUR"; "-" when there is none. */
void costs_write(const struct money *m, struct buf *out);

void costs_write_usd(usd amount, struct buf *out); /* "?" when unknown */

/* All of its digits: "12.345678901 USD". */
void costs_write_exact(const struct money *m, struct buf *out);

void costs_cell(struct table *t, const struct money *m);
void costs_usd_cell(struct table *t, usd amount); /* "?" when unknown */

void costs_change_cell(struct table *t, const struct money *m);

/* Of what may not be known, "?" then: an amount, and how it compares with another. */
void costs_known_cell(struct table *t, const struct money *m);
void costs_compared_cells(struct table *t, const struct money *before,
                          const struct money *change);

/* "12 %", "0.3 %", "+12 %"; "-" when unknown, "new" when there was nothing before. */
void costs_share_cell(struct table *t, double share);
void costs_percent_cell(struct table *t, double change);

/* The name of a value in a table; "(none)" when there is none. */
void costs_name_cell(struct table *t, struct str name);

/* Columns for the dimensions of rows, the first of the table; how many. */
size_t costs_name_columns(struct strs by, struct table_column *columns, struct arena *arena);

/* Their cells; `others`: groups that were summed up, 0 when it is one. */
void costs_name_cells(struct table *t, struct strs by, const struct str *value, int64_t others);

/* "total" in the first cell, and nothing in those after it. */
void costs_total_cells(struct table *t, size_t count);

/* "wrote 12 rows to FILE", when there is a file. */
void costs_print_csv(const struct view *view, struct str csv, size_t rows);

/* What an answer is made of and what is not in it, in lines below the table. */
void costs_print_basis(const struct view *view, const struct costs_basis *basis);

/* "before: 2026-09-17 to 2026-10-13, as many days", and why days are left out. */
void costs_print_compared(const struct view *view, const struct costs_compared *before);

/* "not in it: credits of -$10.00 and -3.00 EUR", when there are any. */
void costs_print_apart(const struct view *view, const char *what, const struct rows *apart);

/* "nothing was spent": what there is when a table is empty. */
void costs_print_nothing(const struct view *view, const struct costs_basis *basis);

#endif
