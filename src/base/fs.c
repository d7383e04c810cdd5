#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/term.h"

const char *env_get(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && value[0] != '\0' ? value : NULL;
}

bool env_is_set(const char *name)
{
    return getenv(name) != NULL;
}

bool fs_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool fs_is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

char *fs_join(const char *folder, const char *name, struct arena *arena, struct error *err)
{
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = arena_array(arena, char, room, err);

    if (path != NULL)
        (void)snprintf(path, room, "%s/%s", folder, name);
    return path;
}

/* Read until the end or one byte past `max`, doubling: the size that stat() reports is a lie
 * for pipes and /proc. */
/* Of a file all of it, and one byte that shows its end; of a stream a part. */
static size_t first_room(int fd, size_t max)
{
    struct stat st;
    size_t room = 64 * 1024;

    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
        room = (uint64_t)st.st_size < max ? (size_t)st.st_size + 1 : max;
    return room < max ? room : max + 1;
}

bool fs_read_from(int fd, const char *path, size_t max, struct arena *arena, struct str *out,
                  struct error *err)
{
    size_t room = first_room(fd, max), len = 0;
    char *text = arena_array(arena, char, room, err);

    while (text != NULL) {
        ssize_t got = read(fd, text + len, room - len);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            error_system(err, errno, "cannot read '%s'", path);
            return false;
        }
        len += (size_t)got;
        if (got == 0)
            break;
        if (len > max)
            return error_fail(err, ERROR_INPUT, "'%s' is larger than %zu bytes", path, max);
        if (len == room) {
            char *grown;

            room = room < max / 2 ? room * 2 : max + 1;
            grown = arena_array(arena, char, room, err);
            if (grown != NULL)
                memcpy(grown, text, len);
            text = grown;
        }
    }
    *out = (struct str){text, len};
    return text != NULL;
}

/* Names of what a shell or a user means to be a stream: process substitution is /dev/fd/63. */
static bool is_stream(const char *path)
{
    static const char *const names[] = {"/dev/stdin", "/dev/null"};
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(path, names[i]) == 0)
            return true;
    for (size_t i = 0; i < ARRAY_LEN(folders); i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    return false;
}

/* What is no file may never end, and opening a pipe waits for who writes to it. */
static bool refuse_special(const char *path, struct error *err)
{
    struct stat st;
    const char *what;

    if (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || is_stream(path))
        return false;
    what = S_ISFIFO(st.st_mode) ? "named pipe" : S_ISSOCK(st.st_mode) ? "socket" : "device";
    error_set(err, ERROR_INPUT, "'%s' is a %s, not a file", path, what);
    if (S_ISFIFO(st.st_mode))
        error_hint(err, "save its content to a file; what a command prints: <(COMMAND)");
    return true;
}

int fs_open(const char *path, struct error *err)
{
    struct stat st;
    int fd, reason;

    if (refuse_special(path, err))
        return -1;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    reason = errno;
    if (fd < 0) {
        error_system(err, reason, "cannot open '%s'", path);
        if (reason == ENOENT || reason == ENOTDIR)
            err->kind = ERROR_ABSENT;
        return -1;
    }
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        error_set(err, ERROR_INPUT, "'%s' is a folder, not a file", path);
        (void)close(fd);
        return -1;
    }
    return fd;
}

bool fs_read(const char *path, size_t max, struct arena *arena, struct str *out,
             struct error *err)
{
    int fd = fs_open(path, err);
    bool ok;

    if (fd < 0)
        return false;
    ok = fs_read_from(fd, path, max, arena, out, err);
    (void)close(fd);
    return ok;
}

