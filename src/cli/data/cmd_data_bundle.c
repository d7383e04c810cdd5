/* stint data bundle */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/data/data_bundle.h"
#include "unit/shown.h"

static const struct column content_columns[] = {
    COLUMN("name", name),
    COLUMN("files", files),
    COLUMN("size", size),
};

static const struct column problem_columns[] = {
    COLUMN("left out", path, .shrink = true),
    COLUMN("problem", reason, .shrink = true),
};

static void print_data_bundle(const struct view *view, const void *result)
{
    const struct bundle_made *res = result;

    buf_add_safe(view->out, res->output);
    buf_adds(view->out, ": ");
    value_count((double)res->files, view->out);
    buf_addf(view->out, " file%s, ", num_plural(res->files));
    bytes_write(res->size, view->out);
    buf_adds(view->out, " in ");
    bytes_write(res->bundle_size, view->out);
    buf_adds(view->out, "\n\n");
    view_rows(view, &op_data_bundle, res, "contents", COLUMNS(content_columns));
    buf_char(view->out, '\n');
    view_label(view, "sha256");
    buf_addf(view->out, "%s\n", res->sha256);
    if (res->stored_size.n > 0) {
        view_label(view, "stored as is");
        bytes_write(res->stored_size, view->out);
        buf_adds(view->out, ", compressed already\n");
    }
    if (res->problems.len > 0) {
        buf_char(view->out, '\n');
        view_rows(view, &op_data_bundle, res, "problems", COLUMNS(problem_columns));
    }
}

const struct command cmd_data_bundle = {
    .name = "data bundle",
    .op = &op_data_bundle,
    .about =
        "Packs a folder into one archive to move to another machine: in it are 'dataset/', the "
        "configuration of --config as 'config.json' (with its own ending), and './scripts' as "
        "'scripts/' when there is such a folder. All cores pack; files that are compressed "
        "already, such as pictures, are stored as they are. The same files give the same "
        "bytes.\n"
        "Plain tar reads it. Its first file, 'stint.manifest', has size, time and SHA-256 of "
        "all others; 'stint data unbundle' verifies them. Links that lead outside the folder "
        "and what cannot be read are left out and listed, and the exit status is 1.",
    .examples = "stint data bundle dataset\n"
                "stint data bundle dataset --config train.yaml -o train.tar.zst",
    .print = print_data_bundle,
};
