#include "data/sample/sample_count.h"

#include <sys/stat.h>

#include "base/fs.h"
#include "data/sample/sample_rows.h"

struct counting {
    const struct sample_count_work *work;
    struct sample_counts *out;
    struct arena *arena;
    double smallest;
};

bool sample_divide_rows(const struct tree *tree, struct sample_set *set)
{
    uint64_t tables = 0, others = 0;

    for (size_t i = 0; i < tree->count; i++)
        if (sample_counts(&tree->entries[i]))
            *(sample_has_rows(tree->entries[i].path) ? &tables : &others) +=
                tree->entries[i].stat.size;
    set->rows = tables > others;
    for (size_t i = 0; i < tree->count && set->rows; i++)
        set->example_of[i] = SAMPLE_NONE;
    return set->rows;
}

static const char *path_of_entry(const struct counting *c, const struct tree_entry *e,
                                 struct error *err)
{
    char *name = str_dup(e->path, c->arena, err);

    return name != NULL ? fs_join(c->work->folder, name, c->arena, err) : NULL;
}

/* A link stands for the file that it points to, as in a sample of a sample. */
static bool size_of_entry(const struct counting *c, const struct tree_entry *e, uint64_t *size,
                          struct error *err)
{
    const char *path = e->kind == TREE_LINK ? path_of_entry(c, e, err) : NULL;
    struct stat st;

    *size = e->stat.size;
    if (path != NULL && stat(path, &st) == 0)
        *size = (uint64_t)st.st_size;
    return path != NULL || e->kind != TREE_LINK;
}

static void add_sample_file(struct sample_sum *sum, uint64_t size)
{
    sum->files++;
    sum->bytes += size;
}

static bool count_table(struct counting *c, const struct tree_entry *e, struct error *err)
{
    const struct sample_count_work *work = c->work;
    struct sample_rows rows = {.path = path_of_entry(c, e, err),
                               .seed = work->seed,
                               .fractions = work->fractions,
                               .fraction_count = work->fraction_count,
                               .watch = work->watch};
    struct sample_group_sum *group = &c->out->groups[c->out->group_count++];
    struct sample_rows_sum sum;

    if (rows.path == NULL || !sample_rows_count(&rows, &sum, err))
        return false;
    *group = (struct sample_group_sum){.name = e->path, .examples = sum.rows};
    add_sample_file(&c->out->whole, sum.bytes);
    c->out->whole.examples += sum.rows;
    for (size_t i = 0; i < work->fraction_count; i++) {
        add_sample_file(&c->out->fractions[i], sum.taken[i].bytes);
        c->out->fractions[i].examples += sum.taken[i].rows;
        if (work->fractions[i] <= c->smallest)
            group->taken = sum.taken[i].rows;
    }
    return true;
}

static bool count_entry(struct counting *c, size_t entry, struct error *err)
{
    const struct sample_count_work *work = c->work;
    const struct tree_entry *e = &work->tree->entries[entry];
    uint64_t size;

    if (!sample_counts(e))
        return true;
    if (work->set->rows && sample_has_rows(e->path))
        return count_table(c, e, err);
    if (!size_of_entry(c, e, &size, err))
        return false;
    add_sample_file(&c->out->whole, size);
    for (size_t i = 0; i < work->fraction_count; i++)
        if (sample_has(work->set, entry, work->fractions[i]))
            add_sample_file(&c->out->fractions[i], size);
    return true;
}

static void count_examples(struct counting *c)
{
    const struct sample_set *set = c->work->set;

    c->out->whole.examples = set->count;
    c->out->group_count = set->group_count;
    for (size_t i = 0; i < set->group_count; i++)
        c->out->groups[i] = (struct sample_group_sum){.name = set->groups[i].name,
                                                      .examples = set->groups[i].count};
    for (size_t i = 0; i < set->count; i++) {
        const struct sample_example *example = &set->examples[i];

        for (size_t j = 0; j < c->work->fraction_count; j++)
            c->out->fractions[j].examples += example->from < c->work->fractions[j];
        c->out->groups[example->group].taken += example->from < c->smallest;
    }
}

bool sample_count(const struct sample_count_work *work, struct arena *arena,
                  struct sample_counts *out, struct error *err)
{
    struct counting c = {work, out, arena, work->fractions[0]};
    size_t groups = work->set->rows ? work->tree->count : work->set->group_count;

    *out = (struct sample_counts){
        .fractions = arena_array(arena, struct sample_sum, work->fraction_count, err),
        .groups = arena_array(arena, struct sample_group_sum, groups + 1, err)};
    if (out->fractions == NULL || out->groups == NULL)
        return false;
    for (size_t i = 0; i < work->fraction_count; i++)
        c.smallest = work->fractions[i] < c.smallest ? work->fractions[i] : c.smallest;
    if (!work->set->rows)
        count_examples(&c);
    for (size_t i = 0; i < work->tree->count; i++)
        if (!count_entry(&c, i, err))
            return false;
    return true;
}