bool fs_read_at(int fd, uint64_t at, void *to, size_t len)
{
    unsigned char *next = to;

    while (len > 0) {
        ssize_t got = pread(fd, next, len, (off_t)at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = 0;
        if (got <= 0)
            return false;
        next += got;
        at += (uint64_t)got;
        len -= (size_t)got;
    }
    return true;
}

static ptrdiff_t read_file_stream(void *ctx, char *to, size_t room, struct error *err)
{
    const struct fs_stream *stream = ctx;
    ssize_t got;

    do
        got = read(stream->fd, to, room);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        error_system(err, errno, "cannot read '%s'", stream->name);
    return got;
}

struct source fs_source(struct fs_stream *stream)
{
    return (struct source){read_file_stream, stream};
}

static bool make_folders(const char *path, mode_t mode, struct error *err)
{
    char part[4096];
    size_t len = strlen(path);
    struct stat st;

    if (len >= sizeof part)
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", path);
    for (size_t i = 1; i <= len; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, mode) != 0 && errno != EEXIST) {
            error_system(err, errno, "cannot make the folder '%s'", part);
            return false;
        }
    }
    if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) { /* something else of that name */
        error_system(err, ENOTDIR, "cannot make the folder '%s'", path);
        return false;
    }
    return true;
}

bool fs_make_folders(const char *path, struct error *err)
{
    return make_folders(path, 0700, err);
}

bool fs_make_output_folder(const char *path, bool *made, struct error *err)
{
    *made = !fs_exists(path);
    return make_folders(path, 0777, err);
}

bool fs_write_all(int fd, struct str text, struct error *err)
{
    while (text.len > 0) {
        ssize_t put = write(fd, text.at, text.len);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0) {
            error_system(err, errno, "cannot write");
            return false;
        }
        text.at += put;
        text.len -= (size_t)put;
    }
    return true;
}

/* Some file systems cannot sync a folder; the file itself is safe then. */
void fs_sync_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

/* Write a new file whose name ends in XXXXXX, which are filled in. */
static bool write_beside(char *temporary, struct str text, bool flush, struct error *err)
{
    int fd = mkostemp(temporary, O_CLOEXEC); /* 0600, and no two threads get the same */
    bool ok = fd >= 0 && fs_write_all(fd, text, err);

    if (fd < 0) {
        error_system(err, errno, "cannot create '%s'", temporary);
        return false;
    }
    if (ok && flush && fsync(fd) != 0) {
        error_system(err, errno, "cannot write");
        ok = false;
    }
    if (close(fd) != 0 && ok) {
        error_system(err, errno, "cannot write");
        ok = false;
    }
    if (ok)
        return true;
    error_context(err, "%s", temporary);
    (void)unlink(temporary);
    return false;
}

/* A file without a name in the folder of `path`: nothing is left of it, however the program
 * ends. -1: the file system cannot, or it could not be given a name later. */
static int open_nameless(const char *path)
{
    char folder[PATH_MAX] = ".", self[32];
    const char *slash = strrchr(path, '/');
    int fd;

    if (slash != NULL)
        str_copy((struct str){path, slash > path ? (size_t)(slash - path) : 1}, folder,
                 sizeof folder);
    fd = open(folder, O_WRONLY | O_CLOEXEC | O_TMPFILE, 0666);
    (void)snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    if (fd < 0 || access(self, F_OK) == 0)
        return fd;
    (void)close(fd);
    return -1;
}

