/* budget.h - budgets: what they are, how they stand; the requests and results of the operations
 * on them. */
#ifndef OP_BUDGET_BUDGET_H
#define OP_BUDGET_BUDGET_H

#include "alert/queue.h"
#include "op/spending.h"

/* ---- periods: budget_period.c ---- */

struct budget_period {
    day first, after; /* the first day, and the first day after; DAY_UNKNOWN: open */
    char name[24];    /* "2026-11", "2026-Q4", "2026", "total" */
};

/* That which holds on this date. */
struct budget_period budget_period_of(const struct ledger_budget *budget, day date);

/* ---- how one stands: budget_look.c ---- */

struct budget_state {
    const struct ledger_budget *budget;
    struct budget_period period;
    struct decimal carried, limit; /* what was left before; the amount and that */
    struct decimal spent, metered; /* metered: the part that no bill covers yet */
    double share;                  /* spent over limit */
    double forecast, low, high;    /* of the whole period; NaN: nothing can be said */
    const char *method;            /* of the forecast; NULL */
    struct str unforeseen;         /* why there is no forecast; empty: there is one */
    int64_t unpriced;              /* runs whose cost is not known */
    double reached, foreseen;      /* the highest threshold of each kind; 0: none */
    struct error problem;          /* why it could not be evaluated; ERROR_NONE */
};

/* False only for want of memory, or when the ledger cannot be read: what is wrong with one
 * budget is its `problem`. The ledger may be NULL. */
bool budget_look(struct op_context *ctx, struct ledger *ledger,
                 const struct ledger_budget *budget, struct budget_state *out,
                 struct error *err) MUST_USE;

/* Only its period, what was spent and the limit, of the budget that is set in it. */
bool budget_spent(struct op_context *ctx, struct ledger *ledger, struct budget_state *state,
                  struct error *err) MUST_USE;

/* Has `part` reached `share` of `whole`? Exactly, to a hundredth of a percent. */
bool budget_reached(struct decimal part, struct decimal whole, double share);

/* ---- who is told: budget_alerts.c ---- */

/* Fire, update and resolve what these states say, in one transaction. */
bool budget_tell(struct op_context *ctx, struct ledger *ledger,
                 const struct budget_state *states, size_t count, struct error *err) MUST_USE;

/* All alerts of a budget that is no more are over. */
bool budget_forget(struct op_context *ctx, struct ledger *ledger, struct str name,
                   struct error *err) MUST_USE;

/* Does the alert belong to this budget? */
bool budget_alert_is_of(const struct ledger_alert *alert, struct str name);

/* To the nearest cent; and written for people: "$4,102.05", "99.50 EUR". */
struct decimal budget_cents(struct decimal amount);
void budget_money(struct decimal amount, const char currency[static 4], struct buf *out);
/* What is only foreseen: whole from ten on, "$208", "208 EUR", and to the cent below. */
void budget_about(double amount, const char currency[static 4], struct buf *out);
/* "$208 ($150 to $281)", of a state whose forecast is known. */
void budget_range(double amount, double low, double high, const char currency[static 4],
                  struct buf *out);

/* ---- operations ---- */

struct budget_set_request {
    struct str name;
    struct money amount;
    struct str period;
    struct strs where, thresholds, forecast, alert;
    bool rollover, no_rollover, stop, no_stop;
    struct str zone;
    day first_day, last_day;
};

struct budget_set_result {
    struct str name;
    bool changed; /* there was one of that name */
    struct money amount;
    struct str period;
    struct strs where, channels;
    struct numbers thresholds, forecast;
    bool rollover, stops;
    struct str zone;
};

struct budget_request {
    struct str name;
};

/* How one stands, as it is told. */
struct budget_view {
    struct str name, period;
    day first_day, last_day;
    struct money amount, carried, limit, spent, metered, left;
    double share, forecast, forecast_low, forecast_high;
    struct str method, state, problem, forecast_problem;
    int64_t unpriced;
    struct strs where, channels;
    struct numbers thresholds, forecast_thresholds;
    bool rollover, stops;
    struct str zone;
};

struct budget_list_result {
    struct rows budgets; /* struct budget_view */
};

struct budget_check_request {
    bool quiet;
};

struct budget_check_result {
    bool quiet; /* only what is wrong is printed; not in the result */
    struct rows budgets;
    struct alert_sent delivered;
};

/* A day of it. */
struct budget_day {
    day date;
    struct money spent, metered;
};

struct budget_show_result {
    struct budget_view budget;
    struct rows days;   /* struct budget_day */
    struct rows alerts; /* struct alert_view */
};

struct budget_remove_result {
    struct str name;
    struct alert_sent delivered;
};

extern const struct field_set budget_view_fields;

bool budget_view_make(struct op_context *ctx, const struct budget_state *state,
                      struct budget_view *out, struct error *err) MUST_USE;

/* The budgets of the ledger and how they stand; none where there is no ledger (NULL). */
bool budgets_look(struct op_context *ctx, struct ledger *ledger, struct budget_state **out,
                  size_t *count, struct error *err) MUST_USE;

/* ERROR_ABSENT "there is no budget 'x'", with what was probably meant. Returns false. */
bool budget_absent(const struct ledger_budget *budgets, size_t count, struct str name,
                   struct error *err);

#endif
