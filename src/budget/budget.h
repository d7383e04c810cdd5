/* budget.h - budgets: their periods, how much is spent, what they will come to, and the alerts
 * that follow.
 *
 * A budget is a record of the ledger. It is evaluated against the account: bills, and runs that
 * no bill covers. What an evaluation found goes to the ledger as findings, which queues
 * messages; `alert` sends them.
 */
#ifndef BUDGET_BUDGET_H
#define BUDGET_BUDGET_H

#include "account/query/spending.h"
#include "ledger/budgets.h"

struct ledger_charge; /* ledger/runs/charges.h */

/* ---- periods ---- */

struct budget_period {
    day first, after; /* the first day, and the first day after; DAY_UNKNOWN: open */
    char name[24];    /* "2026-11", "2026-Q4", "2026", "total" */
};

/* The period that this date is in. */
struct budget_period budget_period_of(const struct ledger_budget *budget, day date);

/* ---- evaluation: check.c ---- */

struct budget_state {
    const struct ledger_budget *budget;
    struct budget_period period;
    struct decimal carried, limit;    /* left from before; the amount and that */
    struct decimal spent, metered;    /* metered: the part that no bill covers yet */
    double share;                     /* spent over limit: 1 or more only when it is reached */
    double forecast, low, high;       /* of the entire period; NaN: see `no_forecast` */
    struct str method;                /* of the forecast; NULL */
    struct str no_forecast;           /* why there is none; empty: there is one */
    int64_t unpriced;                 /* runs whose cost is unknown */
    double reached, forecast_reached; /* the highest threshold of each kind; 0: none */
    struct error problem;             /* why it could not be evaluated; ERROR_NONE */
};

/* False only when memory runs out or the ledger cannot be read: what is wrong with one budget
 * is its `problem`. */
bool budget_evaluate(const struct account_source *account, stamp now,
                     const struct ledger_budget *budget, struct budget_state *out,
                     struct error *err) MUST_USE;

/* All budgets of the ledger, by name; none where there is no ledger. */
bool budgets_evaluate(const struct account_source *account, stamp now,
                      struct budget_state **out, size_t *count, struct error *err) MUST_USE;

/* Only the period, what was spent and the limit, of the budget that is set in the state. */
bool budget_spent(const struct account_source *account, stamp now, struct budget_state *state,
                  struct error *err) MUST_USE;

/* What is left, in dollars at today's rate, rounded down to a nano-dollar. */
bool budget_left(const struct account_source *account, const struct budget_state *state,
                 usd *out, struct error *err) MUST_USE;

/* Has `part` reached `share` of `limit`? Exactly, to a hundredth of a percent. */
bool budget_reached(struct decimal part, struct decimal limit, double share);

/* ERROR_ABSENT "there is no budget 'x'", with a suggestion. Returns false. */
bool budget_absent(const struct ledger_budget *budgets, size_t count, struct str name,
                   struct error *err);

/* The share, and the thresholds that are reached, from what is spent, forecast and the limit.
 */
void budget_compare(struct budget_state *state);

/* How a budget is, wherever it is shown. */
enum budget_level {
    BUDGET_OK,
    BUDGET_WARNING, /* a threshold is reached, or will be by the forecast */
    BUDGET_SPENT,
    BUDGET_NOT_EVALUATED,
};
enum budget_level budget_level(const struct budget_state *state);

/* Does it alert before it is spent, and when it is? */
bool budget_alerts_in_time(const struct ledger_budget *budget);

/* Periods of a budget and how they ended. */
struct budget_history {
    size_t periods, kept;
    double used; /* sum of the shares of the limit that were spent */
};

/* Add the periods that ended from `since` to before `until`, and since the budget was set. A
 * running period counts once it is overspent. */
bool budget_history_add(const struct account_source *account,
                        const struct ledger_budget *budget, day since, day until,
                        struct budget_history *out, struct error *err) MUST_USE;

/* ---- as a record of results: view.c ---- */

