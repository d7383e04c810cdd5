/* The files that records wait in: where they are, who writes them, who may remove them.
 *
 * A writer makes its file under another name, locks it and gives it its name when the first
 * records are on the disk: a file that has a name is complete but for its last record, and
 * whoever can lock it knows that its writer is gone. Locks are the process's own (fcntl), so
 * that no copy of it keeps them. */
#include "ledger/runs/run_journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/hash.h"
#include "ledger/runs/run_journal_file.h"
#include "ledger/runs/run_journal_record.h"

#define SUFFIX ".journal"
#define FILE_MOST (2 * JOURNAL_MOST)
#define PLACE_SEED UINT64_C(0x7374696e74706c63)

/* Numbers are this machine's: one of the other kind does not read them. */
static const char magic[16] = {
    's', 't', 'i', 'n', 't', '-', 'j',  'o',
    'u', 'r', 'n', 'a', 'l', '1', '\n', __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 'l' : 'b'};

/* ---- places ---- */

bool run_journal_is_sent(const char *ledger)
{
    return strncmp(ledger, "https://", 8) == 0 || strncmp(ledger, "http://", 7) == 0;
}

/* The ledger by one name, whatever folder it is named from: a server without its password. */
static bool canonical_ledger(const char *ledger, char to[static PATH_MAX])
{
    struct arena arena = {.alloc = &alloc_system, .block_size = 512};
    struct error ignored;
    char folder[PATH_MAX];
    const char *slash = strrchr(ledger, '/');
    size_t len;
    bool ok;

    if (run_journal_is_sent(ledger))
        return snprintf(to, PATH_MAX, "%s", ledger) < PATH_MAX;
    if (ledger_is_server(ledger)) {
        char *address = ledger_public(str_from(ledger), &arena, &ignored);

        ok = address != NULL && snprintf(to, PATH_MAX, "%s", address) < PATH_MAX;
        arena_free(&arena);
        return ok;
    }
    if (realpath(ledger, to) != NULL)
        return true;
    /* It is not there yet, or cannot be reached. */
    (void)snprintf(folder, sizeof folder, "%.*s",
                   slash == NULL     ? 1
                   : slash == ledger ? 1
                                     : (int)(slash - ledger),
                   slash == NULL ? "." : ledger);
    if (realpath(folder, to) == NULL)
        return snprintf(to, PATH_MAX, "%s", ledger) < PATH_MAX;
    len = strlen(to);
    ok = snprintf(to + len, PATH_MAX - len, "%s%s", len > 1 ? "/" : "",
                  slash != NULL ? slash + 1 : ledger) < (int)(PATH_MAX - len);
    return ok;
}

