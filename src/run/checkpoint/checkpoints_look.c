/* One checkpoint looked at: what its files take, when they changed, whether all is there. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/characters.h"
#include "base/hash.h"
#include "base/num.h"
#include "run/checkpoint/checkpoints_internal.h"

/* ---- what is in a folder of checkpoints, and what points into it ---- */

#define POINTER_MOST 4096 /* bytes of a file that names a checkpoint; how many pointers */

int checkpoint_folder(const char *path, struct stat *st, struct error *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0 && fstat(fd, st) == 0)
        return fd;
    error_system(err, errno, "cannot open the folder '%s'", path);
    if (errno == ENOENT)
        err->kind = ERROR_ABSENT;
    if (errno == ENOTDIR)
        error_set(err, ERROR_INPUT, "'%s' is not a folder", path);
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

/* `from`: the checkpoint that holds the pointer, which cannot need itself. */
static bool checkpoint_point(struct checkpoint_pointers *to, struct str target, struct str from,
                             const char *why, struct error *err)
{
    struct checkpoint_pointer *p;
    char *copy;

    if (to->count >= POINTER_MOST)
        return true;
    p = arena_array(to->arena, struct checkpoint_pointer, 1, err);
    copy = p != NULL ? str_dup(target, to->arena, err) : NULL;
    if (copy == NULL)
        return false;
    *p = (struct checkpoint_pointer){{copy, target.len}, from, why, to->first};
    to->first = p;
    to->count++;
    return true;
}

/* Any part of the path is its name, or it is its number: rather too many than too few. */
static bool points_to(const struct checkpoint_pointer *p, const struct checkpoint *c)
{
    struct str rest = p->target;
    double number;

    if (str_eq(p->from, c->name))
        return false;
    if (num_double(rest, &number) && number == c->step)
        return true;
    while (rest.len > 0)
        if (str_eq(str_cut(&rest, '/'), c->name))
            return true;
    return false;
}

static bool named_entry(struct checkpoint_pointers *to, struct str target, struct error *err)
{
    return target.len == 0 ||
           checkpoint_point(to, target, (struct str){0}, "named by 'latest'", err);
}

/* DeepSpeed's and Megatron's hold only a name or a number, which may have blanks; TensorFlow's
 * says model_checkpoint_path: "ckpt-5". */
static bool read_pointer_names(struct checkpoint_pointers *to, struct str text,
                               struct error *err)
{
    bool ok = true;

    while (ok && text.len > 0) {
        struct str line = str_trim(str_cut(&text, '\n')), quoted = line;

        if (str_starts(line, STR("all_model_checkpoint_paths"))) /* not only the last */
            continue;
        (void)str_cut(&quoted, '"');
        ok = named_entry(to, line, err) && named_entry(to, str_cut(&quoted, '"'), err);
    }
    return ok;
}

/* Files that frameworks keep beside their checkpoints to name the last one. */
static bool is_pointer_file(const char *name)
{
    return strncmp(name, "latest", 6) == 0 || strncmp(name, "last_checkpoint", 15) == 0 ||
           strcmp(name, "checkpoint") == 0;
}

static bool read_pointer(struct checkpoint_pointers *to, int folder, const char *name,
                         struct error *err)
{
    char text[POINTER_MOST];
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    ssize_t len = fd >= 0 ? read(fd, text, sizeof text) : -1;

    if (fd >= 0)
        (void)close(fd);
    if (len < 0)
        return error_fail(err, ERROR_INPUT,
                          "'%s' names the last checkpoint, and cannot be read", name);
    return read_pointer_names(to, (struct str){text, (size_t)len}, err);
}

struct scan {
    struct checkpoint_look look;
    struct checkpoint_pointers pointers;
    struct checkpoint *list;
    size_t count;
    bool state, optimizer; /* the folder itself holds what a checkpoint does */
};

static bool scan_link(struct scan *s, const char *name, struct error *err)
{
    char target[PATH_MAX];
    ssize_t len = readlinkat(s->look.folder, name, target, sizeof target);

    return len <= 0 || checkpoint_point(&s->pointers, (struct str){target, (size_t)len},
                                        (struct str){0}, "a link names it", err);
}

