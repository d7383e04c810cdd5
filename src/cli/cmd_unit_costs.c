/* stint unit-costs */
#include <math.h>
#include <string.h>

#include "cli/alert_view.h"
#include "cli/commands.h"
#include "cli/costs_view.h"
#include "cli/number_view.h"
#include "cli/runs_view.h"
#include "op/account/unit_costs.h"

#define COLUMNS_MAX 8

static const struct table_column columns[][COLUMNS_MAX] = {
    [UNIT_EXPERIMENT] = {{.title = "experiment", .shrink = true},
                         {.title = "cost", .right = true}},
    [UNIT_UPDATE] = {{.title = "model", .shrink = true},
                     {.title = "from"},
                     {.title = "to"},
                     {.title = "retraining", .right = true},
                     {.title = "validation", .right = true},
                     {.title = "deployment", .right = true},
                     {.title = "update", .right = true}},
    [UNIT_PREDICTION] = {{.title = "model", .shrink = true},
                         {.title = "inference", .right = true},
                         {.title = "count", .right = true},
                         {.title = "for 1000", .right = true}},
    [UNIT_IMPROVEMENT] = {{.title = "id"},
                          {.title = "run", .shrink = true},
                          {.title = "first", .right = true},
                          {.title = "best", .right = true},
                          {.title = "gain", .right = true},
                          {.title = "cost", .right = true},
                          {.title = "for a gain of 1", .right = true}},
};
static const size_t column_counts[] = {
    [UNIT_EXPERIMENT] = 2, [UNIT_UPDATE] = 7, [UNIT_PREDICTION] = 4, [UNIT_IMPROVEMENT] = 7};

static void metric_cell(struct table *t, double value)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    runs_metric(value, &text);
    runs_cell(t, &text);
}

/* What one costs is worked out, not recorded: three digits of a fraction of a cent. */
static void unit_cell(struct table *t, double amount, struct str currency)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    if (isnan(amount))
        buf_char(&text, '?');
    else if (str_eq(currency, STR("USD")))
        dollars_write(amount, &text);
    else {
        number_write(amount, &text);
        buf_addf(&text, " %.*s", STR_ARG(currency));
    }
    runs_cell(t, &text);
}

static void row_cells(struct table *t, enum unit_kind kind, const struct unit_costs_row *r)
{
    struct buf count = buf_new(t->arena->alloc, 64);

    switch (kind) {
    case UNIT_EXPERIMENT:
        table_text(t, r->name);
        costs_cell(t, &r->amount);
        break;
    case UNIT_UPDATE:
        table_text(t, r->name);
        view_day(t, r->from);
        view_day(t, r->to);
        costs_cell(t, &r->retraining);
        costs_cell(t, &r->validation);
        costs_cell(t, &r->deployment);
        costs_cell(t, &r->amount);
        break;
    case UNIT_PREDICTION:
        costs_name_cell(t, r->name);
        costs_cell(t, &r->amount);
        if (!isnan(r->count))
            count_write(r->count, &count);
        table_text(t, isnan(r->count) ? STR("?") : buf_text(&count));
        unit_cell(t, r->per_thousand, str_from(r->amount.currency));
        break;
    case UNIT_IMPROVEMENT:
        table_text(t, r->id);
        table_text(t, r->name);
        metric_cell(t, r->first);
        metric_cell(t, r->best);
        metric_cell(t, r->gain);
        costs_cell(t, &r->amount);
        unit_cell(t, r->per_unit, str_from(r->amount.currency));
        break;
    }
    buf_free(&count);
}

static void print_mean(const struct view *view, const struct unit_costs_result *res)
{
    if (isnan(res->costs.mean) || res->costs.count < 2)
        return;
    buf_addf(view->out, "%lld %.*ss: ", (long long)res->costs.count, STR_ARG(res->of));
    if (strcmp(res->costs.mean_currency, "USD") == 0)
        dollars_write(res->costs.mean, view->out);
    else
        number_write(res->costs.mean, view->out);
    buf_adds(view->out, " in the mean, half of them under ");
    if (strcmp(res->costs.mean_currency, "USD") == 0)
        dollars_write(res->costs.median, view->out);
    else
        number_write(res->costs.median, view->out);
    if (strcmp(res->costs.mean_currency, "USD") != 0)
        buf_addf(view->out, " %s", res->costs.mean_currency);
    buf_char(view->out, '\n');
}

/* What to do when there is nothing to tell. */
static void print_none(const struct view *view, const struct unit_costs_result *res)
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

static void print_whole(const struct view *view, const struct unit_costs_result *res)
{
    const struct unit_costs_row *rows = res->costs.rows.at;
    struct table t = table_new(columns[res->kind], column_counts[res->kind], view->arena);
    bool monthly = false;

    for (size_t i = 0; i < res->costs.rows.len; i++) {
        row_cells(&t, res->kind, &rows[i]);
        monthly |= str_eq(rows[i].by, STR("month"));
    }
    table_write(&t, &view->term, view->out);
    if ((size_t)res->costs.count > res->costs.rows.len)
        buf_addf(view->out, "and %lld more: --limit 0 shows all\n",
                 (long long)res->costs.count - (long long)res->costs.rows.len);
    print_mean(view, res);
    if (monthly)
        buf_adds(view->out, "no deployment was seen of some: those are by the month\n");
}

