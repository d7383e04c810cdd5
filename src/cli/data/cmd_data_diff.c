/* stint data diff */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/data/data_diff.h"
#include "unit/shown.h"

static bool has_paths(const void *row)
{
    return ((const struct data_sum *)row)->paths > 0;
}

static const struct column sum_columns[] = {
    COLUMN("step", step),
    COLUMN("paths", paths),
    COLUMN("size", size),
    COLUMN("new data", new_size, .optional = true),
};

static const struct column change_columns[] = {
    COLUMN("step", step),
    COLUMN("size", size),
    COLUMN("path", path, .shrink = true),
};

static void print_move(const struct view *view, const char *label, const struct data_move *move)
{
    if (move->size.n == 0)
        return;
    view_label(view, label);
    bytes_write(move->size, view->out);
    buf_adds(view->out, " in ");
    if (move->seconds < 1)
        buf_adds(view->out, "under 1 s");
    else
        value_seconds(move->seconds, view->out);
    buf_adds(view->out, ", ");
    if (move->cost.nano == MONEY_UNKNOWN)
        buf_adds(view->out, "price unknown");
    else
        usd_write(move->cost, view->out);
    buf_char(view->out, '\n');
}

static void print_data_diff(const struct view *view, const void *result)
{
    const struct data_diff_result *res = result;

    if (res->change_count == 0) {
        const struct data_sum *same = (const struct data_sum *)res->steps.at + DATA_UNCHANGED;

        buf_addf(view->out, "equal: %lld path%s\n", (long long)same->paths,
                 num_plural(same->paths));
        return;
    }
    view_rows(view, &op_data_diff, res, "steps", COLUMNS(sum_columns, .shown = has_paths));
    buf_char(view->out, '\n');
    view_rows(view, &op_data_diff, res, "changes", COLUMNS(change_columns));
    if (res->changes.len < (size_t)res->change_count)
        buf_addf(view->out, "and %lld more: --limit\n",
                 (long long)res->change_count - (long long)res->changes.len);
    buf_char(view->out, '\n');
    print_move(view, "upload", &res->upload);
    print_move(view, "download", &res->download);
}

const struct command cmd_data_diff = {
    .name = "data diff",
    .op = &op_data_diff,
    .about =
        "Compares two folders, or manifests of them, by content, and lists what would make "
        "them "
        "equal: what to upload from A to B, to download from B to A, and to delete; with its "
        "size, the time it takes and the price of the transfer. Nothing is moved.\n"
        "With --base, a manifest of the time when both were equal, it is known on which side a "
        "file changed or was deleted. Without it nothing is deleted, and a file that differs "
        "is "
        "a conflict, unless --newer takes the newer one. What could not be read on one side is "
        "listed as unknown, and never deleted.",
    .examples = "stint data diff dataset /mnt/nas/dataset\n"
                "stint data diff dataset remote.manifest --base last.manifest\n"
                "stint data diff out bucket.manifest --to aws/us-east-1 --bandwidth 50MB/s",
    .print = print_data_diff,
};