/* The state beside the checkpoints, of a training that is over. */
static bool point_to_best(struct scan *s, struct error *err)
{
    struct checkpoint_trainer_state state;

    checkpoint_state_read(s->look.folder, "trainer_state.json", &s->look, STR(""), &state);
    return state.best_name.len == 0 ||
           checkpoint_point(&s->pointers, state.best_name, (struct str){0},
                            "the Trainer's best", err);
}

static bool scan_entry(struct scan *s, const char *name, struct error *err)
{
    struct checkpoint c;
    struct stat st;
    bool there;

    if (strcmp(name, "trainer_state.json") == 0) {
        s->state = true;
        if (!point_to_best(s, err))
            return false;
    }
    s->optimizer |= strcmp(name, "optimizer.pt") == 0 || strcmp(name, "optimizer.bin") == 0 ||
                    strncmp(name, "rng_state", 9) == 0;
    if (fstatat(s->look.folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return true;
    if (S_ISLNK(st.st_mode))
        return scan_link(s, name, err);
    if (S_ISREG(st.st_mode) && is_pointer_file(name) && st.st_size <= POINTER_MOST)
        if (!read_pointer(&s->pointers, s->look.folder, name, err))
            return false;
    if (s->count >= CHECKPOINTS_MOST || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) ||
        !checkpoint_name(str_from(name), S_ISDIR(st.st_mode), s->look.metric, &c))
        return true;
    c.name.at = str_dup(c.name, s->look.arena, err);
    if (c.name.at == NULL || !checkpoint_look(&s->look, &c, &there, err))
        return false;
    if (there)
        s->list[s->count++] = c;
    return true;
}

/* The oldest first; of the same moment, by step, then by name. */
static int by_checkpoint_age(const void *a, const void *b)
{
    const struct checkpoint *x = a, *y = b;

    if (x->changed_ns != y->changed_ns)
        return x->changed_ns < y->changed_ns ? -1 : 1;
    if (x->step < y->step || x->step > y->step)
        return x->step < y->step ? -1 : 1;
    return str_cmp(x->name, y->name);
}

static bool read_checkpoint_folder(struct scan *s, const char *folder, struct error *err)
{
    DIR *list = checkpoint_list(s->look.folder);
    bool ok = true;

    if (list == NULL) {
        error_system(err, errno, "cannot read the folder '%s'", folder);
        return false;
    }
    while (ok) {
        const struct dirent *entry = readdir(list);

        if (entry == NULL)
            break;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            ok = scan_entry(s, entry->d_name, err);
    }
    (void)closedir(list);
    if (ok && s->state && s->optimizer) {
        error_set(err, ERROR_INPUT, "'%s' is one checkpoint, not a folder of them", folder);
        error_hint(err, "name the folder it is in");
        return false;
    }
    return ok;
}

/* ---- compared with its siblings ---- */

#define SIZE_LEAST 0.98 /* of a sibling's file: a shorter one may be cut off */

static int by_file(const void *a, const void *b)
{
    const struct checkpoint_file *x = a, *y = b;

    if (x->family != y->family)
        return x->family < y->family ? -1 : 1;
    return num_compare(x->size, y->size);
}

/* How many of its files are of the family that begins at `at`. */
static size_t family_count(const struct checkpoint *c, size_t at)
{
    size_t end = at;

    while (end < c->content_count && c->content[end].family == c->content[at].family)
        end++;
    return end - at;
}

static size_t find_family(const struct checkpoint *c, uint64_t family)
{
    size_t at = 0;

    while (at < c->content_count && c->content[at].family != family)
        at++;
    return at;
}

static bool same_files(const struct checkpoint *a, const struct checkpoint *b)
{
    for (size_t i = 0; i < a->content_count; i++)
        if (i >= b->content_count || a->content[i].family != b->content[i].family)
            return false;
    return a->content_count == b->content_count;
}

/* Has another of its series the same files? Fewer ranks after a restart leave fewer. */
static bool has_equal(const struct checkpoint *list, size_t at)
{
    for (size_t i = at; i-- > 0;)
        if (list[i].series == list[at].series && same_files(&list[i], &list[at]))
            return true;
    return false;
}

/* May files have been cut off: shorter than as many of their family, the shortest first? */
static bool is_shorter(const struct checkpoint_file *ours, const struct checkpoint_file *theirs,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (theirs[i].size > 0 &&
            (ours[i].size == 0 ||
             (!ours[i].grows && ours[i].size < SIZE_LEAST * theirs[i].size)))
            return true;
    return false;
}

/* Is one of the files shorter, by however little, where the two before it have one size? */
static bool is_cut(const struct checkpoint *c, const struct checkpoint *before,
                   const struct checkpoint *earlier)
{
    if (!same_files(c, before) || !same_files(before, earlier))
        return false;
    for (size_t i = 0; i < c->content_count; i++)
        if (!c->content[i].grows && before->content[i].size == earlier->content[i].size &&
            c->content[i].size < before->content[i].size)
            return true;
    return false;
}

/* What it lacks that the one of its series before it has: who was ended in the middle of a save
 * leaves a part, in which each file may be good. */
static const char *sibling_doubt(const struct checkpoint *list, size_t at,
                                 const struct checkpoint *before)
{
    const struct checkpoint *c = &list[at];

    for (size_t i = 0; i < before->content_count;) {
        size_t theirs = family_count(before, i);
        size_t place = find_family(c, before->content[i].family);
        size_t ours = place < c->content_count ? family_count(c, place) : 0;

        if (ours == 0 || (ours < theirs && !has_equal(list, at)))
            return "a file that the one before it has is missing";
        if (ours == theirs && is_shorter(&c->content[place], &before->content[i], ours))
            return "shorter than the one before it";
        i += theirs;
    }
    return NULL;
}

/* The newest before `at` of its series that can be compared with; NULL when there is none. */
static const struct checkpoint *sibling_before(const struct checkpoint *list, size_t at,
                                               uint64_t series)
{
    while (at-- > 0)
        if (list[at].series == series && list[at].doubt == NULL && list[at].content != NULL)
            return &list[at];
    return NULL;
}

static void compare_siblings(struct checkpoint *list, size_t at)
{
    struct checkpoint *c = &list[at];
    const struct checkpoint *before, *earlier;

    if (c->series == 0 || c->doubt != NULL || c->content == NULL)
        return;
    before = sibling_before(list, at, c->series);
    if (before == NULL)
        return;
    c->doubt = sibling_doubt(list, at, before);
    earlier = sibling_before(list, (size_t)(before - list), c->series);
    if (c->doubt == NULL && earlier != NULL && is_cut(c, before, earlier))
        c->doubt = "shorter than those before it";
}

/* The newest complete state names the best; one that is newer and not complete may, too. */
static bool point_to_trainers_best(struct scan *s, struct error *err)
{
    for (size_t i = s->count; i-- > 0;) {
        const struct checkpoint *c = &s->list[i];

        if (c->trainer_best.len > 0 &&
            !checkpoint_point(&s->pointers, c->trainer_best, (struct str){0},
                              "the Trainer's best", err))
            return false;
        if (c->trainer_state && c->doubt == NULL)
            break;
    }
    return true;
}

bool checkpoints_scan(const char *folder, struct str metric, struct arena *arena,
                      struct checkpoint **out, size_t *count, struct error *err)
{
    struct stat st;
    struct scan s = {.look = {.metric = metric, .deep = true, .arena = arena},
                     .pointers = {.arena = arena}};
    bool ok;

    s.look.folder = checkpoint_folder(folder, &st, err);
    if (s.look.folder < 0)
        return false;
    s.look.device = st.st_dev;
    s.look.pointers = &s.pointers;
    s.list = arena_array(arena, struct checkpoint, CHECKPOINTS_MOST, err);
    ok = s.list != NULL && read_checkpoint_folder(&s, folder, err);
    (void)close(s.look.folder);
    if (!ok)
        return false;
    qsort(s.list, s.count, sizeof *s.list, by_checkpoint_age);
    for (size_t i = 0; i < s.count; i++)
        compare_siblings(s.list, i);
    if (!point_to_trainers_best(&s, err))
        return false;
    for (const struct checkpoint_pointer *p = s.pointers.first; p != NULL; p = p->next)
        for (size_t i = 0; i < s.count; i++)
            if (s.list[i].needed == NULL && points_to(p, &s.list[i]))
                s.list[i].needed = p->why;
    *out = s.list;
    *count = s.count;
    return true;
}

/* ---- one checkpoint ---- */

#define DEPTH_MOST 32
#define CONTENT_MOST 512 /* files whose content is looked at */
#define LINKS_MOST 65536 /* files of several names that are distinguished */

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
    uint64_t prefix;                       /* of the folder in it that is looked at */
    bool weights, state, parts, parts_end; /* what was seen in it */
    bool trainer;                          /* Hugging Face's Trainer wrote it */
    bool orbax;                            /* JAX's Orbax did */
    bool some_proven, some_unproven;       /* files whose format marks their end, or does not */
    bool unread;                           /* some of it could not be looked at */
    int64_t written_ns;                    /* last write of any file */
};