/* Give it the name that it has until it replaces the one before. */
static bool name_output(const struct fs_output *file)
{
    char self[32];

    (void)snprintf(self, sizeof self, "/proc/self/fd/%d", file->fd);
    (void)unlink(file->temporary); /* of an earlier process with the same number */
    return linkat(AT_FDCWD, self, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0;
}

#define LINKS_MOST 40

/* The file that is written for `path`: a link stays a link, and what it names is replaced, or
 * made where it is not there. */
static bool follow_links(const char *path, char to[static PATH_MAX], struct error *err)
{
    char target[PATH_MAX], next[PATH_MAX];

    if (realpath(path, to) != NULL)
        return true;
    for (int turn = 0, len = snprintf(to, PATH_MAX, "%s", path); turn < LINKS_MOST; turn++) {
        const char *slash = strrchr(to, '/');
        ssize_t size;

        if (len < 0 || len >= PATH_MAX)
            return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", path);
        size = readlink(to, target, sizeof target - 1);
        if (size < 0) /* no link: there is nothing, or it is said when it is opened */
            return true;
        target[size] = '\0';
        len =
            snprintf(next, sizeof next, "%.*s%s",
                     target[0] != '/' && slash != NULL ? (int)(slash + 1 - to) : 0, to, target);
        str_copy(str_from(next), to, PATH_MAX);
    }
    error_system(err, ELOOP, "cannot write '%s'", path);
    return false;
}

bool fs_output_open(const char *path, struct fs_output *out, struct error *err)
{
    struct stat st;
    bool plain = stat(path, &st) != 0 || S_ISREG(st.st_mode);
    int named = 0, beside = 0;

    *out = (struct fs_output){.fd = -1};
    if (plain && !follow_links(path, out->path, err))
        return false;
    if (!plain)
        named = snprintf(out->path, sizeof out->path, "%s", path);
    if (plain)
        beside = snprintf(out->temporary, sizeof out->temporary, "%s.%ld.tmp", out->path,
                          (long)getpid());
    if (named < 0 || (size_t)named >= sizeof out->path || beside < 0 ||
        (size_t)beside >= sizeof out->temporary)
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", path);
    if (plain)
        out->fd = open_nameless(out->path);
    out->nameless = out->fd >= 0;
    if (out->fd < 0)
        out->fd = open(plain ? out->temporary : out->path,
                       O_WRONLY | O_CLOEXEC | O_NOCTTY | (plain ? O_CREAT | O_TRUNC : 0), 0666);
    if (out->fd < 0)
        error_system(err, errno, "cannot write '%s'", path);
    return out->fd >= 0;
}

bool fs_output_flush(struct fs_output *file, struct error *err)
{
    if (file->temporary[0] == '\0' || fsync(file->fd) == 0)
        return true;
    error_system(err, errno, "cannot write '%s'", file->path);
    return false;
}

bool fs_output_close(struct fs_output *file, bool ok, struct error *err)
{
    bool plain = file->temporary[0] != '\0';

    if (file->fd < 0)
        return false;
    ok = ok && fs_output_flush(file, err);
    if (ok && file->nameless && !name_output(file)) {
        error_system(err, errno, "cannot write '%s'", file->path);
        ok = false;
    }
    if (close(file->fd) != 0 && ok) {
        error_system(err, errno, "cannot write '%s'", file->path);
        ok = false;
    }
    if (ok && plain && rename(file->temporary, file->path) != 0) {
        error_system(err, errno, "cannot replace '%s'", file->path);
        ok = false;
    }
    if (!ok && plain)
        (void)unlink(file->temporary); /* if it has that name */
    return ok;
}

bool fs_put(const char *path, struct str text, struct error *err)
{
    struct fs_output file;
    bool ok;

    if (!fs_output_open(path, &file, err))
        return false;
    ok = term_write(file.fd, text, false, &alloc_system, err); /* it may be /dev/stdout */
    if (!ok)
        error_context(err, "%s", path);
    return fs_output_close(&file, ok, err);
}

bool fs_put_buf(struct str path, struct buf *text, struct error *err)
{
    char name[PATH_MAX];
    bool ok = buf_ok(text, err);

    if (ok && path.len >= sizeof name)
        ok = error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", path.at);
    if (ok) {
        str_copy(path, name, sizeof name);
        ok = fs_put(name, buf_text(text), err);
    }
    buf_free(text);
    return ok;
}

static bool replace_file(const char *path, struct str text, bool flush, struct error *err)
{
    char temporary[PATH_MAX], target[PATH_MAX], folder[PATH_MAX] = ".";
    const char *slash;
    int len;

    if (!follow_links(path, target, err))
        return false;
    path = target;
    slash = strrchr(path, '/');
    len = snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    if (len < 0 || (size_t)len >= sizeof temporary)
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", path);
    if (slash != NULL && slash != path) {
        memcpy(folder, path, (size_t)(slash - path));
        folder[slash - path] = '\0';
        if (!fs_make_folders(folder, err))
            return false;
    }
    if (!write_beside(temporary, text, flush, err))
        return false;
    if (rename(temporary, path) != 0) {
        error_system(err, errno, "cannot replace '%s'", path);
        (void)unlink(temporary);
        return false;
    }
    if (flush)
        fs_sync_folder(folder);
    return true;
}

bool fs_replace(const char *path, struct str text, struct error *err)
{
    return replace_file(path, text, true, err);
}

bool fs_replace_cache(const char *path, struct str text, struct error *err)
{
    return replace_file(path, text, false, err);
}

static int by_entry_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool fs_names(const char *folder, struct arena *arena, char ***names, size_t *count,
              struct error *err)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    bool ok = true;

    if (dir == NULL) {
        error_system(err, errno, "cannot read the folder '%s'", folder);
        return false;
    }
    *names = arena_array(arena, char *, FS_NAMES_MOST, err);
    ok = *names != NULL;
    *count = 0;
    while (ok && (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        if (*count == FS_NAMES_MOST) {
            ok = error_fail(err, ERROR_INPUT, "'%s' has more than %d files", folder,
                            FS_NAMES_MOST);
            break;
        }
        (*names)[*count] = str_dup(str_from(entry->d_name), arena, err);
        ok = (*names)[*count] != NULL;
        *count += ok;
    }
    (void)closedir(dir);
    if (ok && *count > 0)
        qsort(*names, *count, sizeof(*names)[0], by_entry_name);
    return ok;
}

bool fs_read_if(const char *folder, const char *name, size_t max, struct arena *arena,
                struct str *out, bool *there, struct error *err)
{
    const char *path = fs_join(folder, name, arena, err);

    *there = path != NULL && fs_read(path, max, arena, out, err);
    if (!*there && path != NULL && err->kind == ERROR_ABSENT) {
        *err = (struct error){0};
        return true;
    }
    return *there;
}

#define OLD_FILE_MAX ((size_t)16 << 20)

char *fs_backup_name(const char *path, struct arena *arena, struct error *err)
{
    size_t room = strlen(path) + sizeof ".bak";
    char *copy = arena_array(arena, char, room, err);

    if (copy != NULL)
        (void)snprintf(copy, room, "%s.bak", path);
    return copy;
}

#define COPIES_MOST 99 /* besides the first */

const char *fs_backup_unused(const char *path, struct arena *arena, struct error *err)
{
    size_t room = strlen(path) + sizeof ".bak.99";
    char *name = arena_array(arena, char, room, err);

    if (name == NULL)
        return NULL;
    (void)snprintf(name, room, "%s.bak", path);
    for (int n = 1; fs_exists(name) && n <= COPIES_MOST; n++)
        (void)snprintf(name, room, "%s.bak.%d", path, n);
    if (!fs_exists(name))
        return name;
    error_set(err, ERROR_FAILED, "%s.bak and %d more copies exist already", path, COPIES_MOST);
    error_hint(err, "remove old copies");
    return NULL;
}

bool fs_keep_old(const char *path, struct arena *arena, struct error *err)
{
    const char *copy = fs_backup_name(path, arena, err);
    struct str old;

    if (copy == NULL || !fs_exists(path))
        return copy != NULL;
    return fs_read(path, OLD_FILE_MAX, arena, &old, err) && fs_replace(copy, old, err);
}

static bool remove_named(int folder, const char *name);

static bool remove_all_in(int fd)
{
    DIR *dir = fdopendir(fd);
    const struct dirent *entry;
    bool ok = dir != NULL;

    if (dir == NULL) {
        (void)close(fd);
        return false;
    }
    while ((entry = readdir(dir)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            ok = remove_named(fd, entry->d_name) && ok;
    (void)closedir(dir);
    return ok;
}

static bool remove_named(int folder, const char *name)
{
    int fd;

    if (unlinkat(folder, name, 0) == 0)
        return true;
    fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    return fd >= 0 && remove_all_in(fd) && unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

bool fs_remove_folder(const char *path)
{
    return remove_named(AT_FDCWD, path);
}

bool fs_empty_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

    return fd >= 0 && remove_all_in(fd);
}
