/* budget.h - the requests and results of the operations on budgets. */
#ifndef OP_BUDGET_BUDGET_H
#define OP_BUDGET_BUDGET_H

#include "alert/queue.h"
#include "budget/budget.h"
#include "budget/change.h"
#include "doc/field.h"

extern const struct op op_budget_check, op_budget_list, op_budget_remove, op_budget_set,
    op_budget_show;

/* ---- operations ---- */

struct budget_set_result {
    struct ledger_budget budget;
    bool changed; /* there was one of that name */
};

struct budget_request {
    struct str name;
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

struct budget_show_result {
    struct budget_view budget;
    struct rows days;   /* struct budget_day */
    struct rows alerts; /* struct ledger_alert */
};

struct budget_remove_result {
    struct str name;
    struct alert_sent delivered;
};

#endif
