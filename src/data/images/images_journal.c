/* What was done for a folder of images, noted as it is done. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/journal.h"
#include "data/images/images_internal.h"

#define SEED 7 /* the same in every run: the hashes are kept */

/* A file that is done. The path is known by its hash, and what the file system says of it. */
struct images_record {
    uint64_t path; /* hash */
    struct tree_stat was;
    uint64_t size; /* of what was written */
    unsigned char digest[TREE_DIGEST];
    int32_t fate, written;
    uint32_t width, height;
    bool image, look_known;
    uint64_t look;
    char why[IMAGES_WHY];
};

struct images_records {
    struct arena *arena;
    struct images_record *at;
    size_t count, room;
    struct error *err;
    bool failed;
};

static void take_images_record(void *ctx, const void *record)
{
    struct images_records *all = ctx;
    struct images_record *list;

    if (all->failed)
        return;
    list = arena_grow(all->arena, all->at, all->count, sizeof *all->at, &all->room, all->err);
    all->failed = list == NULL;
    if (all->failed)
        return;
    all->at = list;
    memcpy(&all->at[all->count++], record, sizeof *all->at);
}

static int compare_paths_of_records(const void *a, const void *b)
{
    uint64_t one = ((const struct images_record *)a)->path;
    uint64_t other = ((const struct images_record *)b)->path;

    return one < other ? -1 : one > other;
}

/* Is what was noted still so, here and there? */
static bool is_still_done(const struct images_crew *crew, const struct images_record *r,
                          const struct tree_entry *e)
{
    int folder = r->fate == IMAGES_CORRUPT ? crew->aside : crew->to;
    char path[PATH_MAX];
    struct stat st;
    struct tree_stat there;

    if (!tree_stat_same(&r->was, &e->stat) || r->fate < 0 || r->fate >= IMAGES_FATES ||
        folder < 0 || !images_output_path(e->path, r->written, path) ||
        fstatat(folder, path, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
        return false;
    there = tree_stat_of(&st);
    return there.size == r->size && there.modified == e->stat.modified;
}

static void take_record(const struct images_crew *crew, const struct images_record *r,
                        struct images_item *item)
{
    item->before = r->fate != IMAGES_CORRUPT ? r->written : item->before;
    if (!is_still_done(crew, r, item->entry))
        return;
    item->done = item->kept = true;
    item->written = r->written;
    item->look_known = r->look_known;
    item->look = r->look;
    item->width = r->width;
    item->height = r->height;
    item->fate = r->fate;
    item->image = r->image;
    item->size = r->size;
    memcpy(item->digest, r->digest, sizeof item->digest);
    memcpy(item->why, r->why, sizeof item->why);
    item->why[IMAGES_WHY - 1] = '\0';
}

static uint64_t hash_of_path(struct str path)
{
    return text_hash(SEED, path);
}

/* Of several of one path the one that fits counts. */
static void find_records(const struct images_crew *crew, struct images_records *all)
{
    if (all->count > 1)
        qsort(all->at, all->count, sizeof *all->at, compare_paths_of_records);
    for (size_t i = 0; i < crew->count; i++) {
        struct images_item *item = &crew->items[i];
        struct images_record key = {.path = hash_of_path(item->entry->path)};
        const struct images_record *r =
            all->count > 0
                ? bsearch(&key, all->at, all->count, sizeof key, compare_paths_of_records)
                : NULL;

        if (r == NULL || item->entry->kind != TREE_FILE)
            continue;
        while (r > all->at && r[-1].path == key.path)
            r--;
        for (; r < all->at + all->count && r->path == key.path && !item->done; r++)
            take_record(crew, r, item);
    }
}

bool images_open_journal(struct images_crew *crew, struct arena *arena, struct error *err)
{
    struct images_records all = {.arena = arena, .err = err};
    struct buf header = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    char real[PATH_MAX];
    const char *path = fs_join(crew->work->to, IMAGES_JOURNAL, arena, err);

    buf_adds(&header, "stint images: 1\nfolder: ");
    buf_add_safe(&header,
                 str_from(realpath(crew->work->from, real) != NULL ? real : crew->work->from));
    buf_adds(&header, "\noutput: ");
    buf_add_safe(&header, crew->work->settings);
    buf_char(&header, '\n');
    if (path != NULL && buf_ok(&header, err))
        crew->journal =
            journal_open(path, buf_text(&header), sizeof(struct images_record),
                         (struct journal_reader){take_images_record, &all}, arena->alloc, err);
    buf_free(&header);
    if (crew->journal == NULL || all.failed) {
        if (err->kind == ERROR_INPUT)
            error_hint(err, "name another folder with -o, or remove '%s'", crew->work->to);
        return false;
    }
    find_records(crew, &all);
    return true;
}

bool images_note_done(struct images_crew *crew, const struct images_item *item,
                      struct error *err)
{
    struct images_record record;

    memset(&record, 0, sizeof record); /* also between the members */
    record.path = hash_of_path(item->entry->path);
    record.was = item->entry->stat;
    record.size = item->size;
    memcpy(record.digest, item->digest, sizeof record.digest);
    record.fate = item->fate;
    record.written = item->written;
    record.look_known = item->look_known;
    record.look = item->look;
    record.width = item->width;
    record.height = item->height;
    record.image = item->image;
    memcpy(record.why, item->why, sizeof record.why);
    return journal_add(crew->journal, &record, err);
}
