/* Removing a checkpoint: never through a link, never out of the folder or its file system. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run/checkpoint/checkpoints_internal.h"

#define DEPTH_MOST 64
#define NAME_KEPT 200 /* bytes of the name that the hidden one shows */

/* Rename, unless there is one of the new name: EEXIST. Not every file system does it at
 * once. */
static bool rename_to_new(int folder, const char *from, const char *to)
{
    struct stat st;

    if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    if (fstatat(folder, to, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return false;
    }
    return renameat(folder, from, folder, to) == 0;
}

/* The name of something directly in the folder. */
static bool is_plain_name(struct str name)
{
    return name.len > 0 && name.len <= NAME_MAX && name.at[0] != '.' &&
           memchr(name.at, '/', name.len) == NULL && memchr(name.at, '\0', name.len) == NULL;
}

bool checkpoint_hide(int folder, struct str name, char hidden[static NAME_MAX + 1],
                     struct error *err)
{
    char from[NAME_MAX + 1];
    struct stat st, here;

    if (!is_plain_name(name))
        return error_fail(err, ERROR_INPUT, "'%.*s' is not the name of a checkpoint",
                          STR_ARG(name));
    memcpy(from, name.at, name.len);
    from[name.len] = '\0';
    if (fstatat(folder, from, &st, AT_SYMLINK_NOFOLLOW) != 0 || fstat(folder, &here) != 0) {
        error_system(err, errno, "cannot remove '%s'", from);
        if (errno == ENOENT)
            err->kind = ERROR_ABSENT;
        return false;
    }
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return error_fail(err, ERROR_INPUT, "'%s' is a link or a device: it is left alone",
                          from);
    if (st.st_dev != here.st_dev)
        return error_fail(err, ERROR_INPUT, "'%s' is on another file system: it is left alone",
                          from);
    for (int i = 0; i < 1000; i++) {
        (void)snprintf(hidden, NAME_MAX + 1, CHECKPOINT_TRASH "%d-%.*s", i, NAME_KEPT, from);
        if (rename_to_new(folder, from, hidden))
            return true;
        if (errno != EEXIST)
            break;
    }
    error_system(err, errno, "cannot remove '%s'", from);
    return false;
}

static bool clear_folder(int folder, const char *name, int64_t *budget, unsigned depth,
                         struct error *err);

/* Remove one entry, which may be a folder. */
static bool clear_entry(int folder, const char *name, int64_t *budget, unsigned depth,
                        struct error *err)
{
    if (*budget <= 0)
        return true;
    if (unlinkat(folder, name, 0) == 0 || errno == ENOENT) {
        --*budget;
        return true;
    }
    if (errno == EISDIR)
        return clear_folder(folder, name, budget, depth, err);
    error_system(err, errno, "cannot remove '%s'", name);
    return false;
}

static bool clear_list(int fd, int64_t *budget, unsigned depth, struct error *err)
{
    DIR *list = checkpoint_list(fd);
    bool ok = true;

    if (list == NULL) {
        error_system(err, errno, "cannot read the checkpoint being removed");
        return false;
    }
    while (ok && *budget > 0) {
        const struct dirent *entry = readdir(list);

        if (entry == NULL)
            break;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            ok = clear_entry(fd, entry->d_name, budget, depth + 1, err);
    }
    (void)closedir(list);
    return ok;
}

static bool clear_folder(int folder, const char *name, int64_t *budget, unsigned depth,
                         struct error *err)
{
    struct stat above, st;
    int fd;
    bool ok;

    if (depth > DEPTH_MOST)
        return error_fail(err, ERROR_FAILED, "'%s' is too deep to be removed", name);
    fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(folder, &above) != 0 || fstat(fd, &st) != 0) {
        error_system(err, errno, "cannot remove '%s'", name);
        if (fd >= 0)
            (void)close(fd);
        return false;
    }
    ok = st.st_dev == above.st_dev ||
         error_fail(err, ERROR_FAILED, "'%s' is on another file system", name);
    ok = ok && clear_list(fd, budget, depth, err);
    (void)close(fd);
    if (!ok || *budget <= 0)
        return ok;
    --*budget;
    if (unlinkat(folder, name, AT_REMOVEDIR) != 0 && errno != ENOENT) {
        error_system(err, errno, "cannot remove '%s'", name);
        return false;
    }
    return true;
}

bool checkpoint_clear(int folder, const char *hidden, int64_t *budget, struct error *err)
{
    return clear_entry(folder, hidden, budget, 0, err);
}

bool checkpoint_remove(const char *folder, struct str name, struct error *err)
{
    char hidden[NAME_MAX + 1];
    int64_t budget = INT64_MAX;
    struct stat st;
    int fd = checkpoint_folder(folder, &st, err);
    bool ok;

    if (fd < 0)
        return false;
    ok = checkpoint_hide(fd, name, hidden, err);
    if (ok && !checkpoint_clear(fd, hidden, &budget, err)) {
        error_context(err, "'%.*s' is out of use, but some of it is left in '%s'",
                      STR_ARG(name), hidden);
        ok = false;
    }
    (void)close(fd);
    return ok;
}

bool checkpoints_sweep(const char *folder, size_t *count, struct error *err)
{
    struct stat st;
    int fd = checkpoint_folder(folder, &st, err);
    DIR *list = fd >= 0 ? checkpoint_list(fd) : NULL;
    bool ok = list != NULL;

    *count = 0;
    if (fd >= 0 && list == NULL)
        error_system(err, errno, "cannot read the folder '%s'", folder);
    while (list != NULL) {
        const struct dirent *entry = readdir(list);
        int64_t budget = INT64_MAX;

        if (entry == NULL)
            break;
        if (!str_starts(str_from(entry->d_name), STR(CHECKPOINT_TRASH)))
            continue;
        ++*count;
        ok = checkpoint_clear(fd, entry->d_name, &budget, err) && ok;
    }
    if (list != NULL)
        (void)closedir(list);
    if (fd >= 0)
        (void)close(fd);
    return ok;
}
