#include "data/images/images.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/journal.h"
#include "base/map.h"
#include "base/parallel.h"
#include "base/part.h"
#include "data/images/image_bucket.h"
#include "data/images/images_internal.h"

const char *const images_fate_names[IMAGES_FATES + 1] = {
    [IMAGES_SMALLER] = "smaller",     [IMAGES_BEST] = "small already",
    [IMAGES_UNUSUAL] = "unsupported", [IMAGES_LARGE] = "too large",
    [IMAGES_CORRUPT] = "corrupt",     [IMAGES_SIDECAR] = "sidecar",
    [IMAGES_OTHER] = "other",
};

static const struct field sum_fields[] = {
    FIELD(ENUM, images_sum, outcome, .names = images_fate_names,
          .help = "result: smaller, or copied and why"),
    FIELD(COUNT, images_sum, files, .help = "number of files"),
    FIELD(BYTES, images_sum, size, .help = "size before"),
    FIELD(BYTES, images_sum, new_size, .help = "size after"),
};

const struct field_set images_sum_fields = FIELD_SET(struct images_sum, sum_fields);

static const struct field note_fields[] = {
    FIELD(TEXT, images_note, path, .help = "path in the folder"),
    FIELD(ENUM, images_note, outcome, .names = images_fate_names,
          .help = "result: corrupt, unsupported or too large"),
    FIELD(TEXT, images_note, reason, .help = "reason"),
};

const struct field_set images_note_fields = FIELD_SET(struct images_note, note_fields);

static const struct field group_fields[] = {
    FIELD(TEXTS, images_group, paths, .help = "paths in the folder"),
    FIELD(BYTES, images_group, size, .help = "size of all but the largest"),
};

const struct field_set images_group_fields = FIELD_SET(struct images_group, group_fields);

static const struct field bucket_fields[] = {
    FIELD(COUNT, images_bucket, width, .help = "width of the bucket"),
    FIELD(COUNT, images_bucket, height, .help = "height of the bucket"),
    FIELD(COUNT, images_bucket, images, .help = "number of images in it"),
};

const struct field_set images_bucket_fields = FIELD_SET(struct images_bucket, bucket_fields);

/* Extensions of files that belong to an image. */
static const char *const sidecar_names[] = {"txt", "caption", "json", "npz", NULL};

static bool is_images_folder_inside(const char *inner, const char *outer)
{
    size_t len = strlen(outer);

    return strncmp(inner, outer, len) == 0 &&
           (inner[len] == '/' || inner[len] == '\0' || len == 1);
}

static bool has_any_entry(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    bool any = false;

    if (dir == NULL)
        return false;
    while (!any && (entry = readdir(dir)) != NULL)
        any = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    (void)closedir(dir);
    return any;
}

/* A folder that is new, empty, or of an earlier run; neither in the other nor around it. */
static bool open_images_output(const struct images_work *work, struct arena *arena, int *fd,
                               struct error *err)
{
    char from[PATH_MAX], to[PATH_MAX];
    bool made;
    const char *journal = fs_join(work->to, IMAGES_JOURNAL, arena, err);

    if (journal == NULL || !fs_make_output_folder(work->to, &made, err))
        return false;
    if (realpath(work->from, from) == NULL || realpath(work->to, to) == NULL) {
        error_system(err, errno, "cannot read '%s'", work->to);
        return false;
    }
    if (is_images_folder_inside(to, from) || is_images_folder_inside(from, to)) {
        if (made)
            (void)rmdir(to);
        return error_fail_hint(err, ERROR_USAGE, "name a folder elsewhere with -o",
                               "'%s' and '%s' are in each other", work->to, work->from);
    }
    if (!made && !fs_exists(journal) && has_any_entry(work->to))
        return error_fail_hint(err, ERROR_INPUT, "name a new folder with -o",
                               "'%s' has files that are not from an earlier run", work->to);
    *fd = open(work->to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0)
        error_system(err, errno, "cannot read '%s'", work->to);
    return *fd >= 0;
}

