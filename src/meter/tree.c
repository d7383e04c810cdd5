/* The processes of a run: found in /proc, added up one by one, or counted by their control
 * group. */
#include "meter/tree.h"

#include <dirent.h>
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
#include "meter/cgroup.h"
#include "meter/proc.h"

#define MEMBERS_MAX 16384 /* of a tree; more are counted when they end, not while they live */
#define KEPT_MAX 128      /* files that stay open */
#define LEFT_OUT 16
#define PAGES_AT_FIRST 65536.0 /* that may be walked: see tree_pages() */

struct spent {
    double user_s, system_s;
};

struct member {
    double start;         /* ticks since the machine started: with the pid, it names it */
    struct spent own;     /* its threads' processor time */
    struct spent waited;  /* that of children it waited for */
    double resident;      /* bytes */
    double proportion;    /* of `resident` that is its own share of shared pages; NaN unknown */
    double read, written; /* bytes, its own and of children it waited for */
    unsigned looked;      /* at the pages, last: see tree_pages() */
    int stat;             /* its file, and one; 0: not open */
    bool zombie, listed;
};

struct candidate {
    pid_t pid, parent; /* 0: is in the tree now */
};

struct tree {
    const struct alloc *alloc;
    const struct cgroup *group; /* NULL: none, or not believed */
    int v2, cpuacct, memory;    /* its folders, or -1 */
    bool joined;                /* by a process */
    unsigned doubts;            /* looks at which no process was in it, but some in /proc */
    pid_t top;
    bool with_top; /* itself is a member, see tree_include_top() */
    int proc;      /* the folder */
    DIR *names;
    struct member *at;
    pid_t *pids; /* of `at`, apart so that tree_has() is quick */
    size_t count, capacity;
    size_t kept; /* files that are open */
    pid_t left_out[LEFT_OUT];
    size_t left_outs;
    /* Finding. */
    pid_t last;        /* the newest pid when /proc was last looked through; 0: never */
    pid_t before;      /* likewise the time before that */
    unsigned reads;    /* tree_read()s so far */
    unsigned looked;   /* the read at which /proc was last looked through */
    unsigned complete; /* likewise, every process in it */
    size_t names_seen;
    struct candidate *candidates;
    size_t candidate_room;
    bool real; /* /proc is one, so that its newest pid can be trusted */
    /* Adding up. */
    double tick_s, page;
    struct spent at_first; /* waited for by `top`, or used by all, before the tree was opened */
    double read_at_first, written_at_first;
    struct spent waited_before; /* as it was at the last read, of those who lived then */
    struct spent owed;          /* of those that vanished, and were not waited for yet */
    struct spent lost;          /* ... and never were */
    double pages_credit;
    unsigned pages_looked;
    struct tree_sample most; /* the highest of each counter so far */
};

/* ---- finding the tree's processes in /proc ----
 *
 * Reading /proc/PID/stat of every process each second would cost more than everything else.
 * Membership is decided at birth (an orphan goes to `top`, which is a subreaper), and the
 * kernel gives out pids in a circle: only processes with a pid between the newest of the last
 * scan and the newest now (/proc/loadavg has it) can be new. When it has not moved, no process
 * was started. Every so often all processes are read, in case the circle went round unseen.
 *
 * /proc/PID/task/TID/children would do, too, but takes a read for every thread, and not every
 * kernel has it.
 */

#define WHOLE_EVERY 64 /* reads */

static bool tree_member_read(struct tree *tree, size_t index);

/* Room for one more of `size` bytes; the old array is put back. NULL: there is no memory. */
static void *grow_members(const struct tree *tree, void *old, size_t used, size_t size,
                          size_t room)
{
    void *new = tree->alloc->get(tree->alloc->ctx, room * size);

    if (new == NULL)
        return NULL;
    if (old != NULL) {
        memcpy(new, old, used * size);
        tree->alloc->put(tree->alloc->ctx, old);
    }
    return new;
}

