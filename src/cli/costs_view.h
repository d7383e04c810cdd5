/* costs_view.h - how amounts of bills look: to the cent, in their currency. */
#ifndef CLI_COSTS_VIEW_H
#define CLI_COSTS_VIEW_H

#include "cli/view.h"
#include "op/costs.h"

/* "$12.34", "-$3.10", "12.34 EUR", "<$0.01"; "-" when unknown. */
void costs_write(const struct money *m, struct buf *out);

/* All of its digits: "12.345678901 USD". */
void costs_write_exact(const struct money *m, struct buf *out);

void costs_cell(struct table *t, const struct money *m);
void costs_change_cell(struct table *t, const struct money *m);

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

/* "nothing was spent": what there is when a table is empty. */
void costs_print_nothing(const struct view *view, const struct costs_basis *basis);

#endif
