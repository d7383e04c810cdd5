/* NVIDIA's devices: by the energy counter where there is one, else by sampled power. */
#include "meter/nvml.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- loading the library: its functions have had several names ---- */

static void *open_nvml_library(const char *path, char *why)
{
    static const char *const usual[] = {"libnvidia-ml.so.1", "libnvidia-ml.so"};
    void *handle = NULL;

    if (path != NULL)
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    else
        for (size_t i = 0; i < sizeof usual / sizeof *usual && handle == NULL; i++)
            handle = dlopen(usual[i], RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        (void)snprintf(why, GPU_WHY, "cannot open %s", path == NULL ? usual[0] : path);
    return handle;
}

/* The first of the names that the library has goes to `to`, a pointer to a function. Its place
 * in the list, or -1. */
static int find_nvml_symbol(void *handle, const char *const *names, void *to)
{
    for (int i = 0; names[i] != NULL; i++) {
        void *symbol = dlsym(handle, names[i]);

        if (symbol != NULL) {
            /* ISO C has no cast from object to function pointer; POSIX makes them alike. */
            memcpy(to, &symbol, sizeof symbol);
            return i;
        }
    }
    return -1;
}

#define FIND(member, ...) \
    find_nvml_symbol(library->handle, (const char *const[]){__VA_ARGS__, NULL}, \
                     &library->member)

bool nvml_load(struct nvml_library *library, const char *path, char *why)
{
    memset(library, 0, sizeof *library);
    library->handle = open_nvml_library(path, why);
    if (library->handle == NULL)
        return false;
    (void)FIND(init, "nvmlInit_v2", "nvmlInit");
    (void)FIND(shutdown, "nvmlShutdown");
    (void)FIND(count, "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount");
    (void)FIND(by_index, "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex");
    (void)FIND(name, "nvmlDeviceGetName");
    (void)FIND(uuid, "nvmlDeviceGetUUID");
    (void)FIND(energy, "nvmlDeviceGetTotalEnergyConsumption");
    (void)FIND(power, "nvmlDeviceGetPowerUsage");
    (void)FIND(limit, "nvmlDeviceGetEnforcedPowerLimit");
    (void)FIND(limit_set, "nvmlDeviceGetPowerManagementLimit");
    (void)FIND(utilization, "nvmlDeviceGetUtilizationRates");
    (void)FIND(memory, "nvmlDeviceGetMemoryInfo");
    (void)FIND(memory_v2, "nvmlDeviceGetMemoryInfo_v2");
    (void)FIND(clock, "nvmlDeviceGetClockInfo");
    (void)FIND(clock_max, "nvmlDeviceGetMaxClockInfo");
    (void)FIND(throttle, "nvmlDeviceGetCurrentClocksEventReasons",
               "nvmlDeviceGetCurrentClocksThrottleReasons");
    (void)FIND(temperature, "nvmlDeviceGetTemperature");
    library->old_compute = FIND(compute, "nvmlDeviceGetComputeRunningProcesses_v3",
                                "nvmlDeviceGetComputeRunningProcesses_v2",
                                "nvmlDeviceGetComputeRunningProcesses") == 2;
    library->old_graphics = FIND(graphics, "nvmlDeviceGetGraphicsRunningProcesses_v3",
                                 "nvmlDeviceGetGraphicsRunningProcesses_v2",
                                 "nvmlDeviceGetGraphicsRunningProcesses") == 2;
    library->old_clients = FIND(clients, "nvmlDeviceGetMPSComputeRunningProcesses_v3",
                                "nvmlDeviceGetMPSComputeRunningProcesses_v2",
                                "nvmlDeviceGetMPSComputeRunningProcesses") == 2;
    (void)FIND(process_use, "nvmlDeviceGetProcessUtilization");
    (void)FIND(mig_mode, "nvmlDeviceGetMigMode");
    (void)FIND(mig_most, "nvmlDeviceGetMaxMigDeviceCount");
    (void)FIND(mig_by_index, "nvmlDeviceGetMigDeviceHandleByIndex");
    (void)FIND(attributes, "nvmlDeviceGetAttributes_v2", "nvmlDeviceGetAttributes");
    if (library->init == NULL || library->count == NULL || library->by_index == NULL) {
        (void)snprintf(why, GPU_WHY, "the library is not NVIDIA's: it lacks nvmlInit");
        (void)dlclose(library->handle);
        library->handle = NULL;
        return false;
    }
    return true;
}

/* ---- devices and their slices (MIG) ---- */

/* Note what a call answered. True when it is a value. */
static bool nvml_answered(struct nvml_unit *unit, enum nvml_ask ask, int status)
{
    switch (status) {
    case NVML_OK:
        return true;
    case NVML_NOT_SUPPORTED:
    case NVML_NO_PERMISSION:
    case NVML_FUNCTION_NOT_FOUND:
        unit->refused |= 1U << ask;
        return false;
    case NVML_GPU_IS_LOST:
    case NVML_RESET_REQUIRED:
    case NVML_GPU_NOT_FOUND:
        unit->lost = true;
        return false;
    default: /* busy, timed out: it may answer the next time */
        return false;
    }
}

/* A function that the library lacks is refused from the start. */
static unsigned unit_lacks(const struct nvml_library *l)
{
    return (unsigned)(l->energy == NULL) << ASK_ENERGY |
           (unsigned)(l->power == NULL) << ASK_POWER |
           (unsigned)(l->utilization == NULL) << ASK_UTILIZATION |
           (unsigned)(l->memory == NULL) << ASK_MEMORY |
           (unsigned)(l->memory_v2 == NULL) << ASK_MEMORY_V2 |
           (unsigned)(l->clock == NULL) << ASK_CLOCK |
           (unsigned)(l->throttle == NULL) << ASK_THROTTLE |
           (unsigned)(l->temperature == NULL) << ASK_TEMPERATURE |
           (unsigned)(l->compute == NULL) << ASK_COMPUTE |
           (unsigned)(l->graphics == NULL) << ASK_GRAPHICS |
           (unsigned)(l->clients == NULL) << ASK_CLIENTS |
           (unsigned)(l->process_use == NULL) << ASK_PROCESS_USE;
}

static void identify_unit(const struct nvml_library *l, struct nvml_unit *unit, int index)
{
    unsigned value;

    unit->refused = unit_lacks(l);
    unit->sample = gpu_unknown("nvidia", index);
    if (l->name == NULL || l->name(unit->handle, unit->sample.name, METER_NAME) != NVML_OK)
        (void)snprintf(unit->sample.name, METER_NAME, "NVIDIA GPU");
    if (l->uuid == NULL ||
        l->uuid(unit->handle, unit->sample.uuid, sizeof unit->sample.uuid) != NVML_OK)
        unit->sample.uuid[0] = '\0';
    unit->sample.name[METER_NAME - 1] = '\0';
    unit->sample.uuid[sizeof unit->sample.uuid - 1] = '\0';
    if ((l->limit != NULL && l->limit(unit->handle, &value) == NVML_OK) ||
        (l->limit_set != NULL && l->limit_set(unit->handle, &value) == NVML_OK))
        unit->sample.limit_watts = value / 1e3;
    if (l->clock_max != NULL && l->clock_max(unit->handle, NVML_CLOCK_SM, &value) == NVML_OK)
        unit->sample.clock_max_mhz = value;
}

/* What part of the device a slice is: the mean of its parts of the processors and of the
 * memory. A slice within a slice has its part of that one's memory. */
static double slice_part_of(const struct nvml_library *l, const struct nvml_unit *slice,
                            const struct nvml_unit *device, unsigned most)
{
    struct nvml_attributes a = {0};
    struct nvml_memory whole = {0};
    double compute, memory, within;

    if (l->attributes == NULL || l->memory == NULL || most == 0 ||
        l->attributes(slice->handle, &a) != NVML_OK ||
        l->memory(device->handle, &whole) != NVML_OK || a.gpu_slices == 0 || whole.total == 0)
        return NAN;
    within = a.compute_slices > 0 && a.compute_slices < a.gpu_slices
                 ? (double)a.compute_slices / a.gpu_slices
                 : 1;
    compute = a.gpu_slices * within / most;
    memory = (double)a.memory_mb * 1048576 * within / (double)whole.total;
    return fmin((compute + memory) / 2, 1);
}

/* How many slices a device may have: 0 when it is not cut. */
static unsigned slices_of(const struct nvml_library *l, nvml_handle device)
{
    unsigned now = 0, later = 0, most = 0;

    if (l->mig_mode == NULL || l->mig_most == NULL || l->mig_by_index == NULL ||
        l->mig_mode(device, &now, &later) != NVML_OK || now != 1 ||
        l->mig_most(device, &most) != NVML_OK)
        return 0;
    return most > 16 ? 16 : most;
}

static void add_slices(struct nvml *nvml, size_t at, unsigned most)
{
    const struct nvml_library *l = &nvml->library;
    struct nvml_unit *device = &nvml->unit[at];

    for (unsigned i = 0; i < most && nvml->count < METER_GPUS; i++) {
        struct nvml_unit *slice = &nvml->unit[nvml->count];

        if (l->mig_by_index(device->handle, i, &slice->handle) != NVML_OK)
            continue;
        identify_unit(l, slice, device->sample.index);
        slice->sample.slice = true;
        slice->device = at;
        slice->part = slice->sample.part = slice_part_of(l, slice, device, most);
        slice->sample.limit_watts = device->sample.limit_watts * slice->part;
        device->cut = true;
        nvml->count++;
    }
}

/* nvml_units.c: find the devices and their slices, and what never changes of them. */
static bool nvml_units(struct nvml *nvml, struct arena *arena, char *why)
{
    const struct nvml_library *l = &nvml->library;
    struct error err = {0};
    unsigned count = 0;

    if (l->count(&count) != NVML_OK || count == 0) {
        (void)snprintf(why, GPU_WHY, "the driver is there, and no device that we may use");
        return false;
    }
    nvml->unit = arena_array(arena, struct nvml_unit, METER_GPUS, &err);
    nvml->devices = arena_array(arena, struct visible_device, METER_GPUS, &err);
    if (nvml->unit == NULL || nvml->devices == NULL) {
        (void)snprintf(why, GPU_WHY, "%.150s", err.text);
        return false;
    }
    for (unsigned i = 0; i < count && nvml->count < METER_GPUS; i++) {
        size_t at = nvml->count;

        /* A device that does not answer keeps its number; the others are still there. */
        if (l->by_index(i, &nvml->unit[at].handle) != NVML_OK)
            continue;
        identify_unit(l, &nvml->unit[at], (int)i);
        nvml->count++;
        add_slices(nvml, at, slices_of(l, nvml->unit[at].handle));
    }
    for (size_t i = 0; i < nvml->count; i++) {
        const struct gpu_sample *s = &nvml->unit[i].sample;

        nvml->devices[i] = (struct visible_device){str_from(s->uuid), str_from(s->name),
                                                   s->index, s->slice, -1};
    }
    if (nvml->count == 0)
        (void)snprintf(why, GPU_WHY, "none of %u devices answers", count);
    return nvml->count > 0;
}

/* ---- the processes of a device and their utilization ---- */

#define WORK_PERIOD INT64_C(5000000000) /* from one word on the processes' work to the next */
#define WORK_FIRST INT64_C(1000000000)  /* to the first one */

/* The first drivers of the 535 series made the entries of a list longer and did not say so: the
 * second entry then seems to be of process 0. */
static bool grow_users(const struct nvml_process *list, unsigned count)
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
static bool add_nvml_list(struct nvml *nvml, struct nvml_unit *unit, enum nvml_ask ask,
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
     * in. Processes cannot be distinguished then. */
    if (!nvml_answered(unit, ask, status))
        return false;
    if (count > GPU_USERS)
        count = GPU_USERS;
    for (unsigned i = 0; i < count; i++)
        if (old)
            gpu_users_add(&nvml->users, got.v1[i].pid, bytes_of(got.v1[i].memory));
        else if (grow_users(got.v2, count))
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

/* Notes how busy each process kept the device since it was last asked; nothing for one
 * that did nothing. False when it is not known. */
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
    if (status == NVML_NOT_FOUND) /* no process did anything */
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

/* What the driver has just reported, for those that are there and those that have ended. */
static void report_work(struct nvml *nvml, const struct nvml_unit *unit)
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
            report_work(nvml, unit);
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

/* nvml_users.c: fill nvml->users with the processes of the device. How busy each of them keeps
 * it is asked each few seconds, as far as its cost allows, or now when `exact`; it holds
 * between. */
static void nvml_users(struct nvml *nvml, struct nvml_unit *unit, instant now, bool exact)
{
    const struct nvml_library *l = &nvml->library;
    bool compute, graphics;

    nvml->users.count = 0;
    nvml->users.worked_count = 0;
    nvml->users.busy = nvml->users.tells = nvml->users.fresh = nvml->users.opens = false;
    compute = add_nvml_list(nvml, unit, ASK_COMPUTE, l->compute, l->old_compute);
    graphics = add_nvml_list(nvml, unit, ASK_GRAPHICS, l->graphics, l->old_graphics);
    nvml->users.known = compute || graphics;
    if (unit->served)
        (void)add_nvml_list(nvml, unit, ASK_CLIENTS, l->clients, l->old_clients);
    unit->several = nvml->users.count > 1;
    see_work(nvml, unit, now, exact);
}

/* ---- the vendor ---- */

#define FAILED_MOST 10 /* times without an answer until there is none */
#define SLOW_TURNS 4   /* with several devices, what changes slowly is asked this seldom */

static const char *nvml_failure(int status)
{
    switch (status) {
    case NVML_DRIVER_NOT_LOADED:
        return "the NVIDIA driver is not loaded";
    case NVML_NO_PERMISSION:
        return "no permission to talk to the NVIDIA driver";
    case NVML_VERSION_MISMATCH:
        return "library and driver of NVIDIA differ in version: reboot, or reload the driver";
    default:
        return "the NVIDIA driver does not answer";
    }
}

static void nvml_close(void *state)
{
    struct nvml *nvml = state;

    if (nvml->library.shutdown != NULL)
        (void)nvml->library.shutdown();
    (void)dlclose(nvml->library.handle);
}

/* The counter, when it may be read: a call takes milliseconds of processor time on some
 * devices. */
static double read_nvml_counter(struct nvml *nvml, struct nvml_unit *unit, instant now,
                                bool exact)
{
    bool first = !unit->energy.has_count && unit->failed == 0;
    unsigned long long counter = NVML_UNKNOWN64;
    int status;

    if (!nvml_may(unit, ASK_ENERGY) ||
        !(exact || first || gpu_energy_stale(&unit->energy, now) ||
          gpu_purse_may(&nvml->purse)))
        return NAN;
    gpu_purse_begin(&nvml->purse);
    status = nvml->library.energy(unit->handle, &counter);
    gpu_purse_end(&nvml->purse);
    nvml->next = (size_t)(unit - nvml->unit) + 1;
    if (!nvml_answered(unit, ASK_ENERGY, status) || counter == NVML_UNKNOWN64) {
        unit->failed++;
        return NAN;
    }
    unit->failed = 0;
    return (double)counter / 1e3;
}

static void read_nvml_energy(struct nvml *nvml, struct nvml_unit *unit, instant now, bool exact)
{
    struct gpu_reading reading = {.watts = NAN, .exact = exact};
    unsigned power;

    if (nvml_may(unit, ASK_POWER) &&
        nvml_answered(unit, ASK_POWER, nvml->library.power(unit->handle, &power)) &&
        power != ~0U)
        reading.watts = power / 1e3;
    reading.counter = read_nvml_counter(nvml, unit, now, exact);
    reading.counts = nvml_may(unit, ASK_ENERGY) && unit->failed <= FAILED_MOST;
    gpu_energy_look(&unit->energy, &reading, now);
    unit->silent = isnan(reading.watts) && isnan(reading.counter) ? unit->silent + 1 : 0;
    unit->sample.watts = reading.watts;
    gpu_energy_report(&unit->energy,
                      !unit->lost && (reading.counts || unit->silent <= FAILED_MOST),
                      &unit->sample);
}

/* Of all devices that concern us. Where counters are expensive the devices take turns. */
static void read_energies(struct nvml *nvml, instant now, bool exact)
{
    size_t first = nvml->next;

    gpu_purse_fill(&nvml->purse, now);
    for (size_t i = 0; i < nvml->count; i++) {
        size_t at = (first + i) % nvml->count;
        struct nvml_unit *unit = &nvml->unit[at];

        if (!unit->sample.slice &&
            (unit->cut || unit->share.used || (nvml->sight.now >> at & 1) != 0))
            read_nvml_energy(nvml, unit, now, exact);
    }
}

/* A slice has no counter: its part of the device's. */
static void slice_energy(const struct nvml *nvml, struct nvml_unit *slice)
{
    const struct nvml_unit *device = &nvml->unit[slice->device];
    struct gpu_sample *s = &slice->sample;

    s->joules = device->sample.joules * slice->part;
    s->watts = device->sample.watts * slice->part;
    s->joules_method = isnan(s->joules) ? METHOD_NONE : METHOD_MODELED;
    s->error = isnan(s->joules) ? NAN : GPU_ERROR_SLICE;
    slice->lost = slice->lost || device->lost;
}

static int throttle_bits(unsigned long long reasons)
{
    int bits = 0;

    if ((reasons & 0x4) != 0) /* software power cap */
        bits |= THROTTLE_POWER;
    if ((reasons & (0x20 | 0x40)) != 0) /* thermal slow-down, by software or hardware */
        bits |= THROTTLE_HEAT;
    if ((reasons & (0x8 | 0x80)) != 0) /* hardware slow-down, power brake */
        bits |= THROTTLE_HARDWARE;
    if ((reasons & ~0x1EFULL) != 0) /* idle, clocks set by hand or for a display are no loss */
        bits |= THROTTLE_OTHER;
    return bits;
}

static void read_nvml_memory(const struct nvml *nvml, struct nvml_unit *unit)
{
    const struct nvml_library *l = &nvml->library;
    struct nvml_memory_v2 v2 = {.version = NVML_MEMORY_V2};
    struct nvml_memory v1;

    unit->sample.memory = NAN;
    if (nvml_may(unit, ASK_MEMORY_V2)) {
        int status = l->memory_v2(unit->handle, &v2);

        if (nvml_answered(unit, ASK_MEMORY_V2, status)) {
            unit->sample.memory = (double)v2.used;
            unit->sample.memory_total = (double)v2.total;
            return;
        }
        unit->refused |= 1U << ASK_MEMORY_V2; /* whatever it has against it: v1 is as good */
    }
    if (nvml_may(unit, ASK_MEMORY) &&
        nvml_answered(unit, ASK_MEMORY, l->memory(unit->handle, &v1))) {
        unit->sample.memory = (double)v1.used;
        unit->sample.memory_total = (double)v1.total;
    }
}

static void read_busy(const struct nvml *nvml, struct nvml_unit *unit)
{
    struct nvml_utilization use;

    unit->sample.busy = NAN;
    if (nvml_may(unit, ASK_UTILIZATION) &&
        nvml_answered(unit, ASK_UTILIZATION, nvml->library.utilization(unit->handle, &use)) &&
        use.gpu <= 100)
        unit->sample.busy = use.gpu / 100.0;
}

static void read_slow(const struct nvml *nvml, struct nvml_unit *unit)
{
    const struct nvml_library *l = &nvml->library;
    struct gpu_sample *s = &unit->sample;
    unsigned long long reasons;
    unsigned value;

    s->clock_mhz = s->celsius = NAN;
    s->throttle = -1;
    if (nvml_may(unit, ASK_CLOCK) &&
        nvml_answered(unit, ASK_CLOCK, l->clock(unit->handle, NVML_CLOCK_SM, &value)) &&
        value != ~0U)
        s->clock_mhz = value;
    if (nvml_may(unit, ASK_TEMPERATURE) &&
        nvml_answered(unit, ASK_TEMPERATURE, l->temperature(unit->handle, 0, &value)) &&
        value < 1000)
        s->celsius = value;
    if (nvml_may(unit, ASK_THROTTLE) &&
        nvml_answered(unit, ASK_THROTTLE, l->throttle(unit->handle, &reasons)) &&
        reasons != NVML_UNKNOWN64)
        s->throttle = throttle_bits(reasons);
}

/* All that is no longer known of a device that is lost. What it was used for stays. */
static void forget_unit(struct nvml_unit *unit)
{
    struct gpu_sample *s = &unit->sample;

    s->watts = s->busy = s->tree_busy = s->memory = s->tree_memory = NAN;
    s->clock_mhz = s->celsius = NAN;
    s->throttle = s->processes = s->tree_processes = -1;
}

/* Whose is what the device did? */
static void share_unit(struct nvml *nvml, struct nvml_unit *unit, const struct tree *tree,
                       bool visible, instant now, bool exact)
{
    struct gpu_part part;

    if (unit->lost) {
        forget_unit(unit);
        gpu_energy_report(&unit->energy, false, &unit->sample);
        return;
    }
    part = gpu_part_of(&nvml->owners, tree, &nvml->users, visible, &unit->sample, now);
    unit->served = part.served;
    part.exact = exact;
    gpu_share_add(&unit->share, &part, &unit->sample);
}

static void read_unit(struct nvml *nvml, size_t at)
{
    struct nvml_unit *unit = &nvml->unit[at];

    read_nvml_memory(nvml, unit);
    read_busy(nvml, unit);
    if (nvml->turn == 0 || nvml->count <= 2 || (nvml->turn + at) % SLOW_TURNS == 0)
        read_slow(nvml, unit);
}

/* One of the devices that seem not to be ours: does the tree use it all the same? */
static void look_elsewhere(struct nvml *nvml, size_t at, const struct tree *tree, instant now)
{
    struct nvml_unit *unit = &nvml->unit[at];
    struct gpu_part part;

    if (unit->cut || nvml->turn % nvml->count != at % nvml->count)
        return;
    nvml_users(nvml, unit, now, false);
    part = gpu_part_of(&nvml->owners, tree, &nvml->users, false, &unit->sample, now);
    unit->served = part.served;
    if (part.ours <= 0)
        return;
    if (!unit->sample.slice)
        read_nvml_energy(nvml, unit, now, true);
    read_unit(nvml, at);
    share_unit(nvml, unit, tree, false, now, false);
}

static void nvml_read(void *state, const struct tree *tree, instant now, bool exact,
                      struct gpu_sample *out, size_t *count)
{
    struct nvml *nvml = state;

    gpu_sight_look(&nvml->sight, tree);
    read_energies(nvml, now, exact);
    gpu_purse_fill(&nvml->work_purse, now);
    for (size_t i = 0; i < nvml->count; i++) {
        struct nvml_unit *unit = &nvml->unit[i];
        bool visible = (nvml->sight.now >> i & 1) != 0;

        if (unit->sample.slice)
            slice_energy(nvml, unit);
        if (unit->lost) {
            forget_unit(unit);
        } else if (!unit->cut && (visible || unit->share.used)) {
            read_unit(nvml, i);
            nvml_users(nvml, unit, now, exact);
            share_unit(nvml, unit, tree, visible, now, exact);
        } else {
            look_elsewhere(nvml, i, tree, now);
        }
        if (!unit->cut && (visible || unit->share.used) && *count < METER_GPUS)
            out[(*count)++] = unit->sample;
    }
    nvml->turn++;
}

static void *nvml_open(const struct meter_options *options, struct arena *arena, char *why)
{
    struct error err = {0};
    struct nvml *nvml = arena_array(arena, struct nvml, 1, &err);
    int status;

    if (nvml == NULL) {
        (void)snprintf(why, GPU_WHY, "%.150s", err.text);
        return NULL;
    }
    if (!nvml_load(&nvml->library, options->nvml, why))
        return NULL;
    status = nvml->library.init();
    if (status != NVML_OK) {
        (void)snprintf(why, GPU_WHY, "%s", nvml_failure(status));
        (void)dlclose(nvml->library.handle);
        return NULL;
    }
    if (!nvml_units(nvml, arena, why)) {
        nvml_close(nvml);
        return NULL;
    }
    nvml->purse = nvml->work_purse = gpu_purse_of(options);
    nvml->owners = gpu_owners_of(options, "/dev/nvidia-uvm");
    nvml->sight = (struct gpu_sight){
        .vendor = VISIBLE_NVIDIA, .devices = nvml->devices, .count = nvml->count};
    gpu_sight_open(&nvml->sight, options);
    return nvml;
}

const struct gpu_vendor gpu_nvidia = {"nvidia", nvml_open, nvml_read, nvml_close};
