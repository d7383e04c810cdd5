#include "run/checkpoint/save_watch.h"

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
#include "run/checkpoint/checkpoints_internal.h"

#define RECENT (10 * SECOND) /* a file untouched for longer is not being saved to */
#define STILL (3 * SECOND)   /* likewise while it is open: the writer may wait for a device */
#define GAP SECOND           /* between two files of one save */
#define GREW_BYTES 262144.0  /* between two looks: quickly */
#define RATE_BYTES 32e6      /* a file of less says nothing about the disk */
#define FDS_MOST 8192        /* that are looked at in one look */

/* ---- deciding ---- */

static struct save_file *find_file(struct save_watch *w, const struct save_sight *sight)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->at[i].sight.inode == sight->inode && w->at[i].sight.device == sight->device)
            return &w->at[i];
    return NULL;
}

/* A place for one more: that of one which is closed, or the one that changed longest ago. */
static struct save_file *new_place(struct save_watch *w)
{
    struct save_file *oldest = &w->at[0];

    if (w->count < SAVE_FILES)
        return &w->at[w->count++];
    for (size_t i = 0; i < w->count; i++)
        if (w->at[i].sight.changed_ns < oldest->sight.changed_ns)
            oldest = &w->at[i];
    return oldest;
}

static void see_new_save(struct save_watch *w, const struct save_sight *sight, int64_t now_ns)
{
    struct save_file *file = new_place(w);
    /* One that was made since the last look was empty then. */
    bool fresh = sight->born_ns >= 0 && sight->born_ns <= now_ns &&
                 (w->looked_ns == 0 ? now_ns - sight->born_ns < RECENT
                                    : sight->born_ns >= w->looked_ns - SECOND);

    *file = (struct save_file){.sight = *sight, .open = !sight->closed};
    if (fresh)
        file->began_ns = sight->born_ns;
    else
        file->began_ns = w->looked_ns > 0 ? w->looked_ns : now_ns;
    file->first_size = fresh ? 0 : sight->size;
    file->grew = fresh && sight->size >= GREW_BYTES;
}

static void see_again(const struct save_watch *w, struct save_file *file,
                      const struct save_sight *sight)
{
    double before = file->sight.size;

    if (sight->size < before || (!file->open && sight->changed_ns > file->sight.changed_ns)) {
        /* Written anew in its place: that began after the last look. */
        file->began_ns = w->looked_ns;
        file->first_size = sight->size < before ? 0 : before;
    }
    file->grew = sight->size - before >= GREW_BYTES;
    file->closed_now = file->open && sight->closed;
    file->sight = *sight;
    file->open = !sight->closed;
}

/* How fast a large file was written that is closed now. */
static void see_rate(struct save_watch *w, const struct save_file *file)
{
    double bytes = file->sight.size - file->first_size;
    double seconds = (double)(file->sight.changed_ns - file->began_ns) / 1e9;

    if (bytes >= RATE_BYTES && seconds >= 0.5)
        w->write_rate = bytes / seconds;
}

static bool is_active(const struct save_file *file, int64_t now_ns)
{
    return (file->open || file->closed_now) && file->sight.like_save &&
           now_ns - file->sight.changed_ns < STILL;
}

/* The files of the save that is under way, together. */
static bool add_active(struct save_watch *w, int64_t now_ns)
{
    bool active = false;

    for (size_t i = 0; i < w->count; i++) {
        const struct save_file *file = &w->at[i];

        if (!is_active(file, now_ns) || file->sight.size <= file->first_size)
            continue;
        active |= file->open;
        if (!w->under_way || file->began_ns < w->began_ns)
            w->began_ns = file->began_ns;
        if (!w->under_way || file->sight.changed_ns > w->ended_ns)
            w->ended_ns = file->sight.changed_ns;
        w->under_way = true;
        if (file->sight.size - file->first_size > w->bytes)
            w->bytes = file->sight.size - file->first_size;
    }
    return active;
}

static void forget_closed(struct save_watch *w, int64_t now_ns)
{
    for (size_t i = 0; i < w->count;) {
        if (w->at[i].open || now_ns - w->at[i].sight.changed_ns < RECENT)
            i++;
        else
            w->at[i] = w->at[--w->count];
    }
}

