/* view.h - what views have in common: asking operations, and texts of values. */
#ifndef SERVE_VIEW_H
#define SERVE_VIEW_H

#include "op/op.h"
#include "op/runs/runs.h"
#include "serve/page.h"
#include "unit/money.h"
#include "unit/time.h"

/* The request of an operation with all defaults. */
bool view_request(struct visit *v, const struct op *op, void *request,
                  struct error *err) MUST_USE;

/* Likewise, with the parameters of these names, where they are given: spelled as on the command
 * line. The list ends with NULL; other parameters are not for the operation. */
bool view_read(struct visit *v, const struct op *op, const char *const *names, void *request,
               struct error *err) MUST_USE;

/* Do what a form asks for, then lead to `path`, whose page says that it was done
 * (page_done). */
bool view_do(struct visit *v, const struct op *op, const char *const *names, const char *path,
             struct error *err) MUST_USE;

/* A question that a page can do without: its result is NULL, and the reason a remark on the
 * page, when it fails. */
const void *view_try(struct visit *v, const struct op *op, const void *request);

/* Why a form was refused, above or below it, with what to type instead: what was entered stays
 * in it. True when it is the fault of what was entered; other failures are the caller's to
 * report. */
bool view_refused(struct visit *v, struct error *err);

/* Why a part of the page is missing. */
void view_problem(struct visit *v, const struct error *err);

/* How many rows of a list to ask for: the page shows `most`, its file has all (0). */
int64_t view_most(const struct visit *v, int64_t most);

/* A list of one text. */
struct strs view_one(struct visit *v, struct str text);

/* "2026-11" */
struct str view_month(struct visit *v);

/* Values as texts: to the cent, "$68,321.32"; of an estimate, "$1,240"; empty when unknown. */
struct str page_money(struct visit *v, const struct money *m);
struct str page_usd(struct visit *v, usd amount);
struct str page_usd_fine(struct visit *v, usd amount); /* more digits below a dollar */
struct str page_estimate(struct visit *v, usd amount);
struct str page_rate(struct visit *v, usd_per_hour rate);
struct str page_span(struct visit *v, span time);
struct str page_share(struct visit *v, double share);
struct str page_used(struct visit *v, double share); /* of a limit */
struct str page_watts(struct visit *v, double watts);
struct str page_time(struct visit *v, stamp at);

/* "$765.50 left of", or "$431.00 over": what is left of a limit that is named after it
 * (view_budgets.c). */
struct str view_left(struct visit *v, const struct money *left);

/* A row of budgets, a struct budget_view: "/budgets/NAME" (view_budgets.c). */
void view_budget_link(const void *row, struct buf *out);

/* "/runs/ID" */
void view_run_link(const char *id, struct buf *out);

/* How to begin, where nothing is recorded yet. */
void view_begin(struct visit *v);

#endif
