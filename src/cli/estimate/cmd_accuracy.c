/* stint accuracy */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/estimate/calibrate.h"
#include "op/op.h"

/* "+12%", "-3%" */
static void write_signed_error(double share, struct buf *out)
{
    if (!isnan(share))
        buf_addf(out, "%+.0f%%", 100 * share);
}

static bool write_row_error(const struct column *column, const void *row, struct buf *out)
{
    const struct accuracy_row *kind = row;
    const double errors[] = {kind->bias, kind->worst, kind->memory_bias, kind->cost_bias};

    write_signed_error(errors[column->index], out);
    return true;
}

static void print_kinds(const struct view *view, const struct accuracy_result *res)
{
    static const struct column columns[] = {
        COLUMN("of", of),
        COLUMN("runs", runs),
        COLUMN("step: median", bias, .cell = write_row_error, .index = 0),
        COLUMN("mean error", error, .form = COLUMN_PERCENT),
        COLUMN("worst", worst, .cell = write_row_error, .index = 1),
        COLUMN("memory: median", memory_bias, .cell = write_row_error, .index = 2,
               .optional = true),
        COLUMN("mean error", memory_error, .form = COLUMN_PERCENT, .optional = true),
        COLUMN("cost: median", cost_bias, .cell = write_row_error, .index = 3,
               .optional = true),
        COLUMN("mean error", cost_error, .form = COLUMN_PERCENT, .optional = true),
    };
    struct table_rows kinds = field_rows(op_accuracy.result, "rows", res);
    struct table_rows all = {kinds.row, &res->all, kinds.len > 1 ? 1 : 0};
    struct column_table t = columns_new(COLUMNS(columns), kinds.row, view->arena);

    columns_add(&t, &kinds);
    columns_add(&t, &all);
    columns_write(&t, &view->term, view->out);
}

#define NEWEST 10

static bool write_run_error(const struct column *column, const void *row, struct buf *out)
{
    const struct accuracy_run *run = row;

    write_signed_error(column->index == 0 ? run->error : run->memory_error, out);
    return true;
}

static bool write_accuracy_step(const struct column *column, const void *row, struct buf *out)
{
    const struct accuracy_run *run = row;
    double seconds = column->index == 0 ? run->predicted_step_s : run->step_s;

    if (seconds < 1)
        buf_addf(out, "%s ms", num_about(1000 * seconds).text);
    else
        buf_addf(out, "%s s", num_about(seconds).text);
    return true;
}

static void print_accuracy_runs(const struct view *view, const struct accuracy_result *res)
{
    static const struct column columns[] = {
        COLUMN("run", name, .shrink = true),
        COLUMN("started (UTC)", started, .optional = true),
        COLUMN("GPU", gpu),
        COLUMN("model", model, .optional = true),
        COLUMN_CELL("step predicted", write_accuracy_step, .side = COLUMN_RIGHT, .index = 0),
        COLUMN_CELL("measured", write_accuracy_step, .side = COLUMN_RIGHT, .index = 1),
        COLUMN("off by", error, .cell = write_run_error, .index = 0),
        COLUMN("memory off by", memory_error, .cell = write_run_error, .index = 1,
               .optional = true),
    };
    struct table_rows runs = field_rows(op_accuracy.result, "runs", res);

    runs.len = runs.len < NEWEST ? runs.len : NEWEST;
    buf_adds(view->out, "\n");
    columns_print(COLUMNS(columns), &runs, &view->term, view->arena, view->out);
}

static void print_accuracy(const struct view *view, const void *result)
{
    const struct accuracy_result *res = result;

    if (res->count == 0) {
        buf_adds(view->out, "no planned run with steps has ended well yet: 'stint plan JOB "
                            "--save PLAN.json', then 'stint run --plan PLAN.json -- "
                            "COMMAND'\n");
    } else {
        print_kinds(view, res);
        print_accuracy_runs(view, res);
        buf_adds(view->out, "\nmeasured over predicted, less 1: the steady step time, without "
                            "start-up, evaluations and checkpoints. 'stint calibrate' learns "
                            "from it\n");
    }
    if (res->other_gpu > 0)
        buf_addf(view->out, "%lld run%s on another GPU than planned: left out\n",
                 (long long)res->other_gpu, res->other_gpu == 1 ? " was" : "s were");
    if (res->without_steps > 0)
        buf_addf(
            view->out,
            "%lld run%s recorded no step time (too short, or no steps printed): left out\n",
            (long long)res->without_steps, res->without_steps == 1 ? "" : "s");
}

const struct command cmd_accuracy = {
    .name = "accuracy",
    .op = &op_accuracy,
    .group = {"estimates compared with the runs that followed", .stage = CLI_AFTER},
    .about = "Compares estimates with results: predicted and measured step time (once the "
             "program is warm), peak GPU memory and cost of every run that was planned and "
             "succeeded, by month, GPU or framework.",
    .examples = "stint accuracy\nstint accuracy --by gpu --since 90d",
    .print = print_accuracy,
};
