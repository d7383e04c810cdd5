/* stint bills, stint bills remove */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/bill/bills.h"
#include "report/records.h"

static void print_bill_list(const struct view *view, const void *result)
{
    const struct bills_result *res = result;

    if (res->count == 0) {
        buf_adds(view->out, "no bills in ");
        buf_add_safe(view->out, res->ledger);
        buf_adds(view->out, ": 'stint import FILE' adds one\n");
        return;
    }
    view_rows(view, &op_bills, res, "bills", &bill_columns[PLACE_TERMINAL]);
    buf_addf(view->out, "\n%lld bill%s, %lld charge%s\n", (long long)res->count,
             res->count == 1 ? "" : "s", (long long)res->lines, res->lines == 1 ? "" : "s");
}

const struct command cmd_bills = {
    .name = "bills",
    .op = &op_bills,
    .group = {"the bills in the ledger", .stage = CLI_AFTER},
    .about = "Lists the bills in the ledger by period. A 'paired' bill has a second one for "
             "the same account and period, with amortized amounts: billed costs come from one, "
             "effective costs from the other.",
    .examples = "stint bills\n"
                "stint bills AWS --json",
    .print = print_bill_list,
};

static void print_bill_removed(const struct view *view, const void *result)
{
    const struct bills_remove_result *res = result;

    view_rows(view, &op_bills_remove, res, "removed", &bill_columns[PLACE_TERMINAL]);
    buf_adds(view->out, "\nremoved\n");
}

const struct command cmd_bills_remove = {
    .name = "bills remove",
    .op = &op_bills_remove,
    .about = "Removes a bill from the ledger, with all its charges. Name it by its number, or "
             "by provider, account and period, as 'stint bills' shows them.",
    .examples = "stint bills remove 7 --force\n"
                "stint bills remove AWS/111122223333/2026-05 --force",
    .print = print_bill_removed,
};
