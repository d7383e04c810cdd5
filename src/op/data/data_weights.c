/* data.weights - a model folder made smaller, beside the one that is there. */
#include "op/data/data_weights.h"

#include <math.h>

#include "base/num.h"
#include "op/context.h"
#include "op/data/data_task.h"
#include "op/op.h"

static const char *const output_names[] = {"o", NULL};

static const char *const casts[] = {"bf16", "fp16", NULL};

static const struct field request[] = {
    FIELD(TEXT, data_weights_request, folder, .value = "DIR", .operand = true, .required = true,
          .local = true, .help = "folder with a model"),
    FIELD(TEXT, data_weights_request, output, .value = "DIR", .output = true,
          .also = output_names, .help = "folder to write to (default: DIR_optimized)"),
    FIELD(CHOICE, data_weights_request, cast, .value = "TYPE", .choices = casts,
          .help = "cast tensors of fp32 and fp64 to this type (default: no values change)"),
    FIELD(FLAG, data_weights_request, drop_optimizer,
          .help = "leave out what only a training that goes on needs: states of optimizers, "
                  "schedulers and random numbers"),
    FIELD(FLAG, data_weights_request, drop_duplicates,
          .help = "leave out PyTorch files whose tensors are all in .safetensors files of the "
                  "same folder, too"),
    FIELD(TEXT, data_weights_request, from, .value = "PLACE",
          .help =
              "cloud that the model is moved from, such as aws/us-east-1 (default: a machine "
              "of your own)"),
    FIELD(TEXT, data_weights_request, to, .value = "PLACE",
          .help = "cloud that it is moved to (default: a machine of your own)"),
    FIELD(BYTES, data_weights_request, bandwidth, .value = "RATE", .positive = true,
          .per_second = true, .fallback = "100MB/s",
          .help = "bandwidth of the line between them: 100MB/s, 1Gbit/s"),
    FIELD(COUNT, data_weights_request, limit, .value = "N", .positive = true, .fallback = "20",
          .help = "list the first N corrupt files, notes and duplicate tensors"),
};

static const struct field result[] = {
    FIELD(TEXT, data_weights_result, folder, .help = "folder"),
    FIELD(TEXT, data_weights_result, optimized_path, .help = "folder that was written"),
    FIELD(TEXT, data_weights_result, corrupt_path, .empty_unknown = true,
          .help = "folder with the corrupt files, when there are any"),
    FIELD(COUNT, data_weights_result, files, .help = "number of files"),
    FIELD(COUNT, data_weights_result, weights,
          .help = "number of files whose tensors were read and verified"),
    FIELD(COUNT, data_weights_result, tensors, .help = "number of tensors in them"),
    FIELD(COUNT, data_weights_result, cast, .help = "number of tensors of another type now"),
    FIELD(COUNT, data_weights_result, overflowed,
          .help = "values that are infinite now, since the new type has none so large"),
    FIELD(COUNT, data_weights_result, underflowed,
          .help = "values that are zero now, since the new type has none so small"),
    FIELD(BYTES, data_weights_result, size, .help = "size before, without corrupt files"),
    FIELD(BYTES, data_weights_result, new_size, .help = "size after, without corrupt files"),
    FIELD(NUMBER, data_weights_result, compression_ratio, .help = "size before / size after"),
    FIELD(RECORD, data_weights_result, transfer_savings, .row = &data_savings_fields,
          .help = "savings each time the model is moved"),
    FIELD(LIST, data_weights_result, outcomes, .row = &weights_sum_fields,
          .help = "number of files and bytes for each result"),
    FIELD(COUNT, data_weights_result, corrupt_count, .help = "number of corrupt files"),
    FIELD(LIST, data_weights_result, corrupt, .row = &weights_note_fields,
          .help = "corrupt files: copied to corrupt_path"),
    FIELD(COUNT, data_weights_result, note_count, .help = "number of files with a note"),
    FIELD(LIST, data_weights_result, notes, .row = &weights_note_fields,
          .help = "files that were left out or copied as they are, and why"),
    FIELD(COUNT, data_weights_result, duplicate_count,
          .help = "number of groups of equal tensors of 64 KiB or more"),
    FIELD(LIST, data_weights_result, duplicates, .row = &weights_group_fields,
          .help = "equal tensors that the new folder stores more than once"),
    FIELD(LIST, data_weights_result, problems, .row = &tree_problem_fields,
          .help = "paths that could not be read, or are neither files nor folders"),
};

