/* AMD's devices, by the ROCm management library: its energy counter where there is one. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "meter/gpu.h"

#define OK 0
#define NOT_SUPPORTED 2
#define PERMISSION 4
#define FAILED_MOST 10 /* times without an answer until there is none */
#define PROCESSES 64   /* of all devices together */
#define UNKNOWN32 0xFFFFFFFFU

struct process_info {
    uint32_t pid, pasid;
    uint64_t memory, copying;
    uint32_t occupancy; /* of the compute units, percent */
};

struct rocm_library {
    void *handle;
    int (*init)(uint64_t);
    int (*shutdown)(void);
    int (*count)(uint32_t *);
    int (*name)(uint32_t, char *, size_t);
    int (*identity)(uint32_t, uint64_t *);
    int (*energy)(uint32_t, uint64_t *, float *, uint64_t *); /* count, microjoules of one */
    int (*power)(uint32_t, uint64_t *, int *);                /* microwatts */
    int (*power_mean)(uint32_t, uint32_t, uint64_t *);
    int (*limit)(uint32_t, uint32_t, uint64_t *);
    int (*busy)(uint32_t, uint32_t *);
    int (*memory)(uint32_t, int, uint64_t *);
    int (*memory_total)(uint32_t, int, uint64_t *);
    int (*temperature)(uint32_t, uint32_t, int, int64_t *); /* thousandths */
    int (*clocks)(uint32_t, int, void *);
    int (*processes)(struct process_info *, uint32_t *);
    int (*devices_of)(uint32_t, uint32_t *, uint32_t *);
    int (*process_on)(uint32_t, uint32_t, struct process_info *);
};

struct rocm_device {
    struct gpu_sample sample;
    struct gpu_energy energy;
    struct gpu_share share;
    bool no_counter; /* it was asked, and has none */
    unsigned failed; /* times in a row that the counter did not answer */
    unsigned silent; /* looks in a row that neither it nor power did */
};

struct rocm {
    struct rocm_library library;
    struct rocm_device *device;
    struct visible_device *names;
    uint32_t count;
    struct gpu_owners owners;
    struct gpu_sight sight;
    struct gpu_users users; /* of the device that is being looked at */
    struct {
        uint32_t pid;
        visible_set on; /* the devices it uses */
    } process[PROCESSES];
    size_t processes;
    bool listed;            /* the processes could be read */
    struct gpu_purse purse; /* for the energy counters */
    uint32_t next;          /* the device whose counter is read next */
};

static void find_function(void *handle, const char *name, void *to)
{
    void *symbol = dlsym(handle, name);

    /* ISO C has no cast from object to function pointer; POSIX makes them alike. */
    memcpy(to, &symbol, sizeof symbol);
}

static bool load_library(struct rocm_library *l, const struct meter_options *options, char *why)
{
    static const char *const usual[] = {"librocm_smi64.so", "librocm_smi64.so.7",
                                        "librocm_smi64.so.6", "librocm_smi64.so.5",
                                        "/opt/rocm/lib/librocm_smi64.so"};
    const char *path = options->rocm;

    /* Without its driver, AMD's library complains on the standard error of the command. */
    if (path == NULL && !gpu_has_path(options, "/sys/module/amdgpu")) {
        (void)snprintf(why, GPU_WHY, "the driver amdgpu is not loaded");
        return false;
    }
    if (path != NULL)
        l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    else
        for (size_t i = 0; i < sizeof usual / sizeof *usual && l->handle == NULL; i++)
            l->handle = dlopen(usual[i], RTLD_NOW | RTLD_LOCAL);
    if (l->handle == NULL) {
        (void)snprintf(why, GPU_WHY, "cannot open %s", path == NULL ? usual[0] : path);
        return false;
    }
    find_function(l->handle, "rsmi_init", &l->init);
    find_function(l->handle, "rsmi_shut_down", &l->shutdown);
    find_function(l->handle, "rsmi_num_monitor_devices", &l->count);
    find_function(l->handle, "rsmi_dev_name_get", &l->name);
    find_function(l->handle, "rsmi_dev_unique_id_get", &l->identity);
    find_function(l->handle, "rsmi_dev_energy_count_get", &l->energy);
    find_function(l->handle, "rsmi_dev_power_get", &l->power);
    find_function(l->handle, "rsmi_dev_power_ave_get", &l->power_mean);
    find_function(l->handle, "rsmi_dev_power_cap_get", &l->limit);
    find_function(l->handle, "rsmi_dev_busy_percent_get", &l->busy);
    find_function(l->handle, "rsmi_dev_memory_usage_get", &l->memory);
    find_function(l->handle, "rsmi_dev_memory_total_get", &l->memory_total);
    find_function(l->handle, "rsmi_dev_temp_metric_get", &l->temperature);
    find_function(l->handle, "rsmi_dev_gpu_clk_freq_get", &l->clocks);
    find_function(l->handle, "rsmi_compute_process_info_get", &l->processes);
    find_function(l->handle, "rsmi_compute_process_gpus_get", &l->devices_of);
    find_function(l->handle, "rsmi_compute_process_info_by_device_get", &l->process_on);
    if (l->init == NULL || l->count == NULL)
        (void)snprintf(why, GPU_WHY, "the library is not AMD's: it lacks rsmi_init");
    else if (l->init(0) != OK)
        (void)snprintf(why, GPU_WHY, "the AMD driver does not answer");
    else
        return true;
    (void)dlclose(l->handle);
    return false;
}

