/* Whose a device is: who of its users are of the tree, and what part of its energy is
 * theirs. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/num.h"
#include "meter/gpu.h"
#include "meter/proc_file.h"

#define SECOND INT64_C(1000000000)
#define KEEP (10 * SECOND) /* what was found out about a process holds for so long */
#define MEMBERS_MAX 64     /* of the tree that are asked for their numbers elsewhere */
#define FILES_MAX 512      /* descriptors of a process that are looked at */

enum owner {
    OWNER_OTHER,   /* somebody else, whom we can see */
    OWNER_TREE,    /* ours */
    OWNER_NOBODY,  /* a service that works for others and draws nothing itself */
    OWNER_FOREIGN, /* a number that is no process here */
};

void gpu_users_add(struct gpu_users *users, int64_t pid, double memory)
{
    struct gpu_user *user = gpu_users_find(users, pid);

    if (user != NULL) {
        /* The same process in another list of the vendor's: the same memory. */
        if (!(user->memory >= memory))
            user->memory = memory;
        return;
    }
    if (users->count < GPU_USERS)
        users->user[users->count++] = (struct gpu_user){pid, memory, NAN};
}

struct gpu_user *gpu_users_find(struct gpu_users *users, int64_t pid)
{
    for (size_t i = 0; i < users->count; i++)
        if (users->user[i].pid == pid)
            return &users->user[i];
    return NULL;
}

struct gpu_owners gpu_owners_of(const struct meter_options *options, const char *node)
{
    struct gpu_owners owners = {.root = options->root == NULL ? "" : options->root,
                                .node = {node, NULL},
                                .all = options->tree == 0};
    char path[PROC_PATH], link[64];
    struct str space;

    (void)snprintf(path, sizeof path, "%s/proc/self/ns/pid", owners.root);
    space = proc_link(path, link, sizeof link);
    /* The kernel's first namespace has this number, always. */
    owners.nested = space.len > 0 && !str_eq(space, STR("pid:[4026531836]"));
    return owners;
}

/* Does a member of the tree go by this number in a namespace further in or out? */
static bool member_called(const struct gpu_owners *owners, const struct tree *tree, int64_t pid)
{
    const pid_t *members;
    size_t count = tree_members(tree, &members);
    char path[PROC_PATH], text[4096];

    for (size_t i = 0; i < count && i < MEMBERS_MAX; i++) {
        struct str rest;

        (void)snprintf(path, sizeof path, "%s/proc/%ld/status", owners->root, (long)members[i]);
        rest = proc_file(path, text, sizeof text);
        while (rest.len > 0) {
            struct str line = str_cut(&rest, '\n'), word = str_cut(&line, '\t');
            int64_t number;

            if (!str_eq(word, STR("NSpid:")))
                continue;
            while (line.len > 0)
                if (num_int(str_cut(&line, '\t'), &number) && number == pid)
                    return true;
            break;
        }
    }
    return false;
}

static enum owner find_out(const struct gpu_owners *owners, const struct tree *tree,
                           int64_t pid)
{
    char path[PROC_PATH], text[64];
    struct str comm;

    (void)snprintf(path, sizeof path, "%s/proc/%lld/comm", owners->root, (long long)pid);
    comm = proc_file(path, text, sizeof text);
    if (comm.len == 0) /* no process of ours has this number */
        return tree != NULL && member_called(owners, tree, pid) ? OWNER_TREE : OWNER_FOREIGN;
    if (str_starts(comm, STR("nvidia-cuda-mps"))) /* its clients are listed themselves */
        return OWNER_NOBODY;
    return OWNER_OTHER;
}

static enum owner owner_of(struct gpu_owners *owners, const struct tree *tree, int64_t pid,
                           instant now)
{
    size_t slots = sizeof owners->known / sizeof *owners->known,
           at = (size_t)((uint64_t)pid % slots);

    if (tree != NULL && pid > 0 && pid <= INT32_MAX && tree_has(tree, (pid_t)pid)) {
        /* The driver tells of its work once more when it has ended. */
        owners->known[at].pid = pid;
        owners->known[at].owner = OWNER_TREE;
        owners->known[at].until.ns = now.ns + KEEP;
        return OWNER_TREE;
    }
    if (owners->known[at].pid != pid || now.ns >= owners->known[at].until.ns) {
        owners->known[at].pid = pid;
        owners->known[at].owner = (char)find_out(owners, tree, pid);
        owners->known[at].until.ns = now.ns + KEEP;
    }
    return (enum owner)owners->known[at].owner;
}

static bool process_has_open(const struct gpu_owners *owners, pid_t pid)
{
    char path[PROC_PATH], link[64];
    const struct dirent *entry;
    bool found = false;
    DIR *folder;
    int looked = 0;

    (void)snprintf(path, sizeof path, "%s/proc/%ld/fd", owners->root, (long)pid);
    folder = opendir(path);
    if (folder == NULL)
        return false;
    while (!found && looked++ < FILES_MAX && (entry = readdir(folder)) != NULL) {
        ssize_t len = readlinkat(dirfd(folder), entry->d_name, link, sizeof link);

        for (size_t i = 0; i < 2 && len > 0; i++)
            found = found || (owners->node[i] != NULL && str_eq((struct str){link, (size_t)len},
                                                                str_from(owners->node[i])));
    }
    (void)closedir(folder);
    return found;
}

