/* stint export */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/account/export.h"

static void print_export_changes(const struct view *view, const struct export_result *res)
{
    const struct focus_change *changes = res->exported.changes.at;

    if (res->exported.changes.len == 0)
        return;
    buf_adds(view->out,
             "so that every row follows the rules (no billed amount was changed):\n");
    for (size_t i = 0; i < res->exported.changes.len; i++)
        buf_addf(view->out, "  %lld row%s %.*s\n", (long long)changes[i].rows,
                 changes[i].rows == 1 ? "" : "s", STR_ARG(changes[i].what));
}

static void print_export(const struct view *view, const void *result)
{
    const struct export_result *res = result;
    struct buf *out = view->out;

    if (res->file.len == 0) {
        buf_addf(out,
                 "%lld days and kinds of spending: --csv writes them, --json prints them, "
                 "--focus writes every line\n",
                 (long long)res->exported.rows);
        return;
    }
    if (res->version.len > 0)
        buf_addf(out, "FOCUS %.*s: ", STR_ARG(res->version));
    buf_addf(out, "%lld row%s", (long long)res->exported.rows,
             res->exported.rows == 1 ? "" : "s");
    if (res->version.len > 0)
        buf_addf(out, ", %lld of bills%s%lld of runs", (long long)res->exported.bill_rows,
                 res->exported.recurring_rows > 0 ? ", " : " and ",
                 (long long)res->exported.run_rows);
    if (res->exported.recurring_rows > 0)
        buf_addf(out, " and %lld of recurring costs", (long long)res->exported.recurring_rows);
    for (size_t i = 0; i < res->exported.billed.len; i++) {
        buf_adds(out, i == 0 ? "; billed " : ", ");
        buf_add_safe(out, res->exported.billed.at[i]);
    }
    buf_char(out, '\n');
    print_export_changes(view, res);
    if (res->metadata.len > 0) {
        buf_adds(out, "described by ");
        buf_add_safe(out, res->metadata);
        buf_char(out, '\n');
    }
    if (res->exported.unpriced > 0)
        buf_addf(out, "%lld run%s not included: the cost is unknown\n",
                 (long long)res->exported.unpriced,
                 res->exported.unpriced == 1 ? " is" : "s are");
}

const struct command cmd_export = {
    .name = "export",
    .op = &op_export,
    .group = {"costs as FOCUS, CSV or JSON", .stage = CLI_AFTER},
    .about = "Exports bills and runs for other programs. --focus writes every line of the "
             "bills, every day of the runs that no bill covers, and the months of recurring "
             "costs, as FOCUS 1.2 or 1.4, with a metadata file; rows are changed to follow the "
             "rules of FOCUS, and the changes are listed. --csv writes the account day by day, "
             "--json prints it. Costs that the policy splits are exported unsplit, where they "
             "were billed: shares are not charges ('stint statement --csv FILE' has them).",
    .examples = "stint export --focus account.csv\nstint export --focus --version 1.4 --since "
                "2026-10-01 oct.csv\nstint export --csv --from runs > runs.csv",
    .print = print_export,
    .aside = view_aside,
};
