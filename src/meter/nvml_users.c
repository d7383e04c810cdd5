/* The processes of a device, and how busy each of them keeps it. */
#include <math.h>
#include <string.h>

#include "meter/nvml.h"

#define WORK_PERIOD INT64_C(5000000000) /* from one word on the processes' work to the next */

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

/* Notes how busy each process kept the device since it was last asked: the mean of what is
 * told, and nothing is told of a process that did nothing. */
static void ask_work(struct nvml *nvml, struct nvml_unit *unit, instant now)
{
    struct nvml_process_use use[GPU_USERS];
    unsigned count = GPU_USERS;
    unsigned long long last = unit->seen;
    int status;

    memset(use, 0, sizeof use);
    gpu_purse_begin(&nvml->work_purse);
    status = nvml->library.process_use(unit->handle, use, &count, unit->seen);
    gpu_purse_end(&nvml->work_purse);
    unit->asked = now;
    unit->asked_ever = true;
    if (status == NVML_NOT_FOUND) /* nobody did anything */
        count = 0;
    else if (!nvml_answered(unit, ASK_PROCESS_USE, status))
        return;
    unit->works = 0;
    for (unsigned i = 0; i < count && i < GPU_USERS; i++) {
        unsigned at = 0;

        if (use[i].at > last)
            last = use[i].at;
        if (use[i].sm > 100 || use[i].at <= unit->seen)
            continue;
        while (at < unit->works && unit->work[at].pid != use[i].pid)
            at++;
        if (at == unit->works) {
            unit->work[at].pid = use[i].pid;
            unit->work[at].percent = unit->work[at].samples = 0;
            unit->works++;
        }
        unit->work[at].percent += use[i].sm;
        unit->work[at].samples++;
    }
    unit->seen = last;
    unit->worded = true;
}

/* Is another device with several users waiting longer? */
static bool others_first(const struct nvml *nvml, const struct nvml_unit *unit)
{
    for (size_t i = 0; i < nvml->count; i++) {
        const struct nvml_unit *other = &nvml->unit[i];

        if (other->several && other->asked_ever && nvml_may(other, ASK_PROCESS_USE) &&
            other->asked.ns < unit->asked.ns)
            return true;
    }
    return false;
}

static bool may_ask(const struct nvml *nvml, const struct nvml_unit *unit, instant now)
{
    if (!unit->asked_ever) /* until there is a word, memory stands for work */
        return true;
    return gpu_purse_may(&nvml->work_purse) && now.ns - unit->asked.ns >= WORK_PERIOD &&
           !others_first(nvml, unit);
}

/* How busy each user keeps the device, by the last word on it. */
static void add_work(struct nvml *nvml, struct nvml_unit *unit, instant now, bool exact)
{
    if (nvml_may(unit, ASK_PROCESS_USE) && (exact || may_ask(nvml, unit, now)))
        ask_work(nvml, unit, now);
    nvml->users.busy = unit->worded && nvml_may(unit, ASK_PROCESS_USE);
    for (size_t i = 0; nvml->users.busy && i < nvml->users.count; i++)
        nvml->users.user[i].busy = 0;
    for (unsigned i = 0; nvml->users.busy && i < unit->works; i++) {
        struct gpu_user *user = gpu_users_find(&nvml->users, unit->work[i].pid);

        if (user != NULL)
            user->busy = unit->work[i].percent / 100.0 / unit->work[i].samples;
    }
}

void nvml_users(struct nvml *nvml, struct nvml_unit *unit, instant now, bool exact)
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
    unit->several = nvml->users.count > 1;
    if (unit->several) /* one alone has done all that was done */
        add_work(nvml, unit, now, exact);
}