static bool more_members(struct tree *tree)
{
    size_t room = tree->capacity == 0 ? 32 : tree->capacity * 2;
    void *at, *pids;

    if (tree->count < tree->capacity)
        return true;
    if (tree->count >= MEMBERS_MAX)
        return false;
    at = grow_members(tree, tree->at, tree->count, sizeof *tree->at, room);
    if (at == NULL)
        return false;
    tree->at = at;
    pids = grow_members(tree, tree->pids, tree->count, sizeof *tree->pids, room);
    if (pids == NULL)
        return false;
    tree->pids = pids;
    tree->capacity = room;
    return true;
}

/* tree_find.c */
static bool tree_add(struct tree *tree, pid_t pid)
{
    if (!more_members(tree))
        return false;
    tree->at[tree->count] = (struct member){.start = NAN, .proportion = NAN};
    tree->pids[tree->count] = pid;
    tree->count++;
    return true;
}

static void tree_drop(struct tree *tree, size_t index)
{
    size_t after = tree->count - index - 1;

    if (tree->at[index].stat != 0) {
        close(tree->at[index].stat - 1);
        tree->kept--;
    }
    memmove(&tree->at[index], &tree->at[index + 1], after * sizeof *tree->at);
    memmove(&tree->pids[index], &tree->pids[index + 1], after * sizeof *tree->pids);
    tree->count--;
}

bool tree_has(const struct tree *tree, pid_t pid)
{
    for (size_t i = 0; tree != NULL && i < tree->count; i++) {
        if (tree->pids[i] == pid)
            return true;
    }
    return false;
}

/* The pid that was given out last: the end of "0.24 0.74 1.30 2/89 22757". 0: unknown. */
static pid_t newest_pid(const struct tree *tree)
{
    char buffer[128];
    struct str text, field = {0};
    double number;

    if (!tree->real || !proc_read(tree->proc, "loadavg", buffer, sizeof buffer, &text))
        return 0;
    while (text.len > 0)
        field = str_cut(&text, ' ');
    number = proc_number(&field);
    return number > 0 && number < INT32_MAX ? (pid_t)number : 0;
}

/* Was it given out after `from`, up to `to`, in the circle of pids? */
static bool is_process_between(pid_t pid, pid_t from, pid_t to)
{
    return from <= to ? pid > from && pid <= to : pid > from || pid <= to;
}

static bool is_process_left_out(const struct tree *tree, pid_t pid)
{
    for (size_t i = 0; i < LEFT_OUT; i++) {
        if (tree->left_out[i] == pid)
            return true;
    }
    return false;
}

/* A process that may be new, if `name` is one. */
static pid_t pid_of(const char *name)
{
    struct str text = str_from(name);
    double number;

    if (text.len == 0 || text.len > 9 || text.at[0] < '0' || text.at[0] > '9')
        return 0;
    number = proc_number(&text);
    return text.len == 0 ? (pid_t)number : 0;
}

static bool add_candidate(struct tree *tree, size_t count, pid_t pid)
{
    char path[32], buffer[1024];
    struct str text;
    struct proc_stat stat;

    if (count == tree->candidate_room) {
        size_t room = count == 0 ? 64 : count * 2;
        void *at = grow_members(tree, tree->candidates, count, sizeof *tree->candidates, room);

        if (at == NULL)
            return false;
        tree->candidates = at;
        tree->candidate_room = room;
    }
    (void)snprintf(path, sizeof path, "%d/stat", (int)pid);
    if (!proc_read(tree->proc, path, buffer, sizeof buffer, &text) ||
        !proc_stat_parse(text, &stat))
        return false;
    tree->candidates[count] = (struct candidate){pid, stat.parent};
    return true;
}

