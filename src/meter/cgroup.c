#include "meter/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/characters.h"
#include "meter/cgroup_place.h"
#include "meter/proc.h"

#define STALE_S 600
#define DEPTH 8

/* "FOLDER/NAME"; false when it does not fit. */
static bool join_cgroup_path(char *to, size_t room, const char *folder, const char *name)
{
    int len = snprintf(to, room, "%s/%s", folder, name);

    return len >= 0 && (size_t)len < room;
}

static bool write_cgroup_word(const char *folder, const char *file, const char *word)
{
    char path[CGROUP_PATH + 64];
    size_t folder_len = strlen(folder), file_len = strlen(file);
    bool written = false;
    int fd;

    /* Put together by hand: snprintf() may not be called between fork and exec. */
    if (folder_len + file_len + 2 > sizeof path)
        return false;
    memcpy(path, folder, folder_len);
    path[folder_len] = '/';
    memcpy(path + folder_len + 1, file, file_len);
    path[folder_len + 1 + file_len] = '\0';
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        written = write(fd, word, strlen(word)) > 0;
        close(fd);
    }
    return written;
}

/* Remove empty groups that runs left in `parent`: older than `made` by long, so that none that
 * a process is about to join is removed. */
static void remove_stale_cgroups(const char *parent, time_t made)
{
    char path[CGROUP_PATH];
    DIR *names = opendir(parent);
    const struct dirent *entry;
    struct stat info;

    if (names == NULL)
        return;
    while ((entry = readdir(names)) != NULL) {
        if (str_starts(str_from(entry->d_name), STR("stint-")) &&
            join_cgroup_path(path, sizeof path, parent, entry->d_name) &&
            stat(path, &info) == 0 && info.st_mtime < made - STALE_S)
            (void)rmdir(path); /* refused where a process is in it */
    }
    closedir(names);
}

/* Make "stint-NAME" in `parent`, and see whether processes can be put there. */
static bool make_in(const char *parent, const char *name, char *folder)
{
    char path[CGROUP_PATH + 64];
    struct stat info;

    if (parent[0] == '\0' ||
        snprintf(folder, CGROUP_PATH, "%s/stint-%s", parent, name) >= CGROUP_PATH ||
        mkdir(folder, 0755) != 0) {
        folder[0] = '\0';
        return false;
    }
    if (stat(folder, &info) == 0)
        remove_stale_cgroups(parent, info.st_mtime);
    /* Moving a process takes the right to write here and in the group above both places. */
    if (join_cgroup_path(path, sizeof path, folder, "cgroup.procs") &&
        access(path, W_OK) == 0 &&
        join_cgroup_path(path, sizeof path, parent, "cgroup.procs") && access(path, W_OK) == 0)
        return true;
    (void)rmdir(folder);
    folder[0] = '\0';
    return false;
}

/* Limits of version 1 hold for groups below only where this says so: one that is outside of
 * them would let the run have more than its job was given. */
static bool limits_hold_below(const char *folder)
{
    char path[CGROUP_PATH + 64];

    return join_cgroup_path(path, sizeof path, folder, "memory.use_hierarchy") &&
           proc_file_number(AT_FDCWD, path) != 0; /* newer kernels have no such file: they do */
}

static void write_cgroup_reason(const struct cgroup_place *place, int reason, char *why)
{
    const char *folder = place->v2.folder[0] != '\0' ? place->v2.folder : place->memory.folder;

    if (why == NULL)
        return;
    if (folder[0] == '\0')
        (void)snprintf(why, 160, "no control groups are mounted");
    else
        (void)snprintf(why, 160, "no group can be made in %.80s: %.40s", folder,
                       strerror(reason));
}

bool cgroup_make(struct cgroup *out, const char *name, const char *root, char *why)
{
    struct cgroup_place place;
    bool made = false;
    int reason;

    *out = (struct cgroup){0};
    cgroup_place_find(root, &place);
    errno = EACCES;
    made = make_in(place.v2.folder, name, out->v2);
    reason = errno;
    /* Version 2 counts processor time without any controller; together with `cpu` a group of
     * version 1 would get the share of one process. */
    if (!made && place.cpuacct.alone)
        made = make_in(place.cpuacct.folder, name, out->cpuacct);
    if (limits_hold_below(place.memory.folder))
        made = make_in(place.memory.folder, name, out->memory) || made;
    if (!made)
        write_cgroup_reason(&place, reason, why);
    return made;
}

