/* data.sample - a part of a data set that stands for all of it, as a folder of links. */
#include "op/data/data_sample.h"

#include <math.h>
#include <stdlib.h>

#include "base/fs.h"
#include "base/num.h"
#include "data/sample/sample_count.h"
#include "data/sample/sample_labels.h"
#include "data/sample/sample_rows.h"
#include "data/sample/sample_write.h"
#include "op/context.h"
#include "op/data/data_tree.h"
#include "op/job_source.h"
#include "op/op.h"
#include "plan/record.h"

static const char *const output_names[] = {"o", NULL};

static const struct field request[] = {
    FIELD(TEXT, data_sample_request, folder, .value = "DIR", .operand = true, .required = true,
          .local = true, .help = "folder with the data set"),
    FIELD(TEXT, data_sample_request, output, .value = "OUT", .local = true,
          .also = output_names,
          .help = "folder to make (default: DIR_5pct); with --stages OUT_5pct, OUT_25pct"),
    FIELD(SHARE, data_sample_request, fraction, .value = "SHARE", .positive = true,
          .help = "part of the examples to take: 5%"),
    FIELD(TEXTS, data_sample_request, stages, .value = "PERCENT",
          .help = "several fractions: 5,25,100"),
    FIELD(TEXT, data_sample_request, labels, .value = "FILE", .local = true,
          .help = "CSV or JSON lines with a label for each file: each label gives the same "
                  "fraction (default: each folder does)"),
    FIELD(TEXT, data_sample_request, label_column, .value = "NAME",
          .help = "column of the labels (default: label, class, category or target)"),
    FIELD(COUNT, data_sample_request, least, .value = "N", .fallback = "0",
          .help = "take at least N examples of every folder or label"),
    FIELD(COUNT, data_sample_request, seed, .value = "N", .fallback = "0",
          .help = "choose others: each number is another choice"),
    FIELD(TEXT, data_sample_request, job, .value = "JOB", .local = true,
          .help = "job to plan with each fraction: a file, or a model"),
    FIELD(COUNT, data_sample_request, limit, .value = "N", .positive = true, .fallback = "10",
          .help = "list the N largest groups"),
    FIELD(FLAG, data_sample_request, dry_run, .help = "make no folder"),
};

static const struct field stage_fields[] = {
    FIELD(SHARE, sample_stage, fraction, .help = "fraction that was asked for"),
    FIELD(TEXT, sample_stage, folder, .help = "folder with this fraction"),
    FIELD(FLAG, sample_stage, made, .help = "true when this call made it"),
    FIELD(COUNT, sample_stage, examples, .help = "number of examples"),
    FIELD(COUNT, sample_stage, files, .help = "number of files"),
    FIELD(BYTES, sample_stage, size, .help = "size of these files"),
    FIELD(SHARE, sample_stage, share, .help = "part of the examples"),
    FIELD(USD, sample_stage, cost, .help = "cost of the job with this fraction, by its plan"),
    FIELD(SPAN, sample_stage, time, .help = "time of the job with this fraction"),
    FIELD(TEXT, sample_stage, offer, .empty_unknown = true, .help = "offer of that plan"),
};

static const struct field group_fields[] = {
    FIELD(TEXT, sample_group_row, group, .help = "folder, label or table"),
    FIELD(COUNT, sample_group_row, examples, .help = "number of examples"),
    FIELD(COUNT, sample_group_row, taken, .help = "examples in the smallest fraction"),
    FIELD(SHARE, sample_group_row, share, .help = "part of the group that is taken"),
};

static const struct field_set stage_set = FIELD_SET(struct sample_stage, stage_fields);
static const struct field_set group_set = FIELD_SET(struct sample_group_row, group_fields);

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
    FIELD(LIST, data_sample_result, groups, .row = &group_set,
          .help = "folders, labels or tables, the largest first"),
    FIELD(COUNT, data_sample_result, whole_files,
          .help = "number of files of the set as a whole, which every fraction has"),
    FIELD(TEXTS, data_sample_result, whole,
          .help = "files of the set as a whole, the first 20"),
};