/* Those of /proc that are not in the tree, and were born between two pids; `to` 0: all. */
static size_t gather_pids(struct tree *tree, pid_t from, pid_t to)
{
    const struct dirent *entry;
    size_t count = 0;

    tree->names_seen = 0;
    rewinddir(tree->names);
    while ((entry = readdir(tree->names)) != NULL) {
        pid_t pid = pid_of(entry->d_name);

        if (pid == 0)
            continue;
        tree->names_seen++;
        if ((to != 0 && !is_process_between(pid, from, to)) || pid == tree->top ||
            (tree->with_top && pid == getpid()) || is_process_left_out(tree, pid) ||
            tree_has(tree, pid))
            continue;
        if (tree->top == 0)
            (void)tree_add(tree, pid);
        else if (add_candidate(tree, count, pid))
            count++;
    }
    return count;
}

/* Is a child of this process in the tree? The number of a top that has ended may be another's:
 * as a member it is known by its start, too. */
static bool is_parent(const struct tree *tree, pid_t pid)
{
    return (pid == tree->top && !tree->with_top) || tree_has(tree, pid);
}

/* Take in those whose parent is in the tree, until no more are. */
static void place_tree_members(struct tree *tree, size_t count)
{
    bool added = true;

    while (added) {
        added = false;
        for (size_t i = 0; i < count; i++) {
            struct candidate *c = &tree->candidates[i];

            if (c->pid == 0 || !is_parent(tree, c->parent) || !tree_add(tree, c->pid))
                continue;
            c->pid = 0;
            added = true;
            if (!tree_member_read(tree, tree->count - 1))
                tree_drop(tree, tree->count - 1);
        }
    }
}

static unsigned at_least_room(unsigned a, size_t b)
{
    return b > a ? (unsigned)b : a;
}

static void tree_look(struct tree *tree, bool thoroughly)
{
    pid_t last = newest_pid(tree);
    bool first = tree->names_seen == 0;
    bool whole, partly;

    if (tree->names == NULL)
        return;
    whole = first || thoroughly ||
            tree->reads - tree->complete >
                (last == 0 ? tree->names_seen / 64
                           : at_least_room(WHOLE_EVERY, tree->names_seen / 32));
    /* The interval before is looked at a second time: a parent may have ended between the
     * reading of its child and of itself, which left the child unplaced. */
    partly = last != 0 && last != tree->before &&
             tree->reads - tree->looked > tree->names_seen / 512;
    if (!whole && !partly)
        return;
    place_tree_members(tree, gather_pids(tree, tree->before, whole ? 0 : last));
    tree->before = tree->last;
    tree->last = last;
    tree->looked = tree->reads;
    if (whole)
        tree->complete = tree->reads;
}

/* ---- the use of each process ---- */

/* Opening takes longer than reading, so the files of those that live on stay open: as many as a
 * program may well hold. A file that is open is never another process's. */
