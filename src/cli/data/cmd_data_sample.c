/* stint data sample */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/data/data_sample.h"
#include "unit/shown.h"

static void write_sample_count(int64_t count, const char *what, struct buf *out)
{
    value_count((double)count, out);
    buf_addf(out, " %s%s", what, num_plural(count));
}

static void print_whole(const struct view *view, const struct data_sample_result *res)
{
    if (res->whole_files == 0)
        return;
    buf_char(view->out, '\n');
    view_label(view, "in each");
    for (size_t i = 0; i < res->whole.len; i++) {
        buf_adds(view->out, i > 0 ? ", " : "");
        buf_add_safe(view->out, res->whole.at[i]);
    }
    if ((int64_t)res->whole.len < res->whole_files)
        buf_addf(view->out, " and %lld more",
                 (long long)res->whole_files - (long long)res->whole.len);
    buf_char(view->out, '\n');
}

static void print_data_sample(const struct view *view, const void *result)
{
    static const struct column groups[] = {
        COLUMN("group", group, .shrink = true),
        COLUMN("examples", examples),
        COLUMN("taken", taken),
        COLUMN("share", share),
    };
#define STAGE_COLUMNS \
    COLUMN("asked", fraction), COLUMN("folder", folder, .shrink = true), \
        COLUMN("examples", examples), COLUMN("files", files), COLUMN("size", size)
    static const struct column stages[] = {STAGE_COLUMNS};
    static const struct column planned[] = {STAGE_COLUMNS, COLUMN("cost", cost),
                                            COLUMN("time", time),
                                            COLUMN("offer", offer, .shrink = true)};
    const struct data_sample_result *res = result;

    buf_add_safe(view->out, res->folder);
    buf_adds(view->out, ": ");
    write_sample_count(res->examples, res->rows ? "row" : "example", view->out);
    buf_adds(view->out, ", ");
    write_sample_count(res->files, "file", view->out);
    buf_adds(view->out, ", ");
    bytes_write(res->size, view->out);
    buf_adds(view->out, "\n\n");
    view_rows(view, &op_data_sample, res, "groups", COLUMNS(groups));
    if ((int64_t)res->groups.len < res->group_count)
        buf_addf(view->out, "and %lld more: --limit\n",
                 (long long)res->group_count - (long long)res->groups.len);
    buf_char(view->out, '\n');
    if (res->job.len > 0)
        view_rows(view, &op_data_sample, res, "stages", COLUMNS(planned));
    else
        view_rows(view, &op_data_sample, res, "stages", COLUMNS(stages));
    print_whole(view, res);
    if (res->dry_run)
        buf_adds(view->out, "this was a dry run: no folder was made\n");
}

const struct command cmd_data_sample = {
    .name = "data sample",
    .op = &op_data_sample,
    .about =
        "Makes a folder of links with a part of a data set, for the first experiments. An "
        "example is the files that belong together: an image with its caption, labels or mask. "
        "Each folder, or with --labels each label, gives the same fraction. Names decide, so "
        "that the choice is the same everywhere, and a larger fraction contains each smaller "
        "one. Files of the set as a whole, such as classes.txt, are in every fraction. Where "
        "most "
        "of the data is in tables (.jsonl, .csv), their rows are the examples.\n"
        "With --job each fraction is planned: what the job costs with it.",
    .examples = "stint data sample photos --fraction 5%\n"
                "stint data sample photos --stages 5,25,100 --job train.yaml\n"
                "stint data sample audio --fraction 10% --labels labels.csv --least 1",
    .print = print_data_sample,
};
