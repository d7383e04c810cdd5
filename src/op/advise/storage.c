/* storage - tiers, lifecycle and egress of a data set, provider by provider. */
#include "op/advise/storage.h"

#include "base/folder_size.h"
#include "base/fs.h"
#include "op/context.h"
#include "op/job_source.h"
#include "op/op.h"
#include "report/figures.h"

#define FILE_MAX ((size_t)16 << 20)

static const struct field request[] = {
    FIELD(TEXT, storage_request, dataset, .value = "DATASET", .operand = true,
          .help = "folder or file to measure; or a job file (.yaml) with the size of its "
                  "data and checkpoints"),
    FIELD_AS("size", BYTES, storage_request, ask.size, .value = "SIZE", .positive = true,
             .help = "size of the data set: 2TB"),
    FIELD_AS("grows", TEXT, storage_request, ask.grows, .value = "SIZE/TIME",
             .help = "growth: 100GB/month (default: none)"),
    FIELD_AS("reads", TEXT, storage_request, ask.reads, .value = "N/TIME",
             .fallback = "1/month", .help = "full reads of the data while it is new"),
    FIELD_AS("half_life", SPAN, storage_request, ask.half_life, .value = "AGE",
             .fallback = "90d",
             .help = "age at which data is read half as often; 0d: reads do not decline"),
    FIELD(TEXT, storage_request, access, .local = true, .value = "FILE",
          .help = "file of reads by age: columns age_days,reads (a month)"),
    FIELD_AS("object_size", BYTES, storage_request, ask.object_size, .value = "SIZE",
             .positive = true,
             .help = "mean file size, for request fees (default: measured, else 100MB)"),
    FIELD_AS("egress", TEXT, storage_request, ask.egress, .value = "SIZE/TIME",
             .help = "transfer to the internet: 500GB/month (default: none)"),
    FIELD_AS("keep", SPAN, storage_request, ask.keep, .value = "AGE", .positive = true,
             .help = "age at which data is deleted: 180d (default: never)"),
    FIELD_AS("wait", SPAN, storage_request, ask.wait, .value = "TIME", .fallback = "0s",
             .help =
                 "longest wait for a read: 12h allows archives that must be restored first"),
    FIELD_AS("months", COUNT, storage_request, ask.months, .value = "N", .fallback = "12",
             .positive = true, .help = "months to total (at most 60)"),
    FIELD_AS("provider", TEXTS, storage_request, ask.providers, .value = "LIST",
             .help = "providers to compare: aws,gcp,azure; patterns"),
    FIELD_AS("region", TEXT, storage_request, ask.region, .value = "REGION",
             .help = "region whose prices to use, where the catalog has them"),
    FIELD_AS("checkpoint_size", BYTES, storage_request, ask.checkpoint_size, .value = "SIZE",
             .positive = true, .help = "size of a checkpoint, to cost keeping all of them"),
    FIELD_AS("checkpoints", NUMBER, storage_request, ask.checkpoints, .value = "N",
             .fallback = "30", .positive = true,
             .help = "checkpoints saved per month, for --checkpoint-size"),
    FIELD_AS("keep_last", COUNT, storage_request, ask.keep_last, .value = "N", .fallback = "3",
             .positive = true,
             .help = "checkpoints kept instead of all, for --checkpoint-size"),
    FIELD(TEXT, storage_request, svg, .value = "FILE", .output = true,
          .help = "draw the cost by provider to FILE as SVG"),
};

static bool is_job(struct str name)
{
    return job_is_text(name) || str_ends(name, STR(".yaml")) || str_ends(name, STR(".yml"));
}

/* The data and the checkpoints of a job. */
static bool read_storage_job(struct op_context *ctx, struct str name,
                             struct storage_question *ask, struct error *err)
{
    struct job_source source = {.job = name};
    struct job_input *job = arena_array(ctx->arena, struct job_input, 1, err);

    if (job == NULL || !op_job_read(ctx, &source, job, err))
        return false;
    if (ask->size.n == BYTES_UNKNOWN.n)
        ask->size = job->job.train.data.size;
    if (ask->checkpoint_size.n == BYTES_UNKNOWN.n)
        ask->checkpoint_size = job->job.train.checkpoint.size;
    return ask->size.n != BYTES_UNKNOWN.n ||
           error_fail_hint(err, ERROR_INPUT,
                           "add data: {size: 50GB} to it, or give --size 50GB",
                           "the job does not say how large its data is");
}

static bool measure_dataset(struct op_context *ctx, struct str dataset,
                            struct storage_question *ask, struct error *err)
{
    const char *path = str_dup(dataset, ctx->arena, err);
    struct folder_size folder;

    if (is_job(dataset))
        return read_storage_job(ctx, dataset, ask, err);
    if (ctx->remote)
        return op_refuse_file(dataset, err);
    if (path == NULL || !folder_measure(path, &ctx->watch, &folder, err))
        return false;
    if (ask->size.n == BYTES_UNKNOWN.n)
        ask->size = (bytes){folder.bytes};
    if (ask->object_size.n == BYTES_UNKNOWN.n && folder.files > 0 && folder.bytes > 0)
        ask->object_size =
            (bytes){(folder.bytes + (uint64_t)folder.files - 1) / (uint64_t)folder.files};
    return true;
}

/* What is asked, with what the data set, the job and the file of reads say. */
static bool gather_storage(struct op_context *ctx, const struct storage_request *req,
                           struct storage_question *ask, struct storage_access *access,
                           struct error *err)
{
    *ask = req->ask;
    *access = (struct storage_access){0};
    if (req->dataset.len > 0 && !measure_dataset(ctx, req->dataset, ask, err))
        return false;
    if (ask->size.n == BYTES_UNKNOWN.n && ask->grows.len == 0)
        return error_fail_hint(err, ERROR_USAGE,
                               "'stint storage --size 2TB', or 'stint storage FOLDER'",
                               "storage needs the size of the data");
    if (req->access.len == 0)
        return true;
    access->name = str_dup(req->access, ctx->arena, err);
    return access->name != NULL &&
           fs_read(access->name, FILE_MAX, ctx->arena, &access->text, err);
}

static bool storage_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct storage_request *req = in;
    struct storage_result *res = out;
    struct storage_question ask;
    struct storage_access access;

    if (!op_catalog(ctx, TABLE_BIT(TABLE_STORAGE) | TABLE_BIT(TABLE_TRANSFER), err) ||
        !catalog_check_patterns(&ctx->catalog, TABLE_BIT(TABLE_STORAGE), "provider",
                                req->ask.providers, err) ||
        !gather_storage(ctx, req, &ask, &access, err) ||
        !storage_answer(&ask, &access, &ctx->catalog, ctx->arena, res, err))
        return false;
    res->dataset = job_shown(req->dataset);
    res->svg = req->svg;
    return req->svg.len == 0 || storage_figure(res, ctx->arena, err);
}

const struct op op_storage = {
    .name = "storage",
    .schema = "stint.storage/1",
    .summary = "compare the cost of storing a data set, and find the cheapest lifecycle",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct storage_request, request),
    .result = &storage_fields,
    .run = storage_run,
};