/* What a file takes: holes do not count, and small ones may be kept in no block at all. */
static double time_taken(const struct stat *st)
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

static bool add_checkpoint_file(struct walk *w, const struct stat *st, struct error *err)
{
    struct linked *link;

    w->c->files++;
    if (checkpoint_ns(st->st_mtim) >= w->look->since_ns)
        w->c->fresh += time_taken(st);
    if (st->st_nlink <= 1) {
        w->c->bytes += time_taken(st);
        w->c->frees += time_taken(st);
        return true;
    }
    if (w->link_count >= LINKS_MOST) { /* counted each time: more than it is, never less */
        w->c->bytes += time_taken(st);
        return true;
    }
    if (w->link_count * 2 >= w->link_room && !grow_links(w, err))
        return false;
    link = link_place(w->links, w->link_room, (uint64_t)st->st_ino);
    if (link->names == 0) {
        *link =
            (struct linked){(uint64_t)st->st_ino, (uint64_t)st->st_nlink, 0, time_taken(st)};
        w->link_count++;
        w->c->bytes += link->bytes;
    }
    if (++link->seen == link->names)
        w->c->frees += link->bytes;
    return true;
}

static void see_checkpoint_write(struct walk *w, bool weights, const struct stat *st)
{
    int64_t written = checkpoint_ns(st->st_mtim);

    if (written > w->written_ns)
        w->written_ns = written;
    if (weights && written > w->c->written_ns)
        w->c->written_ns = written;
}

