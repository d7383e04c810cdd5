/* view.h - how values look in the tables of commands. */
#ifndef CLI_VIEW_H
#define CLI_VIEW_H

#include "base/table.h"
#include "cli/cli.h"
#include "render/columns.h"
#include "unit/money.h"
#include "unit/time.h"

struct price_age; /* catalog/price_age.h */

#define VIEW_WIDTH 80 /* columns of running text */

/* Words of `text`, wrapped; `column` is where the first goes, further lines start at `left`. */
void view_wrap(struct str text, size_t left, size_t column, struct buf *out);

/* As wide as the terminal, and at most VIEW_WIDTH. */
size_t view_width(const struct term *term);

/* Lines of running text, wrapped as wide as the terminal, and at most VIEW_WIDTH. */
void view_text(const struct view *view, struct str text);

/* "not used: use_galore, galore_rank (64)", after an empty line: keys of a training tool's file
 * that may change the cost and that the figures do not contain. Nothing when there are none. */
void view_not_used(const struct view *view, const struct strs *keys);

/* Print the list `name` of a result of `op` as a table: view_rows(view, &op_bills, res,
 * "bills", COLUMNS(columns)). */
void view_rows(const struct view *view, const struct op *op, const void *result,
               const char *name, const struct columns *columns);

/* "699 prices, read on 2026-08-22; the newest is 85 days old": the line below every list of
 * prices. */
void view_price_age(const struct view *view, const struct price_age *age);

/* Below a table with prices that have this mark. */
void view_outliers(const struct view *view);

/* What "~" beside an offer means. */
void view_worth_checking(const struct view *view);

/* "2026-11-15", with the time of day unless that is midnight; nothing when unknown. */
void view_moment(const struct view *view, stamp at);

/* "name            ": the start of a line of a `show` command; the rest goes to view->out. */
void view_label(const struct view *view, const char *name);

/* Commands to type next (struct config_step), each with what it does. */
void view_steps(const struct view *view, const struct rows *steps);

/* For commands whose result always goes to standard error: true. */
bool view_aside(const void *result);

#endif
