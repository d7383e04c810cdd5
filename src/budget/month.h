/* month.h - the answers about a month of spending: on what, by whom, how it goes on, what was
 * unusual.
 *
 * Attempts of runs are read once for all of its questions. */
#ifndef BUDGET_MONTH_H
#define BUDGET_MONTH_H

#include "account/costs/breakdown.h"
#include "account/costs/gpus.h"
#include "account/costs/spot.h"
#include "account/query/movers.h"
#include "budget/anomalies.h"
#include "budget/budget.h"
#include "budget/forecast.h"

struct catalog; /* catalog/catalog.h */

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
    const struct catalog *catalog; /* with the spend table; the caller sets it */
    int64_t unpriced;              /* runs without a price */
    day billed_until;              /* DAY_UNKNOWN: no bills */
};

/* "November 2026". */
bool month_name(day first, struct arena *arena, struct str *out, struct error *err) MUST_USE;

/* The month that begins where the query does, and which of its days have begun; no answers. */
bool month_begin(const struct spending_query *query, day today, struct arena *arena,
                 struct month *out, struct error *err) MUST_USE;

/* Its answers, from a ledger that is held. ERROR_ABSENT when nothing was recorded. */
bool month_read(const struct account_source *account, stamp now, struct month *m,
                struct error *err) MUST_USE;

#endif