bool save_watch_see(struct save_watch *w, const struct save_sight *sights, size_t count,
                    int64_t now_ns, struct save_seen *out)
{
    bool done;

    for (size_t i = 0; i < w->count; i++)
        w->at[i].grew = w->at[i].closed_now = false;
    for (size_t i = 0; i < w->count; i++) {
        bool listed = false;

        for (size_t k = 0; k < count && !listed; k++)
            listed = w->at[i].sight.inode == sights[k].inode &&
                     w->at[i].sight.device == sights[k].device;
        if (!listed)
            w->at[i].open = false;
    }
    for (size_t k = 0; k < count; k++) {
        struct save_file *file = find_file(w, &sights[k]);

        if (file == NULL)
            see_new_save(w, &sights[k], now_ns);
        else
            see_again(w, file, &sights[k]);
        if (file != NULL && file->closed_now)
            see_rate(w, file);
    }
    done = !add_active(w, now_ns) && w->under_way && now_ns - w->ended_ns >= GAP;
    if (done) {
        *out = (struct save_seen){(double)(w->ended_ns - w->began_ns) / 1e9, w->bytes};
        w->under_way = false;
        w->bytes = 0;
    }
    forget_closed(w, now_ns);
    w->looked_ns = now_ns;
    return done && out->bytes >= SAVE_LEAST_BYTES;
}

bool save_watch_saving(const struct save_watch *w, bool ending)
{
    if (w->under_way)
        return true;
    for (size_t i = 0; ending && i < w->count; i++)
        if (w->at[i].open && w->at[i].grew)
            return true;
    return false;
}

/* ---- looking ---- */

/* Without what is added to the name of a file until all of it is there. */
static struct str without_temporary(struct str name)
{
    static const char *const ends[] = {".tmp", ".temp", ".part", ".partial", ".incomplete"};

    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (str_ends(name, str_from(ends[i])))
            return (struct str){name.at, name.len - strlen(ends[i])};
    return name;
}

/* Data sets are called .bin and .npz as weights are: then the rest of the name decides. */
static bool holds_weights(struct str name)
{
    static const char *const words[] = {"model", "optim", "state", "weight", "adapter", NULL};
    bool sure;

    if (!checkpoint_weights(name, &sure) || sure)
        return sure;
    return str_has_any(name, words);
}

bool save_path_like(const char *path, const char *folder)
{
    const char *slash = strrchr(path, '/');
    struct str name = str_from(slash != NULL ? slash + 1 : path);
    size_t len = folder != NULL ? strlen(folder) : 0;
    struct str all = str_from(path), bare = without_temporary(name);

    if (len > 0 && strncmp(path, folder, len) == 0 && path[len] == '/')
        return true;
    return str_has_nocase(all, STR("checkpoint")) || str_has_nocase(all, STR("ckpt")) ||
           holds_weights(name) || holds_weights(bare);
}

struct look {
    struct save_watch *watch;
    const char *folder;
    int64_t now_ns;
    struct save_sight at[SAVE_FILES];
    char path[SAVE_FILES][256];
    size_t count;
    size_t fds;
};

static int64_t time_ns(struct statx_timestamp t)
{
    return (int64_t)t.tv_sec * SECOND + (int64_t)t.tv_nsec;
}

/* Is the descriptor one that can be written to? */
static bool is_written(pid_t pid, const char *fd)
{
    char path[64], text[512];
    struct str info;

    (void)snprintf(path, sizeof path, "/proc/%d/fdinfo/%.20s", (int)pid, fd);
    if (!proc_read(AT_FDCWD, path, text, sizeof text, &info))
        return false;
    while (info.len > 0) {
        struct str line = str_trim(str_cut(&info, '\n'));

        /* In octal: the last digit says how it may be used. */
        if (str_starts(line, STR("flags:")))
            return ((line.at[line.len - 1] - '0') & O_ACCMODE) != O_RDONLY;
    }
    return false;
}

static struct save_sight sight_of(const struct statx *x)
{
    return (struct save_sight){
        .device = (uint64_t)x->stx_dev_major << 32 | x->stx_dev_minor,
        .inode = x->stx_ino,
        .size = (double)x->stx_size,
        .born_ns = (x->stx_mask & STATX_BTIME) != 0 ? time_ns(x->stx_btime) : -1,
        .changed_ns = time_ns(x->stx_mtime)};
}

static bool is_same_save(const struct save_sight *a, const struct save_sight *b)
{
    return a->inode == b->inode && a->device == b->device;
}