/* Is it a file, or will it be one? Nothing belongs beside a device. */
static bool may_be_file(const char *path)
{
    struct stat st;

    return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

/* The folder of this number; false when there is none. */
static bool run_journal_place(const char *ledger, int which, char to[static PATH_MAX])
{
    static const char *const names[JOURNAL_PLACES] = {NULL, ".local/state/stint/journals",
                                                      "/tmp", "/dev/shm"};
    static const char *const variables[JOURNAL_PLACES] = {NULL, "XDG_STATE_HOME", "TMPDIR",
                                                          NULL};
    const char *variable = variables[which] != NULL ? env_get(variables[which]) : NULL;
    const char *home = env_get("HOME");
    char name[PATH_MAX];
    unsigned long long mark;
    int len = -1;

    if (!canonical_ledger(ledger, name))
        return false;
    mark = (unsigned long long)text_hash(PLACE_SEED, str_from(name));
    if (variable != NULL && variable[0] != '/') /* the specification says: ignore it */
        variable = NULL;
    if (which == 0 && !ledger_is_server(ledger) && !run_journal_is_sent(ledger) &&
        may_be_file(name))
        len = snprintf(to, PATH_MAX, "%s" SUFFIX "s", name);
    else if (which == 0) /* a server has no place beside it: this is as good as the next */
        return false;
    else if (which == 1 && variable != NULL)
        len = snprintf(to, PATH_MAX, "%s/stint/journals/%016llx", variable, mark);
    else if (which == 1 && home != NULL && home[0] == '/')
        len = snprintf(to, PATH_MAX, "%s/%s/%016llx", home, names[which], mark);
    else if (which > 1)
        len = snprintf(to, PATH_MAX, "%s/stint-%u-journals/%016llx",
                       variable != NULL ? variable : names[which], (unsigned)getuid(), mark);
    return len > 0 && len + LEDGER_ID + 32 < PATH_MAX;
}

/* No one else can have put anything there, or can replace it. */
static bool is_own_folder(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == getuid() &&
           (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Of a folder that all may write to, the one below it is ours as well. */
static bool run_journal_place_is_safe(const char *path, int which)
{
    char above[PATH_MAX];
    char *slash;

    if (!is_own_folder(path))
        return false;
    if (which < 2)
        return true;
    (void)snprintf(above, sizeof above, "%s", path);
    slash = strrchr(above, '/');
    *slash = '\0';
    return is_own_folder(above);
}

/* ---- writing ---- */

static bool lock_run_journal(int fd)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    return fcntl(fd, F_SETLK, &all) == 0;
}

/* Write a complete journal under the name `to`, with the lock held. The descriptor, or -1. */
static int write_run_journal(const char *to, struct str start, struct str records,
                             struct error *err)
{
    char temporary[PATH_MAX + 32];
    int fd;

    (void)snprintf(temporary, sizeof temporary, "%s.%d.tmp", to, (int)gettid());
    (void)unlink(temporary);
    fd = open(temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        error_system(err, errno, "cannot make '%s'", to);
        return -1;
    }
    (void)lock_run_journal(
        fd); /* where there are no locks, readers leave the file until its end */
    if (fs_write_all(fd, (struct str){magic, sizeof magic}, err) &&
        fs_write_all(fd, start, err) && fs_write_all(fd, records, err) &&
        (fdatasync(fd) == 0 || error_fail(err, ERROR_SYSTEM, "cannot write '%s'", to)) &&
        (rename(temporary, to) == 0 || error_fail(err, ERROR_SYSTEM, "cannot make '%s'", to)))
        return fd;
    error_context(err, "the journal '%.200s'", to);
    (void)unlink(temporary);
    (void)close(fd);
    return -1;
}

static bool begin_in(struct run_journal *j, const char *folder, int which, const char *name,
                     struct str start, struct str records, struct error *err)
{
    if (!fs_make_folders(folder, err))
        return false;
    if (!run_journal_place_is_safe(folder, which))
        return error_fail(err, ERROR_SYSTEM, "the folder '%.200s' is open to others", folder);
    if (snprintf(j->path, sizeof j->path, "%s/%s" SUFFIX, folder, name) >= (int)sizeof j->path)
        return error_fail(err, ERROR_SYSTEM, "the path '%.60s...' is too long", folder);
    j->fd = write_run_journal(j->path, start, records, err);
    if (j->fd < 0) {
        (void)rmdir(folder); /* if nothing is in it */
        *j = (struct run_journal){0};
        return false;
    }
    fs_sync_folder(folder);
    j->size = sizeof magic + start.len + records.len;
    j->temporary = which > 1;
    return true;
}

static bool begin_run_journal(struct run_journal *j, const char *ledger, const char *name,
                              struct str start, struct str records, struct error *err)
{
    char folder[PATH_MAX];
    struct error first = {0}, problem = {0};

    for (int i = 0; i < JOURNAL_PLACES; i++) {
        if (!run_journal_place(ledger, i, folder))
            continue;
        if (begin_in(j, folder, i, name, start, records, &problem))
            return true;
        if (first.kind == ERROR_NONE)
            first = problem;
    }
    if (first.kind == ERROR_NONE)
        error_set(&first, ERROR_SYSTEM, "no folder to keep it in");
    *err = first;
    return false;
}

bool run_journal_append(struct run_journal *j, const char *ledger, const char *name,
                        struct str start, struct str records, struct error *err)
{
    if (j->fd <= 0)
        return begin_run_journal(j, ledger, name, start, records, err);
    if (fs_write_all(j->fd, records, err) && fdatasync(j->fd) == 0) {
        j->size += records.len;
        return true;
    }
    /* Half a record would hide those that follow. */
    if (ftruncate(j->fd, (off_t)j->size) != 0 || lseek(j->fd, (off_t)j->size, SEEK_SET) < 0)
        run_journal_close(j);
    return error_fail(err, ERROR_SYSTEM, "cannot write to the journal '%.200s'", j->path);
}

bool run_journal_rewrite(struct run_journal *j, struct str start, struct str records,
                         struct error *err)
{
    int fd = write_run_journal(j->path, start, records, err);

    if (fd < 0)
        return false;
    (void)close(j->fd);
    j->fd = fd;
    j->size = sizeof magic + start.len + records.len;
    return true;
}

void run_journal_close(struct run_journal *j)
{
    if (j->fd > 0)
        (void)close(j->fd);
    j->fd = 0;
}

static void remove_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];
    size_t len = slash != NULL ? (size_t)(slash - path) : 0;

    (void)unlink(path);
    if (len == 0 || len >= sizeof folder)
        return;
    memcpy(folder, path, len);
    folder[len] = '\0';
    (void)rmdir(folder); /* the last one */
}

