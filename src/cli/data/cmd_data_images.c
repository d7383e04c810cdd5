/* stint data images */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/data/savings_view.h"
#include "cli/view.h"
#include "op/data/data_images.h"
#include "unit/shown.h"

static bool has_files(const void *row)
{
    return ((const struct images_sum *)row)->files > 0;
}

static const struct column sum_columns[] = {
    COLUMN("result", outcome),
    COLUMN("files", files),
    COLUMN("before", size),
    COLUMN("after", new_size),
};

static const struct column note_columns[] = {
    COLUMN("path", path, .shrink = true),
    COLUMN("why", reason, .shrink = true),
};

static const struct column group_columns[] = {
    COLUMN("size", size),
    COLUMN("identical images", paths, .shrink = true),
};

static const struct column similar_columns[] = {
    COLUMN("size", size),
    COLUMN("look alike", paths, .shrink = true),
};

static const struct column bucket_columns[] = {
    COLUMN("width", width),
    COLUMN("height", height),
    COLUMN("images in this bucket", images),
};

static const struct column problem_columns[] = {
    COLUMN("path", path, .shrink = true),
    COLUMN("problem", reason, .shrink = true),
};

/* A table with a heading, when there are rows, and how many are not shown. */
static void print_images_list(const struct view *view, const struct data_images_result *res,
                              const char *name, struct rows rows, int64_t count,
                              const struct columns *columns)
{
    if (count == 0)
        return;
    buf_char(view->out, '\n');
    view_rows(view, &op_data_images, res, name, columns);
    if (rows.len < (size_t)count)
        buf_addf(view->out, "and %lld more: --limit\n", (long long)count - (long long)rows.len);
}

static void print_data_images(const struct view *view, const void *result)
{
    const struct data_images_result *res = result;

    buf_add_safe(view->out, res->folder);
    buf_adds(view->out, ": ");
    value_count((double)res->files, view->out);
    buf_addf(view->out, " file%s, ", num_plural(res->files));
    value_count((double)res->images, view->out);
    buf_addf(view->out, " image%s\n\n", num_plural(res->images));
    view_rows(view, &op_data_images, res, "outcomes", COLUMNS(sum_columns, .shown = has_files));
    print_images_list(view, res, "corrupt", res->corrupt, res->corrupt_count,
                      COLUMNS(note_columns));
    print_images_list(view, res, "unchanged", res->unchanged, res->unchanged_count,
                      COLUMNS(note_columns));
    print_images_list(view, res, "duplicates", res->duplicates, res->duplicate_count,
                      COLUMNS(group_columns));
    print_images_list(view, res, "similar", res->similar, res->similar_count,
                      COLUMNS(similar_columns));
    print_images_list(view, res, "buckets", res->buckets, (int64_t)res->buckets.len,
                      COLUMNS(bucket_columns));
    print_images_list(view, res, "problems", res->problems, (int64_t)res->problems.len,
                      COLUMNS(problem_columns));
    buf_char(view->out, '\n');
    view_savings(view, &res->transfer_savings, res->size, "the set");
    view_label(view, "written");
    buf_add_safe(view->out, res->optimized_path);
    if (res->kept > 0) {
        buf_adds(view->out, ", of it ");
        value_count((double)res->kept, view->out);
        buf_addf(view->out, " file%s by an earlier run", num_plural(res->kept));
    }
    buf_char(view->out, '\n');
}

const struct command cmd_data_images = {
    .name = "data images",
    .op = &op_data_images,
    .about =
        "Makes an image set smaller for training, in a new folder; the originals stay. Every "
        "pixel stays as it is: JPEG files are coded again, progressively and with the best "
        "codes, PNG files are compressed again, and each one is read back and compared. "
        "Orientation, color profiles and comments are kept. Captions and everything else are "
        "copied, with their times.\n"
        "With --quality photographs become JPEG or WebP where that is smaller: those with "
        "alpha WebP, JPEG files only when they are finer than that. Pictures with 16 bits, "
        "palettes or few colors, such as masks and drawings, keep their pixels.\n"
        "With --max-side or --buckets larger images are resized, by libvips: photographs and "
        "drawings with an interpolation (Lanczos), masks with a palette by picking pixels. A "
        "bucket is covered, so that the trainer cuts off what sticks out. A JPEG keeps the "
        "quality it has, unless --quality is given.\n"
        "Corrupt images are listed and copied to a folder of their own; identical ones and "
        "those that look alike are "
        "listed. An image that would take too much memory is copied as it is. Given again, the "
        "command does only what is new or has changed.",
    .examples = "stint data images photos\n"
                "stint data images photos --quality 95\n"
                "stint data images photos --quality 95 --buckets 1024\n"
                "stint data images photos -o /mnt/nas/photos --from aws/us-east-1",
    .print = print_data_images,
};