enum { WHOLE_SHOWN = 20 };

/* One call. */
struct sampling {
    struct op_context *ctx;
    const struct data_sample_request *req;
    struct data_sample_result *res;
    const char *folder;
    struct tree tree;
    struct sample_set set;
    struct sample_counts counts;
    struct sample_stage *stages;
    size_t count;
};

/* ---- what is asked ---- */

static bool stage_folder(struct sampling *s, double fraction, struct str *out,
                         struct error *err)
{
    static const char *const nameless[] = {"", ".", "..", NULL};
    struct buf text = buf_new(s->ctx->arena->alloc, 512);
    struct str base = s->req->output.len > 0 ? s->req->output : s->req->folder;

    while (base.len > 1 && base.at[base.len - 1] == '/')
        base.len--;
    if (str_is_one_of(str_after_last(base, '/'), nameless)) {
        buf_free(&text);
        return error_fail_hint(err, ERROR_USAGE, "-o OUT does",
                               "'%.*s' does not say what to call the new folder",
                               STR_ARG(base));
    }
    buf_add(&text, base);
    if (s->req->output.len == 0 || s->req->stages.len > 0) {
        buf_char(&text, '_');
        num_write(fraction * 100, &text);
        buf_adds(&text, "pct");
    }
    return buf_keep(&text, s->ctx->arena, out, err);
}

static bool add_stage(struct sampling *s, double fraction, struct error *err)
{
    struct sample_stage *stage = &s->stages[s->count++];

    *stage = (struct sample_stage){.fraction = fraction,
                                   .folder = s->req->folder,
                                   .cost = USD_UNKNOWN,
                                   .time = SPAN_UNKNOWN};
    if (!(fraction > 0) || fraction > 1)
        return error_fail_hint(err, ERROR_USAGE, "write it as 5%",
                               "a fraction is above 0 and at most 100 %%");
    return fraction >= 1 || stage_folder(s, fraction, &stage->folder, err);
}

static bool read_stages(struct sampling *s, struct error *err)
{
    const struct data_sample_request *req = s->req;
    double fraction;

    if (isnan(req->fraction) == (req->stages.len == 0))
        return error_fail_hint(err, ERROR_USAGE, "--fraction 5%, or --stages 5,25,100",
                               "one of --fraction and --stages says how much to take");
    s->stages = arena_array(s->ctx->arena, struct sample_stage, SAMPLE_FRACTIONS, err);
    if (s->stages == NULL)
        return false;
    if (req->stages.len == 0)
        return add_stage(s, req->fraction, err);
    if (req->stages.len > SAMPLE_FRACTIONS)
        return error_fail(err, ERROR_USAGE, "--stages: at most %d", SAMPLE_FRACTIONS);
    for (size_t i = 0; i < req->stages.len; i++) {
        if (!num_percent(req->stages.at[i], &fraction))
            return error_fail_hint(err, ERROR_USAGE, "write them as 5,25,100",
                                   "--stages: '%.*s' is not a percentage",
                                   STR_ARG(req->stages.at[i]));
        if (!add_stage(s, fraction, err))
            return false;
    }
    return true;
}

/* ---- the set ---- */

static bool divide_set(struct sampling *s, struct error *err)
{
    struct op_context *ctx = s->ctx;
    struct sample_rules rules = {.seed = (uint64_t)s->req->seed,
                                 .least = (size_t)s->req->least};
    char *labels = str_dup(s->req->labels, ctx->arena, err);
    struct map map;

    if (labels == NULL ||
        (s->req->labels.len > 0 &&
         !sample_labels_read(labels, s->req->label_column, &ctx->watch, ctx->arena, &map, err)))
        return false;
    if (s->req->labels.len > 0)
        rules.labels = &map;
    if (!tree_walk(s->folder, &ctx->watch, ctx->arena, &s->tree, err) ||
        !sample_divide(&s->tree, &rules, ctx->arena, &s->set, err))
        return false;
    op_data_note_problems(ctx, s->req->folder, &s->tree);
    if (s->set.unlabeled > 0)
        message_warn(&ctx->messages,
                     "%zu of %zu examples have no label in '%s': they are a group",
                     s->set.unlabeled, s->set.count, labels);
    if (!sample_divide_rows(&s->tree, &s->set) && s->set.count == 0)
        return error_fail_hint(err, ERROR_ABSENT,
                               "'stint data manifest' lists what is in a folder",
                               "there are no examples in '%s'", s->folder);
    return true;
}