void run_journal_remove(struct run_journal *j)
{
    if (j->fd > 0)
        remove_file(j->path);
    run_journal_close(j);
    *j = (struct run_journal){0};
}

/* ---- reading ---- */

static bool is_journal(const char *name)
{
    size_t len = strlen(name), suffix = sizeof SUFFIX - 1;

    return name[0] != '.' && len > suffix && strcmp(name + len - suffix, SUFFIX) == 0;
}

/* Files of the user's own only: others could make up costs. */
static int open_run_journal(const char *path, bool *locked)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    struct stat st;

    *locked = false;
    if (fd < 0 && (errno == EACCES || errno == EROFS))
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    else if (fd >= 0)
        *locked = lock_run_journal(fd);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != getuid())) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

/* Has its writer marked it as done? Without locks there is no other sign. */
static bool has_run_ended(struct str records)
{
    struct record r;
    bool ended = false;

    while (record_next(&records, &r))
        ended = ended || r.kind == RECORD_END || r.kind == RECORD_NOTE;
    return ended;
}

static bool read_run_journal(const char *path, struct arena *arena,
                             struct run_journal_file *out)
{
    struct error ignored;
    bool ok;

    *out = (struct run_journal_file){.path = path};
    out->fd = open_run_journal(path, &out->locked);
    if (out->fd < 0)
        return false;
    ok = fs_read_from(out->fd, path, FILE_MOST, arena, &out->records, &ignored) &&
         out->records.len >= sizeof magic && memcmp(out->records.at, magic, sizeof magic) == 0;
    if (!ok) {
        (void)close(out->fd);
        return false;
    }
    out->records.at += sizeof magic;
    out->records.len -= sizeof magic;
    out->locked = out->locked || has_run_ended(out->records);
    return true;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Files of one folder, by their names, which begin with the time. */
static bool each_in(const char *folder, int which, const char *but,
                    bool (*each)(void *ctx, struct run_journal_file *file), void *ctx)
{
    struct dirent **names = NULL;
    int count =
        run_journal_place_is_safe(folder, which) ? scandir(folder, &names, NULL, by_bytes) : -1;
    bool go_on = true;

    for (int i = 0; i < count; i++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        char path[PATH_MAX + 264];
        struct run_journal_file file;

        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        /* Opening and closing our own would give up its lock. */
        if (go_on && is_journal(names[i]->d_name) && (but == NULL || strcmp(path, but) != 0)) {
            if (read_run_journal(path, &arena, &file)) {
                go_on = each(ctx, &file);
                if (file.done && file.locked)
                    remove_file(path);
                (void)close(file.fd);
            } else {
                file = (struct run_journal_file){.path = path, .fd = -1, .unreadable = true};
                go_on = each(ctx, &file);
            }
        }
        arena_free(&arena);
        free(names[i]);
    }
    free(names);
    return go_on;
}

void run_journal_each(const char *ledger, const char *but,
                      bool (*each)(void *ctx, struct run_journal_file *file), void *ctx)
{
    char folder[PATH_MAX];
    bool go_on = true;

    for (int i = 0; go_on && i < JOURNAL_PLACES; i++)
        if (run_journal_place(ledger, i, folder) && access(folder, F_OK) == 0)
            go_on = each_in(folder, i, but, each, ctx);
}

static size_t count_in(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    size_t count = 0;

    if (dir == NULL)
        return 0;
    while ((entry = readdir(dir)) != NULL)
        count += is_journal(entry->d_name);
    (void)closedir(dir);
    return count;
}

size_t run_journal_count(const char *ledger)
{
    char folder[PATH_MAX];
    size_t count = 0;

    for (int i = 0; i < JOURNAL_PLACES; i++)
        if (run_journal_place(ledger, i, folder) && access(folder, F_OK) == 0 &&
            run_journal_place_is_safe(folder, i))
            count += count_in(folder);
    return count;
}

/* ---- as they are sent ---- */

void run_journal_put_head(struct buf *to)
{
    buf_add(to, (struct str){magic, sizeof magic});
}

bool run_journal_split(struct str bytes, struct str *first, struct str *records,
                       struct error *err)
{
    struct record r;

