/* data.sample - a part of a data set that stands for all of it, as a folder of links. */
#include "op/data/data_sample.h"

#include <math.h>

#include "base/num.h"
#include "op/context.h"
#include "op/data/data_task.h"
#include "op/job_source.h"
#include "op/op.h"
#include "plan/record.h"

static const char *const output_names[] = {"o", NULL};

static const struct field request[] = {
    FIELD_AS("folder", TEXT, data_sample_request, wish.folder, .value = "DIR", .operand = true,
             .required = true, .local = true, .help = "folder with the data set"),
    FIELD_AS("output", TEXT, data_sample_request, wish.output, .value = "OUT", .local = true,
             .also = output_names,
             .help = "folder to make (default: DIR_5pct); with --stages OUT_5pct, OUT_25pct"),
    FIELD_AS("fraction", SHARE, data_sample_request, wish.fraction, .value = "SHARE",
             .positive = true, .help = "part of the examples to take: 5%"),
    FIELD_AS("stages", TEXTS, data_sample_request, wish.stages, .value = "PERCENT",
             .help = "several fractions: 5,25,100"),
    FIELD_AS("labels", TEXT, data_sample_request, wish.labels, .value = "FILE", .local = true,
             .help = "CSV or JSON lines with a label for each file: each label gives the same "
                     "fraction (default: each folder does)"),
    FIELD_AS("label_column", TEXT, data_sample_request, wish.label_column, .value = "NAME",
             .help = "column of the labels (default: label, class, category or target)"),
    FIELD_AS("least", COUNT, data_sample_request, wish.least, .value = "N", .fallback = "0",
             .help = "take at least N examples of every folder or label"),
    FIELD_AS("seed", COUNT, data_sample_request, wish.seed, .value = "N", .fallback = "0",
             .help = "choose others: each number is another choice"),
    FIELD(TEXT, data_sample_request, job, .value = "JOB", .local = true,
          .help = "job to plan with each fraction: a file, or a model"),
    FIELD(COUNT, data_sample_request, limit, .value = "N", .positive = true, .fallback = "10",
          .help = "list the N largest groups"),
    FIELD_AS("dry_run", FLAG, data_sample_request, wish.dry_run, .help = "make no folder"),
};

static const struct field stage_fields[] = {
    FIELD_AS("fraction", SHARE, data_sample_stage, is.fraction,
             .help = "fraction that was asked for"),
    FIELD_AS("folder", TEXT, data_sample_stage, is.folder, .help = "folder with this fraction"),
    FIELD_AS("made", FLAG, data_sample_stage, is.made, .help = "true when this call made it"),
    FIELD_AS("examples", COUNT, data_sample_stage, is.examples, .help = "number of examples"),
    FIELD_AS("files", COUNT, data_sample_stage, is.files, .help = "number of files"),
    FIELD_AS("size", BYTES, data_sample_stage, is.size, .help = "size of these files"),
    FIELD_AS("share", SHARE, data_sample_stage, is.share, .help = "part of the examples"),
    FIELD(USD, data_sample_stage, cost,
          .help = "cost of the job with this fraction, by its plan"),
    FIELD(SPAN, data_sample_stage, time, .help = "time of the job with this fraction"),
    FIELD(TEXT, data_sample_stage, offer, .empty_unknown = true, .help = "offer of that plan"),
};

static const struct field_set stage_set = FIELD_SET(struct data_sample_stage, stage_fields);

static const struct field result[] = {
    FIELD(TEXT, data_sample_result, folder, .help = "folder"),
    FIELD(TEXT, data_sample_result, job, .empty_unknown = true, .help = "job"),
    FIELD(FLAG, data_sample_result, rows,
          .help = "true when the examples are rows of tables, not files"),
    FIELD(COUNT, data_sample_result, examples, .help = "number of examples"),
    FIELD(COUNT, data_sample_result, files, .help = "number of files"),
    FIELD(BYTES, data_sample_result, size, .help = "size of these files"),
    FIELD(FLAG, data_sample_result, dry_run, .help = "dry run: no folder was made"),
    FIELD(LIST, data_sample_result, stages, .row = &stage_set, .help = "fractions"),
    FIELD(COUNT, data_sample_result, group_count,
          .help = "number of folders, labels or tables"),
    FIELD(LIST, data_sample_result, groups, .row = &sample_group_fields,
          .help = "folders, labels or tables, the largest first"),
    FIELD(COUNT, data_sample_result, whole_files,
          .help = "number of files of the set as a whole, which every fraction has"),
    FIELD(TEXTS, data_sample_result, whole,
          .help = "files of the set as a whole, the first 20"),
};

