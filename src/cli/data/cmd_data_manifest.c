/* stint data manifest */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/data/data_manifest.h"
#include "unit/shown.h"

static const struct column columns[] = {
    COLUMN("path", path, .shrink = true),
    COLUMN("problem", reason, .shrink = true),
};

/* "12,018 files": of one, "1 file". */
static void write_counted_files(int64_t count, const char *what, struct buf *out)
{
    value_count((double)count, out);
    buf_addf(out, " %s%s", what, num_plural(count));
}

static void write_more_files(int64_t count, const char *what, struct buf *out)
{
    if (count == 0)
        return;
    buf_adds(out, ", ");
    write_counted_files(count, what, out);
}

static void print_read(const struct view *view, const struct data_manifest_result *res)
{
    view_label(view, "read");
    write_counted_files(res->read_files, "file", view->out);
    buf_adds(view->out, ", ");
    bytes_write(res->read_size, view->out);
    if (res->known_files > 0) {
        buf_adds(view->out, "; ");
        write_counted_files(res->known_files, "file", view->out);
        buf_adds(view->out, " as in the last manifest");
    }
    buf_char(view->out, '\n');
}

static void print_data_manifest(const struct view *view, const void *result)
{
    const struct data_manifest_result *res = result;

    buf_add_safe(view->out, res->folder);
    buf_adds(view->out, ": ");
    write_counted_files(res->files, "file", view->out);
    buf_adds(view->out, ", ");
    bytes_write(res->size, view->out);
    write_more_files(res->links, "link", view->out);
    write_more_files(res->empty_folders, "empty folder", view->out);
    buf_adds(view->out, "\n\n");
    view_label(view, "sha256");
    buf_addf(view->out, "%s\n", res->sha256);
    print_read(view, res);
    if (res->output.len > 0) {
        view_label(view, "written");
        buf_add_safe(view->out, res->output);
        buf_char(view->out, '\n');
    }
    if (res->problems.len > 0) {
        buf_char(view->out, '\n');
        view_rows(view, &op_data_manifest, res, "problems", COLUMNS(columns));
    }
}

const struct command cmd_data_manifest = {
    .name = "data manifest",
    .op = &op_data_manifest,
    .group = {"data sets and models: make them smaller, bundle, sync", CLI_BEFORE,
              .first = true},
    .about =
        "Lists every file of a folder with its size, time and SHA-256. Two folders with the "
        "same content have the same SHA-256, whatever their times and wherever they are. All "
        "cores read; next time only files are read whose size, time or inode has changed. A "
        "file of more than 64 MiB is hashed in chunks, so that a comparison finds which of "
        "them "
        "changed. Links are not followed.\n"
        "What cannot be read, or is written meanwhile, is listed, and the exit status is 1. "
        "With "
        "-o the manifest is written to a file, which 'stint data diff' takes instead of a "
        "folder: on another machine, or later.",
    .examples = "stint data manifest dataset\n"
                "stint data manifest dataset -o before.manifest\n"
                "stint data manifest /mnt/archive --reread",
    .print = print_data_manifest,
};
