/* stint calibrate */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/estimate/calibrate.h"

static void print_rows(const struct view *view, const struct calibrate_result *res)
{
    static const struct table_column columns[] = {
        {.title = "GPU"},
        {.title = "framework"},
        {.title = "times as long", .right = true},
        {.title = "80 % range", .right = true},
        {.title = "runs", .right = true},
        {.title = "until now", .right = true},
    };
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    const struct calibrate_row *rows = res->corrections.at;

    for (size_t i = 0; i < res->corrections.len; i++) {
        table_text(&t, rows[i].gpu);
        table_text(&t, rows[i].framework.len > 0 ? rows[i].framework : STR("any"));
        table_cell(&t, "%.2f", rows[i].factor);
        table_cell(&t, "%.2f to %.2f", rows[i].low, rows[i].high);
        table_cell(&t, "%lld", (long long)rows[i].runs);
        view_number(&t, rows[i].before, 2);
    }
    table_write(&t, &view->term, view->out);
}

static void print(const struct view *view, const void *result)
{
    const struct calibrate_result *res = result;

    if (res->forgotten) {
        buf_adds(view->out,
                 "all corrections are dropped: estimates go by the constants alone\n");
        return;
    }
    if (res->corrections.len == 0)
        buf_adds(view->out, "nothing to learn from yet: it takes runs that were planned "
                            "('stint run --plan FILE') and are done\n");
    else
        print_rows(view, res);
    if (res->far > 0)
        buf_addf(view->out,
                 "%lld run%s took more than 4 times as long as predicted, or less "
                 "than a quarter: left out\n",
                 (long long)res->far, res->far == 1 ? "" : "s");
    if (res->other > 0)
        buf_addf(view->out, "%lld run%s predicted by other constants: left out\n",
                 (long long)res->other, res->other == 1 ? " was" : "s were");
    if (res->corrections.len > 0)
        buf_adds(view->out, res->shown ? "nothing was changed: without --show it is kept\n"
                                       : "'stint estimate' and 'stint plan' use them from now "
                                         "on\n");
}

const struct command cmd_calibrate = {
    .name = "calibrate",
    .op = &op_calibrate,
    .about = "Runs that were planned say how long steps really take on your machines. This\n"
             "turns them into a factor for each GPU and framework, with its range; few runs\n"
             "move it little. Estimates and plans use it, and say so.",
    .examples = "stint calibrate\nstint calibrate --show --since 90d\nstint calibrate --forget",
    .print = print,
};
