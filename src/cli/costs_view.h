/* costs_view.h - how amounts of bills look: to the cent, in their currency. */
#ifndef CLI_COSTS_VIEW_H
#define CLI_COSTS_VIEW_H

#include "cli/view.h"
#include "op/account/costs.h"

/* As money_write_cents(): "$68,321.32", "1,200.00 EUR"; "-" when there is none. */
void costs_write(const struct money *m, struct buf *out);

/* "wrote 12 rows to FILE", when there is a file. */
void costs_print_csv(const struct view *view, struct str csv, size_t rows);

/* What an answer is made of and what is not in it, in lines below the table. */
void costs_print_basis(const struct view *view, const struct costs_basis *basis);

/* "not included: credits of -$10.00 and -3.00 EUR", when there are any. */
void costs_print_apart(const struct view *view, const char *what, const struct rows *apart);

/* "nothing was spent": what there is when a table is empty. */
void costs_print_nothing(const struct view *view, const struct costs_basis *basis);

#endif
