#include "meter/cgroup_place.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "meter/proc.h"

/* One mounted hierarchy, as a line of /proc/self/mountinfo has it. */
struct mount {
    struct str root, point, type, options;
};

static bool parse_mount(struct str line, struct mount *out)
{
    for (int i = 0; i < 3; i++)
        (void)str_cut(&line, ' ');
    out->root = str_cut(&line, ' ');
    out->point = str_cut(&line, ' ');
    while (line.len > 0 && !str_eq(str_cut(&line, ' '), STR("-")))
        ;
    out->type = str_cut(&line, ' ');
    (void)str_cut(&line, ' ');
    out->options = line;
    return str_starts(out->type, STR("cgroup")) && out->point.len > 0 &&
           memchr(out->point.at, '\\', out->point.len) == NULL;
}

static bool has_controller_word(struct str list, struct str word, size_t *others)
{
    bool found = false;

    *others = 0;
    while (list.len > 0) {
        struct str item = str_cut(&list, ',');

        if (str_eq(item, word))
            found = true;
        else
            ++*others;
    }
    return found;
}

/* The path of this process in the hierarchy of `controller` ("": version 2), from the lines
 * "4:memory:/path" of /proc/self/cgroup. */
static bool path_of(struct str text, struct str controller, struct str *path, bool *alone)
{
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');
        struct str id = str_cut(&line, ':'), list = str_cut(&line, ':');
        size_t others = 0;
        bool is = controller.len == 0 ? str_eq(id, STR("0")) && list.len == 0
                                      : has_controller_word(list, controller, &others);

        if (is) {
            *path = line;
            *alone = controller.len == 0 || others == 0;
            return true;
        }
    }
    return false;
}

/* Where `path` is below the mount. A container may be shown a part of the hierarchy: what is
 * above it is the mount's root, and a path outside of it is not to be seen. */
static void set_folder(struct cgroup_at *at, const char *root, const struct mount *m,
                       struct str path)
{
    int mount, len;

    if (m->root.len > 1 && str_starts(path, m->root)) {
        path.at += m->root.len;
        path.len -= m->root.len;
    } else if (m->root.len > 1) {
        path.len = 0;
    }
    while (path.len > 0 && path.at[path.len - 1] == '/')
        path.len--;
    if (path.len >= CGROUP_PATH || m->point.len >= CGROUP_PATH)
        return;
    mount = snprintf(at->folder, sizeof at->folder, "%s%.*s", root == NULL ? "" : root,
                     (int)m->point.len, m->point.at);
    len = snprintf(at->folder, sizeof at->folder, "%s%.*s%.*s", root == NULL ? "" : root,
                   (int)m->point.len, m->point.at, (int)path.len, path.at);
    at->mount = (size_t)mount;
    if (len < 0 || (size_t)len >= sizeof at->folder ||
        strstr(at->folder, "/..") != NULL) /* above the namespace's root */
        at->folder[0] = '\0';
}

static void take_mount(struct cgroup_place *out, const char *root, struct str line,
                       struct str places)
{
    const struct {
        const char *controller;
        struct cgroup_at *at;
    } wanted[] = {{"", &out->v2},
                  {"cpu", &out->cpu},
                  {"cpuacct", &out->cpuacct},
                  {"memory", &out->memory}};
    struct mount m;
    size_t others;

    if (!parse_mount(line, &m))
        return;
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        struct str controller = str_from(wanted[i].controller), path;
        bool is = controller.len == 0 ? str_eq(m.type, STR("cgroup2"))
                                      : str_eq(m.type, STR("cgroup")) &&
                                            has_controller_word(m.options, controller, &others);

        if (is && wanted[i].at->folder[0] == '\0' &&
            path_of(places, controller, &path, &wanted[i].at->alone))
            set_folder(wanted[i].at, root, &m, path);
    }
}

/* Lines of a file that may be long, one at a time; those longer than the buffer are left
 * out. */
static void each_mount(int fd, struct cgroup_place *out, const char *root, struct str places)
{
    char buffer[8192];
    size_t held = 0;
    bool skip = false;
    ssize_t got;

    while ((got = read(fd, buffer + held, sizeof buffer - held)) > 0) {
        struct str text = {buffer, held + (size_t)got};

        while (memchr(text.at, '\n', text.len) != NULL) {
            struct str line = str_cut(&text, '\n');

            if (!skip)
                take_mount(out, root, line, places);
            skip = false;
        }
        if (text.len == sizeof buffer) {
            skip = true;
            text.len = 0;
        }
        memmove(buffer, text.at, text.len);
        held = text.len;
    }
}

void cgroup_place_find(const char *root, struct cgroup_place *out)
{
    char buffer[8192], path[1024];
    struct str places;
    int fd;

    *out = (struct cgroup_place){0};
    if (!proc_path(path, sizeof path, root, "/proc/self/cgroup") ||
        !proc_read(AT_FDCWD, path, buffer, sizeof buffer, &places) ||
        !proc_path(path, sizeof path, root, "/proc/self/mountinfo"))
        return;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    each_mount(fd, out, root, places);
    close(fd);
}

bool cgroup_above(struct cgroup_at *at)
{
    char *slash = strrchr(at->folder, '/');

    if (slash == NULL || (size_t)(slash - at->folder) < at->mount)
        return false;
    *slash = '\0';
    return true;
}
