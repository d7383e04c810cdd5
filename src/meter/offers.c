/* What a machine offers to be metered by, for a person: each meter with what it says now, and
 * what could be better. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "meter/meter_internal.h"
#include "meter/proc.h"

#define OFFERS_MAX (16 + GPU_VENDORS + METER_GPUS * 3)

struct offers {
    struct meters *meters;
    struct arena *arena;
    struct error *err;
    struct meter_offer *at;
    size_t count;
    bool failed;
};

static struct str offer_text(struct offers *o, const char *fmt, ...) PRINTF_LIKE(2, 3);

static struct str offer_text(struct offers *o, const char *fmt, ...)
{
    char buffer[512];
    const char *copy;
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(buffer, sizeof buffer, fmt, args);
    va_end(args);
    copy = str_dup(str_from(buffer), o->arena, o->err);
    o->failed = o->failed || copy == NULL;
    return str_from(copy);
}

/* The next offer, of which all is empty and unknown but what is given. */
static struct meter_offer *add_meter_offer(struct offers *o, const char *name,
                                           struct str device)
{
    struct meter_offer *offer = &o->at[o->count++];

    *offer = (struct meter_offer){
        .name = str_from(name), .device = device, .error = NAN, .value = NAN, .total = NAN};
    return offer;
}

static void add_processor_offers(struct offers *o, const struct meter_sample *s, double seconds,
                                 double busy_s)
{
    const char *name = o->meters->power.model.name;
    struct meter_offer *offer = add_meter_offer(o, "processor time", (struct str){0});

    if (strcmp(name, "unknown") != 0)
        offer->device = offer_text(o, "%s", name);
    if (isnan(s->host.cpu_busy_s)) {
        offer->missing = STR("/proc/stat cannot be read");
        return;
    }
    offer->method = METHOD_COUNTER;
    offer->source = STR("/proc/stat");
    offer->value = seconds > 0 ? (s->host.cpu_busy_s - busy_s) / seconds : NAN;
    offer->total = s->host.cores;
    offer->unit = STR("cores");
}

/* How the processes of a run are distinguished from others. */
static void add_tree(struct offers *o)
{
    struct meter_offer *offer = add_meter_offer(o, "process tree", (struct str){0});
    struct cgroup group;
    char name[32], why[160] = "";

    offer->method = METHOD_COUNTER;
    (void)snprintf(name, sizeof name, "meters-%ld", (long)getpid());
    if (cgroup_make(&group, name, o->meters->options.root, why)) {
        offer->source = group.v2[0] != '\0' ? STR("cgroup v2") : STR("cgroup v1");
        if (group.v2[0] == '\0' && group.cpuacct[0] == '\0')
            offer->source = STR("/proc and wait; memory by cgroup v1");
        cgroup_remove(&group);
        return;
    }
    if (o->meters->tree == NULL) {
        offer->method = METHOD_NONE;
        offer->missing = STR("/proc cannot be read");
        return;
    }
    offer->source = STR("/proc and wait");
    offer->missing = offer_text(
        o, "%s; children that are not waited for count with their last reading", why);
    if (geteuid() != 0 && strstr(why, "Permission denied") != NULL)
        offer->remedy = STR("systemd-run --user --scope -p Delegate=yes stint run ...");
}

