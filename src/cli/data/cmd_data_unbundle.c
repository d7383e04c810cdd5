/* stint data unbundle */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/data/data_unbundle.h"
#include "unit/shown.h"

static void print_data_unbundle(const struct view *view, const void *result)
{
    const struct data_unbundle_result *res = result;

    buf_add_safe(view->out, res->folder);
    buf_adds(view->out, ": ");
    value_count((double)res->files, view->out);
    buf_addf(view->out, " file%s, ", num_plural(res->files));
    bytes_write(res->size, view->out);
    buf_adds(view->out, ", verified\n\n");
    view_label(view, "sha256");
    buf_addf(view->out, "%s\n", res->sha256);
}

const struct command cmd_data_unbundle = {
    .name = "data unbundle",
    .op = &op_data_unbundle,
    .about =
        "Unpacks a bundle into a new folder and compares every file with the bundle's "
        "manifest. The folder is complete, or not there; existing files are never replaced. A "
        "bundle from anywhere is safe to unpack: it is refused when it holds more than its "
        "manifest announces, paths or links that lead outside, devices, or more than the disk "
        "has room for.",
    .examples = "stint data unbundle dataset_bundle.tar.gz\n"
                "stint data unbundle train.tar.zst -o /data/train",
    .print = print_data_unbundle,
};
