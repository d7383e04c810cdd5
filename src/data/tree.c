#include "data/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stop.h"

#define HOLES_FROM ((uint64_t)1 << 20) /* bytes of a file that are not on the disk */

static const char *const problem_names[] = {"unreadable", "special", "changing", NULL};

static const struct field problem_fields[] = {
    FIELD(TEXT, tree_problem, path, .help = "path below the folder"),
    FIELD(ENUM, tree_problem, kind, .names = problem_names,
          .help = "could not be read, is not a file, or was written while it was read"),
    FIELD(TEXT, tree_problem, reason, .help = "reason"),
};

const struct field_set tree_problem_fields = FIELD_SET(struct tree_problem, problem_fields);

/* A name in a folder, before it is looked at. */
struct tree_name {
    struct str path; /* with a slash at its end when it is a folder; a zero byte behind */
    size_t name;     /* where the name begins in it */
    bool folder;
};

struct tree_walk {
    struct tree *tree;
    const struct watch *watch;
    const char *root;
    struct arena *arena;
};

static int64_t file_time_ns(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct tree_stat tree_stat_of(const struct stat *st)
{
    return (struct tree_stat){.size = st->st_size > 0 ? (uint64_t)st->st_size : 0,
                              .modified = file_time_ns(st->st_mtim),
                              .changed = file_time_ns(st->st_ctim),
                              .inode = st->st_ino};
}

enum tree_kind tree_kind_of(const struct stat *st)
{
    if (S_ISREG(st->st_mode))
        return TREE_FILE;
    return S_ISLNK(st->st_mode) ? TREE_LINK : TREE_OTHER;
}

bool tree_stat_same(const struct tree_stat *a, const struct tree_stat *b)
{
    return a->size == b->size && a->modified == b->modified && a->changed == b->changed &&
           a->inode == b->inode;
}

bool tree_file_is_unchanged(int fd, const struct tree_stat *was, struct stat *out)
{
    struct tree_stat now;
    struct stat st;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    if (out != NULL)
        *out = st;
    now = tree_stat_of(&st);
    return tree_stat_same(&now, was);
}

bool tree_goes_on(const struct watch *watch, struct error *err)
{
    return watch_stopped(watch) ? error_fail(err, ERROR_STOPPED, "stopped") : stop_check(err);
}

struct tree_entry *tree_add_entry(struct tree *tree, struct error *err)
{
    struct tree_entry *grown = arena_grow(tree->arena, tree->entries, tree->count,
                                          sizeof *tree->entries, &tree->room, err);

    if (grown == NULL)
        return NULL;
    tree->entries = grown;
    return &grown[tree->count++];
}

bool tree_add_problem(struct tree *tree, enum tree_problem_kind kind, struct str path,
                      const char *why, struct error *err)
{
    struct tree_problem *grown = arena_grow(tree->arena, tree->problems, tree->problem_count,
                                            sizeof *tree->problems, &tree->problem_room, err);

    if (grown == NULL)
        return false;
    tree->problems = grown;
    grown[tree->problem_count++] = (struct tree_problem){path, str_from(why), (int32_t)kind};
    return true;
}

bool tree_same(const struct tree_entry *a, const struct tree_entry *b)
{
    return a->kind == b->kind && a->stat.size == b->stat.size && a->hashed && b->hashed &&
           a->chunk_count == b->chunk_count && memcmp(a->digest, b->digest, TREE_DIGEST) == 0;
}

/* It is there, and that is all that is known: also an entry, so that a comparison does not take
 * it for deleted. */
static bool add_unknown(struct tree_walk *w, enum tree_problem_kind kind, struct str path,
                        const char *why, struct error *err)
{
    struct tree_entry *e = tree_add_entry(w->tree, err);

    if (e == NULL)
        return false;
    *e = (struct tree_entry){.path = path, .trouble = true};
    return tree_add_problem(w->tree, kind, path, why, err);
}

/* What is gone in the meantime is no problem. */
static bool add_unreadable(struct tree_walk *w, struct str path, int why, struct error *err)
{
    return why == ENOENT || add_unknown(w, TREE_UNREADABLE, path, strerror(why), err);
}

bool tree_is_own(struct str name)
{
    return str_eq(name, STR(TREE_OWN)) || str_eq(name, STR(TREE_PARTIAL));
}

static int compare_names(const void *a, const void *b)
{
    return str_cmp(((const struct tree_name *)a)->path, ((const struct tree_name *)b)->path);
}

static bool is_folder(DIR *dir, const struct dirent *entry)
{
    struct stat st;

    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    return fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(st.st_mode);
}

static bool take_name(struct tree_walk *w, struct str prefix, const char *name, bool folder,
                      struct tree_name *out, struct error *err)
{
    size_t len = strlen(name), total = prefix.len + len + folder;
    char *path = arena_get(w->arena, 1, total + 1, 1, err);

    if (path == NULL)
        return false;
    if (prefix.len > 0)
        memcpy(path, prefix.at, prefix.len);
    memcpy(path + prefix.len, name, len + 1);
    if (folder)
        memcpy(path + total - 1, "/", 2);
    *out = (struct tree_name){{path, total}, prefix.len, folder};
    return true;
}

/* All names of the folder, sorted. Reading that fails half-way is a problem of the folder. */
static bool read_names(struct tree_walk *w, DIR *dir, struct str prefix,
                       struct tree_name **names, size_t *count, struct error *err)
{
    const struct dirent *entry;
    size_t room = 0;

    *names = NULL;
    *count = 0;
    for (errno = 0; (entry = readdir(dir)) != NULL; errno = 0) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            tree_is_own(str_from(entry->d_name)))
            continue;
        *names = arena_grow(w->arena, *names, *count, sizeof **names, &room, err);
        if (*names == NULL ||
            !take_name(w, prefix, entry->d_name, is_folder(dir, entry), &(*names)[*count], err))
            return false;
        ++*count;
    }
    if (errno != 0 && prefix.len == 0) {
        error_system(err, errno, "cannot read '%s'", w->root);
        return false;
    }
    if (errno != 0 && !add_unreadable(w, prefix, errno, err))
        return false;
    if (*count > 1)
        qsort(*names, *count, sizeof **names, compare_names);
    return true;
}

