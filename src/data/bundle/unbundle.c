/* Reading a bundle, which anyone may have made: only what the manifest announces is written,
 * and only into a folder of our own, name by name, without following a link. */
#include "data/bundle/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/part.h"
#include "data/bundle/archive_part.h"
#include "data/digest.h"
#include "doc/compress.h"
#include "unit/size.h"

#define BLOCK ((size_t)128 << 10)
#define TEMPORARY_MOST 100

struct unbundler {
    const struct archive_part *part;
    const struct unbundle_work *work;
    struct source plain;
    void *reader;
    struct error trouble; /* of the source, which libarchive does not pass on */
    char packed[BLOCK], block[BLOCK];
    const struct manifest *manifest;
    char temporary[PATH_MAX];
    int root;   /* of the temporary folder; -1: there is none */
    int parent; /* the folder that the last file was put in; -1: none */
    struct str parent_path;
    uint64_t done;
};

static bool refuse_bundle(const struct unbundler *u, struct error *err)
{
    error_context(err, "%s", u->work->name);
    error_hint(err, "do not use it: it is damaged, or not made by 'stint data bundle'");
    return false;
}

static bool refuse_member(const struct unbundler *u, const char *path, const char *why,
                          struct error *err)
{
    error_set(err, ERROR_INPUT, "'%.200s' %s", path, why);
    return refuse_bundle(u, err);
}

static ptrdiff_t give_plain(void *ctx, const void **at)
{
    struct unbundler *u = ctx;

    *at = u->packed;
    if (!tree_goes_on(u->work->watch, &u->trouble)) /* headers alone may be endless */
        return -1;
    return u->plain.read(u->plain.ctx, u->packed, sizeof u->packed, &u->trouble);
}

/* What ails the archive: the trouble that its bytes could not be read with, if there was
 * any. */
static bool refuse_damaged(const struct unbundler *u, struct error *err)
{
    if (u->trouble.kind != ERROR_NONE) {
        *err = u->trouble;
        return false;
    }
    error_set(err, ERROR_INPUT, "the archive is damaged or cut off");
    return refuse_bundle(u, err);
}

/* `*there` is false at the end. */
static bool next_of_bundle(struct unbundler *u, struct archive_member *member, bool *there,
                           struct error *err)
{
    enum member_state state = u->part->next(u->reader, member);

    if (state == MEMBER_NO_MEMORY)
        return error_memory(err);
    *there = state == MEMBER_THERE;
    return (state != MEMBER_DAMAGED && u->trouble.kind == ERROR_NONE) || refuse_damaged(u, err);
}

/* Bytes of the member; 0 at its end. */
static bool read_of_bundle(struct unbundler *u, size_t *got, struct error *err)
{
    ptrdiff_t len = u->part->read(u->reader, u->block, sizeof u->block);

    *got = len > 0 ? (size_t)len : 0;
    return len >= 0 ? tree_goes_on(u->work->watch, err) : refuse_damaged(u, err);
}

static bool read_announced_text(struct unbundler *u, struct buf *text, struct error *err)
{
    struct archive_member member;
    size_t got = 1;
    bool there = false;

    if (!next_of_bundle(u, &member, &there, err)) {
        if (err->kind != ERROR_INPUT || u->trouble.kind != ERROR_NONE)
            return false;
        there = false; /* what no tar archive begins with */
    }
    if (!there || member.kind != MEMBER_FILE || strcmp(member.path, BUNDLE_MANIFEST) != 0) {
        error_set(err, ERROR_INPUT, "%s: this is no bundle of Stint: it does not begin with %s",
                  u->work->name, BUNDLE_MANIFEST);
        error_hint(err, "unpack other archives with tar");
        return false;
    }
    while (got > 0) {
        if (!read_of_bundle(u, &got, err))
            return false;
        /* no manifest has a zero byte, of which little makes much: holes, packed zeros */
        if (memchr(u->block, 0, got) != NULL)
            return refuse_damaged(u, err);
        buf_add(text, (struct str){u->block, got});
        if (text->failed != ERROR_NONE)
            return buf_ok(text, err);
    }
    return true;
}