static bool count_set(struct sampling *s, struct error *err)
{
    double fractions[SAMPLE_FRACTIONS];
    struct sample_count_work work = {.folder = s->folder,
                                     .tree = &s->tree,
                                     .set = &s->set,
                                     .seed = (uint64_t)s->req->seed,
                                     .fractions = fractions,
                                     .fraction_count = s->count,
                                     .watch = &s->ctx->watch};

    for (size_t i = 0; i < s->count; i++)
        fractions[i] = s->stages[i].fraction;
    if (!sample_count(&work, s->ctx->arena, &s->counts, err))
        return false;
    for (size_t i = 0; i < s->count; i++) {
        const struct sample_sum *sum = &s->counts.fractions[i];
        struct sample_stage *stage = &s->stages[i];

        stage->examples = (int64_t)sum->examples;
        stage->files = (int64_t)sum->files;
        stage->size = (bytes){sum->bytes};
        stage->share = (double)sum->examples / fmax((double)s->counts.whole.examples, 1);
    }
    return true;
}

/* ---- groups ---- */

static int larger_group_first(const void *a, const void *b)
{
    const struct sample_group_row *x = a, *y = b;

    if (x->examples != y->examples)
        return x->examples < y->examples ? 1 : -1;
    return str_cmp(x->group, y->group);
}

/* Files at the top, and files that the table of labels does not have. */
static struct str group_name(const struct sampling *s, const struct sample_group_sum *group)
{
    if (group->name.len > 0)
        return group->name;
    return s->req->labels.len > 0 ? STR("(no label)") : STR(".");
}

static void note_empty_groups(struct sampling *s, size_t empty)
{
    if (empty > 0)
        message_note(&s->ctx->messages,
                     "%zu of %zu %s have no example in the smallest fraction: --least 1 takes "
                     "one of each",
                     empty, s->counts.group_count,
                     s->req->labels.len > 0 ? "labels" : "folders");
}

static bool list_groups(struct sampling *s, struct error *err)
{
    size_t count = s->counts.group_count, empty = 0, limit = (size_t)s->req->limit;
    struct sample_group_row *rows =
        arena_array(s->ctx->arena, struct sample_group_row, count + 1, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct sample_group_sum *group = &s->counts.groups[i];

        rows[i] = (struct sample_group_row){
            group_name(s, group), (int64_t)group->examples, (int64_t)group->taken,
            (double)group->taken / fmax((double)group->examples, 1)};
        empty += group->taken == 0;
    }
    if (!s->set.rows)
        note_empty_groups(s, empty);
    qsort(rows, count, sizeof *rows, larger_group_first);
    s->res->group_count = (int64_t)count;
    s->res->groups = (struct rows){rows, count < limit ? count : limit};
    return true;
}

static bool list_whole(struct sampling *s, struct error *err)
{
    struct str *names = arena_array(s->ctx->arena, struct str, WHOLE_SHOWN, err);
    size_t count = 0;

    s->res->whole_files = 0;
    for (size_t i = 0; names != NULL && i < s->tree.count; i++) {
        const struct tree_entry *e = &s->tree.entries[i];

        if (!sample_counts(e) || s->set.example_of[i] != SAMPLE_NONE ||
            (s->set.rows && sample_has_rows(e->path)))
            continue;
        s->res->whole_files++;
        if (count < WHOLE_SHOWN)
            names[count++] = e->path;
    }
    s->res->whole = (struct strs){names, count};
    return names != NULL;
}

/* ---- what the job costs ---- */

static bool write_amount(double amount, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);

    num_write(round(amount), &text);
    return buf_keep(&text, arena, out, err);
}

/* As much less data as the fraction is of the set; of a job that does not say how much there
 * is, the examples that were counted. */