static void see_descriptor(struct look *look, int folder, pid_t pid, const char *fd)
{
    struct save_sight sight;
    struct statx x;
    char path[4096];
    ssize_t len;

    /* Nothing is asked of a file server here: what this machine wrote, it knows. */
    if (statx(folder, fd, AT_STATX_DONT_SYNC, STATX_BASIC_STATS | STATX_BTIME, &x) != 0 ||
        !S_ISREG(x.stx_mode) || x.stx_nlink == 0)
        return;
    sight = sight_of(&x);
    if (look->now_ns - sight.changed_ns > RECENT || !is_written(pid, fd))
        return;
    for (size_t i = 0; i < look->count; i++)
        if (is_same_save(&look->at[i], &sight))
            return;
    len = readlinkat(folder, fd, path, sizeof path - 1);
    if (len <= 0 || look->count == SAVE_FILES)
        return;
    path[len] = '\0';
    sight.like_save = save_path_like(path, look->folder);
    if (len < (ssize_t)sizeof look->path[0])
        memcpy(look->path[look->count], path, (size_t)len + 1);
    look->at[look->count++] = sight;
}

static void see_process(struct look *look, pid_t pid)
{
    const struct dirent *entry;
    char path[32];
    DIR *list;

    (void)snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    list = opendir(path);
    while (list != NULL && look->fds < FDS_MOST && (entry = readdir(list)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        look->fds++;
        see_descriptor(look, dirfd(list), pid, entry->d_name);
    }
    if (list != NULL)
        (void)closedir(list);
}

/* What became of a file that was open: by its name, or the one it has when it is complete. */
static void see_closed(struct look *look, const struct save_file *file)
{
    struct save_sight sight = file->sight;
    struct str name = str_from(file->path), bare = without_temporary(name);
    char paths[2][sizeof file->path];

    sight.closed = true;
    sight.changed_ns = look->now_ns; /* if nothing shows more */
    (void)snprintf(paths[0], sizeof paths[0], "%s", file->path);
    (void)snprintf(paths[1], sizeof paths[1], "%.*s", (int)bare.len, bare.at);
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        struct save_sight found;
        struct statx x;

        if (paths[i][0] == '\0' || statx(AT_FDCWD, paths[i], AT_STATX_DONT_SYNC,
                                         STATX_BASIC_STATS | STATX_BTIME, &x) != 0)
            continue;
        found = sight_of(&x);
        if (!is_same_save(&found, &sight))
            continue;
        sight.size = found.size;
        sight.changed_ns = found.changed_ns;
        break;
    }
    look->at[look->count++] = sight;
}

static void see_all_closed(struct look *look)
{
    struct save_watch *w = look->watch;

    for (size_t i = 0; i < w->count; i++) {
        bool listed = !w->at[i].open;

        for (size_t k = 0; k < look->count && !listed; k++)
            listed = is_same_save(&w->at[i].sight, &look->at[k]);
        if (!listed && look->count < SAVE_FILES)
            see_closed(look, &w->at[i]);
    }
}

/* So that it is found when it is closed. */
static void remember_paths(struct look *look)
{
    for (size_t k = 0; k < look->count; k++) {
        struct save_file *file = find_file(look->watch, &look->at[k]);

        if (file != NULL && file->path[0] == '\0')
            memcpy(file->path, look->path[k], sizeof file->path);
    }
}

bool save_watch_look(struct save_watch *w, const struct tree *tree, const char *folder,
                     int64_t now_ns, struct save_seen *out)
{
    struct look look = {.watch = w, .folder = folder, .now_ns = now_ns};
    const pid_t *members;
    bool done;
    size_t count = tree_members(tree, &members);

    for (size_t i = 0; i < count && look.fds < FDS_MOST; i++)
        see_process(&look, members[i]);
    see_all_closed(&look);
    done = save_watch_see(w, look.at, look.count, now_ns, out);
    remember_paths(&look);
    return done;
}

/* ---- threads that wait for the disk ---- */

#define THREADS_MOST 8192 /* that are looked at in one look */

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

static bool is_path_below(const char *path, const char *folder)
{
    size_t len = strlen(folder);

    return strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

static bool see_save_file(pid_t pid, int fd, const char *folder, struct sync_seen *out)
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
    if (!is_path_below(path, folder))
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
    if (!waits || (fd >= 0 && see_save_file(pid, fd, folder, out)))
        return;
    if (fd < 0 && out->kind == SYNC_NONE)
        out->kind = SYNC_OTHER;
}

static size_t see_waiting_process(pid_t pid, size_t most, const char *folder,
                                  struct sync_seen *out)
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
        left -= see_waiting_process(members[i], left, folder, out);
}
