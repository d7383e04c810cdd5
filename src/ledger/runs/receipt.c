#include "ledger/runs/receipt.h"

#include <inttypes.h>
#include <stdio.h>

static const struct field budget_fields[] = {
    FIELD(TEXT, receipt_budget, name, .empty_unknown = true, .help = "name of the budget"),
    FIELD(USD, receipt_budget, limit, .help = "limit at which runs are stopped"),
    FIELD(USD, receipt_budget, remaining, .help = "amount left when other runs were counted"),
    FIELD(USD, receipt_budget, own,
          .help = "amount spent by this attempt, included in the count"),
    FIELD(RATE, receipt_budget, others,
          .help = "highest rate at which other runs spend from it"),
    FIELD(COUNT, receipt_budget, unknown, .help = "runs without a known cost"),
};

static const struct field_set budget_set = FIELD_SET(struct receipt_budget, budget_fields);

static const struct field fields[] = {
    FIELD(TEXT, run_receipt, run, .help = "run ID"),
    FIELD(COUNT, run_receipt, attempt, .help = "number of the attempt"),
    FIELD(COUNT, run_receipt, records,
          .help = "number of the last record safely in the ledger"),
    FIELD(USD, run_receipt, before_cost, .help = "cost of earlier attempts"),
    FIELD(USD, run_receipt, before_budget, .help = "budget of earlier attempts"),
    FIELD(TEXT, run_receipt, stop, .empty_unknown = true, .help = "requester of the stop"),
    FIELD(FLAG, run_receipt, counted,
          .help = "run is counted among those that spend from budgets; false: not known yet"),
    FIELD(RECORD, run_receipt, budget, .row = &budget_set,
          .help = "budget with --stop that has the least left"),
    FIELD(USD, run_receipt, month_spent, .help = "month's spending by all runs"),
    FIELD(USD, run_receipt, month_own, .help = "part spent by this attempt"),
    FIELD(RATE, run_receipt, month_others, .help = "highest rate at which other runs spend"),
    FIELD(COUNT, run_receipt, month_unknown, .help = "runs without a known cost"),
    FIELD(TEXTS, run_receipt, notes, .whole = true, .help = "notes for the user"),
};

const struct field_set run_receipt_fields = FIELD_SET(struct run_receipt, fields);

struct run_receipt run_receipt_blank(void)
{
    struct run_receipt blank = {.attempt = -1};

    blank.before_cost = blank.before_budget = USD_UNKNOWN;
    blank.month_spent = blank.month_own = USD_UNKNOWN;
    blank.month_others.nano = blank.budget.others.nano = MONEY_UNKNOWN;
    blank.budget.limit = blank.budget.remaining = blank.budget.own = USD_UNKNOWN;
    return blank;
}

bool run_receipt_note_clock(struct run_receipt *receipt, int64_t behind, struct arena *arena,
                            struct error *err)
{
    struct str *note;
    char text[160];

    if (behind == 0)
        return true;
    note = arena_array(arena, struct str, 1, err);
    if (note == NULL)
        return false;
    (void)snprintf(text, sizeof text,
                   "this machine's clock is %" PRId64 " s %s the server's: the server corrects "
                   "the times of this run",
                   behind < 0 ? -behind : behind, behind < 0 ? "ahead of" : "behind");
    if (!str_keep(str_from(text), arena, note, err))
        return false;
    receipt->notes = (struct strs){note, 1};
    return true;
}