/* The clock now, and the fastest. Later versions put a word before the table of clocks, and say
 * so nowhere: a frequency is never as low as what is there instead. */
static void read_clocks(const struct rocm_library *l, uint32_t at, struct gpu_sample *s)
{
    uint64_t table[64] = {0};
    uint32_t head[4];
    size_t start;

    s->clock_mhz = NAN;
    if (l->clocks == NULL || l->clocks(at, 0, table) != OK)
        return;
    memcpy(head, table, sizeof head);
    start = table[1] >= 1000000 ? 1 : 2; /* the first frequency, in words of 64 bits */
    if (start == 2)
        memmove(head, head + 1, 2 * sizeof *head);
    if (head[0] == 0 || head[0] > 33 || head[1] >= head[0])
        return;
    s->clock_mhz = (double)table[start + head[1]] / 1e6;
    s->clock_max_mhz = (double)table[start + head[0] - 1] / 1e6;
}

/* The counter, when it may be read: the cost of the call is not known before it was made. */
static double read_rocm_counter(struct rocm *rocm, uint32_t at, instant now, bool exact)
{
    struct rocm_device *d = &rocm->device[at];
    bool first = !d->energy.has_count && d->failed == 0;
    uint64_t count = 0, when = 0;
    float resolution = 0;
    int status;

    if (rocm->library.energy == NULL)
        d->no_counter = true;
    if (d->no_counter ||
        !(exact || first || gpu_energy_stale(&d->energy, now) || gpu_purse_may(&rocm->purse)))
        return NAN;
    gpu_purse_begin(&rocm->purse);
    status = rocm->library.energy(at, &count, &resolution, &when);
    gpu_purse_end(&rocm->purse);
    rocm->next = at + 1;
    d->no_counter =
        status == NOT_SUPPORTED || status == PERMISSION || (status == OK && !(resolution > 0));
    d->failed = status == OK ? 0 : d->failed + 1;
    return status == OK && !d->no_counter ? (double)count * (double)resolution / 1e6 : NAN;
}

static void read_rocm_energy(struct rocm *rocm, uint32_t at, instant now, bool exact)
{
    const struct rocm_library *l = &rocm->library;
    struct rocm_device *d = &rocm->device[at];
    struct gpu_reading reading = {.watts = NAN, .exact = exact};
    uint64_t power = 0;
    int kind = 0;

    if ((l->power != NULL && l->power(at, &power, &kind) == OK) ||
        (l->power_mean != NULL && l->power_mean(at, 0, &power) == OK))
        reading.watts = (double)power / 1e6;
    reading.counter = read_rocm_counter(rocm, at, now, exact);
    reading.counts = !d->no_counter && d->failed <= FAILED_MOST;
    gpu_energy_look(&d->energy, &reading, now);
    d->silent = isnan(reading.watts) && isnan(reading.counter) ? d->silent + 1 : 0;
    d->sample.watts = reading.watts;
    gpu_energy_report(&d->energy, reading.counts || d->silent <= FAILED_MOST, &d->sample);
}

static void read_rocm_state(const struct rocm_library *l, uint32_t at, struct gpu_sample *s)
{
    uint64_t used;
    uint32_t busy;
    int64_t heat;

    s->busy = s->memory = s->celsius = NAN;
    if (l->busy != NULL && l->busy(at, &busy) == OK && busy <= 100)
        s->busy = busy / 100.0;
    if (l->memory != NULL && l->memory(at, 0, &used) == OK)
        s->memory = (double)used;
    /* At the hottest place where there is such a sensor, else at the edge. */
    if (l->temperature != NULL &&
        (l->temperature(at, 1, 0, &heat) == OK || l->temperature(at, 0, 0, &heat) == OK))
        s->celsius = (double)heat / 1e3;
    read_clocks(l, at, s);
}

/* Who computes, and on which devices: one list for all of them. */
static void list_processes(struct rocm *rocm)
{
    const struct rocm_library *l = &rocm->library;
    struct process_info info[PROCESSES];
    uint32_t count = PROCESSES;

    rocm->processes = 0;
    rocm->listed = l->processes != NULL && l->processes(info, &count) == OK;
    for (uint32_t i = 0; rocm->listed && i < count && i < PROCESSES; i++) {
        uint32_t on[METER_GPUS], devices = METER_GPUS;
        visible_set set = 0;

        if (l->devices_of == NULL || l->devices_of(info[i].pid, on, &devices) != OK)
            continue;
        for (uint32_t k = 0; k < devices && k < METER_GPUS; k++)
            if (on[k] < METER_GPUS)
                set |= (visible_set)1 << on[k];
        rocm->process[rocm->processes].pid = info[i].pid;
        rocm->process[rocm->processes++].on = set;
    }
}

