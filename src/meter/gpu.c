#include "meter/gpu.h"

#include <math.h>
#include <stdio.h>

#include "meter/proc_file.h"

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
    double told = ours + share->owed;

    share->open += used;
    share->open_own += ours;
    if (!isnan(part->measured))
        told += share->open * part->measured - share->open_own;
    if (!isnan(part->measured) || part->opens || part->processes <= part->ours)
        share->open = share->open_own = 0;
    share->owed = 0;
    if (!part->exact && (told < 0 || told > used)) {
        share->owed = told < 0 ? told : told - used;
        told -= share->owed;
    }
    return told;
}

void gpu_share_add(struct gpu_share *share, const struct gpu_part *part,
                   struct gpu_sample *sample)
{
    bool uses = part->ours > 0 || part->own > 0;
    double own = part->own;

    /* Somebody came or went since the last look: when, nobody knows. */
    if (share->begun && (share->own > 0) != (own > 0))
        own = (share->own + own) / 2;
    if (!share->begun)
        share->method = METHOD_COUNTER;
    if (own > 0 && part->method < share->method)
        share->method = part->method;
    if (!isnan(sample->joules)) {
        if (share->begun) /* what a device used before it was looked at is nobody's */
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

/* The environment of a process: those longer than this are read only in part. */
#define ENVIRONMENT_MAX 65536
#define MEMBERS_EACH_LOOK 4
#define MEMBERS_MAX 256

/* Adds what a process may use. False when it cannot be read. */
static bool ask(struct gpu_sight *sight, const char *process)
{
    char path[PROC_PATH], text[ENVIRONMENT_MAX];
    visible_set set;
    struct str environment;

    (void)snprintf(path, sizeof path, "%s/proc/%s/environ", sight->root, process);
    environment = proc_file(path, text, sizeof text);
    if (visible_devices(sight->vendor, environment, sight->devices, sight->count, &set)) {
        sight->gathering |= set;
        sight->said = true;
    }
    return environment.len > 0;
}

/* A round is over: what all of them said together counts until the next one is. */
static void settle(struct gpu_sight *sight)
{
    sight->now = sight->said ? sight->gathering : visible_all(sight->count);
    sight->gathering = 0;
    sight->said = sight->heard = false;
    sight->next = 0;
}

void gpu_sight_open(struct gpu_sight *sight, const struct meter_options *options)
{
    sight->root = options->root == NULL ? "" : options->root;
    sight->all = options->tree == 0;
    sight->gathering = 0;
    sight->said = false;
    if (!sight->all)
        (void)ask(sight, "self");
    settle(sight);
}

void gpu_sight_look(struct gpu_sight *sight, const struct tree *tree)
{
    const pid_t *members = NULL;
    size_t count = tree == NULL ? 0 : tree_members(tree, &members);
    char name[24];

    if (sight->all || count == 0)
        return;
    if (count > MEMBERS_MAX)
        count = MEMBERS_MAX;
    for (size_t i = 0; i < MEMBERS_EACH_LOOK && sight->next < count; i++) {
        (void)snprintf(name, sizeof name, "%ld", (long)members[sight->next++]);
        if (ask(sight, name))
            sight->heard = true;
    }
    if (sight->next < count)
        return;
    if (sight->heard)
        settle(sight);
    else
        sight->next = 0;
}
