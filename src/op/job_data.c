/* job_data - the folder that a job's data is in. */
#include <string.h>

#include "base/fs.h"
#include "base/num.h"
#include "data/tree.h"
#include "op/context.h"
#include "op/job_source.h"
#include "op/model_config.h"

/* From here, or from where the job's file is; NULL: it is in neither. */
static bool find_data_folder(struct op_context *ctx, const struct job *job, const char **out,
                             struct error *err)
{
    const char *here = op_home_path(ctx, job->train.data.path, err), *slash, *folder;

    *out = here;
    if (here == NULL)
        return false;
    slash = job->file != NULL ? strrchr(job->file, '/') : NULL;
    if (slash == NULL || here[0] == '/' || fs_exists(here))
        return true;
    folder = str_dup((struct str){job->file, (size_t)(slash - job->file)}, ctx->arena, err);
    *out = folder != NULL ? fs_join(folder, here, ctx->arena, err) : NULL;
    return *out != NULL;
}

/* What could not be read is not counted: the answer is partial. */
static void warn_unread(struct op_context *ctx, const char *folder, const struct tree *tree)
{
    size_t unread = 0, first = 0;

    for (size_t i = tree->problem_count; i > 0; i--)
        if (tree->problems[i - 1].kind != TREE_SPECIAL) {
            first = i - 1;
            unread++;
        }
    if (unread == 0)
        return;
    message_warn(&ctx->messages, "%zu path%s in '%s' could not be read: '%.*s': %.*s", unread,
                 num_plural((int64_t)unread), folder, STR_ARG(tree->problems[first].path),
                 STR_ARG(tree->problems[first].reason));
    ctx->partly = true;
}

static bool check_data_folder(const char *folder, struct error *err)
{
    if (fs_is_folder(folder))
        return true;
    return error_fail_hint(
        err, fs_exists(folder) ? ERROR_INPUT : ERROR_ABSENT,
        "name the folder with the training data",
        fs_exists(folder) ? "'%s' is not a folder" : "there is no folder '%s'", folder);
}

static bool walk_data_folder(struct op_context *ctx, struct job_input *in, struct error *err)
{
    struct job_data *data = &in->job.train.data;

    in->data = arena_array(ctx->arena, struct tree, 1, err);
    if (in->data == NULL || !check_data_folder(in->data_folder, err) ||
        !tree_walk(in->data_folder, &ctx->watch, ctx->arena, in->data, err))
        return false;
    if (in->data->files == 0)
        return error_fail_hint(err, ERROR_INPUT, "name the folder with the training data",
                               "there are no files in '%s'", in->data_folder);
    warn_unread(ctx, in->data_folder, in->data);
    data->size.n = in->data->bytes;
    data->files = (int64_t)in->data->files;
    return true;
}

bool op_job_data(struct op_context *ctx, struct job_input *in, struct error *err)
{
    struct job *job = &in->job;
    struct job_data *data = &job->train.data;

    if (job->kind != JOB_TRAIN || data->path.len == 0)
        return true;
    if ((ctx->remote && !op_refuse_file(data->path, err)) ||
        !find_data_folder(ctx, job, &in->data_folder, err))
        return false;
    if (!fs_exists(in->data_folder) && data->size.n != BYTES_UNKNOWN.n) {
        message_note(&ctx->messages, "'%.*s' is not here: data.size of the job counts",
                     STR_ARG(data->path));
        in->data_folder = NULL;
        return true;
    }
    return walk_data_folder(ctx, in, err);
}

bool op_job_data_keep(struct op_context *ctx, const struct job_input *in, struct strs *set,
                      struct error *err)
{
    const struct job_data *data = &in->job.train.data;
    struct str *all = arena_array(ctx->arena, struct str, set->len + 2, err);
    struct buf size = buf_new(ctx->arena->alloc, 64), files = buf_new(ctx->arena->alloc, 64);

    if (all == NULL)
        return false;
    for (size_t i = 0; i < set->len; i++)
        all[i] = set->at[i];
    buf_addf(&size, "data.size=%llu.%03ukB", (unsigned long long)(data->size.n / 1000),
             (unsigned)(data->size.n % 1000));
    buf_addf(&files, "data.files=%lld", (long long)data->files);
    if (!buf_keep(&size, ctx->arena, &all[set->len], err) ||
        !buf_keep(&files, ctx->arena, &all[set->len + 1], err))
        return false;
    *set = (struct strs){all, set->len + 2};
    return true;
}