/* Paths whose folders are in no order of magnitude that people have. */
static bool check_depths(const struct unbundler *u, const struct tree *tree, struct error *err)
{
    for (size_t i = 0; i < tree->count; i++) {
        struct str path = tree->entries[i].path;
        int depth = 0;

        for (size_t c = 0; c < path.len; c++)
            depth += path.at[c] == '/';
        if (depth <= TREE_DEPTH)
            continue;
        error_set(err, ERROR_INPUT, "'%.*s' is more than %d folders deep", STR_ARG(path),
                  TREE_DEPTH);
        return refuse_bundle(u, err);
    }
    return true;
}

static bool read_announced(struct unbundler *u, struct arena *arena, struct manifest *out,
                           struct error *err)
{
    struct buf text = buf_new(arena->alloc, MANIFEST_MAX);
    struct str kept;
    bool ok = read_announced_text(u, &text, err);

    if (!ok) {
        buf_free(&text);
        return false;
    }
    if (!buf_keep(&text, arena, &kept, err))
        return false;
    if (!manifest_read(kept, arena, out, err)) {
        if (error_is_of_machine(err->kind) || err->kind == ERROR_STOPPED)
            return false;
        error_place(err, BUNDLE_MANIFEST);
        return refuse_bundle(u, err);
    }
    u->manifest = out;
    return check_depths(u, &out->tree, err);
}

static bool write_failed(const struct unbundler *u, struct str path, struct error *err)
{
    int why = errno;

    error_system(err, why, "cannot write '%s/%.*s'", u->work->folder, STR_ARG(path));
    if (why == EEXIST)
        error_hint(err, "two names may be one there: unpack it on a disk that tells 'A' from "
                        "'a'");
    return false;
}

