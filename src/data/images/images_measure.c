/* How small a folder of images would become: some of them are made smaller, in memory. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/part.h"
#include "data/images/images_internal.h"

#define KIND_MOST 32                         /* files of a kind that are tried */
#define KIND_BYTES ((uint64_t)4 << 20)       /* of them, but for the first two */
#define TRIAL_FILE_MOST ((uint64_t)64 << 20) /* a larger one is not tried */
#define IMAGE_DOUBT 0.5                    /* an image may become so much smaller than others */
#define TRIAL_MEMORY ((uint64_t)512 << 20) /* that one may take */

enum trial_kind { TRIAL_JPEG, TRIAL_PNG, TRIAL_KINDS };

static const char *const trial_names[TRIAL_KINDS][5] = {
    [TRIAL_JPEG] = {"jpg", "jpeg", "jpe", "jfif", NULL},
    [TRIAL_PNG] = {"png", NULL},
};

/* One that is tried. */
struct image_trial {
    const struct tree_entry *entry;
    uint64_t key; /* those with the lowest keys are tried */
    bool done, corrupt;
    uint64_t size;
};

struct images_trials {
    const struct images_measure *work;
    const struct image_part *part;
    struct sampled_stratum strata[TRIAL_KINDS];
    struct image_trial trials[TRIAL_KINDS][KIND_MOST];
    size_t count[TRIAL_KINDS];
    struct image_trial *all[TRIAL_KINDS * KIND_MOST];
    size_t all_count;
};

static int trial_kind_of(struct str path)
{
    for (int kind = 0; kind < TRIAL_KINDS; kind++)
        if (tree_path_has_extension(path, trial_names[kind]))
            return kind;
    return -1;
}

/* Among those with the lowest keys, in their order. */
static void keep_trial(struct images_trials *t, int kind, const struct tree_entry *entry)
{
    uint64_t key = text_hash(0, entry->path);
    struct image_trial *list = t->trials[kind];
    size_t at = t->count[kind];

    if (at == KIND_MOST && list[at - 1].key <= key)
        return;
    at -= at == KIND_MOST;
    for (; at > 0 && list[at - 1].key > key; at--)
        list[at] = list[at - 1];
    list[at] = (struct image_trial){.entry = entry, .key = key};
    t->count[kind] += t->count[kind] < KIND_MOST;
}

/* Sizes of what is not an image are in `rest`. */
static void choose_trials(struct images_trials *t, const struct tree *tree,
                          struct images_measured *out)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_entry *e = &tree->entries[i];
        int kind = trial_kind_of(e->path);

        if (e->kind != TREE_FILE || e->trouble)
            continue;
        if (kind < 0 || e->stat.size > TRIAL_FILE_MOST) {
            out->rest += e->stat.size;
            continue;
        }
        out->images++;
        t->strata[kind].doubt = IMAGE_DOUBT;
        t->strata[kind].count++;
        t->strata[kind].size += e->stat.size;
        keep_trial(t, kind, e);
    }
}

/* As many as there is room for, of each kind. */
static void limit_trials(struct images_trials *t)
{
    for (int kind = 0; kind < TRIAL_KINDS; kind++) {
        uint64_t bytes_of = 0;

        for (size_t i = 0; i < t->count[kind]; i++) {
            bytes_of += t->trials[kind][i].entry->stat.size;
            if (i >= 2 && bytes_of > KIND_BYTES)
                t->count[kind] = i;
            else
                t->all[t->all_count++] = &t->trials[kind][i];
        }
    }
}

static bool admit_trial(void *ctx, uint64_t memory)
{
    (void)ctx;
    return memory <= TRIAL_MEMORY;
}

/* What cannot be read, or has changed, is not counted. */
static bool try_image(void *ctx, size_t index, struct arena *scratch, struct error *err)
{
    struct images_trials *t = ctx;
    struct image_trial *trial = t->all[index];
    struct image_wish wish = t->work->wish;
    struct buf out = buf_new(scratch->alloc, BUF_MAX_OUTPUT);
    const char *path = fs_join(t->work->folder, trial->entry->path.at, scratch, err);
    struct image_answer answer;
    struct error why = {0};
    struct str file;
    bool ok;

    if (path == NULL)
        return false;
    if (!fs_read(path, TRIAL_FILE_MOST, scratch, &file, &why)) {
        if (why.kind != ERROR_MEMORY && why.kind != ERROR_STOPPED)
            return true;
        *err = why;
        return false;
    }
    if (file.len != trial->entry->stat.size)
        return true;
    wish.admit = admit_trial;
    wish.stopped = t->work->watch->stopped;
    ok = t->part->optimize(&wish, file, scratch, &out, &answer, err);
    trial->done = ok;
    trial->corrupt = ok && answer.outcome == IMAGE_CORRUPT;
    trial->size = ok && answer.outcome == IMAGE_SMALLER ? out.len : file.len;
    buf_free(&out);
    return ok;
}

static bool trials_stopped(void *ctx)
{
    return watch_stopped(((struct images_trials *)ctx)->work->watch);
}

static void report_trials(void *ctx, size_t done)
{
    const struct images_trials *t = ctx;

    watch_progress(t->work->watch, "measuring", done, t->all_count);
}

/* Damaged ones are set aside: they are part of neither. */
static void sum_up_trials(struct images_trials *t, struct images_measured *out)
{
    for (size_t i = 0; i < t->all_count; i++) {
        const struct image_trial *trial = t->all[i];
        int kind = trial_kind_of(trial->entry->path);

        out->corrupt += trial->corrupt;
        if (trial->corrupt) {
            t->strata[kind].count--;
            t->strata[kind].size -= trial->entry->stat.size;
        } else if (trial->done) {
            sampled_add(&t->strata[kind], trial->entry->stat.size, trial->size);
        }
    }
    out->size = sampled_total(t->strata, TRIAL_KINDS);
}

bool images_measure(const struct images_measure *work, const struct tree *tree,
                    struct arena *arena, struct images_measured *out, struct error *err)
{
    struct images_trials *t = arena_array(arena, struct images_trials, 1, err);
    const struct parallel what = {.threads = work->threads,
                                  .alloc = arena->alloc,
                                  .item = try_image,
                                  .stop = trials_stopped,
                                  .report = report_trials,
                                  .ctx = t};
    uint64_t images = 0;

    *out = (struct images_measured){0};
    if (t == NULL)
        return false;
    *t = (struct images_trials){.work = work};
    t->part = part_open("images", IMAGE_PART_VERSION, err);
    if (t->part == NULL)
        return false;
    choose_trials(t, tree, out);
    limit_trials(t);
    if (t->all_count > 0 && !parallel_run(&what, t->all_count, err))
        return false;
    sum_up_trials(t, out);
    for (int kind = 0; kind < TRIAL_KINDS; kind++)
        images += t->strata[kind].size;
    out->size.high = out->size.high < images ? out->size.high : images;
    out->size.size += out->rest;
    out->size.low += out->rest;
    out->size.high += out->rest;
    return true;
}