struct budget_view {
    struct ledger_budget budget;
    struct budget_state is;
    day first_day, last_day; /* of the period */
    struct money carried, limit, spent, metered, remaining;
    struct str period, state, problem;
};

extern const struct field_set budget_view_fields;

bool budget_view_make(const struct budget_state *state, struct arena *arena,
                      struct budget_view *out, struct error *err) MUST_USE;

/* The forecast of a running period compared with its limit. */
enum budget_verdict {
    BUDGET_UNKNOWN, /* there is no forecast */
    BUDGET_KEPT,
    BUDGET_MAY_PASS,
    BUDGET_WILL_PASS,
    BUDGET_PASSED,
};

struct budget_outlook {
    struct str name;
    char period[24];
    struct strs where;
    struct money limit, spent, forecast, low, high;
    double share; /* forecast over limit */
    enum budget_verdict says;
    struct str problem; /* why there is no forecast */
};

extern const struct field_set budget_outlook_fields;

/* Of all budgets of the ledger, by name. */
bool budgets_outlook(const struct account_source *account, stamp now, struct rows *out,
                     struct error *err) MUST_USE;

/* ---- alerts: alerts.c ---- */

/* Fire, update and resolve the alerts of these states, in one transaction. */
bool budget_alert(const struct account_source *account, stamp now,
                  const struct budget_state *states, size_t count, struct error *err) MUST_USE;

/* Resolve all alerts of a budget that was removed. */
bool budget_alerts_end(const struct account_source *account, stamp now, struct str name,
                       struct error *err) MUST_USE;

/* Does the alert belong to this budget? */
bool budget_alert_is_of(const struct ledger_alert *alert, struct str name);

/* All alerts of this budget, the newest first: struct ledger_alert. */
bool budget_alerts_of(struct ledger *ledger, struct str name, struct arena *arena,
                      struct rows *out, struct error *err) MUST_USE;

/* ---- runs: stops.c ---- */

/* The budgets that stop runs (`budget set --stop`) and apply to one. */
struct budget_stops {
    struct ledger_budget *at;
    size_t count;
    usd limit;        /* of the one with least left; unknown: there is none */
    const char *name; /* of them: "the budget 'nlp'"; NULL: there is none */
};

/* For a run that is about to begin. ERROR_GUARD when one is spent. A budget that cannot be
 * evaluated is left out with a warning. */
bool budget_stops_find(const struct account_source *account, stamp now,
                       const struct ledger_charge *run, struct budget_stops *out,
                       struct error *err) MUST_USE;

/* Only which of them apply: without limit and name. */
bool budget_stops_apply(const struct account_source *account, const struct ledger_charge *run,
                        struct budget_stops *out, struct error *err) MUST_USE;

/* Its limit in dollars, at the rate that `left` was converted with (budget_left()). */
usd budget_limit(const struct budget_state *state, usd left);

/* ---- amounts as text: money.c ---- */

/* "$4,102.05", "99.50 EUR". */
void budget_money(struct decimal amount, struct currency currency, struct buf *out);
/* An estimate with its range: "$208 ($150 to $281)". */
void budget_range(double amount, double low, double high, struct currency currency,
                  struct buf *out);

/* What was spent of a budget on a day. */
struct budget_day {
    day date;
    struct money spent, metered; /* unknown: no bill covers the day yet, and no run was on it */
};

extern const struct field_set budget_day_fields;

/* Every day of the period up to today, with what was spent: rows of struct budget_day. A period
 * that is open begins with the first day of spending. `answer`: by day, of the budget's
 * scope. */
bool budget_days_make(const struct budget_state *state, const struct spending_answer *answer,
                      day today, struct arena *arena, struct rows *out,
                      struct error *err) MUST_USE;

/* Likewise, asked of the account; none when the budget could not be evaluated. */
bool budget_days(const struct account_source *account, const struct budget_state *s,
                 struct rows *out, struct error *err) MUST_USE;

#endif
