/* stint compare */
#include <math.h>

#include "cli/commands.h"
#include "cli/runs_view.h"
#include "op/runs/compare.h"
#include "unit/shown.h"

#define CELL_MAX 128

/* The lines of the table. */
enum line {
    LINE_STATE,
    LINE_COST,
    LINE_TIME,
    LINE_ENERGY,
    LINE_CARBON,
    LINE_BUSY,
    LINE_SCORE,
    LINE_STEP,
    LINE_METRIC,
    LINE_BEST,
    LINE_PER_STEP,
    LINE_STEP_TIME,
    LINE_PER_GAIN,
    LINE_TO_TARGET,
    LINE_TIME_TO_TARGET,
    LINES,
};

static const char *const labels[LINES] = {
    "state",
    "cost",
    "took",
    "energy",
    "carbon",
    "GPU busy",
    "score",
    "step",
    "metric, last",
    "metric, best",
    "cost per step",
    "time per step",
    "cost per 1 of metric",
    "cost to target",
    "time to target",
};

static void put_compared_amount(double value, struct buf *out)
{
    value_dollars(value, out);
}

static void put_energy(double joules, struct buf *out)
{
    joule_write((joule){joules}, out);
}

static void put_carbon(double grams, struct buf *out)
{
    gram_co2_write((gram_co2){grams}, out);
}

static void put_compared_score(double value, struct buf *out)
{
    buf_addf(out, "%.0f", value);
}

static double compared_span_seconds(span s)
{
    return s.ns >= 0 ? (double)s.ns / 1e9 : NAN;
}

static void put_span(double seconds, struct buf *out)
{
    span_write((span){(int64_t)(seconds * 1e9)}, out);
}

/* The value of a line, and how it is written; NULL: it is the state. */
static double compared_value(const struct compared_run *row, enum line line,
                             void (**put)(double value, struct buf *out))
{
    const struct ledger_totals *t = &row->run.totals;
    const struct {
        double value;
        void (*put)(double value, struct buf *out);
    } values[LINES] = {
        [LINE_COST] = {usd_double(t->cost), put_compared_amount},
        [LINE_TIME] = {compared_span_seconds(t->elapsed), put_span},
        [LINE_ENERGY] = {t->joules, put_energy},
        [LINE_CARBON] = {t->grams, put_carbon},
        [LINE_BUSY] = {t->gpu_busy, value_share},
        [LINE_SCORE] = {t->score, put_compared_score},
        [LINE_STEP] = {t->step, value_count},
        [LINE_METRIC] = {t->loss, runs_metric},
        [LINE_BEST] = {t->best, runs_metric},
        [LINE_PER_STEP] = {usd_double(row->cost_per_step), put_compared_amount},
        [LINE_STEP_TIME] = {row->s_per_step, value_seconds},
        [LINE_PER_GAIN] = {usd_double(row->cost_per_improvement), put_compared_amount},
        [LINE_TO_TARGET] = {usd_double(row->cost_to_target), put_compared_amount},
        [LINE_TIME_TO_TARGET] = {compared_span_seconds(row->time_to_target), put_span},
    };

    *put = values[line].put;
    return values[line].put != NULL ? values[line].value : NAN;
}

/* A line in which nothing is known is not shown. */
static bool worth_showing(const struct comparison *res, enum line line)
{
    const struct compared_run *rows = res->runs.at;
    void (*put)(double value, struct buf *out);
    bool known = line == LINE_STATE || line == LINE_COST;

    for (size_t i = 0; !known && i < res->runs.len; i++)
        known = !isnan(compared_value(&rows[i], line, &put));
    return known;
}

/* The next cell, from a buffer, which is freed; "-" when there is nothing in it. */
static void add_buf_cell(struct table *t, struct buf *text)
{
    if (text->len == 0)
        buf_char(text, '-');
    if (text->failed != ERROR_NONE)
        t->failed = true;
    table_text(t, buf_text(text));
    buf_free(text);
}

