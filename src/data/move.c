#include "data/move.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"

enum { MOVE_BLOCK = 1 << 20 }; /* bytes that are copied or compared at once */

/* One file on its way. */
struct moving {
    const struct move_work *work;
    struct arena *arena;
    const char *from, *to; /* complete paths */
    unsigned char *room;   /* two blocks */
    bool made;             /* what is at `to` is ours */
};

static bool refuse_changed_file(const char *path, struct error *err)
{
    return error_fail_hint(err, ERROR_FAILED, "run this again",
                           "'%s' was left: it has changed meanwhile", path);
}

/* Open the original, when it still is the file that was chosen. */
static int open_original(const char *path, const struct tree_stat *seen, struct error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct tree_stat now;
    struct stat st;

    if (fd < 0 || fstat(fd, &st) != 0) {
        error_system(err, errno, "cannot read '%s'", path);
        if (fd >= 0)
            (void)close(fd);
        return -1;
    }
    now = tree_stat_of(&st);
    if (S_ISREG(st.st_mode) && tree_stat_same(&now, seen))
        return fd;
    (void)close(fd);
    (void)refuse_changed_file(path, err);
    return -1;
}

/* Fill the block, unless the file ends before: the bytes, or -1. */
static ssize_t read_moved_block(int fd, unsigned char *block)
{
    size_t len = 0;

    while (len < MOVE_BLOCK) {
        ssize_t got = read(fd, block + len, MOVE_BLOCK - len);

        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        len += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)len;
}