static bool read_stat(struct tree *tree, size_t index, struct proc_stat *out)
{
    struct member *m = &tree->at[index];
    char path[32], buffer[1024];
    int fd = m->stat - 1;
    ssize_t got;

    if (fd < 0) {
        (void)snprintf(path, sizeof path, "%d/stat", (int)tree->pids[index]);
        fd = openat(tree->proc, path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return false;
        if (tree->kept < KEPT_MAX && !isnan(m->start)) {
            m->stat = fd + 1;
            tree->kept++;
        }
    }
    got = pread(fd, buffer, sizeof buffer, 0);
    if (m->stat == 0)
        close(fd);
    return got > 0 && proc_stat_parse((struct str){buffer, (size_t)got}, out);
}

/* tree_use.c: what `index` has used until now. False: it has ended. */
static bool tree_member_read(struct tree *tree, size_t index)
{
    struct member *m = &tree->at[index];
    struct proc_stat stat;

    if (!read_stat(tree, index, &stat))
        return false;
    if (!isnan(m->start) && m->start != stat.start)
        return false; /* the pid is another's now */
    m->start = stat.start;
    m->zombie = stat.state == 'Z' || stat.state == 'X';
    m->own = (struct spent){stat.user * tree->tick_s, stat.system * tree->tick_s};
    m->waited =
        (struct spent){stat.waited_user * tree->tick_s, stat.waited_system * tree->tick_s};
    m->resident = stat.resident * tree->page;
    return true;
}

/* False when it may not be read, as of another user's process. */
static bool tree_member_io(struct tree *tree, size_t index)
{
    struct member *m = &tree->at[index];
    char path[32], buffer[512];
    struct str text;
    double read, written;

    (void)snprintf(path, sizeof path, "%d/io", (int)tree->pids[index]);
    if (!proc_read(tree->proc, path, buffer, sizeof buffer, &text))
        return false;
    read = proc_value(text, "read_bytes:");
    written = proc_value(text, "write_bytes:");
    if (isnan(read) || isnan(written))
        return false;
    m->read = read;
    m->written = written;
    return true;
}

/* Walking the page tables of a process takes about 40 ns a page, and holds its lock. What may
 * be walked at each read is 0.1 ms or so; a process of 4 GB gets its turn every eight minutes.
 * In between the last proportion holds. One that would take_counter longer than 40 ms is left
 * alone. */
#define PAGES_A_READ 2048.0
#define PAGES_MOST 1048576.0

/* The process that was looked at longest ago, of those that matter. */
static size_t next_to_look(const struct tree *tree)
{
    size_t best = tree->count, large = 0;

    for (size_t i = 0; i < tree->count; i++) {
        if (tree->at[i].zombie || tree->at[i].resident < 16e6)
            continue;
        large++;
        if (tree->at[i].resident > PAGES_MOST * tree->page)
            continue;
        if (best == tree->count || tree->at[i].looked < tree->at[best].looked)
            best = i;
    }
    return large > 1 ? best : tree->count; /* one alone shares with none */
}

/* shared pages, a little further at each read */
static void tree_pages(struct tree *tree)
{
    size_t index = next_to_look(tree);
    char path[40], buffer[2048];
    struct member *m;
    struct str text;
    double proportional, resident;

    if (tree->pages_credit < PAGES_AT_FIRST)
        tree->pages_credit += PAGES_A_READ;
    /* A process that is larger than the credit can get is looked at, and paid for later. */
    if (index == tree->count || (tree->at[index].resident / tree->page > tree->pages_credit &&
                                 tree->pages_credit < PAGES_AT_FIRST))
        return;
    m = &tree->at[index];
    m->looked = ++tree->pages_looked;
    tree->pages_credit -= m->resident / tree->page;
    (void)snprintf(path, sizeof path, "%d/smaps_rollup", (int)tree->pids[index]);
    if (!proc_read(tree->proc, path, buffer, sizeof buffer, &text))
        return;
    proportional = proc_value(text, "Pss:");
    resident = proc_value(text, "Rss:");
    if (resident > 0 && proportional <= resident)
        m->proportion = proportional / resident;
}

/* ---- the control group: a few files, whose folders stay open, however large the tree ---- */

#define DOUBTS 3 /* between fork and exec a process may not have joined yet */

static int group_folder(const char *path)
{
    return path[0] == '\0' ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* tree_group.c: what the cgroup says. False: it does not. */
static void tree_group_open(struct tree *tree, const struct cgroup *group)
{
    tree->v2 = group_folder(group->v2);
    tree->cpuacct = group_folder(group->cpuacct);
    tree->memory = group_folder(group->memory);
    if (tree->v2 >= 0 || tree->cpuacct >= 0 || tree->memory >= 0)
        tree->group = group;
}

static void tree_group_close(struct tree *tree)
{
    int folders[] = {tree->v2, tree->cpuacct, tree->memory};

    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        if (folders[i] >= 0)
            close(folders[i]);
    }
    tree->group = NULL;
}

static void take_process_counter(void *ctx, pid_t pid)
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

/* No process ever joined the group: joining may not be permitted, which the child could
 * not report. When /proc has descendants all the same, /proc is right. */
static void group_doubt(struct tree *tree)
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

/* may cease to believe in the group */
static void tree_group_members(struct tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        tree->at[i].listed = false;
    cgroup_walk(tree->group, take_process_counter, tree);
    if (!tree->joined)
        group_doubt(tree);
}

static bool tree_group_cpu(const struct tree *tree, struct tree_sample *out)
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
    return !isnan(out->user_s + out->system_s);
}

