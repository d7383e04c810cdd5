/* stint costs trend, stint costs movers */
#include <math.h>

#include "cli/commands.h"
#include "cli/costs_view.h"
#include "op/op.h"

/* ---- trend ---- */

static void print_running(const struct view *view, const struct costs_trend_result *res)
{
    buf_addf(view->out, "\n* the running month, %lld day%s of it\n",
             (long long)res->running_days, res->running_days == 1 ? "" : "s");
    costs_print_compared(view, &res->before);
}

static void print_trend(const struct view *view, const void *result)
{
    const struct costs_trend_result *res = result;
    const struct costs_trend_row *rows = res->rows.at;
    struct table_column columns[TABLE_MAX_COLUMNS] = {{.title = "?"}};
    size_t count = costs_name_columns(res->by, columns, view->arena);
    struct table t;

    columns[count++] = (struct table_column){.title = "month"};
    columns[count++] = (struct table_column){.title = "cost", .right = true};
    columns[count++] = (struct table_column){.title = "change", .right = true};
    columns[count++] = (struct table_column){.title = "in %", .right = true};
    t = table_new(columns, count, view->arena);
    for (size_t i = 0; i < res->rows.len; i++) {
        costs_name_cells(&t, res->by, rows[i].value, rows[i].others);
        table_cell(&t, "%.*s%s", STR_ARG(rows[i].month), rows[i].days >= 0 ? "*" : "");
        costs_compared_cells(&t, &rows[i].amount, &rows[i].change);
        costs_percent_cell(&t, rows[i].percent);
    }
    if (res->rows.len == 0) {
        costs_print_nothing(view, &res->basis);
    } else {
        table_write(&t, &view->term, view->out);
        print_running(view, res);
        costs_print_basis(view, &res->basis);
    }
    costs_print_csv(view, res->csv, res->rows.len);
}

const struct command cmd_costs_trend = {
    .name = "costs trend",
    .op = &op_costs_trend,
    .about =
        "Costs month over month, in money and in percent. The running month is marked; it\n"
        "ends where bills end, and is compared with the same days of the month before.\n"
        "'?' is a month of which nothing is recorded, and what would need it.",
    .examples = "stint costs trend\n"
                "stint costs trend --by team --months 3 --limit 5",
    .print = print_trend,
};

/* ---- movers ---- */

static void print_movers(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("dimension", dimension),
        COLUMN("value", value, .shrink = true, .unknown = "(none)"),
        COLUMN("before", before, .unknown = "?"),
        COLUMN("now", amount, .unknown = "?"),
        COLUMN("change", change, .form = COLUMN_CHANGE, .unknown = "?"),
        COLUMN("in %", percent, .form = COLUMN_CHANGE, .optional = true),
        COLUMN("", direction, .unknown = ""),
    };
    const struct costs_movers_result *res = result;
    struct table_rows movers = field_rows(op_costs_movers.result, "movers", res);
    const struct costs_mover *totals = res->found.totals.at;
    struct column_table t = columns_new(COLUMNS(columns), movers.row, view->arena);

    columns_add(&t, &movers);
    for (size_t i = 0; i < res->found.totals.len; i++)
        columns_total(&t, "total", movers.row, &totals[i]);
    if (res->found.totals.len == 0) {
        costs_print_nothing(view, &res->basis);
    } else {
        columns_write(&t, &view->term, view->out);
        buf_adds(view->out, "\nthe same money shows up in every dimension\n");
        costs_print_apart(view, "not in it: credits of ", &res->found.credits);
        costs_print_apart(view, "not in it: credits before, of ", &res->found.credits_before);
        costs_print_compared(view, &res->found.before);
        costs_print_basis(view, &res->basis);
    }
    costs_print_csv(view, res->csv, res->found.movers.len);
}

const struct command cmd_costs_movers = {
    .name = "costs movers",
    .op = &op_costs_movers,
    .about =
        "What changed most in money against as many days before (a month: against the month\n"
        "before), up or down, and in which dimension. Each dimension is looked at by\n"
        "itself. Days that no bill covers yet are left out.",
    .examples = "stint costs movers\n"
                "stint costs movers --month 2026-10 --by service,team --limit 5",
    .print = print_movers,
};
