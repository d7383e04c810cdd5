/* stint accuracy */
#include <math.h>

#include "cli/commands.h"
#include "cli/runs_view.h"
#include "cli/view.h"
#include "op/estimate/calibrate.h"

static void signed_percent(struct table *t, double share)
{
    if (isnan(share))
        table_cell(t, "-");
    else
        table_cell(t, "%+.0f%%", 100 * share);
}

static void row_cells(struct table *t, const struct accuracy_row *row)
{
    table_text(t, row->of);
    table_cell(t, "%lld", (long long)row->runs);
    signed_percent(t, row->bias);
    view_percent(t, row->error);
    signed_percent(t, row->worst);
    signed_percent(t, row->cost_bias);
    view_percent(t, row->cost_error);
}

static void print_kinds(const struct view *view, const struct accuracy_result *res)
{
    static const struct table_column columns[] = {
        {.title = "of"},
        {.title = "runs", .right = true},
        {.title = "time: median", .right = true},
        {.title = "mean error", .right = true},
        {.title = "worst", .right = true},
        {.title = "cost: median", .right = true, .optional = true},
        {.title = "mean error", .right = true, .optional = true},
    };
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    const struct accuracy_row *rows = res->rows.at;

    for (size_t i = 0; i < res->rows.len; i++)
        row_cells(&t, &rows[i]);
    if (res->rows.len > 1)
        row_cells(&t, &res->all);
    table_write(&t, &view->term, view->out);
}

#define NEWEST 10

static void print_runs(const struct view *view, const struct accuracy_result *res)
{
    static const struct table_column columns[] = {
        {.title = "run", .shrink = true},
        {.title = "started (UTC)", .optional = true},
        {.title = "GPU"},
        {.title = "predicted", .right = true},
        {.title = "took", .right = true},
        {.title = "off by", .right = true},
    };
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    const struct accuracy_run *runs = res->runs.at;

    for (size_t i = 0; i < res->runs.len && i < NEWEST; i++) {
        struct buf when = buf_new(view->arena->alloc, 64), time = when, took = when;

        table_text(&t, runs[i].name);
        runs_when(runs[i].started, false, &when);
        runs_cell(&t, &when);
        table_text(&t, runs[i].gpu);
        runs_span(runs[i].predicted, &time);
        runs_cell(&t, &time);
        runs_span(runs[i].actual, &took);
        runs_cell(&t, &took);
        signed_percent(&t, runs[i].error);
    }
    buf_adds(view->out, "\n");
    table_write(&t, &view->term, view->out);
}

static void print(const struct view *view, const void *result)
{
    const struct accuracy_result *res = result;

    if (res->count == 0) {
        buf_adds(view->out, "no run was predicted and ended well yet: 'stint plan JOB --save "
                            "PLAN.json', then 'stint run --plan PLAN.json -- COMMAND'\n");
        return;
    }
    print_kinds(view, res);
    print_runs(view, res);
    buf_adds(view->out,
             "\nactual over predicted, less 1; work that was done twice is left out. "
             "'stint calibrate' learns from it\n");
}

const struct command cmd_accuracy = {
    .name = "accuracy",
    .op = &op_accuracy,
    .about = "How estimates came out: predicted and actual time and cost of every run that\n"
             "was planned and ended well, by month, GPU or framework.",
    .examples = "stint accuracy\nstint accuracy --by gpu --since 90d",
    .print = print,
};
