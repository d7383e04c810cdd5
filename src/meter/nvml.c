/* NVIDIA's devices: by the energy counter where there is one, else by power looked at. */
#include "meter/nvml.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

#define FAILED_MOST 10 /* looks without an answer until the energy is unknown */
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

static void read_energy(const struct nvml *nvml, struct nvml_unit *unit, instant now)
{
    const struct nvml_library *l = &nvml->library;
    unsigned long long counter;
    unsigned power;
    bool answered = false;

    if (nvml_may(unit, ASK_ENERGY) &&
        nvml_answered(unit, ASK_ENERGY, l->energy(unit->handle, &counter)) &&
        counter != NVML_UNKNOWN64) {
        double before = unit->energy.joules,
               time = (double)span_between(unit->energy.at, now).ns / 1e9;
        bool begun = unit->energy.begun;

        gpu_energy_count(&unit->energy, (double)counter / 1e3, now);
        answered = true;
        /* Power is the counter's rise, which costs no second call; the counter moves ten times
         * a second or so. */
        if (begun && time > 0.5) {
            unit->sample.watts = (unit->energy.joules - before) / time;
            unit->failed = 0;
            return;
        }
    }
    if (nvml_may(unit, ASK_POWER) &&
        nvml_answered(unit, ASK_POWER, l->power(unit->handle, &power)) && power != ~0U) {
        unit->sample.watts = power / 1e3;
        /* A counter that fails once will make up for it; power would not. */
        if ((unit->refused >> ASK_ENERGY & 1) != 0) {
            gpu_energy_sample(&unit->energy, unit->sample.watts, now);
            answered = true;
        }
    }
    unit->failed = answered ? 0 : unit->failed + 1;
}

static void tell_energy(struct nvml_unit *unit)
{
    struct gpu_sample *s = &unit->sample;

    if (unit->lost || unit->failed > FAILED_MOST || !unit->energy.begun) {
        s->joules = s->error = NAN;
        s->joules_method = METHOD_NONE;
        return;
    }
    s->joules = unit->energy.joules;
    s->joules_method = unit->energy.method;
    s->error = unit->energy.method == METHOD_COUNTER ? GPU_ERROR_COUNTER : GPU_ERROR_SAMPLED;
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

static void read_unit(struct nvml *nvml, size_t at, const struct tree *tree, bool visible,
                      instant now)
{
    struct nvml_unit *unit = &nvml->unit[at];
    struct gpu_part part;

    read_memory(nvml, unit);
    read_busy(nvml, unit);
    if (nvml->turn == 0 || nvml->count <= 2 || (nvml->turn + at) % SLOW_TURNS == 0)
        read_slow(nvml, unit);
    nvml_users(nvml, unit);
    if (unit->lost) {
        forget(unit);
        tell_energy(unit);
        return;
    }
    part = gpu_part_of(&nvml->owners, tree, &nvml->users, visible, &unit->sample, now);
    unit->served = part.served;
    gpu_share_add(&unit->share, &part, &unit->sample);
}

/* One of the devices that seem not to be ours: does the tree use it all the same? */
static void look_elsewhere(struct nvml *nvml, size_t at, const struct tree *tree, instant now)
{
    struct nvml_unit *unit = &nvml->unit[at];
    struct gpu_part part;

    if (unit->cut || nvml->turn % nvml->count != at % nvml->count)
        return;
    nvml_users(nvml, unit);
    part = gpu_part_of(&nvml->owners, tree, &nvml->users, false, &unit->sample, now);
    unit->served = part.served;
    if (part.ours <= 0)
        return;
    if (!unit->sample.slice) {
        read_energy(nvml, unit, now);
        tell_energy(unit);
    }
    read_unit(nvml, at, tree, false, now);
}

static void nvml_read(void *state, const struct tree *tree, instant now, struct gpu_sample *out,
                      size_t *count)
{
    struct nvml *nvml = state;

    gpu_sight_look(&nvml->sight, tree);
    for (size_t i = 0; i < nvml->count; i++) {
        struct nvml_unit *unit = &nvml->unit[i];
        bool visible = (nvml->sight.now >> i & 1) != 0;

        if (unit->sample.slice)
            slice_energy(nvml, unit);
        else if (unit->cut || visible || unit->share.used || !unit->energy.begun) {
            read_energy(nvml, unit, now);
            tell_energy(unit);
        }
        if (unit->lost)
            forget(unit);
        else if (!unit->cut && (visible || unit->share.used))
            read_unit(nvml, i, tree, visible, now);
        else
            look_elsewhere(nvml, i, tree, now);
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
    nvml->owners = gpu_owners_of(options, "/dev/nvidia-uvm");
    nvml->sight = (struct gpu_sight){
        .vendor = VISIBLE_NVIDIA, .devices = nvml->devices, .count = nvml->count};
    gpu_sight_open(&nvml->sight, options);
    return nvml;
}

const struct gpu_vendor gpu_nvidia = {"nvidia", nvml_open, nvml_read, nvml_close};