/* ---- by day or month ---- */

static void change_cell(struct table *t, double change)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    if (!isnan(change))
        buf_addf(&text, "%+.*f %%", fabs(change) < 0.0995 ? 1 : 0, change * 100);
    runs_cell(t, &text);
}

static void period_cells(struct table *t, const struct unit_costs_result *res,
                         const struct unit_period *p, bool named)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    if (named)
        costs_name_cell(t, p->name);
    buf_addf(&text, "%.*s%s", STR_ARG(p->period), p->running ? "*" : "");
    runs_cell(t, &text);
    costs_cell(t, &p->amount);
    if (res->kind == UNIT_IMPROVEMENT) {
        metric_cell(t, p->count);
    } else {
        text = buf_new(t->arena->alloc, 64);
        if (isnan(p->count))
            buf_char(&text, '?');
        else
            count_write(p->count, &text);
        runs_cell(t, &text);
    }
    unit_cell(t, p->unit_cost, str_from(p->amount.currency));
    change_cell(t, p->change);
}

static void print_trend(const struct view *view, const struct unit_costs_result *res,
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
    if (t->risen && t->compared == 1)
        buf_addf(out, "; up %.0f %% in %.*s from the one before", t->rise * 100,
                 STR_ARG(t->period));
    else if (t->risen)
        buf_addf(out, "; up %.0f %% in %.*s from the median of the %lld before", t->rise * 100,
                 STR_ARG(t->period), (long long)t->compared);
    buf_char(out, '\n');
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
    bool named = res->kind == UNIT_PREDICTION, running = false;
    struct table_column headings[6] = {{.title = "model", .shrink = true}};
    size_t count = named;
    struct table t;

    headings[count++] =
        (struct table_column){.title = str_eq(res->by, STR("day")) ? "day" : "month"};
    headings[count++] = (struct table_column){.title = "cost", .right = true};
    headings[count++] = (struct table_column){.title = units[res->kind], .right = true};
    headings[count++] = (struct table_column){.title = of_one[res->kind], .right = true};
    headings[count++] = (struct table_column){.title = "trend", .right = true};
    t = table_new(headings, count, view->arena);
    for (size_t i = 0; i < res->costs.rows.len; i++) {
        period_cells(&t, res, &rows[i], named);
        running |= rows[i].running;
    }
    table_write(&t, &view->term, view->out);
    if ((size_t)res->costs.count > res->costs.rows.len)
        buf_addf(view->out, "and %lld earlier: --limit 0 shows all\n",
                 (long long)res->costs.count - (long long)res->costs.rows.len);
    buf_char(view->out, '\n');
    if (running)
        buf_addf(view->out, "* the running %.*s\n", STR_ARG(res->by));
    for (size_t i = 0; i < res->costs.trends.len; i++)
        print_trend(view, res, &trends[i]);
}

static void print_unit_costs(const struct view *view, const void *result)
{
    const struct unit_costs_result *res = result;

    if (res->costs.count == 0)
        print_none(view, res);
    else if (res->by.len > 0)
        print_periods(view, res);
    else
        print_whole(view, res);
    costs_print_apart(view, "not in it, for want of the tag: ", &res->costs.without);
    if (res->costs.unknown > 0)
        buf_addf(view->out, "left out: %lld run%s without a price, or a metric that changed\n",
                 (long long)res->costs.unknown, res->costs.unknown == 1 ? "" : "s");
    if (res->kind == UNIT_IMPROVEMENT && res->costs.count > 1)
        buf_adds(view->out, "gains of different metrics do not compare\n");
    if (res->kind != UNIT_IMPROVEMENT)
        costs_print_basis(view, &res->basis);
    if (res->told)
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
    .about = "What one of something cost. An experiment: all that has its tag. An update of a\n"
             "model: its retraining, validation and deployment (the tag 'phase') from one\n"
             "deployment to the next. A prediction: the inference of a model over the counts\n"
             "of it ('stint counts'). An improvement: a run's cost over the gain from the\n"
             "first to the best value of its watched metric.\n\n"
             "With --by day or month: what one cost in each (all of the period over all units\n"
             "of it) and how that changed. An alert is sent when the newest complete period\n"
             "costs more than the median of the 7 days or 3 months before by over --rise.",
    .examples = "stint unit-costs experiment --since 30d\n"
                "stint unit-costs update --where model=bert\n"
                "stint unit-costs prediction --month 2026-10\n"
                "stint unit-costs prediction --by month --rise 15% --alert team",
    .print = print_unit_costs,
};