static bool scale_job(struct sampling *s, const struct job_data *data,
                      const struct sample_stage *stage, struct job_source *source,
                      struct error *err)
{
    struct arena *arena = s->ctx->arena;

    if (data->examples > 0)
        return write_amount(data->examples * stage->share, arena, &source->examples, err);
    if (data->tokens > 0)
        return write_amount(data->tokens * stage->share, arena, &source->tokens, err);
    return write_amount((double)stage->examples, arena, &source->examples, err);
}

/* The same notes for each stage are said once. */
static bool plan_stage(struct sampling *s, const struct job_data *data,
                       struct sample_stage *stage, struct error *err)
{
    struct op_context sub = *s->ctx;
    const struct op *plan = op_find(STR("plan"));
    struct plan_request ask;
    struct plan_result answer;
    const struct plan_row *best;

    if (!fields_reset(plan->request, &ask, s->ctx->arena, err) ||
        !scale_job(s, data, stage, &ask.source, err))
        return false;
    ask.jobs = (struct strs){&s->req->job, 1};
    if (stage > s->stages)
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

static bool plan_stages(struct sampling *s, struct error *err)
{
    struct job_source source = {.job = s->req->job};
    struct job_input *in = arena_array(s->ctx->arena, struct job_input, 1, err);

    if (in == NULL || !op_job_read(s->ctx, &source, in, err))
        return false;
    if (in->job.train.steps > 0)
        message_warn(&s->ctx->messages,
                     "the job has %.0f steps: with less data it does not take less time; "
                     "'epochs: 1' instead of steps does",
                     in->job.train.steps);
    for (size_t i = 0; i < s->count; i++)
        if (!plan_stage(s, &in->job.train.data, &s->stages[i], err))
            return false;
    return true;
}

/* ---- doing it ---- */

static bool make_stages(struct sampling *s, struct error *err)
{
    struct arena *arena = s->ctx->arena;

    for (size_t i = 0; i < s->count; i++) {
        struct sample_stage *stage = &s->stages[i];
        struct sample_write_work work = {.from = s->folder,
                                         .to = str_dup(stage->folder, arena, err),
                                         .tree = &s->tree,
                                         .set = &s->set,
                                         .fraction = stage->fraction,
                                         .seed = (uint64_t)s->req->seed,
                                         .watch = &s->ctx->watch};

        if (stage->fraction >= 1)
            continue;
        if (work.to == NULL || !sample_write(&work, arena, err))
            return false;
        stage->made = true;
    }
    return true;
}

/* Before anything is made: a folder that is there stops all stages. */
static bool check_stage_folders(struct sampling *s, struct error *err)
{
    for (size_t i = 0; i < s->count; i++) {
        const char *folder = str_dup(s->stages[i].folder, s->ctx->arena, err);

        if (folder == NULL)
            return false;
        if (s->stages[i].fraction < 1 && fs_exists(folder))
            return error_fail_hint(err, ERROR_INPUT, "remove it, or name another with -o",
                                   "'%s' exists", folder);
    }
    return true;
}

static bool sample_data(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct sampling s = {.ctx = ctx, .req = in, .res = out};

    s.folder = str_dup(s.req->folder, ctx->arena, err);
    if (s.folder == NULL || !read_stages(&s, err) || !op_data_check_folder(s.folder, err) ||
        (!s.req->dry_run && !check_stage_folders(&s, err)) || !divide_set(&s, err))
        return false;
    if (!count_set(&s, err))
        return false;
    *s.res = (struct data_sample_result){.folder = s.req->folder,
                                         .job = s.req->job,
                                         .rows = s.set.rows,
                                         .dry_run = s.req->dry_run,
                                         .examples = (int64_t)s.counts.whole.examples,
                                         .files = (int64_t)s.counts.whole.files,
                                         .size = {s.counts.whole.bytes},
                                         .stages = {s.stages, s.count}};
    return list_groups(&s, err) && list_whole(&s, err) &&
           (s.req->job.len == 0 || plan_stages(&s, err)) &&
           (s.req->dry_run || make_stages(&s, err));
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
