/* The processes of a device, and how busy each of them keeps it. */
#include <math.h>
#include <string.h>

#include "meter/nvml.h"

/* The first drivers of the 535 series made the entries of a list longer and did not say so: the
 * second entry then seems to be of process 0. */
static bool longer(const struct nvml_process *list, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        if (list[i].pid == 0)
            return true;
    return false;
}

static double bytes_of(unsigned long long memory)
{
    return memory == NVML_UNKNOWN64 ? NAN : (double)memory;
}

/* Adds those of one list. `old`: the entries have no slice. */
static bool add_list(struct nvml *nvml, struct nvml_unit *unit, enum nvml_ask ask,
                     nvml_processes *list, bool old)
{
    union {
        struct nvml_process_v1 v1[GPU_USERS];
        struct nvml_process v2[GPU_USERS];
        struct nvml_process_535 v535[GPU_USERS];
    } got;
    unsigned count = GPU_USERS;
    int status;

    if (!nvml_may(unit, ask))
        return false;
    memset(&got, 0, sizeof got);
    status = list(unit->handle, &count, &got);
    /* More than we have room for: the device is shared by very many, and the list is not filled
     * in. Nobody can be told apart then. */
    if (!nvml_answered(unit, ask, status))
        return false;
    if (count > GPU_USERS)
        count = GPU_USERS;
    for (unsigned i = 0; i < count; i++)
        if (old)
            gpu_users_add(&nvml->users, got.v1[i].pid, bytes_of(got.v1[i].memory));
        else if (longer(got.v2, count))
            gpu_users_add(&nvml->users, got.v535[i].process.pid,
                          bytes_of(got.v535[i].process.memory));
        else
            gpu_users_add(&nvml->users, got.v2[i].pid, bytes_of(got.v2[i].memory));
    return true;
}

/* Adds how busy each process kept the device since it was last asked: the mean of what is told,
 * and nothing is told of a process that did nothing. */
static void add_work(struct nvml *nvml, struct nvml_unit *unit)
{
    struct nvml_process_use use[GPU_USERS];
    unsigned count = GPU_USERS, samples[GPU_USERS] = {0};
    unsigned long long last = unit->seen;
    int status;

    if (!nvml_may(unit, ASK_PROCESS_USE))
        return;
    memset(use, 0, sizeof use);
    status = nvml->library.process_use(unit->handle, use, &count, unit->seen);
    if (status == NVML_NOT_FOUND) /* nobody did anything */
        count = 0;
    else if (!nvml_answered(unit, ASK_PROCESS_USE, status))
        return;
    for (size_t i = 0; i < nvml->users.count; i++)
        nvml->users.user[i].busy = 0;
    for (unsigned i = 0; i < count && i < GPU_USERS; i++) {
        struct gpu_user *user = gpu_users_find(&nvml->users, use[i].pid);
        size_t at;

        if (use[i].at > last)
            last = use[i].at;
        if (user == NULL || use[i].sm > 100 || use[i].at <= unit->seen)
            continue;
        at = (size_t)(user - nvml->users.user);
        user->busy = (user->busy * samples[at] + use[i].sm / 100.0) / (samples[at] + 1);
        samples[at]++;
    }
    unit->seen = last;
    nvml->users.busy = true;
}

void nvml_users(struct nvml *nvml, struct nvml_unit *unit)
{
    const struct nvml_library *l = &nvml->library;
    bool compute, graphics;

    nvml->users.count = 0;
    nvml->users.busy = false;
    compute = add_list(nvml, unit, ASK_COMPUTE, l->compute, l->old_compute);
    graphics = add_list(nvml, unit, ASK_GRAPHICS, l->graphics, l->old_graphics);
    nvml->users.known = compute || graphics;
    if (unit->served)
        (void)add_list(nvml, unit, ASK_CLIENTS, l->clients, l->old_clients);
    if (nvml->users.count > 1) /* one alone has done all that was done */
        add_work(nvml, unit);
}