/* A name of images without their extension, whose letters are all small. */
static bool add_stem(struct map *stems, struct str stem, struct arena *arena, struct error *err)
{
    char *small = str_dup(stem, arena, err);
    struct map_entry *e;
    bool added;

    if (small == NULL)
        return false;
    for (char *at = small; *at != '\0'; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    e = map_add(stems, (struct str){small, stem.len}, &added, err);
    if (e != NULL && !added)
        e->value = stems; /* of more than one image */
    return e != NULL;
}

static struct map_entry *find_stem(const struct map *stems, struct str stem)
{
    char small[PATH_MAX];

    str_copy(stem, small, sizeof small);
    for (char *at = small; *at != '\0'; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    return map_find(stems, str_from(small));
}

/* Names of images with and without their extension, in `stems`. */
static bool collect_stems(const struct tree *tree, struct map *stems, struct arena *arena,
                          struct error *err)
{
    for (size_t i = 0; i < tree->count; i++) {
        struct str path = tree->entries[i].path;

        if (images_has_image_name(path) &&
            (!add_stem(stems, tree_path_stem(path), arena, err) ||
             !add_stem(stems, path, arena, err)))
            return false;
    }
    return true;
}

/* A name without an extension stays, and so does one that would be that of another image. */
static bool keeps_name(const struct map *stems, struct str path)
{
    const struct map_entry *e =
        images_has_image_name(path) ? find_stem(stems, tree_path_stem(path)) : NULL;

    return e == NULL || e->value != NULL;
}

static bool is_sidecar(const struct map *stems, struct str path)
{
    return tree_path_has_extension(path, sidecar_names) &&
           find_stem(stems, tree_path_stem(path)) != NULL;
}

/* All entries but the notes of a run that had made this folder. */
static bool list_images(struct images_crew *crew, struct tree *tree, struct arena *arena,
                        struct error *err)
{
    struct map stems = map_in_arena(arena);

    crew->items = arena_array(arena, struct images_item, tree->count, err);
    if (crew->items == NULL || !collect_stems(tree, &stems, arena, err))
        return false;
    for (size_t i = 0; i < tree->count; i++) {
        struct tree_entry *e = &tree->entries[i];

        if (str_eq(e->path, STR(IMAGES_JOURNAL)) || str_starts(e->path, STR(IMAGES_TEMPORARY)))
            continue;
        crew->items[crew->count++] =
            (struct images_item){.entry = e,
                                 .sidecar = is_sidecar(&stems, e->path),
                                 .keep_name = keeps_name(&stems, e->path)};
    }
    return true;
}

static bool do_images_item(void *ctx, size_t index, struct arena *scratch, struct error *err)
{
    struct images_crew *crew = ctx;

    return images_do(crew, &crew->items[index], index, scratch, err);
}

static bool images_stopped(void *ctx)
{
    return watch_stopped(((struct images_crew *)ctx)->work->watch);
}

static void report_images(void *ctx, size_t done)
{
    struct images_crew *crew = ctx;

    (void)done;
    watch_progress(crew->work->watch, "optimizing",
                   atomic_load_explicit(&crew->read, memory_order_relaxed), crew->total);
}

static bool note_trouble(struct tree *tree, const struct images_item *item, struct error *err)
{
    item->entry->trouble = true;
    return tree_add_problem(
        tree, item->trouble < 0 ? TREE_CHANGING : TREE_UNREADABLE, item->entry->path,
        item->trouble < 0 ? "written while it was read" : strerror(item->trouble), err);
}

static bool is_worth_a_note(const struct images_item *item)
{
    return item->fate == IMAGES_CORRUPT || item->fate == IMAGES_UNUSUAL ||
           item->fate == IMAGES_LARGE;
}

/* Sums, notes and problems, in the order of paths. */
static bool sum_up_images(const struct images_crew *crew, struct arena *arena,
                          struct images *out, struct error *err)
{
    size_t room = 0;

    for (int32_t f = 0; f < IMAGES_FATES; f++)
        out->sums[f] = (struct images_sum){.outcome = f};
    for (size_t i = 0; i < crew->count; i++) {
        const struct images_item *item = &crew->items[i];
        struct images_sum *sum = &out->sums[item->fate];

        if (item->trouble != 0 && !note_trouble(&out->tree, item, err))
            return false;
        if (!item->done)
            continue;
        sum->files++;
        sum->size.n += item->entry->stat.size;
        sum->new_size.n += item->size;
        out->images += item->image;
        out->kept += item->kept;
        out->renamed += item->written != IMAGE_NONE;
        if (!is_worth_a_note(item))
            continue;
        out->notes =
            arena_grow(arena, out->notes, out->note_count, sizeof *out->notes, &room, err);
        if (out->notes == NULL)
            return false;
        out->notes[out->note_count++] = (struct images_note){
            .path = item->entry->path, .outcome = item->fate, .reason = str_from(item->why)};
    }
    return true;
}

/* Most images first; then the widest. */
static int compare_images_buckets(const void *a, const void *b)
{
    const struct images_bucket *one = a, *other = b;

    if (one->images != other->images)
        return one->images > other->images ? -1 : 1;
    return one->width > other->width ? -1 : one->width < other->width;
}

/* The bucket of that size, added when there was none. NULL when memory runs out. */
static struct images_bucket *find_bucket(struct images *out, struct image_size size,
                                         size_t *room, struct arena *arena, struct error *err)
{
    for (size_t i = 0; i < out->bucket_count; i++)
        if (out->buckets[i].width == size.width && out->buckets[i].height == size.height)
            return &out->buckets[i];
    out->buckets =
        arena_grow(arena, out->buckets, out->bucket_count, sizeof *out->buckets, room, err);
    if (out->buckets == NULL)
        return NULL;
    out->buckets[out->bucket_count] =
        (struct images_bucket){.width = size.width, .height = size.height};
    return &out->buckets[out->bucket_count++];
}

static bool count_buckets(const struct images_crew *crew, struct arena *arena,
                          struct images *out, struct error *err)
{
    uint32_t side = crew->work->wish.bucket;
    size_t room = 0;

    for (size_t i = 0; side > 0 && i < crew->count; i++) {
        const struct images_item *item = &crew->items[i];
        struct images_bucket *bucket;

        if (!item->done || item->width == 0 || item->height == 0 ||
            item->fate == IMAGES_CORRUPT)
            continue;
        bucket = find_bucket(out, image_bucket_of(side, item->width, item->height), &room,
                             arena, err);
        if (bucket == NULL)
            return false;
        bucket->images++;
    }
    if (out->bucket_count > 1)
        qsort(out->buckets, out->bucket_count, sizeof *out->buckets, compare_images_buckets);
    return true;
}

/* With the folders open. */
static bool optimize_listed(struct images_crew *crew, struct arena *arena, struct images *out,
                            struct error *err)
{
    const struct parallel what = {
        .threads = crew->work->threads,
        .alloc = arena->alloc,
        .item = do_images_item,
        .stop = images_stopped,
        .report = report_images,
        .ctx = crew,
    };

    if (!list_images(crew, &out->tree, arena, err) || !images_open_journal(crew, arena, err))
        return false;
    images_remove_temporary(crew->to);
    if (crew->aside >= 0)
        images_remove_temporary(crew->aside);
    for (size_t i = 0; i < crew->count; i++)
        if (!crew->items[i].done && crew->items[i].entry->kind == TREE_FILE)
            crew->total += crew->items[i].entry->stat.size;
    return parallel_run(&what, crew->count, err) && sum_up_images(crew, arena, out, err) &&
           images_find_duplicates(crew, arena, out, err) &&
           images_find_similar(crew, arena, out, err) && count_buckets(crew, arena, out, err);
}

static void close_crew(struct images_crew *crew)
{
    journal_close(crew->journal);
    if (crew->from >= 0)
        (void)close(crew->from);
    if (crew->to >= 0)
        (void)close(crew->to);
    if (crew->aside >= 0)
        (void)close(crew->aside);
    (void)pthread_mutex_destroy(&crew->making);
    (void)pthread_mutex_destroy(&crew->gate.lock);
    (void)pthread_cond_destroy(&crew->gate.freed);
}

bool images_optimize(const struct images_work *work, struct arena *arena, struct images *out,
                     struct error *err)
{
    struct images_crew crew = {.work = work, .from = -1, .to = -1, .aside = -1};
    bool ok;

    *out = (struct images){0};
    crew.part = part_open("images", IMAGE_PART_VERSION, err);
    if (crew.part == NULL ||
        ((work->wish.max_side > 0 || work->wish.bucket > 0) && !crew.part->can_resize(err)) ||
        !tree_walk(work->from, work->watch, arena, &out->tree, err))
        return false;
    (void)pthread_mutex_init(&crew.making, NULL);
    (void)pthread_mutex_init(&crew.gate.lock, NULL);
    (void)pthread_cond_init(&crew.gate.freed, NULL);
    crew.gate.all = work->memory > 0 ? work->memory : IMAGES_MEMORY;
    crew.from = open(work->from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    crew.aside = open(work->aside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (crew.from < 0)
        error_system(err, errno, "cannot read '%s'", work->from);
    ok = crew.from >= 0 && open_images_output(work, arena, &crew.to, err) &&
         optimize_listed(&crew, arena, out, err);
    if (ok)
        (void)syncfs(crew.to);
    close_crew(&crew);
    return ok;
}

bool images_notes(const struct images *images, bool corrupt, struct arena *arena,
                  struct rows *out, struct error *err)
{
    struct images_note *list = arena_array(arena, struct images_note, images->note_count, err);
    size_t count = 0;

    if (list == NULL)
        return false;
    for (size_t i = 0; i < images->note_count; i++)
        if ((images->notes[i].outcome == IMAGES_CORRUPT) == corrupt)
            list[count++] = images->notes[i];
    *out = (struct rows){list, count};
    return true;
}
