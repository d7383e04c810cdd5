#include "meter/sample.h"

#include <math.h>

const char *meter_method_name(enum meter_method method)
{
    static const char *const names[] = {"unknown", "modelled", "sampled", "counter"};

    return names[method];
}

/* Adds a part to the whole; the worse method and the part's error count. */
static void add_part(double joules, enum meter_method part, double part_error, double *sum,
                     enum meter_method *method, double *wrong)
{
    if (part < *method)
        *method = part;
    *sum += joules;
    *wrong += joules * part_error; /* an unknown error makes the sum's unknown */
}

double meter_tree_joules(const struct meter_sample *sample, enum meter_method *method,
                         double *error)
{
    const struct power_sample *power = &sample->power;
    double sum = 0, wrong = 0;

    *method = METHOD_COUNTER;
    for (size_t i = 0; i < sample->gpus; i++) {
        const struct gpu_sample *gpu = &sample->gpu[i];
        enum meter_method worst =
            gpu->share_method < gpu->joules_method ? gpu->share_method : gpu->joules_method;

        if (gpu->use == GPU_VISIBLE)
            continue;
        add_part(gpu->joules * gpu->share, worst, gpu->error, &sum, method, &wrong);
    }
    if (!isnan(power->tree_joules))
        add_part(power->tree_joules, power->method, power->error, &sum, method, &wrong);
    if (!isnan(power->tree_memory_joules))
        add_part(power->tree_memory_joules, power->memory_method, power->error, &sum, method,
                 &wrong);
    if (isnan(sum) || (isnan(power->tree_joules) && sample->gpus == 0)) {
        *method = METHOD_NONE;
        *error = NAN;
        return NAN;
    }
    *error = sum > 0 ? wrong / sum : 0;
    return sum;
}
