/* stint unit-costs */
#include <math.h>

#include "cli/alert_view.h"
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "cli/runs_view.h"
#include "op/account/unit_costs.h"
#include "unit/shown.h"

/* The metrics of a run: its first and best value and the gain, by index. */
static bool write_unit_metric(const struct column *column, const void *row, struct buf *out)
{
    const struct unit_costs_row *r = row;

    runs_metric(column->index == 0 ? r->first : column->index == 1 ? r->best : r->gain, out);
    return true;
}

static const struct column experiment_columns[] = {
    COLUMN("experiment", name, .shrink = true, .unknown = ""),
    COLUMN("cost", amount),
};
static const struct column update_columns[] = {
    COLUMN("model", name, .shrink = true, .unknown = ""),
    COLUMN("from", from),
    COLUMN("to", to),
    COLUMN("retraining", retraining),
    COLUMN("validation", validation),
    COLUMN("deployment", deployment),
    COLUMN("update", amount),
};
static const struct column prediction_columns[] = {
    COLUMN("model", name, .shrink = true, .unknown = "(none)"),
    COLUMN("inference", amount),
    COLUMN("count", count, .form = COLUMN_WHOLE, .unknown = "?"),
    COLUMN("for 1000", per_thousand, .currency = "currency", .unknown = "?"),
};
static const struct column improvement_columns[] = {
    COLUMN("id", id, .unknown = ""),
    COLUMN("run", name, .shrink = true, .unknown = ""),
    COLUMN_CELL("first", write_unit_metric, .side = COLUMN_RIGHT),
    COLUMN_CELL("best", write_unit_metric, .side = COLUMN_RIGHT, .index = 1),
    COLUMN_CELL("gain", write_unit_metric, .side = COLUMN_RIGHT, .index = 2),
    COLUMN("cost", amount),
    COLUMN("for a gain of 1", per_unit, .currency = "currency", .unknown = "?"),
};
static const struct columns unit_columns[] = {
    [UNIT_EXPERIMENT] = {.at = experiment_columns, .len = ARRAY_LEN(experiment_columns)},
    [UNIT_UPDATE] = {.at = update_columns, .len = ARRAY_LEN(update_columns)},
    [UNIT_PREDICTION] = {.at = prediction_columns, .len = ARRAY_LEN(prediction_columns)},
    [UNIT_IMPROVEMENT] = {.at = improvement_columns, .len = ARRAY_LEN(improvement_columns)},
};

static void write_mean(double amount, struct currency currency, struct buf *out)
{
    if (currency_is(currency, currency_usd))
        value_dollars(amount, out);
    else
        value_number(amount, out);
}

static void print_mean(const struct view *view, const struct unit_costs_result *res)
{
    if (isnan(res->costs.mean) || res->costs.count < 2)
        return;
    buf_addf(view->out, "%lld %.*ss: ", (long long)res->costs.count, STR_ARG(res->of));
    write_mean(res->costs.mean, res->costs.mean_currency, view->out);
    buf_adds(view->out, " on average, half of them under ");
    write_mean(res->costs.median, res->costs.mean_currency, view->out);
    if (!currency_is(res->costs.mean_currency, currency_usd))
        buf_addf(view->out, " %s", res->costs.mean_currency.code);
    buf_char(view->out, '\n');
}

/* What to do when there is nothing to show. */
static void print_no_unit_costs(const struct view *view, const struct unit_costs_result *res)
{
    static const char *const advice[] = {
        [UNIT_EXPERIMENT] = "nothing has the tag 'experiment': 'stint run --tag "
                            "experiment=NAME' gives it one\n",
        [UNIT_UPDATE] = "nothing has a tag 'model' and a phase retraining, validation or "
                        "deployment\n",
        [UNIT_PREDICTION] = "nothing has the phase inference: give it the tag "
                            "'phase=inference'\n",
        [UNIT_IMPROVEMENT] = "no run with a price and a metric that changed\n",
    };

    buf_adds(view->out, advice[res->kind]);
}

static void print_units(const struct view *view, const struct unit_costs_result *res)
{
    const struct unit_costs_row *rows = res->costs.rows.at;
    bool monthly = false;

    for (size_t i = 0; i < res->costs.rows.len; i++)
        monthly |= str_eq(rows[i].by, STR("month"));
    columns_print(&unit_columns[res->kind], &res->costs.rows, &view->term, view->arena,
                  view->out);
    if ((size_t)res->costs.count > res->costs.rows.len)
        buf_addf(view->out, "and %lld more: --limit 0 shows all\n",
                 (long long)res->costs.count - (long long)res->costs.rows.len);
    print_mean(view, res);
    if (monthly)
        buf_adds(view->out, "no deployment was seen of some: those are by the month\n");
}

/* ---- by day or month ---- */

static bool write_period_count(const struct column *column, const void *row, struct buf *out)
{
    const struct unit_period *p = row;

    if (column->index == UNIT_IMPROVEMENT)
        runs_metric(p->count, out);
    else if (!isnan(p->count))
        value_count(p->count, out);
    return true;
}

static void print_rise(const struct unit_trend *t, struct buf *out)
{
    buf_adds(out, "; up ");
    value_share(t->rise, out);
    buf_addf(out, " in %.*s from the ", STR_ARG(t->period));
    if (t->compared == 1)
        buf_adds(out, "one before");
    else
        buf_addf(out, "median of the %lld before", (long long)t->compared);
}

