/* stint data weights */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/data/savings_view.h"
#include "cli/view.h"
#include "op/data/data_weights.h"
#include "unit/shown.h"

static bool has_weights_files(const void *row)
{
    return ((const struct weights_sum *)row)->files > 0;
}

static const struct column sum_columns[] = {
    COLUMN("result", outcome),
    COLUMN("files", files),
    COLUMN("before", size),
    COLUMN("after", new_size),
};

static const struct column corrupt_columns[] = {
    COLUMN("corrupt file", path, .shrink = true),
    COLUMN("why", reason, .shrink = true),
};

static const struct column note_columns[] = {
    COLUMN("path", path, .shrink = true),
    COLUMN("note", reason, .shrink = true),
};

static const struct column group_columns[] = {
    COLUMN("size", size),
    COLUMN("equal tensors", tensors, .shrink = true),
};

static const struct column problem_columns[] = {
    COLUMN("path", path, .shrink = true),
    COLUMN("problem", reason, .shrink = true),
};

/* A table with a heading, when there are rows, and how many are not shown. */
static void print_weights_list(const struct view *view, const struct data_weights_result *res,
                               const char *name, struct rows rows, int64_t count,
                               const struct columns *columns)
{
    if (count == 0)
        return;
    buf_char(view->out, '\n');
    view_rows(view, &op_data_weights, res, name, columns);
    if (rows.len < (size_t)count)
        buf_addf(view->out, "and %lld more: --limit\n", (long long)count - (long long)rows.len);
}

static void print_tensor_counts(const struct view *view, const struct data_weights_result *res)
{
    buf_add_safe(view->out, res->folder);
    buf_adds(view->out, ": ");
    value_count((double)res->files, view->out);
    buf_addf(view->out, " file%s, ", num_plural(res->files));
    value_count((double)res->tensors, view->out);
    buf_addf(view->out, " tensor%s in ", num_plural(res->tensors));
    value_count((double)res->weights, view->out);
    buf_addf(view->out, " of them\n\n");
}

static void print_cast(const struct view *view, const struct data_weights_result *res)
{
    if (res->cast == 0)
        return;
    view_label(view, "cast");
    value_count((double)res->cast, view->out);
    buf_addf(view->out, " tensor%s", num_plural(res->cast));
    if (res->overflowed > 0) {
        buf_adds(view->out, "; infinite now: ");
        value_count((double)res->overflowed, view->out);
    }
    if (res->underflowed > 0) {
        buf_adds(view->out, "; zero now: ");
        value_count((double)res->underflowed, view->out);
    }
    buf_char(view->out, '\n');
}

static void print_data_weights(const struct view *view, const void *result)
{
    const struct data_weights_result *res = result;

    print_tensor_counts(view, res);
    view_rows(view, &op_data_weights, res, "outcomes",
              COLUMNS(sum_columns, .shown = has_weights_files));
    print_weights_list(view, res, "corrupt", res->corrupt, res->corrupt_count,
                       COLUMNS(corrupt_columns));
    print_weights_list(view, res, "notes", res->notes, res->note_count, COLUMNS(note_columns));
    print_weights_list(view, res, "duplicates", res->duplicates, res->duplicate_count,
                       COLUMNS(group_columns));
    print_weights_list(view, res, "problems", res->problems, (int64_t)res->problems.len,
                       COLUMNS(problem_columns));
    buf_char(view->out, '\n');
    print_cast(view, res);
    view_savings(view, &res->transfer_savings, res->size, "the model");
    view_label(view, "written");
    buf_add_safe(view->out, res->optimized_path);
    buf_char(view->out, '\n');
}

const struct command cmd_data_weights = {
    .name = "data weights",
    .op = &op_data_weights,
    .about =
        "Makes the folder of a model smaller, in a new folder; the originals stay. Every "
        "tensor "
        "is read back from what was written and compared with the original, or with its cast. "
        "Configurations, tokenizers and everything else are copied, with their times.\n"
        "With --cast tensors of fp32 and fp64 become bf16 or fp16, rounded to the nearest; "
        "integers and types of fewer bits stay. Indexes of shards (total_size) and the type in "
        "config.json are brought in line. Values that fp16 cannot hold are counted; NaN stays "
        "NaN. With --drop-optimizer files and keys that only a training that goes on needs are "
        "left "
        "out; without it states of optimizers keep their types. With --drop-duplicates files "
        "of "
        "PyTorch are left out whose tensors are all in .safetensors files, too.\n"
        "PyTorch's checkpoints are read without executing their pickles. Memory in them that "
        "no "
        "tensor uses is not written again.\n"
        "Files whose tensors cannot be read are copied as they are, and listed; corrupt ones "
        "are copied to a folder of their own.",
    .examples =
        "stint data weights llama\n"
        "stint data weights llama --cast bf16\n"
        "stint data weights checkpoint-5000 --drop-optimizer -o upload --to aws/us-east-1",
    .print = print_data_weights,
};
