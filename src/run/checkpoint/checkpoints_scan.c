/* What is in a folder of checkpoints, and what points into it. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "run/checkpoint/checkpoints_internal.h"

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

bool checkpoint_point(struct checkpoint_pointers *to, struct str target, struct str from,
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

static bool named(struct checkpoint_pointers *to, struct str target, struct error *err)
{
    return target.len == 0 ||
           checkpoint_point(to, target, (struct str){0}, "named by 'latest'", err);
}

/* DeepSpeed's and Megatron's hold only a name or a number, which may have blanks; TensorFlow's
 * says model_checkpoint_path: "ckpt-5". */
static bool read_names(struct checkpoint_pointers *to, struct str text, struct error *err)
{
    bool ok = true;

    while (ok && text.len > 0) {
        struct str line = str_trim(str_cut(&text, '\n')), quoted = line;

        if (str_starts(line, STR("all_model_checkpoint_paths"))) /* not only the last */
            continue;
        (void)str_cut(&quoted, '"');
        ok = named(to, line, err) && named(to, str_cut(&quoted, '"'), err);
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
    return read_names(to, (struct str){text, (size_t)len}, err);
}

struct scan {
    struct checkpoint_look look;
    struct checkpoint_pointers pointers;
    struct checkpoint *list;
    size_t count;
    bool state, optimizer; /* the folder itself holds what a checkpoint does */
};

static bool see_link(struct scan *s, const char *name, struct error *err)
{
    char target[PATH_MAX];
    ssize_t len = readlinkat(s->look.folder, name, target, sizeof target);

    return len <= 0 || checkpoint_point(&s->pointers, (struct str){target, (size_t)len},
                                        (struct str){0}, "a link names it", err);
}

static bool see_entry(struct scan *s, const char *name, struct error *err)
{
    struct checkpoint c;
    struct stat st;
    bool there;

    s->state |= strcmp(name, "trainer_state.json") == 0;
    s->optimizer |= strcmp(name, "optimizer.pt") == 0 || strcmp(name, "optimizer.bin") == 0 ||
                    strncmp(name, "rng_state", 9) == 0;
    if (fstatat(s->look.folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return true;
    if (S_ISLNK(st.st_mode))
        return see_link(s, name, err);
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
static int by_age(const void *a, const void *b)
{
    const struct checkpoint *x = a, *y = b;

    if (x->changed_ns != y->changed_ns)
        return x->changed_ns < y->changed_ns ? -1 : 1;
    if (x->step < y->step || x->step > y->step)
        return x->step < y->step ? -1 : 1;
    return str_cmp(x->name, y->name);
}

static bool read_all(struct scan *s, const char *folder, struct error *err)
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
            ok = see_entry(s, entry->d_name, err);
    }
    (void)closedir(list);
    if (ok && s->state && s->optimizer) {
        error_set(err, ERROR_INPUT, "'%s' is one checkpoint, not a folder of them", folder);
        error_hint(err, "name the folder it is in");
        return false;
    }
    return ok;
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
    ok = s.list != NULL && read_all(&s, folder, err);
    (void)close(s.look.folder);
    if (!ok)
        return false;
    for (const struct checkpoint_pointer *p = s.pointers.first; p != NULL; p = p->next)
        for (size_t i = 0; i < s.count; i++)
            if (s.list[i].needed == NULL && points_to(p, &s.list[i]))
                s.list[i].needed = p->why;
    qsort(s.list, s.count, sizeof *s.list, by_age);
    *out = s.list;
    *count = s.count;
    return true;
}
