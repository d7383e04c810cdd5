/* The devices of NVIDIA's library and their slices, and what never changes of them. */
#include <math.h>
#include <stdio.h>

#include "meter/nvml.h"

bool nvml_answered(struct nvml_unit *unit, enum nvml_ask ask, int status)
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
static unsigned lacking(const struct nvml_library *l)
{
    return (unsigned)(l->energy == NULL) << ASK_ENERGY |
           (unsigned)(l->power == NULL) << ASK_POWER |
           (unsigned)(l->utilisation == NULL) << ASK_UTILISATION |
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

static void identify(const struct nvml_library *l, struct nvml_unit *unit, int index)
{
    unsigned value;

    unit->refused = lacking(l);
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
static double part_of(const struct nvml_library *l, const struct nvml_unit *slice,
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
        identify(l, slice, device->sample.index);
        slice->sample.slice = true;
        slice->device = at;
        slice->part = slice->sample.part = part_of(l, slice, device, most);
        slice->sample.limit_watts = device->sample.limit_watts * slice->part;
        device->cut = true;
        nvml->count++;
    }
}

bool nvml_units(struct nvml *nvml, struct arena *arena, char *why)
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
        identify(l, &nvml->unit[at], (int)i);
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
