/* month.h - a report of a month of spending (budget/month.h): figures, tables, the page. */
#ifndef REPORT_MONTH_H
#define REPORT_MONTH_H

#include "budget/month.h"
#include "catalog/catalog.h"
#include "render/document.h"
#include "report/findings.h"

/* The total in the currency of figures. */
const struct costs_total *month_total(const struct month *m);

/* Does a budget limit what the month is about: the same conditions, month by month? NULL: none
 * does. */
const struct budget_view *month_budget(const struct month *m);

/* "minimal", "typical", "enterprise": the row of the catalog for all ML spending that the
 * amount is in; NULL: it is below all of them, or not in dollars. Above all it is the last. */
const struct spend *month_band(const struct month *m, const struct money *amount);

/* All files of a report about it, its title and its summary. `advice`: without a command it is
 * of some of the runs only, and not shown. */
struct report; /* report/report.h */
bool month_report(const struct month *m, const struct report_findings *advice,
                  struct report *report, struct error *err) MUST_USE;

/* Figures, whose series are in the arena. */
bool month_line_figure(const struct month *m, struct arena *arena, struct figure *out,
                       struct error *err) MUST_USE;
bool month_team_figure(const struct month *m, struct arena *arena, struct figure *out,
                       struct error *err) MUST_USE;
bool month_project_figure(const struct month *m, struct arena *arena, struct figure *out,
                          struct error *err) MUST_USE;

#endif