/* A process that writes itself into `cgroup.procs` waits until no other one forks: a grace
 * period of the kernel, 5 to 25 ms. One that is born in a group does not, nor does a single
 * thread (`tasks`, which version 1 alone has). */
static void join_group(const struct cgroup *group, bool in_v2)
{
    const char *const v1[] = {group->cpuacct, group->memory};

    if (!in_v2 && group->v2[0] != '\0')
        (void)write_cgroup_word(group->v2, "cgroup.procs", "0");
    for (size_t i = 0; i < ARRAY_LEN(v1); i++)
        if (v1[i][0] != '\0' && !write_cgroup_word(v1[i], "tasks", "0"))
            (void)write_cgroup_word(v1[i], "cgroup.procs", "0");
}

/* What a new process does first: it joins the groups that it was not started in, and then calls
 * `become`. */
struct process_start {
    const struct cgroup *group;
    bool in_v2;
    void (*become)(void *ctx);
    void *ctx;
};

static void join_and_become(void *ctx)
{
    const struct process_start *start = ctx;

    join_group(start->group, start->in_v2);
    start->become(start->ctx);
    _exit(127); /* it never returns */
}

/* clone3(), and `enter` in the new process. One that shares our memory (CLONE_VM, CLONE_VFORK)
 * shares our stack: it goes on below what we have of it, in no frame of the compiler's, as
 * nothing that it changes there may be ours. Less than 0: an error number, negative. */
#if defined __aarch64__
static long clone_into_cgroup(struct clone_args *how, void (*enter)(void *ctx), void *ctx)
{
    register long result __asm__("x0") = (long)how;
    register long size __asm__("x1") = (long)sizeof *how;
    register long number __asm__("x8") = SYS_clone3;

    __asm__ volatile("svc 0\n\t"
                     "cbnz x0, 1f\n\t"
                     "mov x29, xzr\n\t"
                     "mov x0, %[ctx]\n\t"
                     "blr %[enter]\n\t"
                     "brk 1\n"
                     "1:"
                     : "+r"(result)
                     : "r"(size), "r"(number), [enter] "r"(enter), [ctx] "r"(ctx)
                     : "memory", "cc", "x30");
    return result;
}
#elif defined __x86_64__
static long clone_into_cgroup(struct clone_args *how, void (*enter)(void *ctx), void *ctx)
{
    long result = SYS_clone3;

    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xor %%ebp, %%ebp\n\t"
                     "sub $128, %%rsp\n\t" /* what a function may use without saying so */
                     "and $-16, %%rsp\n\t"
                     "mov %[ctx], %%rdi\n\t"
                     "call *%[enter]\n\t"
                     "ud2\n"
                     "1:"
                     : "+a"(result)
                     : "D"(how), "S"(sizeof *how), [enter] "r"(enter), [ctx] "r"(ctx)
                     : "memory", "cc", "rcx", "r11");
    return result;
}
#else
static long clone_into_cgroup(struct clone_args *how, void (*enter)(void *ctx), void *ctx)
{
    (void)how, (void)enter, (void)ctx;
    return -ENOSYS;
}
#endif

/* AddressSanitizer marks the stack of functions that never return, and so ours. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define MARKS_STACK
#endif
#elif defined __SANITIZE_ADDRESS__
#define MARKS_STACK
#endif

#ifdef MARKS_STACK
#define SHARES_MEMORY UINT64_C(0)
#else
#define SHARES_MEMORY ((uint64_t)CLONE_VM | CLONE_VFORK)
#endif

/* A process started in the group of version 2; -1 when this kernel, or a filter before it, does
 * not have that. */
static pid_t start_in(const struct process_start *start, uint64_t flags)
{
    struct clone_args how = {.flags = CLONE_INTO_CGROUP | flags, .exit_signal = SIGCHLD};
    struct process_start in_v2 = *start;
    long pid = -1;
    int folder;

    if (start->group->v2[0] == '\0')
        return -1;
    folder = open(start->group->v2, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        how.cgroup = (__u64)folder;
        in_v2.in_v2 = true;
        pid = clone_into_cgroup(&how, join_and_become, &in_v2);
        (void)close(folder);
    }
    return pid > 0 ? (pid_t)pid : -1;
}

