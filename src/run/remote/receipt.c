#include "run/remote/receipt.h"

static const struct field budget_fields[] = {
    FIELD(TEXT, receipt_budget, name, .empty_unknown = true, .help = "of the budget"),
    FIELD(USD, receipt_budget, limit, .help = "that stops runs"),
    FIELD(USD, receipt_budget, left, .help = "of the limit, when others were counted"),
    FIELD(USD, receipt_budget, own, .help = "spent by this attempt, among what was counted"),
    FIELD(RATE, receipt_budget, others, .help = "what other runs spend from it, at most"),
    FIELD(COUNT, receipt_budget, unknown, .help = "runs whose cost is not known"),
};

static const struct field_set budget_set = FIELD_SET(struct receipt_budget, budget_fields);

static const struct field fields[] = {
    FIELD(TEXT, run_receipt, run, .help = "id of the run"),
    FIELD(COUNT, run_receipt, attempt, .help = "number of the attempt"),
    FIELD(COUNT, run_receipt, records,
          .help = "number of the last record that is in the ledger for good"),
    FIELD(USD, run_receipt, before_cost, .help = "of earlier attempts"),
    FIELD(USD, run_receipt, before_budget, .help = "budget that earlier attempts had"),
    FIELD(TEXT, run_receipt, stop, .empty_unknown = true, .help = "who asks the run to end"),
    FIELD(FLAG, run_receipt, counted,
          .help = "it is among the runs that spend from budgets; else those are not known yet"),
    FIELD(RECORD, run_receipt, budget, .row = &budget_set,
          .help = "budget with --stop that has least left"),
    FIELD(USD, run_receipt, month_spent, .help = "by all runs of the month"),
    FIELD(USD, run_receipt, month_own, .help = "of that, by this attempt"),
    FIELD(RATE, run_receipt, month_others, .help = "what other runs spend, at most"),
    FIELD(COUNT, run_receipt, month_unknown, .help = "runs whose cost is not known"),
    FIELD(TEXTS, run_receipt, notes, .whole = true, .help = "for the user"),
};

const struct field_set run_receipt_fields = FIELD_SET(struct run_receipt, fields);
