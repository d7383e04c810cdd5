/* One file of a folder of images. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/stop.h"
#include "data/digest.h"
#include "data/images/images_internal.h"

#define HEAD_LEN 32
#define CHANGING (-1) /* instead of an errno: written while it was read */
#define COPY_STEP ((size_t)8 << 20)

static const char *const image_names[] = {"jpg", "jpeg", "jpe",  "jfif", "png",  "gif",
                                          "bmp", "webp", "tif",  "tiff", "avif", "heic",
                                          "jxl", "jp2",  "heif", NULL};

bool images_output_path(struct str path, int32_t written, char out[static PATH_MAX])
{
    const char *end = written == IMAGE_JPEG ? ".jpg" : written == IMAGE_WEBP ? ".webp" : "";
    struct str stem = end[0] != '\0' ? tree_path_stem(path) : path;
    int len = snprintf(out, PATH_MAX, "%.*s%s", (int)stem.len, stem.at, end);

    return len >= 0 && len < PATH_MAX;
}

bool images_has_image_name(struct str path)
{
    return tree_path_has_extension(path, image_names);
}

void images_remove_temporary(int folder)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;

    if (dir == NULL)
        return;
    while ((entry = readdir(dir)) != NULL)
        if (str_starts(str_from(entry->d_name), STR(IMAGES_TEMPORARY)))
            (void)unlinkat(folder, entry->d_name, 0);
    (void)closedir(dir);
}

static bool is_images_work_stopped(const struct images_crew *crew)
{
    return stop_asked() || watch_stopped(crew->work->watch);
}

/* While others use the memory it waits; more than all of it is refused. */
struct images_share {
    struct images_crew *crew;
    uint64_t taken;
};

static bool take_images_share(void *ctx, uint64_t memory)
{
    struct images_share *share = ctx;
    struct images_gate *gate = &share->crew->gate;

    if (memory > gate->all)
        return false;
    (void)pthread_mutex_lock(&gate->lock);
    while (gate->used > gate->all - memory && !is_images_work_stopped(share->crew)) {
        int64_t until = clock_file_ns() + SECOND / 10;
        struct timespec at = {until / SECOND, until % SECOND};

        (void)pthread_cond_timedwait(&gate->freed, &gate->lock, &at);
    }
    gate->used += memory;
    share->taken = memory;
    (void)pthread_mutex_unlock(&gate->lock);
    return true;
}

static void give_images_share_back(struct images_share *share)
{
    struct images_gate *gate = &share->crew->gate;

    (void)pthread_mutex_lock(&gate->lock);
    gate->used -= share->taken;
    (void)pthread_cond_broadcast(&gate->freed);
    (void)pthread_mutex_unlock(&gate->lock);
}

/* The folder that `path` lies in, made where it is not there, and its own name in that. No link
 * is followed: it may lead to the originals. -1 with errno set. */