pid_t cgroup_start(const struct cgroup *group, bool execs, void (*become)(void *ctx), void *ctx)
{
    struct process_start start = {group, false, become, ctx};
    pid_t pid = start_in(&start, execs ? SHARES_MEMORY : 0);

    if (pid < 0)
        pid = fork();
    if (pid == 0)
        join_and_become(&start);
    return pid;
}

/* The group that says who is in it; NULL: there is none. */
static const char *read_listing(const struct cgroup *group)
{
    const char *folders[] = {group->v2, group->cpuacct, group->memory};

    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        if (folders[i][0] != '\0')
            return folders[i];
    }
    return NULL;
}

static void walk_procs(const char *folder, void (*each)(void *ctx, pid_t pid), void *ctx)
{
    char path[CGROUP_PATH + 64], buffer[4096];
    pid_t pid = 0;
    ssize_t got;
    int fd;

    if (!join_cgroup_path(path, sizeof path, folder, "cgroup.procs"))
        return;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    while ((got = read(fd, buffer, sizeof buffer)) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            if (is_digit(buffer[i])) {
                pid = pid * 10 + (buffer[i] - '0');
                continue;
            }
            if (pid > 0) /* 0: of a namespace that is not to be seen from here */
                each(ctx, pid);
            pid = 0;
        }
    }
    close(fd);
}

/* Do to each group below `folder`, the deepest first. */
static void walk_below(const char *folder, unsigned depth,
                       void (*each)(void *ctx, const char *), void *ctx)
{
    char path[CGROUP_PATH];
    struct stat info;
    const struct dirent *entry;
    DIR *names;

    /* A folder has a link from each of those in it: most groups have none. */
    if (depth == 0 || stat(folder, &info) != 0 || info.st_nlink <= 2)
        return;
    names = opendir(folder);
    if (names == NULL)
        return;
    while ((entry = readdir(names)) != NULL) {
        if (entry->d_type != DT_DIR || entry->d_name[0] == '.' ||
            !join_cgroup_path(path, sizeof path, folder, entry->d_name))
            continue;
        walk_below(path, depth - 1, each, ctx);
        each(ctx, path);
    }
    closedir(names);
}

struct walk {
    void (*each)(void *ctx, pid_t pid);
    void *ctx;
};

static void walk_group(void *ctx, const char *folder)
{
    const struct walk *walk = ctx;

    walk_procs(folder, walk->each, walk->ctx);
}

void cgroup_walk(const struct cgroup *group, void (*each)(void *ctx, pid_t pid), void *ctx)
{
    const char *folder = read_listing(group);
    struct walk walk = {each, ctx};

    if (folder == NULL)
        return;
    walk_procs(folder, each, ctx);
    walk_below(folder, DEPTH, walk_group, &walk);
}

static void count_members(void *ctx, pid_t pid)
{
    (void)pid;
    ++*(size_t *)ctx;
}

bool cgroup_empty(const struct cgroup *group)
{
    size_t processes = 0;

    cgroup_walk(group, count_members, &processes);
    return processes == 0;
}

static void kill_one(void *ctx, pid_t pid)
{
    (void)ctx;
    (void)kill(pid, SIGKILL);
}

void cgroup_kill(const struct cgroup *group)
{
    size_t before = 0, now;

    if (group->v2[0] != '\0' && write_cgroup_word(group->v2, "cgroup.kill", "1"))
        return;
    /* Those that are dying stay listed, those that were just born come along: again until there
     * are no more than before, which a program that forks without end delays but a little. */
    for (int i = 0; i < 64; i++) {
        cgroup_walk(group, kill_one, NULL);
        now = 0;
        cgroup_walk(group, count_members, &now);
        if (now <= before)
            return;
        before = now;
    }
}

static void remove_one(void *ctx, const char *folder)
{
    (void)ctx;
    (void)rmdir(folder);
}

static void remove_folder(char *folder)
{
    const struct timespec pause = {.tv_nsec = 2000000};

    for (int i = 0; i < 50 && folder[0] != '\0'; i++) {
        walk_below(folder, DEPTH, remove_one, NULL);
        if (rmdir(folder) == 0 || errno != EBUSY)
            break;
        (void)nanosleep(&pause, NULL);
    }
    folder[0] = '\0';
}

void cgroup_remove(struct cgroup *group)
{
    remove_folder(group->v2);
    remove_folder(group->cpuacct);
    remove_folder(group->memory);
}
