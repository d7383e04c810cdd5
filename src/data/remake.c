#include "data/remake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"

#define TEMPORARY_MOST 100

/* ---- folders ---- */

bool remake_check_absent(const char *folder, struct error *err)
{
    struct stat st;

    if (lstat(folder, &st) == 0)
        return error_fail_hint(err, ERROR_INPUT, "name another folder with -o, or remove it",
                               "'%s' is there already, and is not replaced", folder);
    if (errno == ENOENT)
        return true;
    error_system(err, errno, "cannot make the folder '%s'", folder);
    return false;
}

bool remake_start(struct remake_folder *folder, struct error *err)
{
    for (int i = 0; i < TEMPORARY_MOST; i++) {
        int len = snprintf(folder->temporary, sizeof folder->temporary, "%s.%ld.%d.tmp",
                           folder->name, (long)getpid(), i);
        bool made = false, ok = len >= 0 && (size_t)len < sizeof folder->temporary;

        if (ok && fs_make_output_folder(folder->temporary, &made, err) && made)
            return true;
        if (ok && fs_exists(folder->temporary))
            continue;
        folder->temporary[0] = '\0';
        return ok ? false
                  : error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long",
                               folder->name);
    }
    folder->temporary[0] = '\0';
    return error_fail(err, ERROR_SYSTEM, "cannot make a folder beside '%s'", folder->name);
}

/* Complete, on the disk, and under its name. */
bool remake_place(struct remake_folder *folder, struct error *err)
{
    int fd;

    if (folder->temporary[0] == '\0')
        return true;
    fd = open(folder->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || syncfs(fd) != 0 || rename(folder->temporary, folder->name) != 0) {
        error_system(err, errno, "cannot make the folder '%s'", folder->name);
        if (fd >= 0)
            (void)close(fd);
        return false;
    }
    (void)close(fd);
    folder->temporary[0] = '\0';
    return true;
}

void remake_drop(const struct remake_folder *folder)
{
    if (folder->temporary[0] != '\0')
        (void)fs_remove_folder(folder->temporary);
}

/* The new folder must not be in the old one: it would be part of it the next time. */
bool remake_check(const char *from, const char *to, struct error *err)
{
    char real[PATH_MAX], own[PATH_MAX], parent[PATH_MAX], *slash;
    int len = snprintf(own, sizeof own, "%s", to);

    if (!remake_check_absent(to, err))
        return false;
    if (len < 0 || (size_t)len >= sizeof own)
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", to);
    while (len > 1 && own[len - 1] == '/')
        own[--len] = '\0';
    slash = strrchr(own, '/');
    if (slash == NULL)
        (void)snprintf(own, sizeof own, ".");
    else
        slash[slash == own] = '\0';
    if (realpath(from, real) == NULL || realpath(own, parent) == NULL)
        return true; /* said when it is needed */
    if (strncmp(parent, real, strlen(real)) == 0 &&
        (parent[strlen(real)] == '/' || parent[strlen(real)] == '\0'))
        return error_fail_hint(err, ERROR_USAGE, "name a folder elsewhere with -o",
                               "'%s' is in '%s'", to, from);
    return true;
}

/* ---- parts of files ---- */

bool remake_write(int fd, uint64_t at, const void *from, size_t len)
{
    const unsigned char *next = from;

    while (len > 0) {
        ssize_t put = pwrite(fd, next, len, (off_t)at);

        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        next += put;
        at += (uint64_t)put;
        len -= (size_t)put;
    }
    return true;
}

/* ---- originals ---- */

static bool remake_path(const char *folder, struct str path, char out[static PATH_MAX])
{
    int len = snprintf(out, PATH_MAX, "%s/%.*s", folder, (int)path.len, path.at);

    return len >= 0 && len < PATH_MAX;
}

int remake_open_original(const char *from, struct str path, const struct tree_stat *was,
                         int *trouble)
{
    char name[PATH_MAX];
    int fd;

    errno = ENAMETOOLONG;
    fd = remake_path(from, path, name)
             ? open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
             : -1;
    if (fd < 0) {
        *trouble = errno;
        return -1;
    }
    if (tree_file_is_unchanged(fd, was, NULL))
        return fd;
    (void)close(fd);
    *trouble = REMAKE_CHANGING;
    return -1;
}

bool remake_follow(const char *from, struct tree_entry *entry, struct tree_stat *out,
                   struct arena *arena, struct error *err)
{
    const char *path;
    struct stat st;

    *out = entry->stat;
    if (entry->kind != TREE_LINK)
        return true;
    path = fs_join(from, entry->path.at, arena, err);
    if (path == NULL)
        return false;
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
        entry->kind = TREE_FILE;
        *out = tree_stat_of(&st);
    }
    return true;
}

