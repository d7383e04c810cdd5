/* month.h - a month of spending for a report: the answers to its questions, and figures of
 * them. */
#ifndef REPORT_MONTH_H
#define REPORT_MONTH_H

#include "account/costs/breakdown.h"
#include "account/costs/gpus.h"
#include "account/costs/spot.h"
#include "account/query/movers.h"
#include "budget/anomalies.h"
#include "budget/budget.h"
#include "catalog/catalog.h"
#include "render/document.h"
#include "report/findings.h"

/* What spending is shown by, each by itself. */
enum month_by {
    MONTH_TEAM,
    MONTH_PROJECT,
    MONTH_SERVICE,
    MONTH_GPU,
    MONTH_BYS,
};

struct month {
    struct str cost;              /* kind: "effective" */
    struct spending_query query;  /* of its days */
    day first, after;             /* the first day, and the first of the next month */
    day last;                     /* the last day that has begun */
    struct str name, name_before; /* "November 2026" */
    struct currency currency;     /* of figures: that of most of the money */
    struct costs_by by[MONTH_BYS];
    struct cost_breakdown spent[MONTH_BYS];
    struct spending_answer days, days_before; /* by team; of all, in the month before */
    struct spending_answer projects;          /* by team and project */
    struct costs_movers movers;
    bool running; /* it is not over: there is a forecast */
    struct month_forecast forecast;
    struct rows budgets; /* struct budget_view, as they were at its end */
    struct anomaly_events anomalies;
    struct gpu_costs gpus;
    struct spot_costs spot;
    struct report_findings advice; /* no command: it is of some of the runs only */
    const struct catalog *catalog; /* with the spend table */
    int64_t unpriced;              /* runs without a price */
    day billed_until;              /* DAY_UNKNOWN: no bills */
};

/* "November 2026". */
bool month_name(day first, struct arena *arena, struct str *out, struct error *err) MUST_USE;

/* Set the currency of figures: that of most lines and runs. */
void month_find_currency(struct month *m);

/* The total in the currency of figures. */
const struct costs_total *month_total(const struct month *m);

/* Does a budget limit what the month is about: the same conditions, month by month? NULL: none
 * does. */
const struct budget_view *month_budget(const struct month *m);

/* "minimal", "typical", "enterprise": the row of the catalog for all ML spending that the
 * amount is in; NULL: it is below all of them, or not in dollars. Above all it is the last. */
const struct spend *month_band(const struct month *m, const struct money *amount);

/* All files of a report about it, its title and its summary. */
struct report; /* report/report.h */
bool month_report(const struct month *m, struct report *report, struct error *err) MUST_USE;

/* Figures, whose series are in the arena. */
bool month_line_figure(const struct month *m, struct arena *arena, struct figure *out,
                       struct error *err) MUST_USE;
bool month_team_figure(const struct month *m, struct arena *arena, struct figure *out,
                       struct error *err) MUST_USE;
bool month_project_figure(const struct month *m, struct arena *arena, struct figure *out,
                          struct error *err) MUST_USE;

#endif
