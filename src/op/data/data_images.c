/* data.images - a smaller image set for training, beside the one that is there. */
#include "op/data/data_images.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "data/images/image_bucket.h"
#include "op/context.h"
#include "op/data/data_task.h"
#include "op/op.h"

#define MOST_PIXELS 16384 /* that a side may be resized to */

static const char *const output_names[] = {"o", NULL};

static const char *const photo_formats[] = {"jpeg", "webp", NULL};

static const struct field request[] = {
    FIELD(TEXT, data_images_request, folder, .value = "DIR", .operand = true, .required = true,
          .local = true, .help = "folder with images"),
    FIELD(TEXT, data_images_request, output, .value = "DIR", .output = true,
          .also = output_names, .help = "folder to write to (default: DIR_optimized)"),
    FIELD(COUNT, data_images_request, quality, .value = "N", .positive = true,
          .help =
              "turn photographs into JPEG or WebP of this quality, up to 100, where that is "
              "smaller (default: no pixel changes)"),
    FIELD(CHOICE, data_images_request, format, .value = "FORMAT", .choices = photo_formats,
          .fallback = "jpeg",
          .help = "format of photographs with --quality; those with alpha become WebP"),
    FIELD(COUNT, data_images_request, max_side, .value = "PIXELS", .positive = true,
          .help = "resize larger images so that their longer side has this length"),
    FIELD(COUNT, data_images_request, buckets, .value = "PIXELS", .positive = true,
          .help = "resize larger images to the aspect ratio buckets of this resolution, for "
                  "trainers of LoRAs: 512, 768, 1024"),
    FIELD(TEXT, data_images_request, from, .value = "PLACE",
          .help = "cloud that the set is moved from, such as aws/us-east-1 (default: a machine "
                  "of your own)"),
    FIELD(TEXT, data_images_request, to, .value = "PLACE",
          .help = "cloud that it is moved to (default: a machine of your own)"),
    FIELD(BYTES, data_images_request, bandwidth, .value = "RATE", .positive = true,
          .per_second = true, .fallback = "100MB/s",
          .help = "bandwidth of the line between them: 100MB/s, 1Gbit/s"),
    FIELD(COUNT, data_images_request, limit, .value = "N", .positive = true, .fallback = "20",
          .help = "list the first N corrupt files, duplicates and images that were left"),
};

static const struct field result[] = {
    FIELD(TEXT, data_images_result, folder, .help = "folder"),
    FIELD(TEXT, data_images_result, optimized_path, .help = "folder that was written"),
    FIELD(TEXT, data_images_result, corrupt_path, .empty_unknown = true,
          .help = "folder with the corrupt files, when there are any"),
    FIELD(COUNT, data_images_result, files, .help = "number of files"),
    FIELD(COUNT, data_images_result, images, .help = "number of images among them"),
    FIELD(COUNT, data_images_result, kept,
          .help = "files that an earlier run has done and that have not changed"),
    FIELD(COUNT, data_images_result, renamed, .help = "images with a new extension"),
    FIELD(BYTES, data_images_result, size, .help = "size before, without corrupt files"),
    FIELD(BYTES, data_images_result, new_size, .help = "size after, without corrupt files"),
    FIELD(NUMBER, data_images_result, compression_ratio, .help = "size before / size after"),
    FIELD(RECORD, data_images_result, transfer_savings, .row = &data_savings_fields,
          .help = "savings each time the set is moved"),
    FIELD(LIST, data_images_result, outcomes, .row = &images_sum_fields,
          .help = "number of files and bytes for each result"),
    FIELD(COUNT, data_images_result, corrupt_count, .help = "number of corrupt files"),
    FIELD(LIST, data_images_result, corrupt, .row = &images_note_fields,
          .help = "corrupt files: copied to corrupt_path"),
    FIELD(COUNT, data_images_result, unchanged_count,
          .help = "number of images that were copied as they are"),
    FIELD(LIST, data_images_result, unchanged, .row = &images_note_fields,
          .help = "images that were copied as they are, and why"),
    FIELD(COUNT, data_images_result, duplicate_count,
          .help = "number of groups of identical images"),
    FIELD(LIST, data_images_result, duplicates, .row = &images_group_fields,
          .help = "identical images, by SHA-256"),
    FIELD(COUNT, data_images_result, similar_count,
          .help = "number of groups of images that look alike"),
    FIELD(LIST, data_images_result, similar, .row = &images_group_fields,
          .help = "images that look alike, by a perceptual hash; of identical ones the first"),
    FIELD(LIST, data_images_result, buckets, .row = &images_bucket_fields,
          .help = "aspect ratio buckets and their images, with --buckets"),
    FIELD(LIST, data_images_result, problems, .row = &tree_problem_fields,
          .help = "paths that could not be read, or are neither files nor folders"),
};

static bool name_images_folders(const struct data_images_request *req, struct arena *arena,
                                struct images_work *work, struct error *err)
{
    work->from = str_dup(req->folder, arena, err);
    if (work->from == NULL)
        return false;
    if (req->output.len > 0)
        work->to = str_dup(req->output, arena, err);
    else if (!data_folder_beside(work->from, "_optimized", arena, &work->to, err))
        return false;
    return work->to != NULL &&
           data_folder_beside(work->to, "_corrupt", arena, &work->aside, err);
}