static bool set_weights_work(const struct data_weights_request *req, struct arena *arena,
                             struct weights_work *work, struct error *err)
{
    work->cast = str_eq(req->cast, STR("bf16"))   ? TENSOR_BF16
                 : str_eq(req->cast, STR("fp16")) ? TENSOR_F16
                                                  : TENSOR_TYPES;
    work->drop_optimizer = req->drop_optimizer;
    work->drop_repeated = req->drop_duplicates;
    work->from = str_dup(req->folder, arena, err);
    if (work->from == NULL)
        return false;
    if (req->output.len > 0)
        work->to = str_dup(req->output, arena, err);
    else if (!data_folder_beside(work->from, "_optimized", arena, &work->to, err))
        return false;
    return work->to != NULL && data_check_folder(work->from, err) &&
           data_folder_beside(work->to, "_corrupt", arena, &work->aside, err);
}

static void add_weights_sizes(const struct weights *done, struct data_weights_result *res)
{
    for (size_t i = 0; i < WEIGHTS_FATES; i++) {
        res->files += done->sums[i].files;
        if (i == WEIGHTS_CORRUPT) /* what was set aside is not part of the model */
            continue;
        res->size.n += done->sums[i].size.n;
        res->new_size.n += done->sums[i].new_size.n;
    }
    res->compression_ratio =
        res->new_size.n > 0 ? (double)res->size.n / (double)res->new_size.n : NAN;
}

static bool list_weights_rows(struct op_context *ctx, const struct data_weights_request *req,
                              const struct weights *done, struct data_weights_result *res,
                              struct error *err)
{
    size_t limit = (size_t)req->limit;

    if (!weights_notes(done, true, ctx->arena, &res->corrupt, err) ||
        !weights_notes(done, false, ctx->arena, &res->notes, err))
        return false;
    res->corrupt_count = op_data_list(&res->corrupt, limit);
    res->note_count = op_data_list(&res->notes, limit);
    res->outcomes = (struct rows){done->sums, WEIGHTS_FATES};
    res->duplicates = (struct rows){done->groups, done->group_count};
    res->duplicate_count = op_data_list(&res->duplicates, limit);
    res->problems = (struct rows){done->tree.problems, done->tree.problem_count};
    return true;
}

static void describe_weights(struct op_context *ctx, const struct data_weights_request *req,
                             const struct weights_work *work, const struct weights *done,
                             struct data_weights_result *res)
{
    *res = (struct data_weights_result){
        .folder = req->folder,
        .optimized_path = str_from(work->to),
        .weights = done->files,
        .tensors = done->tensors,
        .cast = done->cast,
        .overflowed = (int64_t)done->loss.overflowed,
        .underflowed = (int64_t)done->loss.underflowed,
    };
    add_weights_sizes(done, res);
    res->transfer_savings = op_data_savings(
        ctx, (struct data_way){req->from, req->to, req->bandwidth}, res->size, res->new_size);
    if (done->sums[WEIGHTS_CORRUPT].files > 0)
        res->corrupt_path = str_from(work->aside);
}

static void warn_of_weights(struct op_context *ctx, const struct data_weights_request *req,
                            const struct data_weights_result *res)
{
    if (res->corrupt_count > 0)
        message_warn(&ctx->messages,
                     "%lld corrupt file%s copied to '%.*s', not to the new folder",
                     (long long)res->corrupt_count, num_plural(res->corrupt_count),
                     STR_ARG(res->corrupt_path));
    if (res->overflowed > 0)
        message_warn(&ctx->messages,
                     "%lld value%s too large for %.*s, and infinite now: bf16 has the range of "
                     "fp32",
                     (long long)res->overflowed, res->overflowed == 1 ? " was" : "s were",
                     STR_ARG(req->cast));
}

static bool optimize_weights(struct op_context *ctx, const void *in, void *out,
                             struct error *err)
{
    const struct data_weights_request *req = in;
    struct data_weights_result *res = out;
    const struct data_task task = op_data_task(ctx);
    struct weights_work work = {.watch = &ctx->watch};
    struct weights *done = arena_array(ctx->arena, struct weights, 1, err);

    if (done == NULL || !op_data_check_place(ctx, req->from, err) ||
        !op_data_check_place(ctx, req->to, err) ||
        !set_weights_work(req, ctx->arena, &work, err) ||
        !weights_optimize(&work, ctx->arena, done, err))
        return false;
    describe_weights(ctx, req, &work, done, res);
    if (!list_weights_rows(ctx, req, done, res, err))
        return false;
    warn_of_weights(ctx, req, res);
    data_note_problems(&task, req->folder, &done->tree);
    return true;
}

const struct op op_data_weights = {
    .name = "data.weights",
    .schema = "stint.data.weights/1",
    .summary = "make a model folder smaller, in a new folder",
    .request = &(const struct field_set)FIELD_SET(struct data_weights_request, request),
    .result = &(const struct field_set)FIELD_SET(struct data_weights_result, result),
    .changes = true,
    .run = optimize_weights,
};