static void add_energy_offer(struct offers *o, const struct meter_sample *s, double seconds,
                             const struct power_sample *before)
{
    const struct cpu_power *power = &o->meters->power;
    struct meter_offer *offer = add_meter_offer(o, "processor energy", (struct str){0});

    offer->method = s->power.method;
    if (s->power.method != METHOD_NONE) {
        offer->source = power->counted ? STR("RAPL") : offer_text(o, "%s", power->source);
        offer->error = s->power.error;
    }
    offer->value = seconds > 0 ? (s->power.joules - before->joules) / seconds : NAN;
    offer->unit = STR("W");
    if (!power->counted) {
        offer->missing = offer_text(o, "%s", power->rapl.why);
        offer->remedy = offer_text(o, "%s", power->rapl.remedy);
    }

    offer = add_meter_offer(o, "memory energy", (struct str){0});
    offer->method = s->power.memory_method;
    if (offer->method == METHOD_NONE) {
        offer->missing = STR("neither a counter nor the memory in use can be read");
        return;
    }
    offer->source = s->power.memory_method == METHOD_COUNTER
                        ? STR("RAPL")
                        : offer_text(o, "model: %.2f W a GB in use", WATTS_A_GB);
    offer->error = s->power.memory_method == METHOD_COUNTER ? 0.2 : 0.5;
    offer->value =
        seconds > 0 ? (s->power.memory_joules - before->memory_joules) / seconds : NAN;
    offer->unit = STR("W");
}

/* Bytes a second, or none. */
static void add_rate_offer(struct offers *o, const char *name, const char *source, double bytes,
                           double seconds)
{
    struct meter_offer *offer = add_meter_offer(o, name, (struct str){0});

    if (isnan(bytes)) {
        offer->missing = offer_text(o, "%s cannot be read", source);
        return;
    }
    offer->method = METHOD_COUNTER;
    offer->source = str_from(source);
    offer->value = seconds > 0 ? bytes / seconds * 1e-6 : NAN;
    offer->unit = STR("MB/s");
}

static void add_machine_offers(struct offers *o, const struct meter_sample *s,
                               const struct meter_sample *before, double seconds)
{
    struct meter_offer *offer = add_meter_offer(o, "memory", (struct str){0});

    if (isnan(s->host.memory)) {
        offer->missing = STR("/proc/meminfo cannot be read");
    } else {
        bool limited = s->host.memory_total == o->meters->host.memory_limit;

        offer->method = METHOD_SAMPLED;
        offer->source = limited ? STR("cgroup, whose limit it is") : STR("/proc/meminfo");
        offer->value = s->host.memory * 1e-9;
        offer->total = s->host.memory_total * 1e-9;
        offer->unit = STR("GB");
    }
    add_rate_offer(o, "storage", o->meters->options.tree == 0 ? "/proc/vmstat" : "/proc/PID/io",
                   s->tree.read + s->tree.written - before->tree.read - before->tree.written,
                   seconds);
    add_rate_offer(o, "network", "/proc/net/dev",
                   s->host.received + s->host.sent - before->host.received - before->host.sent,
                   seconds);
}

static void add_gpu_offers(struct offers *o, const struct gpu_sample *gpu)
{
    struct str device =
        offer_text(o, "%s (%d)%s", gpu->name, gpu->index, gpu->slice ? " slice" : "");
    struct meter_offer *offer = add_meter_offer(o, "GPU energy", device);
    static const char *const ways[] = {"", "part of the device", "power, looked at",
                                       "energy counter"};

    offer->method = gpu->joules_method;
    if (gpu->joules_method == METHOD_NONE) {
        offer->missing = STR("neither energy nor power can be read");
    } else {
        offer->source = offer_text(o, "%s: %s", gpu->vendor, ways[gpu->joules_method]);
        offer->error = gpu->error;
        offer->value = gpu->watts;
        offer->unit = STR("W");
    }
    offer = add_meter_offer(o, "GPU use", device);
    if (isnan(gpu->busy)) {
        offer->missing = STR("not reported by the driver");
    } else {
        offer->method = METHOD_SAMPLED;
        offer->source = str_from(gpu->vendor);
        offer->value = gpu->busy * 100;
        offer->unit = STR("%");
    }
    offer = add_meter_offer(o, "GPU processes", device);
    if (gpu->processes < 0) {
        offer->missing =
            STR("not reported by the driver: a device that others use too counts in full");
    } else {
        offer->method = METHOD_SAMPLED;
        offer->source = str_from(gpu->vendor);
        offer->value = gpu->processes;
        offer->unit = gpu->processes == 1 ? STR("process") : STR("processes");
    }
}

/* Is there such hardware, whatever its driver? By the vendor's number on the bus, among
 * displays and accelerators. */
