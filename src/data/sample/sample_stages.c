#include "data/sample/sample_stages.h"

#include <math.h>
#include <stdlib.h>

#include "base/fs.h"
#include "base/map.h"
#include "base/num.h"
#include "data/named.h"
#include "data/sample/sample_labels.h"
#include "data/sample/sample_rows.h"
#include "data/sample/sample_write.h"

enum { WHOLE_SHOWN = 20 };

static const struct field group_fields[] = {
    FIELD(TEXT, sample_group_row, group, .help = "folder, label or table"),
    FIELD(COUNT, sample_group_row, examples, .help = "number of examples"),
    FIELD(COUNT, sample_group_row, taken, .help = "examples in the smallest fraction"),
    FIELD(SHARE, sample_group_row, share, .help = "part of the group that is taken"),
};

const struct field_set sample_group_fields = FIELD_SET(struct sample_group_row, group_fields);

/* ---- what is asked ---- */

static bool stage_folder(struct sample_work *s, double fraction, struct str *out,
                         struct error *err)
{
    static const char *const nameless[] = {"", ".", "..", NULL};
    struct buf text = buf_new(s->task->arena->alloc, 512);
    struct str base = s->wish->output.len > 0 ? s->wish->output : s->wish->folder;

    while (base.len > 1 && base.at[base.len - 1] == '/')
        base.len--;
    if (str_is_one_of(str_after_last(base, '/'), nameless)) {
        buf_free(&text);
        return error_fail_hint(err, ERROR_USAGE, "-o OUT does",
                               "'%.*s' does not say what to call the new folder",
                               STR_ARG(base));
    }
    buf_add(&text, base);
    if (s->wish->output.len == 0 || s->wish->stages.len > 0) {
        buf_char(&text, '_');
        num_write(fraction * 100, &text);
        buf_adds(&text, "pct");
    }
    return buf_keep(&text, s->task->arena, out, err);
}

static bool add_stage(struct sample_work *s, double fraction, struct error *err)
{
    struct sample_stage *stage = &s->stages[s->count++];

    *stage = (struct sample_stage){.fraction = fraction, .folder = s->wish->folder};
    if (!(fraction > 0) || fraction > 1)
        return error_fail_hint(err, ERROR_USAGE, "write it as 5%",
                               "a fraction is above 0 and at most 100 %%");
    return fraction >= 1 || stage_folder(s, fraction, &stage->folder, err);
}

static bool read_stages(struct sample_work *s, struct error *err)
{
    const struct sample_wish *wish = s->wish;
    double fraction;

    if (isnan(wish->fraction) == (wish->stages.len == 0))
        return error_fail_hint(err, ERROR_USAGE, "--fraction 5%, or --stages 5,25,100",
                               "one of --fraction and --stages says how much to take");
    s->stages = arena_array(s->task->arena, struct sample_stage, SAMPLE_FRACTIONS, err);
    if (s->stages == NULL)
        return false;
    if (wish->stages.len == 0)
        return add_stage(s, wish->fraction, err);
    if (wish->stages.len > SAMPLE_FRACTIONS)
        return error_fail(err, ERROR_USAGE, "--stages: at most %d", SAMPLE_FRACTIONS);
    for (size_t i = 0; i < wish->stages.len; i++) {
        if (!num_percent(wish->stages.at[i], &fraction))
            return error_fail_hint(err, ERROR_USAGE, "write them as 5,25,100",
                                   "--stages: '%.*s' is not a percentage",
                                   STR_ARG(wish->stages.at[i]));
        if (!add_stage(s, fraction, err))
            return false;
    }
    return true;
}

static bool divide_set(struct sample_work *s, struct error *err)
{
    struct arena *arena = s->task->arena;
    struct sample_rules rules = {.seed = (uint64_t)s->wish->seed,
                                 .least = (size_t)s->wish->least};
    char *labels = str_dup(s->wish->labels, arena, err);
    struct map map;

    if (labels == NULL ||
        (s->wish->labels.len > 0 &&
         !sample_labels_read(labels, s->wish->label_column, s->task->watch, arena, &map, err)))
        return false;
    if (s->wish->labels.len > 0)
        rules.labels = &map;
    if (!tree_walk(s->folder, s->task->watch, arena, &s->tree, err) ||
        !sample_divide(&s->tree, &rules, arena, &s->set, err))
        return false;
    data_note_problems(s->task, s->wish->folder, &s->tree);
    if (s->set.unlabeled > 0)
        message_warn(s->task->messages,
                     "%zu of %zu examples have no label in '%s': they are a group",
                     s->set.unlabeled, s->set.count, labels);
    if (!sample_divide_rows(&s->tree, &s->set) && s->set.count == 0)
        return error_fail_hint(err, ERROR_ABSENT,
                               "'stint data manifest' lists what is in a folder",
                               "there are no examples in '%s'", s->folder);
    return true;
}

