#include "run/supervise/busy.h"

#include <math.h>

/* The cores in use, of those there are. Others' work may be seen on cores that are not ours. */
static double of_cores(const struct meter_sample *sample, double cores)
{
    if (isnan(cores) || !(sample->host.cores > 0))
        return NAN;
    return fmin(fmax(cores / sample->host.cores, 0), 1);
}

/* What a run does on a device. Where others may be on it too, their work is not the run's. */
static double of_tree(const struct gpu_sample *gpu)
{
    return gpu->tree_processes >= 0 && !isnan(gpu->tree_busy) ? gpu->tree_busy : gpu->busy;
}

double busy_of_run(const struct meter_sample *sample, double cores)
{
    double busiest = NAN;
    bool uses = false;

    for (size_t i = 0; i < sample->gpus; i++) {
        if (sample->gpu[i].use == GPU_VISIBLE)
            continue;
        uses = true;
        busiest = fmax(busiest, of_tree(&sample->gpu[i])); /* of a number and NaN: the number */
    }
    return uses ? busiest : of_cores(sample, cores);
}

double busy_of_machine(const struct meter_sample *sample, double cores)
{
    double busiest = of_cores(sample, cores);

    for (size_t i = 0; i < sample->gpus; i++)
        busiest = fmax(busiest, sample->gpu[i].busy);
    return busiest;
}
