/* The devices of all vendors: their energy, and which part of it is the tree's. */
#include "meter/gpu.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "meter/proc.h"

#define MOST_WATTS 20000.0     /* no device draws this */
#define STALE (30 * SECOND)    /* power that was looked at so long ago says little */
#define LEAST_PART 0.5         /* of what power says, while the sum is ahead of the counter, */
#define MOST_PART 1.5          /* and while it is behind */
#define PURSE_MOST 1           /* seconds it can be filled for */
#define PURSE_LEAST (2 * 60.0) /* and in debt for */

bool gpu_has_path(const struct meter_options *options, const char *path)
{
    char full[PROC_PATH];

    (void)snprintf(full, sizeof full, "%s%s", options->root == NULL ? "" : options->root, path);
    return fs_exists(full);
}

static double gpu_seconds_between(instant from, instant to)
{
    return (double)span_between(from, to).ns / 1e9;
}

static void take_energy_counter(struct gpu_energy *energy, double counter, instant now)
{
    if (energy->has_count) {
        double more = counter - energy->counter;

        if (more >= 0 && more <= MOST_WATTS * (1 + gpu_seconds_between(energy->counted, now)))
            energy->known = energy->base + more;
    }
    /* When power was sampled before, the counter goes on from there. */
    energy->base = energy->known;
    energy->counter = counter;
    energy->counted = now;
    energy->has_count = true;
    energy->passed = 0;
}

/* What power says was used since it was last looked at. */
static double take_power(struct gpu_energy *energy, double watts, instant now)
{
    double time = energy->has_watts ? gpu_seconds_between(energy->at, now) : 0, more = 0;

    if (isnan(watts))
        return 0;
    if (time > 0)
        more = (energy->watts + watts) / 2 * time;
    energy->watts = watts;
    energy->at = now;
    energy->has_watts = true;
    return more;
}

void gpu_energy_look(struct gpu_energy *energy, const struct gpu_reading *reading, instant now)
{
    bool read = !isnan(reading->counter), powered = !isnan(reading->watts);
    bool at_once = !reading->counts || (read && (reading->exact || !powered)) ||
                   (read && energy->passed == 0);
    double more = take_power(energy, reading->watts, now), step;

    energy->begun = energy->begun || read || powered;
    energy->known += more;
    if (read)
        take_energy_counter(energy, reading->counter, now);
    else
        energy->passed += energy->has_count;
    step = energy->known - energy->joules;
    if (at_once)
        energy->joules += fmax(step, 0);
    else
        energy->joules += fmin(fmax(step, more * LEAST_PART), more * MOST_PART);
    if (energy->begun)
        energy->method = energy->has_count && reading->counts ? METHOD_COUNTER : METHOD_SAMPLED;
}

bool gpu_energy_stale(const struct gpu_energy *energy, instant now)
{
    return energy->has_watts && span_between(energy->at, now).ns > STALE;
}

void gpu_energy_report(const struct gpu_energy *energy, bool known, struct gpu_sample *sample)
{
    if (!known || !energy->begun) {
        sample->joules = sample->error = NAN;
        sample->joules_method = METHOD_NONE;
        return;
    }
    sample->joules = energy->joules;
    sample->joules_method = energy->method;
    sample->error = energy->method == METHOD_COUNTER ? GPU_ERROR_COUNTER : GPU_ERROR_SAMPLED;
}

struct gpu_purse gpu_purse_of(const struct meter_options *options)
{
    return (struct gpu_purse){.work = options->work == NULL ? clock_work : options->work};
}

void gpu_purse_fill(struct gpu_purse *purse, instant now)
{
    if (!purse->begun)
        purse->seconds = GPU_PACE * PURSE_MOST;
    else
        purse->seconds = fmin(purse->seconds + GPU_PACE * gpu_seconds_between(purse->at, now),
                              GPU_PACE * PURSE_MOST);
    purse->begun = true;
    purse->at = now;
}

void gpu_purse_begin(struct gpu_purse *purse)
{
    purse->before = purse->work();
}

void gpu_purse_end(struct gpu_purse *purse)
{
    double cost = (double)(purse->work().ns - purse->before.ns) / 1e9;

    /* One call that hung for a second must not silence the meter for an hour. */
    purse->seconds = fmax(purse->seconds - cost, -GPU_PACE * PURSE_LEAST);
}

/* ---- the users of a device, and their part of its energy ---- */

#define KEEP (10 * SECOND) /* what was found out about a process holds for so long */
#define ASKED_MAX 64       /* of the tree that are asked for their numbers elsewhere */
#define FILES_MAX 512      /* descriptors of a process that are looked at */

enum owner {
    OWNER_OTHER,   /* another process that we can see */
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
    ssize_t len;

    (void)snprintf(path, sizeof path, "%s/proc/self/ns/pid", owners.root);
    len = readlink(path, link, sizeof link);
    space = (struct str){link, len < 0 ? 0 : (size_t)len};
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