static bool add_file(struct tree_walk *w, struct str path, const struct stat *st,
                     struct error *err)
{
    struct tree_entry *e = tree_add_entry(w->tree, err);

    if (e == NULL)
        return false;
    *e = (struct tree_entry){.path = path, .kind = tree_kind_of(st), .stat = tree_stat_of(st)};
    if (e->kind == TREE_FILE) {
        w->tree->bytes += e->stat.size;
        w->tree->files++;
        w->tree->holes =
            w->tree->holes || (uint64_t)st->st_blocks * 512 + HOLES_FROM < e->stat.size;
    }
    return true;
}

static bool look_at(struct tree_walk *w, int folder, const struct tree_name *name,
                    struct error *err)
{
    struct stat st;

    if (fstatat(folder, name->path.at + name->name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return add_unreadable(w, name->path, errno, err);
    if (tree_kind_of(&st) != TREE_OTHER)
        return add_file(w, name->path, &st, err);
    return add_unknown(w, TREE_SPECIAL, name->path,
                       S_ISSOCK(st.st_mode)   ? "a socket"
                       : S_ISFIFO(st.st_mode) ? "a named pipe"
                                              : "a device",
                       err);
}

static bool walk_tree_folder(struct tree_walk *w, int fd, struct str prefix, int depth,
                             struct error *err);

static bool enter(struct tree_walk *w, int folder, const struct tree_name *name, int depth,
                  struct error *err)
{
    char own[NAME_MAX + 1];
    size_t len = name->path.len - name->name - 1;
    int fd;

    if (depth == TREE_DEPTH) {
        error_set(err, ERROR_INPUT, "'%.*s' in '%s' is %d folders deep", STR_ARG(name->path),
                  w->root, TREE_DEPTH);
        error_hint(err, "is there a folder that contains itself? Move it elsewhere");
        return false;
    }
    if (len > NAME_MAX)
        return add_unreadable(w, name->path, ENAMETOOLONG, err);
    memcpy(own, name->path.at + name->name, len);
    own[len] = 0;
    fd = openat(folder, own, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    return fd < 0 ? add_unreadable(w, name->path, errno, err)
                  : walk_tree_folder(w, fd, name->path, depth + 1, err);
}

static bool add_empty(struct tree_walk *w, int fd, struct str prefix, struct error *err)
{
    struct stat st;
    struct tree_entry *e;

    if (fstat(fd, &st) != 0)
        return add_unreadable(w, prefix, errno, err);
    e = tree_add_entry(w->tree, err);
    if (e == NULL)
        return false;
    *e = (struct tree_entry){.path = prefix, .kind = TREE_EMPTY, .hashed = true};
    e->stat.modified = file_time_ns(st.st_mtim);
    return true;
}

static bool walk_names(struct tree_walk *w, int fd, struct str prefix,
                       const struct tree_name *names, size_t count, int depth,
                       struct error *err)
{
    if (count == 0 && prefix.len > 0)
        return add_empty(w, fd, prefix, err);
    for (size_t i = 0; i < count; i++) {
        if (!tree_goes_on(w->watch, err) ||
            !(names[i].folder ? enter(w, fd, &names[i], depth, err)
                              : look_at(w, fd, &names[i], err)))
            return false;
    }
    watch_progress(w->watch, "looking", w->tree->count, 0);
    return true;
}

/* Closes `fd`. */
static bool walk_tree_folder(struct tree_walk *w, int fd, struct str prefix, int depth,
                             struct error *err)
{
    DIR *dir = fdopendir(fd);
    struct tree_name *names;
    size_t count, problems = w->tree->problem_count;
    bool ok;

    if (dir == NULL) {
        int why = errno;

        (void)close(fd);
        return add_unreadable(w, prefix, why, err);
    }
    ok = read_names(w, dir, prefix, &names, &count, err);
    if (ok && (count > 0 || w->tree->problem_count == problems))
        ok = walk_names(w, fd, prefix, names, count, depth, err);
    (void)closedir(dir);
    return ok;
}

bool tree_walk(const char *folder, const struct watch *watch, struct arena *arena,
               struct tree *out, struct error *err)
{
    struct tree_walk w = {out, watch, folder, arena};
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    *out = (struct tree){.arena = arena};
    if (fd < 0) {
        error_set(err, errno == ENOENT ? ERROR_ABSENT : ERROR_INPUT, "cannot read '%s': %s",
                  folder, strerror(errno));
        error_hint(err, errno == ENOTDIR
                            ? "name the folder that it is in"
                            : "name a folder that is there, and that you may read");
        return false;
    }
    return walk_tree_folder(&w, fd, (struct str){"", 0}, 0, err);
}

bool tree_is_hidden(struct str path)
{
    for (size_t i = 0; i < path.len; i++)
        if (path.at[i] == '.' && (i == 0 || path.at[i - 1] == '/'))
            return true;
    return false;
}

bool tree_path_stays(struct str path)
{
    bool more = path.len > 0 && memchr(path.at, 0, path.len) == NULL;

    if (!more)
        return false;
    while (more) {
        struct str part;

        more = memchr(path.at, '/', path.len) != NULL;
        part = str_cut(&path, '/');
        if (part.len == 0 || str_eq(part, STR(".")) || str_eq(part, STR("..")))
            return false;
    }
    return true;
}

struct str tree_path_stem(struct str path)
{
    size_t dot = path.len;

    while (dot > 0 && path.at[dot - 1] != '.' && path.at[dot - 1] != '/')
        dot--;
    if (dot < 2 || path.at[dot - 1] == '/' || path.at[dot - 2] == '/')
        return path;
    return (struct str){path.at, dot - 1};
}

bool tree_path_has_extension(struct str path, const char *const *extensions)
{
    size_t stem = tree_path_stem(path).len;

    for (; stem < path.len && *extensions != NULL; extensions++)
        if (str_eq_nocase((struct str){path.at + stem + 1, path.len - stem - 1},
                          str_from(*extensions)))
            return true;
    return false;
}

size_t tree_place_of(const struct tree *tree, struct str path)
{
    size_t from = 0, to = tree->count;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (str_cmp(tree->entries[middle].path, path) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

const struct tree_entry *tree_entry_at(const struct tree *tree, struct str path)
{
    size_t at = tree_place_of(tree, path);

    return at < tree->count && str_eq(tree->entries[at].path, path) ? &tree->entries[at] : NULL;
}

size_t tree_count(const struct tree *tree, enum tree_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < tree->count; i++)
        count += tree->entries[i].kind == kind;
    return count;
}
