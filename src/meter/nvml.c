/* NVIDIA's devices: by the energy counter where there is one, else by power looked at. */
#include "meter/nvml.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

#define FAILED_MOST 10 /* times without an answer until there is none */
#define SLOW_TURNS 4   /* with several devices, what changes slowly is asked this seldom */

static const char *failure(int status)
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
static double read_counter(struct nvml *nvml, struct nvml_unit *unit, instant now, bool exact)
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

static void read_energy(struct nvml *nvml, struct nvml_unit *unit, instant now, bool exact)
{
    struct gpu_reading reading = {.watts = NAN, .exact = exact};
    unsigned power;

    if (nvml_may(unit, ASK_POWER) &&
        nvml_answered(unit, ASK_POWER, nvml->library.power(unit->handle, &power)) &&
        power != ~0U)
        reading.watts = power / 1e3;
    reading.counter = read_counter(nvml, unit, now, exact);
    reading.counts = nvml_may(unit, ASK_ENERGY) && unit->failed <= FAILED_MOST;
    gpu_energy_look(&unit->energy, &reading, now);
    unit->silent = isnan(reading.watts) && isnan(reading.counter) ? unit->silent + 1 : 0;
    unit->sample.watts = reading.watts;
    gpu_energy_tell(&unit->energy,
                    !unit->lost && (reading.counts || unit->silent <= FAILED_MOST),
                    &unit->sample);
}

/* Of all devices that concern us. Where counters are dear the devices take turns. */
static void read_energies(struct nvml *nvml, instant now, bool exact)
{
    size_t first = nvml->next;

    gpu_purse_fill(&nvml->purse, now);
    for (size_t i = 0; i < nvml->count; i++) {
        size_t at = (first + i) % nvml->count;
        struct nvml_unit *unit = &nvml->unit[at];

        if (!unit->sample.slice &&
            (unit->cut || unit->share.used || (nvml->sight.now >> at & 1) != 0))
            read_energy(nvml, unit, now, exact);
    }
}

/* A slice has no counter: its part of the device's. */
static void slice_energy(const struct nvml *nvml, struct nvml_unit *slice)
{
    const struct nvml_unit *device = &nvml->unit[slice->device];
    struct gpu_sample *s = &slice->sample;

    s->joules = device->sample.joules * slice->part;
    s->watts = device->sample.watts * slice->part;
    s->joules_method = isnan(s->joules) ? METHOD_NONE : METHOD_MODELLED;
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

static void read_memory(const struct nvml *nvml, struct nvml_unit *unit)
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
    struct nvml_utilisation use;

    unit->sample.busy = NAN;
    if (nvml_may(unit, ASK_UTILISATION) &&
        nvml_answered(unit, ASK_UTILISATION, nvml->library.utilisation(unit->handle, &use)) &&
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
static void forget(struct nvml_unit *unit)
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
        forget(unit);
        gpu_energy_tell(&unit->energy, false, &unit->sample);
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

    read_memory(nvml, unit);
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
        read_energy(nvml, unit, now, true);
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
            forget(unit);
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
        (void)snprintf(why, GPU_WHY, "%s", failure(status));
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