/* Its path without numbers: those of its step, of ranks and shards. */
static uint64_t family_of(const struct walk *w, struct str name)
{
    char masked[NAME_MAX + 1];
    size_t len = 0;

    for (size_t i = 0; i < name.len && len < sizeof masked; i++)
        if (!is_digit(name.at[i]))
            masked[len++] = name.at[i];
        else if (i == 0 || !is_digit(name.at[i - 1]))
            masked[len++] = '#';
    return text_hash(w->prefix, (struct str){masked, len});
}

/* What people read, or what is added to: its size says nothing. */
static bool is_text_file(struct str name)
{
    static const char *const tails[] = {".json", ".md",  ".log",  ".txt", ".csv",
                                        ".yaml", ".yml", ".html", NULL};

    for (const char *const *tail = tails; *tail != NULL; tail++)
        if (str_ends(name, str_from(*tail)))
            return true;
    return str_starts(name, STR("events.out"));
}

/* Remember it for the comparison with its siblings. */
static void keep_content(struct walk *w, struct str name, const struct stat *st, bool proven,
                         unsigned depth)
{
    struct checkpoint *c = w->c;
    struct error ignored;

    if (w->look->pointers == NULL || c->series == 0 || c->content_count >= CONTENT_MOST)
        return;
    if (c->content == NULL)
        c->content = arena_array(w->look->arena, struct checkpoint_file,
                                 depth == 0 ? 1 : CONTENT_MOST, &ignored);
    if (c->content != NULL)
        c->content[c->content_count++] =
            (struct checkpoint_file){.family = depth == 0 ? 0 : family_of(w, name),
                                     .size = (double)st->st_size,
                                     .grows = proven || is_text_file(name)};
}

