/* Names that the folder which is written to does not tell apart: file systems of cameras, USB
 * sticks, Windows and macOS take "A" and "a" for one file. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/map.h"
#include "data/sync/sync_internal.h"

/* Our own folder in it has another name, too. */
static bool ignores_case(const char *folder)
{
    char path[PATH_MAX];
    struct stat own, other;
    int len = snprintf(path, sizeof path, "%s/" TREE_OWN, folder);

    if (len < 0 || (size_t)len >= sizeof path || stat(path, &own) != 0)
        return false;
    for (char *at = path + len - (sizeof TREE_OWN - 1); *at != 0; at++)
        if (*at >= 'a' && *at <= 'z')
            *at = (char)(*at - 'a' + 'A');
    return stat(path, &other) == 0 && own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

/* The spelling that came first: of a file, and of each folder that it is in. */
static bool note_spelling(struct map *spellings, struct str path, struct arena *arena,
                          bool *other, struct error *err)
{
    char *small = str_dup(path, arena, err);

    *other = false;
    if (small == NULL)
        return false;
    for (size_t i = 0; i < path.len; i++)
        if (small[i] >= 'A' && small[i] <= 'Z')
            small[i] = (char)(small[i] - 'A' + 'a');
    for (size_t len = 1; len <= path.len && !*other; len++) {
        struct map_entry *e;
        struct str *kept;
        bool added;

        if (len < path.len && path.at[len] != '/')
            continue;
        e = map_add(spellings, (struct str){small, len}, &added, err);
        kept = e != NULL && added ? arena_array(arena, struct str, 1, err) : NULL;
        if (e == NULL || (added && kept == NULL))
            return false;
        if (added) {
            *kept = (struct str){path.at, len};
            e->value = kept;
        }
        *other = !str_eq(*(const struct str *)e->value, (struct str){path.at, len});
    }
    return true;
}

/* What is there keeps its names; of what comes, the first in order. */
static bool leave_alike(struct sync_plan *plan, const struct tree *there, enum sync_step step,
                        struct arena *arena, struct error *err)
{
    struct map spellings = map_in_arena(arena);
    bool other;

    for (size_t i = 0; i < there->count; i++)
        if (!note_spelling(&spellings, there->entries[i].path, arena, &other, err))
            return false;
    for (size_t i = 0; i < plan->change_count; i++) {
        struct sync_change *change = &plan->changes[i];

        if (change->step != (int32_t)step)
            continue;
        if (!note_spelling(&spellings, change->path, arena, &other, err))
            return false;
        if (!other)
            continue;
        change->step = SYNC_UNKNOWN;
        plan->alike++;
    }
    return true;
}

bool sync_leave_alike(const struct sync_work *work, struct sync_plan *plan, struct arena *arena,
                      struct error *err)
{
    return (work->there->kind != DATA_PLACE_FOLDER || !ignores_case(work->there->target) ||
            leave_alike(plan, &plan->there.tree, SYNC_UPLOAD, arena, err)) &&
           (!ignores_case(work->here) ||
            leave_alike(plan, &plan->here.tree, SYNC_DOWNLOAD, arena, err));
}