/* Have both the same bytes? `*same` is the answer when it could be found out. */
static bool compare_files(const struct moving *m, int from, bool *same, struct error *err)
{
    int to = open(m->to, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool ok = to >= 0 && lseek(from, 0, SEEK_SET) == 0;
    ssize_t a = 1, b = 1;

    *same = true;
    if (!ok)
        error_system(err, errno, "cannot read '%s'", m->to);
    while (ok && *same && a > 0) {
        a = read_moved_block(from, m->room);
        b = read_moved_block(to, m->room + MOVE_BLOCK);
        *same = a == b && (a <= 0 || memcmp(m->room, m->room + MOVE_BLOCK, (size_t)a) == 0);
        ok = tree_goes_on(m->work->watch, err);
        if (ok && (a < 0 || b < 0)) {
            error_system(err, errno, "cannot read '%s'", a < 0 ? m->from : m->to);
            ok = false;
        }
    }
    if (to >= 0)
        (void)close(to);
    return ok;
}

/* Write it, but leave blocks of zeros out: holes stay holes. */
static bool write_moved_block(int fd, const unsigned char *block, size_t len, off_t at)
{
    static const unsigned char zeros[4096];
    size_t zero = 0;

    while (zero < len && memcmp(block + zero, zeros,
                                len - zero < sizeof zeros ? len - zero : sizeof zeros) == 0)
        zero += len - zero < sizeof zeros ? len - zero : sizeof zeros;
    if (zero >= len)
        return true;
    for (size_t done = 0; done < len;) {
        ssize_t put = pwrite(fd, block + done, len - done, at + (off_t)done);

        if (put < 0 && errno != EINTR)
            return false;
        done += put > 0 ? (size_t)put : 0;
    }
    return true;
}

static bool copy_blocks(const struct moving *m, int from, int to, struct error *err)
{
    off_t at = 0;
    ssize_t got;

    while ((got = read_moved_block(from, m->room)) > 0) {
        if (!tree_goes_on(m->work->watch, err))
            return false;
        if (!write_moved_block(to, m->room, (size_t)got, at)) {
            error_system(err, errno, "cannot write '%s'", m->to);
            return false;
        }
        at += got;
    }
    if (got < 0)
        error_system(err, errno, "cannot read '%s'", m->from);
    else if (ftruncate(to, at) != 0)
        error_system(err, errno, "cannot write '%s'", m->to);
    else
        return true;
    return false;
}

/* Rights and times of the original. Its owner only where that is allowed. */
static bool copy_rights(const struct moving *m, int from, int to, struct error *err)
{
    struct stat st;

    if (fstat(from, &st) == 0) {
        const struct timespec times[] = {st.st_atim, st.st_mtim};
        mode_t rights = st.st_mode & 0777;

        if (fchown(to, st.st_uid, st.st_gid) != 0)
            rights &= 0700; /* it has another owner: what was for others is not */
        if (fchmod(to, rights) == 0 && futimens(to, times) == 0)
            return true;
    }
    error_system(err, errno, "cannot write '%s'", m->to);
    return false;
}

static bool copy_file(struct moving *m, int from, struct error *err)
{
    struct fs_output file;
    bool same, ok;

    if (!fs_output_open(m->to, &file, err))
        return false;
    ok = copy_blocks(m, from, file.fd, err) && copy_rights(m, from, file.fd, err) &&
         fs_output_flush(&file, err);
    m->made = fs_output_close(&file, ok, err);
    if (!m->made || !compare_files(m, from, &same, err))
        return false;
    if (same)
        return true;
    return error_fail(err, ERROR_FAILED, "'%s' was left: its copy '%s' had other bytes",
                      m->from, m->to);
}

/* The original goes, or a link takes its place in one step. */
static bool leave_original(const struct moving *m, struct error *err)
{
    char target[PATH_MAX], beside[PATH_MAX];

    if (!m->work->link) {
        if (unlink(m->from) == 0)
            return true;
        error_system(err, errno, "'%s' is at '%s', too: cannot remove it", m->from, m->to);
        return false;
    }
    if (realpath(m->to, target) != NULL &&
        snprintf(beside, sizeof beside, "%s.%ld.tmp", m->from, (long)getpid()) <
            (int)sizeof beside &&
        symlink(target, beside) == 0) {
        if (rename(beside, m->from) == 0)
            return true;
        (void)unlink(beside);
    }
    error_system(err, errno, "'%s' is at '%s', too: cannot link it", m->from, m->to);
    return false;
}

static bool make_target_folder(const struct moving *m, struct error *err)
{
    char *folder = str_dup(str_from(m->to), m->arena, err);
    bool made;

    if (folder == NULL)
        return false;
    *strrchr(folder, '/') = '\0';
    return fs_make_output_folder(folder, &made, err);
}

/* It is there: is it the same, or what an earlier move left? */
static bool meet_target(const struct moving *m, int from, struct error *err)
{
    struct stat st;
    bool same = false;

    if (lstat(m->to, &st) == 0 && S_ISREG(st.st_mode) && !compare_files(m, from, &same, err))
        return false;
    return same || error_fail_hint(err, ERROR_FAILED, "rename one of them",
                                   "'%s' was left: there is another '%s'", m->from, m->to);
}

/* By a second name, which never replaces a file, then by a copy. */
static bool place_target(struct moving *m, int from, struct error *err)
{
    if (link(m->from, m->to) == 0) {
        struct stat st, placed; /* another file may have taken the name since it was opened */

        m->made = true;
        if (fstat(from, &st) == 0 && lstat(m->to, &placed) == 0 && st.st_ino == placed.st_ino)
            return true;
        return refuse_changed_file(m->from, err);
    }
    return errno == EEXIST ? meet_target(m, from, err) : copy_file(m, from, err);
}

/* Since it was opened, nothing has been written to it. Its change time is later when it has got
 * a second name. */
static bool is_unwritten(const struct moving *m, int from)
{
    const struct tree_stat *seen = &m->work->stat;
    struct stat st;
    struct tree_stat now;

    if (fstat(from, &st) != 0)
        return false;
    now = tree_stat_of(&st);
    return now.size == seen->size && now.modified == seen->modified;
}

bool data_move_file(const struct move_work *work, struct arena *arena, struct error *err)
{
    char *name = str_dup(work->path, arena, err);
    struct moving m = {.work = work, .arena = arena};
    int from;
    bool ok;

    m.from = name != NULL ? fs_join(work->from, name, arena, err) : NULL;
    m.to = m.from != NULL ? fs_join(work->to, name, arena, err) : NULL;
    m.room = m.to != NULL ? arena_array(arena, unsigned char, 2 * MOVE_BLOCK, err) : NULL;
    if (m.room == NULL)
        return false;
    from = open_original(m.from, &work->stat, err);
    if (from < 0)
        return false;
    ok = make_target_folder(&m, err) && place_target(&m, from, err);
    if (ok && !is_unwritten(&m, from))
        ok = refuse_changed_file(m.from, err);
    if (!ok && m.made)
        (void)unlink(m.to); /* the original is complete */
    ok = ok && leave_original(&m, err);
    (void)close(from);
    return ok;
}

bool data_remove_file(const char *folder, struct str path, const struct tree_stat *stat,
                      struct arena *arena, struct error *err)
{
    char *name = str_dup(path, arena, err);
    const char *whole = name != NULL ? fs_join(folder, name, arena, err) : NULL;
    int fd = whole != NULL ? open_original(whole, stat, err) : -1;

    if (fd < 0)
        return false;
    (void)close(fd);
    if (unlink(whole) == 0)
        return true;
    error_system(err, errno, "cannot remove '%s'", whole);
    return false;
}