static int open_images_parent(int folder, const char *path, const char **name)
{
    char part[NAME_MAX + 1];
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    for (*name = path; fd >= 0;) {
        const char *slash = strchr(*name, '/');
        int next;

        if (slash == NULL || slash[1] == '\0')
            break;
        str_copy((struct str){*name, (size_t)(slash - *name)}, part, sizeof part);
        if (mkdirat(fd, part, 0777) != 0 && errno != EEXIST)
            next = -1;
        else
            next = openat(fd, part, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        (void)close(fd);
        fd = next;
        *name = slash + 1;
    }
    return fd;
}

/* A file that is being written, in the root of its folder. */
struct images_output {
    int folder, fd;
    char temporary[64];
};

static bool fail_to_write(const struct images_item *item, int why, struct error *err)
{
    error_system(err, why, "cannot write the copy of '%.*s'", STR_ARG(item->entry->path));
    if (why == ENOSPC || why == EDQUOT)
        error_hint(err, "make room and give the same command again: what is done is kept");
    if (why == ENOTDIR || why == EISDIR || why == ELOOP || why == ENOTEMPTY)
        error_hint(err, "something else has that name there: move it away, or name another "
                        "folder with -o");
    return false;
}

static bool start_image_output(const struct images_item *item, int folder, size_t number,
                               struct images_output *out, struct error *err)
{
    out->folder = folder;
    (void)snprintf(out->temporary, sizeof out->temporary, IMAGES_TEMPORARY "%zu", number);
    out->fd = openat(folder, out->temporary,
                     O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    return out->fd >= 0 || fail_to_write(item, errno, err);
}

/* Its own name, with the time of the original: 0 or an errno. */
static int name_image_output(const struct images_item *item, const struct images_output *out)
{
    const struct tree_entry *e = item->entry;
    struct timespec at = {e->stat.modified / SECOND, e->stat.modified % SECOND};
    char path[PATH_MAX];
    const char *name;
    int folder, why = 0;

    if (!images_output_path(e->path, item->written, path))
        return ENAMETOOLONG;
    if (futimens(out->fd, (struct timespec[2]){at, at}) != 0)
        return errno;
    folder = open_images_parent(out->folder, path, &name);
    if (folder < 0)
        return errno;
    if (renameat(out->folder, out->temporary, folder, name) != 0)
        why = errno;
    (void)close(folder);
    return why;
}

/* Put it in its place when `ok`; else it goes. */
static bool end_image_output(const struct images_item *item, struct images_output *out, bool ok,
                             struct error *err)
{
    int why = ok ? name_image_output(item, out) : 0;

    if (close(out->fd) != 0 && why == 0)
        why = errno;
    if (ok && why == 0)
        return true;
    (void)unlinkat(out->folder, out->temporary, 0);
    return ok && fail_to_write(item, why, err);
}

/* What an earlier run wrote under another name. */
static void remove_earlier_copy(const struct images_crew *crew, const struct images_item *item)
{
    char path[PATH_MAX];
    const char *name;
    int folder;

    if (item->before == item->written ||
        !images_output_path(item->entry->path, item->before, path))
        return;
    folder = open_images_parent(crew->to, path, &name);
    if (folder < 0)
        return;
    (void)unlinkat(folder, name, 0);
    (void)close(folder);
}

/* The folder for damaged images, made for the first one. */
static int aside_folder(struct images_crew *crew, struct error *err)
{
    bool made;

    (void)pthread_mutex_lock(&crew->making);
    if (crew->aside < 0 && fs_make_output_folder(crew->work->aside, &made, err)) {
        crew->aside = open(crew->work->aside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (crew->aside < 0)
            error_system(err, errno, "cannot open '%s'", crew->work->aside);
        else
            images_remove_temporary(crew->aside);
    }
    (void)pthread_mutex_unlock(&crew->making);
    return crew->aside;
}

static bool put_image_bytes(struct images_crew *crew, struct images_item *item, size_t number,
                            struct str bytes_of, struct error *err)
{
    int folder = item->fate == IMAGES_CORRUPT ? aside_folder(crew, err) : crew->to;
    struct images_output out;
    struct error ignored = {0};
    bool ok;

    if (folder < 0 || !start_image_output(item, folder, number, &out, err))
        return false;
    errno = 0;
    ok = fs_write_all(out.fd, bytes_of, &ignored) ||
         fail_to_write(item, errno != 0 ? errno : EIO, err);
    item->size = bytes_of.len;
    return end_image_output(item, &out, ok, err);
}

/* Where the system cannot copy by itself: other file systems, old kernels. */
static bool copy_original_by_hand(struct images_crew *crew, struct images_item *item, int fd,
                                  int to, struct error *err)
{
    char block[65536];
    struct error ignored = {0};

    for (uint64_t left = item->entry->stat.size; left > 0;) {
        ssize_t got = read(fd, block, left < sizeof block ? (size_t)left : sizeof block);

        if (is_images_work_stopped(crew))
            return error_fail(err, ERROR_STOPPED, "stopped");
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            item->trouble = got < 0 ? errno : CHANGING;
            return true;
        }
        errno = 0;
        if (!fs_write_all(to, (struct str){block, (size_t)got}, &ignored))
            return fail_to_write(item, errno != 0 ? errno : EIO, err);
        left -= (uint64_t)got;
        atomic_fetch_add_explicit(&crew->read, (uint64_t)got, memory_order_relaxed);
    }
    return true;
}

static bool cannot_copy_in_system(int why)
{
    return why == EXDEV || why == ENOSYS || why == EINVAL || why == EOPNOTSUPP;
}

/* The bytes as they are, without passing through this process where the system can. What fails
 * for the original is its trouble; false is of the copy. */
static bool copy_original_bytes(struct images_crew *crew, struct images_item *item, int fd,
                                int to, struct error *err)
{
    uint64_t size = item->entry->stat.size, done = 0;

    while (done < size) {
        size_t want = size - done < COPY_STEP ? (size_t)(size - done) : COPY_STEP;
        ssize_t got = copy_file_range(fd, NULL, to, NULL, want, 0);

        if (is_images_work_stopped(crew))
            return error_fail(err, ERROR_STOPPED, "stopped");
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && done == 0 && cannot_copy_in_system(errno))
            return copy_original_by_hand(crew, item, fd, to, err);
        if (got < 0)
            return fail_to_write(item, errno, err);
        if (got == 0) {
            item->trouble = CHANGING;
            return true;
        }
        done += (uint64_t)got;
        atomic_fetch_add_explicit(&crew->read, (uint64_t)got, memory_order_relaxed);
    }
    return true;
}

static bool copy_original(struct images_crew *crew, struct images_item *item, size_t number,
                          int fd, struct error *err)
{
    struct images_output out;
    bool ok;

    if (!start_image_output(item, crew->to, number, &out, err))
        return false;
    ok = copy_original_bytes(crew, item, fd, out.fd, err);
    if (ok && item->trouble == 0 && !tree_file_is_unchanged(fd, &item->entry->stat, NULL))
        item->trouble = CHANGING;
    if (item->trouble != 0) {
        (void)end_image_output(item, &out, false, err);
        return ok;
    }
    item->size = item->entry->stat.size;
    return end_image_output(item, &out, ok, err);
}

/* The bytes of a file; they go while others need the memory more. */
struct images_original {
    struct images_crew *crew;
    struct images_item *item;
    int fd;
    const struct alloc *alloc;
    char *text; /* NULL: not here */
    size_t len;
};

static void free_image_bytes(struct images_original *o)
{
    if (o->text != NULL)
        o->alloc->put(o->alloc->ctx, o->text);
    o->text = NULL;
    o->len = 0;
}

static struct str image_bytes(const struct images_original *o)
{
    return (struct str){o->text, o->len};
}

/* All of it; a file that changes is trouble, and not here then. */
static bool read_image_bytes(struct images_original *o, struct error *err)
{
    struct images_item *item = o->item;

    if (o->text != NULL)
        return true;
    o->len = (size_t)item->entry->stat.size;
    o->text = o->alloc->get(o->alloc->ctx, o->len + 1);
    if (o->text == NULL)
        return error_memory(err);
    if (!fs_read_at(o->fd, 0, o->text, o->len))
        item->trouble = errno != 0 ? errno : CHANGING;
    else if (!tree_file_is_unchanged(o->fd, &item->entry->stat, NULL))
        item->trouble = CHANGING;
    if (item->trouble != 0)
        free_image_bytes(o);
    return true;
}

static bool hold_image_bytes(void *ctx, bool needed, struct str *file, struct error *err)
{
    struct images_original *o = ctx;

    if (!needed)
        free_image_bytes(o);
    else if (!read_image_bytes(o, err))
        return false;
    *file = image_bytes(o);
    return true;
}

static int32_t images_fate_of(enum image_outcome outcome)
{
    switch (outcome) {
    case IMAGE_SMALLER:
        return IMAGES_SMALLER;
    case IMAGE_BEST:
        return IMAGES_BEST;
    case IMAGE_LARGE:
        return IMAGES_LARGE;
    case IMAGE_CORRUPT:
        return IMAGES_CORRUPT;
    case IMAGE_UNUSUAL:
    case IMAGE_OUTCOMES:
        break;
    }
    return IMAGES_UNUSUAL;
}

static void note_image_answer(struct images_item *item, const struct image_answer *answer)
{
    item->fate = images_fate_of(answer->outcome);
    item->written = answer->written != answer->kind ? (int32_t)answer->written : IMAGE_NONE;
    item->look_known = answer->look_known && item->fate != IMAGES_CORRUPT;
    item->look = answer->look;
    item->width = answer->width;
    item->height = answer->height;
    str_copy(str_from(answer->why), item->why, sizeof item->why);
}

/* The smaller picture, or else the file as it is. */
static bool put_image(struct images_original *o, const struct buf *out, size_t number,
                      struct error *err)
{
    if (o->item->fate == IMAGES_SMALLER)
        return put_image_bytes(o->crew, o->item, number, buf_text(out), err);
    return read_image_bytes(o, err) &&
           (o->item->trouble != 0 ||
            put_image_bytes(o->crew, o->item, number, image_bytes(o), err));
}

static bool do_image(struct images_original *o, size_t number, struct arena *scratch,
                     struct error *err)
{
    struct images_share share = {.crew = o->crew};
    struct image_wish wish = o->crew->work->wish;
    struct buf out = buf_new(scratch->alloc, BUF_MAX_OUTPUT);
    struct images_item *item = o->item;
    struct image_answer answer;
    bool ok = read_image_bytes(o, err);

    if (!ok || item->trouble != 0)
        return ok;
    atomic_fetch_add_explicit(&o->crew->read, o->len, memory_order_relaxed);
    wish.keep_kind = item->keep_name;
    wish.admit = take_images_share;
    wish.admit_ctx = &share;
    wish.hold = hold_image_bytes;
    wish.hold_ctx = o;
    wish.stopped = o->crew->work->watch->stopped;
    item->image = true;
    ok = digest_of_text(image_bytes(o), item->digest, err) &&
         o->crew->part->optimize(&wish, image_bytes(o), scratch, &out, &answer, err);
    if (ok && item->trouble == 0) {
        note_image_answer(item, &answer);
        ok = put_image(o, &out, number, err);
    }
    buf_free(&out);
    give_images_share_back(&share);
    return ok;
}

static bool do_image_file(struct images_crew *crew, struct images_item *item, size_t number,
                          int fd, struct arena *scratch, struct error *err)
{
    struct images_original o = {.crew = crew, .item = item, .fd = fd, .alloc = scratch->alloc};
    bool ok = do_image(&o, number, scratch, err);

    free_image_bytes(&o);
    return ok;
}

/* An image by its first bytes; or by its name alone, which is then a damaged one. */
static bool is_image_file(const struct images_crew *crew, const struct images_item *item,
                          int fd)
{
    char head[HEAD_LEN];
    ssize_t len = pread(fd, head, sizeof head, 0);
    enum image_kind kind = crew->part->sniff((struct str){head, len > 0 ? (size_t)len : 0});

    return kind == IMAGE_JPEG || kind == IMAGE_PNG || images_has_image_name(item->entry->path);
}

static bool do_images_file(struct images_crew *crew, struct images_item *item, size_t number,
                           struct arena *scratch, struct error *err)
{
    int fd = openat(crew->from, item->entry->path.at,
                    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool ok;

    if (fd < 0) {
        item->trouble = errno;
        return true;
    }
    item->fate = item->sidecar ? IMAGES_SIDECAR : IMAGES_OTHER;
    if (!tree_file_is_unchanged(fd, &item->entry->stat, NULL)) {
        item->trouble = CHANGING;
        ok = true;
    } else if (!is_image_file(crew, item, fd)) {
        ok = copy_original(crew, item, number, fd, err);
    } else if (item->entry->stat.size > IMAGES_FILE_MOST) {
        item->image = true;
        item->fate = IMAGES_LARGE;
        str_copy(STR("a file of more than 256 MiB"), item->why, sizeof item->why);
        ok = copy_original(crew, item, number, fd, err);
    } else {
        ok = do_image_file(crew, item, number, fd, scratch, err);
    }
    (void)close(fd);
    item->done = ok && item->trouble == 0;
    if (item->done)
        remove_earlier_copy(crew, item);
    return ok && (!item->done || images_note_done(crew, item, err));
}

/* A link that points to where the original does: 0 or an errno. */
static int put_images_link(int folder, const char *name, const char *target, size_t len)
{
    char there[PATH_MAX];
    ssize_t old = readlinkat(folder, name, there, sizeof there);

    if (old == (ssize_t)len && memcmp(there, target, len) == 0)
        return 0;
    if (old >= 0)
        (void)unlinkat(folder, name, 0);
    return symlinkat(target, folder, name) == 0 ? 0 : errno;
}

static bool do_images_link(const struct images_crew *crew, struct images_item *item,
                           struct error *err)
{
    char target[PATH_MAX];
    ssize_t len = readlinkat(crew->from, item->entry->path.at, target, sizeof target - 1);
    const char *name;
    int folder, why;

    if (len < 0) {
        item->trouble = errno;
        return true;
    }
    target[len] = '\0';
    folder = open_images_parent(crew->to, item->entry->path.at, &name);
    if (folder < 0)
        return fail_to_write(item, errno, err);
    why = put_images_link(folder, name, target, (size_t)len);
    (void)close(folder);
    return why == 0 || fail_to_write(item, why, err);
}

static bool do_empty_folder(const struct images_crew *crew, const struct images_item *item,
                            struct error *err)
{
    char own[NAME_MAX + 1];
    const char *name;
    int folder = open_images_parent(crew->to, item->entry->path.at, &name), why = 0;

    if (folder < 0)
        return fail_to_write(item, errno, err);
    str_copy((struct str){name, strlen(name) - 1}, own, sizeof own);
    if (mkdirat(folder, own, 0777) != 0 && errno != EEXIST)
        why = errno;
    (void)close(folder);
    return why == 0 || fail_to_write(item, why, err);
}

bool images_do(struct images_crew *crew, struct images_item *item, size_t number,
               struct arena *scratch, struct error *err)
{
    if (item->done || item->entry->trouble)
        return true;
    switch (item->entry->kind) {
    case TREE_FILE:
        return do_images_file(crew, item, number, scratch, err);
    case TREE_LINK:
        return do_images_link(crew, item, err);
    case TREE_EMPTY:
        return do_empty_folder(crew, item, err);
    case TREE_OTHER:
        break;
    }
    return true;
}