static bool count_set(struct sample_work *s, struct error *err)
{
    double fractions[SAMPLE_FRACTIONS];
    struct sample_count_work work = {.folder = s->folder,
                                     .tree = &s->tree,
                                     .set = &s->set,
                                     .seed = (uint64_t)s->wish->seed,
                                     .fractions = fractions,
                                     .fraction_count = s->count,
                                     .watch = s->task->watch};

    for (size_t i = 0; i < s->count; i++)
        fractions[i] = s->stages[i].fraction;
    if (!sample_count(&work, s->task->arena, &s->counts, err))
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

static int larger_group_first(const void *a, const void *b)
{
    const struct sample_group_row *x = a, *y = b;

    if (x->examples != y->examples)
        return x->examples < y->examples ? 1 : -1;
    return str_cmp(x->group, y->group);
}

/* Files at the top, and files that the table of labels does not have. */
static struct str group_name(const struct sample_work *s, const struct sample_group_sum *group)
{
    if (group->name.len > 0)
        return group->name;
    return s->wish->labels.len > 0 ? STR("(no label)") : STR(".");
}

static void note_empty_groups(struct sample_work *s, size_t empty)
{
    if (empty > 0)
        message_note(s->task->messages,
                     "%zu of %zu %s have no example in the smallest fraction: --least 1 takes "
                     "one of each",
                     empty, s->counts.group_count,
                     s->wish->labels.len > 0 ? "labels" : "folders");
}

static bool list_groups(struct sample_work *s, struct error *err)
{
    size_t count = s->counts.group_count, empty = 0;
    struct sample_group_row *rows =
        arena_array(s->task->arena, struct sample_group_row, count + 1, err);

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
    s->groups = (struct rows){rows, count};
    return true;
}

static bool list_whole(struct sample_work *s, struct error *err)
{
    struct str *names = arena_array(s->task->arena, struct str, WHOLE_SHOWN, err);
    size_t count = 0;

    s->whole_files = 0;
    for (size_t i = 0; names != NULL && i < s->tree.count; i++) {
        const struct tree_entry *e = &s->tree.entries[i];

        if (!sample_counts(e) || s->set.example_of[i] != SAMPLE_NONE ||
            (s->set.rows && sample_has_rows(e->path)))
            continue;
        s->whole_files++;
        if (count < WHOLE_SHOWN)
            names[count++] = e->path;
    }
    s->whole = (struct strs){names, count};
    return names != NULL;
}

/* Before anything is made: a folder that is there stops all stages. */
static bool check_stage_folders(struct sample_work *s, struct error *err)
{
    for (size_t i = 0; i < s->count; i++) {
        const char *folder = str_dup(s->stages[i].folder, s->task->arena, err);

        if (folder == NULL)
            return false;
        if (s->stages[i].fraction < 1 && fs_exists(folder))
            return error_fail_hint(err, ERROR_INPUT, "remove it, or name another with -o",
                                   "'%s' exists", folder);
    }
    return true;
}

bool sample_begin(struct sample_work *s, struct error *err)
{
    s->folder = str_dup(s->wish->folder, s->task->arena, err);
    return s->folder != NULL && read_stages(s, err) && data_check_folder(s->folder, err) &&
           (s->wish->dry_run || check_stage_folders(s, err)) && divide_set(s, err) &&
           count_set(s, err) && list_groups(s, err) && list_whole(s, err);
}

bool sample_make(struct sample_work *s, struct error *err)
{
    struct arena *arena = s->task->arena;

    for (size_t i = 0; i < s->count; i++) {
        struct sample_stage *stage = &s->stages[i];
        struct sample_write_work work = {.from = s->folder,
                                         .to = str_dup(stage->folder, arena, err),
                                         .tree = &s->tree,
                                         .set = &s->set,
                                         .fraction = stage->fraction,
                                         .seed = (uint64_t)s->wish->seed,
                                         .watch = s->task->watch};

        if (stage->fraction >= 1)
            continue;
        if (work.to == NULL || !sample_write(&work, arena, err))
            return false;
        stage->made = true;
    }
    return true;
}