static void list_users(struct rocm *rocm, uint32_t at)
{
    const struct rocm_library *l = &rocm->library;
    struct gpu_users *users = &rocm->users;

    users->count = 0;
    users->known = rocm->listed;
    users->busy = true;
    for (size_t i = 0; i < rocm->processes; i++) {
        struct process_info info = {.occupancy = UNKNOWN32};
        uint32_t pid = rocm->process[i].pid;
        bool known;

        if ((rocm->process[i].on >> at & 1) == 0)
            continue;
        known = l->process_on != NULL && l->process_on(pid, at, &info) == OK;
        gpu_users_add(users, pid, known ? (double)info.memory : NAN);
        if (known && info.occupancy <= 100)
            gpu_users_find(users, pid)->busy = info.occupancy / 100.0;
        else
            users->busy = false;
    }
}

static void rocm_read(void *state, const struct tree *tree, instant now, bool exact,
                      struct gpu_sample *out, size_t *count)
{
    struct rocm *rocm = state;
    uint32_t first = rocm->next;

    gpu_sight_look(&rocm->sight, tree);
    list_processes(rocm);
    gpu_purse_fill(&rocm->purse, now);
    for (uint32_t i = 0; i < rocm->count; i++)
        read_rocm_energy(rocm, (first + i) % rocm->count, now, exact);
    for (uint32_t i = 0; i < rocm->count; i++) {
        struct rocm_device *d = &rocm->device[i];
        bool visible = (rocm->sight.now >> i & 1) != 0;
        struct gpu_part part;

        list_users(rocm, i);
        if (visible || d->share.used)
            read_rocm_state(&rocm->library, i, &d->sample);
        part = gpu_part_of(&rocm->owners, tree, &rocm->users, visible, &d->sample, now);
        gpu_share_add(&d->share, &part, &d->sample);
        if ((visible || d->share.used) && *count < METER_GPUS)
            out[(*count)++] = d->sample;
    }
}

static void rocm_close(void *state)
{
    struct rocm *rocm = state;

    if (rocm->library.shutdown != NULL)
        (void)rocm->library.shutdown();
    (void)dlclose(rocm->library.handle);
}

static void identify_device(struct rocm *rocm, uint32_t at)
{
    const struct rocm_library *l = &rocm->library;
    struct gpu_sample *s = &rocm->device[at].sample;
    uint64_t value;

    *s = gpu_unknown("amd", (int)at);
    if (l->name == NULL || l->name(at, s->name, METER_NAME) != OK)
        (void)snprintf(s->name, METER_NAME, "AMD GPU");
    s->name[METER_NAME - 1] = '\0';
    if (l->identity != NULL && l->identity(at, &value) == OK)
        (void)snprintf(s->uuid, sizeof s->uuid, "GPU-%016llx", (unsigned long long)value);
    if (l->limit != NULL && l->limit(at, 0, &value) == OK)
        s->limit_watts = (double)value / 1e6;
    if (l->memory_total != NULL && l->memory_total(at, 0, &value) == OK)
        s->memory_total = (double)value;
    rocm->names[at] =
        (struct visible_device){str_from(s->uuid), str_from(s->name), (int)at, false, -1};
}

static void *rocm_open(const struct meter_options *options, struct arena *arena, char *why)
{
    struct error err = {0};
    struct rocm *rocm = arena_array(arena, struct rocm, 1, &err);

    if (rocm == NULL) {
        (void)snprintf(why, GPU_WHY, "%.150s", err.text);
        return NULL;
    }
    if (!load_library(&rocm->library, options, why))
        return NULL;
    if (rocm->library.count(&rocm->count) != OK || rocm->count == 0) {
        (void)snprintf(why, GPU_WHY, "the library is there, and no device that we may use");
        rocm_close(rocm);
        return NULL;
    }
    if (rocm->count > METER_GPUS)
        rocm->count = METER_GPUS;
    rocm->device = arena_array(arena, struct rocm_device, rocm->count, &err);
    rocm->names = arena_array(arena, struct visible_device, rocm->count, &err);
    if (rocm->device == NULL || rocm->names == NULL) {
        (void)snprintf(why, GPU_WHY, "%.150s", err.text);
        rocm_close(rocm);
        return NULL;
    }
    for (uint32_t i = 0; i < rocm->count; i++)
        identify_device(rocm, i);
    rocm->purse = gpu_purse_of(options);
    rocm->owners = gpu_owners_of(options, "/dev/kfd");
    rocm->sight =
        (struct gpu_sight){.vendor = VISIBLE_AMD, .devices = rocm->names, .count = rocm->count};
    gpu_sight_open(&rocm->sight, options);
    return rocm;
}

const struct gpu_vendor gpu_amd = {"amd", rocm_open, rocm_read, rocm_close};
