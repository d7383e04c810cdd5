/* One checkpoint looked at: what its files take, when they changed, whether all is there. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/characters.h"
#include "run/checkpoint/checkpoints_internal.h"

#define DEPTH_MOST 32
#define CONTENT_MOST 512 /* files whose content is looked at */
#define LINKS_MOST 65536 /* files of several names that are told apart */

/* A file that has several names. */
struct linked {
    uint64_t inode;
    uint64_t names, seen; /* that it has; of them in this checkpoint */
    double bytes;
};

struct walk {
    const struct checkpoint_look *look;
    struct checkpoint *c;
    struct linked *links; /* a table by inode, of a power of two */
    size_t link_room, link_count;
    int64_t contents;
    bool weights, state, parts, parts_end; /* what was seen in it */
    bool trainer;                          /* Hugging Face's Trainer wrote it */
    bool some_proven, some_unproven;       /* files whose format tells their end, or does not */
    bool unread;                           /* some of it could not be looked at */
    int64_t written_ns;                    /* last write of any file */
};

/* What a file takes: holes do not count, and small ones may be kept in no block at all. */
static double taken(const struct stat *st)
{
    double size = (double)st->st_size, blocks = (double)st->st_blocks * 512;

    return blocks < size && !(blocks == 0 && size <= 4096) ? blocks : size;
}

static void see_dates(struct checkpoint *c, const struct stat *st)
{
    int64_t changed = checkpoint_ns(st->st_mtim), touched = checkpoint_ns(st->st_ctim);

    if (changed > c->changed_ns)
        c->changed_ns = changed;
    if (changed > c->touched_ns)
        c->touched_ns = changed;
    if (touched > c->touched_ns)
        c->touched_ns = touched;
}

static struct linked *link_place(struct linked *links, size_t room, uint64_t inode)
{
    size_t at = (size_t)(inode * UINT64_C(0x9E3779B97F4A7C15)) & (room - 1);

    while (links[at].names != 0 && links[at].inode != inode)
        at = (at + 1) & (room - 1);
    return &links[at];
}

static bool grow_links(struct walk *w, struct error *err)
{
    size_t room = w->link_room > 0 ? w->link_room * 2 : 64;
    struct linked *links = arena_array(w->look->arena, struct linked, room, err);

    if (links == NULL)
        return false;
    for (size_t i = 0; i < w->link_room; i++)
        if (w->links[i].names != 0)
            *link_place(links, room, w->links[i].inode) = w->links[i];
    w->links = links;
    w->link_room = room;
    return true;
}

static bool add_file(struct walk *w, const struct stat *st, struct error *err)
{
    struct linked *link;

    w->c->files++;
    if (checkpoint_ns(st->st_mtim) >= w->look->since_ns)
        w->c->fresh += taken(st);
    if (st->st_nlink <= 1) {
        w->c->bytes += taken(st);
        w->c->frees += taken(st);
        return true;
    }
    if (w->link_count >= LINKS_MOST) { /* counted each time: more than it is, never less */
        w->c->bytes += taken(st);
        return true;
    }
    if (w->link_count * 2 >= w->link_room && !grow_links(w, err))
        return false;
    link = link_place(w->links, w->link_room, (uint64_t)st->st_ino);
    if (link->names == 0) {
        *link = (struct linked){(uint64_t)st->st_ino, (uint64_t)st->st_nlink, 0, taken(st)};
        w->link_count++;
        w->c->bytes += link->bytes;
    }
    if (++link->seen == link->names)
        w->c->frees += link->bytes;
    return true;
}

static void see_write(struct walk *w, bool weights, const struct stat *st)
{
    int64_t written = checkpoint_ns(st->st_mtim);

    if (written > w->written_ns)
        w->written_ns = written;
    if (weights && written > w->c->written_ns)
        w->c->written_ns = written;
}

/* What the name of a file in it says of the whole; the content where it is wanted. */
static void see_file(struct walk *w, int folder, const char *name, const struct stat *st,
                     unsigned depth)
{
    struct str text = str_from(name);
    struct checkpoint *c = w->c;
    bool sure, proven, weights = checkpoint_weights(text, &sure);

    if (c->doubt == NULL)
        c->doubt = checkpoint_name_doubt(text);
    see_write(w, weights, st);
    if (weights || str_starts(text, STR("manifest.ocdbt")) ||
        str_starts(text, STR("_METADATA")) || str_starts(text, STR("_CHECKPOINT_METADATA")))
        w->weights = true;
    w->parts |= str_ends(text, STR(".distcp"));
    w->parts_end |= str_eq(text, STR(".metadata"));
    w->state |= depth == 1 && str_eq(text, STR("trainer_state.json"));
    w->trainer |= depth == 1 && str_eq(text, STR("training_args.bin"));
    if (!w->look->deep || c->doubt != NULL)
        return;
    if (w->contents++ >= CONTENT_MOST) {
        w->some_unproven = true;
        return;
    }
    c->doubt = checkpoint_file_doubt(folder, name, st, w->look->arena->alloc, &proven);
    w->some_proven |= proven;
    w->some_unproven |= weights && !proven;
    if (c->doubt == NULL && str_ends(text, STR(".index.json")))
        c->doubt = checkpoint_index_doubt(folder, name, w->look->arena->alloc);
    if (depth == 1 && str_eq(text, STR("trainer_state.json")) && w->look->metric.len > 0) {
        double metric = checkpoint_state_metric(folder, name, w->look->metric, c->name,
                                                w->look->arena->alloc);

        if (!isnan(metric))
            c->metric = metric;
    }
}

