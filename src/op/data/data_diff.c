/* data.diff - what makes two trees equal, with bytes, time and money before anything moves. */
#include "op/data/data_diff.h"

#include "op/context.h"
#include "op/data/data_task.h"
#include "op/op.h"

static const struct field request[] = {
    FIELD(TEXT, data_diff_request, here, .value = "A", .operand = true, .required = true,
          .local = true, .help = "folder here, or a manifest of it"),
    FIELD(TEXT, data_diff_request, there, .value = "B", .operand = true, .required = true,
          .local = true, .help = "folder there, or a manifest of it"),
    FIELD(TEXT, data_diff_request, base, .value = "MANIFEST", .local = true,
          .help = "manifest of the time when both were equal; without it nothing is deleted"),
    FIELD(FLAG, data_diff_request, newer,
          .help = "take the newer file where both sides have changed"),
    FIELD(TEXT, data_diff_request, from, .value = "PLACE",
          .help = "cloud of A, such as aws/us-east-1 (default: a machine of your own)"),
    FIELD(TEXT, data_diff_request, to, .value = "PLACE",
          .help = "cloud of B, such as gcp/us-central1 (default: a machine of your own)"),
    FIELD(BYTES, data_diff_request, bandwidth, .value = "RATE", .positive = true,
          .per_second = true, .fallback = "100MB/s",
          .help = "bandwidth of the line between them: 100MB/s, 1Gbit/s"),
    FIELD(COUNT, data_diff_request, limit, .value = "N", .positive = true, .fallback = "20",
          .help = "list the first N paths that are not equal"),
};

static const struct field result[] = {
    FIELD(TEXT, data_diff_result, here, .help = "A"),
    FIELD(TEXT, data_diff_result, there, .help = "B"),
    FIELD(TEXT, data_diff_result, base, .empty_unknown = true, .help = "base"),
    FIELD(LIST, data_diff_result, steps, .row = &data_sum_fields,
          .help = "number of paths and bytes for each step"),
    FIELD(COUNT, data_diff_result, change_count, .help = "paths that are not equal"),
    FIELD(LIST, data_diff_result, changes, .row = &data_change_fields,
          .help = "paths that are not equal"),
    FIELD(RECORD, data_diff_result, upload, .row = &data_move_fields,
          .help = "transfer from A to B"),
    FIELD(RECORD, data_diff_result, download, .row = &data_move_fields,
          .help = "transfer from B to A"),
    FIELD(USD, data_diff_result, cost, .help = "price of all transfers"),
};

static bool read_trees(struct op_context *ctx, const struct data_diff_request *req,
                       struct manifest trees[static 3], struct error *err)
{
    const struct data_task task = op_data_task(ctx);
    const struct str names[] = {req->here, req->there, req->base};
    struct manifest_took took;

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (names[i].len == 0)
            continue;
        if (!data_tree_named(&task, names[i], false, &trees[i], &took, err))
            return false;
        data_note_problems(&task, names[i], &trees[i].tree);
    }
    return true;
}

/* A base that is not of the time when both were equal, or a disk that is not mounted, looks as
 * if most had been deleted. */
static void warn_deletions(struct op_context *ctx, const struct data_diff_request *req,
                           const struct data_comparison *found, const struct tree *base)
{
    int64_t gone = found->sums[DATA_DELETE_LOCAL].paths + found->sums[DATA_DELETE_REMOTE].paths;

    if (base != NULL && 2 * gone > (int64_t)base->count)
        message_warn(&ctx->messages,
                     "%lld of %zu paths of '%.*s' would be deleted: is everything mounted, and "
                     "is it the manifest of the time when both were equal?",
                     (long long)gone, base->count, STR_ARG(req->base));
}

static bool compare_data(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct data_diff_request *req = in;
    struct data_diff_result *res = out;
    struct manifest trees[3] = {0};
    struct data_compare_work work = {
        .here = &trees[0].tree,
        .there = &trees[1].tree,
        .base = req->base.len > 0 ? &trees[2].tree : NULL,
        .conflict = req->newer ? DATA_CONFLICT_NEWER : DATA_CONFLICT_KEEP,
    };
    size_t shown;
    struct data_comparison *found = arena_array(ctx->arena, struct data_comparison, 1, err);

    if (found == NULL || !op_data_check_place(ctx, req->from, err) ||
        !op_data_check_place(ctx, req->to, err) || !read_trees(ctx, req, trees, err) ||
        !data_compare(&work, ctx->arena, found, err))
        return false;
    warn_deletions(ctx, req, found, work.base);
    shown = found->change_count < (size_t)req->limit ? found->change_count : (size_t)req->limit;
    res->here = req->here;
    res->there = req->there;
    res->base = req->base;
    res->steps = (struct rows){found->sums, DATA_STEPS};
    res->changes = (struct rows){found->changes, shown};
    res->change_count = (int64_t)found->change_count;
    res->upload =
        op_data_move(ctx, found->sums[DATA_UPLOAD].size, req->from, req->to, req->bandwidth);
    res->download =
        op_data_move(ctx, found->sums[DATA_DOWNLOAD].size, req->to, req->from, req->bandwidth);
    res->cost = usd_add(res->upload.cost, res->download.cost);
    op_data_note_free(ctx, req->from, req->to, res->upload.size);
    op_data_note_free(ctx, req->to, req->from, res->download.size);
    return true;
}

const struct op op_data_diff = {
    .name = "data.diff",
    .schema = "stint.data.diff/1",
    .summary = "compare two folders: what to upload, download and delete, and its price",
    .request = &(const struct field_set)FIELD_SET(struct data_diff_request, request),
    .result = &(const struct field_set)FIELD_SET(struct data_diff_result, result),
    .run = compare_data,
};
