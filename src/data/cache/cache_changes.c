#include "data/cache/cache_changes.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "data/tree.h"

enum { CHANGES_DEPTH = 50, PAUSES_MOST = 100 };

struct changes {
    const struct changes_work *work;
    struct arena *arena;
    struct str *found;
    size_t count, looks;
    bool all;
};

static bool is_spared(const struct changes *c, const char *path)
{
    for (size_t i = 0; i < c->work->spared.len; i++) {
        struct str spared = c->work->spared.at[i];

        if (str_starts(str_from(path), spared) &&
            (path[spared.len] == '\0' || path[spared.len] == '/'))
            return true;
    }
    return false;
}

static bool look_in(struct changes *c, const char *folder, int depth, struct error *err);

static bool look_at_change(struct changes *c, const char *folder, const char *name, int depth,
                           struct error *err)
{
    const char *path = fs_join(folder, name, c->arena, err);
    struct stat st;

    if (path == NULL)
        return false;
    if (is_spared(c, path) || lstat(path, &st) != 0)
        return true;
    if (S_ISDIR(st.st_mode))
        return look_in(c, path, depth + 1, err);
    if ((int64_t)st.st_ctim.tv_sec * SECOND + st.st_ctim.tv_nsec <= c->work->since_ns)
        return true;
    if (c->count == CHANGES_MOST) {
        c->all = false;
        return true;
    }
    c->found[c->count++] = str_from(path + strlen(c->work->folder) + 1);
    return true;
}

/* Not the whole of a home folder: when there is more than may be looked at, that is enough. */
static bool look_in(struct changes *c, const char *folder, int depth, struct error *err)
{
    DIR *dir = depth < CHANGES_DEPTH ? opendir(folder) : NULL;
    const struct dirent *entry;
    bool ok = true;

    if (dir == NULL) {
        c->all = false;
        return true;
    }
    while (ok && (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "__pycache__") == 0)
            continue;
        if (c->looks == c->work->looks) {
            c->all = false;
            break;
        }
        c->looks++;
        ok = tree_goes_on(c->work->watch, err) &&
             look_at_change(c, folder, entry->d_name, depth, err);
    }
    (void)closedir(dir);
    return ok;
}

int64_t changes_begin(void)
{
    const struct timespec pause = {0, 500000};
    int64_t now = clock_file_ns();

    for (int i = 0; clock_written_ns() <= now && i < PAUSES_MOST; i++)
        (void)nanosleep(&pause, NULL);
    return now;
}

bool changes_find(const struct changes_work *work, struct arena *arena, struct strs *out,
                  bool *all, struct error *err)
{
    struct changes c = {.work = work, .arena = arena, .all = true};
    bool ok;

    c.found = arena_array(arena, struct str, CHANGES_MOST, err);
    ok = c.found != NULL && look_in(&c, work->folder, 0, err);
    *out = (struct strs){c.found, c.count};
    *all = c.all;
    return ok;
}