bool remake_note_trouble(struct tree *tree, struct tree_entry *entry, int trouble,
                         struct error *err)
{
    entry->trouble = true;
    return tree_add_problem(tree, trouble < 0 ? TREE_CHANGING : TREE_UNREADABLE, entry->path,
                            trouble < 0 ? "written while it was read" : strerror(trouble), err);
}

/* ---- copies ---- */

bool remake_fail(struct str path, int why, struct error *err)
{
    error_system(err, why, "cannot write the copy of '%.*s'", STR_ARG(path));
    if (why == ENOSPC || why == EDQUOT)
        error_hint(err, "make room, or name a folder on another disk with -o");
    return false;
}

/* Open what is to be the copy, in folders that are made. -1 with the error set. */
int remake_open(const struct remake_folder *folder, struct str name, struct error *err)
{
    char path[PATH_MAX], *slash;
    bool made;
    int fd;

    if (!remake_path(folder->temporary, name, path)) {
        (void)remake_fail(name, ENAMETOOLONG, err);
        return -1;
    }
    slash = strrchr(path, '/');
    *slash = '\0';
    if (!fs_make_output_folder(path, &made, err))
        return -1;
    *slash = '/';
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        (void)remake_fail(name, errno, err);
    return fd;
}

bool remake_close(int fd, struct str path, const struct tree_stat *was, bool ok, uint64_t *size,
                  struct error *err)
{
    struct timespec at = {was->modified / SECOND, was->modified % SECOND};
    struct stat st;
    int why = 0;

    if (ok && (fstat(fd, &st) != 0 || futimens(fd, (struct timespec[2]){at, at}) != 0))
        why = errno;
    if (close(fd) != 0 && ok && why == 0)
        why = errno;
    if (why != 0)
        return remake_fail(path, why, err);
    *size = ok ? (uint64_t)st.st_size : 0;
    return true;
}

void remake_remove(const struct remake_folder *folder, struct str path)
{
    char name[PATH_MAX];

    if (remake_path(folder->temporary, path, name))
        (void)unlink(name);
}

static bool note_unread(int *trouble)
{
    *trouble = errno != 0 ? errno : REMAKE_CHANGING;
    return true;
}

/* A piece through this process; false when it could not be read. `got`: -1 when it could not be
 * written. */
static bool copy_by_hand(const struct remake_copy *copy, uint64_t at, unsigned char *block,
                         size_t want, ssize_t *got)
{
    if (!fs_read_at(copy->fd, at, block, want))
        return false;
    if (remake_write(copy->to, at, block, want))
        *got = (ssize_t)want;
    return true;
}

/* Without passing through this process where the system can: then blocks may be shared. */
bool remake_copy(const struct remake_copy *copy, struct arena *scratch, int *trouble,
                 struct error *err)
{
    unsigned char *block = arena_get(scratch, REMAKE_BLOCK, 1, 1, err);
    bool by_hand = false;

    if (block == NULL)
        return false;
    for (uint64_t at = 0; at < copy->size;) {
        size_t want = copy->size - at < REMAKE_BLOCK ? (size_t)(copy->size - at) : REMAKE_BLOCK;
        off_t from = (off_t)at, there = (off_t)at;
        ssize_t got =
            by_hand ? -1 : copy_file_range(copy->fd, &from, copy->to, &there, want, 0);

        if (got < 0 && !by_hand && errno != EINTR && errno != ENOSPC && errno != EDQUOT)
            by_hand = true;
        if (got < 0 && by_hand && !copy_by_hand(copy, at, block, want, &got))
            return note_unread(trouble);
        if (got < 0 && errno != EINTR)
            return remake_fail(copy->path, errno, err);
        if (got == 0) {
            errno = 0;
            return note_unread(trouble);
        }
        at += got > 0 ? (uint64_t)got : 0;
        if (!copy->step(copy->ctx, got > 0 ? (uint64_t)got : 0, err))
            return false;
    }
    return true;
}

bool remake_other(const char *root, const struct remake_folder *folder,
                  const struct tree_entry *entry, int *trouble, struct error *err)
{
    char from[PATH_MAX], to[PATH_MAX], target[PATH_MAX], *slash;
    struct str path = entry->path;
    ssize_t len;
    bool made;

    path.len -= str_ends(path, STR("/"));
    if (!remake_path(root, path, from) || !remake_path(folder->temporary, path, to))
        return remake_fail(path, ENAMETOOLONG, err);
    if (entry->kind == TREE_EMPTY)
        return fs_make_output_folder(to, &made, err);
    len = readlink(from, target, sizeof target - 1);
    if (len < 0)
        return note_unread(trouble);
    target[len] = '\0';
    slash = strrchr(to, '/');
    *slash = '\0';
    if (!fs_make_output_folder(to, &made, err))
        return false;
    *slash = '/';
    return symlink(target, to) == 0 || remake_fail(path, errno, err);
}
