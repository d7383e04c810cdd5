/* What the control group of a tree says. Its files are read from the group's folders, which
 * stay open: a few files, however large the tree is. */
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "meter/cgroup_walk.h"
#include "meter/tree_internal.h"

#define DOUBTS 3 /* between fork and exec somebody may not have joined yet */

static int folder(const char *path)
{
    return path[0] == '\0' ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void tree_group_open(struct tree *tree, const struct cgroup *group)
{
    tree->v2 = folder(group->v2);
    tree->cpuacct = folder(group->cpuacct);
    tree->memory = folder(group->memory);
    if (tree->v2 >= 0 || tree->cpuacct >= 0 || tree->memory >= 0)
        tree->group = group;
}

void tree_group_close(struct tree *tree)
{
    int folders[] = {tree->v2, tree->cpuacct, tree->memory};

    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        if (folders[i] >= 0)
            close(folders[i]);
    }
    tree->group = NULL;
}

static void take(void *ctx, pid_t pid)
{
    struct tree *tree = ctx;

    tree->joined = true;
    for (size_t i = 0; i < tree->count; i++) {
        if (tree->pids[i] == pid) {
            tree->at[i].listed = true;
            return;
        }
    }
    if (tree_add(tree, pid))
        tree->at[tree->count - 1].listed = true;
}

/* Nobody ever joined the group: it may be that joining is not permitted, which the child could
 * not tell. When /proc has descendants all the same, /proc is right. */
static void doubt(struct tree *tree)
{
    tree_look(tree, true);
    if (tree->count == 0)
        return;
    tree->doubts++;
    if (tree->doubts >= DOUBTS)
        tree->group = NULL;
    while (tree->group != NULL && tree->count > 0)
        tree_drop(tree, tree->count - 1);
}

void tree_group_members(struct tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        tree->at[i].listed = false;
    cgroup_walk(tree->group, take, tree);
    if (!tree->joined)
        doubt(tree);
}

bool tree_group_cpu(const struct tree *tree, struct tree_sample *out)
{
    char buffer[1024];
    struct str text;

    if (tree->v2 >= 0 && proc_read(tree->v2, "cpu.stat", buffer, sizeof buffer, &text)) {
        out->user_s = proc_value(text, "user_usec") * 1e-6;
        out->system_s = proc_value(text, "system_usec") * 1e-6;
        out->source = "cgroup v2";
    } else if (tree->cpuacct >= 0 &&
               proc_read(tree->cpuacct, "cpuacct.stat", buffer, sizeof buffer, &text)) {
        double user = proc_value(text, "user") * tree->tick_s;
        double all = proc_file_number(tree->cpuacct, "cpuacct.usage") * 1e-9;

        /* The sum is counted in nanoseconds, the parts in ticks. */
        out->user_s = fmin(user, all);
        out->system_s = all - out->user_s;
        out->source = "cgroup v1";
    }
    if (isnan(out->user_s + out->system_s))
        return false;
    out->cpu_method = METHOD_COUNTER;
    return true;
}

/* Without the page cache, which a program that reads a data set fills with what could be
 * dropped at any time; but shared memory (tmpfs, the queues of data loaders) stands there
 * too. */
static bool group_memory(int folder, const char *const names[4], struct tree_sample *out)
{
    char buffer[8192];
    struct str text;
    double cache;

    if (folder < 0 || !proc_read(folder, "memory.stat", buffer, sizeof buffer, &text))
        return false;
    cache = proc_value(text, names[2]) - proc_value(text, names[3]);
    out->memory = fmax(proc_file_number(folder, names[0]) - cache, 0);
    out->memory_peak = proc_file_number(folder, names[1]);
    if (isnan(cache) || isnan(out->memory))
        return false;
    out->memory_method = METHOD_SAMPLED;
    return true;
}

bool tree_group_memory(const struct tree *tree, struct tree_sample *out)
{
    static const char *const v2[] = {"memory.current", "memory.peak", "file", "shmem"};
    static const char *const v1[] = {"memory.usage_in_bytes", "memory.max_usage_in_bytes",
                                     "total_cache", "total_shmem"};

    return group_memory(tree->v2, v2, out) || group_memory(tree->memory, v1, out);
}

static double field(struct str line, struct str key)
{
    while (line.len > 0) {
        struct str word = str_cut(&line, ' ');

        if (str_starts(word, key)) {
            word.at += key.len;
            word.len -= key.len;
            return proc_number(&word);
        }
    }
    return 0;
}

bool tree_group_io(const struct tree *tree, struct tree_sample *out)
{
    char buffer[8192];
    struct str text;

    if (tree->v2 < 0 || !proc_read(tree->v2, "io.stat", buffer, sizeof buffer, &text))
        return false;
    out->read = out->written = 0;
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');

        out->read += field(line, STR("rbytes="));
        out->written += field(line, STR("wbytes="));
    }
    out->io_method = METHOD_COUNTER;
    return true;
}