    for (size_t i = 0; i < count && i < ASKED_MAX; i++) {
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

static enum owner find_gpu_owner(const struct gpu_owners *owners, const struct tree *tree,
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
        /* The driver reports its work once more when it has ended. */
        owners->known[at].pid = pid;
        owners->known[at].owner = OWNER_TREE;
        owners->known[at].until.ns = now.ns + KEEP;
        return OWNER_TREE;
    }
    if (owners->known[at].pid != pid || now.ns >= owners->known[at].until.ns) {
        owners->known[at].pid = pid;
        owners->known[at].owner = (char)find_gpu_owner(owners, tree, pid);
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
    for (size_t i = 0; i < count && i < ASKED_MAX && !owners->opened; i++)
        owners->opened = process_has_open(owners, members[i]);
    return owners->opened;
}

/* Sums over the users of a device: all of them, and those of the tree. */
struct sums {
    double busy, our_busy, memory, our_memory;
};

/* What part of a device that several use is ours. Work counts where it is known and a process
 * works; memory counts where work is never known; an idle device is shared by all alike, and so
 * is one whose work the driver has not reported yet. */
static void split_energy(const struct gpu_users *users, const struct sums *sums,
                         double device_busy, struct gpu_part *part)
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
    part->method = METHOD_MODELED;
    part->own = device_busy != 0 && sums->memory > 0 ? sums->our_memory / sums->memory : alike;
    if (isnan(part->own))
        part->own = alike;
}

/* The tree's part of all work that the driver reported; NaN when it did not. Parts of a busy
 * device add up to 1 over all that worked, whatever the driver's percentages come to. */
static double measured_share(struct gpu_owners *owners, const struct tree *tree,
                             const struct gpu_users *users, const struct gpu_part *part,
                             instant now)
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

/* Is a device whose users are not known the tree's? In a container the driver names processes
 * by numbers that mean nothing here, or none at all; elsewhere it may name none to us. Then
 * what is visible and in use is taken to be ours, and marked as a guess. */
static bool guess_share(struct gpu_owners *owners, const struct tree *tree,
                        const struct gpu_users *users, const struct gpu_sample *device,
                        instant now)
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
    part.measured = measured_share(owners, tree, users, &part, now);
    if (owners->all || (part.ours > 0 && part.ours == part.processes)) {
        part.own = 1;
        part.busy = device->busy;
    } else if (part.ours > 0) {
        part.busy = NAN;
        split_energy(users, &sums, device->busy, &part);
    } else if (visible && part.processes == foreign &&
               guess_share(owners, tree, users, device, now)) {
        int some = foreign > 0 ? foreign : 1;

        return (struct gpu_part){.processes = some,
                                 .ours = some,
                                 .own = 1,
                                 .method = METHOD_MODELED,
                                 .busy = device->busy,
                                 .memory = device->memory,
                                 .served = part.served,
                                 .measured = NAN};
    }
    if (!users->known)
        part.processes = part.ours = -1;
    return part;
}

struct gpu_sample gpu_unknown(const char *vendor, int index)
{
    return (struct gpu_sample){
        .vendor = vendor,
        .index = index,
        .part = 1,
        .use = GPU_VISIBLE,
        .joules = NAN,
        .error = NAN,
        .share = NAN,
        .watts = NAN,
        .limit_watts = NAN,
        .busy = NAN,
        .tree_busy = NAN,
        .memory = NAN,
        .memory_total = NAN,
        .tree_memory = NAN,
        .clock_mhz = NAN,
        .clock_max_mhz = NAN,
        .celsius = NAN,
        .throttle = -1,
        .processes = -1,
        .tree_processes = -1,
    };
}

/* Of `used` joules of the device `ours` are assumed to be the tree's: with what is owed from
 * before. */
static double make_up(struct gpu_share *share, const struct gpu_part *part, double used,
                      double ours)
{
    double reported = ours + share->owed;

    share->open += used;
    share->open_own += ours;
    if (!isnan(part->measured))
        reported += share->open * part->measured - share->open_own;
    if (!isnan(part->measured) || part->opens || part->processes <= part->ours)
        share->open = share->open_own = 0;
    share->owed = 0;
    if (!part->exact && (reported < 0 || reported > used)) {
        share->owed = reported < 0 ? reported : reported - used;
        reported -= share->owed;
    }
    return reported;
}

void gpu_share_add(struct gpu_share *share, const struct gpu_part *part,
                   struct gpu_sample *sample)
{
    bool uses = part->ours > 0 || part->own > 0;
    double own = part->own;

    /* A process came or went since the last look: when is not known. */
    if (share->begun && (share->own > 0) != (own > 0))
        own = (share->own + own) / 2;
    if (!share->begun)
        share->method = METHOD_COUNTER;
    if (own > 0 && part->method < share->method)
        share->method = part->method;
    if (!isnan(sample->joules)) {
        if (share->begun) /* what a device used before the first look counts for none */
            share->joules += make_up(share, part, sample->joules - share->seen,
                                     (sample->joules - share->seen) * own);
        share->seen = sample->joules;
    }
    share->own = part->own;
    share->begun = true;
    share->used = share->used || uses;
    share->shared = share->shared || (uses && part->processes > part->ours);
    sample->use = !share->used ? GPU_VISIBLE : share->shared ? GPU_SHARED : GPU_OURS;
    sample->share = share->seen > 0 ? share->joules / share->seen : part->own;
    sample->share_method = share->method;
    sample->processes = part->processes;
    sample->tree_processes = part->ours;
    sample->tree_busy = part->busy;
    sample->tree_memory = part->memory;
}
