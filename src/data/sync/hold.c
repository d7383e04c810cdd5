#include "data/sync/hold.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"

#define TRIES 10
#define NAME "stint-sync-"

static int open_held(int folder, const char *name)
{
    return openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

/* One of ours that nobody holds; it is held until it is gone, so that only one removes it. */
static void remove_left_over(int folder, const char *path, const char *name,
                             struct arena *arena)
{
    int fd = open_held(folder, name);
    struct error ignored;
    struct stat st;
    const char *whole;

    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        whole = fs_join(path, name, arena, &ignored);
        if (whole != NULL)
            (void)fs_remove_folder(whole);
    }
    (void)close(fd);
}

static void remove_left_overs(const char *path, struct arena *arena)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;

    if (dir == NULL)
        return;
    while ((entry = readdir(dir)) != NULL)
        if (strncmp(entry->d_name, NAME, sizeof NAME - 1) == 0)
            remove_left_over(dirfd(dir), path, entry->d_name, arena);
    (void)closedir(dir);
}

/* A process that looks for what is left may have taken it for that before we held it. */
static bool hold_made(const char *path, int *held)
{
    struct stat st;

    *held = open_held(AT_FDCWD, path);
    if (*held < 0)
        return false;
    if (flock(*held, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        (void)close(*held);
        return false;
    }
    if (fstat(*held, &st) == 0 && st.st_nlink > 0)
        return true;
    (void)close(*held);
    return false;
}

bool hold_new(const char *folder, struct arena *arena, const char **path, int *held,
              struct error *err)
{
    *held = -1;
    remove_left_overs(folder, arena);
    for (int i = 0; i < TRIES; i++) {
        char *made = fs_join(folder, NAME "XXXXXX", arena, err);

        if (made == NULL)
            return false;
        *path = made;
        if (mkdtemp(made) == NULL)
            break;
        if (hold_made(made, held))
            return true;
    }
    error_system(err, errno, "cannot make a folder in '%s'", folder);
    return false;
}

int hold_shared(const char *path)
{
    int fd = open_held(AT_FDCWD, path);

    while (fd >= 0 && flock(fd, LOCK_SH) != 0 && errno == EINTR)
        continue;
    return fd;
}

void hold_empty(const char *path, int held)
{
    int fd = held >= 0 ? held : open_held(AT_FDCWD, path);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        (void)fs_empty_folder(path);
    if (fd >= 0 && fd != held)
        (void)close(fd);
}
