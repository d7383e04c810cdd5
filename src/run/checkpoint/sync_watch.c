#include "run/checkpoint/sync_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/characters.h"
#include "base/num.h"
#include "meter/proc.h"

#define SECOND INT64_C(1000000000)
#define THREADS_MOST 8192 /* that are looked at in one look */

/* ---- one thread ---- */

static bool hex_digits(struct str text, uint64_t *out)
{
    *out = 0;
    if (!str_starts(text, STR("0x")) || text.len == 2 || text.len > 18)
        return false;
    for (size_t i = 2; i < text.len; i++) {
        char c = text.at[i];
        int digit = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;

        if (digit < 0)
            return false;
        *out = *out << 4 | (uint64_t)digit;
    }
    return true;
}

bool sync_call(struct str line, int *fd)
{
    struct str number = str_cut(&line, ' '), first = str_cut(&line, ' ');
    uint64_t argument;
    int64_t call;

    *fd = -1;
    if (!num_int(number, &call) || !hex_digits(first, &argument)) /* "running" */
        return false;
    switch (call) {
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_sync_file_range:
    case SYS_syncfs:
        *fd = argument <= INT_MAX ? (int)argument : -1;
        return true;
    case SYS_close: /* on a network's file system; the descriptor is gone by then */
    case SYS_msync:
    case SYS_sync:
        return true;
    default:
        return false;
    }
}

/* Where the calls of others may not be looked at: does it wait for a disk? */
static bool waits_for_disk(int tasks, const char *thread)
{
    char path[64], text[512];
    const char *end;
    struct str stat;

    (void)snprintf(path, sizeof path, "%.20s/stat", thread);
    if (!proc_read(tasks, path, text, sizeof text, &stat))
        return false;
    end = memrchr(stat.at, ')', stat.len);
    return end != NULL && end + 2 < stat.at + stat.len && end[2] == 'D';
}

/* ---- the file that it waits for ---- */

static bool is_below(const char *path, const char *folder)
{
    size_t len = strlen(folder);

    return strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

static bool see_file(pid_t pid, int fd, const char *folder, struct sync_seen *out)
{
    char link[64], path[PATH_MAX];
    struct statx x;
    int64_t written;
    ssize_t len;

    (void)snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)pid, fd);
    len = readlink(link, path, sizeof path - 1);
    if (len <= 0)
        return false;
    path[len] = '\0';
    if (!is_below(path, folder))
        return false;
    out->kind = SYNC_FILE;
    /* Nothing is asked of a file server here: what this machine wrote, it knows. */
    if (statx(AT_FDCWD, link, AT_STATX_DONT_SYNC, STATX_MTIME, &x) != 0)
        return true;
    written = (int64_t)x.stx_mtime.tv_sec * SECOND + (int64_t)x.stx_mtime.tv_nsec;
    if (written > out->written_ns)
        out->written_ns = written;
    return true;
}

static void see_thread(int tasks, pid_t pid, const char *thread, const char *folder,
                       struct sync_seen *out)
{
    char path[64], text[256];
    struct str line;
    bool waits;
    int fd = -1;

    (void)snprintf(path, sizeof path, "%.20s/syscall", thread);
    waits = proc_read(tasks, path, text, sizeof text, &line) ? sync_call(str_trim(line), &fd)
                                                             : waits_for_disk(tasks, thread);
    if (!waits || (fd >= 0 && see_file(pid, fd, folder, out)))
        return;
    if (fd < 0 && out->kind == SYNC_NONE)
        out->kind = SYNC_OTHER;
}

/* ---- all of them ---- */

static size_t see_process(pid_t pid, size_t most, const char *folder, struct sync_seen *out)
{
    const struct dirent *entry;
    size_t threads = 0;
    char path[32];
    DIR *tasks;

    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    tasks = opendir(path);
    while (tasks != NULL && threads < most && (entry = readdir(tasks)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        threads++;
        see_thread(dirfd(tasks), pid, entry->d_name, folder, out);
    }
    if (tasks != NULL)
        (void)closedir(tasks);
    return threads;
}

void sync_watch_look(const struct tree *tree, const char *folder, struct sync_seen *out)
{
    const pid_t *members;
    size_t count = tree_members(tree, &members), left = THREADS_MOST;

    *out = (struct sync_seen){.written_ns = -1};
    for (size_t i = 0; i < count && left > 0; i++)
        left -= see_process(members[i], left, folder, out);
}
