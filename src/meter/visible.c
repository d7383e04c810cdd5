#include "meter/visible.h"

#include <stdio.h>

#include "base/num.h"
#include "meter/gpu.h"
#include "meter/proc.h"

struct listing {
    const struct visible_device *devices;
    size_t count;
};

visible_set visible_all(size_t count)
{
    return count >= 64 ? ~(visible_set)0 : ((visible_set)1 << count) - 1;
}

/* The value of `name` in an environment as /proc/PID/environ has it (each "NAME=VALUE" ends
 * with a NUL). False when it is not set, which is not the same as empty. */
static bool visible_find(struct str environment, struct str name, struct str *value)
{
    while (environment.len > 0) {
        struct str entry = str_cut(&environment, '\0');

        if (entry.len > name.len && entry.at[name.len] == '=' && str_starts(entry, name)) {
            *value = (struct str){entry.at + name.len + 1, entry.len - name.len - 1};
            return true;
        }
    }
    return false;
}

/* A number of a list: not below zero. */
static bool as_index(struct str word, int64_t *out)
{
    return num_int(word, out) && *out >= 0;
}

/* All that belong to the `index`th entire device: itself, or its slices. */
static visible_set by_index(const struct listing *all, int64_t index)
{
    visible_set found = 0;

    for (size_t i = 0; i < all->count; i++)
        if (all->devices[i].index == index)
            found |= (visible_set)1 << i;
    return found;
}

/* The one whose identity starts with `word`; nothing when several do. An entire device that is
 * cut into slices means them. */
static visible_set by_uuid(const struct listing *all, struct str word)
{
    visible_set found = 0;
    size_t hits = 0;

    for (size_t i = 0; i < all->count; i++) {
        const struct visible_device *d = &all->devices[i];

        if (!str_starts(d->uuid, word))
            continue;
        hits++;
        found = d->slice ? (visible_set)1 << i : by_index(all, d->index);
        if (d->uuid.len == word.len)
            return found;
    }
    return hits == 1 ? found : 0;
}

/* "MIG-GPU-<uuid>/<instance>/<compute instance>", as drivers before 470 call a slice: which of
 * the device's slices it is cannot be seen from its numbers, so all of them may be. */
static visible_set by_old_mig(const struct listing *all, struct str word)
{
    struct str device = {word.at + 4, word.len - 4};

    device = str_cut(&device, '/');
    return by_uuid(all, device);
}

static visible_set by_word(const struct listing *all, struct str word)
{
    int64_t index;
    visible_set found;

    if (as_index(word, &index))
        return by_index(all, index);
    if (word.len == 0 || num_int(word, &index))
        return 0;
    found = by_uuid(all, word);
    if (found == 0 && str_starts(word, STR("MIG-GPU-")))
        found = by_old_mig(all, word);
    return found;
}

/* As CUDA reads a list: it ends at the first word that is no device (-1, one too many). */
static visible_set cuda_list(const struct listing *all, struct str list)
{
    visible_set found = 0;

    while (list.len > 0) {
        visible_set one = by_word(all, str_trim(str_cut(&list, ',')));

        if (one == 0)
            break;
        found |= one;
    }
    return found;
}

static bool has_index(struct str list)
{
    while (list.len > 0) {
        int64_t index;

        if (as_index(str_trim(str_cut(&list, ',')), &index))
            return true;
    }
    return false;
}

static bool several_models(const struct listing *all)
{
    for (size_t i = 1; i < all->count; i++)
        if (!all->devices[i].slice && !all->devices[0].slice &&
            !str_eq(all->devices[i].name, all->devices[0].name))
            return true;
    return false;
}

static int whole_devices(const struct listing *all)
{
    int last = -1, found = 0;

    for (size_t i = 0; i < all->count; i++) {
        found += all->devices[i].index != last;
        last = all->devices[i].index;
    }
    return found;
}

/* A list made outside the container or the job, with the machine's own numbers. Where the
 * container or the job shows only its own devices they are numbered anew, and the list no
 * longer applies: it does when it leaves some out, and names only what is there. */
static bool outer_list(const struct listing *all, struct str list, visible_set *out)
{
    visible_set found = 0;
    int words = 0;

    while (list.len > 0) {
        struct str word = str_trim(str_cut(&list, ','));
        visible_set one;

        word = str_cut(&word, ':'); /* "0:1": slice 1 of device 0 */
        one = by_word(all, word);
        if (one == 0)
            return false;
        found |= one;
        words++;
    }
    if (words == 0 || words >= whole_devices(all))
        return false;
    *out = found;
    return true;
}

/* "all", "none", "void", nothing, or a list: the argument of container runtimes. */
static bool runtime_list(const struct listing *all, struct str value, visible_set *out)
{
    value = str_trim(value);
    if (str_eq(value, STR("all")))
        return false;
    if (value.len == 0 || str_eq(value, STR("none")) || str_eq(value, STR("void"))) {
        *out = 0;
        return true;
    }
    return outer_list(all, value, out);
}

