#include "data/sample/sample_write.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "data/sample/sample_rows.h"

enum { STEPS_SHOWN = 1000 }; /* entries from one look at the watch to the next */

/* One folder in the making. */
struct linking {
    const struct sample_write_work *work;
    struct arena *arena;
    const char *beside; /* the folder until it is complete */
    struct str back;    /* from that folder to the set, with a slash: "../set/" */
    char target[PATH_MAX], path[PATH_MAX];
};

/* From the folder `to` (both are absolute and real) to `from`: "../../a/b/". */
static bool write_way_back(const char *from, const char *to, struct arena *arena,
                           struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 2 * PATH_MAX);
    size_t same = 0;

    for (size_t i = 0;; i++) {
        bool ends = (from[i] == '\0' || from[i] == '/') && (to[i] == '\0' || to[i] == '/');

        if (ends)
            same = i;
        if (from[i] != to[i] || from[i] == '\0')
            break;
    }
    buf_adds(&text, "../");
    for (const char *at = to + same; *at != '\0'; at++)
        if (*at == '/' && at[1] != '\0')
            buf_adds(&text, "../");
    for (same += from[same] == '/'; from[same] != '\0'; same++)
        buf_char(&text, from[same]);
    if (text.at[text.len - 1] != '/')
        buf_char(&text, '/');
    return buf_keep(&text, arena, out, err);
}

static bool find_way_back(struct linking *l, struct error *err)
{
    char from[PATH_MAX], above[PATH_MAX];
    char *folder = str_dup(str_from(l->work->to), l->arena, err);
    char *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    const char *parent = slash == folder ? "/" : slash != NULL ? folder : ".";

    if (folder == NULL)
        return false;
    if (slash != NULL)
        *slash = '\0';
    if (realpath(l->work->from, from) == NULL)
        error_system(err, errno, "cannot find '%s'", l->work->from);
    else if (realpath(parent, above) == NULL)
        error_system(err, errno, "cannot make a folder in '%s'", parent);
    else
        return write_way_back(from, above, l->arena, &l->back, err);
    return false;
}

static bool write_entry_rows(struct linking *l, const struct tree_entry *e, struct error *err)
{
    const struct sample_write_work *work = l->work;
    struct sample_rows rows = {.seed = work->seed,
                               .fractions = &work->fraction,
                               .fraction_count = 1,
                               .watch = work->watch};
    char *name = str_dup(e->path, l->arena, err);

    rows.path = name != NULL ? fs_join(work->from, name, l->arena, err) : NULL;
    return rows.path != NULL && sample_rows_write(&rows, l->path, err);
}

/* Its folders, and the entry itself as a link to that of the set. */
static bool link_entry(struct linking *l, const struct tree_entry *e, struct error *err)
{
    size_t used = 0;
    int len = snprintf(l->path, sizeof l->path, "%s/%.*s", l->beside, STR_ARG(e->path));

    if (len < 0 || len >= (int)sizeof l->path)
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", l->path);
    for (size_t i = strlen(l->beside) + 1; l->path[i] != '\0'; i++) {
        if (l->path[i] != '/')
            continue;
        l->path[i] = '\0';
        if (mkdir(l->path, 0777) != 0 && errno != EEXIST) {
            error_system(err, errno, "cannot make the folder '%s'", l->path);
            return false;
        }
        l->path[i] = '/';
        if (used + 3 < sizeof l->target) {
            memcpy(l->target + used, "../", 3);
            used += 3;
        }
    }
    if (!sample_counts(e))
        return true;
    if (l->work->set->rows && sample_has_rows(e->path))
        return write_entry_rows(l, e, err);
    len = snprintf(l->target + used, sizeof l->target - used, "%.*s%.*s", STR_ARG(l->back),
                   STR_ARG(e->path));
    if (len >= 0 && (size_t)len < sizeof l->target - used && symlink(l->target, l->path) == 0)
        return true;
    error_system(err, errno, "cannot link '%s'", l->path);
    return false;
}

/* Of a table that has examples in its rows, each fraction has some. */
static bool is_in_sample(const struct sample_write_work *work, size_t entry)
{
    return (work->set->rows && sample_has_rows(work->tree->entries[entry].path)) ||
           sample_has(work->set, entry, work->fraction);
}

static bool link_entries(struct linking *l, struct error *err)
{
    const struct sample_write_work *work = l->work;

    for (size_t i = 0; i < work->tree->count; i++) {
        const struct tree_entry *e = &work->tree->entries[i];

        if (i % STEPS_SHOWN == 0) {
            watch_progress(work->watch, "linking", i, work->tree->count);
            if (!tree_goes_on(work->watch, err))
                return false;
        }
        if ((sample_counts(e) || (e->kind == TREE_EMPTY && !tree_is_hidden(e->path))) &&
            is_in_sample(work, i) && !link_entry(l, e, err))
            return false;
    }
    return true;
}

bool sample_write(const struct sample_write_work *work, struct arena *arena, struct error *err)
{
    struct linking *l = arena_array(arena, struct linking, 1, err);
    char beside[PATH_MAX];
    bool ok;

    if (l == NULL)
        return false;
    *l = (struct linking){.work = work, .arena = arena, .beside = beside};
    if (snprintf(beside, sizeof beside, "%s.%ld.tmp", work->to, (long)getpid()) >=
        (int)sizeof beside)
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", work->to);
    if (fs_exists(work->to))
        return error_fail_hint(err, ERROR_INPUT, "remove it, or name another with -o",
                               "'%s' exists", work->to);
    if (!find_way_back(l, err))
        return false;
    if (mkdir(beside, 0777) != 0) {
        error_system(err, errno, "cannot make the folder '%s'", beside);
        return false;
    }
    ok = link_entries(l, err);
    if (ok && rename(beside, work->to) != 0) {
        error_system(err, errno, "cannot make the folder '%s'", work->to);
        ok = false;
    }
    if (!ok)
        (void)fs_remove_folder(beside);
    return ok;
}
