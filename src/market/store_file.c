#include "market/store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"

#define TRIES_PER_SECOND 20

static bool path_with(char out[PATH_MAX], const char *path, const char *suffix)
{
    int len = snprintf(out, PATH_MAX, "%s%s", path, suffix);

    return len > 0 && len < PATH_MAX;
}

bool store_paths_of(const char *path, struct store_paths *out, struct error *err)
{
    char target[PATH_MAX], first;
    const char *slash;

    if (readlink(path, &first, 1) > 0 && realpath(path, target) != NULL)
        path = target;
    if (!path_with(out->file, path, "") || !path_with(out->previous, path, "~") ||
        !path_with(out->damaged, path, ".damaged") || !path_with(out->lock, path, ".lock") ||
        !path_with(out->fresh, path, ".new") || !path_with(out->link, path, ".link"))
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", path);
    (void)path_with(out->folder, path, "");
    slash = strrchr(path, '/');
    if (slash == NULL)
        (void)path_with(out->folder, ".", "");
    else
        out->folder[slash > path ? slash - path : 1] = '\0';
    return true;
}

int store_lock(const struct store_paths *paths, int patience, struct error *err)
{
    const struct timespec pause = {.tv_nsec = 1000000000L / TRIES_PER_SECOND};
    int lock;

    if (!fs_make_folders(paths->folder, err))
        return -1;
    lock = open(paths->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock < 0) {
        error_system(err, errno, "cannot lock the price store: '%s'", paths->lock);
        return -1;
    }
    for (int i = 0; flock(lock, LOCK_EX | LOCK_NB) != 0; i++) {
        if (errno == EINTR)
            continue;
        if (errno != EWOULDBLOCK) {
            error_system(err, errno, "cannot lock '%s'", paths->lock);
        } else if (i >= patience * TRIES_PER_SECOND) {
            error_set(err, ERROR_FAILED,
                      "another stint has been writing the price store for %d seconds",
                      patience);
            error_hint(err, "it holds '%s'; try again when it has finished", paths->lock);
        } else {
            (void)nanosleep(&pause, NULL);
            continue;
        }
        (void)close(lock);
        return -1;
    }
    return lock;
}

void store_unlock(int lock)
{
    (void)close(lock); /* which lets go of it too */
}

static bool copy_file(const char *from, const char *to, struct error *err)
{
    char piece[8192];
    int in = fs_open(from, err), out = -1;
    ssize_t got = 1;
    bool ok = in >= 0;

    if (ok) {
        out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        ok = out >= 0;
        if (!ok)
            error_system(err, errno, "cannot create '%s'", to);
    }
    while (ok && got > 0) {
        got = read(in, piece, sizeof piece);
        if (got < 0 && errno == EINTR) {
            got = 1;
        } else if (got < 0) {
            error_system(err, errno, "cannot read '%s'", from);
            ok = false;
        } else if (got > 0) {
            ok = fs_write_all(out, (struct str){piece, (size_t)got}, err);
        }
    }
    if (ok && fsync(out) != 0) {
        error_system(err, errno, "cannot write '%s'", to);
        ok = false;
    }
    if (in >= 0)
        (void)close(in);
    if (out >= 0)
        (void)close(out);
    return ok;
}

static bool move_to(const struct store_paths *paths, const char *to, struct error *err)
{
    bool ok = rename(paths->link, to) == 0;

    if (!ok)
        error_system(err, errno, "cannot replace '%s'", to);
    /* Two names of one file are left as they are by rename(), so it may still be there. */
    (void)unlink(paths->link);
    return ok;
}

bool store_copy(const struct store_paths *paths, const char *from, const char *to,
                struct error *err)
{
    (void)unlink(paths->link);
    if (copy_file(from, paths->link, err))
        return move_to(paths, to, err);
    (void)unlink(paths->link);
    return false;
}

bool store_name_also(const struct store_paths *paths, const char *from, const char *to,
                     struct error *err)
{
    (void)unlink(paths->link);
    return link(from, paths->link) == 0 ? move_to(paths, to, err)
                                        : store_copy(paths, from, to, err);
}

bool store_publish(const struct store_paths *paths, const char *kept, struct error *err)
{
    if (fs_exists(paths->file) && !store_name_also(paths, paths->file, kept, err))
        return false;
    if (rename(paths->fresh, paths->file) != 0) {
        error_system(err, errno, "cannot replace '%s'", paths->file);
        return false;
    }
    fs_sync_folder(paths->folder);
    return true;
}
