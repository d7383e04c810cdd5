/* stint accuracy */

#include "cli/commands.h"
#include "cli/view.h"
#include "op/estimate/calibrate.h"
#include "op/op.h"

static void print_kinds(const struct view *view, const struct accuracy_result *res)
{
    static const struct column columns[] = {
        COLUMN("of", of),
        COLUMN("runs", runs),
        COLUMN("step: median", bias, .form = COLUMN_CHANGE),
        COLUMN("mean error", error, .form = COLUMN_PERCENT),
        COLUMN("worst", worst, .form = COLUMN_CHANGE),
        COLUMN("memory: median", memory_bias, .form = COLUMN_CHANGE, .optional = true),
        COLUMN("mean error", memory_error, .form = COLUMN_PERCENT, .optional = true),
        COLUMN("cost: median", cost_bias, .form = COLUMN_CHANGE, .optional = true),
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

static void print_accuracy_runs(const struct view *view, const struct accuracy_result *res)
{
    static const struct column columns[] = {
        COLUMN("run", name, .shrink = true),
        COLUMN("started (UTC)", started, .optional = true),
        COLUMN("GPU", gpu),
        COLUMN("model", model, .optional = true),
        COLUMN("step predicted", predicted_step_s, .form = COLUMN_LENGTH),
        COLUMN("measured", step_s, .form = COLUMN_LENGTH),
        COLUMN("off by", error, .form = COLUMN_CHANGE),
        COLUMN("memory off by", memory_error, .form = COLUMN_CHANGE, .optional = true),
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
        buf_adds(view->out, "no run with an estimate and steps has ended well yet: 'stint run "
                            "--job JOB -- COMMAND' makes one\n");
    } else {
        print_kinds(view, res);
        print_accuracy_runs(view, res);
        buf_adds(view->out, "\nmeasured over predicted, less 1: the steady step time, without "
                            "start-up, evaluations and checkpoints. 'stint calibrate' learns "
                            "from it\n");
    }
    if (res->other_gpu > 0)
        buf_addf(view->out, "%lld run%s on another GPU than estimated: left out\n",
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
    .about =
        "Compares estimates with results: predicted and measured step time (once the "
        "program is warm), peak GPU memory and cost of every run that has an estimate (of its "
        "job, its plan, or its training callback) and succeeded, by month, GPU or "
        "framework.",
    .examples = "stint accuracy\nstint accuracy --by gpu --since 90d",
    .print = print_accuracy,
};