bool gpu_tree_has_open(struct gpu_owners *owners, const struct tree *tree, instant now)
{
    const pid_t *members = NULL;
    size_t count = owners->node[0] == NULL || tree == NULL ? 0 : tree_members(tree, &members);

    if (now.ns < owners->opened_until.ns)
        return owners->opened;
    owners->opened = false;
    owners->opened_until.ns = now.ns + 5 * SECOND;
    for (size_t i = 0; i < count && i < MEMBERS_MAX && !owners->opened; i++)
        owners->opened = process_has_open(owners, members[i]);
    return owners->opened;
}

/* Sums over the users of a device: all of them, and those of the tree. */
struct sums {
    double busy, our_busy, memory, our_memory;
};

/* What part of a device that several use is ours. Work counts where it is known and somebody
 * works; memory stands for it where it never is; an idle device is everybody's alike, and so is
 * one whose work the driver has not told of yet. */
static void split(const struct gpu_users *users, const struct sums *sums, double device_busy,
                  struct gpu_part *part)
{
    double alike = (double)part->ours / part->processes;

    if (users->busy) {
        part->method = METHOD_SAMPLED;
        part->own = sums->busy > 0 ? sums->our_busy / sums->busy : alike;
        part->busy = sums->our_busy < 1 ? sums->our_busy : 1;
        return;
    }
    if (users->tells) {
        part->method = METHOD_SAMPLED;
        part->own = alike;
        return;
    }
    part->method = METHOD_MODELLED;
    part->own = device_busy != 0 && sums->memory > 0 ? sums->our_memory / sums->memory : alike;
    if (isnan(part->own))
        part->own = alike;
}

/* The tree's part of all work that the driver told of; NaN when it did not. Parts of a busy
 * device add up to 1 over everybody who worked, whatever the driver's percentages come to. */
static double measured(struct gpu_owners *owners, const struct tree *tree,
                       const struct gpu_users *users, const struct gpu_part *part, instant now)
{
    double ours = 0, all = 0;

    if (!users->fresh)
        return NAN;
    for (size_t i = 0; i < users->worked_count; i++) {
        enum owner owner = owner_of(owners, tree, users->worked[i].pid, now);

        if (owner == OWNER_NOBODY)
            continue;
        all += users->worked[i].busy;
        if (owner == OWNER_TREE || owners->all)
            ours += users->worked[i].busy;
    }
    if (all > 0)
        return ours / all;
    return part->processes > 0 ? (double)part->ours / part->processes : NAN;
}

/* Something computes on it, or holds more of its memory than the driver itself does. */
static bool in_use(const struct gpu_sample *device)
{
    return device->busy > 0 || device->memory > device->memory_total / 100;
}

/* Is a device whose users cannot be told the tree's? In a container the driver names processes
 * by numbers that mean nothing here, or none at all; elsewhere it may name nobody to us. Then
 * what is visible and in use is taken to be ours, and said to be a guess. */
static bool guess(struct gpu_owners *owners, const struct tree *tree,
                  const struct gpu_users *users, const struct gpu_sample *device, instant now)
{
    if (users->known && users->count > 0)
        return owners->nested; /* none of them is a process here */
    return (owners->nested || !users->known) && in_use(device) &&
           gpu_tree_has_open(owners, tree, now);
}

struct gpu_part gpu_part_of(struct gpu_owners *owners, const struct tree *tree,
                            const struct gpu_users *users, bool visible,
                            const struct gpu_sample *device, instant now)
{
    struct gpu_part part = {.method = METHOD_COUNTER, .opens = users->opens};
    struct sums sums = {0};
    int foreign = 0;

    for (size_t i = 0; i < users->count; i++) {
        const struct gpu_user *user = &users->user[i];
        enum owner owner = owner_of(owners, tree, user->pid, now);
        double busy = isnan(user->busy) ? 0 : user->busy;

        if (owner == OWNER_NOBODY) {
            part.served = true;
            continue;
        }
        part.processes++;
        foreign += owner == OWNER_FOREIGN;
        sums.busy += busy;
        sums.memory += user->memory;
        if (owner == OWNER_TREE || owners->all) {
            part.ours++;
            sums.our_busy += busy;
            sums.our_memory += user->memory;
        }
    }
    part.memory = sums.our_memory;
    part.measured = measured(owners, tree, users, &part, now);
    if (owners->all || (part.ours > 0 && part.ours == part.processes)) {
        part.own = 1;
        part.busy = device->busy;
    } else if (part.ours > 0) {
        part.busy = NAN;
        split(users, &sums, device->busy, &part);
    } else if (visible && part.processes == foreign &&
               guess(owners, tree, users, device, now)) {
        int some = foreign > 0 ? foreign : 1;

        return (struct gpu_part){.processes = some,
                                 .ours = some,
                                 .own = 1,
                                 .method = METHOD_MODELLED,
                                 .busy = device->busy,
                                 .memory = device->memory,
                                 .served = part.served,
                                 .measured = NAN};
    }
    if (!users->known)
        part.processes = part.ours = -1;
    return part;
}