/* Without the page cache, which a program that reads a data set fills with what could be
 * dropped at any time; but shared memory (tmpfs, the queues of data loaders) is there
 * too. */
static bool read_group_memory(int folder, const char *const names[4], struct tree_sample *out)
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
    return true;
}

static bool tree_group_memory(const struct tree *tree, struct tree_sample *out)
{
    static const char *const v2[] = {"memory.current", "memory.peak", "file", "shmem"};
    static const char *const v1[] = {"memory.usage_in_bytes", "memory.max_usage_in_bytes",
                                     "total_cache", "total_shmem"};

    return read_group_memory(tree->v2, v2, out) || read_group_memory(tree->memory, v1, out);
}

static double find_stat_field(struct str line, struct str key)
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

static bool tree_group_io(const struct tree *tree, struct tree_sample *out)
{
    char buffer[8192];
    struct str text;

    if (tree->v2 < 0 || !proc_read(tree->v2, "io.stat", buffer, sizeof buffer, &text))
        return false;
    out->read = out->written = 0;
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');

        out->read += find_stat_field(line, STR("rbytes="));
        out->written += find_stat_field(line, STR("wbytes="));
    }
    return true;
}

/* ---- every process of the machine as one tree ---- */

static double machine_disk(struct str text, const char *key)
{
    return proc_value(text, key) * 1024;
}

/* For `top` 0. */
static void tree_machine_read(struct tree *tree, struct tree_sample *out)
{
    struct machine_cpu cpu;
    struct machine_memory memory;
    char buffer[32768];
    struct str text;

    out->source = "/proc of the machine";
    /* Every process is in it, so there is nothing to know of each. */
    tree->count = 0;
    tree_look(tree, true);
    out->processes = (int)tree->count;
    if (machine_cpu_read(tree->proc, tree->tick_s, &cpu)) {
        if (tree->reads == 1)
            tree->at_first = (struct spent){cpu.user_s, cpu.system_s};
        out->user_s = cpu.user_s - tree->at_first.user_s;
        out->system_s = cpu.system_s - tree->at_first.system_s;
    }
    if (machine_memory_read(tree->proc, &memory)) {
        out->memory = memory.used;
        out->memory_peak = fmax(out->memory, tree->most.memory_peak);
        tree->most.memory_peak = out->memory_peak;
    }
    if (proc_read(tree->proc, "vmstat", buffer, sizeof buffer, &text)) {
        if (tree->reads == 1) {
            tree->read_at_first = machine_disk(text, "pgpgin");
            tree->written_at_first = machine_disk(text, "pgpgout");
        }
        out->read = machine_disk(text, "pgpgin") - tree->read_at_first;
        out->written = machine_disk(text, "pgpgout") - tree->written_at_first;
    }
}

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

static double tick_seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* What `top` waited for until now: itself asks the kernel, of another /proc shows it. */
static struct spent waited_by_top(const struct tree *tree, struct rusage *use)
{
    char path[32], buffer[1024];
    struct str text;
    struct proc_stat stat;

