#include "run/supervise/device_watch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PEAK_GREW 1.02 /* a peak that is higher by less is recorded at the end */

/* Slices of one device have its number: only their own ids tell them apart. */
static void name_device(const struct gpu_sample *gpu, char to[static 96])
{
    if (gpu->uuid[0] != '\0')
        (void)snprintf(to, 96, "%s", gpu->uuid);
    else
        (void)snprintf(to, 96, "%s:%d", gpu->vendor, gpu->index);
}

/* NULL when there are more than are kept. */
static struct watched_device *watched_device_of(struct device_watch *w,
                                                const struct gpu_sample *gpu)
{
    struct watched_device *d;
    char id[96];

    name_device(gpu, id);
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->at[i].id, id) == 0)
            return &w->at[i];
    if (w->count == LEDGER_DEVICES)
        return NULL;
    d = &w->at[w->count];
    (void)snprintf(d->id, sizeof d->id, "%s", id);
    (void)snprintf(d->name, sizeof d->name, "%s", gpu->name);
    d->row = (struct ledger_device){.device = (int64_t)w->count++,
                                    .number = gpu->index,
                                    .id = str_from(d->id),
                                    .name = str_from(d->name),
                                    .memory_total = gpu->memory_total,
                                    .memory_peak = NAN};
    return d;
}

static void watch_device(struct device_watch *w, const struct gpu_sample *gpu)
{
    bool ours = gpu->use != GPU_VISIBLE;
    struct watched_device *d =
        ours || gpu->processes <= 0 ? watched_device_of(w, gpu) : NULL; /* else of others */
    size_t at = d != NULL ? (size_t)d->row.device : 0;

    if (d == NULL)
        return;
    d->row.used = d->row.used || ours;
    d->row.memory_peak = fmax(d->row.memory_peak, gpu->memory);
    /* As many digits as meters have. */
    w->busy[at] = round(gpu->busy * 1e4) / 1e4;
    w->memory[at] = gpu->memory;
    w->watts[at] = round(gpu->watts * 10) / 10;
}

void device_watch_see(struct device_watch *w, const struct meter_sample *sample)
{
    for (size_t i = 0; i < sample->gpus; i++)
        w->begun = w->begun || sample->gpu[i].use != GPU_VISIBLE;
    for (size_t i = 0; i < LEDGER_DEVICES; i++)
        w->busy[i] = w->memory[i] = w->watts[i] = NAN;
    for (size_t i = 0; w->begun && i < sample->gpus; i++)
        watch_device(w, &sample->gpu[i]);
}

void device_watch_fill(const struct device_watch *w, struct ledger_sample *out)
{
    out->device_busy = (struct numbers){w->busy, w->count};
    out->device_memory = (struct numbers){w->memory, w->count};
    out->device_watts = (struct numbers){w->watts, w->count};
}

static bool is_device_changed(const struct watched_device *d, bool last)
{
    double peak = d->recorded.memory_peak;

    return !d->is_recorded || d->row.used != d->recorded.used ||
           d->row.memory_peak > (last ? peak : peak * PEAK_GREW) ||
           isnan(d->row.memory_peak) != isnan(peak);
}

const struct ledger_device *device_watch_changed(struct device_watch *w, bool last)
{
    for (size_t i = 0; i < w->count; i++) {
        struct watched_device *d = &w->at[i];

        if (!is_device_changed(d, last))
            continue;
        d->recorded = d->row;
        d->is_recorded = true;
        return &d->row;
    }
    return NULL;
}
