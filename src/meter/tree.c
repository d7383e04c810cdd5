#include "meter/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/characters.h"
#include "base/num.h"
#include "meter/tree_internal.h"

static struct spent spent_sum(struct spent a, struct spent b)
{
    return (struct spent){a.user_s + b.user_s, a.system_s + b.system_s};
}

static struct spent spent_less(struct spent a, struct spent b)
{
    return (struct spent){a.user_s - b.user_s, a.system_s - b.system_s};
}

/* What is above zero of it. */
static struct spent spent_above(struct spent a)
{
    return (struct spent){fmax(a.user_s, 0), fmax(a.system_s, 0)};
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* What `top` waited for until now: itself asks the kernel, of another /proc tells. */
static struct spent waited_by_top(const struct tree *tree, struct rusage *use)
{
    char path[32], buffer[1024];
    struct str text;
    struct proc_stat stat;

    *use = (struct rusage){0};
    if (tree->top == getpid()) {
        (void)getrusage(RUSAGE_CHILDREN, use);
        return (struct spent){seconds(use->ru_utime), seconds(use->ru_stime)};
    }
    (void)snprintf(path, sizeof path, "%d/stat", (int)tree->top);
    if (!proc_read(tree->proc, path, buffer, sizeof buffer, &text) ||
        !proc_stat_parse(text, &stat))
        return (struct spent){0};
    return (struct spent){stat.waited_user * tree->tick_s, stat.waited_system * tree->tick_s};
}

static void forget_most(struct tree_sample *most)
{
    *most = (struct tree_sample){
        .user_s = NAN, .system_s = NAN, .memory_peak = NAN, .read = NAN, .written = NAN};
}

struct tree *tree_open(pid_t top, const struct cgroup *cgroup, const char *root,
                       const struct alloc *alloc, struct error *err)
{
    struct tree *tree = alloc->get(alloc->ctx, sizeof *tree);
    struct statfs fs;
    struct rusage use;
    int names;

    if (tree == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *tree = (struct tree){.alloc = alloc, .top = top, .v2 = -1, .cpuacct = -1, .memory = -1};
    tree->tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
    tree->page = (double)sysconf(_SC_PAGESIZE);
    tree->pages_credit = PAGES_AT_FIRST;
    forget_most(&tree->most);
    tree->proc = proc_folder(root, "/proc");
    if (tree->proc < 0) {
        error_system(err, errno, "cannot look at processes in '%s/proc'",
                     root == NULL ? "" : root);
        tree_close(tree);
        return NULL;
    }
    tree->real = fstatfs(tree->proc, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
    names = openat(tree->proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    tree->names = names < 0 ? NULL : fdopendir(names);
    tree->at_first = waited_by_top(tree, &use);
    tree->read_at_first = (double)use.ru_inblock * 512;
    tree->written_at_first = (double)use.ru_oublock * 512;
    if (top != 0 && cgroup != NULL)
        tree_group_open(tree, cgroup);
    return tree;
}

void tree_close(struct tree *tree)
{
    const struct alloc *alloc;

    if (tree == NULL)
        return;
    alloc = tree->alloc;
    while (tree->count > 0)
        tree_drop(tree, tree->count - 1);
    if (tree->names != NULL)
        closedir(tree->names);
    if (tree->proc >= 0)
        close(tree->proc);
    tree_group_close(tree);
    if (tree->at != NULL)
        alloc->put(alloc->ctx, tree->at);
    if (tree->pids != NULL)
        alloc->put(alloc->ctx, tree->pids);
    if (tree->candidates != NULL)
        alloc->put(alloc->ctx, tree->candidates);
    alloc->put(alloc->ctx, tree);
}

void tree_leave_out(struct tree *tree, pid_t pid)
{
    if (tree != NULL)
        tree->left_out[tree->left_outs++ % LEFT_OUT] = pid;
}

size_t tree_members(const struct tree *tree, const pid_t **out)
{
    *out = tree == NULL ? NULL : tree->pids;
    return tree == NULL ? 0 : tree->count;
}

/* What stands after `name` in /proc/PID/status; false when the process is gone. */
static bool status_value(const struct tree *tree, pid_t pid, struct str name, char *buffer,
                         size_t room, struct str *out)
{
    char path[32];
    struct str text;

    (void)snprintf(path, sizeof path, "%d/status", (int)pid);
    if (tree == NULL || !proc_read(tree->proc, path, buffer, room, &text))
        return false;
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');

        if (!str_starts(line, name))
            continue;
        *out = str_trim((struct str){line.at + name.len, line.len - name.len});
        return true;
    }
    return false;
}

bool tree_catches(const struct tree *tree, pid_t pid, int number)
{
    char buffer[4096];
    struct str value;
    uint64_t mask = 0;

    if (number < 1 || number > 64 ||
        !status_value(tree, pid, STR("SigCgt:"), buffer, sizeof buffer, &value))
        return false;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.at[i];

        if (is_digit(c))
            mask = mask << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            mask = mask << 4 | (uint64_t)(c - 'a' + 10);
    }
    return (mask >> (number - 1) & 1) != 0;
}

double tree_anonymous(const struct tree *tree)
{
    double sum = 0;
    bool any = false;

    for (size_t i = 0; tree != NULL && i < tree->count; i++) {
        char path[32], buffer[4096];
        struct str text;
        double own, shared;

        (void)snprintf(path, sizeof path, "%d/status", (int)tree->pids[i]);
        if (!proc_read(tree->proc, path, buffer, sizeof buffer, &text))
            continue;
        own = proc_value(text, "RssAnon:");
        shared = proc_value(text, "RssShmem:");
        if (isnan(own))
            continue; /* a zombie, or an old kernel */
        any = true;
        sum += (own + (isnan(shared) ? 0 : shared)) * 1024;
    }
    return any ? sum : NAN;
}

pid_t tree_parent(const struct tree *tree, pid_t pid)
{
    char buffer[4096];
    struct str value;
    int64_t parent;

    if (!status_value(tree, pid, STR("PPid:"), buffer, sizeof buffer, &value) ||
        !num_int(value, &parent) || parent <= 0 || parent == tree->top ||
        !tree_has(tree, (pid_t)parent))
        return 0;
    return (pid_t)parent;
}

/* Bring all that are known up to date; those that ended are dropped, and what they had used is
 * returned. The parents stand first: a child that is waited for meanwhile is counted the next
 * time, not twice. `figures`: they are needed, else it is enough that the cgroup lists it. */
static struct spent read_members(struct tree *tree, bool figures)
{
    struct spent vanished = {0};

    for (size_t i = 0; i < tree->count;) {
        struct spent used = spent_sum(tree->at[i].own, tree->at[i].waited);

        if (figures ? tree_member_read(tree, i) : tree->at[i].listed) {
            i++;
            continue;
        }
        vanished = spent_sum(vanished, used);
        /* What it had waited for is no longer among what the living waited for. */
        tree->waited_before = spent_less(tree->waited_before, tree->at[i].waited);
        tree_drop(tree, i);
    }
    return vanished;
}

/* A process that ends moves from the living to what its parent waited for. Where the parent
 * does not wait (SIGCHLD ignored), its time is nowhere any more, so what was seen of it is
 * kept. That nobody waited is settled only at the read after, since the parent's figures may
 * have been read before it did. */
static void settle(struct tree *tree, struct spent vanished, struct spent waited)
{
    struct spent grown = spent_above(spent_less(waited, tree->waited_before));
    struct spent unpaid = spent_above(spent_less(tree->owed, grown));
    struct spent left = spent_above(spent_less(grown, tree->owed));

    tree->lost = spent_sum(tree->lost, unpaid);
    tree->owed = spent_above(spent_less(vanished, left));
    tree->waited_before = waited;
}

static void sum_cpu(struct tree *tree, struct spent vanished, struct tree_sample *out)
{
    struct rusage use;
    struct spent waited = spent_less(waited_by_top(tree, &use), tree->at_first);
    struct spent sum = {0};

    for (size_t i = 0; i < tree->count; i++) {
        sum = spent_sum(sum, tree->at[i].own);
        waited = spent_sum(waited, tree->at[i].waited);
    }
    settle(tree, vanished, waited);
    sum = spent_sum(spent_sum(sum, waited), spent_sum(tree->owed, tree->lost));
    out->user_s = sum.user_s;
    out->system_s = sum.system_s;
    out->cpu_method = tree->lost.user_s + tree->lost.system_s > 0 || tree->count == MEMBERS_MAX
                          ? METHOD_SAMPLED
                          : METHOD_COUNTER;
}

static void sum_memory(struct tree *tree, struct tree_sample *out)
{
    double sum = 0;

    tree_pages(tree);
    for (size_t i = 0; i < tree->count; i++) {
        const struct member *m = &tree->at[i];

        sum += isnan(m->proportion) ? m->resident : m->resident * m->proportion;
    }
    out->memory = sum;
    out->memory_method = METHOD_SAMPLED;
}

static void sum_io(struct tree *tree, struct tree_sample *out)
{
    struct rusage use;
    double read, written;

    (void)waited_by_top(tree, &use);
    read = (double)use.ru_inblock * 512 - tree->read_at_first;
    written = (double)use.ru_oublock * 512 - tree->written_at_first;
    for (size_t i = 0; i < tree->count; i++) {
        /* Of large trees every few times only. */
        if (tree->reads % (1 + tree->count / 32) == 0 && !tree->at[i].zombie &&
            !tree_member_io(tree, i) && isnan(tree->most.read))
            return; /* not permitted at all: unknown, not what little was waited for */
        read += tree->at[i].read;
        written += tree->at[i].written;
    }
    out->read = read;
    out->written = written;
    out->io_method = METHOD_SAMPLED;
}

/* No counter ever goes back: a process may move from the living to the ended while its parent
 * is looked at. */
static double keep_most(double *most, double now)
{
    if (isnan(*most) || now > *most)
        *most = now;
    return *most;
}

static void keep_peak(struct tree *tree, struct tree_sample *out)
{
    struct rusage use;
    double counted = out->memory_peak, seen;

    /* The largest of those that ended: a spike between two reads is not missed altogether. */
    (void)waited_by_top(tree, &use);
    seen = fmax(out->memory, (double)use.ru_maxrss * 1024);
    seen = keep_most(&tree->most.memory_peak, seen);
    out->memory_peak = seen;
    out->peak_method = METHOD_SAMPLED;
    /* A cgroup's peak counts the page cache too: it is the peak only where that is small. */
    if (counted >= seen && counted * 0.95 <= seen) {
        out->memory_peak = counted;
        out->peak_method = METHOD_COUNTER;
    }
}

static void read_tree(struct tree *tree, struct tree_sample *out)
{
    bool cpu, memory, io;
    struct spent vanished;

    if (tree->group != NULL)
        tree_group_members(tree);
    cpu = tree->group != NULL && tree_group_cpu(tree, out);
    memory = tree->group != NULL && tree_group_memory(tree, out);
    io = tree->group != NULL && tree_group_io(tree, out);
    vanished = read_members(tree, !cpu || !memory);
    if (tree->group == NULL)
        tree_look(tree, false);
    if (!cpu) {
        sum_cpu(tree, vanished, out);
        out->source = "/proc and wait";
    }
    if (!memory)
        sum_memory(tree, out);
    if (!io)
        sum_io(tree, out);
    keep_peak(tree, out);
    for (size_t i = 0; i < tree->count; i++)
        out->processes += tree->at[i].zombie ? 0 : 1;
}

void tree_find(struct tree *tree)
{
    if (tree == NULL)
        return;
    if (tree->group != NULL) {
        tree_group_members(tree);
        (void)read_members(tree, false);
    }
    if (tree->group == NULL)
        tree_look(tree, true);
}

void tree_read(struct tree *tree, struct tree_sample *out)
{
    struct tree_sample *most;

    *out = (struct tree_sample){.user_s = NAN,
                                .system_s = NAN,
                                .memory = NAN,
                                .memory_peak = NAN,
                                .read = NAN,
                                .written = NAN,
                                .cpu_s = NAN,
                                .processes = -1,
                                .source = ""};
    if (tree == NULL)
        return;
    most = &tree->most;
    out->processes = 0;
    tree->reads++;
    if (tree->top == 0)
        tree_machine_read(tree, out);
    else
        read_tree(tree, out);
    out->user_s = keep_most(&most->user_s, out->user_s);
    out->system_s = keep_most(&most->system_s, out->system_s);
    out->cpu_s = out->user_s + out->system_s;
    out->read = keep_most(&most->read, out->read);
    out->written = keep_most(&most->written, out->written);
}