static bool write_amount(double amount, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);

    num_write(round(amount), &text);
    return buf_keep(&text, arena, out, err);
}

/* As much less data as the fraction is of the set; of a job that does not say how much there
 * is, the examples that were counted. */
static bool scale_job(const struct job_data *data, const struct sample_stage *stage,
                      struct arena *arena, struct job_source *source, struct error *err)
{
    if (data->examples > 0)
        return write_amount(data->examples * stage->share, arena, &source->examples, err);
    if (data->tokens > 0)
        return write_amount(data->tokens * stage->share, arena, &source->tokens, err);
    return write_amount((double)stage->examples, arena, &source->examples, err);
}

/* The same notes for each stage are said once. */
static bool plan_stage(struct op_context *ctx, struct str job, const struct job_data *data,
                       bool first, struct data_sample_stage *stage, struct error *err)
{
    struct op_context sub = *ctx;
    const struct op *plan = op_find(STR("plan"));
    struct plan_request ask;
    struct plan_result answer;
    const struct plan_row *best;

    if (!fields_reset(plan->request, &ask, ctx->arena, err) ||
        !scale_job(data, &stage->is, ctx->arena, &ask.source, err))
        return false;
    ask.jobs = (struct strs){&job, 1};
    if (!first)
        sub.messages = (struct messages){0};
    if (!op_run(&sub, plan, &ask, &answer, err))
        return false;
    best = answer.plans.at;
    if (answer.plans.len == 0)
        return true;
    stage->cost = best->cost;
    stage->time = span_hours(best->hours.value);
    stage->offer = best->offer;
    return true;
}

static bool plan_stages(struct op_context *ctx, struct str job,
                        struct data_sample_stage *stages, size_t count, struct error *err)
{
    struct job_source source = {.job = job};
    struct job_input *in = arena_array(ctx->arena, struct job_input, 1, err);

    if (in == NULL || !op_job_read(ctx, &source, in, err))
        return false;
    if (in->job.train.steps > 0)
        message_warn(&ctx->messages,
                     "the job has %.0f steps: with less data it does not take less time; "
                     "'epochs: 1' instead of steps does",
                     in->job.train.steps);
    for (size_t i = 0; i < count; i++)
        if (!plan_stage(ctx, job, &in->job.train.data, i == 0, &stages[i], err))
            return false;
    return true;
}

static void fill_stages(const struct sample_work *work, struct data_sample_stage *out)
{
    for (size_t i = 0; i < work->count; i++)
        out[i] = (struct data_sample_stage){
            .is = work->stages[i], .cost = USD_UNKNOWN, .time = SPAN_UNKNOWN};
}

static bool sample_data(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct data_sample_request *req = in;
    struct data_sample_result *res = out;
    const struct data_task task = op_data_task(ctx);
    struct sample_work *work = arena_array(ctx->arena, struct sample_work, 1, err);
    struct data_sample_stage *stages;

    if (work == NULL)
        return false;
    *work = (struct sample_work){.task = &task, .wish = &req->wish};
    if (!sample_begin(work, err))
        return false;
    stages = arena_array(ctx->arena, struct data_sample_stage, work->count, err);
    if (stages == NULL)
        return false;
    fill_stages(work, stages);
    if ((req->job.len > 0 && !plan_stages(ctx, req->job, stages, work->count, err)) ||
        (!req->wish.dry_run && !sample_make(work, err)))
        return false;
    for (size_t i = 0; i < work->count; i++)
        stages[i].is.made = work->stages[i].made;
    *res = (struct data_sample_result){.folder = req->wish.folder,
                                       .job = req->job,
                                       .rows = work->set.rows,
                                       .dry_run = req->wish.dry_run,
                                       .examples = (int64_t)work->counts.whole.examples,
                                       .files = (int64_t)work->counts.whole.files,
                                       .size = {work->counts.whole.bytes},
                                       .stages = {stages, work->count},
                                       .groups = work->groups,
                                       .whole_files = work->whole_files,
                                       .whole = work->whole};
    res->group_count = op_data_list(&res->groups, (size_t)req->limit);
    return true;
}

const struct op op_data_sample = {
    .name = "data.sample",
    .schema = "stint.data.sample/1",
    .changes = true,
    .summary = "make a folder of links with a part of a data set",
    .request = &(const struct field_set)FIELD_SET(struct data_sample_request, request),
    .result = &(const struct field_set)FIELD_SET(struct data_sample_result, result),
    .run = sample_data,
};
