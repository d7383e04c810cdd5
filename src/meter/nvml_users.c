/* The processes of a device, and how busy each of them keeps it. */
#include <math.h>
#include <string.h>

#include "meter/nvml.h"

#define WORK_PERIOD INT64_C(5000000000) /* from one word on the processes' work to the next */
#define WORK_FIRST INT64_C(1000000000)  /* to the first one */

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

/* One of them did so much of the time that the answer is about: the mean, where it has several
 * entries. */
static void add_worked(struct nvml_unit *unit, unsigned pid, unsigned percent)
{
    unsigned at = 0;

    while (at < unit->works && unit->work[at].pid != pid)
        at++;
    if (at == unit->works) {
        unit->work[at].pid = pid;
        unit->work[at].percent = unit->work[at].samples = 0;
        unit->works++;
    }
    unit->work[at].percent += percent;
    unit->work[at].samples++;
}

/* Notes how busy each process kept the device since it was last asked; nothing is told of one
 * that did nothing. False when it cannot be told. */
static bool ask_work(struct nvml *nvml, struct nvml_unit *unit, instant now)
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
        return false;
    unit->works = 0;
    for (unsigned i = 0; i < count && i < GPU_USERS; i++) {
        if (use[i].at > last)
            last = use[i].at;
        if (use[i].sm <= 100 && use[i].at > unit->seen)
            add_worked(unit, use[i].pid, use[i].sm);
    }
    unit->seen = last;
    return true;
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
    if (!unit->asked_ever)
        return true;
    return gpu_purse_may(&nvml->work_purse) &&
           now.ns - unit->asked.ns >= (unit->worded ? WORK_PERIOD : WORK_FIRST) &&
           !others_first(nvml, unit);
}

static double share_of_time(const struct nvml_unit *unit, unsigned at)
{
    return unit->work[at].percent / 100.0 / unit->work[at].samples;
}

/* What the driver has just told, for those that are there and those that have ended. */
static void tell_work(struct nvml *nvml, const struct nvml_unit *unit)
{
    struct gpu_users *users = &nvml->users;

    users->fresh = true;
    for (unsigned i = 0; i < unit->works; i++)
        users->worked[users->worked_count++] =
            (struct gpu_user){unit->work[i].pid, NAN, share_of_time(unit, i)};
}

/* How busy each user keeps the device, by the last word on it. */
static void assume_work(struct nvml *nvml, const struct nvml_unit *unit)
{
    nvml->users.tells = nvml_may(unit, ASK_PROCESS_USE);
    nvml->users.busy = unit->worded && nvml->users.tells;
    for (size_t i = 0; nvml->users.busy && i < nvml->users.count; i++)
        nvml->users.user[i].busy = 0;
    for (unsigned i = 0; nvml->users.busy && i < unit->works; i++) {
        struct gpu_user *user = gpu_users_find(&nvml->users, unit->work[i].pid);

        if (user != NULL)
            user->busy = share_of_time(unit, i);
    }
}

/* The driver's first answer reaches back to a time that is not looked at (20 s and more): it
 * only marks where the next one begins. From then on, until one process has the device alone,
 * each answer is about the time since the one before. */
static void see_work(struct nvml *nvml, struct nvml_unit *unit, instant now, bool exact)
{
    bool last = unit->based && !unit->several;

    if (unit->several || unit->based) {
        bool asks = nvml_may(unit, ASK_PROCESS_USE) &&
                    (exact || last || may_ask(nvml, unit, now)) && ask_work(nvml, unit, now);

        if (asks && unit->based) {
            tell_work(nvml, unit);
            unit->worded = true;
        } else if (asks) {
            nvml->users.opens = unit->based = true;
        }
    }
    if (unit->several)
        assume_work(nvml, unit);
    else
        unit->based = unit->worded = false; /* one alone has done all that is done */
}

void nvml_users(struct nvml *nvml, struct nvml_unit *unit, instant now, bool exact)
{
    const struct nvml_library *l = &nvml->library;
    bool compute, graphics;

    nvml->users.count = 0;
    nvml->users.worked_count = 0;
    nvml->users.busy = nvml->users.tells = nvml->users.fresh = nvml->users.opens = false;
    compute = add_list(nvml, unit, ASK_COMPUTE, l->compute, l->old_compute);
    graphics = add_list(nvml, unit, ASK_GRAPHICS, l->graphics, l->old_graphics);
    nvml->users.known = compute || graphics;
    if (unit->served)
        (void)add_list(nvml, unit, ASK_CLIENTS, l->clients, l->old_clients);
    unit->several = nvml->users.count > 1;
    see_work(nvml, unit, now, exact);
}
