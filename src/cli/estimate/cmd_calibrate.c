/* stint calibrate */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/estimate/calibrate.h"

static bool write_range(const struct column *column, const void *row, struct buf *out)
{
    const struct correction *c = &((const struct calibrate_row *)row)->correction;

    (void)column;
    buf_addf(out, "%.2f to %.2f", c->low, c->high);
    return true;
}

static const struct column correction_columns[] = {
    COLUMN("GPU", gpu),
    COLUMN("framework", framework, .unknown = "any"),
    COLUMN("times as long", factor, .decimals = 2),
    COLUMN_CELL("80 % range", write_range, .side = COLUMN_RIGHT),
    COLUMN("runs", runs),
    COLUMN("until now", before, .decimals = 2),
};

static void print_calibrate(const struct view *view, const void *result)
{
    const struct calibrate_result *res = result;

    if (res->forgotten) {
        buf_adds(view->out, "all corrections are removed: estimates use the constants alone\n");
        return;
    }
    if (res->corrections.len == 0)
        buf_adds(view->out,
                 "there is nothing to learn from yet: it needs runs that were planned "
                 "('stint run --plan FILE') and are done\n");
    else
        view_rows(view, &op_calibrate, res, "corrections", COLUMNS(correction_columns));
    if (res->far > 0)
        buf_addf(view->out,
                 "%lld run%s took more than 4 times as long as predicted, or less "
                 "than a quarter: left out\n",
                 (long long)res->far, res->far == 1 ? "" : "s");
    if (res->other > 0)
        buf_addf(view->out, "%lld run%s predicted by other constants: left out\n",
                 (long long)res->other, res->other == 1 ? " was" : "s were");
    if (res->corrections.len > 0)
        buf_adds(view->out,
                 res->shown ? "nothing was changed; without --show the corrections are stored\n"
                            : "'stint estimate' and 'stint plan' use them from now "
                              "on\n");
}

const struct command cmd_calibrate = {
    .name = "calibrate",
    .op = &op_calibrate,
    .about =
        "Learns from runs that were planned how long steps really take on your machines: a\n"
        "factor for each GPU and framework, with its range; few runs move it little.\n"
        "Estimates and plans use it, and note it.",
    .examples = "stint calibrate\nstint calibrate --show --since 90d\nstint calibrate --forget",
    .print = print_calibrate,
};
