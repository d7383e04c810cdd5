/* stint forecast */
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "op/forecast.h"

static void cells(struct table *t, const struct forecast_row *row, bool total)
{
    costs_cell(t, &row->spent);
    costs_cell(t, &row->forecast);
    costs_cell(t, &row->low);
    costs_cell(t, &row->high);
    table_text(t, row->problem.len > 0 ? row->problem : row->method);
    if (total)
        table_style(t, STYLE_BOLD);
}

/* What is not in it, and what the range means. */
static void print_notes(const struct view *view, const struct forecast_result *res)
{
    const struct forecast_row *totals = res->totals.at;
    struct buf *out = view->out;

    buf_adds(out, "\nspent: until ");
    day_write(res->known_until, out);
    buf_adds(out, ", the last whole day");
    for (size_t i = 0; i < res->totals.len; i++)
        if (totals[i].running.amount.coefficient != 0) {
            buf_adds(out, "; not in it: ");
            costs_write(&totals[i].running, out);
            buf_adds(out, " of days that are not whole yet");
        }
    buf_char(out, '\n');
    if (res->days_left > 0)
        buf_addf(out,
                 "forecast: with the %lld day%s that are left; eight months in ten end between "
                 "low and high, if nothing new happens\n",
                 (long long)res->days_left, res->days_left == 1 ? "" : "s");
    if (res->others > 0)
        buf_addf(out, "%lld more are only in the total: --limit 0 shows all\n",
                 (long long)res->others);
    if (res->totals.len > 1)
        buf_adds(out, "currencies are not added up: --currency CODE converts them\n");
}

static void print_budgets(const struct view *view, const struct forecast_result *res)
{
    static const struct table_column columns[] = {
        {.title = "budget"},
        {.title = "spent", .right = true},
        {.title = "forecast", .right = true},
        {.title = "of", .right = true},
        {.title = "share", .right = true},
        {.title = ""},
    };
    const struct forecast_budget *budgets = res->budgets.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->budgets.len; i++) {
        table_text(&t, budgets[i].name);
        costs_cell(&t, &budgets[i].spent);
        costs_cell(&t, &budgets[i].forecast);
        costs_cell(&t, &budgets[i].limit);
        costs_share_cell(&t, budgets[i].share);
        table_text(&t, budgets[i].says);
        if (!str_eq(budgets[i].says, STR("keeps to it")))
            table_style(&t, STYLE_WARN);
    }
    if (res->budgets.len == 0)
        return;
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
}

static void print(const struct view *view, const void *result)
{
    const struct forecast_result *res = result;
    const struct forecast_row *rows = res->rows.at, *totals = res->totals.at;
    struct table_column columns[TABLE_MAX_COLUMNS] = {{.title = "?"}};
    size_t names = costs_name_columns(res->by, columns, view->arena), count;
    struct table t;

    if (res->totals.len == 0) {
        costs_print_nothing(view, &res->basis);
        return;
    }
    if (names == 0)
        columns[names++] = (struct table_column){.title = "month"};
    count = names;
    columns[count++] = (struct table_column){.title = "spent", .right = true};
    columns[count++] = (struct table_column){.title = "forecast", .right = true};
    columns[count++] = (struct table_column){.title = "low", .right = true};
    columns[count++] = (struct table_column){.title = "high", .right = true};
    columns[count++] =
        (struct table_column){.title = "method", .shrink = true, .optional = true};
    t = table_new(columns, count, view->arena);
    for (size_t i = 0; i < res->rows.len; i++) {
        costs_name_cells(&t, res->by, rows[i].value, 0);
        cells(&t, &rows[i], false);
    }
    for (size_t i = 0; i < res->totals.len; i++) {
        if (res->by.len == 0)
            table_text(&t, res->month);
        else
            costs_total_cells(&t, names);
        cells(&t, &totals[i], res->by.len > 0);
    }
    table_write(&t, &view->term, view->out);
    print_budgets(view, res);
    print_notes(view, res);
    costs_print_basis(view, &res->basis);
}

const struct command cmd_forecast = {
    .name = "forecast",
    .op = &op_forecast,
    .about = "What the month will come to, with the range that eight months in ten end in.\n"
             "Weekday means of 28 days without what was out of the ordinary, fees that the\n"
             "months before had, and growth where it is sure; the running day is left out,\n"
             "since it is not whole. From three days on there is a forecast, a wide one.",
    .examples = "stint forecast\n"
                "stint forecast --by team\n"
                "stint forecast --by service --where team=nlp --month 2026-12",
    .print = print,
};