/* The Trainer's state: the metric, and which is the best. */
static void see_trainer_state(struct walk *w, int folder, const char *name)
{
    struct checkpoint_trainer_state state;

    checkpoint_state_read(folder, name, w->look, w->c->name, &state);
    w->c->trainer_state = true;
    w->c->trainer_best = state.best_name;
    if (w->look->metric.len > 0 && !isnan(state.metric))
        w->c->metric = state.metric;
}

/* What the name of a file in it says of all of it; the content where it is wanted. */
static void see_checkpoint_file(struct walk *w, int folder, const char *name,
                                const struct stat *st, unsigned depth)
{
    struct str text = str_from(name);
    struct checkpoint *c = w->c;
    bool sure, proven, weights = checkpoint_weights(text, &sure);

    if (c->doubt == NULL)
        c->doubt = checkpoint_name_doubt(text);
    see_checkpoint_write(w, weights, st);
    w->orbax |= str_starts(text, STR("manifest.ocdbt")) || str_eq(text, STR("_METADATA")) ||
                str_eq(text, STR("_CHECKPOINT_METADATA")) ||
                str_eq(text, STR("commit_success.txt"));
    w->weights |= weights || w->orbax;
    w->parts |= str_ends(text, STR(".distcp"));
    w->parts_end |= str_eq(text, STR(".metadata"));
    w->state |= depth == 1 && str_eq(text, STR("trainer_state.json"));
    w->trainer |= depth == 1 && str_eq(text, STR("training_args.bin"));
    if (!w->look->deep)
        return;
    if (depth == 1 && str_eq(text, STR("trainer_state.json")))
        see_trainer_state(w, folder, name);
    if (c->doubt != NULL)
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
    keep_content(w, text, st, proven, depth);
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
    uint64_t prefix = w->prefix;
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
        see_checkpoint_file(w, folder, name, &st, depth);
        return add_checkpoint_file(w, &st, err);
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
    if (depth > 0)
        w->prefix = family_of(w, str_from(name));
    ok = walk_folder(w, fd, depth + 1, err);
    w->prefix = prefix;
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

/* Do formats show that nothing is missing? A folder of parts ends with its .metadata, one of
 * the Trainer with its state. */
static bool is_proven(const struct walk *w)
{
    if (w->parts)
        return w->parts_end;
    return w->some_proven && !w->some_unproven && (!w->trainer || w->state);
}

/* When the file system says that it was made. */
static int64_t birth_time(int folder, const char *name)
{
    struct statx x;

    if (statx(folder, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &x) != 0 ||
        (x.stx_mask & STATX_BTIME) == 0)
        return -1;
    return (int64_t)x.stx_btime.tv_sec * INT64_C(1000000000) + (int64_t)x.stx_btime.tv_nsec;
}

/* A lock beside it. */
static bool is_locked(int folder, const char *name)
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
    c->content = NULL;
    c->content_count = 0;
    c->trainer_best = (struct str){0};
    c->trainer_state = false;
    *there = fstatat(look->folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
             (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
    if (!*there)
        return true;
    c->begun_ns = birth_time(look->folder, name);
    if (!see_entry(&w, look->folder, name, 0, err))
        return false;
    if (S_ISDIR(st.st_mode) && c->doubt == NULL)
        c->doubt = folder_doubt(&w);
    else if (S_ISREG(st.st_mode) && c->doubt == NULL && st.st_size == 0)
        c->doubt = "no data yet";
    if (c->doubt == NULL && is_locked(look->folder, name))
        c->doubt = "locked";
    c->proven = c->doubt == NULL && !w.unread && is_proven(&w);
    if (S_ISDIR(st.st_mode) && w.orbax && checkpoint_name_is_number(c->name))
        c->layout = true;
    if (c->content != NULL)
        qsort(c->content, c->content_count, sizeof *c->content, by_file);
    if (c->written_ns == 0)
        c->written_ns = w.written_ns;
    if (w.unread) {
        c->bytes = c->frees = NAN;
        c->files = -1;
    }
    return true;
}
