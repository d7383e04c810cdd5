/* stint forecast */
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "op/budget/forecast.h"
#include "op/op.h"
#include "unit/shown.h"

#define OLD 7 /* days after which the age of the data is shown */

/* Recurring costs of the days that are left: "$1.00, 2.00 EUR". */
static void print_known(const struct view *view, const struct forecast_result *res)
{
    const struct forecast_row *totals = res->forecast.totals.at;
    size_t n = 0;

    for (size_t i = 0; i < res->forecast.totals.len; i++)
        if (totals[i].recurring.amount.coefficient != 0 && totals[i].problem.len == 0) {
            buf_adds(view->out, n++ == 0 ? "recurring costs of the allocation policy: " : ", ");
            costs_write(&totals[i].recurring, view->out);
        }
    if (n > 0)
        buf_adds(view->out, " on those days, included in forecast, low and high\n");
}

/* Why the rows do not add up to the total, where they do not. */
static void print_forecast_added(const struct view *view, const struct forecast_result *res)
{
    const struct forecast_row *rows = res->forecast.rows.at, *totals = res->forecast.totals.at;
    size_t n = 0, without = 0;

    for (size_t i = 0; i < res->forecast.rows.len; i++)
        without += rows[i].problem.len > 0;
    for (size_t i = 0; i < res->forecast.totals.len; i++)
        if (!currency_unset(totals[i].added.currency) && totals[i].problem.len == 0 &&
            decimal_cmp(totals[i].added.amount, totals[i].forecast.amount) != 0) {
            buf_adds(view->out, n++ > 0 ? ", "
                                : without > 0
                                    ? "each row and the total are forecast separately; the "
                                      "rows that have a forecast add up to "
                                    : "each row and the total are forecast separately; the "
                                      "rows add up to ");
            value_estimate(decimal_double(totals[i].added.amount), totals[i].added.currency,
                           view->out);
        }
    if (n > 0)
        buf_char(view->out, '\n');
}

/* What is not in it, and what the range means. */
static void print_forecast_notes(const struct view *view, const struct forecast_result *res)
{
    const struct forecast_row *totals = res->forecast.totals.at;
    struct buf *out = view->out;
    bool any = false;

    buf_adds(out, "\nspent: until ");
    day_write(res->forecast.known_until, out);
    buf_adds(out, ", the last complete day");
    if (res->forecast.days_ago > OLD && res->forecast.days_left > 0)
        buf_addf(out, ", %lld days ago: newer bills make a better forecast",
                 (long long)res->forecast.days_ago);
    for (size_t i = 0; i < res->forecast.totals.len; i++)
        if (totals[i].running.amount.coefficient != 0) {
            buf_adds(out, "; not included: ");
            costs_write(&totals[i].running, out);
            buf_adds(out, " on days that are not complete yet");
        }
    buf_char(out, '\n');
    for (size_t i = 0; i < res->forecast.totals.len; i++)
        any = any || totals[i].problem.len == 0;
    if (res->forecast.days_left > 0 && any)
        buf_addf(
            out,
            "forecast: with the %lld day%s left; 80 %% of months end between low and high, "
            "if nothing changes\n",
            (long long)res->forecast.days_left, res->forecast.days_left == 1 ? "" : "s");
    print_known(view, res);
    print_forecast_added(view, res);
    if (res->forecast.others > 0)
        buf_addf(out, "%lld more are only in the total: --limit 0 shows all\n",
                 (long long)res->forecast.others);
    if (res->forecast.totals.len > 1)
        buf_adds(out, "currencies are not added up: --currency CODE converts them\n");
}

static bool write_outlook(const struct column *column, const void *row, struct buf *out)
{
    const struct budget_outlook *b = row;

    (void)column;
    if (b->says == BUDGET_UNKNOWN)
        buf_add(out, b->problem);
    return b->says == BUDGET_UNKNOWN;
}

static enum term_style style_of_forecast(const void *row)
{
    return ((const struct budget_outlook *)row)->says >= BUDGET_MAY_PASS ? STYLE_WARN
                                                                         : STYLE_PLAIN;
}

static void print_budgets(const struct view *view, const struct forecast_result *res)
{
    static const struct column columns[] = {
        COLUMN("budget", name),
        COLUMN("period", period),
        COLUMN("spent", spent),
        COLUMN("forecast", forecast, .form = COLUMN_ESTIMATE),
        COLUMN("of", limit),
        COLUMN("share", share, .form = COLUMN_PERCENT),
        COLUMN("outlook", verdict, .shrink = true, .cell = write_outlook, .unknown = ""),
    };

    if (res->budgets.len == 0)
        return;
    buf_char(view->out, '\n');
    view_rows(view, &op_forecast, res, "budgets", COLUMNS(columns, .style = style_of_forecast));
}

/* Why there is no forecast, instead of its method. */
static bool write_method(const struct column *column, const void *row, struct buf *out)
{
    const struct forecast_row *r = row;

    (void)column;
    buf_add(out, r->problem.len > 0 ? r->problem : r->method);
    return true;
}

static void print_forecast_table(const struct view *view, const struct forecast_result *res)
{
    /* Of a month that is over nothing is estimated. */
    enum column_form form = res->forecast.days_left > 0 ? COLUMN_ESTIMATE : COLUMN_USUAL;
    const struct column amounts[] = {
        {.title = "month"}, /* without --by */
        COLUMN("spent", spent),
        COLUMN("forecast", forecast, .form = form),
        COLUMN("low", low, .form = form),
        COLUMN("high", high, .form = form),
        COLUMN_CELL("method", write_method, .shrink = true, .optional = true, .unknown = "",
                    .in_total = true),
    };
    const struct forecast_row *totals = res->forecast.totals.at;
    size_t named = res->by.len > 0;
    struct columns columns =
        columns_by(res->by, NULL,
                   &(struct columns){.at = amounts + named, .len = ARRAY_LEN(amounts) - named},
                   view->arena);
    struct column_table t = columns_new(&columns, res->forecast.rows.row, view->arena);

    columns_add(&t, &res->forecast.rows);
    for (size_t i = 0; i < res->forecast.totals.len; i++) {
        columns_total(&t, named ? "total" : res->month.at, &forecast_total_fields, &totals[i]);
        if (!named)
            table_style(&t.table, STYLE_PLAIN);
    }
    columns_write(&t, &view->term, view->out);
}

static void print_forecast(const struct view *view, const void *result)
{
    const struct forecast_result *res = result;

    if (res->forecast.totals.len == 0) {
        costs_print_nothing(view, &res->basis);
        return;
    }
    print_forecast_table(view, res);
    print_budgets(view, res);
    print_forecast_notes(view, res);
    costs_print_basis(view, &res->basis);
}

const struct command cmd_forecast = {
    .name = "forecast",
    .op = &op_forecast,
    .group = {"the cost of a month, with a range", .stage = CLI_AFTER},
    .about = "Forecasts the cost of a month, with an 80 % range. It uses weekday means over "
             "half a year without anomalies, growth, and monthly fees of the months before. "
             "Today is left out, since it is not complete. Recurring costs of the allocation "
             "policy are added exactly. Three days are enough for a forecast with a wide "
             "range. Each row and the total are forecast separately.",
    .examples = "stint forecast\n"
                "stint forecast --by team\n"
                "stint forecast --by service --where team=nlp --month 2026-12",
    .print = print_forecast,
};
