#include "base/folder_size.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 64

struct measuring {
    const struct watch *watch;
    const char *path;
    struct folder_size *out;
};

static bool measure_folder(struct measuring *m, int fd, int depth, struct error *err);

static bool cannot_read(const struct measuring *m, const char *what, struct error *err)
{
    return error_fail(err, ERROR_FAILED, "cannot read '%s' of '%s': %s", what, m->path,
                      strerror(errno));
}

static bool measure_entry(struct measuring *m, int folder, const char *name, int depth,
                          struct error *err)
{
    struct stat st;
    int fd;

    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT || cannot_read(m, name, err); /* it may just be gone */
    if (S_ISREG(st.st_mode)) {
        m->out->bytes += st.st_size > 0 ? (uint64_t)st.st_size : 0;
        m->out->files++;
        return true;
    }
    if (!S_ISDIR(st.st_mode))
        return true;
    if (depth == DEPTH_MAX)
        return error_fail(err, ERROR_INPUT, "'%s' has more than %d folders in each other",
                          m->path, DEPTH_MAX);
    fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    return fd < 0 ? cannot_read(m, name, err) : measure_folder(m, fd, depth + 1, err);
}

/* Closes `fd`. */
static bool measure_folder(struct measuring *m, int fd, int depth, struct error *err)
{
    DIR *dir = fdopendir(fd);
    struct dirent *entry;
    bool ok = true;

    if (dir == NULL) {
        (void)close(fd);
        return cannot_read(m, ".", err);
    }
    while (ok && (entry = readdir(dir)) != NULL) {
        if (watch_stopped(m->watch))
            ok = error_fail(err, ERROR_FAILED, "stopped");
        else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            ok = measure_entry(m, dirfd(dir), entry->d_name, depth, err);
    }
    (void)closedir(dir);
    return ok;
}

bool folder_measure(const char *path, const struct watch *watch, struct folder_size *out,
                    struct error *err)
{
    struct measuring m = {watch, path, out};
    struct stat st;
    int fd;

    *out = (struct folder_size){0};
    if (stat(path, &st) != 0) {
        error_set(err, errno == ENOENT ? ERROR_ABSENT : ERROR_FAILED, "cannot open '%s': %s",
                  path, strerror(errno));
        error_hint(err, "name a folder, or give the size: --size 2TB");
        return false;
    }
    if (S_ISREG(st.st_mode)) {
        *out = (struct folder_size){st.st_size > 0 ? (uint64_t)st.st_size : 0, 1};
        return true;
    }
    fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return error_fail(err, ERROR_FAILED, "cannot open '%s': %s", path, strerror(errno));
    return measure_folder(&m, fd, 0, err);
}