/* The folder `name` below `at`, made when it is not there. Closes `at`, but not the root. */
static int enter_made_folder(const struct unbundler *u, int at, struct str name)
{
    char own[NAME_MAX + 1];
    int fd = -1, why = ENAMETOOLONG;

    if (name.len <= NAME_MAX) {
        str_copy(name, own, sizeof own);
        if (mkdirat(at, own, 0777) == 0 || errno == EEXIST)
            fd = openat(at, own, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        why = errno;
    }
    if (at != u->root)
        (void)close(at);
    errno = why;
    return fd;
}

static void leave_parent(struct unbundler *u)
{
    if (u->parent >= 0 && u->parent != u->root)
        (void)close(u->parent);
    u->parent = -1;
}

/* Be in the folder that is named by all of the path up to its last slash. */
static bool enter_parent(struct unbundler *u, struct str path, struct error *err)
{
    struct str folder = path, rest;

    while (folder.len > 0 && folder.at[folder.len - 1] != '/')
        folder.len--;
    if (u->parent >= 0 && str_eq(folder, u->parent_path))
        return true;
    leave_parent(u);
    u->parent = u->root;
    u->parent_path = folder;
    for (rest = folder; rest.len > 0 && u->parent >= 0;)
        u->parent = enter_made_folder(u, u->parent, str_cut(&rest, '/'));
    return u->parent >= 0 || write_failed(u, path, err);
}

static void times_of(const struct tree_entry *e, struct timespec times[2])
{
    int64_t s = e->stat.modified / SECOND, ns = e->stat.modified % SECOND;

    if (ns < 0) {
        s--;
        ns += SECOND;
    }
    times[0] = times[1] = (struct timespec){.tv_sec = s, .tv_nsec = ns};
}

/* Its content, which is as long as announced, and its time. */
static bool fill_file(struct unbundler *u, int fd, const struct tree_entry *e,
                      struct error *err)
{
    struct timespec times[2];
    uint64_t left = e->stat.size;
    size_t got = 1;

    while (got > 0) {
        if (!read_of_bundle(u, &got, err))
            return false;
        if (got > left)
            break;
        if (!fs_write_all(fd, (struct str){u->block, got}, err)) {
            error_context(err, "%s/%.*s", u->work->folder, STR_ARG(e->path));
            return false;
        }
        left -= got;
        u->done += got;
        watch_progress(u->work->watch, "unpacking", u->done, u->manifest->tree.bytes);
    }
    if (got > 0 || left > 0)
        return refuse_damaged(u, err);
    times_of(e, times);
    return futimens(fd, times) == 0 || write_failed(u, e->path, err);
}

static bool put_file(struct unbundler *u, const struct tree_entry *e, const char *name,
                     bool executable, struct error *err)
{
    int fd = openat(u->parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    executable ? 0777 : 0666);
    bool ok;

    if (fd < 0)
        return write_failed(u, e->path, err);
    ok = fill_file(u, fd, e, err);
    if (close(fd) != 0 && ok)
        return write_failed(u, e->path, err);
    return ok;
}

static bool put_link(struct unbundler *u, const struct tree_entry *e, const char *name,
                     const char *target, struct error *err)
{
    struct timespec times[2];

    if (strlen(target) != e->stat.size || !bundle_link_stays(e->path, str_from(target)))
        return refuse_member(u, name, "is a link that leads outside", err);
    times_of(e, times);
    return (symlinkat(target, u->parent, name) == 0 &&
            utimensat(u->parent, name, times, AT_SYMLINK_NOFOLLOW) == 0) ||
           write_failed(u, e->path, err);
}

static bool put_member(struct unbundler *u, const struct tree_entry *e,
                       const struct archive_member *member, struct error *err)
{
    struct str own = str_after_last(e->path, '/');
    char name[NAME_MAX + 1];

    if (!enter_parent(u, e->path, err))
        return false;
    if (e->kind == TREE_EMPTY)
        return true;
    if (own.len > NAME_MAX) {
        errno = ENAMETOOLONG;
        return write_failed(u, e->path, err);
    }
    str_copy(own, name, sizeof name);
    if (e->kind == TREE_LINK)
        return put_link(u, e, name, member->target, err);
    return put_file(u, e, name, member->executable, err);
}

static struct str member_path(const struct archive_member *member)
{
    struct str path = str_from(member->path);

    path.len -= member->kind == MEMBER_FOLDER && str_ends(path, STR("/"));
    return path;
}

/* Nothing but what is announced, in that order. */
static bool is_announced(const struct archive_member *member, const struct tree_entry *e)
{
    static const enum member_kind kinds[] = {
        [TREE_FILE] = MEMBER_FILE, [TREE_LINK] = MEMBER_LINK, [TREE_EMPTY] = MEMBER_FOLDER};
    struct str path = e->path;

    path.len -= e->kind == TREE_EMPTY;
    return member->kind == kinds[e->kind] && str_eq(member_path(member), path) &&
           (e->kind != TREE_FILE || member->size == e->stat.size);
}

static bool put_announced(struct unbundler *u, struct error *err)
{
    const struct tree *tree = &u->manifest->tree;
    struct archive_member member;
    bool there = false;

    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_entry *e = &tree->entries[i];

        if (e->trouble)
            continue;
        if (!tree_goes_on(u->work->watch, err) || !next_of_bundle(u, &member, &there, err))
            return false;
        if (!there)
            return refuse_damaged(u, err);
        if (!is_announced(&member, e))
            return refuse_member(u, member.path, "is not what its manifest announces", err);
        if (!put_member(u, e, &member, err))
            return false;
    }
    if (!next_of_bundle(u, &member, &there, err))
        return false;
    return !there || refuse_member(u, member.path, "is not in its manifest", err);
}

/* Both are in one order; what was not bundled is not there. */
static bool compare_with_announced(const struct unbundler *u, const struct tree *own,
                                   struct error *err)
{
    const struct tree *tree = &u->manifest->tree;
    size_t o = 0;

    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_entry *e = &tree->entries[i];

        if (e->trouble)
            continue;
        if (o == own->count || !str_eq(own->entries[o].path, e->path) ||
            !tree_same(&own->entries[o], e)) {
            error_set(err, ERROR_INPUT, "'%.*s' is not what its manifest says",
                      STR_ARG(e->path));
            return refuse_bundle(u, err);
        }
        o++;
    }
    return o == own->count ||
           error_fail(err, ERROR_SYSTEM, "something else writes to '%s'", u->temporary);
}

/* What is on the disk now is read again, on all cores. */
static bool verify_written(const struct unbundler *u, struct arena *arena, struct error *err)
{
    const struct digest_work digest = {u->temporary, u->work->watch, 0};
    struct arena own = {.alloc = arena->alloc, .block_size = arena->block_size};
    struct tree tree;
    bool ok = tree_walk(u->temporary, u->work->watch, &own, &tree, err) &&
              digest_tree(&digest, &tree, err) && compare_with_announced(u, &tree, err);

    arena_free(&own);
    return ok;
}