static bool check_images_wish(const struct data_images_request *req, struct error *err)
{
    if (req->quality > 100)
        return error_fail(err, ERROR_USAGE, "--quality: '%lld' is more than 100",
                          (long long)req->quality);
    if (req->max_side > MOST_PIXELS)
        return error_fail(err, ERROR_USAGE, "--max-side: '%lld' is more than %d",
                          (long long)req->max_side, MOST_PIXELS);
    if (req->buckets < 0)
        return true;
    if (req->max_side > 0)
        return error_fail(err, ERROR_USAGE, "--buckets and --max-side exclude each other");
    if (req->buckets < IMAGE_BUCKET_LEAST || req->buckets > MOST_PIXELS)
        return error_fail(err, ERROR_USAGE, "--buckets: '%lld' is not between %d and %d",
                          (long long)req->buckets, IMAGE_BUCKET_LEAST, MOST_PIXELS);
    return true;
}

/* With the same in words. */
static bool set_images_wish(const struct data_images_request *req, struct arena *arena,
                            struct images_work *work, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct image_wish *wish = &work->wish;

    if (!check_images_wish(req, err))
        return false;
    wish->quality = req->quality > 0 ? (int)req->quality : 0;
    wish->webp = wish->quality > 0 && str_eq(req->format, STR("webp"));
    wish->max_side = req->max_side > 0 ? (uint32_t)req->max_side : 0;
    wish->bucket = req->buckets > 0 ? (uint32_t)req->buckets : 0;
    if (wish->quality > 0)
        buf_addf(&text, "%s of quality %d", wish->webp ? "WebP" : "JPEG", wish->quality);
    else
        buf_adds(&text, "without loss");
    if (wish->max_side > 0)
        buf_addf(&text, ", sides up to %u", wish->max_side);
    if (wish->bucket > 0)
        buf_addf(&text, ", buckets of %u", wish->bucket);
    return buf_keep(&text, arena, &work->settings, err);
}

static void add_images_sums(const struct images *done, struct data_images_result *res)
{
    for (size_t i = 0; i < IMAGES_FATES; i++) {
        res->files += done->sums[i].files;
        if (i == IMAGES_CORRUPT) /* what was set aside is not part of the set */
            continue;
        res->size.n += done->sums[i].size.n;
        res->new_size.n += done->sums[i].new_size.n;
    }
    res->compression_ratio =
        res->new_size.n > 0 ? (double)res->size.n / (double)res->new_size.n : NAN;
}

/* Lists of images name them with their extensions. */
static void note_renamed(struct op_context *ctx, const struct data_images_result *res)
{
    if (res->renamed > 0)
        message_note(&ctx->messages,
                     "%lld image%s a new extension: lists that name images, such as "
                     "metadata.jsonl, still have the old one%s",
                     (long long)res->renamed, res->renamed == 1 ? " has" : "s have",
                     num_plural(res->renamed));
}

static void warn_corrupt(struct op_context *ctx, const struct data_images_result *res)
{
    if (res->corrupt_count > 0)
        message_warn(&ctx->messages,
                     "%lld corrupt image%s copied to '%.*s', not to the new set",
                     (long long)res->corrupt_count, num_plural(res->corrupt_count),
                     STR_ARG(res->corrupt_path));
}

static bool describe_images(struct op_context *ctx, const struct data_images_request *req,
                            const struct images_work *work, const struct images *done,
                            struct data_images_result *res, struct error *err)
{
    size_t limit = (size_t)req->limit;

    *res = (struct data_images_result){.folder = req->folder,
                                       .optimized_path = str_from(work->to),
                                       .images = done->images,
                                       .kept = done->kept,
                                       .renamed = done->renamed};
    add_images_sums(done, res);
    res->transfer_savings = op_data_savings(
        ctx, (struct data_way){req->from, req->to, req->bandwidth}, res->size, res->new_size);
    if (!images_notes(done, true, ctx->arena, &res->corrupt, err) ||
        !images_notes(done, false, ctx->arena, &res->unchanged, err))
        return false;
    res->corrupt_count = op_data_list(&res->corrupt, limit);
    res->unchanged_count = op_data_list(&res->unchanged, limit);
    if (res->corrupt_count > 0)
        res->corrupt_path = str_from(work->aside);
    res->outcomes = (struct rows){done->sums, IMAGES_FATES};
    res->duplicates = (struct rows){done->duplicates, done->duplicate_count};
    res->duplicate_count = op_data_list(&res->duplicates, limit);
    res->similar = (struct rows){done->similar, done->similar_count};
    res->similar_count = op_data_list(&res->similar, limit);
    res->buckets = (struct rows){done->buckets, done->bucket_count};
    res->problems = (struct rows){done->tree.problems, done->tree.problem_count};
    return true;
}

static bool optimize_images(struct op_context *ctx, const void *in, void *out,
                            struct error *err)
{
    const struct data_images_request *req = in;
    struct data_images_result *res = out;
    const struct data_task task = op_data_task(ctx);
    struct images_work work = {.watch = &ctx->watch};
    struct images *done = arena_array(ctx->arena, struct images, 1, err);

    if (done == NULL || !op_data_check_place(ctx, req->from, err) ||
        !op_data_check_place(ctx, req->to, err) ||
        !name_images_folders(req, ctx->arena, &work, err) ||
        !set_images_wish(req, ctx->arena, &work, err) ||
        !images_optimize(&work, ctx->arena, done, err) ||
        !describe_images(ctx, req, &work, done, res, err))
        return false;
    note_renamed(ctx, res);
    warn_corrupt(ctx, res);
    data_note_problems(&task, req->folder, &done->tree);
    return true;
}

const struct op op_data_images = {
    .name = "data.images",
    .schema = "stint.data.images/1",
    .summary = "make an image set smaller, in a new folder",
    .request = &(const struct field_set)FIELD_SET(struct data_images_request, request),
    .result = &(const struct field_set)FIELD_SET(struct data_images_result, result),
    .changes = true,
    .run = optimize_images,
};