    if (bytes.len < sizeof magic || memcmp(bytes.at, magic, sizeof magic - 1) != 0)
        return error_fail(err, ERROR_INPUT, "these are not the records of a run");
    if (bytes.at[sizeof magic - 1] != magic[sizeof magic - 1])
        return error_fail(err, ERROR_INPUT,
                          "the records are from a machine with another byte order");
    bytes = (struct str){bytes.at + sizeof magic, bytes.len - sizeof magic};
    if (!record_next(&bytes, &r) || (r.kind != RECORD_START && r.kind != RECORD_NOTE) ||
        !record_plausible(&r))
        return error_fail(err, ERROR_INPUT, "the records do not name their run");
    *first = r.all;
    *records = bytes;
    while (record_next(&bytes, &r))
        if (!record_plausible(&r))
            return error_fail(err, ERROR_INPUT, "record %llu has a number that no run has",
                              (unsigned long long)r.number);
    return bytes.len == 0 ||
           error_fail(err, ERROR_INPUT, "the last %zu bytes are no record", bytes.len);
}

bool run_journal_read_start(struct str first, struct arena *arena, struct ledger_start *out,
                            struct error *err)
{
    struct record r;

    return (record_next(&first, &r) && r.kind == RECORD_START)
               ? record_start(&r, arena, out, err)
               : error_fail(err, ERROR_INPUT, "the records do not name their run");
}

struct str run_journal_fit(struct str records, uint64_t after, size_t most, uint64_t *last)
{
    struct str rest = records;
    struct record r;
    size_t len = 0;

    while (record_next(&rest, &r) && r.number <= after)
        records = rest;
    rest = records;
    *last = after;
    while (record_next(&rest, &r) && (len == 0 || len + r.all.len <= most)) {
        len += r.all.len;
        *last = r.number;
    }
    return (struct str){records.at, len};
}

struct str run_journal_first(struct str bytes, struct str *records)
{
    struct record r;

    if (!record_next(&bytes, &r))
        return (struct str){0};
    *records = bytes;
    return r.all;
}