/* As many bytes as are announced must be free on the disk. */
static bool check_disk_free(const struct unbundler *u, struct error *err)
{
    struct statvfs disk;
    uint64_t wanted = u->manifest->tree.bytes, there;
    char wanted_text[32], there_text[32];
    struct buf a = buf_within(wanted_text, sizeof wanted_text);
    struct buf b = buf_within(there_text, sizeof there_text);

    if (fstatvfs(u->root, &disk) != 0 ||
        __builtin_mul_overflow((uint64_t)disk.f_bavail, (uint64_t)disk.f_frsize, &there) ||
        wanted <= there)
        return true;
    bytes_write((bytes){wanted}, &a);
    bytes_write((bytes){there}, &b);
    return error_fail_hint(err, ERROR_SYSTEM, "free some space, or unpack it elsewhere with -o",
                           "%s takes %.*s, and %.*s are free for '%s'", u->work->name,
                           (int)a.len, a.at, (int)b.len, b.at, u->work->folder);
}

/* Beside the folder, for this user's umask; an earlier process may have left one of that
 * name. */
static bool make_temporary(struct unbundler *u, struct error *err)
{
    for (int i = 0; i < TEMPORARY_MOST; i++) {
        int len = snprintf(u->temporary, sizeof u->temporary, "%s.%ld.%d.tmp", u->work->folder,
                           (long)getpid(), i);

        if (len < 0 || (size_t)len >= sizeof u->temporary)
            return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long",
                              u->work->folder);
        if (mkdir(u->temporary, 0777) == 0) {
            u->root = open(u->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
            break;
        }
        if (errno != EEXIST)
            break;
    }
    if (u->root < 0)
        error_system(err, errno, "cannot make the folder '%s'", u->work->folder);
    return u->root >= 0;
}

/* Complete, on the disk, and under its name. */
static bool put_in_place(const struct unbundler *u, struct error *err)
{
    if (syncfs(u->root) != 0) {
        error_system(err, errno, "cannot write '%s'", u->work->folder);
        return false;
    }
    /* A folder that somebody made meanwhile and is empty is replaced, nothing else. */
    if (rename(u->temporary, u->work->folder) != 0) {
        error_system(err, errno, "cannot make '%s'", u->work->folder);
        return false;
    }
    return true;
}

static bool unpack_announced(struct unbundler *u, struct arena *arena, struct error *err)
{
    bool ok;

    if (!make_temporary(u, err))
        return false;
    ok = check_disk_free(u, err) && put_announced(u, err) && verify_written(u, arena, err) &&
         put_in_place(u, err);
    leave_parent(u);
    if (ok) {
        (void)close(u->root);
        return true;
    }
    (void)close(u->root);
    (void)fs_remove_folder(u->temporary);
    return false;
}

static bool check_absent(const char *folder, struct error *err)
{
    struct stat st;

    if (lstat(folder, &st) == 0)
        return error_fail_hint(err, ERROR_INPUT, "name another folder with -o",
                               "'%s' is there already, and is not replaced", folder);
    if (errno == ENOENT)
        return true;
    error_system(err, errno, "cannot make '%s'", folder);
    return false;
}

static bool read_bundle(struct unbundler *u, struct arena *arena, struct manifest *out,
                        struct error *err)
{
    bool ok;

    u->reader = u->part->read_open(give_plain, u);
    if (u->reader == NULL)
        return error_memory(err);
    ok = read_announced(u, arena, out, err) && unpack_announced(u, arena, err);
    u->part->read_close(u->reader);
    return ok;
}

bool unbundle(const struct unbundle_work *work, struct arena *arena, struct manifest *out,
              struct error *err)
{
    struct unbundler *u = arena_array(arena, struct unbundler, 1, err);
    struct unpacker *unpacker;
    bool ok;

    if (u == NULL || !check_absent(work->folder, err))
        return false;
    *u = (struct unbundler){.work = work, .root = -1, .parent = -1};
    u->part = part_open("archive", ARCHIVE_PART_VERSION, err);
    if (u->part == NULL)
        return false;
    unpacker = unpack_open(work->packed, work->name, UINT64_MAX, arena->alloc, err);
    if (unpacker == NULL)
        return false;
    u->plain = unpack_source(unpacker);
    ok = read_bundle(u, arena, out, err);
    unpack_close(unpacker);
    return ok;
}