static bool see_link(struct walk *w, int folder, const char *name, struct error *err)
{
    char target[PATH_MAX];
    ssize_t len;

    if (w->look->pointers == NULL)
        return true;
    len = readlinkat(folder, name, target, sizeof target);
    if (len <= 0)
        return true;
    return checkpoint_point(w->look->pointers, (struct str){target, (size_t)len}, w->c->name,
                            "another links to it", err);
}

static bool walk_folder(struct walk *w, int fd, unsigned depth, struct error *err);

static bool see_entry(struct walk *w, int folder, const char *name, unsigned depth,
                      struct error *err)
{
    struct stat st;
    int fd;
    bool ok;

    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
        w->unread |= errno != ENOENT;
        return true;
    }
    see_dates(w->c, &st);
    if (S_ISLNK(st.st_mode))
        return see_link(w, folder, name, err);
    if (!S_ISDIR(st.st_mode)) {
        see_file(w, folder, name, &st, depth);
        return add_file(w, &st, err);
    }
    if (st.st_dev != w->look->device || depth >= DEPTH_MOST) {
        w->unread = true;
        return true;
    }
    fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        w->unread |= errno != ENOENT;
        return true;
    }
    ok = walk_folder(w, fd, depth + 1, err);
    (void)close(fd);
    return ok;
}

DIR *checkpoint_list(int folder)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;

    if (list == NULL && fd >= 0)
        (void)close(fd);
    return list;
}

static bool walk_folder(struct walk *w, int fd, unsigned depth, struct error *err)
{
    DIR *list = checkpoint_list(fd);
    bool ok = true;

    if (list == NULL) {
        w->unread = true;
        return true;
    }
    while (ok) {
        const struct dirent *entry = readdir(list);

        if (entry == NULL)
            break;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (w->c->files >= CHECKPOINT_FILES) {
            w->unread = true;
            break;
        }
        ok = see_entry(w, fd, entry->d_name, depth, err);
    }
    (void)closedir(list);
    return ok;
}

/* What is missing in a folder, once all of it was seen. */
static const char *folder_doubt(const struct walk *w)
{
    if (w->c->files == 0)
        return "no data yet";
    if (w->parts && !w->parts_end)
        return "its .metadata is missing";
    if (!w->state && !w->weights && !w->parts &&
        (str_starts(w->c->name, STR("checkpoint-")) || is_digit(w->c->name.at[0])))
        return "no weights in it";
    return NULL;
}

/* Do formats tell that nothing is missing? A folder of parts ends with its .metadata, one of
 * the Trainer with its state. */
static bool is_proven(const struct walk *w)
{
    if (w->parts)
        return w->parts_end;
    return w->some_proven && !w->some_unproven && (!w->trainer || w->state);
}

/* When the file system says that it was made. */
static int64_t birth(int folder, const char *name)
{
    struct statx x;

    if (statx(folder, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &x) != 0 ||
        (x.stx_mask & STATX_BTIME) == 0)
        return -1;
    return (int64_t)x.stx_btime.tv_sec * INT64_C(1000000000) + (int64_t)x.stx_btime.tv_nsec;
}

/* A lock beside it. */
static bool locked(int folder, const char *name)
{
    char lock[NAME_MAX + 6];
    struct stat st;

    (void)snprintf(lock, sizeof lock, "%s.lock", name);
    return fstatat(folder, lock, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

bool checkpoint_look(const struct checkpoint_look *look, struct checkpoint *c, bool *there,
                     struct error *err)
{
    struct walk w = {.look = look, .c = c};
    char name[NAME_MAX + 1];
    struct stat st;

    memcpy(name, c->name.at, c->name.len);
    name[c->name.len] = '\0';
    c->doubt = checkpoint_name_doubt(c->name);
    c->bytes = c->frees = c->fresh = 0;
    c->files = c->changed_ns = c->touched_ns = c->written_ns = 0;
    *there = fstatat(look->folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
             (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
    if (!*there)
        return true;
    c->begun_ns = birth(look->folder, name);
    if (!see_entry(&w, look->folder, name, 0, err))
        return false;
    if (S_ISDIR(st.st_mode) && c->doubt == NULL)
        c->doubt = folder_doubt(&w);
    else if (S_ISREG(st.st_mode) && c->doubt == NULL && st.st_size == 0)
        c->doubt = "no data yet";
    if (c->doubt == NULL && locked(look->folder, name))
        c->doubt = "locked";
    c->proven = c->doubt == NULL && !w.unread && is_proven(&w);
    if (c->written_ns == 0)
        c->written_ns = w.written_ns;
    if (w.unread) {
        c->bytes = c->frees = NAN;
        c->files = -1;
    }
    return true;
}