static void print_unit_trend(const struct view *view, const struct unit_costs_result *res,
                             const struct unit_trend *t)
{
    struct buf *out = view->out;

    if (t->name.len > 0) {
        buf_add_safe(out, t->name);
        buf_adds(out, ": ");
    }
    if (isnan(t->trend))
        buf_addf(out, "no trend yet: it takes three complete %.*ss with a unit cost",
                 STR_ARG(res->by));
    else
        buf_addf(out, "trend %+.1f %% a %.*s, over %lld %.*ss", t->trend * 100,
                 STR_ARG(res->by), (long long)t->periods, STR_ARG(res->by));
    if (t->risen)
        print_rise(t, out);
    buf_char(out, '\n');
}

/* "2026-11: cost and predictions of 11 days, 2026-11-01 to 2026-11-11": not of all. */
static void print_partial(const struct view *view, const struct unit_costs_result *res)
{
    const struct unit_period *rows = res->costs.rows.at;

    for (size_t i = 0; i < res->costs.rows.len; i++) {
        const struct unit_period *p = &rows[i];

        if (!p->partial)
            continue;
        buf_addf(view->out, "%.*s: cost and predictions of the same %lld day%s, ",
                 STR_ARG(p->period), (long long)p->same.days, p->same.days == 1 ? "" : "s");
        day_write(p->same.first, view->out);
        buf_adds(view->out, " to ");
        day_write(p->same.last, view->out);
        buf_adds(view->out, "; of its other days one of them is missing\n");
    }
}

static void print_periods(const struct view *view, const struct unit_costs_result *res)
{
    static const char *const units[] = {[UNIT_EXPERIMENT] = "experiments",
                                        [UNIT_UPDATE] = "updates",
                                        [UNIT_PREDICTION] = "predictions",
                                        [UNIT_IMPROVEMENT] = "gain"};
    static const char *const of_one[] = {[UNIT_EXPERIMENT] = "of one",
                                         [UNIT_UPDATE] = "of one",
                                         [UNIT_PREDICTION] = "for 1000",
                                         [UNIT_IMPROVEMENT] = "for a gain of 1"};
    const struct unit_period *rows = res->costs.rows.at;
    const struct unit_trend *trends = res->costs.trends.at;
    const struct column columns[] = {
        COLUMN("model", name, .shrink = true, .unknown = "(none)",
               .hidden = res->kind != UNIT_PREDICTION),
        COLUMN(str_eq(res->by, STR("day")) ? "day" : "month", period,
               .marks = {{"running", "*"}}),
        COLUMN("cost", amount),
        COLUMN_CELL(units[res->kind], write_period_count, .side = COLUMN_RIGHT, .unknown = "?",
                    .index = (int)res->kind),
        COLUMN(of_one[res->kind], unit_cost, .currency = "currency", .unknown = "?"),
        COLUMN("trend", change, .form = COLUMN_CHANGE),
    };
    bool running = false;

    for (size_t i = 0; i < res->costs.rows.len; i++)
        running |= rows[i].running;
    columns_print(COLUMNS(columns), &res->costs.rows, &view->term, view->arena, view->out);
    if ((size_t)res->costs.count > res->costs.rows.len)
        buf_addf(view->out, "and %lld earlier: --limit 0 shows all\n",
                 (long long)res->costs.count - (long long)res->costs.rows.len);
    buf_char(view->out, '\n');
    if (running)
        buf_addf(view->out, "* the running %.*s\n", STR_ARG(res->by));
    print_partial(view, res);
    for (size_t i = 0; i < res->costs.trends.len; i++)
        print_unit_trend(view, res, &trends[i]);
}

static void print_unit_costs(const struct view *view, const void *result)
{
    const struct unit_costs_result *res = result;

    if (res->costs.count == 0)
        print_no_unit_costs(view, res);
    else if (res->by.len > 0)
        print_periods(view, res);
    else
        print_units(view, res);
    costs_print_apart(view, "not in it, for want of the tag: ", &res->costs.without);
    if (res->costs.unknown > 0)
        buf_addf(view->out, "left out: %lld run%s without a price, or a metric that changed\n",
                 (long long)res->costs.unknown, res->costs.unknown == 1 ? "" : "s");
    if (res->kind == UNIT_IMPROVEMENT && res->costs.count > 1)
        buf_adds(view->out, "gains of different metrics do not compare\n");
    if (res->kind != UNIT_IMPROVEMENT)
        costs_print_basis(view, &res->basis);
    if (res->alerted)
        alert_view_sent(view, &res->delivered, false);
    if (res->csv.len > 0) {
        buf_adds(view->out, "wrote them to ");
        buf_add_safe(view->out, res->csv);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_unit_costs = {
    .name = "unit-costs",
    .op = &op_unit_costs,
    .group = {"the cost of one experiment, update or prediction", .stage = CLI_AFTER},
    .about =
        "Shows the cost of one unit. An experiment: all costs with its tag. An update of a "
        "model: its retraining, validation and deployment (the tag 'phase') from one "
        "deployment to the next. A prediction: the inference cost of a model divided by its "
        "counts ('stint counts'). An improvement: a run's cost divided by the gain from the "
        "first to the best value of its watched metric.\n\n"
        "With --by day or month: the cost of one unit in each (all costs of the period divided "
        "by all its units) and how that changed. An alert is sent when the newest complete "
        "period costs more than the median of the previous 7 days or 3 months by over --rise.",
    .examples = "stint unit-costs experiment --since 30d\n"
                "stint unit-costs update --where model=bert\n"
                "stint unit-costs prediction --month 2026-10\n"
                "stint unit-costs prediction --by month --rise 15% --alert team",
    .print = print_unit_costs,
};