static bool is_on_bus(const char *root, const char *vendor)
{
    int folder = proc_folder(root, "/sys/bus/pci/devices");
    DIR *names = folder < 0 ? NULL : fdopendir(folder);
    const struct dirent *entry;
    bool found = false;

    if (names == NULL)
        return false;
    while (!found && (entry = readdir(names)) != NULL) {
        char path[300], buffer[64], second[64];
        struct str who, what;

        (void)snprintf(path, sizeof path, "%s/vendor", entry->d_name);
        who = proc_file_line(folder, path, buffer, sizeof buffer);
        (void)snprintf(path, sizeof path, "%s/class", entry->d_name);
        what = proc_file_line(folder, path, second, sizeof second);
        found = str_eq(who, str_from(vendor)) &&
                (str_starts(what, STR("0x03")) || str_starts(what, STR("0x12")));
    }
    closedir(names);
    return found;
}

static void add_absent(struct offers *o, size_t index)
{
    static const struct {
        const char *vendor, *name, *number, *remedy;
    } all[] = {
        {"nvidia", "NVIDIA GPUs", "0x10de",
         "install NVIDIA's driver; in a container: docker run --gpus all"},
        {"amd", "AMD GPUs", "0x1002",
         "install rocm-smi-lib, and join the groups render and video"},
        {"habana", "Gaudi", "0x1da3", "install habanalabs-firmware-tools, which has hl-smi"},
    };
    const char *vendor = o->meters->gpu[index].vendor->name;

    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        struct meter_offer *offer;

        if (strcmp(all[i].vendor, vendor) != 0)
            continue;
        offer = add_meter_offer(o, all[i].name, (struct str){0});
        offer->missing = o->meters->gpu[index].state != NULL
                             ? STR("no device answers")
                             : offer_text(o, "%s", o->meters->gpu[index].why);
        if (is_on_bus(o->meters->options.root, all[i].number))
            offer->remedy = str_from(all[i].remedy);
    }
}

static bool has_gpu_of_vendor(const struct meter_sample *s, const char *vendor)
{
    for (size_t i = 0; i < s->gpus; i++) {
        if (strcmp(s->gpu[i].vendor, vendor) == 0)
            return true;
    }
    return false;
}

static void wait_between_samples(span apart)
{
    struct timespec left = {.tv_sec = apart.ns / 1000000000, .tv_nsec = apart.ns % 1000000000};

    (void)nanosleep(&left, NULL);
}

bool meters_offers(struct meters *meters, span apart, const struct clock *clock,
                   struct arena *arena, const struct meter_offer **out, size_t *count,
                   struct error *err)
{
    struct meter_sample *first = arena_array(arena, struct meter_sample, 2, err);
    struct meter_offer *at = arena_array(arena, struct meter_offer, OFFERS_MAX, err);
    struct offers o = {.meters = meters, .arena = arena, .err = err, .at = at};
    struct meter_sample *s;
    double seconds;

    if (first == NULL || at == NULL)
        return false;
    s = &first[1];
    meters_read(meters, clock->now(clock->ctx), first);
    wait_between_samples(apart);
    meters_read(meters, clock->now(clock->ctx), s);
    seconds = (double)span_between(first->at, s->at).ns * 1e-9;
    if (seconds < 0.05) /* shorter than a few ticks: no rate that means something */
        seconds = 0;
    add_tree(&o);
    add_processor_offers(&o, s, seconds, first->host.cpu_busy_s);
    add_energy_offer(&o, s, seconds, &first->power);
    add_machine_offers(&o, s, first, seconds);
    for (size_t i = 0; i < s->gpus; i++)
        add_gpu_offers(&o, &s->gpu[i]);
    for (size_t i = 0; i < GPU_VENDORS; i++) {
        if (meters->options.gpus && !has_gpu_of_vendor(s, meters->gpu[i].vendor->name))
            add_absent(&o, i);
    }
    *out = at;
    *count = o.count;
    return !o.failed;
}