static bool nvidia_devices(struct str environment, const struct listing *all, visible_set *out)
{
    static const struct str outer[] = {
        {"SLURM_STEP_GPUS", 15}, {"SLURM_JOB_GPUS", 14}, {"GPU_DEVICE_ORDINAL", 18}};
    struct str value, order;

    if (visible_find(environment, STR("CUDA_VISIBLE_DEVICES"), &value)) {
        bool by_bus = visible_find(environment, STR("CUDA_DEVICE_ORDER"), &order) &&
                      str_eq(order, STR("PCI_BUS_ID"));

        if (!by_bus && has_index(value) && several_models(all))
            return false;
        *out = cuda_list(all, value);
        return true;
    }
    for (size_t i = 0; i < sizeof outer / sizeof *outer; i++)
        if (visible_find(environment, outer[i], &value) && outer_list(all, value, out))
            return true;
    return visible_find(environment, STR("NVIDIA_VISIBLE_DEVICES"), &value) &&
           runtime_list(all, value, out);
}

/* The devices of a list in its order, for a second list that counts among them. */
static size_t ordered_devices(const struct listing *all, struct str list, size_t *to)
{
    size_t count = 0;

    while (list.len > 0 && count < METER_GPUS) {
        visible_set one = by_word(all, str_trim(str_cut(&list, ',')));
        size_t at = 0;

        if (one == 0)
            break;
        while ((one >> at & 1) == 0)
            at++;
        to[count++] = at;
    }
    return count;
}

/* ROCR_VISIBLE_DEVICES chooses; what comes after it (HIP_VISIBLE_DEVICES, else
 * CUDA_VISIBLE_DEVICES, else GPU_DEVICE_ORDINAL) counts among those chosen. */
static bool amd_devices(struct str environment, const struct listing *all, visible_set *out)
{
    static const struct str inner[] = {
        {"HIP_VISIBLE_DEVICES", 19}, {"CUDA_VISIBLE_DEVICES", 20}, {"GPU_DEVICE_ORDINAL", 18}};
    size_t order[METER_GPUS], count = all->count, first = 0;
    struct str value;
    bool set = visible_find(environment, STR("ROCR_VISIBLE_DEVICES"), &value);
    visible_set found = 0;

    if (set)
        count = ordered_devices(all, value, order);
    else
        for (size_t i = 0; i < count; i++)
            order[i] = i;
    for (size_t i = 0; i < count; i++)
        found |= (visible_set)1 << order[i];
    while (first < 3 && !visible_find(environment, inner[first], &value))
        first++;
    if (first < 3) {
        set = true;
        found = 0;
        while (value.len > 0) {
            int64_t index;
            struct str word = str_trim(str_cut(&value, ','));

            if (!as_index(word, &index) || (uint64_t)index >= count)
                break;
            found |= (visible_set)1 << order[index];
        }
    }
    *out = found;
    return set;
}

static bool habana_devices(struct str environment, const struct listing *all, visible_set *out)
{
    struct str value;

    if (!visible_find(environment, STR("HABANA_VISIBLE_MODULES"), &value) ||
        str_eq(str_trim(value), STR("all")))
        return visible_find(environment, STR("HABANA_VISIBLE_DEVICES"), &value) &&
               runtime_list(all, value, out);
    *out = 0;
    while (value.len > 0) {
        int64_t module;

        if (!as_index(str_trim(str_cut(&value, ',')), &module))
            continue;
        for (size_t i = 0; i < all->count; i++)
            if (all->devices[i].module == module)
                *out |= (visible_set)1 << i;
    }
    return true;
}

bool visible_devices(enum visible_vendor vendor, struct str environment,
                     const struct visible_device *devices, size_t count, visible_set *out)
{
    struct listing all = {devices, count > METER_GPUS ? METER_GPUS : count};
    bool set = false;

    switch (vendor) {
    case VISIBLE_NVIDIA:
        set = nvidia_devices(environment, &all, out);
        break;
    case VISIBLE_AMD:
        set = amd_devices(environment, &all, out);
        break;
    case VISIBLE_HABANA:
        set = habana_devices(environment, &all, out);
        break;
    }
    if (!set)
        *out = visible_all(all.count);
    return set;
}

/* ---- the devices of a tree ---- */

/* The environment of a process: those longer than this are read only in part. */
#define ENVIRONMENT_MAX 65536
#define MEMBERS_EACH_LOOK 4
#define MEMBERS_MAX 256

/* Adds what a process may use. False when it cannot be read. */
static bool ask_vendor(struct gpu_sight *sight, const char *process)
{
    char path[PROC_PATH], text[ENVIRONMENT_MAX];
    visible_set set;
    struct str environment;

    (void)snprintf(path, sizeof path, "%s/proc/%s/environ", sight->root, process);
    environment = proc_file(path, text, sizeof text);
    if (visible_devices(sight->vendor, environment, sight->devices, sight->count, &set)) {
        sight->gathering |= set;
        sight->answered = true;
    }
    return environment.len > 0;
}

/* A round is over: the sum of their values counts until the next one is. */
static void settle_device(struct gpu_sight *sight)
{
    sight->now = sight->answered ? sight->gathering : visible_all(sight->count);
    sight->gathering = 0;
    sight->answered = sight->heard = false;
    sight->next = 0;
}

void gpu_sight_open(struct gpu_sight *sight, const struct meter_options *options)
{
    sight->root = options->root == NULL ? "" : options->root;
    sight->all = options->tree == 0;
    sight->gathering = 0;
    sight->answered = false;
    if (!sight->all)
        (void)ask_vendor(sight, "self");
    settle_device(sight);
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
        if (ask_vendor(sight, name))
            sight->heard = true;
    }
    if (sight->next < count)
        return;
    if (sight->heard)
        settle_device(sight);
    else
        sight->next = 0;
}
