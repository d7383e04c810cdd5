/* stint forecast */
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "op/budget/forecast.h"

#define OLD 7 /* days after which it is said how old what is known is */

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

/* Recurring costs of the days that are left: "$1.00, 2.00 EUR". */
static void print_known(const struct view *view, const struct forecast_result *res)
{
    const struct forecast_row *totals = res->totals.at;
    size_t n = 0;

    for (size_t i = 0; i < res->totals.len; i++)
        if (totals[i].recurring.amount.coefficient != 0 && totals[i].problem.len == 0) {
            buf_adds(view->out, n++ == 0 ? "recurring costs of the allocation policy: " : ", ");
            costs_write(&totals[i].recurring, view->out);
        }
    if (n > 0)
        buf_adds(view->out, " on those days, included in forecast, low and high\n");
}

/* Why the rows do not add up to the total, where they do not. */
static void print_added(const struct view *view, const struct forecast_result *res)
{
    const struct forecast_row *rows = res->rows.at, *totals = res->totals.at;
    size_t n = 0, without = 0;

    for (size_t i = 0; i < res->rows.len; i++)
        without += rows[i].problem.len > 0;
    for (size_t i = 0; i < res->totals.len; i++)
        if (totals[i].added.currency[0] != '\0' && totals[i].problem.len == 0 &&
            decimal_cmp(totals[i].added.amount, totals[i].forecast.amount) != 0) {
            buf_adds(view->out, n++ > 0 ? ", "
                                : without > 0
                                    ? "each row and the total are forecast separately; the "
                                      "rows that have a forecast add up to "
                                    : "each row and the total are forecast separately; the "
                                      "rows add up to ");
            costs_write(&totals[i].added, view->out);
        }
    if (n > 0)
        buf_char(view->out, '\n');
}

/* What is not in it, and what the range means. */
static void print_notes(const struct view *view, const struct forecast_result *res)
{
    const struct forecast_row *totals = res->totals.at;
    struct buf *out = view->out;
    bool foreseen = false;

    buf_adds(out, "\nspent: until ");
    day_write(res->known_until, out);
    buf_adds(out, ", the last complete day");
    if (res->days_ago > OLD && res->days_left > 0)
        buf_addf(out, ", %lld days ago: newer bills make a better forecast",
                 (long long)res->days_ago);
    for (size_t i = 0; i < res->totals.len; i++)
        if (totals[i].running.amount.coefficient != 0) {
            buf_adds(out, "; not included: ");
            costs_write(&totals[i].running, out);
            buf_adds(out, " on days that are not complete yet");
        }
    buf_char(out, '\n');
    for (size_t i = 0; i < res->totals.len; i++)
        foreseen = foreseen || totals[i].problem.len == 0;
    if (res->days_left > 0 && foreseen)
        buf_addf(
            out,
            "forecast: with the %lld day%s left; 80 %% of months end between low and high, "
            "if nothing changes\n",
            (long long)res->days_left, res->days_left == 1 ? "" : "s");
    print_known(view, res);
    print_added(view, res);
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
        {.title = "period"},
        {.title = "spent", .right = true},
        {.title = "forecast", .right = true},
        {.title = "of", .right = true},
        {.title = "share", .right = true},
        {.title = "outlook", .shrink = true},
    };
    const struct forecast_budget *budgets = res->budgets.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->budgets.len; i++) {
        table_text(&t, budgets[i].name);
        table_text(&t, budgets[i].period.len > 0 ? budgets[i].period : STR("-"));
        costs_cell(&t, &budgets[i].spent);
        costs_cell(&t, &budgets[i].forecast);
        costs_cell(&t, &budgets[i].limit);
        costs_share_cell(&t, budgets[i].share);
        table_text(&t,
                   str_eq(budgets[i].says, STR("?")) ? budgets[i].problem : budgets[i].says);
        if (str_ends(budgets[i].says, STR("passed")))
            table_style(&t, STYLE_WARN);
    }
    if (res->budgets.len == 0)
        return;
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
}

static void print_forecast(const struct view *view, const void *result)
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
    .about =
        "Forecasts the cost of a month, with the range that 80 % of months end in. It uses\n"
        "weekday means over half a year without anomalies, growth, and monthly fees of the\n"
        "months before. Today is left out, since it is not complete. Recurring costs of the\n"
        "allocation policy are added exactly. Three days are enough for a forecast with a\n"
        "wide range. Each row and the total are forecast separately.",
    .examples = "stint forecast\n"
                "stint forecast --by team\n"
                "stint forecast --by service --where team=nlp --month 2026-12",
    .print = print_forecast,
};