    *use = (struct rusage){0};
    if (tree->with_top) /* that is a member's, as of the others */
        return (struct spent){0};
    if (tree->top == getpid()) {
        (void)getrusage(RUSAGE_CHILDREN, use);
        return (struct spent){tick_seconds(use->ru_utime), tick_seconds(use->ru_stime)};
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
    tree->at_first = tree->waited_before = waited_by_top(tree, &use);
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

bool tree_include_top(struct tree *tree)
{
    struct spent own = {0}, waited = {0};
    double read = 0, written = 0;

    tree->with_top = true;
    if (!tree_add(tree, tree->top))
        return false;
    if (!tree_member_read(tree, 0) || tree->at[0].zombie) {
        tree_drop(tree, 0);
        return false;
    }
    tree_look(tree, true);
    for (size_t i = 0; i < tree->count; i++) {
        own = spent_sum(own, tree->at[i].own);
        waited = spent_sum(waited, tree->at[i].waited);
        (void)tree_member_io(tree, i);
        read += tree->at[i].read;
        written += tree->at[i].written;
    }
    tree->at_first = spent_sum(own, waited);
    tree->waited_before = waited;
    tree->read_at_first = read;
    tree->written_at_first = written;
    return true;
}

size_t tree_members(const struct tree *tree, const pid_t **out)
{
    *out = tree == NULL ? NULL : tree->pids;
    return tree == NULL ? 0 : tree->count;
}

/* What is after `name` in /proc/PID/status; false when the process is gone. */
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

/* Adds what the threads of a process waited; how many of at most so many were read. */
static size_t add_waited(const struct tree *tree, pid_t pid, size_t most, double *seconds)
{
    const struct dirent *entry;
    size_t threads = 0;
    char path[64], buffer[128];
    int folder;
    DIR *tasks;

    (void)snprintf(path, sizeof path, "%d/task", (int)pid);
    folder = openat(tree->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    tasks = folder >= 0 ? fdopendir(folder) : NULL;
    if (tasks == NULL && folder >= 0)
        (void)close(folder);
    while (tasks != NULL && threads < most && (entry = readdir(tasks)) != NULL) {
        struct str text;
        double waited;

        if (entry->d_name[0] == '.')
            continue;
        threads++;
        (void)snprintf(path, sizeof path, "%.20s/schedstat", entry->d_name);
        if (!proc_read(folder, path, buffer, sizeof buffer, &text))
            continue;
        (void)proc_number(&text); /* ran */
        waited = proc_number(&text);
        *seconds += isnan(waited) ? 0 : waited / 1e9;
    }
    if (tasks != NULL)
        (void)closedir(tasks);
    return threads;
}

double tree_waited(const struct tree *tree)
{
    size_t left = 4096;
    double seconds = 0;

    for (size_t i = 0; tree != NULL && i < tree->count && left > 0; i++)
        left -= add_waited(tree, tree->pids[i], left, &seconds);
    return seconds;
}

pid_t tree_parent(const struct tree *tree, pid_t pid)
{
    char buffer[4096];
    struct str value;
    int64_t parent;

    if (!status_value(tree, pid, STR("PPid:"), buffer, sizeof buffer, &value) ||
        !num_int(value, &parent) || parent <= 0 || (parent == tree->top && !tree->with_top) ||
        !tree_has(tree, (pid_t)parent))
        return 0;
    return (pid_t)parent;
}

/* Bring all that are known up to date; those that ended are dropped, and what they had used is
 * returned. The parents are first: a child that is waited for meanwhile is counted the next
 * time, not twice. `figures`: they are needed, else it is enough that the cgroup lists it. */
static struct spent read_tree_members(struct tree *tree, bool figures)
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
 * kept. That it was not waited for is certain only at the read after, since the parent's
 * figures may have been read before it did. */
static void settle_ended(struct tree *tree, struct spent vanished, struct spent waited)
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
    struct spent before = tree->at_first, sum = {0};
    struct spent waited = waited_by_top(tree, &use);

    for (size_t i = 0; i < tree->count; i++) {
        sum = spent_sum(sum, tree->at[i].own);
        waited = spent_sum(waited, tree->at[i].waited);
    }
    settle_ended(tree, vanished, waited);
    sum = spent_sum(spent_sum(sum, waited), spent_sum(tree->owed, tree->lost));
    sum = spent_less(sum, before);
    out->user_s = sum.user_s;
    out->system_s = sum.system_s;
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
    /* A cgroup's peak counts the page cache too: it is the peak only where that is small. */
    if (counted >= seen && counted * 0.95 <= seen)
        out->memory_peak = counted;
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
    vanished = read_tree_members(tree, !cpu || !memory);
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
        (void)read_tree_members(tree, false);
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