/* The table: a column for each run. */
static void print_run_comparison(const struct view *view, const struct comparison *res)
{
    struct table_column columns[COMPARE_MAX + 1] = {{.title = ""}};
    const struct compared_run *rows = res->runs.at;
    struct table t;

    for (size_t i = 0; i < res->runs.len; i++)
        columns[i + 1] = (struct table_column){.title = ledger_short(rows[i].run.start.id).at,
                                               .right = true};
    t = table_new(columns, res->runs.len + 1, view->arena);
    table_cell(&t, "name");
    for (size_t i = 0; i < res->runs.len; i++)
        table_text(&t, rows[i].run.start.name);
    for (int line = 0; line < LINES; line++) {
        if (!worth_showing(res, (enum line)line))
            continue;
        table_cell(&t, "%s", labels[line]);
        for (size_t i = 0; i < res->runs.len; i++) {
            struct buf text = buf_new(view->arena->alloc, CELL_MAX);
            void (*put)(double value, struct buf *out);
            double value = compared_value(&rows[i], (enum line)line, &put);

            if (put == NULL)
                buf_adds(&text, ledger_state_word(rows[i].run.state, rows[i].run.reason));
            else if (!isnan(value))
                put(value, &text);
            else
                buf_char(&text, '?');
            add_buf_cell(&t, &text);
        }
    }
    table_write(&t, &view->term, view->out);
}

/* What they printed: "0.41, 0.38 to 2.31", the last value, the lowest and the highest. */
static void print_compared_metrics(const struct view *view, const struct comparison *res)
{
    struct table_column columns[COMPARE_MAX + 1] = {{.title = "last value, lowest to highest"}};
    const struct compared_metric *metrics = res->metrics.at;
    const struct compared_run *rows = res->runs.at;
    struct table t;

    if (res->metrics.len == 0)
        return;
    for (size_t i = 0; i < res->runs.len; i++)
        columns[i + 1] = (struct table_column){.title = ledger_short(rows[i].run.start.id).at,
                                               .right = true};
    t = table_new(columns, res->runs.len + 1, view->arena);
    for (size_t m = 0; m < res->metrics.len; m++) {
        table_text(&t, metrics[m].name);
        for (size_t i = 0; i < res->runs.len; i++) {
            struct buf text = buf_new(view->arena->alloc, CELL_MAX);

            if (!isnan(metrics[m].last.at[i])) {
                runs_metric(metrics[m].last.at[i], &text);
                buf_adds(&text, ", ");
                runs_metric(metrics[m].low.at[i], &text);
                buf_adds(&text, " to ");
                runs_metric(metrics[m].high.at[i], &text);
            }
            add_buf_cell(&t, &text);
        }
    }
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
}

static void print_differences(const struct view *view, const struct rows *list)
{
    const struct compared_difference *rows = list->at;

    buf_adds(view->out, list->len > 0 ? "\nthey differ in\n"
                                      : "\nthey differ in nothing that is recorded\n");
    for (size_t i = 0; i < list->len; i++)
        for (size_t k = 0; k < rows[i].values.len; k++) {
            buf_adds(view->out, "  ");
            if (k == 0)
                buf_addf(view->out, "%-14.*s", STR_ARG(rows[i].what));
            else
                buf_pad(view->out, ' ', 14);
            buf_add_safe(view->out, rows[i].values.at[k]);
            buf_char(view->out, '\n');
        }
}

static void print_compare(const struct view *view, const void *result)
{
    const struct comparison *res = result;
    const struct compared_measure *measures = res->measures.at;

    print_run_comparison(view, res);
    if (res->metric.len > 0) {
        buf_adds(view->out, "\nof the metric, ");
        buf_add(view->out, res->metric);
        buf_adds(view->out, " is better; the target is the value that all reached: ");
        runs_metric(res->target, view->out);
        buf_char(view->out, '\n');
    }
    print_compared_metrics(view, res);
    print_differences(view, &res->differences);
    if (res->unfinished)
        buf_adds(view->out,
                 "\nnot all of them are done, so cost, time and energy are not compared\n");
    if (res->measures.len > 0)
        buf_char(view->out, '\n');
    for (size_t i = 0; i < res->measures.len; i++) {
        buf_addf(view->out, "%-22.*s", STR_ARG(measures[i].measure));
        buf_add_safe(view->out, measures[i].words);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_compare = {
    .name = "compare",
    .op = &op_compare,
    .group = {"runs side by side: settings, usage, cost", .stage = CLI_AFTER},
    .about =
        "Compares runs side by side: cost, time and usage of each, the cost of a step and of a "
        "gain in the metric, the cost until each reached the metric that all reached, their "
        "differences, and the best one with its margin. Runs are named as in 'stint show'.",
    .examples = "stint compare 1a2b3c4d last\n"
                "stint compare bert-lr1 bert-lr2 bert-lr3 --json",
    .print = print_compare,
};
