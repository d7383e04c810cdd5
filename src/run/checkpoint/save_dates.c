/* What a save took, by the dates of its files. */
#include "run/checkpoint/save_dates.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

#define DEPTH_MOST 3 /* folders in folders: checkpoint-10/global_step10/... */
#define ENTRIES_MOST 1024

struct save_dates {
    int64_t since_ns, first_ns, last_ns;
    double bytes;
    int left; /* entries that may still be looked at */
};

static int64_t dated(struct statx_timestamp t)
{
    return (int64_t)t.tv_sec * SECOND + (int64_t)t.tv_nsec;
}

/* A file that is older than the save was linked or kept, and is none of it. One that was
 * written anew in its place does not say when that began: the other files do. */
static void add_file_dates(struct save_dates *d, const struct statx *x)
{
    int64_t made = (x->stx_mask & STATX_BTIME) != 0 ? dated(x->stx_btime) : -1;
    int64_t changed = dated(x->stx_mtime);

    if (changed < d->since_ns)
        return;
    d->bytes += (double)x->stx_size;
    if (made >= d->since_ns && (d->first_ns < 0 || made < d->first_ns))
        d->first_ns = made;
    if (changed > d->last_ns)
        d->last_ns = changed;
}

static void add_folder_dates(struct save_dates *d, int folder, int depth);

static void add_entry_dates(struct save_dates *d, int folder, const char *name, int depth)
{
    struct statx x;
    int inner;

    if (d->left-- <= 0 || statx(folder, name, AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC,
                                STATX_BASIC_STATS | STATX_BTIME, &x) != 0)
        return;
    if (S_ISREG(x.stx_mode))
        add_file_dates(d, &x);
    if (!S_ISDIR(x.stx_mode) || depth == DEPTH_MOST)
        return;
    inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (inner >= 0)
        add_folder_dates(d, inner, depth + 1);
}

/* Takes the descriptor. */
static void add_folder_dates(struct save_dates *d, int folder, int depth)
{
    DIR *list = fdopendir(folder);
    const struct dirent *entry;

    if (list == NULL) {
        (void)close(folder);
        return;
    }
    while (d->left > 0 && (entry = readdir(list)) != NULL)
        if (entry->d_name[0] != '.')
            add_entry_dates(d, dirfd(list), entry->d_name, depth);
    (void)closedir(list);
}

bool save_dates_read(int folder, const char *path, int64_t since_ns, struct save_seen *out)
{
    struct save_dates d = {.since_ns = since_ns, .first_ns = -1, .last_ns = -1};

    d.left = ENTRIES_MOST;
    add_entry_dates(&d, folder, path, 0);
    if (d.first_ns < 0 || d.last_ns < d.first_ns)
        return false;
    *out = (struct save_seen){(double)(d.last_ns - d.first_ns) / 1e9, d.bytes};
    return true;
}
